//! Topological orders: BFS, DFS, RDFS, StableRDFS and the delay step (static allocator S12).
//!
//! Each graph is sorted on its own; numbering across sub-graphs is the caller's.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::replay::Topo;
use crate::replay::facts::Kind;
use crate::replay::net::{Net, NodeId};

/// The order of the nodes of every graph under a sort mode.
pub(crate) fn sort(net: &Net, topo: Topo, memory_priority: bool) -> Vec<Vec<NodeId>> {
    net.graphs
        .iter()
        .map(|graph| {
            let sorter = Sorter { net, nodes: &graph.nodes };
            match topo {
                Topo::Dumped => graph.nodes.clone(),
                Topo::Bfs if memory_priority => sorter.delay(sorter.breadth_first_small()),
                Topo::Bfs => sorter.breadth_first(),
                Topo::Dfs if memory_priority => sorter.delay(sorter.depth_first_small()),
                Topo::Dfs => sorter.depth_first(),
                Topo::Rdfs => sorter.delay(sorter.reverse_depth_first()),
                Topo::StableRdfs => sorter.stable_reverse_depth_first(),
            }
        })
        .collect()
}

/// Sorts one graph.
struct Sorter<'a, 'm> {
    net: &'a Net<'m>,
    nodes: &'a [NodeId],
}

/// What memory priority prefers: few consumers, small outputs, then the name (S12.3).
type Preference<'a> = (usize, u64, &'a str, NodeId);

