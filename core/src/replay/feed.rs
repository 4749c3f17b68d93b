//! Which outputs end up in a continuous input, directly or through references (static allocator S6.2).

use alloc::vec::Vec;

use crate::replay::net::{NONE, Net, NodeId};
use crate::replay::symbol::Symbols;

/// For every input anchor the continuous input that lies at or behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Feeds {
    nopadding: Vec<u32>,
    padding: Vec<u32>,
}

/// A continuous input that an edge leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fed {
    /// The continuous node.
    pub node: NodeId,
    /// The input at which it is reached.
    pub input: usize,
    /// Whether its pieces lie without padding.
    pub nopadding: bool,
}

impl Feeds {
    /// Searches from every input anchor, if the graph has continuous inputs at all.
    pub(crate) fn new(net: &Net, symbols: &Symbols) -> Feeds {
        let is_nopadding = |node: NodeId| net.nodes[node].facts.nopadding_input && net.nodes[node].ins > 1;
        let is_padding = |node: NodeId| net.is_padding_in(node);
        let search_all = |test: &dyn Fn(NodeId) -> bool| {
            if !(0..net.nodes.len()).any(test) {
                return Vec::new();
            }
            (0..net.in_node.len()).map(|anchor| search(net, symbols, anchor, test)).collect()
        };
        Feeds { nopadding: search_all(&is_nopadding), padding: search_all(&is_padding) }
    }

    /// Where an edge leads: a no-padding input first, else a padding one.
    pub(crate) fn find(&self, net: &Net, edge: usize) -> Option<Fed> {
        let found = |list: &[u32]| list.get(edge).copied().filter(|&anchor| anchor != NONE);
        let (anchor, nopadding) = match found(&self.nopadding) {
            Some(anchor) => (anchor, true),
            None => (found(&self.padding)?, false),
        };
        let (node, input) = net.input(anchor as usize);
        Some(Fed { node, input, nopadding })
    }
}

/// The last anchor met whose node passes the test, following outputs that refer to the anchor.
fn search(net: &Net, symbols: &Symbols, start: usize, test: &dyn Fn(NodeId) -> bool) -> u32 {
    let mut found = NONE;
    let mut stack = Vec::from([start]);
    let mut steps = 0;
    while let Some(anchor) = stack.pop() {
        let (node, input) = net.input(anchor);
        if test(node) {
            found = anchor as u32;
        }
        steps += 1;
        if steps > net.in_node.len() {
            break;
        }
        for out in net.outs(node) {
            if symbols.ref_input(net, out) == Some(input as u32) {
                stack.extend(net.consumers[out].iter().map(|&next| next as usize));
            }
        }
    }
    found
}

/// The output that an input's memory comes from, followed back through references.
pub(crate) fn source(net: &Net, symbols: &Symbols, anchor: usize) -> Option<usize> {
    let mut out = net.producer_of(anchor)?;
    for _ in 0..net.out_node.len() {
        let (node, _) = net.output(out);
        let Some(input) = symbols.ref_input(net, out) else { return Some(out) };
        if input as usize >= net.nodes[node].ins {
            return Some(out);
        }
        match net.producer_of(net.nodes[node].first_in + input as usize) {
            Some(next) => out = next,
            None => return Some(out),
        }
    }
    Some(out)
}

/// The inputs that read an output, followed forward through references: each before what lies behind it.
pub(crate) fn readers(net: &Net, symbols: &Symbols, out: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack: Vec<usize> = net.consumers[out].iter().rev().map(|&anchor| anchor as usize).collect();
    while let Some(anchor) = stack.pop() {
        found.push(anchor);
        if found.len() > net.in_node.len() {
            break;
        }
        let (node, input) = net.input(anchor);
        for next in net.outs(node).rev() {
            if symbols.ref_input(net, next) == Some(input as u32) {
                stack.extend(net.consumers[next].iter().rev().map(|&anchor| anchor as usize));
            }
        }
    }
    found
}
