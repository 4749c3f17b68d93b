//! The kinds of line that matter for memory, one file a family.
//!
//! A kind is its id in the plog grammar, its templates, and how it becomes a fact of the model.
//! Adding one: a `Kind` in its family's file, that family's `ALL`, golden lines in
//! `tests/data/plog-examples.jsonl`.

mod allocation;
mod args;
mod console;
mod devmm;
mod fault;
mod host_leak;
mod imas_build;
mod imas_load;
mod launch;
mod options;
mod pool;
mod variable;

use alloc::vec::Vec;

use memchr::memmem::Finder;

use super::pattern::{Fit, Pattern, Scratch};
use super::value::Field;

/// One kind of line.
#[derive(Debug)]
pub struct Kind {
    /// The id in the plog grammar, for example `imas.set`.
    pub id: &'static str,
    /// The same text stands in the run plog and in the debug plog (plog grammar 1.5).
    pub twice: bool,
    /// The modules that print it; asked only of kinds whose messages begin with a variable part.
    pub modules: &'static [&'static str],
    /// The forms the message takes (see [`super::pattern`]).
    pub templates: &'static [&'static str],
}

impl Kind {
    /// What most kinds are: printed once, by any module.
    const PLAIN: Kind = Kind { id: "", twice: false, modules: &[], templates: &[] };

    fn printed_by(&self, module: Option<&[u8]>) -> bool {
        module.is_none_or(|m| self.modules.is_empty() || self.modules.iter().any(|k| k.as_bytes() == m))
    }
}

/// The message behind a stage mark such as `[INIT][DEFAULT]`, which components of 2020 to 2024 print.
fn without_stage(message: &[u8]) -> &[u8] {
    let word = |text: &[u8]| {
        let letters = text.strip_prefix(b"[")?.iter().take_while(|b| b.is_ascii_uppercase()).count();
        (letters > 0 && text.get(1 + letters) == Some(&b']')).then_some(letters + 2)
    };
    let behind = |text| Some(text).and_then(|t: &'_ [u8]| t.get(word(t)?..)).map(<[u8]>::trim_ascii_start);
    behind(message).and_then(behind).unwrap_or(message)
}

/// All kinds, family by family.
pub fn all() -> impl Iterator<Item = &'static Kind> {
    [
        devmm::ALL,
        imas_build::ALL,
        imas_load::ALL,
        variable::ALL,
        allocation::ALL,
        pool::ALL,
        launch::ALL,
        args::ALL,
        fault::ALL,
        options::ALL,
        console::ALL,
        host_leak::ALL,
    ]
    .into_iter()
    .flatten()
}

/// What a message was understood as.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its kind.
    pub kind: &'static Kind,
    /// The kind's place in [`all`].
    pub number: u16,
    /// `Whole`, `Cut` or `Longer`.
    pub fit: Fit,
}

/// All templates, compiled, with a look-up by the first bytes of a message.
#[derive(Debug)]
pub struct Matcher {
    entries: Vec<Entry>,
    /// Patterns by the literal text they start with.
    prefixes: Trie,
    /// Patterns that start with a variable part, with a search for the text that they contain.
    floating: Vec<(u16, Finder<'static>)>,
}

#[derive(Debug)]
struct Entry {
    kind: &'static Kind,
    /// Place of the kind in [`all`].
    number: u16,
    pattern: Pattern,
}

impl Default for Matcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Matcher {
    /// Compiles every template. A faulty template is left out; a test finds it.
    pub fn new() -> Matcher {
        let mut matcher = Matcher { entries: Vec::new(), prefixes: Trie::new(), floating: Vec::new() };
        for (number, kind) in all().enumerate() {
            for template in kind.templates {
                let Ok(pattern) = Pattern::new(template) else { continue };
                let entry = matcher.entries.len() as u16;
                let prefixes = pattern.prefixes();
                if prefixes.iter().any(|p| p.is_empty()) {
                    matcher.floating.push((entry, Finder::new(pattern.anchor())));
                } else {
                    for prefix in prefixes {
                        matcher.prefixes.insert(prefix.as_bytes(), entry);
                    }
                }
                matcher.entries.push(Entry { kind, number: number as u16, pattern });
            }
        }
        matcher.prefixes.link();
        matcher
    }