impl<'a> Sorter<'a, '_> {
    /// Position of a node among the operators of its graph.
    fn at(&self, node: NodeId) -> usize {
        self.net.nodes[node].op
    }

    /// How many operators the graph has, those left out included.
    fn ops(&self) -> usize {
        self.nodes.last().map_or(0, |&node| self.at(node) + 1)
    }

    fn name(&self, node: NodeId) -> &'a str {
        self.net.model.names.get(self.net.nodes[node].name)
    }

    /// Data consumers of all outputs in link order, then control successors.
    fn successors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.net
            .outs(node)
            .flat_map(|out| &self.net.consumers[out])
            .map(|&anchor| self.net.in_node[anchor as usize] as usize)
            .chain(self.net.nodes[node].out_ctrl.iter().copied())
    }

    /// Data producers in input order, then control predecessors.
    fn predecessors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.net
            .ins(node)
            .filter_map(|anchor| self.net.producer_of(anchor))
            .map(|out| self.net.out_node[out] as usize)
            .chain(self.net.nodes[node].in_ctrl.iter().copied())
    }

    fn output_bytes(&self, node: NodeId) -> u64 {
        self.net.nodes[node].facts.outputs.iter().map(|output| output.unpadded).sum()
    }

    fn preference(&self, node: NodeId) -> Preference<'a> {
        let consumers = self.net.outs(node).map(|out| self.net.consumers[out].len()).sum();
        (consumers, self.output_bytes(node), self.name(node), node)
    }

    /// In-degrees, and the nodes without any: inputs first, then the others (S12.2).
    fn sources(&self) -> (Vec<u32>, Vec<NodeId>) {
        let mut degrees = alloc::vec![0u32; self.ops()];
        let (mut inputs, mut others) = (Vec::new(), Vec::new());
        for &node in self.nodes {
            let degree = self
                .predecessors(node)
                .filter(|&from| self.net.nodes[from].facts.kind != Kind::NextIteration)
                .count();
            degrees[self.at(node)] = degree as u32;
            if degree == 0 {
                let kind = self.net.nodes[node].facts.kind;
                if kind.is_data_like() || matches!(kind, Kind::Input | Kind::Recv | Kind::Send) {
                    inputs.push(node);
                } else {
                    others.push(node);
                }
            }
        }
        inputs.extend(others);
        (degrees, inputs)
    }

    /// The successors of `node` that wait for nothing else, in link order.
    fn made_ready(&self, node: NodeId, degrees: &mut [u32]) -> Vec<NodeId> {
        if self.net.nodes[node].facts.kind == Kind::NextIteration {
            return Vec::new();
        }
        let mut ready = Vec::new();
        for next in self.successors(node) {
            let degree = &mut degrees[self.at(next)];
            if *degree > 0 {
                *degree -= 1;
                if *degree == 0 {
                    ready.push(next);
                }
            }
        }
        ready
    }

    fn depth_first(&self) -> Vec<NodeId> {
        let (mut degrees, mut stack) = self.sources();
        stack.reverse();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(self.made_ready(node, &mut degrees));
        }
        order
    }

    fn depth_first_small(&self) -> Vec<NodeId> {
        let (mut degrees, sources) = self.sources();
        let mut ready: BTreeSet<Preference> = sources.into_iter().map(|node| self.preference(node)).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some((.., node)) = ready.pop_first() {
            order.push(node);
            ready.extend(self.made_ready(node, &mut degrees).into_iter().map(|next| self.preference(next)));
        }
        order
    }

    fn breadth_first(&self) -> Vec<NodeId> {
        let (mut degrees, mut sources) = self.sources();
        sources.reverse();
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut queue = alloc::collections::VecDeque::new();
        while let Some(node) = queue.pop_front().or_else(|| sources.pop()) {
            order.push(node);
            let by_name: BTreeMap<&str, NodeId> =
                self.made_ready(node, &mut degrees).into_iter().map(|next| (self.name(next), next)).collect();
            queue.extend(by_name.into_values());
        }
        order
    }

    fn breadth_first_small(&self) -> Vec<NodeId> {
        let (mut degrees, mut sources) = self.sources();
        sources.reverse();
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut ready: BTreeSet<Preference> = BTreeSet::new();
        while let Some(node) = ready.pop_first().map(|(.., node)| node).or_else(|| sources.pop()) {
            order.push(node);
            ready.extend(self.made_ready(node, &mut degrees).into_iter().map(|next| self.preference(next)));
        }
        order
    }

    fn reverse_depth_first(&self) -> Vec<NodeId> {
        let ends = self.nodes.iter().copied().filter(|&node| self.successors(node).next().is_none());
        self.post_order(ends, |inputs| {
            inputs.sort_by(|&a, &b| {
                (self.output_bytes(b), self.name(b)).cmp(&(self.output_bytes(a), self.name(a)))
            });
            inputs.dedup();
        })
    }

    fn stable_reverse_depth_first(&self) -> Vec<NodeId> {
        self.post_order(self.nodes.iter().copied(), |inputs| {
            inputs.sort_by(|a, b| b.cmp(a));
            inputs.dedup();
        })
    }

    /// Post-order from each start; `arrange` puts the inputs of a node in stacking order.
    fn post_order(
        &self,
        starts: impl Iterator<Item = NodeId>,
        arrange: impl Fn(&mut Vec<NodeId>),
    ) -> Vec<NodeId> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Seen,
            Emitted,
        }
        let mut states = alloc::vec![State::New; self.ops()];
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        for start in starts {
            stack.push(start);
            while let Some(&node) = stack.last() {
                let state = &mut states[self.at(node)];
                match *state {
                    State::New => {
                        *state = State::Seen;
                        let mut inputs: Vec<NodeId> = self.predecessors(node).collect();
                        inputs.retain(|&input| states[self.at(input)] == State::New);
                        arrange(&mut inputs);
                        stack.extend(inputs);
                    }
                    State::Seen => {
                        *state = State::Emitted;
                        order.push(node);
                        stack.pop();
                    }
                    State::Emitted => {
                        stack.pop();
                    }
                }
            }
        }
        order
    }

    /// Moves nodes that read only long-lived memory to just before their first consumer (S12.7).
    fn delay(&self, order: Vec<NodeId>) -> Vec<NodeId> {
        let mut place = alloc::vec![0usize; self.ops()];
        for (position, &node) in order.iter().enumerate() {
            place[self.at(node)] = position;
        }
        let mut slots: Vec<Vec<NodeId>> = order.iter().map(|&node| Vec::from([node])).collect();
        let mut movable = alloc::vec![true; order.len()];
        for i in 0..order.len() {
            if !movable[i] || !self.may_move(&slots[i]) {
                continue;
            }
            let Some(&last) = slots[i].last() else { continue };
            let edges = self.successors(last).count();
            let Some(target) = self.successors(last).map(|next| place[self.at(next)]).min() else { continue };
            if target <= i + 1 {
                continue;
            }
            let mut moved = core::mem::take(&mut slots[i]);
            moved.append(&mut slots[target]);
            slots[target] = moved;
            if edges > 1 {
                movable[target] = false;
            }
        }
        slots.concat()
    }

    fn may_move(&self, slot: &[NodeId]) -> bool {
        match slot {
            [] => false,
            [single] => {
                let mut producers =
                    self.net.ins(*single).filter_map(|anchor| self.net.producer_of(anchor)).peekable();
                producers.peek().is_some()
                    && producers.all(|out| self.is_long_lived(self.net.out_node[out] as usize))
            }
            [.., last] => self.net.nodes[*last].ins == 1,
        }
    }

    fn is_long_lived(&self, node: NodeId) -> bool {
        let kind = self.net.nodes[node].facts.kind;
        kind.is_data_like()
            || kind.is_variable_like()
            || matches!(kind, Kind::Const | Kind::Constant | Kind::FileConstant | Kind::ConstPlaceHolder)
    }
}
