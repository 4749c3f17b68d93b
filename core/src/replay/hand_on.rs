//! Offsets of variables, references and inputs (static allocator S11.4, S11.6).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::replay::facts::Kind;
use crate::replay::memory;
use crate::replay::net::NodeId;
use crate::replay::offsets::{Offsets, Rules};
use crate::replay::symbol::Anchor;

/// S11.6 a: outputs that are the memory of a variable.
pub(crate) fn variables_written(rules: &Rules, offsets: &mut Offsets, addresses: &BTreeMap<NodeId, i64>) {
    let net = rules.plan.net;
    for &node in &rules.plan.order {
        for index in 0..net.nodes[node].outs {
            let Some(name) = net.nodes[node].facts.outputs[index].variable else { continue };
            if let Some(address) = address_of(rules, addresses, name) {
                offsets.set_output(node, index, address);
            }
        }
    }
}

fn address_of(rules: &Rules, addresses: &BTreeMap<NodeId, i64>, name: Name) -> Option<i64> {
    addresses.get(&rules.plan.net.named(name)?).copied()
}

/// S11.6 b: references take the place of what they refer to.
pub(crate) fn references(rules: &Rules, offsets: &mut Offsets, addresses: &BTreeMap<NodeId, i64>) {
    let net = rules.plan.net;
    for &node in &rules.plan.order {
        let facts = &net.nodes[node].facts;
        for index in 0..net.nodes[node].outs {
            let assigned = facts.outputs[index].assigned_variable;
            if let Some(address) = assigned.and_then(|name| address_of(rules, addresses, name)) {
                offsets.set_output(node, index, address);
            }
        }
        if facts.kind.is_broadcast() || facts.kind.is_data_like() {
            continue;
        }
        let refs = rules.refs(node);
        for input in 0..net.nodes[node].ins {
            let Some((producer, o)) = rules.producer(node, input) else { continue };
            if !refs.iter().any(|&(_, of)| of == input) {
                continue;
            }
            let Some(offset) = offsets.output(producer, o) else { continue };
            for &(output, _) in refs.iter().filter(|&&(_, of)| of == input) {
                if rules.custom(node, input, output) == 0 {
                    offsets.set_output(node, output, offset);
                }
            }
            if rules.is_nopadding_out(node) {
                rules.lay_out_pieces(offsets, node, offset);
            }
        }
        if matches!(facts.kind, Kind::While) {
            for &(output, _) in &refs {
                spread(rules, offsets, node, output);
            }
        }
    }
}

/// A loop's output gives its place to every output of its symbol.
fn spread(rules: &Rules, offsets: &mut Offsets, node: NodeId, output: usize) {
    let net = rules.plan.net;
    let Some(offset) = offsets.output(node, output) else { return };
    let Some(symbol) = rules.plan.symbol_of(net.nodes[node].first_out + output) else { return };
    for out in rules.plan.symbols.outputs(symbol) {
        let (other, index) = net.output(out);
        offsets.set_output(other, index, offset);
    }
}

/// S11.6 c: what hangs on a variable gets its address.
pub(crate) fn variable_readers(rules: &Rules, offsets: &mut Offsets) {
    let net = rules.plan.net;
    for &node in &rules.plan.order {
        if net.nodes[node].facts.kind != Kind::Variable {
            continue;
        }
        let own = offsets.outputs[node].clone();
        let readers: Vec<(NodeId, usize)> = rules.consumers(node).collect();
        for &(reader, _) in readers.iter().filter(|&&(reader, _)| net.nodes[reader].facts.kind.is_broadcast())
        {
            offsets.inputs[reader] = own.clone();
        }
        if let Some(&address) = own.first() {
            hand_to_assigns(rules, offsets, &readers, address);
        }
        for &(reader, _) in &readers {
            let Some(last) = copy_chain_end(rules, reader) else { continue };
            let Some(address) = offsets.output(last, 0) else { continue };
            let behind: Vec<(NodeId, usize)> = rules.consumers(last).collect();
            hand_to_assigns(rules, offsets, &behind, address);
        }
    }
}

fn hand_to_assigns(rules: &Rules, offsets: &mut Offsets, readers: &[(NodeId, usize)], address: i64) {
    let mut work: Vec<(NodeId, usize)> = readers.to_vec();
    let mut steps = 0;
    while let Some((node, input)) = work.pop() {
        steps += 1;
        if rules.plan.net.nodes[node].facts.kind != Kind::Assign
            || input != 0
            || steps > rules.plan.net.in_node.len()
        {
            continue;
        }
        offsets.set_output(node, 0, address);
        work.extend(rules.consumers(node));
    }
}

/// The last node of a chain of layout changes behind a variable.
fn copy_chain_end(rules: &Rules, start: NodeId) -> Option<NodeId> {
    let net = rules.plan.net;
    let is_copy = |node: NodeId| net.nodes[node].facts.kind == Kind::Copy;
    if !is_copy(start) {
        return None;
    }
    let mut node = start;
    for _ in 0..net.nodes.len() {
        match rules.consumers(node).map(|(reader, _)| reader).find(|&reader| is_copy(reader)) {
            Some(next) => node = next,
            None => break,
        }
    }
    Some(node)
}

/// S11.4: the offsets of all inputs, and of outputs that refer to them.
pub(crate) fn inputs(rules: &Rules, offsets: &mut Offsets) {
    let net = rules.plan.net;
    for &node in &rules.plan.order {
        let facts = &net.nodes[node].facts;
        if facts.kind.is_broadcast() {
            broadcast_inputs(rules, offsets, node);
        } else if facts.kind.is_data_like() {
            sub_data_inputs(rules, offsets, node);
        } else {
            plain_inputs(rules, offsets, node);
        }
    }
}

