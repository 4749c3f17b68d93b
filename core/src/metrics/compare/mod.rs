//! Two runs side by side: what grew, shrank, moved, came and went (components, classes, graphs, pools,
//! blocks). Names are compared as text, so each side may have its own interner; a side may be an
//! analysis of logs or a replayed graph. No text for users, no verdict about good or bad.

mod graphs;
mod pairs;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::intern::Interner;
use crate::metrics::class::Class;
use crate::metrics::{class, component, pool};
use crate::model::pool::AllocatorId;
use crate::model::process::Process;
use crate::model::static_graph::Io;
use crate::span::Span;
use crate::units::{Bytes, Offset};

/// One side.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Names of the processes' models.
    pub names: &'a Interner,
    /// Its processes.
    pub processes: &'a [Process],
}

/// One figure on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Bytes.
    pub size: Bytes,
    /// Place in the memory area; of blocks only.
    pub offset: Option<Offset>,
    /// The line it was read from; none for a replayed graph.
    pub span: Option<Span>,
}

/// Which figure of a graph (analysis rules, R3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraphFigure {
    /// Bytes assigned.
    AfterReuse,
    /// Bytes without reuse.
    Total,
    /// Bytes with perfect packing.
    TheoryMin,
    /// The user's inputs and outputs.
    ZeroCopy,
    /// Bytes that must not be reused.
    NoReuse,
    /// Bytes cleared before use.
    Atomic,
    /// Bytes of continuous-memory requests.
    Continuous,
}

/// Which figure of a pool (analysis rules, R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PoolFigure {
    /// Most bytes taken from the device.
    TakenPeak,
    /// Most bytes of live blocks.
    LivePeak,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The peak of a component of the driver's statistics.
    Component {
        /// Module.
        module: String,
        /// Device.
        device: Option<i64>,
        /// Kind of memory.
        memory_kind: String,
    },
    /// The peak of a class of the "total" view.
    Class(Class),
    /// The peak of all classes together.
    Total,
    /// A figure of a static graph.
    Graph {
        /// Graph on the side where it is, the second one first.
        graph: String,
        /// Memory type.
        memory_type: u64,
        /// Which figure.
        figure: GraphFigure,
    },
    /// A figure of a pool.
    Pool {
        /// Pool.
        allocator: AllocatorId,
        /// Which figure.
        figure: PoolFigure,
    },
    /// An output or workspace of an operator, matched by name.
    Block {
        /// Graph.
        graph: String,
        /// Memory type.
        memory_type: u64,
        /// Operator.
        node: String,
        /// Output or workspace.
        io: Io,
        /// Which.
        index: i32,
        /// Label of a multi-batch branch, mostly empty.
        batch: String,
    },
}

/// How a figure differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// More bytes.
    Grew,
    /// Fewer bytes.
    Shrank,
    /// As many bytes at another offset.
    Moved,
    /// On the second side only.
    New,
    /// On the first side only.
    Gone,
    /// Nothing differs.
    Same,
}

/// One thing on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What.
    pub what: What,
    /// The first side; `None` where it is not there.
    pub a: Option<Point>,
    /// The second side.
    pub b: Option<Point>,
}

impl Change {
    /// Bytes of the second side beyond the first; what is not there counts 0.
    pub fn bytes(&self) -> i64 {
        let size = |point: Option<Point>| point.map_or(0, |p| i64::try_from(p.size.0).unwrap_or(i64::MAX));
        size(self.b).saturating_sub(size(self.a))
    }

    /// How it differs.
    pub fn way(&self) -> Way {
        match (self.a, self.b) {
            (None, None) => Way::Same,
            (None, Some(_)) => Way::New,
            (Some(_), None) => Way::Gone,
            (Some(a), Some(b)) if a.size < b.size => Way::Grew,
            (Some(a), Some(b)) if a.size > b.size => Way::Shrank,
            (Some(a), Some(b)) if a.offset != b.offset => Way::Moved,
            _ => Way::Same,
        }
    }
}

/// One process of each side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Place of the process on the first side.
    pub a: Option<usize>,
    /// Place of the process on the second side.
    pub b: Option<usize>,
    /// Peaks of components, largest change first.
    pub components: Vec<Change>,
    /// The peak of all classes, then the peaks of each, largest change first.
    pub classes: Vec<Change>,
    /// Figures of graphs, in the order of the graphs.
    pub graphs: Vec<Change>,
    /// Figures of pools.
    pub pools: Vec<Change>,
    /// Blocks that differ, largest change first.
    pub blocks: Vec<Change>,
    /// Blocks that are the same on both sides.
    pub same_blocks: usize,
}

impl Pair {
    /// Nothing of the two processes can be compared.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
            && self.classes.is_empty()
            && self.graphs.is_empty()
            && self.pools.is_empty()
    }
}

