//! The compile-time memory allocator of GE, replayed over a dump graph.
//!
//! [`run`] takes a dump and options and yields the layout that GE would make, row by row; where a rule
//! is not modelled or the dump lost what a rule needs, a [`Note`] says so. Knows no log and no face.
//! Facts: the static allocator chapters S0 to S19, which every module cites.

mod assign;
mod atomic;
mod batch;
mod block;
pub mod bound;
mod branch;
mod candidate;
mod cascade;
mod continuous;
mod facts;
mod feed;
mod group;
mod hand_on;
mod inplace;
mod introsort;
mod layout;
pub mod legality;
mod memory;
mod net;
mod offsets;
mod options;
mod order;
mod pack;
mod plan;
mod pool;
mod range;
mod reassign;
mod release;
mod role;
mod rows;
mod segment;
mod size;
mod stat;
mod stream;
mod symbol;
pub mod tune;
mod zero_copy;

use alloc::vec::Vec;
use core::ops::Range;

use crate::graph::Model;
use crate::graph::model::{Form, attr};
use crate::graph::text::ProblemKind;
use crate::intern::{Interner, Name};
use crate::model::static_graph::{Block, StaticGraph, Summary};
use crate::replay::net::Net;
use crate::replay::plan::Plan;
use crate::span::Span;
use crate::units::{Bytes, Offset};

pub use candidate::Candidate;
pub use offsets::Offsets;
pub use options::{Options, Topo};
pub use segment::Segment;

/// The layout of one dump under one set of options.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Names of the layout: those of the dump and a few more.
    pub names: Interner,
    /// Rows in the order in which GE prints them, and the summary per memory type.
    pub layout: StaticGraph,
    /// Which rows say where the members of a row of continuous outputs and inputs lie; GE marks these lines
    /// `[ContinuousMem]`.
    pub group_rows: Range<usize>,
    /// What each clean node clears.
    pub cleaned: Vec<CleanRanges>,
    /// Segments of device memory; the last is that of the user's inputs and outputs.
    pub segments: Vec<Segment>,
    /// Nodes in the order of the walk: all graphs' operators, numbered one graph after the other.
    pub order: Vec<usize>,
    /// Topological number of each node.
    pub ids: Vec<u32>,
    /// Final offsets of every node, sub-graphs included, in the order of the dump.
    pub offsets: Offsets,
    /// What device memory consists of.
    pub areas: Areas,
    /// What each candidate assigner needs; the smallest won, the first of equals.
    pub candidates: Vec<Candidate>,
    /// Size classes of the ranged candidates.
    pub range_ceilings: Vec<u64>,
    /// What makes the result approximate; empty when every rule that applies is modelled.
    pub notes: Vec<Note>,
}

/// The parts of device memory, one behind the other (S8.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// Blocks that share by life time.
    pub blocks: Bytes,
    /// Buffer pools of prefetching operators.
    pub buffer_pool: Bytes,
    /// Memory cleared before use.
    pub atomic: Bytes,
    /// The user's inputs and outputs.
    pub zero_copy: Bytes,
}

/// The ranges that one clean node clears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanRanges {
    /// The clean node.
    pub node: Name,
    /// Its type.
    pub op_type: Name,
    /// Its stream.
    pub stream: i64,
    /// Where and how much.
    pub ranges: Vec<(Offset, Bytes)>,
}

/// A reason why a replayed layout may differ from GE's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// The dump has no `size` fields; sizes were derived from shapes (S1.2).
    SizesDerived,
    /// Events inserted after the allocator ran were left out and the rest numbered anew (S12.8, S19.3).
    EventsRemoved,
    /// Streams are those after splitting, not the logical ones the allocator saw (S12.8).
    StreamsSplit,
    /// Single stream was asked for, but streams are taken from the dump (S13).
    StreamsOfDump,
    /// Separate cleaning was asked for, but the dump still has clean nodes, which earlier passes would drop.
    CleanNodesOfDump,
    /// Several clean nodes: GE walks them in the order of their addresses, the replay in node order (S17.3).
    CleanOrderUnknown,
    /// The onnx form lacks graph attributes and, mostly, engines, labels and variables.
    OnnxForm,
    /// Descriptors of operators with 20 outputs and more stand in the onnx form as JSON and were not read.
    DescriptorsLost,
    /// The file is damaged; operators that were not whole are missing.
    Damaged,
    /// The dump lacks the link order of consumers; file order was taken (S19.2).
    LinkOrderLost,
}

/// Why a dump cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no graph with operators in it.
    NoGraph,
    /// Shapes are unknown at compile time: the dynamic pool decides at run time.
    Dynamic {
        /// The first operator with an unknown dimension.
        node: Name,
    },
    /// Sizes and engines are not known yet at this stage; `PreRunAfterBuild` or `Build` has them.
    NoEngines,
    /// An edge names a producer that is not in the graph (a part cut out by an engine).
    UnknownProducer {
        /// The reader.
        node: Name,
        /// The missing producer.
        producer: Name,
    },
}

