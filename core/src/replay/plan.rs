//! Everything that the candidate assigners share: order, streams, symbols and what is known of them.
//!
//! Built once per order and set of options, then only read. Facts: static allocator S2.5, S4.2 to S4.4.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::replay::cascade;
use crate::replay::facts::{Engine, Kind};
use crate::replay::feed::{Feeds, readers};
use crate::replay::group::Groups;
use crate::replay::inplace;
use crate::replay::memory;
use crate::replay::net::{Net, NodeId};
use crate::replay::order;
use crate::replay::range::Ranges;
use crate::replay::stream::{self, Slot, Windows};
use crate::replay::symbol::{Anchor, Symbols};
use crate::replay::{Options, Topo};

/// What is known of a symbol before any block exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SymbolFacts {
    /// May take memory that someone used earlier.
    pub pre: bool,
    /// May hand its memory on.
    pub post: bool,
    /// Holds an output that can get a block at all (S4.1 rule 1).
    pub is_placed: bool,
    /// Its only reader chain returns to the stream: see S3.7.
    pub stream_prior: bool,
    /// Largest requested size of its outputs.
    pub size: u64,
    /// Memory type (S4.4).
    pub memory_type: u64,
    /// A later input of a no-padding node: no memory of its own (S6.6).
    pub no_assign: bool,
    /// A member node has `_is_fixed_addr_prior`.
    pub fixed_address: bool,
    /// May be packed into an io block, as far as its nodes decide (S4.3).
    pub reuse_zero_copy: bool,
    /// Input anchors that are linked.
    pub linked_inputs: u32,
    /// Input anchors that belong to the compiled graph's NetOutput.
    pub outputs_of_model: u32,
    /// Some output-side node cannot work on memory of the user.
    pub unsupported: bool,
}

/// The shared state.
pub(crate) struct Plan<'a, 'm> {
    pub net: &'a Net<'m>,
    pub options: &'a Options,
    /// All nodes in the order of the walk.
    pub order: Vec<NodeId>,
    /// Topological number of each node.
    pub ids: Vec<u32>,
    /// Effective stream of each node.
    pub streams: Vec<i64>,
    pub slots: BTreeMap<NodeId, Vec<Slot>>,
    pub windows: Windows,
    pub symbols: Symbols,
    pub facts: Vec<SymbolFacts>,
    pub feeds: Feeds,
    pub groups: Groups,
    pub ranges: Ranges,
    /// Earliest piece of a cascade of no-padding nodes, by node (S6.4).
    pub cascade: Vec<u32>,
    /// Outputs that meet in a merge from several streams (S5.4).
    pub twins: Vec<bool>,
    /// Outputs with the atomic tag (S5.8).
    cleared: Vec<bool>,
    /// Largest number of a clean node; blocks from before it are special (S5.6).
    pub last_clean: u32,
    /// Memory counted before the walk, by type (S8.4).
    pub initial_theory: BTreeMap<u64, u64>,
}

impl<'a, 'm> Plan<'a, 'm> {
    /// Orders the graph and derives everything that no candidate changes.
    pub(crate) fn new(net: &'a Net<'m>, options: &'a Options) -> Plan<'a, 'm> {
        let orders = order::sort(net, options.topo, options.memory_priority);
        let order = net.all_nodes(&orders);
        let mut ids = alloc::vec![0u32; net.nodes.len()];
        for (position, &node) in order.iter().enumerate() {
            ids[node] = match options.topo {
                Topo::Dumped => net.nodes[node].file_id,
                _ => position as u32,
            };
        }
        let mut symbols = Symbols::new(net, &order);
        inplace::apply(net, &order, &ids, options, &mut symbols);
        let streams = stream::effective(net, &order, &ids);
        let slots = stream::parent_slots(net, &ids, &streams);
        let windows = Windows::new(net, &order, &ids, &streams);
        let feeds = Feeds::new(net, &symbols);
        let ranges = Ranges::new(net, &order);
        let cascade = cascade::minima(net, &order, &ids);
        let groups = Groups::new(net, &symbols, &order);
        let twins = twins(net, &order, &streams);
        let cleared = cleared(net, &symbols);
        let clean = order.iter().filter(|&&node| net.nodes[node].facts.kind == Kind::MemSet);
        let last_clean = clean.map(|&node| ids[node]).max().unwrap_or(0);
        let mut plan = Plan {
            net,
            options,
            order,
            ids,
            streams,
            slots,
            windows,
            symbols,
            facts: Vec::new(),
            feeds,
            groups,
            ranges,
            cascade,
            twins,
            cleared,
            last_clean,
            initial_theory: BTreeMap::new(),
        };
        plan.facts = (0..plan.symbols.len()).map(|symbol| plan.symbol_facts(symbol)).collect();
        for (symbol, facts) in plan.facts.iter().enumerate() {
            let exists = plan.symbols.anchors(symbol).next().is_some();
            if exists && facts.is_placed && !facts.pre && facts.post {
                *plan.initial_theory.entry(facts.memory_type).or_default() += super::size::align(facts.size);
            }
        }
        plan
    }