/// Puts two sides side by side: each process of the first with the one of the second that it is most
/// likely to be (same program and devices, in order), then what is left alone.
pub fn compare(a: Side<'_>, b: Side<'_>) -> Vec<Pair> {
    let pairs = pairs::processes(a, b).into_iter();
    pairs.map(|(of_a, of_b)| pair((a, of_a), (b, of_b))).filter(|pair| !pair.is_empty()).collect()
}

fn pair((a, of_a): (Side<'_>, Option<usize>), (b, of_b): (Side<'_>, Option<usize>)) -> Pair {
    let sides = [
        (a.names, of_a.and_then(|at| a.processes.get(at))),
        (b.names, of_b.and_then(|at| b.processes.get(at))),
    ];
    let mut pair = Pair { a: of_a, b: of_b, ..Pair::default() };
    pair.components = largest_first(matched(sides, components));
    pair.classes = largest_first(matched(sides, classes));
    pair.pools = matched(sides, pools);
    (pair.graphs, pair.blocks, pair.same_blocks) = graphs::changes(sides);
    pair
}

/// The names and the process of one side.
type Half<'a> = (&'a Interner, Option<&'a Process>);

/// Points of both sides under the same thing, in the order of the things.
fn matched<'a>(
    sides: [Half<'a>; 2],
    points: impl Fn(&Interner, &Process) -> Vec<(What, Point)>,
) -> Vec<Change> {
    let [a, b] = sides.map(|(names, process)| process.map_or(Vec::new(), |p| points(names, p)));
    joined(a, b)
}

/// Joins two lists by the thing; several points of one thing are joined in their order.
fn joined(a: Vec<(What, Point)>, b: Vec<(What, Point)>) -> Vec<Change> {
    let mut all: Vec<(What, u32, bool, Point)> = Vec::with_capacity(a.len() + b.len());
    for (is_second, mut list) in [(false, a), (true, b)] {
        list.sort_by(|x, y| x.0.cmp(&y.0));
        let mut nth = 0;
        for (what, point) in list {
            let again = all.last().is_some_and(|(last, _, of, _)| *of == is_second && *last == what);
            nth = if again { nth + 1 } else { 0 };
            all.push((what, nth, is_second, point));
        }
    }
    all.sort_by(|x, y| (&x.0, x.1, x.2).cmp(&(&y.0, y.1, y.2)));
    let mut changes: Vec<Change> = Vec::new();
    let mut last = u32::MAX;
    for (what, nth, is_second, point) in all {
        match changes.last_mut() {
            Some(change) if is_second && change.b.is_none() && last == nth && change.what == what => {
                change.b = Some(point);
            }
            _ if is_second => changes.push(Change { what, a: None, b: Some(point) }),
            _ => changes.push(Change { what, a: Some(point), b: None }),
        }
        last = nth;
    }
    changes
}

/// Orders by the amount of the change, then by name; the whole stays first.
fn largest_first(mut changes: Vec<Change>) -> Vec<Change> {
    changes.sort_by_key(|c| (c.what != What::Total, core::cmp::Reverse(c.bytes().unsigned_abs()), c.way()));
    changes
}

fn at(size: Bytes, span: Option<Span>) -> Point {
    Point { size, offset: None, span }
}

fn components(names: &Interner, process: &Process) -> Vec<(What, Point)> {
    let rows = component::rows(&process.components, names);
    let item = |row: &component::Row| {
        let counted = row.peak.counted;
        let what = What::Component {
            module: names.get(counted.module).to_string(),
            device: counted.device,
            memory_kind: names.get(counted.memory_kind).to_string(),
        };
        (what, at(row.peak.peak, Some(row.peak.span)))
    };
    rows.iter().map(item).collect()
}

fn classes(names: &Interner, process: &Process) -> Vec<(What, Point)> {
    let total = class::total(&process.allocations, names);
    let whole = total.peak_at.map(|span| (What::Total, at(total.peak, Some(span))));
    let rows = total.rows.iter().map(|row| (What::Class(row.class), at(row.peak, Some(row.largest))));
    whole.into_iter().chain(rows).collect()
}

/// Pools go by their names, whose numbers come from one counter of the process.
fn pools(_: &Interner, process: &Process) -> Vec<(What, Point)> {
    let mut points = Vec::new();
    for figures in pool::figures(process) {
        let allocator = figures.allocator;
        if let Some((size, span)) = figures.taken_peak {
            points.push((What::Pool { allocator, figure: PoolFigure::TakenPeak }, at(size, Some(span))));
        }
        if let Some(size) = figures.needed() {
            let span = figures.live_peak.map(|peak| peak.span).or(figures.summary);
            points.push((What::Pool { allocator, figure: PoolFigure::LivePeak }, at(size, span)));
        }
    }
    points
}
