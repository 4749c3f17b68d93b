//! Giving blocks back: when the last reader of a member has run its end is set, and its block may be taken
//! again (static allocator S3.7).

use alloc::vec::Vec;

use crate::model::static_graph::Io;
use crate::replay::assign::Assigner;
use crate::replay::facts::Kind;
use crate::replay::introsort;
use crate::replay::net::{NONE, NodeId};

impl Assigner<'_, '_, '_> {
    /// A block nobody reads is released at the next node.
    pub(super) fn suspend_unread(&mut self, block: usize) {
        let to = &mut self.store.blocks[block];
        if to.readers == 0 {
            to.readers = 1;
            let key = (to.memory_type, to.stream);
            self.queues.entry(key).or_default().push(block as u32);
        }
    }

    /// Releases what was queued at the node before: workspaces, and outputs nobody reads.
    pub(super) fn release_queues(&mut self) {
        for (key, blocks) in core::mem::take(&mut self.queues) {
            for block in blocks {
                let block = block as usize;
                let of_output = self.store.last(block).is_some_and(|last| last.io == Io::Output);
                let symbol = self.store.blocks[block].symbols.last().copied().filter(|_| of_output);
                let stream = self.store.blocks[block].stream;
                self.reusable.entry(key).or_default();
                self.release(block, key, stream, symbol.map(|symbol| symbol as usize), false);
            }
        }
    }

    /// Releases the inputs of a node that has been placed.
    pub(super) fn release_inputs(&mut self, node: NodeId) {
        let net = self.plan.net;
        let stream = self.plan.streams[node];
        let mut inputs: Vec<Option<usize>> = net.ins(node).map(|anchor| net.producer_of(anchor)).collect();
        if self.plan.options.memory_priority {
            let id = |out: usize| self.plan.ids[net.out_node[out] as usize];
            introsort::sort_by(&mut inputs, |a, b| match (a, b) {
                (Some(a), Some(b)) => id(*a) < id(*b),
                _ => false,
            });
        }
        for out in inputs.into_iter().flatten() {
            let producer = &net.nodes[net.out_node[out] as usize];
            let kind = producer.facts.kind;
            if matches!(kind, Kind::Const | Kind::Constant | Kind::FastrcnnPredictions) {
                continue;
            }
            let Some(symbol) = self.plan.symbol_of(out) else { continue };
            let block = self.symbol_block[symbol];
            if block == NONE {
                continue;
            }
            let block = block as usize;
            let forbid = producer.facts.handle_input || producer.facts.outputs.iter().any(|o| o.is_handle);
            let key = (self.store.blocks[block].memory_type, self.store.blocks[block].stream);
            self.release(block, key, stream, Some(symbol), forbid);
        }
    }

    /// S3.7.
    fn release(&mut self, block: usize, key: (u64, i64), stream: i64, symbol: Option<usize>, forbid: bool) {
        let of = &self.store.blocks[block];
        if of.readers <= 0 || !of.reuse {
            return;
        }
        let (mut last, mut by_symbol) = (self.life_time, self.life_time);
        let last_io = self.store.last(block).map(|member| (member.io, member.is_ref));
        let multi = of.multi || (of.stream != stream && last_io.is_some_and(|(io, _)| io != Io::Workspace));
        self.store.blocks[block].multi = multi;
        if multi {
            let source = self.store.of(block).rev().find(|member| !member.is_ref);
            let source = source.filter(|m| m.io == Io::Output).map(|member| (member.node, member.index));
            if let Some((node, index)) = source {
                let out = self.plan.net.nodes[node].first_out + index;
                let base = self.plan.streams[node];
                let mut streams = Vec::new();
                (last, by_symbol) = self.plan.furthest_use(out, by_symbol, &mut streams, base);
                if last_io.is_some_and(|(_, is_ref)| is_ref) {
                    self.store.raise_out_streams(block, streams.len());
                }
                if self.store.blocks[block].first && self.store.blocks[block].last {
                    for out in self.plan.net.outs(node) {
                        by_symbol = self.plan.furthest_use(out, by_symbol, &mut streams, base).1;
                    }
                }
            }
        }
        self.store.set_out(block, by_symbol, last, stream);
        let of = &mut self.store.blocks[block];
        of.readers -= 1;
        if of.readers > 0 {
            return;
        }
        let (memory_type, batch) = (of.memory_type, of.batch);
        if self.counts(batch) {
            let size = match symbol {
                Some(symbol) => self.symbol_size[symbol],
                None => self.store.last(block).map_or(0, |last| last.real),
            };
            self.stats.entry(memory_type).or_default().release(size);
        }
        let for_ever = !self.store.blocks[block].post_reuse || forbid;
        self.store.finish(block, stream, for_ever);
        self.reusable.entry(key).or_default().push(block as u32);
    }
}
