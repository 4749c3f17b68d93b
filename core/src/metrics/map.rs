//! The picture of a static graph: which bytes each block holds from which moment to which, and what
//! is in use at every moment. Moments are topological ids, so one step is one operator in program order.
//!
//! Knows nothing of pixels or colours.

use alloc::vec::Vec;

use super::static_graph::life;
use crate::model::static_graph::{Block, Placement, StaticGraph};
use crate::units::Bytes;

/// The largest moment that is drawn: a damaged line must not ask for gigabytes of moments.
const MOMENTS_MOST: u32 = 1 << 22;

/// One block in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Its row: the place in `graph.blocks`.
    pub block: usize,
    /// First moment of use.
    pub begin: u32,
    /// Last moment of use, itself included; [`Map::last`] where there is no end.
    pub end: u32,
    /// First byte in the memory area.
    pub from: u64,
    /// Bytes held.
    pub size: Bytes,
    /// Bytes of it that the operator asked for; the rest is rounding.
    pub real: Bytes,
    /// It is in use to the end of the graph.
    pub permanent: bool,
}

impl Rect {
    /// The first byte behind it.
    pub fn to(&self) -> u64 {
        self.from.saturating_add(self.size.0)
    }

    /// Whether it is in use at a moment.
    pub fn is_alive(&self, at: u32) -> bool {
        self.begin <= at && at <= self.end
    }

    fn meets_in_time(&self, other: &Rect) -> bool {
        self.begin <= other.end && other.begin <= self.end
    }

    fn meets_in_place(&self, other: &Rect) -> bool {
        self.from < other.to() && other.from < self.to()
    }
}

/// One memory type of one graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The memory type.
    pub memory_type: u64,
    /// Blocks that have a place, a size and a life, in the order of their rows.
    pub rects: Vec<Rect>,
    /// The last moment.
    pub last: u32,
    /// The first byte behind everything placed.
    pub extent: Bytes,
    /// Bytes covered by blocks at each moment, from 0 to [`Map::last`]; bytes that several rows share
    /// count once.
    pub load: Vec<Bytes>,
}

impl Map {
    /// The moment at which most bytes are in use, the first of them, and those bytes.
    pub fn peak(&self) -> Option<(u32, Bytes)> {
        let mut peak: Option<(u32, Bytes)> = None;
        for (&load, at) in self.load.iter().zip(0..) {
            if peak.is_none_or(|(_, most)| load > most) {
                peak = Some((at, load));
            }
        }
        peak.filter(|(_, load)| *load > Bytes::ZERO)
    }

    /// Places in [`Map::rects`] of what is in use at a moment, largest first.
    pub fn alive(&self, at: u32) -> Vec<usize> {
        let mut alive: Vec<usize> = (0..self.rects.len()).filter(|&n| self.rects[n].is_alive(at)).collect();
        alive.sort_by_key(|&n| (core::cmp::Reverse(self.rects[n].size), self.rects[n].from, n));
        alive
    }
}

/// What lies around one block, as places in [`Map::rects`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Rows on the same bytes at the same time.
    pub sharers: Vec<usize>,
    /// Who used some of the bytes last before it.
    pub before: Option<usize>,
    /// Who uses some of the bytes next.
    pub after: Option<usize>,
    /// The nearest block below, in use at the same time.
    pub below: Option<usize>,
    /// The nearest block above, in use at the same time.
    pub above: Option<usize>,
}

/// The memory types of a graph's placed rows, in ascending order.
pub fn memory_types(graph: &StaticGraph) -> Vec<u64> {
    let mut types: Vec<u64> = graph.blocks.iter().filter(|b| is_drawn(b)).map(|b| b.memory_type).collect();
    types.sort_unstable();
    types.dedup();
    types
}

fn is_drawn(block: &Block) -> bool {
    block.offset.is_placed() && block.size > Bytes::ZERO && life(block).is_some_and(|l| l.0 <= MOMENTS_MOST)
}

