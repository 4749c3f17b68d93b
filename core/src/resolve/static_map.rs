//! The static map: areas of a loaded model, and each operator's address beside its compile-time
//! offset (analysis rules, R9).

use alloc::vec::Vec;

use crate::intern::Interner;
use crate::metrics::address::{Placed, placed};
use crate::model::process::Process;
use crate::model::region::Area;
use crate::model::static_graph::{Block, StaticGraph, memory_type};
use crate::span::Span;
use crate::units::Offset;

/// One operator address, beside what was compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The load line and the area that holds the address.
    pub placed: Placed,
    /// Offset of the block rows, for an output or workspace whose graph is in the log too.
    pub compiled: Option<Compiled>,
}

/// The offset that the compile-time allocator printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compiled {
    /// The offset.
    pub offset: Offset,
    /// The line.
    pub span: Span,
}

impl Entry {
    /// Whether address less base is the compile-time offset; `None` where there is nothing to
    /// compare. The load line's own offset is compared too.
    pub fn agrees(&self) -> Option<bool> {
        let by_line = self.placed.agrees();
        let by_block = self
            .compiled
            .zip(self.placed.distance)
            .filter(|_| self.placed.line.area == Area::FeatureMap)
            .map(|(compiled, distance)| compiled.offset == distance);
        match (by_line, by_block) {
            (Some(line), Some(block)) => Some(line && block),
            (line, block) => line.or(block),
        }
    }
}

/// The graph id at the end of a graph name: `resnet50_1` is graph 1 (plog grammar, chapter 8).
pub fn graph_id(name: &str) -> Option<u64> {
    let (_, id) = name.rsplit_once('_')?;
    if id.bytes().all(|b| b.is_ascii_digit()) { id.parse().ok() } else { None }
}

/// The latest compilation of the graph with this id.
pub fn graph<'p>(process: &'p Process, names: &Interner, id: u64) -> Option<&'p StaticGraph> {
    process.graphs.iter().rev().find(|graph| graph_id(names.get(graph.name)) == Some(id))
}

/// Every operator address of a process.
pub fn entries(process: &Process, names: &Interner) -> Vec<Entry> {
    let mut graphs: Vec<(u64, Vec<&Block>)> = Vec::new();
    for graph in &process.graphs {
        let Some(id) = graph_id(names.get(graph.name)) else { continue };
        // A later compilation of the name takes the place of the one before.
        graphs.retain(|(known, _)| *known != id);
        graphs.push((id, deciding(graph)));
    }
    let compiled = |placed: &Placed| {
        let line = placed.line;
        let (_, rows) = graphs.iter().find(|(id, _)| *id == line.graph)?;
        let key = (line.node, line.io, i32::try_from(line.index).ok()?);
        let at = rows.binary_search_by_key(&key, |row| (row.node, row.io, row.index)).ok()?;
        rows.get(at).map(|row| Compiled { offset: row.offset, span: row.span })
    };
    placed(&process.regions).into_iter().map(|placed| Entry { placed, compiled: compiled(&placed) }).collect()
}

/// The rows of a graph that decide where something lies in HBM, by node: later kinds of rows
/// override earlier ones (plog grammar 3.3).
pub fn deciding(graph: &StaticGraph) -> Vec<&Block> {
    let decides = |b: &&Block| b.offset.is_placed() && !b.cut && b.memory_type == memory_type::HBM;
    let mut blocks: Vec<&Block> = graph.blocks.iter().filter(decides).collect();
    blocks.sort_by_key(|b| (b.node, b.io, b.index, core::cmp::Reverse(b.placement)));
    blocks.dedup_by_key(|b| (b.node, b.io, b.index));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_id_is_the_number_at_the_end() {
        assert_eq!(graph_id("resnet50_1"), Some(1));
        assert_eq!(graph_id("a_b_12"), Some(12));
        assert_eq!(graph_id("resnet50"), None);
        assert_eq!(graph_id("net_v2"), None);
        assert_eq!(graph_id("net_"), None);
    }
}
