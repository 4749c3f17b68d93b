//! The three lists of offsets every node ends up with, and the rules by which references hand them on
//! (static allocator S11.1).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::model::static_graph::Io;
use crate::replay::assign::Assigner;
use crate::replay::facts::Kind;
use crate::replay::layout;
use crate::replay::net::NodeId;
use crate::replay::plan::Plan;
use crate::replay::size;

/// "Not placed."
const UNSET: i64 = -1;
/// Where variables start (dump graphs chapter 7).
pub(crate) const VARIABLE_BASE: i64 = 34_359_738_368;
/// Room that the variable manager leaves around each variable.
const VARIABLE_GAP: u64 = 1024;

/// Offsets of outputs, connected inputs and workspaces of every node.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    /// By node: offset of each output; -1 where none was given.
    pub outputs: Vec<Vec<i64>>,
    /// By node: offset of each connected data input.
    pub inputs: Vec<Vec<i64>>,
    /// By node: offset of each workspace.
    pub workspaces: Vec<Vec<i64>>,
}

impl Offsets {
    /// Lists for so many nodes, with nothing in them.
    pub(crate) fn new(nodes: usize) -> Offsets {
        let empty = || alloc::vec![Vec::new(); nodes];
        Offsets { outputs: empty(), inputs: empty(), workspaces: empty() }
    }

    /// Offset of an output, if it has an entry.
    pub(crate) fn output(&self, node: NodeId, index: usize) -> Option<i64> {
        self.outputs[node].get(index).copied()
    }

    /// Writes the offset of an output.
    pub(crate) fn set_output(&mut self, node: NodeId, index: usize, offset: i64) {
        set(&mut self.outputs[node], index, offset);
    }

    /// Writes the offset of a workspace.
    pub(crate) fn set_workspace(&mut self, node: NodeId, index: usize, offset: i64) {
        set(&mut self.workspaces[node], index, offset);
    }