    /// Node, index and what is known of an output anchor.
    pub(crate) fn symbol_of(&self, out: usize) -> Option<usize> {
        self.symbols.of(Anchor::Out(out))
    }

    /// Whether an output is cleared centrally, or read by a node all of whose inputs are (S5.8).
    pub(crate) fn is_cleared(&self, out: usize) -> bool {
        self.cleared[out]
    }

    fn symbol_facts(&self, symbol: usize) -> SymbolFacts {
        let mut facts = SymbolFacts {
            pre: true,
            post: true,
            is_placed: false,
            stream_prior: false,
            size: 0,
            memory_type: memory::HBM,
            no_assign: self.is_not_assigned(symbol),
            fixed_address: false,
            reuse_zero_copy: true,
            linked_inputs: 0,
            outputs_of_model: 0,
            unsupported: false,
        };
        let mut wanted = memory::HBM;
        for anchor in self.symbols.anchors(symbol) {
            let (node, listed) = match anchor {
                Anchor::Out(out) => {
                    let (node, index) = self.net.output(out);
                    facts.size = facts.size.max(self.net.nodes[node].facts.outputs[index].requested);
                    facts.is_placed |= !self.net.nodes[node].facts.kind.never_placed();
                    facts.unsupported |= !self.node_takes_user_memory(node);
                    (node, self.net.nodes[node].facts.output_memory_type.get(index))
                }
                Anchor::In(input) => {
                    let (node, index) = self.net.input(input);
                    facts.linked_inputs += u32::from(self.net.producer_of(input).is_some());
                    let is_model_output =
                        self.net.nodes[node].facts.kind == Kind::NetOutput && self.net.is_direct(node);
                    facts.outputs_of_model += u32::from(is_model_output);
                    (node, self.net.nodes[node].facts.input_memory_type.get(index))
                }
            };
            wanted = wanted.max(listed.copied().and_then(|t| u64::try_from(t).ok()).unwrap_or(0));
            let node_facts = &self.net.nodes[node].facts;
            facts.fixed_address |= node_facts.fixed_address;
            facts.reuse_zero_copy &= !is_fussy(node_facts.kind, node_facts.engine);
        }
        facts.memory_type = memory::symbol_type(wanted);
        self.reuse_flags(symbol, &mut facts);
        facts
    }

    /// S4.2.
    fn reuse_flags(&self, symbol: usize, flags: &mut SymbolFacts) {
        let mut sub_data = false;
        for anchor in self.symbols.anchors(symbol) {
            let (node, out) = match anchor {
                Anchor::Out(out) => (self.net.output(out).0, Some(out)),
                Anchor::In(input) => (self.net.input(input).0, None),
            };
            let facts = &self.net.nodes[node].facts;
            let is_in = facts.kind.is_data_like() && self.net.is_direct(node);
            if !is_in && self.net.is_sub_data(node) {
                sub_data = true;
                continue;
            }
            let Some(out) = out else { continue };
            if sub_data && facts.reference {
                flags.pre = false;
            }
            if facts.iterator {
                (flags.pre, flags.post) = (false, false);
            }
            flags.stream_prior = stream::straight_chain(self.net, node, &self.streams)
                .is_some_and(|(chain, _)| chain.len() > 1);
            let model_output = self.net.consumers[out].iter().find_map(|&anchor| {
                let (consumer, index) = self.net.input(anchor as usize);
                let is_output = self.net.nodes[consumer].facts.kind == Kind::NetOutput;
                (is_output && !self.net.is_sub_output(consumer)).then_some(index)
            });
            let is_out = model_output.is_some();
            let in_ok = is_in && self.input_reusable(node);
            let out_ok = model_output.is_some_and(|index| self.output_reusable(index));
            if in_ok || out_ok {
                flags.pre = flags.pre && !is_in && (is_out || !facts.no_pre);
                flags.post = flags.post && !is_out && (is_in || !facts.no_post);
            } else {
                flags.pre = flags.pre && !is_in && !is_out && !facts.no_pre;
                flags.post = flags.post && !is_in && !is_out && !facts.no_post;
            }
            if !flags.pre && !flags.post {
                break;
            }
        }
    }

    fn input_reusable(&self, node: NodeId) -> bool {
        if self.net.unknown_root {
            return false;
        }
        let (Some(list), Some(index)) = (&self.options.input_reuse, self.net.nodes[node].facts.index) else {
            return false;
        };
        u32::try_from(index).is_ok_and(|index| list.contains(&index))
    }

