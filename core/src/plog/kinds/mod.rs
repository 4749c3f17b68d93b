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
mod prefixes;
mod variable;

use alloc::vec::Vec;

use memchr::memmem::Finder;

use prefixes::Prefixes;

use super::header::Header;
use super::pattern::{Fit, Pattern, Scratch};
use super::value::Field;
use crate::digits::{leading, near};

/// One kind of line.
#[derive(Debug)]
pub struct Kind {
    /// The id in the plog grammar, for example `imas.set`.
    pub id: &'static str,
    /// The same text stands in the run plog and in the debug plog (plog grammar 1.5).
    pub twice: bool,
    /// The modules that print it; asked only of kinds whose messages begin with a variable part.
    pub modules: &'static [&'static str],
    /// Printed at level ERROR or WARNING only; asked like `modules`.
    pub failures_only: bool,
    /// The forms the message takes (see [`super::pattern`]).
    pub templates: &'static [&'static str],
}

impl Kind {
    /// What most kinds are: printed once, by any module.
    const PLAIN: Kind = Kind { id: "", twice: false, modules: &[], failures_only: false, templates: &[] };
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
    prefixes: Prefixes,
    /// Patterns that start with a variable part.
    floating: Vec<Floating>,
    /// The modules that print such messages, each with the places of its patterns in `floating`.
    by_module: Vec<(&'static [u8], Vec<u16>)>,
    /// The texts behind the first word of patterns that start with a word.
    behind_words: Vec<&'static str>,
    /// The second bytes of these; the first is a blank.
    second_bytes: [bool; 256],
}

#[derive(Debug)]
struct Entry {
    kind: &'static Kind,
    /// Place of the kind in [`all`].
    number: u16,
    pattern: Pattern,
}

/// A pattern that starts with a variable part, and the text to find it by.
#[derive(Debug)]
struct Floating {
    entry: u16,
    /// Printed at level ERROR or WARNING only.
    failures_only: bool,
    /// Text that stands somewhere in the message.
    anchor: Finder<'static>,
    /// For a pattern that starts with one word: the text behind that word.
    behind_word: Option<&'static str>,
}

impl Floating {
    fn may_fit(&self, message: &[u8]) -> bool {
        match self.behind_word {
            Some(text) => {
                let word = leading(message, |b| b != b' ');
                message.get(word..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
            }
            None => self.anchor.find(message).is_some(),
        }
    }
}

impl Default for Matcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Matcher {
    /// Compiles every template. A faulty template is left out; a test finds it.
    pub fn new() -> Matcher {
        let mut entries = Vec::new();
        let mut floating = Vec::new();
        let mut prefixes = Vec::new();
        for (number, kind) in all().enumerate() {
            for template in kind.templates {
                let Ok(pattern) = Pattern::new(template) else { continue };
                let entry = entries.len() as u16;
                let starts = pattern.prefixes();
                if starts.iter().any(|p| p.is_empty()) {
                    let anchor = Finder::new(pattern.anchor());
                    floating.push(Floating {
                        entry,
                        failures_only: kind.failures_only,
                        anchor,
                        behind_word: pattern.behind_first_word(),
                    });
                } else {
                    prefixes.extend(starts.into_iter().map(|text| (text.into_bytes(), entry)));
                }
                entries.push(Entry { kind, number: number as u16, pattern });
            }
        }
        let mut by_module: Vec<(&'static [u8], Vec<u16>)> = Vec::new();
        for (place, floating) in floating.iter().enumerate() {
            let entry: &Entry = &entries[usize::from(floating.entry)];
            for module in entry.kind.modules {
                match by_module.iter_mut().find(|(known, _)| *known == module.as_bytes()) {
                    Some((_, places)) => places.push(place as u16),
                    None => by_module.push((module.as_bytes(), Vec::from([place as u16]))),
                }
            }
        }
        let behind_words: Vec<&'static str> = floating.iter().filter_map(|f| f.behind_word).collect();
        let mut second_bytes = [false; 256];
        for text in &behind_words {
            match text.as_bytes() {
                [_, second, ..] => second_bytes[usize::from(*second)] = true,
                _ => second_bytes = [true; 256],
            }
        }
        let prefixes = Prefixes::new(prefixes);
        Matcher { entries, prefixes, floating, by_module, behind_words, second_bytes }
    }

    /// The patterns with a variable beginning that a message under this header may be of. Text
    /// without a header may be of any.
    fn floating<'m>(&'m self, header: Option<&Header<'_>>) -> impl Iterator<Item = &'m Floating> {
        let failure = header.is_none_or(|h| !matches!(h.level, b"INFO" | b"DEBUG" | b"EVENT"));
        let of_module = header.map(|header| {
            let known = self.by_module.iter().find(|(module, _)| *module == header.module);
            known.map_or(&[][..], |(_, places)| places.as_slice())
        });
        let every = if of_module.is_none() { self.floating.as_slice() } else { &[] };
        let places = of_module.unwrap_or_default().iter();
        places
            .filter_map(|place| self.floating.get(usize::from(*place)))
            .chain(every)
            .filter(move |floating| failure || !floating.failures_only)
    }

    /// What `message` is, and its fields. `header` is that of the line, where there is one.
    ///
    /// Blanks and stage marks before the message do not count. A whole fit is preferred, and among
    /// whole fits the one with the longest fixed start; otherwise the fit that read the most fields.
    pub fn find<'a>(
        &self,
        header: Option<&Header<'_>>,
        message: &'a [u8],
        fields: &mut Vec<Field<'a>>,
        scratch: &mut Scratch,
    ) -> Option<Found> {
        let mut best: Option<(Found, Vec<Field<'a>>)> = None;
        let message = without_stage(message.trim_ascii_start());
        let prefixed = self.prefixes.of(message);
        let floating = self.floating(header).filter(|floating| floating.may_fit(message));
        for entry in prefixed.chain(floating.map(|floating| floating.entry)) {
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

    /// Whether lines of this module and level may be passed over when [`Matcher::is_plain`] says so
    /// of their message: no kind with a variable beginning must be looked for all over the message.
    pub(super) fn may_skim(&self, module: &[u8], level: &[u8]) -> bool {
        let header = Header { module, level, ..Header::default() };
        matches!(level, b"INFO" | b"DEBUG") && self.floating(Some(&header)).all(|f| f.behind_word.is_some())
    }

    /// Whether no kind can begin like the message.
    pub(super) fn is_plain(&self, message: &[u8]) -> bool {
        let odd = matches!(message.first(), None | Some(b' ' | b'\t' | b'[' | b'*' | b':'));
        if odd || message.starts_with(b"ErrorNo: ") || self.may_start(message) {
            return false;
        }
        let Some(behind) = near(b' ', message).and_then(|word| message.get(word..)) else { return true };
        let second = behind.get(1).is_none_or(|second| self.second_bytes[usize::from(*second)]);
        !second || !self.behind_words.iter().any(|text| behind.starts_with(text.as_bytes()))
    }

    /// Whether a pattern with a variable beginning has its fixed text somewhere in `message`.
    pub fn may_hold(&self, message: &[u8]) -> bool {
        self.floating.iter().any(|floating| floating.anchor.find(message).is_some())
    }

    /// Whether a pattern starts like `message`; cheap, for finding messages inside foreign text.
    pub fn may_start(&self, message: &[u8]) -> bool {
        self.prefixes.may_start(message)
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
        assert!(Matcher::new().entries.len() < usize::from(u16::MAX));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
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