    /// Members of a top-level block take the place of their block (S7.4).
    pub(crate) fn take_block(&mut self, assigner: &Assigner, top: u32) {
        let store = &assigner.store;
        let net = assigner.plan.net;
        for (block, _) in layout::nested(store, &net.model.names, top as usize) {
            let head = i64::try_from(store.blocks[block].head).unwrap_or(i64::MAX);
            for member in store.of(block).filter(|member| !member.placeholder) {
                match member.io {
                    Io::Workspace => self.set_workspace(member.node, member.index, head),
                    Io::Output => {
                        let kind = net.nodes[member.node].facts.kind;
                        let known_input = net.is_sub_data(member.node);
                        let keeps = matches!(
                            kind,
                            Kind::Data | Kind::RefData | Kind::AippData | Kind::MultiShape | Kind::NetOutput
                        ) && !known_input;
                        let old = self.output(member.node, member.index).unwrap_or(UNSET);
                        if !keeps || old < head {
                            self.set_output(member.node, member.index, head);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn set(list: &mut Vec<i64>, index: usize, offset: i64) {
    if list.len() <= index {
        list.resize(index + 1, UNSET);
    }
    list[index] = offset;
}

/// Addresses of the variables, one behind the other in node order.
pub(crate) fn variables(plan: &Plan) -> BTreeMap<NodeId, i64> {
    let mut next = VARIABLE_BASE;
    let mut addresses = BTreeMap::new();
    for &node in &plan.order {
        let facts = &plan.net.nodes[node].facts;
        if !matches!(
            facts.kind,
            Kind::Variable | Kind::Constant | Kind::FileConstant | Kind::ConstPlaceHolder
        ) {
            continue;
        }
        let Some(output) = facts.outputs.first().filter(|output| output.variable.is_none()) else { continue };
        addresses.insert(node, next);
        let step = size::align(output.stored).saturating_add(VARIABLE_GAP);
        next = next.saturating_add_unsigned(step);
    }
    addresses
}

/// Rules that several passes share.
pub(crate) struct Rules<'p, 'a, 'm> {
    pub plan: &'p Plan<'a, 'm>,
}

impl Rules<'_, '_, '_> {
    /// Padding-continuous input.
    pub(crate) fn is_padding_in(&self, node: NodeId) -> bool {
        self.plan.net.is_padding_in(node)
    }

    /// Padding-continuous output.
    pub(crate) fn is_padding_out(&self, node: NodeId) -> bool {
        self.plan.net.is_padding_out(node)
    }

    /// No-padding input that takes effect.
    pub(crate) fn is_nopadding_in(&self, node: NodeId) -> bool {
        let facts = &self.plan.net.nodes[node].facts;
        !self.is_padding_in(node) && facts.nopadding_input && facts.output_reuse_input
    }

    /// No-padding output that takes effect.
    pub(crate) fn is_nopadding_out(&self, node: NodeId) -> bool {
        let facts = &self.plan.net.nodes[node].facts;
        !self.is_padding_out(node) && facts.nopadding_output && facts.output_reuse_input
    }

    /// Any continuous input.
    pub(crate) fn is_continuous_in(&self, node: NodeId) -> bool {
        self.is_padding_in(node) || self.is_nopadding_in(node)
    }

    /// (output, input) of the references of a node (S11.1 `refs`).
    pub(crate) fn refs(&self, node: NodeId) -> Vec<(usize, usize)> {
        let net = self.plan.net;
        let kind = net.nodes[node].facts.kind;
        if kind.is_data_like() || kind == Kind::NetOutput {
            return Vec::new();
        }
        let mut refs = Vec::new();
        let whole = self.plan.symbols.is_whole_ref(net, node);
        for (index, out) in net.outs(node).enumerate() {
            if whole {
                refs.push((index, 0));
                break;
            }
            if let Some(input) = self.plan.symbols.ref_input(net, out) {
                refs.push((index, input as usize));
            }
        }
        refs
    }

    /// Producer node and output index of an input.
    pub(crate) fn producer(&self, node: NodeId, input: usize) -> Option<(NodeId, usize)> {
        let net = self.plan.net;
        if input >= net.nodes[node].ins {
            return None;
        }
        net.producer_of(net.nodes[node].first_in + input).map(|out| net.output(out))
    }

    /// Data consumers of all outputs of a node: (reader, input).
    pub(crate) fn consumers(&self, node: NodeId) -> impl Iterator<Item = (NodeId, usize)> + '_ {
        let net = self.plan.net;
        net.outs(node).flat_map(|out| &net.consumers[out]).map(|&anchor| net.input(anchor as usize))
    }

    /// A node that holds a variable.
    pub(crate) fn is_variable_memory(&self, node: NodeId) -> bool {
        matches!(self.plan.net.nodes[node].facts.kind, Kind::Variable | Kind::Constant)
    }

    /// How far an operator's own offsets move an output from its input (S11.3 `custom`).
    pub(crate) fn custom(&self, node: NodeId, input: usize, output: usize) -> i64 {
        let net = self.plan.net;
        let of = &net.nodes[node];
        if !(of.facts.custom_offsets && of.facts.output_reuse_input && of.ins == 1 && of.outs == 1) {
            return 0;
        }
        let (reader, index) = match net.consumers[of.first_out + output].iter().find_map(|&anchor| {
            let (reader, index) = net.input(anchor as usize);
            (!net.nodes[reader].facts.input_offsets.is_empty()).then_some((reader, index))
        }) {
            Some(found) => (Some(found.0), found.1),
            None => (None, 0),
        };
        let towards = reader.and_then(|reader| net.nodes[reader].facts.input_offsets.get(index));
        let from = self
            .producer(node, input)
            .and_then(|(producer, index)| net.nodes[producer].facts.output_offsets.get(index).copied());
        towards.copied().unwrap_or(0).saturating_sub(from.unwrap_or(0))
    }

    /// Lays the outputs of a no-padding node one behind the other (S11.3, S11.4).
    pub(crate) fn lay_out_pieces(&self, offsets: &mut Offsets, node: NodeId, base: i64) {
        if self.lay_out_by_list(offsets, node, base) {
            return;
        }
        let mut at = base;
        for index in 0..self.plan.net.nodes[node].outs {
            offsets.set_output(node, index, at);
            at = at.saturating_add_unsigned(self.output_piece(node, index));
        }
    }

    /// Outputs whose reader names the offsets itself (S11.3 `by_list`); true if there was one.
    pub(crate) fn lay_out_by_list(&self, offsets: &mut Offsets, node: NodeId, base: i64) -> bool {
        let net = self.plan.net;
        let mut any = false;
        for (index, out) in net.outs(node).enumerate() {
            let listed = net.consumers[out].iter().find_map(|&anchor| {
                let (reader, input) = net.input(anchor as usize);
                let list = &net.nodes[reader].facts.input_offsets;
                (!list.is_empty()).then(|| list.get(input).copied()).flatten()
            });
            if let Some(offset) = listed {
                offsets.set_output(node, index, base.saturating_add(offset));
                any = true;
            }
        }
        any
    }

    /// Size of one piece of a no-padding output.
    pub(crate) fn output_piece(&self, node: NodeId, index: usize) -> u64 {
        self.piece(node, node, index)
    }

    /// Size of output `index` of `producer` as a piece of the no-padding node `of`.
    pub(crate) fn piece(&self, of: NodeId, producer: NodeId, index: usize) -> u64 {
        let net = self.plan.net;
        let dim = net.nodes[of].facts.piece_dim;
        net.op(producer).output_desc.get(index).map_or(0, |t| size::piece(t, &net.model.names, dim))
    }
}
