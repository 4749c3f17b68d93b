//! Pieces of continuous memory move to their place in the whole (static allocator S11.3).

use alloc::vec::Vec;

use crate::model::static_graph::{Block as Row, Io, Placement};
use crate::replay::net::NodeId;
use crate::replay::offsets::{Offsets, Rules};
use crate::replay::rows;
use crate::replay::size::{self, align};
use crate::units::{Bytes, Offset};

/// Moves the pieces and records each move.
pub(crate) fn pass(rules: &Rules, offsets: &mut Offsets, rows: &mut Vec<Row>) {
    let mut pass = Pass { rules, offsets, rows };
    let mut stack = Vec::new();
    for &node in &rules.plan.order {
        if pass.is_ref_cascade(node) {
            stack.push(node);
        } else if rules.is_continuous_in(node) {
            if pass.is_direct(node) {
                pass.assign_in(node, false);
            } else {
                stack.push(node);
            }
        }
        if rules.is_padding_out(node) || rules.is_nopadding_out(node) {
            pass.assign_out(node);
        }
    }
    while let Some(node) = stack.pop() {
        if rules.is_continuous_in(node) {
            pass.assign_in(node, true);
        } else {
            pass.hand_back(node);
        }
    }
}

struct Pass<'r, 'p, 'a, 'm> {
    rules: &'r Rules<'p, 'a, 'm>,
    offsets: &'r mut Offsets,
    rows: &'r mut Vec<Row>,
}

impl Pass<'_, '_, '_, '_> {
    fn is_ref(&self, node: NodeId, index: usize) -> bool {
        let net = self.rules.plan.net;
        self.rules.plan.symbols.ref_input(net, net.nodes[node].first_out + index).is_some()
    }

    /// References in a row: the last must be placed before the first.
    fn is_ref_cascade(&self, node: NodeId) -> bool {
        let net = self.rules.plan.net;
        let mut inputs: Vec<u32> =
            net.outs(node).filter_map(|out| self.rules.plan.symbols.ref_input(net, out)).collect();
        if inputs.is_empty() {
            return false;
        }
        inputs.sort_unstable();
        inputs.dedup();
        for input in inputs {
            let Some((producer, index)) = self.rules.producer(node, input as usize) else { continue };
            if self.rules.is_variable_memory(producer) {
                return false;
            }
            if self.is_ref(producer, index) {
                return true;
            }
        }
        self.rules.consumers(node).any(|(reader, _)| {
            net.outs(reader).any(|out| self.rules.plan.symbols.ref_input(net, out).is_some())
        })
    }

    fn is_direct(&self, node: NodeId) -> bool {
        let net = self.rules.plan.net;
        for input in 0..net.nodes[node].ins {
            let Some((producer, _)) = self.rules.producer(node, input) else { continue };
            if net.nodes[producer].facts.kind == super::facts::Kind::Variable {
                return true;
            }
            if self.rules.is_continuous_in(producer) {
                return false;
            }
        }
        !self.rules.consumers(node).any(|(reader, _)| self.rules.is_continuous_in(reader))
    }

    fn assign_in(&mut self, node: NodeId, reverse: bool) {
        let net = self.rules.plan.net;
        let nopadding = self.rules.is_nopadding_in(node);
        let mut running = 0i64;
        for input in 0..net.nodes[node].ins {
            let Some((producer, index)) = self.rules.producer(node, input) else { continue };
            let facts = &net.nodes[producer].facts;
            let (step, shown) = if let Some(&step) = facts.fusion_offsets.get(index) {
                let step = size::of_dump(step);
                (step, step)
            } else if let Some(&listed) = facts.output_offsets.get(index) {
                let own = self.offsets.output(node, 0).unwrap_or(0);
                self.offsets.set_output(producer, index, own.saturating_add(listed));
                self.record(Placement::ContinuousInput, producer, index, 0, nopadding);
                continue;
            } else if nopadding {
                let step = self.rules.piece(node, producer, index);
                (step, step)
            } else {
                let stored = facts.outputs.get(index).map_or(0, |output| output.stored);
                (align(stored), stored)
            };
            if input == 0 {
                if reverse && let [(output, 0)] = self.rules.refs(node)[..] {
                    let own = self.offsets.output(node, output).unwrap_or(0);
                    self.offsets.set_output(producer, index, own);
                }
                running = self.offsets.output(producer, index).unwrap_or(0);
            } else {
                self.offsets.set_output(producer, index, running);
            }
            self.record(Placement::ContinuousInput, producer, index, shown, nopadding);
            running = running.saturating_add_unsigned(step);
        }
    }

    fn assign_out(&mut self, node: NodeId) {
        let net = self.rules.plan.net;
        let facts = &net.nodes[node].facts;
        let nopadding = self.rules.is_nopadding_out(node);
        let mut by_list = false;
        let mut base = if nopadding {
            let from = self.rules.producer(node, 0);
            let base = from.and_then(|(producer, index)| self.offsets.output(producer, index)).unwrap_or(0);
            by_list = self.rules.lay_out_by_list(self.offsets, node, base);
            base
        } else {
            if facts.reference {
                return;
            }
            self.offsets.output(node, 0).unwrap_or(0)
        };
        for index in 0..net.nodes[node].outs {
            if !by_list {
                self.offsets.set_output(node, index, base);
            }
            let shown = if nopadding {
                let piece = self.rules.output_piece(node, index);
                base = base.saturating_add_unsigned(piece);
                piece
            } else {
                let stored = facts.outputs.get(index).map_or(0, |output| output.stored);
                let end = u64::try_from(base).unwrap_or(0).saturating_add(stored);
                base = i64::try_from(align(end)).unwrap_or(i64::MAX);
                stored
            };
            self.record(Placement::ContinuousOutput, node, index, shown, nopadding);
        }
    }

    /// The end of a cascade of references: the producer takes the place of the reference.
    fn hand_back(&mut self, node: NodeId) {
        let net = self.rules.plan.net;
        for (output, input) in self.rules.refs(node) {
            let Some((producer, index)) = self.rules.producer(node, input) else { continue };
            if self.rules.is_variable_memory(producer) || self.rules.custom(node, input, output) != 0 {
                continue;
            }
            let own = self.offsets.output(node, output).unwrap_or(0);
            let dumped = net.op(node).input_i.get(input).copied().unwrap_or(0);
            self.offsets.set_output(producer, index, own.saturating_sub(dumped));
        }
    }

    fn record(&mut self, placement: Placement, node: NodeId, index: usize, size: u64, nopadding: bool) {
        let plan = self.rules.plan;
        let symbol = plan.symbol_of(plan.net.nodes[node].first_out + index);
        self.rows.push(Row {
            offset: Offset(self.offsets.output(node, index).unwrap_or(0)),
            memory_type: symbol.map_or(super::memory::HBM, |symbol| plan.facts[symbol].memory_type),
            real_size: Bytes(size),
            no_padding: Some(u64::from(nopadding)),
            batch: crate::intern::Name::EMPTY,
            ..rows::plain(plan, placement, node, Io::Output, index)
        });
    }
}