/// The picture of one memory type.
pub fn map(graph: &StaticGraph, memory_type: u64) -> Map {
    let drawn = || {
        let rows = graph.blocks.iter().enumerate();
        rows.filter(|(_, block)| block.memory_type == memory_type && is_drawn(block))
            .filter_map(|(number, block)| Some((number, block, life(block)?)))
    };
    let known_end = |(begin, end): (u32, Option<u32>)| end.filter(|e| *e <= MOMENTS_MOST).unwrap_or(begin);
    let last = drawn().map(|(_, _, life)| known_end(life).max(life.0)).max().unwrap_or(0);
    let rects: Vec<Rect> = drawn()
        .map(|(number, block, (begin, end))| Rect {
            block: number,
            begin,
            end: end.unwrap_or(last).clamp(begin, last),
            from: u64::try_from(block.offset.0).unwrap_or(0),
            size: block.size,
            real: block.real_size.min(block.size),
            permanent: end.is_none(),
        })
        .collect();
    let extent = Bytes(rects.iter().map(Rect::to).max().unwrap_or(0));
    let load = load(&rects, last);
    Map { memory_type, rects, last, extent, load }
}

/// Bytes in use at each moment: the bytes that at least one block covers then.
fn load(rects: &[Rect], last: u32) -> Vec<Bytes> {
    let mut borders: Vec<u64> = rects.iter().flat_map(|rect| [rect.from, rect.to()]).collect();
    borders.sort_unstable();
    borders.dedup();
    let place = |byte: u64| borders.partition_point(|border| *border < byte);
    let mut steps: Vec<(u32, bool, usize, usize)> = Vec::with_capacity(rects.len() * 2);
    for rect in rects {
        let (from, to) = (place(rect.from), place(rect.to()));
        steps.push((rect.begin, true, from, to));
        steps.push((rect.end.saturating_add(1), false, from, to));
    }
    steps.sort_unstable();
    let mut covered = Covered { nodes: alloc::vec![(0, 0); borders.len() * 4], borders };
    let mut steps = steps.into_iter().peekable();
    let mut load = Vec::with_capacity(last as usize + 1);
    for at in 0..=last {
        while let Some((_, is_more, from, to)) = steps.next_if(|step| step.0 <= at) {
            covered.change(1, (0, covered.borders.len().saturating_sub(1)), (from, to), is_more);
        }
        load.push(Bytes(covered.nodes.get(1).map_or(0, |node| node.1)));
    }
    load
}

/// How many bytes of a line are covered by ranges that come and go: a segment tree.
struct Covered {
    borders: Vec<u64>,
    /// How many ranges cover a node whole, and its covered bytes.
    nodes: Vec<(u32, u64)>,
}

impl Covered {
    fn change(&mut self, node: usize, own: (usize, usize), range: (usize, usize), is_more: bool) {
        let (low, high) = own;
        if range.0 >= high || range.1 <= low {
            return;
        }
        let is_whole = range.0 <= low && high <= range.1;
        if !is_whole {
            let middle = low.midpoint(high);
            self.change(node * 2, (low, middle), range, is_more);
            self.change(node * 2 + 1, (middle, high), range, is_more);
        }
        let below = |n: usize| self.nodes.get(n).map_or(0, |node| node.1);
        let parts = if high - low > 1 { below(node * 2) + below(node * 2 + 1) } else { 0 };
        let border = |n: usize| self.borders.get(n).copied().unwrap_or(0);
        let whole = border(high).saturating_sub(border(low));
        if let Some((count, bytes)) = self.nodes.get_mut(node) {
            if is_whole {
                *count = if is_more { *count + 1 } else { count.saturating_sub(1) };
            }
            *bytes = if *count > 0 { whole } else { parts };
        }
    }
}

