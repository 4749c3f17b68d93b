//! What an editor shows beside a plog. Knows which line holds what; the sentences are in `say`.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::index::{Entry, Index, Item};
use super::line::{self, Line, Number};
use super::{Action, Hint, Hover, Lens, Sort, Symbol, Token, plog_text};
use crate::check::{self, Evidence, Finding};
use crate::plog::kinds::Matcher;
use crate::report::overview::process_title;
use crate::report::{self, Query, graph};
use crate::resolve::notation::{self, Notation};
use crate::resolve::whose::whose;
use crate::say::{Lang, editor, size};
use crate::session::{Analysis, Session};
use crate::span::{SourceId, Span};
use crate::units::{Address, Bytes};

/// Sizes below this are short enough to read as they are.
const HUMAN_FROM: u64 = 1024;

/// A plog, read, with what belongs to it.
#[derive(Debug)]
pub struct Plog {
    /// What was understood.
    pub analysis: Analysis,
    /// What the rules say.
    pub findings: Vec<Finding>,
    index: Index,
    matcher: Matcher,
}

/// The source number of the text itself; what belongs to it follows.
const TEXT: SourceId = SourceId(0);

impl Plog {
    /// Reads a text and the sources beside it: their names and bytes.
    pub fn read<'t>(
        name: &'t str,
        text: &'t [u8],
        beside: impl Iterator<Item = (&'t str, &'t [u8])>,
    ) -> Plog {
        let mut session = Session::new();
        for (name, text) in core::iter::once((name, text)).chain(beside) {
            let source = session.add_source(name, "");
            session.feed(source, text);
            session.end_source(source);
        }
        let analysis = session.finish();
        let findings = check::run(&analysis);
        let index = Index::new(&analysis, TEXT);
        Plog { analysis, findings, index, matcher: Matcher::new() }
    }

    /// Hints for the lines of `text`, which starts at byte `start` of the document.
    pub fn hints(&self, text: &[u8], start: usize, lang: Lang) -> Vec<Hint> {
        let mut hints = Vec::new();
        for line in line::read(&self.matcher, text) {
            let entry = self.index.at((start + line.start) as u64);
            let mut shown: Vec<String> = Vec::new();
            for field in line.fields.iter().filter(|field| field.end > field.start) {
                let words = match field.number {
                    Number::Size(bytes) => self.size_hint(&line, field.name, bytes, entry),
                    Number::Address(address) => self.area_hint(address, entry),
                    Number::Offset(_) | Number::Other => self.word_hint(field.name, entry, lang),
                };
                let Some(words) = words.filter(|words| !shown.contains(words)) else { continue };
                // Behind the bracket that closes the value, where there is one.
                let bracket = usize::from(matches!(text.get(field.end), Some(b']')));
                hints.push(Hint { at: start + field.end + bracket, text: words.clone() });
                shown.push(words);
            }
        }
        hints
    }

    fn size_hint(&self, line: &Line, name: &str, bytes: Bytes, entry: Option<&Entry>) -> Option<String> {
        if bytes.0 < HUMAN_FROM {
            return None;
        }
        let human = size::human(bytes);
        let whole = match entry.map(|entry| (entry.process, entry.item)) {
            Some((p, Item::Block(g, b))) if name == "size" => plog_text::graph_need(self, p, g, b),
            Some((p, Item::Statistic(_))) if name == "peak" => plog_text::device_need(self, p, entry),
            _ => None,
        };
        let share = whole.map(|whole| size::share(bytes, whole));
        // The aligned size says it; the size of the data differs by some bytes.
        if line.kind == "imas.set" && name != "size" {
            return None;
        }
        Some(share.map_or_else(|| human.clone(), |share| alloc::format!("{human} · {share}")))
    }

    /// `= F + 0x4000200`.
    fn area_hint(&self, address: Address, entry: Option<&Entry>) -> Option<String> {
        if matches!(entry.map(|entry| entry.item), Some(Item::Region(_))) {
            return None;
        }
        let process = entry.map(|entry| entry.process);
        let processes = self.analysis.processes.iter().enumerate();
        let regions = processes
            .filter(|(number, _)| process.is_none_or(|process| process == *number))
            .flat_map(|(_, process)| &process.regions.regions);
        let holding = regions
            .filter(|region| region.base.0 > 0)
            .find(|region| address.0.checked_sub(region.base.0).is_some_and(|at| at < region.size.0))?;
        let distance = address.0 - holding.base.0;
        Some(alloc::format!("= {} + {distance:#x}", holding.area.letter()))
    }

    fn word_hint(&self, name: &str, entry: Option<&Entry>, lang: Lang) -> Option<String> {
        let Item::Block(g, b) = entry?.item else { return None };
        let process = self.analysis.processes.get(entry?.process)?;
        let block = process.graphs.get(g)?.blocks.get(b)?;
        match name {
            "life_end" => editor::life_hint(block, lang),
            "child" if block.flags.zero_copy => Some(String::from("zero copy → user_addr")),
            _ => None,
        }
    }

    /// What the place `at` of `text` means; `text` is the record's line, starting at byte `start`.
    pub fn hover(&self, text: &[u8], start: usize, at: usize, lang: Lang) -> Option<Hover> {
        let lines = line::read(&self.matcher, text);
        let line = lines.iter().find(|line| (line.start..=line.end).contains(&(at.saturating_sub(start))));
        let word = word_at(text, at.saturating_sub(start));
        if let Some(word) = &word
            && let Some(hover) = self.address_hover(text, word.clone(), start, lang)
        {
            return Some(hover);
        }
        if let Some(entry) = self.index.at(at as u64)
            && let Some(text) = plog_text::entry(self, entry, lang)
        {
            return Some(Hover { range: span_range(entry.span), text });
        }
        let line = line?;
        let text = plog_text::fields(line, lang);
        Some(Hover { range: start + line.start..start + line.end, text })
    }

    fn address_hover(&self, text: &[u8], word: Range<usize>, start: usize, lang: Lang) -> Option<Hover> {
        let asked = core::str::from_utf8(text.get(word.clone())?).ok()?;
        let hex = asked.strip_prefix("0x")?;
        let Some(Notation::Address(address)) = notation::parse(asked) else { return None };
        if hex.len() < 8 {
            return None;
        }
        let asked_notation = Notation::Address(address);
        let found = whose(&self.analysis.processes, &self.analysis.names, asked_notation, None);
        let query = Query { lang, top: Some(8), ..Query::default() };
        let mut text = alloc::format!("**{asked}**\n\n");
        for found in &found {
            for table in report::whose::tables(&self.analysis, found, &query) {
                text += &report::markdown::table(&table, lang);
                text.push('\n');
            }
        }
        if found.is_empty() {
            text += &crate::say::whose::nobody(asked, lang);
        }
        Some(Hover { range: start + word.start..start + word.end, text })
    }

    /// The few lines above lines.
    pub fn lenses(&self, lang: Lang) -> Vec<Lens> {
        let mut lenses = Vec::new();
        for (number, process) in self.analysis.processes.iter().enumerate() {
            let of = |entry: &&Entry| entry.process == number;
            let Some(first) = self.index.entries().iter().find(of) else { continue };
            let worst = self.findings.iter().find(|f| f.process == number);
            let text = plog_text::process_lens(self, process, worst, lang);
            lenses.push(Lens { at: first.span.start as usize, text, action: Action::Report });
        }
        for entry in self.index.entries() {
            if let Item::Summary(g, s) = entry.item
                && let Some(text) = plog_text::summary_lens(self, entry.process, g, s, lang)
            {
                lenses.push(Lens { at: entry.span.start as usize, text, action: Action::Report });
            }
        }
        let mut before: Option<(usize, u64)> = None;
        for entry in self.index.entries() {
            if !matches!(entry.item, Item::Statistic(_)) {
                continue;
            }
            // Statistics that follow each other are one block.
            let starts = before.is_none_or(|(p, end)| p != entry.process || entry.span.start > end + 2);
            before = Some((entry.process, entry.span.end()));
            if starts && let Some(text) = plog_text::statistics_lens(self, entry.process, lang) {
                lenses.push(Lens { at: entry.span.start as usize, text, action: Action::Report });
            }
        }
        lenses
    }

    /// The lines that say the same thing elsewhere: an address's allocation, an operator's block.
    pub fn definition(&self, text: &[u8], start: usize, at: usize) -> Vec<Span> {
        if let Some(word) = word_at(text, at.saturating_sub(start))
            && let Some(asked) = text.get(word).and_then(|word| core::str::from_utf8(word).ok())
            && asked.starts_with("0x")
            && let Some(notation) = notation::parse(asked)
        {
            let found = whose(&self.analysis.processes, &self.analysis.names, notation, None);
            let mut spans: Vec<Span> = found.iter().flat_map(|f| f.holders.iter().map(|p| p.span)).collect();
            spans.dedup();
            spans.retain(|span| span.line > 0);
            if !spans.is_empty() {
                return spans;
            }
        }
        let Some(entry) = self.index.at(at as u64) else { return Vec::new() };
        let of_node = self.index.of_node(entry.process, entry.node);
        let blocks = of_node.filter(|e| matches!(e.item, Item::Block(..)));
        blocks.map(|e| e.span).collect()
    }

    /// Every line about what stands at `at`.
    pub fn references(&self, at: usize) -> Vec<Span> {
        let Some(entry) = self.index.at(at as u64) else { return Vec::new() };
        self.index.of_node(entry.process, entry.node).map(|entry| entry.span).collect()
    }

    /// The outline: processes, their graphs, the blocks and findings.
    pub fn symbols(&self, lang: Lang) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for (number, process) in self.analysis.processes.iter().enumerate() {
            let mut children = Vec::new();
            for (g, of) in process.graphs.iter().enumerate() {
                let is_block =
                    |e: &&Entry| e.process == number && matches!(e.item, Item::Block(at, _) if at == g);
                let blocks: Vec<Symbol> = self
                    .index
                    .entries()
                    .iter()
                    .filter(is_block)
                    .filter_map(|entry| plog_text::block_symbol(self, entry))
                    .collect();
                children.extend(parent(graph::title(&self.analysis.names, of), Sort::Graph, blocks));
            }
            let findings = self.findings.iter().filter(|f| f.process == number).filter_map(|finding| {
                let span = in_text(finding).next()?;
                let name = alloc::format!("{} {}", finding.rule.code, finding.rule.name);
                let detail = finding.sentence(&self.analysis.names, lang);
                let range = span_range(span);
                Some(Symbol {
                    name,
                    detail,
                    sort: Sort::Finding,
                    select: range.clone(),
                    range,
                    children: Vec::new(),
                })
            });
            let title = String::from(crate::say::label::Label::Findings.text(lang));
            children.extend(parent(title, Sort::Group, findings.collect()));
            let title = process_title(&self.analysis, process, lang);
            symbols.extend(parent(title, Sort::Process, children));
        }
        symbols
    }

    /// Runs of lines that belong together: a graph's blocks, a block of statistics.
    pub fn folds(&self) -> Vec<Range<usize>> {
        let mut folds = Vec::new();
        let mut run: Option<(usize, Option<usize>, Range<usize>)> = None;
        for entry in self.index.entries() {
            let group = match entry.item {
                Item::Block(g, _) | Item::Summary(g, _) => Some(g),
                _ => None,
            };
            let range = span_range(entry.span);
            match &mut run {
                Some((process, of, so_far)) if *process == entry.process && *of == group => {
                    so_far.end = range.end;
                }
                _ => folds.extend(run.replace((entry.process, group, range)).map(|(_, _, range)| range)),
            }
        }
        folds.extend(run.map(|(_, _, range)| range));
        folds
    }

    /// Words of `text`, which starts at byte `start`, with their sort.
    pub fn tokens(&self, text: &[u8], start: usize) -> Vec<(Range<usize>, Token)> {
        let mut tokens = Vec::new();
        for line in line::read(&self.matcher, text) {
            for field in line.fields.iter().filter(|field| field.end > field.start) {
                let token = match (field.number, field.name) {
                    (Number::Size(_), _) => Token::Size,
                    (Number::Address(_) | Number::Offset(_), _) => Token::Address,
                    (Number::Other, "name" | "node" | "graph" | "op") => Token::Name,
                    _ => continue,
                };
                tokens.push((start + field.start..start + field.end, token));
            }
        }
        tokens.sort_by_key(|(range, _)| range.start);
        tokens
    }
}

/// The evidence of a finding that stands in the text itself.
pub fn in_text(finding: &Finding) -> impl Iterator<Item = Span> {
    finding.evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Line(span) if span.source == TEXT && span.line > 0 => Some(*span),
        _ => None,
    })
}

fn span_range(span: Span) -> Range<usize> {
    span.start as usize..span.end() as usize
}

/// A symbol around others; nothing without any.
fn parent(name: String, sort: Sort, children: Vec<Symbol>) -> Option<Symbol> {
    let start = children.iter().map(|child| child.range.start).min()?;
    let end = children.iter().map(|child| child.range.end).max()?;
    let select = children.first().map_or(start..start, |child| child.select.clone());
    Some(Symbol { name, detail: String::new(), sort, range: start..end, select, children })
}

/// The word of letters, digits and underscores at a place.
fn word_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = text.get(..at)?.iter().rev().take_while(|byte| is_word(byte)).count();
    let behind = text.get(at..)?.iter().take_while(|byte| is_word(byte)).count();
    (before + behind > 0).then(|| at - before..at + behind)
}