fn broadcast_inputs(rules: &Rules, offsets: &mut Offsets, node: NodeId) {
    let net = rules.plan.net;
    let mut list = Vec::new();
    for input in 0..net.nodes[node].ins {
        let Some((producer, index)) = rules.producer(node, input) else { continue };
        let known = offsets.inputs[node].get(list.len()).copied();
        let is_variable = net.nodes[producer].facts.kind == Kind::Variable;
        let offset = match known.filter(|_| is_variable) {
            Some(offset) => Some(offset),
            None => offsets.output(producer, index),
        };
        list.extend(offset);
    }
    let refs = rules.refs(node);
    let one_to_one = !refs.is_empty()
        && refs.len() == net.nodes[node].outs
        && refs.len() == net.nodes[node].ins
        && refs.iter().all(|&(output, input)| output == input);
    if one_to_one {
        offsets.outputs[node] = list.clone();
    }
    offsets.inputs[node] = list;
}

fn sub_data_inputs(rules: &Rules, offsets: &mut Offsets, node: NodeId) {
    let net = rules.plan.net;
    let Some(index) = net.nodes[node].facts.parent_index else { return };
    let Some(parent) = net.parent_of(node) else { return };
    if net.is_direct(parent) && (net.unknown_root || net.partitioned_root) {
        return;
    }
    let list = match constant_behind(rules, node) {
        Some(source) => offsets.outputs[source].clone(),
        None => {
            let Some(place) = connected_place(rules, parent, index as usize) else { return };
            offsets.inputs[parent].get(place).copied().into_iter().collect()
        }
    };
    offsets.inputs[node] = list.clone();
    offsets.outputs[node] = list;
}

/// The constant or variable that a sub-graph's Data stands for, through nested ones.
fn constant_behind(rules: &Rules, node: NodeId) -> Option<NodeId> {
    let net = rules.plan.net;
    let mut node = node;
    for _ in 0..net.graphs.len() {
        let parent = net.parent_of(node)?;
        (node, _) = rules.producer(parent, net.nodes[node].facts.parent_index? as usize)?;
        let kind = net.nodes[node].facts.kind;
        if kind.is_variable_like() || matches!(kind, Kind::Const | Kind::Constant | Kind::FileConstant) {
            return Some(node);
        }
        if !net.is_sub_data(node) {
            return None;
        }
    }
    None
}

/// Position of an input among the connected ones.
fn connected_place(rules: &Rules, node: NodeId, input: usize) -> Option<usize> {
    rules.producer(node, input)?;
    Some((0..input).filter(|&before| rules.producer(node, before).is_some()).count())
}

fn plain_inputs(rules: &Rules, offsets: &mut Offsets, node: NodeId) {
    let net = rules.plan.net;
    let facts = &net.nodes[node].facts;
    let dumped = &net.op(node).input_i;
    let refs = rules.refs(node);
    let mut list = Vec::new();
    for input in 0..net.nodes[node].ins {
        let Some((producer, index)) = rules.producer(node, input) else { continue };
        let Some(mut offset) = offsets.output(producer, index) else { continue };
        let is_const = net.nodes[producer].facts.kind == Kind::Const
            || (net.is_sub_data(producer)
                && constant_behind(rules, producer)
                    .is_some_and(|source| net.nodes[source].facts.kind == Kind::Const));
        if is_const {
            offset = net.op(node).input_desc.get(input).map_or(0, |tensor| tensor.data_offset);
        }
        let listed = facts.input_memory_type.get(input).copied();
        let on_core = matches!(listed, Some(memory::L1 | memory::UB));
        if !facts.input_memory_type.is_empty() && !dumped.is_empty() {
            let own = dumped.get(list.len()).copied().unwrap_or(0);
            offset = if on_core { own } else { offset.saturating_add(own) };
        }
        list.push(offset);
        if on_core {
            continue;
        }
        let mut handed = false;
        for &(output, _) in refs.iter().filter(|&&(_, of)| of == input) {
            if rules.custom(node, input, output) == 0 {
                offsets.set_output(node, output, offset);
                handed = true;
            }
        }
        if handed && rules.is_nopadding_out(node) {
            rules.lay_out_pieces(offsets, node, offset);
        }
    }
    offsets.inputs[node] = list;
}

/// The last point of S11.4: a parent's output lies where its sub-graph's output does.
pub(crate) fn parent_outputs(rules: &Rules, offsets: &mut Offsets) {
    let plan = rules.plan;
    let net = plan.net;
    for &node in plan.order.iter().filter(|&&node| !net.nodes[node].sub_graphs.is_empty()) {
        for (index, out) in net.outs(node).enumerate() {
            let Some(symbol) = plan.symbol_of(out) else { continue };
            let found = plan.symbols.anchors(symbol).find_map(|anchor| match anchor {
                Anchor::In(input) => {
                    let (reader, input) = net.input(input);
                    (net.nodes[reader].facts.kind == Kind::NetOutput).then_some((reader, input))
                }
                Anchor::Out(_) => None,
            });
            let Some((reader, input)) = found else { continue };
            let place = connected_place(rules, reader, input);
            if let Some(&offset) = place.and_then(|place| offsets.inputs[reader].get(place)) {
                offsets.set_output(node, index, offset);
            }
        }
    }
}