/// What lies around the block at `number` of the rects.
pub fn around(graph: &StaticGraph, map: &Map, number: usize) -> Around {
    let Some(own) = map.rects.get(number) else { return Around::default() };
    let mut around = Around::default();
    let rect = |n: usize| &map.rects[n];
    for (n, other) in map.rects.iter().enumerate() {
        if n == number {
            continue;
        }
        if own.meets_in_place(other) {
            if own.meets_in_time(other) {
                around.sharers.push(n);
            } else if other.end < own.begin {
                if around.before.is_none_or(|known| rect(known).end < other.end) {
                    around.before = Some(n);
                }
            } else if around.after.is_none_or(|known| rect(known).begin > other.begin) {
                around.after = Some(n);
            }
        } else if own.meets_in_time(other) && is_root(graph, other) {
            if other.to() <= own.from {
                if around.below.is_none_or(|known| rect(known).to() < other.to()) {
                    around.below = Some(n);
                }
            } else if around.above.is_none_or(|known| rect(known).from > other.from) {
                around.above = Some(n);
            }
        }
    }
    around
}

fn is_root(graph: &StaticGraph, rect: &Rect) -> bool {
    graph.blocks.get(rect.block).is_some_and(|b| b.flags.child_level == 0 && b.placement == Placement::Set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::static_graph::{BlockFlags, Io, LIFE_MAX, LifeEnds};
    use crate::units::Offset;
    use crate::{intern::Name, span::Span};

    fn block(offset: i64, size: u64, begin: u32, end: u32) -> Block {
        Block {
            placement: Placement::Set,
            node: Name::EMPTY,
            op_type: Name::EMPTY,
            io: Io::Output,
            index: 0,
            offset: Offset(offset),
            stream: None,
            stream_of_op: None,
            memory_type: 2,
            size: Bytes(size),
            real_size: Bytes(size - 32),
            no_align_size: None,
            life_begin: Some(begin),
            life_begin_node: None,
            life_ends: LifeEnds::One(end),
            flags: BlockFlags::default(),
            is_ref: false,
            batch: Name::EMPTY,
            block_type: Name::EMPTY,
            no_padding: None,
            cut: false,
            span: Span::default(),
        }
    }

    fn graph(blocks: Vec<Block>) -> StaticGraph {
        StaticGraph { blocks, ..StaticGraph::default() }
    }

    #[test]
    fn load_counts_shared_bytes_once_and_finds_the_peak() {
        let graph = graph(Vec::from([
            block(0, 1024, 1, 3),
            block(0, 1024, 2, 4), // a sharer of the first
            block(1024, 512, 3, 5),
            block(0, 1024, 6, LIFE_MAX),
            block(-1, 512, 1, 2), // not placed
        ]));
        let map = map(&graph, 2);
        assert_eq!(map.rects.len(), 4);
        assert_eq!((map.last, map.extent), (6, Bytes(1536)));
        let load: Vec<u64> = map.load.iter().map(|b| b.0).collect();
        assert_eq!(load, [0, 1024, 1024, 1536, 1536, 512, 1024]);
        assert_eq!(map.peak(), Some((3, Bytes(1536))));
        assert_eq!(map.alive(3), [0, 1, 2]);
        assert!(map.rects[3].permanent && map.rects[3].end == 6);
    }

    #[test]
    fn around_tells_sharers_neighbours_and_tenants() {
        let graph = graph(Vec::from([
            block(0, 1024, 1, 2),
            block(0, 1024, 3, 5),
            block(512, 512, 4, 5),
            block(1024, 512, 5, 9),
            block(0, 512, 6, 7),
            block(4096, 512, 20, 21), // another time
        ]));
        let map = map(&graph, 2);
        let found = around(&graph, &map, 1);
        assert_eq!(
            found,
            Around { sharers: Vec::from([2]), before: Some(0), after: Some(4), below: None, above: Some(3) }
        );
    }

    #[test]
    fn a_damaged_life_asks_for_no_memory() {
        let graph =
            graph(Vec::from([block(0, 512, 4_000_000_000, 4_000_000_001), block(0, 512, 1, 4_000_000_000)]));
        let map = map(&graph, 2);
        assert_eq!((map.rects.len(), map.last), (1, 1));
        assert_eq!(map.rects[0].end, 1);
    }
}
