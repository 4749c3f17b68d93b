//! Continuous memory during the walk: what a feeder of a continuous input asks for, continuous outputs,
//! and rows of both (static allocator S6.1, S6.2, S6.5, S6.6).

use alloc::vec::Vec;

use crate::model::static_graph::Io;
use crate::replay::assign::{Assigner, Request};
use crate::replay::block::LIFE_DEFAULT;
use crate::replay::feed::source;
use crate::replay::memory;
use crate::replay::net::NodeId;
use crate::replay::size::align;
use crate::replay::stream::LIFE_MAX;

/// What the continuous inputs that an output feeds want of it.
#[derive(Clone, Debug)]
pub(super) struct Feeding {
    /// The block belongs to a continuous request.
    pub continuous: bool,
    /// The padding-continuous node and input to record the block for.
    pub anchor: Option<(NodeId, usize)>,
    /// The block may still be packed into an io block.
    pub reuse_zero_copy: bool,
    /// Streams that read the whole.
    pub streams: Vec<i64>,
}

impl Assigner<'_, '_, '_> {
    /// S6.2. Changes the life times of the output and `op_reuse` where the whole decides them.
    pub(super) fn feed(&mut self, node: NodeId, out: usize) -> Feeding {
        let plan = self.plan;
        let net = plan.net;
        let mut feeding =
            Feeding { continuous: false, anchor: None, reuse_zero_copy: true, streams: Vec::new() };
        let mut nopadding = false;
        let fused = !net.nodes[node].facts.fusion_offsets.is_empty();
        for &edge in &net.consumers[out] {
            let Some(fed) = plan.feeds.find(net, edge as usize) else { continue };
            nopadding |= fed.nopadding;
            let separate = self.is_separate_clean(fed.node);
            let never = net.nodes[fed.node].facts.kind.never_placed();
            if never || (fed.input != 0 && (nopadding || fused || separate)) {
                feeding.continuous = false;
                return feeding;
            }
            let is_new = self.table(fed.node).blocks.is_empty();
            if is_new {
                feeding.reuse_zero_copy = false;
                if nopadding || fused || separate {
                    if self.op_reuse {
                        self.life_of_whole(node, fed.node, &mut feeding.streams);
                    }
                    if separate {
                        feeding.continuous = true;
                        self.separate_clean = true;
                    }
                    continue;
                }
            }
            if !nopadding {
                feeding.anchor = Some((fed.node, fed.input));
                feeding.continuous = true;
            }
        }
        feeding
    }

    /// From the first piece of a continuous input to its furthest reader.
    fn life_of_whole(&mut self, node: NodeId, whole: NodeId, streams: &mut Vec<i64>) {
        let plan = self.plan;
        let net = plan.net;
        let base = plan.streams[node];
        self.life_begin = plan.ids[node];
        self.life_end = 0;
        for anchor in net.ins(whole) {
            if let Some(from) = source(net, &plan.symbols, anchor) {
                let (piece, _) = net.output(from);
                let begin = plan.windows.first_point(plan.ids[piece], plan.streams[piece], base);
                self.life_begin = self.life_begin.min(begin);
            }
            if let Some(producer) = net.producer_of(anchor) {
                let (end, _) = plan.furthest_use(producer, 0, streams, base);
                self.life_end = self.life_end.max(end);
            }
        }
    }

    /// Padding-continuous, all inputs cleared by the task itself.
    fn is_separate_clean(&self, node: NodeId) -> bool {
        let facts = &self.plan.net.nodes[node].facts;
        self.plan.net.is_padding_in(node) && facts.clean_in_task && facts.atomic_inputs.is_some()
    }

    /// The size of a block that holds all inputs of a separately cleaned node.
    pub(super) fn separate_clean_total(&self, out: usize) -> u64 {
        let net = self.plan.net;
        let totals = net.consumers[out].iter().map(|&anchor| {
            let reader = net.in_node[anchor as usize] as usize;
            if !net.is_padding_in(reader) {
                return 0;
            }
            let pieces = net.ins(reader).filter_map(|anchor| net.producer_of(anchor));
            pieces.map(|piece| align(net.out_facts(piece).requested)).sum()
        });
        totals.max().unwrap_or(0)
    }

    /// Whether some reader, directly or through references, is a continuous input.
    pub(super) fn feeds_continuous(&self, out: usize) -> bool {
        let net = self.plan.net;
        net.consumers[out].iter().any(|&edge| self.plan.feeds.find(net, edge as usize).is_some())
    }

    /// Enters the block in the table of the continuous node it belongs to.
    pub(super) fn record_feeding(&mut self, block: usize, feeding: &Feeding) {
        if let Some((node, input)) = feeding.anchor {
            self.table(node).blocks.insert(input, block as u32);
            self.store.blocks[block].input = input;
        }
    }

    /// S6.6: a later input of a continuous node has no memory of its own.
    pub(super) fn is_later_input(&self, node: NodeId, out: usize) -> bool {
        let net = self.plan.net;
        let fused = !net.nodes[node].facts.fusion_offsets.is_empty();
        let mut later = false;
        for &edge in &net.consumers[out] {
            let Some(fed) = self.plan.feeds.find(net, edge as usize) else { continue };
            if fed.input == 0 {
                return false;
            }
            if !fed.nopadding && !fused && !self.is_separate_clean(fed.node) {
                continue;
            }
            later = true;
        }
        later
    }

    /// The furthest use of the whole that a reference takes part in (S5.2 `exit_life`).
    pub(super) fn exit_life(&mut self, node: NodeId, out: usize) -> u32 {
        let plan = self.plan;
        let net = plan.net;
        let mut exit = self.life_time;
        let is_whole = |node: NodeId| net.nodes[node].facts.nopadding_input || self.is_separate_clean(node);
        if is_whole(node) {
            return exit;
        }
        let readers: Vec<NodeId> = net.consumers[out]
            .iter()
            .map(|&anchor| net.input(anchor as usize))
            .filter(|&(reader, input)| input == 0 && is_whole(reader))
            .map(|(reader, _)| reader)
            .collect();
        for reader in readers {
            let end = self.life_end;
            self.life_of_whole(node, reader, &mut Vec::new());
            exit = exit.max(self.life_end);
            self.life_end = end;
        }
        exit
    }

    /// S6.1.
    pub(super) fn place_continuous_output(&mut self, node: NodeId) {
        let plan = self.plan;
        let net = plan.net;
        if net.outs(node).all(|out| plan.symbols.flagged_ref(net, out).is_some()) {
            for out in net.outs(node) {
                self.add_zero(node, out);
            }
            return;
        }
        let mut total = 0;
        let mut symbol = None;
        let mut memory_type = memory::HBM;
        for (index, out) in net.outs(node).enumerate() {
            let output = net.out_facts(out);
            if output.memory_scope == 2 {
                self.add_zero(node, out);
                continue;
            }
            total += align(output.requested);
            if index == 0 {
                symbol = plan.symbol_of(out);
                memory_type = symbol.map_or(memory::HBM, |symbol| plan.facts[symbol].memory_type);
            } else {
                self.add_zero(node, out);
            }
        }
        if total == 0 {
            return;
        }
        let base = plan.streams[node];
        let (mut end, mut by_symbol, mut streams) = (0, 0, Vec::new());
        for out in net.outs(node) {
            let furthest;
            (furthest, by_symbol) = plan.furthest_use(out, by_symbol, &mut streams, base);
            end = end.max(furthest);
        }
        if let Some(symbol) = symbol {
            self.symbol_size[symbol] = total;
        }
        self.life_begin = plan.ids[node];
        self.life_end = 0;
        let block = self.place(Request {
            node,
            io: Io::Output,
            index: 0,
            real: total,
            no_align: total,
            continuous: false,
            memory_type,
            zero_copy: false,
            op_reuse: self.op_reuse,
        });
        let end = if end == LIFE_MAX { LIFE_DEFAULT } else { end };
        let stream = self.store.blocks[block].stream;
        self.store.set_end(block, end, stream);
        self.store.raise_out_streams(block, streams.len());
        self.store.mark_whole(block);
        let to = &mut self.store.blocks[block];
        to.reuse_zero_copy = false;
        to.same_offset = net.nodes[node].facts.same_offset;
        if let Some(symbol) = symbol {
            to.readers += i64::from(plan.facts[symbol].linked_inputs);
            self.symbol_block[symbol] = block as u32;
        }
    }

    /// S6.5: the first member of a row gets the block of the whole row.
    pub(super) fn place_row(&mut self, node: NodeId, out: usize, row: usize, leads: bool) {
        let plan = self.plan;
        let net = plan.net;
        if !leads {
            self.add_zero(node, out);
            return;
        }
        let group = &plan.groups.rows[row];
        self.op_reuse = self.op_reuse && plan.options.separate_clean;
        let mut streams = Vec::new();
        if self.op_reuse {
            let base = plan.streams[node];
            let (mut end, mut by_symbol) = (0, 0);
            for &(member, _) in &group.members {
                self.life_begin = self.life_begin.min(plan.ids[net.output(member).0]);
                let furthest;
                (furthest, by_symbol) = plan.furthest_use(member, by_symbol, &mut streams, base);
                end = end.max(furthest);
            }
            self.life_end = end;
        }
        let symbol = plan.symbol_of(out);
        if let Some(symbol) = symbol {
            self.symbol_size[symbol] = group.total;
        }
        let (_, index) = net.output(out);
        let zero_copy = plan.is_zero_copy(out, true, group.total);
        let block = self.place(Request {
            node,
            io: Io::Output,
            index,
            real: group.total,
            no_align: group.total,
            continuous: false,
            memory_type: memory::HBM,
            zero_copy,
            op_reuse: self.op_reuse,
        });
        self.group_block[row] = block as u32;
        self.store.raise_out_streams(block, streams.len());
        self.store.mark_whole(block);
        let to = &mut self.store.blocks[block];
        to.reuse_zero_copy = false;
        if let Some(symbol) = symbol {
            to.readers += i64::from(plan.facts[symbol].linked_inputs);
            self.symbol_block[symbol] = block as u32;
        }
        self.suspend_unread(block);
    }
}
