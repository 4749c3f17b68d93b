//! Memory that is cleared before its operator runs, and the ranges each clean node clears (static
//! allocator S11.2, S11.7).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::model::static_graph::{Block as Row, Io, Placement};
use crate::replay::CleanRanges;
use crate::replay::assign::Assigner;
use crate::replay::facts::Kind;
use crate::replay::layout::Placed;
use crate::replay::memory;
use crate::replay::net::{NONE, NodeId};
use crate::replay::offsets::Offsets;
use crate::replay::rows;
use crate::replay::segment::Segment;
use crate::replay::size::align;
use crate::replay::symbol::Anchor;
use crate::units::{Bytes, Offset};

/// Offsets of fusion nodes' workspaces, which are kept beside the node: (index, offset).
pub(crate) type FusionWorkspaces = BTreeMap<NodeId, Vec<(u32, i64)>>;

/// Places atomic outputs and workspaces behind the blocks, label by label.
pub(crate) fn place(
    assigner: &mut Assigner,
    placed: &mut Placed,
    offsets: &mut Offsets,
    rows: &mut Vec<Row>,
) -> FusionWorkspaces {
    let plan = assigner.plan;
    let net = plan.net;
    let mut fusion = FusionWorkspaces::new();
    let mut by_label: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for &clean in plan.order.iter().filter(|&&node| net.nodes[node].facts.kind == Kind::MemSet) {
        for &node in net.nodes[clean].out_ctrl.iter().filter(|&&node| net.nodes[node].facts.is_atomic) {
            let label = net.model.names.get(net.nodes[node].facts.batch);
            by_label.entry(label).or_default().push(node);
        }
    }
    for node in by_label.into_values().flatten() {
        place_outputs(assigner, placed, offsets, rows, node);
        let facts = &net.nodes[node].facts;
        for &(index, bytes) in &facts.atomic_workspaces {
            let running = placed.offsets.entry(memory::HBM).or_default();
            let start = *running;
            *running = align(start + bytes);
            let end = *running;
            assigner.stats.entry(memory::HBM).or_default().theory_min += end - start;
            let (placement, shown, size) = if facts.is_fusion {
                fusion.entry(node).or_default().push((index, signed(start)));
                (Placement::AtomicFusionWorkspace, start, bytes)
            } else {
                offsets.set_workspace(node, index as usize, signed(start));
                (Placement::AtomicWorkspace, start, end - start)
            };
            rows.push(Row {
                offset: Offset(signed(shown)),
                size: Bytes(size),
                real_size: Bytes(bytes),
                ..rows::plain(plan, placement, node, Io::Workspace, index as usize)
            });
        }
    }
    fusion
}

fn place_outputs(
    assigner: &mut Assigner,
    placed: &mut Placed,
    offsets: &mut Offsets,
    rows: &mut Vec<Row>,
    node: NodeId,
) {
    let plan = assigner.plan;
    let net = plan.net;
    for &index in &net.nodes[node].facts.atomic_outputs {
        let Some(index) = usize::try_from(index).ok().filter(|&index| index < net.nodes[node].outs) else {
            continue;
        };
        let out = net.nodes[node].first_out + index;
        let Some(symbol) = plan.symbol_of(out) else { continue };
        let block = assigner.symbol_block[symbol];
        let is_zero_copy = block != NONE && assigner.store.blocks[block as usize].zero_copy;
        let into_whole = net.consumers[out].iter().any(|&anchor| {
            let reader = net.in_node[anchor as usize] as usize;
            net.is_padding_in(reader) && net.nodes[reader].facts.cleans_all_inputs()
        });
        if is_zero_copy || into_whole {
            continue;
        }
        let memory_type = plan.facts[symbol].memory_type;
        let stored = net.out_facts(out).stored;
        let running = placed.offsets.entry(memory_type).or_default();
        let start = *running;
        *running = align(start + stored);
        let growth = *running - start;
        assigner.stats.entry(memory_type).or_default().theory_min += growth;
        offsets.set_output(node, index, signed(start));
        for other in plan.symbols.outputs(symbol) {
            let (parent, index) = net.output(other);
            if !net.nodes[parent].sub_graphs.is_empty() {
                offsets.set_output(parent, index, signed(start));
            }
        }
        rows.push(Row {
            offset: Offset(signed(start)),
            size: Bytes(growth),
            real_size: Bytes(stored),
            ..rows::plain(plan, Placement::AtomicOutput, node, Io::Output, index)
        });
    }
}

fn signed(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

/// A piece of memory to clear.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    memory_type: u64,
    offset: i64,
    size: u64,
    value: Value,
    zero_copy: bool,
}

/// What a range is filled with: the type of the value and its bits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value {
    dtype: i64,
    bits: u64,
}

/// Float 0, the usual value.
const ZERO: Value = Value { dtype: 0, bits: 0 };

/// The ranges of every clean node (S11.7); they are appended to the node's workspaces.
pub(crate) fn clean_ranges(
    assigner: &Assigner,
    offsets: &mut Offsets,
    fusion: &FusionWorkspaces,
    segments: &[Segment],
) -> Vec<CleanRanges> {
    let plan = assigner.plan;
    let net = plan.net;
    let mut all = Vec::new();
    for &clean in plan.order.iter().filter(|&&node| net.nodes[node].facts.kind == Kind::MemSet) {
        let mut ranges = Vec::new();
        for &node in &net.nodes[clean].out_ctrl {
            collect(assigner, offsets, fusion, node, &mut ranges);
        }
        ranges.sort_by_key(|range| (range.memory_type, range.offset, range.size));
        ranges.dedup_by_key(|range| (range.memory_type, range.offset, range.size));
        let merged = merge(&ranges, segments);
        if merged.is_empty() {
            continue;
        }
        offsets.workspaces[clean].extend(merged.iter().map(|&(offset, _)| offset.0));
        all.push(CleanRanges {
            node: net.nodes[clean].name,
            op_type: net.nodes[clean].op_type,
            stream: net.nodes[clean].raw_stream,
            ranges: merged,
        });
    }
    all
}

