//! Which line of a source holds which fact of the model. Knows no text.

use alloc::vec::Vec;

use crate::intern::Name;
use crate::session::Analysis;
use crate::span::{SourceId, Span};

/// A fact of the model by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A block: graph, block.
    Block(usize, usize),
    /// A summary: graph, summary.
    Summary(usize, usize),
    /// A statistic of a component.
    Statistic(usize),
    /// An area of a loaded model.
    Region(usize),
    /// An operator's address.
    Address(usize),
    /// A variable.
    Variable(usize),
}

/// A fact, its process and its line.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The line.
    pub span: Span,
    /// Place in [`Analysis::processes`].
    pub process: usize,
    /// The fact.
    pub item: Item,
    /// The node it is about, where it is about one.
    pub node: Name,
}

/// The facts of one source in the order of its lines.
#[derive(Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
}

impl Index {
    /// Gathers the facts of `source`.
    pub fn new(analysis: &Analysis, source: SourceId) -> Index {
        let mut entries = Vec::new();
        for (process, of) in analysis.processes.iter().enumerate() {
            let mut add = |span: Span, item, node| {
                if span.source == source && span.line > 0 {
                    entries.push(Entry { span, process, item, node });
                }
            };
            for (g, graph) in of.graphs.iter().enumerate() {
                for (b, block) in graph.blocks.iter().enumerate() {
                    add(block.span, Item::Block(g, b), block.node);
                }
                for (s, summary) in graph.summaries.iter().enumerate() {
                    add(summary.span, Item::Summary(g, s), Name::EMPTY);
                }
            }
            for (n, statistic) in of.components.statistics.iter().enumerate() {
                add(statistic.span, Item::Statistic(n), Name::EMPTY);
            }
            for (n, region) in of.regions.regions.iter().enumerate() {
                add(region.span, Item::Region(n), Name::EMPTY);
            }
            for (n, address) in of.regions.addresses.iter().enumerate() {
                add(address.span, Item::Address(n), address.node);
            }
            for (n, variable) in of.variables.iter().enumerate() {
                add(variable.span, Item::Variable(n), variable.node);
            }
        }
        entries.sort_by_key(|entry| entry.span.start);
        Index { entries }
    }

    /// The first fact of the record that `at`, a byte offset, stands in.
    pub fn at(&self, at: u64) -> Option<&Entry> {
        let behind = self.entries.partition_point(|entry| entry.span.start <= at);
        let last = self.entries.get(behind.checked_sub(1)?)?;
        if at > last.span.end() {
            return None;
        }
        let first = self.entries.partition_point(|entry| entry.span.start < last.span.start);
        self.entries.get(first)
    }

    /// All facts, in the order of the lines.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The facts about a node in one process.
    pub fn of_node(&self, process: usize, node: Name) -> impl Iterator<Item = &Entry> {
        let is_it = move |e: &&Entry| e.process == process && e.node == node && node != Name::EMPTY;
        self.entries.iter().filter(is_it)
    }
}
