//! Sharing that operators offer through `_output_inplace_ability` (static allocator S2.4).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::replay::Options;
use crate::replay::branch;
use crate::replay::facts::Kind;
use crate::replay::net::{Net, NodeId};
use crate::replay::role::Roles;
use crate::replay::size;
use crate::replay::symbol::{Anchor, Symbols};

/// Lets outputs share the memory of inputs where nothing forbids it.
pub(crate) fn apply(net: &Net, order: &[NodeId], ids: &[u32], options: &Options, symbols: &mut Symbols) {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for &node in order.iter().filter(|&&node| !net.nodes[node].facts.inplace.is_empty()) {
        taken.extend(pairs_of(net, ids, options, symbols, node));
    }
    if taken.is_empty() {
        return;
    }
    let before = symbols.reuse_input.clone();
    for &(out, input) in &taken {
        let (_, index) = net.input(input);
        symbols.reuse_input[out] = Some(index as u32);
    }
    if branch::conflicts(net, order, symbols) {
        symbols.reuse_input = before;
        return;
    }
    for (out, input) in taken {
        let Some(producer) = net.producer_of(input) else { continue };
        let stays = symbols.of(Anchor::Out(producer));
        let goes = symbols.of(Anchor::Out(out));
        if let (Some(stays), Some(goes)) = (stays, goes)
            && stays != goes
        {
            symbols.move_list(goes, stays);
        }
    }
}

/// The pairs (output anchor, input anchor) of one node that nothing forbids, one an output.
fn pairs_of(
    net: &Net,
    ids: &[u32],
    options: &Options,
    symbols: &Symbols,
    node: NodeId,
) -> Vec<(usize, usize)> {
    let of = &net.nodes[node];
    if of.facts.continuous_output || of.facts.nopadding_output {
        return Vec::new();
    }
    let mut offers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(output, input) in &of.facts.inplace {
        let (output, input) = (output as usize, input as usize);
        if output < of.outs && input < of.ins {
            offers.entry(of.first_out + output).or_default().push(of.first_in + input);
        }
    }
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (out, inputs) in offers {
        if net.out_facts(out).variable.is_some() {
            continue;
        }
        let found = inputs.into_iter().find(|&input| {
            !taken.iter().any(|&(_, other)| other == input)
                && is_last_reader(net, ids, node, input)
                && is_same_size(net, out, input)
                && may_join(net, options, symbols, out, input)
        });
        taken.extend(found.map(|input| (out, input)));
    }
    taken
}

/// Nobody reads the producer after this node, and all run on one stream (step 1).
fn is_last_reader(net: &Net, ids: &[u32], node: NodeId, input: usize) -> bool {
    let Some(out) = net.producer_of(input) else { return false };
    let (producer, _) = net.output(out);
    let mut stream = net.nodes[producer].raw_stream;
    net.outs(producer).flat_map(|out| &net.consumers[out]).all(|&anchor| {
        let reader = net.in_node[anchor as usize] as usize;
        let own = net.nodes[reader].raw_stream;
        if stream == -1 {
            stream = own;
        }
        ids[reader] <= ids[node] && (own == -1 || own == stream) && !net.nodes[reader].facts.reference
    })
}

fn is_same_size(net: &Net, out: usize, input: usize) -> bool {
    let (node, index) = net.input(input);
    let tensor = net.op(node).input_desc.get(index);
    let size = tensor.and_then(|tensor| size::unpadded(tensor, &net.model.names));
    size == Some(net.out_facts(out).unpadded)
}

/// Steps 3 and 5.
fn may_join(net: &Net, options: &Options, symbols: &Symbols, out: usize, input: usize) -> bool {
    let (Some(from), Some(to)) = (symbols.of(Anchor::In(input)), symbols.of(Anchor::Out(out))) else {
        return false;
    };
    let is_kept = symbols.outputs(from).any(|out| {
        let kind = net.nodes[net.output(out).0].facts.kind;
        kind.is_data_like() || is_immutable(kind)
    });
    if is_kept || from == to {
        return false;
    }
    let list: Vec<Anchor> = symbols.anchors(from).chain(symbols.anchors(to)).collect();
    !Roles::new(net, options, symbols, &list).conflict()
}

/// Constants and variables.
pub(crate) fn is_immutable(kind: Kind) -> bool {
    kind.is_variable_like()
        || matches!(kind, Kind::Const | Kind::Constant | Kind::FileConstant | Kind::ConstPlaceHolder)
}
