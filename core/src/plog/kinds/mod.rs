//! The kinds of line that matter for memory, one file a family.
//!
//! A kind is its id in the plog grammar, its templates, and how it becomes a fact of the model.
//! Adding one: a `Kind` in its family's file, that family's `ALL`, golden lines in
//! `tests/data/plog-examples.jsonl`.

mod devmm;
mod imas_build;

use alloc::vec::Vec;

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
}

/// All kinds, family by family.
pub fn all() -> impl Iterator<Item = &'static Kind> {
    [devmm::ALL, imas_build::ALL].into_iter().flatten()
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
    /// Patterns that start with a variable part, with the text that they contain.
    floating: Vec<(u16, &'static str)>,
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
                if prefixes.contains(&"") {
                    matcher.floating.push((entry, pattern.anchor()));
                } else {
                    for prefix in prefixes {
                        matcher.prefixes.insert(prefix.as_bytes(), entry);
                    }
                }
                matcher.entries.push(Entry { kind, number: number as u16, pattern });
            }
        }
        matcher
    }

    /// What `message` is, and its fields. `module` is the header's, where there is a header.
    ///
    /// A whole fit is preferred; otherwise the fit that read the most fields.
    pub fn find<'a>(
        &self,
        module: Option<&[u8]>,
        message: &'a [u8],
        fields: &mut Vec<Field<'a>>,
        scratch: &mut Scratch,
    ) -> Option<Found> {
        let mut best: Option<(Found, Vec<Field<'a>>)> = None;
        let prefixed = self.prefixes.walk(message);
        let floating = self.floating.iter().filter(|(entry, anchor)| {
            let kind = self.entries[usize::from(*entry)].kind;
            module.is_none_or(|m| kind.modules.is_empty() || kind.modules.iter().any(|k| k.as_bytes() == m))
                && memchr::memmem::find(message, anchor.as_bytes()).is_some()
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
        self.floating.iter().any(|(_, anchor)| memchr::memmem::find(message, anchor.as_bytes()).is_some())
    }

    /// Whether a pattern starts like `message`; cheap, for finding messages inside foreign text.
    pub fn may_start(&self, message: &[u8]) -> bool {
        self.prefixes.walk(message).next().is_some()
    }
}

/// Texts by their bytes; a walk yields the patterns of every text that the message starts with.
#[derive(Debug)]
struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Sorted by byte.
    next: Vec<(u8, u16)>,
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

    fn walk<'t>(&'t self, message: &'t [u8]) -> impl Iterator<Item = u16> + 't {
        let mut at = Some(0usize);
        let mut bytes = message.iter();
        core::iter::from_fn(move || {
            let node = self.nodes.get(at?)?;
            let patterns = node.patterns.as_slice();
            at = bytes.next().and_then(|byte| {
                let found = node.next.binary_search_by_key(byte, |(b, _)| *b).ok()?;
                Some(usize::from(node.next[found].1))
            });
            Some(patterns)
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
                    !pattern.prefixes().contains(&"") || pattern.anchor().len() >= 4,
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
}
