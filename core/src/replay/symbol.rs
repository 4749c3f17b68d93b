//! Symbols: sets of anchors that share memory (static allocator S2).
//!
//! An anchor is numbered with the outputs first, then the inputs. The order of anchors within a symbol
//! matters, and so does the anchor that gave a symbol its name (S2.3).

use alloc::vec::Vec;

use crate::replay::facts::Kind;
use crate::replay::net::{NONE, Net, NodeId};

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// An output anchor.
    Out(usize),
    /// An input anchor.
    In(usize),
}

/// Which anchors share memory, and which outputs refer to which inputs.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    outs: usize,
    of: Vec<u32>,
    /// Anchors of each symbol, in list order; empty for one that was merged away.
    lists: Vec<Vec<u32>>,
    /// The anchor whose text is the symbol's name.
    named_by: Vec<u32>,
    /// The symbol that an anchor gave its name to, if it still exists.
    by_name: Vec<u32>,
    /// The input that an output refers to by the tensor's flag (S2.1 rule 4; inplace adds to it).
    pub reuse_input: Vec<Option<u32>>,
}

impl Symbols {
    /// Groups the anchors of all nodes, taking nodes in the order given (S2.2).
    pub(crate) fn new(net: &Net, order: &[NodeId]) -> Symbols {
        let flags = net.nodes.iter().flat_map(|node| node.facts.outputs.iter().map(|o| o.reuse_input));
        Symbols::of_graph(net, order, 0, flags.collect())
    }

    /// The same with `root` as the compiled graph and other flags.
    pub(crate) fn of_graph(
        net: &Net,
        order: &[NodeId],
        root: usize,
        reuse_input: Vec<Option<u32>>,
    ) -> Symbols {
        let outs = net.out_node.len();
        let total = outs + net.in_node.len();
        let mut symbols = Symbols {
            outs,
            of: alloc::vec![NONE; total],
            lists: Vec::new(),
            named_by: Vec::new(),
            by_name: alloc::vec![NONE; total],
            reuse_input,
        };
        for &node in order {
            symbols.add_node(net, node, root);
        }
        symbols
    }

    fn add_node(&mut self, net: &Net, node: NodeId, root: usize) {
        let inputs_done = if net.nodes[node].graph == root {
            false
        } else if net.is_sub_output(node) {
            self.add_sub_output(net, node);
            true
        } else {
            net.is_sub_data(node) && {
                self.add_sub_data(net, node);
                true
            }
        };
        if !inputs_done {
            if net.nodes[node].facts.kind.is_merge() {
                self.add_merge(net, node);
            } else {
                for anchor in net.ins(node) {
                    match net.producer_of(anchor).map(|out| self.of(Anchor::Out(out))) {
                        Some(Some(symbol)) => self.append(symbol, Anchor::In(anchor)),
                        Some(None) | None => {
                            self.create(Anchor::In(anchor));
                        }
                    }
                }
            }
        }
        for out in net.outs(node) {
            self.add_output(net, node, out);
        }
    }

    fn add_sub_output(&mut self, net: &Net, node: NodeId) {
        let Some(parent) = net.parent_of(node) else { return };
        for (index, anchor) in net.ins(node).enumerate() {
            let Some(p) = net.nodes[node].facts.parent_outputs.get(index).copied().flatten() else {
                continue;
            };
            let Some(out) = net.outs(parent).nth(p as usize) else { continue };
            let source = net.producer_of(anchor).and_then(|peer| self.of(Anchor::Out(peer)));
            let target = self.of(Anchor::Out(out));
            let symbol = match (source, target) {
                (Some(source), Some(target)) => self.union(source, target),
                (Some(symbol), None) | (None, Some(symbol)) => symbol,
                (None, None) => self.create(Anchor::In(anchor)),
            };
            if self.of(Anchor::In(anchor)).is_none() {
                self.append(symbol, Anchor::In(anchor));
            }
        }
    }

    fn add_sub_data(&mut self, net: &Net, node: NodeId) {
        let anchor = net.ins(node).next();
        let parent_input = net.parent_of(node).and_then(|parent| {
            let index = net.nodes[node].facts.parent_index?;
            net.ins(parent).nth(index as usize)
        });
        let symbol =
            parent_input.and_then(|input| net.producer_of(input)).and_then(|out| self.of(Anchor::Out(out)));
        match (anchor, symbol) {
            (Some(anchor), Some(symbol)) => self.append(symbol, Anchor::In(anchor)),
            (Some(anchor), None) => {
                self.create(Anchor::In(anchor));
            }
            (None, _) => {}
        }
    }

    fn add_merge(&mut self, net: &Net, node: NodeId) {
        let next = net.nodes[node].facts.next_iteration.and_then(|name| net.named(name));
        let next = next.and_then(|next| net.outs(next).next());
        let mut sources = Vec::new();
        let mut collected = Vec::new();
        for anchor in net.ins(node) {
            if let Some(out) = net.producer_of(anchor) {
                collected.push(Anchor::In(anchor));
                sources.push(out);
            } else if let Some(out) = next {
                collected.push(Anchor::Out(out));
                sources.push(out);
            }
        }
        let mut longest = None;
        for &out in &sources {
            let Some(symbol) = self.of(Anchor::Out(out)) else { continue };
            let len = self.lists[symbol].len();
            if longest.is_none_or(|(most, _)| len > most) {
                longest = Some((len, symbol));
            }
        }
        let Some((_, mut symbol)) = longest else {
            for anchor in net.ins(node) {
                self.create(Anchor::In(anchor));
            }
            return;
        };
        for &out in &sources {
            if let Some(other) = self.of(Anchor::Out(out)) {
                symbol = self.union(symbol, other);
            }
        }
        for anchor in collected {
            if self.of(anchor).is_none() {
                self.append(symbol, anchor);
            }
        }
    }