    /// What `message` is, and its fields. `module` is the header's, where there is a header.
    ///
    /// Blanks and stage marks before the message do not count. A whole fit is preferred, and among
    /// whole fits the one with the longest fixed start; otherwise the fit that read the most fields.
    pub fn find<'a>(
        &self,
        module: Option<&[u8]>,
        message: &'a [u8],
        fields: &mut Vec<Field<'a>>,
        scratch: &mut Scratch,
    ) -> Option<Found> {
        let mut best: Option<(Found, Vec<Field<'a>>)> = None;
        let message = without_stage(message.trim_ascii_start());
        let prefixed = self.prefixes.walk(message);
        let floating = self.floating.iter().filter(|(entry, anchor)| {
            self.entries.get(usize::from(*entry)).is_some_and(|entry| entry.kind.printed_by(module))
                && anchor.find(message).is_some()
        });
        for entry in prefixed.chain(floating.map(|(entry, _)| *entry)) {
            let Some(Entry { kind, number, pattern }) = self.entries.get(usize::from(entry)) else {
                continue;
            };
            match pattern.fit(message, fields, scratch) {
                Fit::Whole => return Some(Found { kind, number: *number, fit: Fit::Whole }),
                Fit::Not => {}
                fit => {
                    let read = fields.len();
                    if read > best.as_ref().map_or(0, |(_, fields)| fields.len()) {
                        best = Some((Found { kind, number: *number, fit }, fields.clone()));
                    }
                }
            }
        }
        let (found, read) = best?;
        *fields = read;
        Some(found)
    }

    /// Whether a pattern with a variable beginning has its fixed text somewhere in `message`.
    pub fn may_hold(&self, message: &[u8]) -> bool {
        self.floating.iter().any(|(_, anchor)| anchor.find(message).is_some())
    }

    /// Whether a pattern starts like `message`; cheap, for finding messages inside foreign text.
    pub fn may_start(&self, message: &[u8]) -> bool {
        self.prefixes.walk(message).next().is_some()
    }
}

/// Texts by their bytes; a walk yields the patterns of every text that the message starts with,
/// those of the longest text first.
#[derive(Debug)]
struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Sorted by byte.
    next: Vec<(u8, u16)>,
    /// The nearest node above that has patterns; the root is its own.
    above: u16,
    patterns: Vec<u16>,
}

impl Trie {
    fn new() -> Trie {
        Trie { nodes: Vec::from([Node::default()]) }
    }

    fn insert(&mut self, text: &[u8], pattern: u16) {
        let mut at = 0usize;
        for &byte in text {
            at = match self.nodes[at].next.binary_search_by_key(&byte, |(b, _)| *b) {
                Ok(found) => usize::from(self.nodes[at].next[found].1),
                Err(place) => {
                    let new = self.nodes.len();
                    self.nodes[at].next.insert(place, (byte, new as u16));
                    self.nodes.push(Node::default());
                    new
                }
            };
        }
        if !self.nodes[at].patterns.contains(&pattern) {
            self.nodes[at].patterns.push(pattern);
        }
    }

    /// Sets the links upwards, after the last insertion. A node's children have higher numbers.
    fn link(&mut self) {
        for at in 0..self.nodes.len() {
            let node = &self.nodes[at];
            let above = if node.patterns.is_empty() { node.above } else { at as u16 };
            for child in node.next.clone() {
                self.nodes[usize::from(child.1)].above = above;
            }
        }
    }

    fn walk(&self, message: &[u8]) -> impl Iterator<Item = u16> {
        let mut at = 0usize;
        for byte in message {
            let Some(node) = self.nodes.get(at) else { break };
            let Ok(found) = node.next.binary_search_by_key(byte, |(b, _)| *b) else { break };
            at = usize::from(node.next[found].1);
        }
        let mut next = Some(at);
        core::iter::from_fn(move || {
            let at = next?;
            let node = self.nodes.get(at)?;
            next = (at != 0).then_some(usize::from(node.above));
            Some(node.patterns.as_slice())
        })
        .flatten()
        .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_compiles_and_every_id_is_used_once() {
        let mut ids: Vec<_> = all().map(|kind| kind.id).collect();
        for kind in all() {
            assert!(!kind.templates.is_empty(), "{} has no template", kind.id);
            for template in kind.templates {
                let pattern =
                    Pattern::new(template).unwrap_or_else(|e| panic!("{}: {e}: {template}", kind.id));
                assert!(
                    pattern.prefixes().iter().all(|p| !p.is_empty())
                        || (pattern.anchor().len() >= 4 && !kind.modules.is_empty()),
                    "{}: nothing to find it by",
                    kind.id
                );
            }
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn patterns_with_a_longer_start_come_first() {
        let mut trie = Trie::new();
        for (number, text) in ["[", "[IMAS]", "[IMAS]Set ", "Set"].iter().enumerate() {
            trie.insert(text.as_bytes(), number as u16);
        }
        trie.link();
        let walk = |text: &str| trie.walk(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(walk("[IMAS]Set x"), [2, 1, 0]);
        assert_eq!(walk("[IMAS]Se"), [1, 0]);
        assert!(walk("Se").is_empty());
        assert!(Matcher::new().prefixes.nodes.len() < usize::from(u16::MAX));
    }

    #[test]
    fn a_stage_mark_is_no_part_of_the_message() {
        let check = |text: &str, rest: &str| assert_eq!(without_stage(text.as_bytes()), rest.as_bytes());
        check("[INIT][DEFAULT][drv api] x", "[drv api] x");
        check("[DUMP] [DEFAULT] **ctx", "**ctx");
        check("[IMAS]Set", "[IMAS]Set");
        check("[OM2][IMAS]graph", "[OM2][IMAS]graph");
        check("[INIT][", "[INIT][");
    }
}
