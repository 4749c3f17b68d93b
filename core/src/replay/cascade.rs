//! Cascades of no-padding nodes: from when on the memory of the outermost is in use (static allocator S6.4).

use alloc::vec::Vec;

use crate::replay::net::{Net, NodeId};
use crate::replay::stream::LIFE_MAX;

/// For each node that leads a cascade the smallest number among the cascade's pieces.
pub(crate) fn minima(net: &Net, order: &[NodeId], ids: &[u32]) -> Vec<u32> {
    let mut minima = alloc::vec![LIFE_MAX; net.nodes.len()];
    for &node in order {
        if net.nodes[node].facts.nopadding_input {
            add_cascade(net, ids, node, &mut minima);
        }
    }
    minima
}

fn add_cascade(net: &Net, ids: &[u32], top: NodeId, minima: &mut [u32]) {
    let mut smallest = LIFE_MAX;
    let mut pieces = Vec::new();
    let mut stack = Vec::from([top]);
    let mut steps = 0;
    while let Some(node) = stack.pop() {
        steps += 1;
        if steps > net.nodes.len() {
            break;
        }
        for (index, anchor) in net.ins(node).enumerate() {
            let Some(out) = net.producer_of(anchor) else { continue };
            let (producer, _) = net.output(out);
            if net.nodes[producer].facts.nopadding_input {
                stack.push(producer);
                continue;
            }
            smallest = smallest.min(ids[producer]);
            if index == 0 {
                minima[producer] = ids[producer];
            }
            pieces.push(producer);
        }
    }
    for piece in pieces {
        if minima[piece] != LIFE_MAX {
            minima[piece] = smallest;
        }
    }
}