/// A dump that is ready to be replayed with any options.
#[derive(Debug)]
pub struct Replayer<'m> {
    net: Net<'m>,
    notes: Vec<Note>,
}

impl<'m> Replayer<'m> {
    /// Checks a dump and links its graph.
    ///
    /// # Errors
    /// The dump cannot be replayed; the refusal says why.
    pub fn new(model: &'m Model) -> Result<Replayer<'m>, Refusal> {
        let ops = || model.graphs.iter().flat_map(|graph| &graph.ops);
        let mut notes = Vec::new();
        let outputs = || ops().flat_map(|op| &op.output_desc);
        // Engines size a stray few tensors early on; only a dump that has most of them is told to have sizes.
        let sized = outputs().filter(|tensor| tensor.size.is_some()).count();
        let sizes_known = sized > 0 && sized * 2 >= outputs().count();
        let with_engine =
            ops().filter(|op| attr(&op.attrs, &model.names, "_ge_attr_op_kernel_lib_name").is_some()).count();
        let engines_known = with_engine * 2 >= ops().count();
        if ops().next().is_none() {
            return Err(Refusal::NoGraph);
        }
        let dynamic = ops().find(|op| op.output_desc.iter().any(|t| t.dims.iter().any(|&dim| dim < 0)));
        if let Some(op) = dynamic {
            return Err(Refusal::Dynamic { node: op.name });
        }
        if !sizes_known {
            if !engines_known {
                return Err(Refusal::NoEngines);
            }
            notes.push(Note::SizesDerived);
        }
        if model.form == Form::GeOnnx {
            notes.push(Note::OnnxForm);
        }
        for problem in &model.problems {
            notes.push(match problem.kind {
                ProblemKind::DescriptorAsJson => Note::DescriptorsLost,
                _ => Note::Damaged,
            });
        }
        let net = Net::new(model, sizes_known)?;
        if net.events_removed {
            notes.push(Note::EventsRemoved);
        }
        let root_attr = |key| model.graphs.first().and_then(|graph| attr(&graph.attrs, &model.names, key));
        if root_attr("_split_logic_stream_2_origin_logic_stream").is_some() {
            notes.push(Note::StreamsSplit);
        }
        if net.link_order_lost {
            notes.push(Note::LinkOrderLost);
        }
        Ok(Replayer { net, notes })
    }

    /// The layout under a set of options.
    pub fn run(&self, options: &Options) -> Replayed {
        let plan = Plan::new(&self.net, options);
        let mut names = self.net.model.names.clone();
        let tags = rows::TagNames::new(&mut names);
        let mut layout = StaticGraph {
            name: self.net.model.graphs.first().map_or(Name::EMPTY, |graph| graph.name),
            ..StaticGraph::default()
        };
        let mut notes = self.notes.clone();
        let mut candidates = Vec::new();
        let mut parts = Parts::default();
        if let Some((assigner, placed, costs)) = candidate::best(&plan) {
            candidates = costs;
            parts = self.finish(assigner, placed, &tags, &mut names);
        }
        layout.blocks = parts.rows;
        layout.summaries = parts.summaries;
        notes.extend(notes_of(&plan));
        notes.sort_unstable();
        notes.dedup();
        Replayed {
            names,
            layout,
            group_rows: parts.group_rows,
            cleaned: parts.cleaned,
            segments: parts.segments,
            offsets: parts.offsets,
            order: plan.order,
            ids: plan.ids,
            areas: parts.areas,
            candidates,
            range_ceilings: plan.ranges.ceilings.clone(),
            notes,
        }
    }

    /// Everything after the choice of a candidate (S11).
    fn finish(
        &self,
        mut assigner: assign::Assigner,
        mut placed: layout::Placed,
        tags: &rows::TagNames,
        names: &mut Interner,
    ) -> Parts {
        let plan = assigner.plan;
        let rules = offsets::Rules { plan };
        let addresses = offsets::variables(plan);
        let mut parts = Parts { offsets: Offsets::new(self.net.nodes.len()), ..Parts::default() };
        let (offsets, rows) = (&mut parts.offsets, &mut parts.rows);
        for &top in &placed.tops {
            rows::of_block(&assigner, tags, top, rows);
            offsets.take_block(&assigner, top);
        }
        for zero in &assigner.zeros {
            rows.extend(rows::of_zero(plan, tags, zero));
            if zero.io == crate::model::static_graph::Io::Output {
                offsets.set_output(zero.node, zero.index, addresses.get(&zero.node).copied().unwrap_or(0));
            } else {
                offsets.set_workspace(zero.node, zero.index, 0);
            }
        }
        let from = rows.len();
        rows::of_groups(&assigner, tags, offsets, rows);
        parts.group_rows = from..rows.len();
        let blocks_end = placed.hbm();
        pool::place(plan, &mut placed, offsets, rows);
        let pool_end = placed.hbm();
        let fusion = atomic::place(&mut assigner, &mut placed, offsets, rows);
        let before_io = placed.hbm();
        for top in zero_copy::place(&mut assigner, &mut placed) {
            rows::of_block(&assigner, tags, top, rows);
            offsets.take_block(&assigner, top);
        }
        parts.areas = Areas {
            blocks: Bytes(blocks_end),
            buffer_pool: Bytes(pool_end - blocks_end),
            atomic: Bytes(before_io - pool_end),
            zero_copy: Bytes(placed.hbm() - before_io),
        };
        parts.segments = segment::cut(&assigner, &placed, blocks_end, before_io, placed.hbm());
        hand_on::variables_written(&rules, offsets, &addresses);
        hand_on::references(&rules, offsets, &addresses);
        reassign::pass(&rules, offsets, rows);
        hand_on::variable_readers(&rules, offsets);
        parts.summaries = summaries(&assigner, &placed, placed.hbm() - before_io, names);
        hand_on::inputs(&rules, offsets);
        parts.cleaned = atomic::clean_ranges(&assigner, offsets, &fusion, &parts.segments);
        hand_on::parent_outputs(&rules, offsets);
        parts
    }
}

/// What the passes after the choice yield.
#[derive(Default)]
struct Parts {
    rows: Vec<Block>,
    group_rows: Range<usize>,
    summaries: Vec<Summary>,
    cleaned: Vec<CleanRanges>,
    segments: Vec<Segment>,
    offsets: Offsets,
    areas: Areas,
}

/// Replays a dump with one set of options; use a [`Replayer`] for several.
///
/// # Errors
/// The dump cannot be replayed; the refusal says why.
pub fn run(model: &Model, options: &Options) -> Result<Replayed, Refusal> {
    Ok(Replayer::new(model)?.run(options))
}

/// What the options and this graph leave open.
fn notes_of(plan: &Plan) -> Vec<Note> {
    let net = plan.net;
    let mut notes = Vec::new();
    let first = plan.order.first().map_or(0, |&node| plan.streams[node]);
    if plan.options.single_stream && plan.order.iter().any(|&node| plan.streams[node] != first) {
        notes.push(Note::StreamsOfDump);
    }
    let clean = || plan.order.iter().filter(|&&node| net.nodes[node].facts.kind == facts::Kind::MemSet);
    if plan.options.separate_clean && clean().next().is_some() {
        notes.push(Note::CleanNodesOfDump);
    }
    let clears =
        clean().filter(|&&node| net.nodes[node].out_ctrl.iter().any(|&next| net.nodes[next].facts.is_atomic));
    if clears.count() > 1 {
        notes.push(Note::CleanOrderUnknown);
    }
    notes
}

/// One summary per memory type that is in use (S8.6).
fn summaries(
    assigner: &assign::Assigner,
    placed: &layout::Placed,
    zero_copy: u64,
    names: &mut Interner,
) -> Vec<Summary> {
    let options = assigner.plan.options;
    let mut summaries = Vec::new();
    for (&memory_type, &offset) in &placed.offsets {
        let Some(stat) = assigner.stats.get(&memory_type) else { continue };
        if memory_type != memory::HBM && offset == 0 {
            continue;
        }
        summaries.push(Summary {
            memory_type,
            after_reuse: Some(Bytes(offset)),
            theory_min: Some(Bytes(stat.theory_min + stat.no_reuse)),
            zero_copy: Some(Bytes(if memory_type == memory::HBM { zero_copy } else { 0 })),
            total: Some(Bytes(stat.total)),
            no_reuse: Some(Bytes(stat.no_reuse)),
            streams: Some(assigner.streams_of(memory_type)),
            topo_mode: names.intern(options.topo.word()),
            memory_policy: names.intern(options.policy_word()),
            io_reuse: Some((
                u64::from(options.input_reuse.is_some()),
                u64::from(options.output_reuse.is_some()),
            )),
            alloc_mode: names.intern(if options.io_alloc_by_ge { "ByGE" } else { "" }),
            static_policy: names.intern(options.static_policy_word()),
            span: Span::default(),
        });
    }
    summaries
}

/// The size of a tensor's data without padding; `None` when the shape or type is unknown (S1.1).
pub fn data_size(tensor: &crate::graph::model::Tensor, names: &Interner) -> Option<Bytes> {
    size::unpadded(tensor, names).map(Bytes)
}