    fn output_reusable(&self, index: usize) -> bool {
        self.net.unknown_root
            || self.options.output_reuse.as_ref().is_some_and(|list| list.contains(&(index as u32)))
    }

    /// Whether a node can work on memory of the user (S4.3).
    fn node_takes_user_memory(&self, node: NodeId) -> bool {
        !matches!(self.net.nodes[node].facts.engine, Engine::Dsa | Engine::Hccl | Engine::Custom)
    }

    /// S4.3 for nodes of known shape.
    pub(crate) fn is_zero_copy(&self, out: usize, continuous: bool, size: u64) -> bool {
        if self.options.io_alloc_by_ge && size > self.options.input_fusion_size {
            return false;
        }
        if continuous {
            return false;
        }
        let (node, _) = self.net.output(out);
        let facts = &self.net.nodes[node].facts;
        if facts.kind == Kind::NetOutput {
            return self.net.is_direct(node);
        }
        let all_support = || {
            self.options.feature_base_refreshable
                || (self.node_takes_user_memory(node)
                    && self.net.consumers[out].iter().all(|&anchor| {
                        self.node_takes_user_memory(self.net.in_node[anchor as usize] as usize)
                    }))
        };
        if facts.kind.is_data_like() {
            let shape_data = facts.multi_batch_shape && !self.options.offline_build;
            return !shape_data && facts.parent_index.is_none() && all_support();
        }
        let Some(symbol) = self.symbol_of(out) else { return false };
        let of = &self.facts[symbol];
        of.outputs_of_model == 1 && !of.unsupported && all_support()
    }

    /// S6.6: the symbol ends in a later input of a no-padding node.
    fn is_not_assigned(&self, symbol: usize) -> bool {
        let inputs = self.symbols.inputs(symbol).count();
        if inputs < 2 || inputs != self.symbols.outputs(symbol).count() {
            return false;
        }
        match self.symbols.anchors(symbol).next_back() {
            Some(Anchor::In(anchor)) => {
                let (node, index) = self.net.input(anchor);
                index != 0 && self.net.nodes[node].facts.nopadding_input
            }
            _ => false,
        }
    }

    /// The furthest use of an output (S3.5): (furthest, furthest by symbol).
    pub(crate) fn furthest_use(
        &self,
        out: usize,
        mut by_symbol: u32,
        streams: &mut Vec<i64>,
        base: i64,
    ) -> (u32, u32) {
        let (node, _) = self.net.output(out);
        let mut furthest = self.ids[node];
        let Some(symbol) = self.symbols.named(out) else { return (furthest, by_symbol) };
        for input in self.symbols.inputs(symbol) {
            let (reader, _) = self.net.input(input);
            let stream = self.streams[reader];
            if self.net.nodes[reader].facts.engine != Engine::GeLocal && !streams.contains(&stream) {
                streams.push(stream);
            }
            let id = self.ids[reader];
            if id > by_symbol {
                by_symbol = id;
                furthest = furthest.max(by_symbol);
            }
            if base != stream {
                let back = self.windows.return_point(id, stream, base);
                furthest = furthest.max(by_symbol).max(back);
            }
        }
        (furthest, by_symbol)
    }
}

/// Nodes whose memory must keep its address or that cannot work on the user's (S4.3).
fn is_fussy(kind: Kind, engine: Engine) -> bool {
    matches!(kind, Kind::StreamSwitch | Kind::LabelSwitchByIndex)
        || matches!(engine, Engine::Dsa | Engine::Hccl | Engine::Custom)
}

/// S5.8: the atomic tag of every output.
fn cleared(net: &Net, symbols: &Symbols) -> Vec<bool> {
    let cleans_all = |node: NodeId| {
        let facts = &net.nodes[node].facts;
        !facts.clean_in_task && facts.cleans_all_inputs()
    };
    let any_input = (0..net.nodes.len()).any(cleans_all);
    (0..net.out_node.len())
        .map(|out| {
            let (node, index) = net.output(out);
            let facts = &net.nodes[node].facts;
            (!facts.clean_in_task && facts.is_atomic_output(index))
                || (any_input
                    && readers(net, symbols, out).into_iter().any(|anchor| cleans_all(net.input(anchor).0)))
        })
        .collect()
}

/// S5.4.
fn twins(net: &Net, order: &[NodeId], streams: &[i64]) -> Vec<bool> {
    let mut twins = alloc::vec![false; net.out_node.len()];
    for &node in order.iter().filter(|&&node| net.nodes[node].facts.kind.is_merge()) {
        let sources: Vec<usize> = net.ins(node).filter_map(|anchor| net.producer_of(anchor)).collect();
        let stream = |out: usize| streams[net.out_node[out] as usize];
        if sources.iter().any(|&out| stream(out) != stream(sources[0])) {
            for out in sources {
                twins[out] = true;
            }
        }
    }
    twins
}
