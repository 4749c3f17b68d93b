//! Segments of device memory that are allocated apart at run time (static allocator S7.6).

use alloc::vec::Vec;

use crate::replay::assign::Assigner;
use crate::replay::layout::Placed;
use crate::replay::memory;

/// One segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Offset of its first byte.
    pub base: u64,
    /// Its length.
    pub size: u64,
    /// Some node in it prefers an address that stays.
    pub fixed_address: bool,
}

/// A segment of a static graph is at least this large, of one in a dynamic model [`SPLIT_DYNAMIC`].
const SPLIT: u64 = 512;
const SPLIT_DYNAMIC: u64 = 200 * 1024 * 1024;

/// Cuts the memory at block borders. `blocks_end` is the end of the blocks, `before_io` that of everything
/// but the io blocks, `end` that of all.
pub(crate) fn cut(
    assigner: &Assigner,
    placed: &Placed,
    blocks_end: u64,
    before_io: u64,
    end: u64,
) -> Vec<Segment> {
    let split = if assigner.plan.net.unknown_root { SPLIT_DYNAMIC } else { SPLIT };
    let mut segments: Vec<Segment> = Vec::new();
    let mut open: Option<(u64, bool)> = None;
    let mut inside = false;
    for &top in &placed.tops {
        let block = &assigner.store.blocks[top as usize];
        if block.memory_type != memory::HBM {
            continue;
        }
        let fixed = is_fixed(assigner, top as usize);
        match &mut open {
            Some((base, any)) if inside || (!block.first && block.head - *base < split) => {
                *any |= fixed;
                if block.last {
                    inside = false;
                }
            }
            _ => {
                if let Some((base, any)) = open {
                    segments.push(Segment { base, size: block.head - base, fixed_address: any });
                }
                open = Some((block.head, fixed));
                inside = block.first && !block.last;
            }
        }
    }
    let mut add_rest = |from: u64, to: u64, fixed_address: bool| {
        if to > from {
            segments.push(Segment { base: from, size: to - from, fixed_address });
        }
    };
    match open {
        Some((base, any)) => {
            add_rest(base, blocks_end, any);
            add_rest(blocks_end, before_io, false);
        }
        None => add_rest(0, before_io, false),
    }
    if end <= split {
        let size = segments.iter().map(|segment| segment.size).sum();
        let fixed_address = segments.iter().any(|segment| segment.fixed_address);
        segments = Vec::from([Segment { base: 0, size, fixed_address }]);
    }
    let base = segments.last().map_or(0, |segment| segment.base + segment.size);
    segments.push(Segment { base, size: end.saturating_sub(base), fixed_address: false });
    segments
}

fn is_fixed(assigner: &Assigner, block: usize) -> bool {
    let plan = assigner.plan;
    assigner.store.blocks[block].symbols.iter().any(|&s| plan.facts[s as usize].fixed_address)
        || assigner.store.of(block).any(|member| plan.net.nodes[member.node].facts.fixed_address)
}
