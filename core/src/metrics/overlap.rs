//! Blocks of a static graph that share bytes while both are in use, and share them by no rule
//! (analysis rules, R8 root 1).
//!
//! By design blocks share bytes through references, nesting (child blocks lie in their parent), the
//! pieces of continuous memory, the branches of a multi-batch model, and the user's own memory. A sweep
//! over time keeps what is live in groups of bytes, so that legal layouts cost n·log n. No text.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::model::static_graph::{Block, LIFE_DEFAULT, Placement, StaticGraph};
use crate::units::{Bytes, Offset};

/// Two blocks of one memory type that share bytes while both are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Place in the graph's blocks of the one that began first.
    pub victim: usize,
    /// Place of the one that began while the first was in use.
    pub suspect: usize,
    /// First byte that they share.
    pub offset: Offset,
    /// How many bytes they share.
    pub size: Bytes,
}

/// More hits than this are not told apart: the layout as a whole is wrong.
const MOST: usize = 1000;

/// A row with bytes of its own, and when it is in use.
#[derive(Clone, Copy)]
struct Tenant {
    row: usize,
    start: u64,
    end: u64,
    from: u32,
    to: u32,
}

/// All overlaps, in the order of the suspects' begins.
pub fn overlaps(graph: &StaticGraph) -> Vec<Overlap> {
    let mut by_area: BTreeMap<(u64, u32), Vec<Tenant>> = BTreeMap::new();
    for (row, block) in graph.blocks.iter().enumerate() {
        if block.placement != Placement::Set {
            continue;
        }
        if let Some(tenant) = tenant(block, row) {
            // Depth by depth: a nested block shares its parent's bytes by design.
            by_area.entry((block.memory_type, block.flags.child_level)).or_default().push(tenant);
        }
    }
    let mut hits = Vec::new();
    for tenants in by_area.into_values() {
        sweep(&graph.blocks, tenants, &mut hits);
    }
    hits
}

/// Reads a row that has bytes of its own and a life.
fn tenant(block: &Block, row: usize) -> Option<Tenant> {
    let start = u64::try_from(block.offset.0).ok()?;
    let size = if block.flags.child_level == 0 { block.size } else { block.real_size };
    let (from, to) = (block.life_begin?, block.life_ends.effective()?);
    // A begin that was never set says nothing; the user's memory is not the graph's to hand out.
    if block.is_ref || block.cut || block.flags.zero_copy || size == Bytes::ZERO || from >= LIFE_DEFAULT {
        return None;
    }
    (from <= to).then(|| Tenant { row, start, end: start.saturating_add(size.0), from, to })
}

/// Live tenants of connected bytes.
struct Group {
    end: u64,
    members: Vec<Tenant>,
}

fn sweep(blocks: &[Block], tenants: Vec<Tenant>, hits: &mut Vec<Overlap>) {
    let mut events: Vec<(u32, bool, usize)> = Vec::with_capacity(tenants.len() * 2);
    for (number, tenant) in tenants.iter().enumerate() {
        events.push((tenant.from, false, number));
        if tenant.to < LIFE_DEFAULT {
            // Memory is in use from the begin to the end, both included (plog grammar 3.2).
            events.push((tenant.to.saturating_add(1), true, number));
        }
    }
    // What ends makes room before what begins at the same moment.
    events.sort_unstable_by_key(|&(at, ends, number)| (at, !ends, number));
    let mut live: BTreeMap<u64, Group> = BTreeMap::new();
    for (_, ends, number) in events {
        let Some(tenant) = tenants.get(number) else { continue };
        if ends {
            leave(&mut live, tenant);
        } else {
            enter(&mut live, blocks, *tenant, hits);
            if hits.len() >= MOST {
                return;
            }
        }
    }
}

fn enter(live: &mut BTreeMap<u64, Group>, blocks: &[Block], tenant: Tenant, hits: &mut Vec<Overlap>) {
    let mut touched: Vec<u64> = Vec::new();
    for (&start, group) in live.range(..tenant.end).rev() {
        // Groups don't overlap: the first that ends below has only others below it.
        if group.end <= tenant.start {
            break;
        }
        touched.push(start);
    }
    let (mut start, mut group) = (tenant.start, Group { end: tenant.end, members: Vec::from([tenant]) });
    for at in touched {
        let Some(old) = live.remove(&at) else { continue };
        for other in &old.members {
            let shared = other.start.max(tenant.start)..other.end.min(tenant.end);
            if !shared.is_empty() && !may_share(blocks, other, &tenant) && hits.len() < MOST {
                hits.push(Overlap {
                    victim: other.row,
                    suspect: tenant.row,
                    offset: Offset(i64::try_from(shared.start).unwrap_or(i64::MAX)),
                    size: Bytes(shared.end - shared.start),
                });
            }
        }
        start = start.min(at);
        group.end = group.end.max(old.end);
        group.members.extend(old.members);
    }
    live.insert(start, group);
}