fn collect(
    assigner: &Assigner,
    offsets: &Offsets,
    fusion: &FusionWorkspaces,
    node: NodeId,
    ranges: &mut Vec<Range>,
) {
    let plan = assigner.plan;
    let net = plan.net;
    let facts = &net.nodes[node].facts;
    let mut values = Values::new(facts);
    if let Some(listed) = &facts.atomic_inputs {
        let connected: Vec<usize> = (0..net.nodes[node].ins)
            .filter(|&n| net.producer_of(net.nodes[node].first_in + n).is_some())
            .collect();
        let all = listed[..] == [-1];
        for (entry, &input) in connected.iter().enumerate() {
            if !all && !listed.iter().any(|&n| usize::try_from(n) == Ok(input)) {
                continue;
            }
            let anchor = net.nodes[node].first_in + input;
            let size = facts.input_sizes.get(input).copied().unwrap_or(0);
            let (Some(&offset), true) = (offsets.inputs[node].get(entry), size > 0) else { continue };
            let symbol = plan.symbols.of(Anchor::In(anchor));
            let memory_type = symbol.map_or(memory::HBM, |symbol| plan.facts[symbol].memory_type);
            ranges.push(Range { memory_type, offset, size: align(size), value: ZERO, zero_copy: false });
        }
    }
    for &index in &facts.atomic_outputs {
        let value = values.next();
        let Some(index) = usize::try_from(index).ok().filter(|&index| index < net.nodes[node].outs) else {
            continue;
        };
        let out = net.nodes[node].first_out + index;
        let (Some(offset), Some(symbol)) = (offsets.output(node, index), plan.symbol_of(out)) else {
            continue;
        };
        let block = assigner.symbol_block[symbol];
        let zero_copy = block != NONE && assigner.store.blocks[block as usize].zero_copy;
        let stored = net.out_facts(out).stored;
        let size = if zero_copy { stored } else { align(stored) };
        if size > 0 {
            let memory_type = plan.facts[symbol].memory_type;
            ranges.push(Range { memory_type, offset, size, value, zero_copy });
        }
    }
    for &(index, bytes) in &facts.atomic_workspaces {
        let at = index as usize;
        let kept = fusion.get(&node).and_then(|kept| kept.iter().find(|&&(of, _)| of == index));
        if facts.is_fusion {
            let Some(&(_, offset)) = kept else { continue };
            let (memory_type, size) = (memory::HBM, align(bytes));
            ranges.push(Range { memory_type, offset, size, value: ZERO, zero_copy: false });
            continue;
        }
        let value = values.next();
        let Some(&offset) = offsets.workspaces[node].get(at) else { continue };
        let is_p2p = facts.workspace_type.get(at).is_some_and(|&t| u64::try_from(t) == Ok(memory::P2P_DDR));
        let memory_type = if is_p2p { memory::P2P_DDR } else { memory::HBM };
        let size = align(net.nodes[node].workspaces.get(at).copied().unwrap_or(0));
        ranges.push(Range { memory_type, offset, size, value, zero_copy: false });
    }
}

/// The values of a node in the order in which its ranges take them.
struct Values<'a> {
    types: &'a [i64],
    ints: core::slice::Iter<'a, i64>,
    floats: core::slice::Iter<'a, f64>,
    at: usize,
}

impl<'a> Values<'a> {
    fn new(facts: &'a super::facts::Facts) -> Values<'a> {
        let (types, ints, floats) =
            (&facts.clean_types[..], facts.clean_ints.iter(), facts.clean_floats.iter());
        Values { types, ints, floats, at: 0 }
    }

    fn next(&mut self) -> Value {
        let dtype = self.types.get(self.at).copied();
        self.at += 1;
        match dtype {
            Some(0) => self.floats.next().map_or(ZERO, |&value| Value { dtype: 0, bits: value.to_bits() }),
            Some(dtype) => self.ints.next().map_or(ZERO, |&value| Value { dtype, bits: value as u64 }),
            None => ZERO,
        }
    }
}

/// Joins neighbours that may be cleared in one go.
fn merge(ranges: &[Range], segments: &[Segment]) -> Vec<(Offset, Bytes)> {
    let mut merged: Vec<Range> = Vec::new();
    for &range in ranges {
        if let Some(last) = merged.last_mut() {
            let end = last.offset.saturating_add_unsigned(last.size);
            if last.memory_type == range.memory_type
                && last.value == range.value
                && !last.zero_copy
                && range.offset <= end
                && in_one_segment(last, &range, segments)
            {
                let reach = range.offset.saturating_add_unsigned(range.size).saturating_sub(last.offset);
                last.size = last.size.max(u64::try_from(reach).unwrap_or(0));
                continue;
            }
        }
        merged.push(range);
    }
    merged.iter().map(|range| (Offset(range.offset), Bytes(range.size))).collect()
}

fn in_one_segment(last: &Range, range: &Range, segments: &[Segment]) -> bool {
    if segments.len() <= 1 {
        return true;
    }
    let Some(segment) = segments.iter().rev().find(|segment| signed(segment.base) <= last.offset) else {
        return false;
    };
    let end = signed(segment.base.saturating_add(segment.size));
    range.offset.saturating_add_unsigned(range.size) <= end
        && last.offset.saturating_add_unsigned(last.size) <= end
}
