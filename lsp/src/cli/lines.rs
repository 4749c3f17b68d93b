//! The lines behind statements: their places, and their words where they can be had again.

use std::collections::{BTreeMap, BTreeSet};

use gemlens::input::Limits;
use gemlens_core::span::Span;

use super::feed::Fed;

/// Places and words of the lines that an answer shows.
pub(super) struct Lines<'f> {
    fed: &'f Fed,
    words: BTreeMap<Span, String>,
    /// The last part of each source's name tells it from all others.
    last_part_is_enough: bool,
}

impl<'f> Lines<'f> {
    /// Fetches the given lines, each input being opened once.
    pub(super) fn fetch(fed: &'f Fed, mut spans: Vec<Span>) -> Lines<'f> {
        spans.sort_unstable();
        spans.dedup();
        let kept = |span: &Span| {
            let bytes = fed.kept.get(&span.source)?;
            let range = usize::try_from(span.start).ok()?..usize::try_from(span.end()).ok()?;
            bytes.get(range).map(<[u8]>::to_vec)
        };
        let fetched = fed.survey.fetch(&spans, &Limits::default());
        let words = spans
            .iter()
            .zip(fetched)
            .filter_map(|(span, bytes)| {
                let bytes = bytes.or_else(|| kept(span))?;
                Some((*span, shown(&String::from_utf8_lossy(&bytes))))
            })
            .collect();
        let parts: BTreeSet<&str> = fed.analysis.sources.iter().map(|s| last_part(&s.name)).collect();
        Lines { fed, words, last_part_is_enough: parts.len() == fed.analysis.sources.len() }
    }

    /// The name of the source.
    pub(super) fn file(&self, span: Span) -> &'f str {
        let source = usize::try_from(span.source.0).ok().and_then(|at| self.fed.analysis.sources.get(at));
        source.map_or("?", |source| source.name.as_str())
    }

    /// `file:line`
    pub(super) fn place(&self, span: Span) -> String {
        format!("{}:{}", self.file(span), span.line)
    }

    /// `file:line` without folders, where that is still clear.
    pub(super) fn short_place(&self, span: Span) -> String {
        let file = self.file(span);
        format!("{}:{}", if self.last_part_is_enough { last_part(file) } else { file }, span.line)
    }

    /// The line, or the lines of a wrapped record.
    pub(super) fn words(&self, span: Span) -> Option<String> {
        self.words.get(&span).cloned()
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Text out of a log, made safe for a terminal: no control characters but line ends and tabs.
fn shown(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars()
        .map(|c| if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}