    fn add_output(&mut self, net: &Net, node: NodeId, out: usize) {
        if self.of(Anchor::Out(out)).is_some() {
            return;
        }
        if let Some(symbol) = self.ref_data_symbol(net, out) {
            self.append(symbol, Anchor::Out(out));
        }
        if let Some(input) = self.ref_input(net, out) {
            let anchor = net.nodes[node].first_in + input as usize;
            if (input as usize) < net.nodes[node].ins
                && let Some(symbol) = self.of(Anchor::In(anchor))
            {
                self.append(symbol, Anchor::Out(out));
                return;
            }
        }
        if self.of(Anchor::Out(out)).is_none() {
            self.create(Anchor::Out(out));
        }
    }

    /// The symbol of the RefData that an output is declared to write.
    fn ref_data_symbol(&self, net: &Net, out: usize) -> Option<usize> {
        let source = net.named(net.out_facts(out).variable?)?;
        if net.nodes[source].facts.kind != Kind::RefData {
            return None;
        }
        self.of(Anchor::Out(net.outs(source).next()?))
    }

    fn number(&self, anchor: Anchor) -> usize {
        match anchor {
            Anchor::Out(out) => out,
            Anchor::In(anchor) => self.outs + anchor,
        }
    }

    fn anchor(&self, number: u32) -> Anchor {
        match (number as usize).checked_sub(self.outs) {
            None => Anchor::Out(number as usize),
            Some(anchor) => Anchor::In(anchor),
        }
    }

    fn create(&mut self, anchor: Anchor) -> usize {
        let number = self.number(anchor);
        let symbol = self.lists.len();
        self.lists.push(Vec::from([number as u32]));
        self.named_by.push(number as u32);
        self.by_name[number] = symbol as u32;
        self.of[number] = symbol as u32;
        symbol
    }

    fn append(&mut self, symbol: usize, anchor: Anchor) {
        let number = self.number(anchor);
        self.lists[symbol].push(number as u32);
        self.of[number] = symbol as u32;
    }

    /// Makes one symbol of two; the one with strictly more anchors survives, `b` on a tie.
    fn union(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let (stays, goes) = if self.lists[a].len() > self.lists[b].len() { (a, b) } else { (b, a) };
        self.move_list(goes, stays);
        stays
    }

    /// Appends the list of one symbol to another's and deletes the first, name and all.
    pub(crate) fn move_list(&mut self, goes: usize, stays: usize) {
        let list = core::mem::take(&mut self.lists[goes]);
        for &number in &list {
            self.of[number as usize] = stays as u32;
        }
        self.lists[stays].extend(list);
        self.by_name[self.named_by[goes] as usize] = NONE;
    }

    /// How many symbols were ever made; merged ones have no anchors.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The symbol of an anchor.
    pub(crate) fn of(&self, anchor: Anchor) -> Option<usize> {
        let symbol = self.of[self.number(anchor)];
        (symbol != NONE).then_some(symbol as usize)
    }

    /// The symbol that has this output's text as its name (S2.3).
    pub(crate) fn named(&self, out: usize) -> Option<usize> {
        let symbol = self.by_name[out];
        (symbol != NONE).then_some(symbol as usize)
    }

    /// The anchors of a symbol in list order.
    pub(crate) fn anchors(&self, symbol: usize) -> impl DoubleEndedIterator<Item = Anchor> + '_ {
        self.lists[symbol].iter().map(|&number| self.anchor(number))
    }

    /// The output anchors of a symbol in list order.
    pub(crate) fn outputs(&self, symbol: usize) -> impl Iterator<Item = usize> + '_ {
        self.anchors(symbol).filter_map(|anchor| match anchor {
            Anchor::Out(out) => Some(out),
            Anchor::In(_) => None,
        })
    }

    /// The input anchors of a symbol in list order.
    pub(crate) fn inputs(&self, symbol: usize) -> impl Iterator<Item = usize> + '_ {
        self.anchors(symbol).filter_map(|anchor| match anchor {
            Anchor::In(anchor) => Some(anchor),
            Anchor::Out(_) => None,
        })
    }

    /// The input that an output is a reference to; the first rule of S2.1 that applies.
    pub(crate) fn ref_input(&self, net: &Net, out: usize) -> Option<u32> {
        let (node, index) = net.output(out);
        let facts = &net.nodes[node].facts;
        match facts.kind {
            Kind::NetOutput | Kind::While | Kind::StatelessWhile => return u32::try_from(index).ok(),
            Kind::Data if facts.parent_index.is_some() => return u32::try_from(index).ok(),
            Kind::Merge | Kind::Reshape if index == 0 => return Some(0),
            _ => {}
        }
        self.flagged_ref(net, out).or_else(|| self.is_whole_ref(net, node).then_some(0))
    }

    /// Rules 3 and 4 of S2.1: by name, else by the tensor's flag.
    pub(crate) fn flagged_ref(&self, net: &Net, out: usize) -> Option<u32> {
        net.out_facts(out).named_input.or(self.reuse_input[out])
    }

    /// Rule 5 of S2.1: every output of a no-padding node that reuses its input.
    pub(crate) fn is_whole_ref(&self, net: &Net, node: NodeId) -> bool {
        let facts = &net.nodes[node].facts;
        facts.output_reuse_input && (facts.nopadding_input || facts.nopadding_output)
    }
}
