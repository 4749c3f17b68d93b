//! Whether sharing would make the outputs of a branch or loop body depend on its inputs (static allocator
//! S2.4, control-flow check).

use alloc::vec::Vec;

use crate::replay::facts::Kind;
use crate::replay::inplace::is_immutable;
use crate::replay::net::{Net, NodeId};
use crate::replay::symbol::{Anchor, Symbols};

/// Whether any branch or body conflicts under the references now set.
pub(crate) fn conflicts(net: &Net, order: &[NodeId], symbols: &Symbols) -> bool {
    order.iter().any(|&node| {
        let graphs = &net.nodes[node].sub_graphs;
        match net.nodes[node].facts.kind {
            Kind::If | Kind::StatelessIf => {
                graphs.iter().take(2).any(|&graph| branch_conflicts(net, order, symbols, graph))
            }
            Kind::Case | Kind::StatelessCase => {
                graphs.iter().any(|&graph| branch_conflicts(net, order, symbols, graph))
            }
            Kind::While | Kind::StatelessWhile => {
                graphs.get(1).is_some_and(|&body| body_conflicts(net, order, symbols, body))
            }
            _ => false,
        }
    })
}

/// The symbols of a sub-graph taken by itself, with the references now set.
fn own_symbols(net: &Net, order: &[NodeId], symbols: &Symbols, graph: usize) -> Symbols {
    let inner: Vec<NodeId> = order.iter().copied().filter(|&node| is_within(net, node, graph)).collect();
    Symbols::of_graph(net, &inner, graph, symbols.reuse_input.clone())
}

/// Whether a node lies in a graph or in one below it.
fn is_within(net: &Net, node: NodeId, graph: usize) -> bool {
    let mut node = node;
    for _ in 0..net.graphs.len() {
        if net.nodes[node].graph == graph {
            return true;
        }
        match net.parent_of(node) {
            Some(parent) => node = parent,
            None => return false,
        }
    }
    false
}

fn net_output(net: &Net, graph: usize) -> Option<NodeId> {
    net.graphs[graph].nodes.iter().copied().find(|&node| net.nodes[node].facts.kind == Kind::NetOutput)
}

fn branch_conflicts(net: &Net, order: &[NodeId], symbols: &Symbols, graph: usize) -> bool {
    let Some(output) = net_output(net, graph) else { return false };
    let own = own_symbols(net, order, symbols, graph);
    let mut seen = Vec::new();
    for anchor in net.ins(output) {
        let Some(symbol) = own.of(Anchor::In(anchor)) else { continue };
        if seen.contains(&symbol) {
            return true;
        }
        seen.push(symbol);
        let is_tied = own.outputs(symbol).any(|out| {
            let (node, _) = net.output(out);
            let kind = net.nodes[node].facts.kind;
            (kind == Kind::Data && net.nodes[node].graph == graph)
                || is_immutable(kind)
                || kind == Kind::RefData
                || net.out_facts(out).variable.is_some()
        });
        if is_tied {
            return true;
        }
    }
    false
}

fn body_conflicts(net: &Net, order: &[NodeId], symbols: &Symbols, graph: usize) -> bool {
    let Some(output) = net_output(net, graph) else { return false };
    let mut straight = Vec::new();
    for (index, anchor) in net.ins(output).enumerate() {
        let Some(out) = net.producer_of(anchor) else { continue };
        let (node, _) = net.output(out);
        if net.nodes[node].facts.kind != Kind::Data || net.consumers[out].len() != 1 {
            continue;
        }
        let target = net.nodes[output].facts.parent_outputs.get(index).copied().flatten();
        if net.nodes[node].facts.parent_index != target {
            return true;
        }
        straight.push(anchor);
    }
    needs_copies(net, order, symbols, graph, output)
        && net.ins(output).filter(|anchor| !straight.contains(anchor)).any(|anchor| {
            let Some(out) = net.producer_of(anchor) else { return false };
            let (node, _) = net.output(out);
            net.nodes[node].facts.kind != Kind::Identity || net.consumers[out].len() != 1
        })
}

fn needs_copies(net: &Net, order: &[NodeId], symbols: &Symbols, graph: usize, output: NodeId) -> bool {
    let data = net.graphs[graph].nodes.iter().find(|&&node| net.nodes[node].facts.kind == Kind::Data);
    let single = net.nodes[output].ins == 1 && data.is_some_and(|&data| net.nodes[data].outs == 1);
    if !single {
        return true;
    }
    let own = own_symbols(net, order, symbols, graph);
    let count = (0..own.len()).filter(|&symbol| own.anchors(symbol).next().is_some()).count();
    let feeds_whole = net.ins(output).filter_map(|anchor| own.of(Anchor::In(anchor))).any(|symbol| {
        own.inputs(symbol).any(|input| {
            let facts = &net.nodes[net.input(input).0].facts;
            facts.continuous_input || facts.nopadding_input
        })
    });
    count == 2 || feeds_whole
}
