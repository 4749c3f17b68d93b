//! Figures of a static graph (analysis rules, R3). Knows nothing of verdicts or remedies.

use crate::model::static_graph::{Block, LIFE_DEFAULT, Placement, StaticGraph, Summary};
use crate::units::{Bytes, Offset};

/// The figures of one memory type of one graph. What neither a summary nor rows can give is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Memory type.
    pub memory_type: u64,
    /// Bytes without any reuse: the sum of the real sizes.
    pub total: Option<Bytes>,
    /// Bytes assigned.
    pub after_reuse: Option<Bytes>,
    /// Bytes with perfect packing, as GE estimates it.
    pub theory_min: Option<Bytes>,
    /// Zero-copy bytes.
    pub zero_copy: Option<Bytes>,
    /// Bytes that must not be reused.
    pub no_reuse: Option<Bytes>,
    /// Bytes cleared before use; needs the rows.
    pub atomic: Option<Bytes>,
    /// Bytes of continuous-memory requests; needs the rows.
    pub continuous: Option<Bytes>,
    /// Streams.
    pub streams: Option<u64>,
    /// The figures come from a summary line alone.
    pub from_summary_only: bool,
}

impl Figures {
    /// Share of the bytes that reuse saves, 0 to 1. Negative when alignment costs more than reuse
    /// saves; `None` where a figure is missing or nothing is needed at all.
    pub fn reuse_rate(&self) -> Option<f64> {
        let (total, after) = (self.total?, self.after_reuse?);
        (total.0 > 0).then(|| (total.0 as f64 - after.0 as f64) / total.0 as f64)
    }

    /// How near the placement comes to the theory, 0 to 1.
    pub fn reach_theory_rate(&self) -> Option<f64> {
        let (theory, after) = (self.theory_min?, self.after_reuse?);
        (after.0 > 0).then(|| (theory.0 as f64 / after.0 as f64).min(1.0))
    }

    /// `after_reuse` above `total`: the alignment of many small tensors, not failed reuse.
    pub fn is_alignment_growth(&self) -> bool {
        matches!((self.total, self.after_reuse), (Some(total), Some(after)) if after > total)
    }
}

/// The figures of each memory type of a graph, in the order of the summaries; without any
/// summary, of each type that the rows name.
pub fn figures(graph: &StaticGraph) -> alloc::vec::Vec<Figures> {
    let mut types: alloc::vec::Vec<u64> = graph.summaries.iter().map(|s| s.memory_type).collect();
    if types.is_empty() {
        types = graph.blocks.iter().map(|b| b.memory_type).collect();
        types.sort_unstable();
        types.dedup();
    }
    types.into_iter().map(|memory_type| figures_of(graph, memory_type)).collect()
}

fn figures_of(graph: &StaticGraph, memory_type: u64) -> Figures {
    let summary = graph.summaries.iter().find(|s| s.memory_type == memory_type);
    let rows = || graph.blocks.iter().filter(move |b| b.memory_type == memory_type);
    let has_rows = !graph.blocks.is_empty();
    let from_rows = |sum: fn(&mut dyn Iterator<Item = &Block>) -> Bytes| has_rows.then(|| sum(&mut rows()));
    let said = |field: fn(&Summary) -> Option<Bytes>| summary.and_then(field);
    Figures {
        memory_type,
        total: said(|s| s.total).or_else(|| from_rows(total_size)),
        after_reuse: said(|s| s.after_reuse).or_else(|| from_rows(extent)),
        theory_min: said(|s| s.theory_min),
        zero_copy: said(|s| s.zero_copy),
        no_reuse: said(|s| s.no_reuse),
        atomic: from_rows(atomic),
        continuous: from_rows(continuous),
        streams: summary.and_then(|s| s.streams),
        from_summary_only: !has_rows,
    }
}

/// Σ realsize of everything placed by the block assigner that brings bytes of its own.
fn total_size(rows: &mut dyn Iterator<Item = &Block>) -> Bytes {
    rows.filter(|b| b.placement == Placement::Set && !b.is_ref).map(|b| b.real_size).sum()
}

/// The first byte behind everything placed.
fn extent(rows: &mut dyn Iterator<Item = &Block>) -> Bytes {
    let end = rows.filter(|b| b.offset.is_placed()).map(|b| b.offset.end(b.size)).max();
    Bytes(end.map_or(0, |Offset(end)| u64::try_from(end).unwrap_or(0)))
}

/// Real sizes of outputs and workspaces that are cleared before use.
fn atomic(rows: &mut dyn Iterator<Item = &Block>) -> Bytes {
    let is_atomic = |b: &&Block| {
        matches!(
            b.placement,
            Placement::AtomicOutput | Placement::AtomicWorkspace | Placement::AtomicFusionWorkspace
        )
    };
    rows.filter(is_atomic).map(|b| b.real_size).sum()
}

/// Sizes of the root blocks that belong to a continuous-memory request, each block once.
fn continuous(rows: &mut dyn Iterator<Item = &Block>) -> Bytes {
    let mut blocks: alloc::vec::Vec<(Offset, Option<u32>, Bytes)> = rows
        .filter(|b| b.placement == Placement::Set && b.flags.continuous && b.flags.child_level == 0)
        .filter(|b| b.size > Bytes::ZERO)
        .map(|b| (b.offset, b.life_begin, b.size))
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.into_iter().map(|(_, _, size)| size).sum()
}

/// First and last moment at which a row's memory is in use; an open end is `None`.
pub fn life(block: &Block) -> Option<(u32, Option<u32>)> {
    let begin = block.life_begin?;
    let end = block.life_ends.effective()?;
    Some((begin, (end < LIFE_DEFAULT).then_some(end)))
}
