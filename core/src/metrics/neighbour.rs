//! Who shares the bytes of a block, and who lies beside it while it is alive.
//!
//! Pure geometry of a layout: byte ranges and life times. Knows no verdicts.

use alloc::vec::Vec;

use super::static_graph::life;
use crate::model::static_graph::{Block, StaticGraph};
use crate::units::{Bytes, Offset};

/// The blocks around one block, by their place in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Blocks with some of the same bytes that are alive with it: the sharing chain.
    pub sharing: Vec<usize>,
    /// Blocks that used some of the bytes before it, the latest first.
    pub earlier: Vec<usize>,
    /// Blocks that use some of the bytes after it, the earliest first.
    pub later: Vec<usize>,
    /// The nearest block below that is alive with it, and the bytes between.
    pub below: Option<(usize, Bytes)>,
    /// The nearest block above that is alive with it, and the bytes between.
    pub above: Option<(usize, Bytes)>,
}

/// First and last moment, an open end being the latest there is.
fn alive(block: &Block) -> Option<(u32, u32)> {
    life(block).map(|(begin, end)| (begin, end.unwrap_or(u32::MAX)))
}

/// Looks around the block at `place`.
pub fn around(graph: &StaticGraph, place: usize) -> Around {
    let mut around = Around::default();
    let Some(block) = graph.blocks.get(place) else { return around };
    let (Some((begin, end)), true) = (alive(block), block.offset.is_placed()) else { return around };
    let (first, behind) = (block.offset, block.offset.end(block.size));
    let gap = |from: Offset, to: Offset| Bytes(u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0));
    for (other_place, other) in graph.blocks.iter().enumerate() {
        let same = other_place == place || other.memory_type != block.memory_type;
        let Some((other_begin, other_end)) = alive(other) else { continue };
        if same || !other.offset.is_placed() || other.size == Bytes::ZERO {
            continue;
        }
        let other_behind = other.offset.end(other.size);
        let overlaps = other.offset < behind && first < other_behind;
        let together = other_begin <= end && begin <= other_end;
        match (overlaps, together) {
            (true, true) => around.sharing.push(other_place),
            (true, false) if other_end < begin => around.earlier.push(other_place),
            (true, false) => around.later.push(other_place),
            (false, true) if other_behind <= first => {
                let distance = gap(other_behind, first);
                if around.below.is_none_or(|(_, nearest)| distance < nearest) {
                    around.below = Some((other_place, distance));
                }
            }
            (false, true) => {
                let distance = gap(behind, other.offset);
                if around.above.is_none_or(|(_, nearest)| distance < nearest) {
                    around.above = Some((other_place, distance));
                }
            }
            (false, false) => {}
        }
    }
    let begin_of = |place: &usize| graph.blocks.get(*place).and_then(alive).map(|(begin, _)| begin);
    around.earlier.sort_by_key(|place| core::cmp::Reverse(begin_of(place)));
    around.later.sort_by_key(begin_of);
    around
}