fn leave(live: &mut BTreeMap<u64, Group>, tenant: &Tenant) {
    let Some((&start, group)) = live.range_mut(..=tenant.start).next_back() else { return };
    group.members.retain(|member| member.row != tenant.row);
    if group.members.is_empty() {
        live.remove(&start);
    }
}

/// Whether two live tenants share bytes by a rule.
fn may_share(blocks: &[Block], a: &Tenant, b: &Tenant) -> bool {
    let (Some(x), Some(y)) = (blocks.get(a.row), blocks.get(b.row)) else { return true };
    let other_branch = x.batch != y.batch && x.batch != Name::EMPTY && y.batch != Name::EMPTY;
    // The pieces of continuous memory lie in its whole.
    let holds = |a: &Tenant, b: &Tenant| a.start <= b.start && b.end <= a.end;
    let pieces = x.flags.continuous && y.flags.continuous && (holds(a, b) || holds(b, a));
    other_branch || pieces
}

/// Who lies beside a block, and who had its bytes before (analysis rules, R8 roots 2 to 4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The nearest live block below, and the bytes between.
    pub below: Option<(usize, Bytes)>,
    /// The nearest live block above, and the bytes between.
    pub above: Option<(usize, Bytes)>,
    /// Blocks that had some of the bytes before, the latest first.
    pub earlier: Vec<usize>,
}

/// The surroundings of the block in this row; nothing for a row without bytes or life.
pub fn around(graph: &StaticGraph, row: usize) -> Around {
    let read = |row: usize, block: &Block| {
        tenant(block, row).filter(|_| block.placement == Placement::Set && block.flags.child_level == 0)
    };
    let mut around = Around::default();
    let Some(of) = graph.blocks.get(row).and_then(|block| tenant(block, row)) else { return around };
    let memory_type = graph.blocks.get(row).map(|block| block.memory_type);
    let mut earlier: Vec<(u32, usize)> = Vec::new();
    for (other, block) in graph.blocks.iter().enumerate() {
        if other == row || Some(block.memory_type) != memory_type {
            continue;
        }
        let Some(other) = read(other, block) else { continue };
        let is_live = other.from <= of.to && of.from <= other.to;
        if is_live && other.end <= of.start {
            let gap = Bytes(of.start - other.end);
            around.below = nearer(around.below, (other.row, gap));
        } else if is_live && other.start >= of.end {
            let gap = Bytes(other.start - of.end);
            around.above = nearer(around.above, (other.row, gap));
        } else if other.to < of.from && other.start < of.end && of.start < other.end {
            earlier.push((other.to, other.row));
        }
    }
    earlier.sort_unstable_by(|a, b| b.cmp(a));
    around.earlier = earlier.into_iter().map(|(_, row)| row).collect();
    around
}

fn nearer(known: Option<(usize, Bytes)>, new: (usize, Bytes)) -> Option<(usize, Bytes)> {
    Some(known.filter(|(_, gap)| *gap <= new.1).unwrap_or(new))
}

/// Entries that `OP_NO_REUSE_MEM` takes at most (static allocator, options).
pub const LIST_ENTRIES: usize = 10;
/// Characters that it takes at most.
pub const LIST_CHARS: usize = 2000;

/// Joins names to lists that `OP_NO_REUSE_MEM` takes; a name that no list takes is left out.
pub fn lists<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Vec<&'n str>> {
    let mut lists: Vec<(usize, Vec<&str>)> = Vec::new();
    for name in names.filter(|name| !name.is_empty() && !name.contains(',') && name.len() <= LIST_CHARS) {
        match lists.last_mut() {
            Some((chars, list)) if list.len() < LIST_ENTRIES && *chars + 1 + name.len() <= LIST_CHARS => {
                *chars += 1 + name.len();
                list.push(name);
            }
            _ => lists.push((name.len(), Vec::from([name]))),
        }
    }
    lists.into_iter().map(|(_, list)| list).collect()
}
