//! Whether a layout is sound: no two buffers that are alive at once share bytes, unless a rule says so.
//!
//! Independent of how the layout was made: looks at final offsets only, and derives order from links and
//! streams by itself. Sharing by rule: references (one symbol), pieces of continuous memory with their
//! whole, and branches of a multi-batch model, of which only one runs.

use alloc::vec::Vec;

use crate::model::static_graph::Io;
use crate::replay::memory;
use crate::replay::net::{NONE, Net, NodeId};
use crate::replay::offsets::VARIABLE_BASE;
use crate::replay::plan::Plan;
use crate::replay::symbol::{Anchor, Symbols};
use crate::replay::{Options, Replayed, Replayer};
use crate::units::{Bytes, Offset};

/// Two buffers that share bytes although both are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// One buffer.
    pub first: Buffer,
    /// The other.
    pub second: Buffer,
}

/// An output or workspace with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Number of its node in the dump, all graphs one after the other.
    pub node: usize,
    /// Output or workspace.
    pub io: Io,
    /// Which.
    pub index: usize,
    /// Place in its memory type.
    pub offset: Offset,
    /// Bytes in use.
    pub size: Bytes,
}

/// All clashes of a layout that was replayed with `options`.
pub fn clashes(replayer: &Replayer, options: &Options, replayed: &Replayed) -> Vec<Clash> {
    let plan = Plan::new(&replayer.net, options);
    let order = Order::new(&plan);
    let families = Families::new(plan.net, &plan.symbols);
    let mut items = buffers(&plan, replayed);
    items.sort_by_key(|item| (item.memory_type, item.buffer.offset, item.buffer.node, item.buffer.index));
    let mut clashes = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for at in 0..items.len() {
        let item = &items[at];
        open.retain(|&other| {
            let other = &items[other];
            other.memory_type == item.memory_type
                && other.buffer.offset.end(other.buffer.size) > item.buffer.offset
        });
        for &other in &open {
            let other = &items[other];
            if !may_share(&plan, &order, &families, other, item) {
                clashes.push(Clash { first: other.buffer, second: item.buffer });
            }
        }
        open.push(at);
    }
    clashes
}

/// A buffer and who uses it.
struct Item {
    memory_type: u64,
    symbol: Option<usize>,
    buffer: Buffer,
    users: Vec<NodeId>,
}

/// Every placed output and workspace; of a symbol one entry a place.
fn buffers(plan: &Plan, replayed: &Replayed) -> Vec<Item> {
    let net = plan.net;
    let mut items = Vec::new();
    for &node in &plan.order {
        let facts = &net.nodes[node].facts;
        for (index, out) in net.outs(node).enumerate() {
            let Some(&offset) = replayed.offsets.outputs[node].get(index) else { continue };
            let Some(symbol) = plan.symbol_of(out) else { continue };
            // Without padding: pieces of no-padding memory lie so closely that their padding overlaps.
            let output = &facts.outputs[index];
            let size =
                if output.unpadded == 0 { output.requested } else { output.unpadded.min(output.requested) };
            let own = plan.symbols.outputs(symbol).any(|out| {
                let kind = net.nodes[net.output(out).0].facts.kind;
                kind.never_placed()
            });
            let in_variable = plan.facts[symbol].memory_type == memory::HBM && offset >= VARIABLE_BASE;
            if facts.kind.never_placed() || own || in_variable || offset < 0 || size == 0 {
                continue;
            }
            items.push(Item {
                memory_type: plan.facts[symbol].memory_type,
                symbol: Some(symbol),
                buffer: Buffer { node, io: Io::Output, index, offset: Offset(offset), size: Bytes(size) },
                users: users(plan, symbol),
            });
        }
    }
    // Workspaces keep the rows' memory type; those without a row of their own were not placed.
    for block in &replayed.layout.blocks {
        let Some(index) = usize::try_from(block.index).ok().filter(|_| block.io == Io::Workspace) else {
            continue;
        };
        let Some(node) = plan.order.iter().copied().find(|&node| net.nodes[node].name == block.node) else {
            continue;
        };
        let of_node = net.nodes[node].workspaces.get(index).is_some_and(|&bytes| bytes == block.real_size.0);
        if of_node
            && block.size > Bytes::ZERO
            && replayed.offsets.workspaces[node].get(index) == Some(&block.offset.0)
        {
            items.push(Item {
                memory_type: block.memory_type,
                symbol: None,
                buffer: Buffer {
                    node,
                    io: Io::Workspace,
                    index,
                    offset: block.offset,
                    size: block.real_size,
                },
                users: Vec::from([node]),
            });
        }
    }
    items
}

