//! The one entry for faces that ask about a dump graph: read it, replay it, compare it with a log.
//!
//! A replayed layout comes out as the same block model that a log yields, each row pointing at its
//! operator in the dump. Knows no sentences and no output.

pub mod against;
pub mod figures;
pub mod stage;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::graph::{self, Lookalike, Model};
use crate::intern::{Interner, Name};
use crate::model::process::{LineCounts, Process, ProcessId};
use crate::model::static_graph::StaticGraph;
use crate::replay::tune::{self, Combination};
use crate::replay::{Options, Refusal, Replayed, Replayer};
use crate::session::{Analysis, Source};
use crate::span::{SourceId, Span};

/// A dump graph that was read.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The name that the face gave it; the stage is told by it.
    pub name: String,
    /// Bytes of text.
    pub size: u64,
    /// What stands in it.
    pub model: Model,
    lines: u32,
}

impl Dump {
    /// Reads the text of a dump; `source` is what its spans will name.
    ///
    /// # Errors
    /// The text is no dump graph that can be read; the answer says what it looks like.
    pub fn read(name: &str, text: &[u8], source: SourceId) -> Result<Dump, Lookalike> {
        let model = graph::read(text, source)?;
        let lines = memchr::memchr_iter(b'\n', text).count();
        Ok(Dump {
            name: String::from(name),
            size: text.len() as u64,
            model,
            lines: u32::try_from(lines).unwrap_or(u32::MAX),
        })
    }

    /// The name of the dumped graph.
    pub fn graph_name(&self) -> &str {
        self.model.graphs.first().map_or("", |graph| self.model.names.get(graph.name))
    }

    /// The name that GE's lines call the graph by: its name, `_` and its id, as far as the file's
    /// name tells the id (plog grammar 3).
    pub fn log_name(&self) -> String {
        let name = self.graph_name();
        match stage::of_file(&self.name).graph_id {
            Some(id) => alloc::format!("{name}_{id}"),
            None => String::from(name),
        }
    }

    /// Checks the dump and links its graph; the answer can be run with any options.
    ///
    /// # Errors
    /// The dump can't be replayed; the refusal says why.
    pub fn replayer(&self) -> Result<Replayer<'_>, Refusal> {
        Replayer::new(&self.model)
    }

    /// The layout under a set of options, each row with the place of its operator in the dump.
    ///
    /// # Errors
    /// The dump can't be replayed; the refusal says why.
    pub fn replay(&self, options: &Options) -> Result<Replayed, Refusal> {
        let mut replayed = self.replayer()?.run(options);
        self.locate(&mut replayed.layout);
        Ok(replayed)
    }

    /// Every combination of order and policy, the smallest first (analysis rules R10).
    ///
    /// # Errors
    /// The dump can't be replayed; the refusal says why.
    pub fn tune(&self, base: &Options, all: bool) -> Result<Vec<Combination>, Refusal> {
        let replayer = self.replayer()?;
        Ok(if all { tune::all(&replayer, base) } else { tune::combinations(&replayer, base) })
    }

    /// Points the rows of a layout at their operators.
    fn locate(&self, layout: &mut StaticGraph) {
        let ops = self.model.graphs.iter().rev().flat_map(|graph| &graph.ops);
        let places: BTreeMap<Name, Span> = ops.map(|op| (op.name, op.name_span)).collect();
        for block in &mut layout.blocks {
            block.span = places.get(&block.node).copied().unwrap_or_default();
        }
        let graph = self.model.graphs.first().map(|graph| graph.span).unwrap_or_default();
        for summary in &mut layout.summaries {
            summary.span = graph;
        }
    }
}

/// A replay as the analysis that every report, check and view works on: one process without a
/// number, with one static graph.
pub fn analysis(dump: &Dump, names: &Interner, layout: StaticGraph) -> Analysis {
    let source = dump.model.graphs.first().map(|graph| graph.span.source).unwrap_or_default();
    let mut sources: Vec<Source> = Vec::new();
    for number in 0..=source.0 {
        let is_own = number == source.0;
        sources.push(Source {
            name: if is_own { dump.name.clone() } else { String::new() },
            size: if is_own { dump.size } else { 0 },
            line_count: if is_own { dump.lines } else { 0 },
            lines: LineCounts::default(),
            repeats: None,
        });
    }
    let id = ProcessId { root: Name::EMPTY, pid: None };
    let mut process = Process::new(id);
    process.sources = Vec::from([source]);
    process.graphs = Vec::from([layout]);
    Analysis { names: names.clone(), sources, processes: Vec::from([process]) }
}
