//! Continuous outputs that feed continuous inputs: one block for the whole row (static allocator S6.5).

use alloc::vec::Vec;

use crate::replay::feed::{readers, source};
use crate::replay::net::{NONE, Net, NodeId};
use crate::replay::size::align;
use crate::replay::symbol::Symbols;

/// A row of outputs that lie one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The outputs from left to right, with their aligned sizes.
    pub members: Vec<(usize, u64)>,
    /// Sum of the sizes.
    pub total: u64,
}

/// All rows of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// The rows in the order found.
    pub rows: Vec<Group>,
    of: Vec<u32>,
    /// An output was claimed by two rows, which GE refuses.
    pub conflict: bool,
}

impl Groups {
    /// Finds the rows in node order.
    pub(crate) fn new(net: &Net, symbols: &Symbols, order: &[NodeId]) -> Groups {
        let mut groups = Groups::default();
        if !order.iter().any(|&node| net.is_padding_in(node)) {
            return groups;
        }
        groups.of = alloc::vec![NONE; net.out_node.len()];
        let mut visited = alloc::vec![false; net.nodes.len()];
        for &node in order {
            if visited[node] || !net.is_padding_in(node) {
                continue;
            }
            let from_row = net.ins(node).any(|anchor| {
                source(net, symbols, anchor).is_some_and(|out| net.is_padding_out(net.output(out).0))
            });
            if from_row {
                groups.open(net, symbols, node, &mut visited);
            }
        }
        groups
    }

    /// The row of an output, and whether it leads it.
    pub(crate) fn of(&self, out: usize) -> Option<(usize, bool)> {
        let row = self.of.get(out).copied().filter(|&row| row != NONE)? as usize;
        let first = self.rows.get(row)?.members.first()?;
        Some((row, first.0 == out))
    }

    fn open(&mut self, net: &Net, symbols: &Symbols, start: NodeId, visited: &mut [bool]) {
        let row = self.rows.len();
        self.rows.push(Group::default());
        let Some(first) = leftmost(net, symbols, start, visited) else { return };
        let (producer, _) = net.output(first);
        if visited[producer] {
            return;
        }
        visited[producer] = true;
        let mut out = first;
        while self.rows[row].members.len() <= net.out_node.len() {
            let (node, _) = net.output(out);
            let last = if net.is_padding_out(node) {
                let end = net.outs(node).end;
                for member in out..end {
                    self.save(net, row, member);
                }
                end - 1
            } else {
                self.save(net, row, out);
                out
            };
            let next = readers(net, symbols, last).into_iter().find(|&a| net.is_padding_in(net.input(a).0));
            let Some(anchor) = next else { return };
            let (consumer, _) = net.input(anchor);
            visited[consumer] = true;
            let end = net.ins(consumer).end;
            for input in anchor + 1..end {
                let Some(piece) = source(net, symbols, input) else { return };
                if input + 1 == end {
                    out = piece;
                } else {
                    self.save(net, row, piece);
                }
            }
            if anchor + 1 == end {
                return;
            }
        }
    }

    fn save(&mut self, net: &Net, row: usize, out: usize) {
        if self.of[out] != NONE {
            self.conflict = true;
            return;
        }
        self.of[out] = row as u32;
        let size = align(net.out_facts(out).requested);
        self.rows[row].members.push((out, size));
        self.rows[row].total += size;
    }
}

/// The output that the row around `start` begins with.
fn leftmost(net: &Net, symbols: &Symbols, start: NodeId, visited: &mut [bool]) -> Option<usize> {
    let mut consumer = start;
    loop {
        visited[consumer] = true;
        let out = source(net, symbols, net.ins(consumer).start)?;
        let (producer, index) = net.output(out);
        if index == 0 || !net.is_padding_out(producer) {
            return Some(out);
        }
        let first = net.outs(producer).start;
        let left = readers(net, symbols, first)
            .into_iter()
            .map(|anchor| net.input(anchor))
            .find(|&(node, input)| input != 0 && !visited[node] && net.is_padding_in(node));
        match left {
            Some((node, _)) => consumer = node,
            None => return Some(first),
        }
    }
}