/// Nodes that write or read a symbol, outputs of the model excepted.
fn users(plan: &Plan, symbol: usize) -> Vec<NodeId> {
    let net = plan.net;
    let mut users: Vec<NodeId> = plan
        .symbols
        .anchors(symbol)
        .filter_map(|anchor| match anchor {
            // An output of a parent node is written by a node of its sub-graph.
            Anchor::Out(out) => Some(net.output(out).0).filter(|&node| net.nodes[node].sub_graphs.is_empty()),
            Anchor::In(input) => net.producer_of(input).map(|_| net.input(input).0),
        })
        .collect();
    users.sort_unstable();
    users.dedup();
    users
}

fn may_share(plan: &Plan, order: &Order, families: &Families, a: &Item, b: &Item) -> bool {
    let batch = |item: &Item| plan.net.nodes[item.buffer.node].facts.batch;
    let labels = (batch(a), batch(b));
    let empty = crate::intern::Name::EMPTY;
    if labels.0 != labels.1 && labels.0 != empty && labels.1 != empty {
        return true;
    }
    if let (Some(x), Some(y)) = (a.symbol, b.symbol)
        && (x == y || families.root(x) == families.root(y))
    {
        return true;
    }
    order.all_before(&a.users, &b.users) || order.all_before(&b.users, &a.users)
}

/// What is known to have run before what.
struct Order<'p> {
    ids: &'p [u32],
    stream: Vec<usize>,
    streams: usize,
    /// By node and stream: one more than the largest number on that stream known to have run before.
    clocks: Vec<u32>,
}

impl<'p> Order<'p> {
    fn new(plan: &'p Plan) -> Order<'p> {
        let net = plan.net;
        let mut known: Vec<i64> = plan.streams.clone();
        known.sort_unstable();
        known.dedup();
        let stream: Vec<usize> =
            plan.streams.iter().map(|stream| known.binary_search(stream).unwrap_or(0)).collect();
        let streams = known.len();
        let mut order =
            Order { ids: &plan.ids, stream, streams, clocks: alloc::vec![0; net.nodes.len() * streams] };
        let mut last: Vec<Option<NodeId>> = alloc::vec![None; streams];
        for &node in &plan.order {
            let own = order.stream[node];
            if let Some(before) = last[own] {
                order.follow(node, before);
            }
            for before in predecessors(net, node) {
                order.follow(node, before);
            }
            last[own] = Some(node);
        }
        order
    }

    fn follow(&mut self, node: NodeId, before: NodeId) {
        for stream in 0..self.streams {
            let theirs = self.clocks[before * self.streams + stream];
            let own = &mut self.clocks[node * self.streams + stream];
            *own = (*own).max(theirs);
        }
        let own = &mut self.clocks[node * self.streams + self.stream[before]];
        *own = (*own).max(self.ids[before].saturating_add(1));
    }

    /// Every node of `a` is known to have run before every node of `b`.
    fn all_before(&self, a: &[NodeId], b: &[NodeId]) -> bool {
        a.iter().all(|&x| b.iter().all(|&y| self.clocks[y * self.streams + self.stream[x]] > self.ids[x]))
    }
}

/// Producers and control predecessors, through the borders of sub-graphs.
fn predecessors(net: &Net, node: NodeId) -> Vec<NodeId> {
    let mut before: Vec<NodeId> = net
        .ins(node)
        .filter_map(|input| net.producer_of(input))
        .map(|out| net.output(out).0)
        .chain(net.nodes[node].in_ctrl.iter().copied())
        .collect();
    for at in 0..before.len() {
        let producer = before[at];
        for &graph in &net.nodes[producer].sub_graphs {
            before.extend(
                net.graphs[graph]
                    .nodes
                    .iter()
                    .copied()
                    .filter(|&inner| net.nodes[inner].facts.kind == super::facts::Kind::NetOutput),
            );
        }
    }
    before.extend(net.parent_of(node));
    before
}

/// Symbols that lie in one piece of continuous memory.
struct Families {
    parent: Vec<u32>,
}

impl Families {
    fn new(net: &Net, symbols: &Symbols) -> Families {
        let mut families = Families { parent: (0..symbols.len() as u32).collect() };
        for (node, of) in net.nodes.iter().enumerate() {
            let inputs = of.facts.continuous_input || of.facts.nopadding_input;
            let outputs = of.facts.continuous_output || of.facts.nopadding_output;
            let ins = net.ins(node).filter(|_| inputs || of.facts.nopadding_output).map(Anchor::In);
            let outs = net.outs(node).filter(|_| outputs || of.facts.nopadding_input).map(Anchor::Out);
            let mut first = NONE;
            for symbol in ins.chain(outs).filter_map(|anchor| symbols.of(anchor)) {
                if first == NONE {
                    first = symbol as u32;
                } else {
                    let (a, b) = (families.root(first as usize), families.root(symbol));
                    families.parent[a] = b as u32;
                }
            }
        }
        families
    }

    fn root(&self, symbol: usize) -> usize {
        let mut at = symbol;
        while self.parent[at] as usize != at {
            at = self.parent[at] as usize;
        }
        at
    }
}
