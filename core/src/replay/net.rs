//! The graph as the allocator walks it: dense numbers for nodes and anchors, links in link order.
//!
//! Built once per dump, shared by every combination of options. Facts: static allocator S0.4.

use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::graph::model::{self, AttrValue, Model};
use crate::intern::Name;
use crate::replay::Refusal;
use crate::replay::facts::{Facts, Kind};
use crate::replay::size;

/// A node's number: all graphs, one after the other, in file order.
pub(crate) type NodeId = usize;
/// "Nothing": no peer, no symbol, no block.
pub(crate) const NONE: u32 = u32::MAX;

/// One node and its place among the anchors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub name: Name,
    pub op_type: Name,
    pub graph: usize,
    /// Position in its graph's list.
    pub op: usize,
    pub file_id: u32,
    pub raw_stream: i64,
    pub first_in: usize,
    pub ins: usize,
    pub first_out: usize,
    pub outs: usize,
    /// Control predecessors in the order of the `input` lines.
    pub in_ctrl: Vec<NodeId>,
    /// Control successors in link order.
    pub out_ctrl: Vec<NodeId>,
    pub workspaces: Vec<u64>,
    pub sub_graphs: Vec<usize>,
    pub facts: Facts,
}

/// One graph: its nodes, and the node it hangs from.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubGraph {
    pub nodes: Vec<NodeId>,
    pub parent: Option<NodeId>,
}

/// All of a model.
#[derive(Debug)]
pub(crate) struct Net<'m> {
    pub model: &'m Model,
    pub nodes: Vec<Node>,
    pub graphs: Vec<SubGraph>,
    /// Producer's output anchor of each input anchor, or [`NONE`].
    pub producer: Vec<u32>,
    /// Node of each input anchor.
    pub in_node: Vec<u32>,
    /// Node of each output anchor.
    pub out_node: Vec<u32>,
    /// Input anchors that read each output anchor, in link order.
    pub consumers: Vec<Vec<u32>>,
    /// The root has `_graph_unknown_flag`.
    pub unknown_root: bool,
    /// The root has `_dynamic_shape_partitioned`.
    pub partitioned_root: bool,
    /// The root has `_mem_release_first_reuse_first`.
    pub first_released_first: bool,
    /// Events that GE inserted after the allocator ran were left out (S12.8).
    pub events_removed: bool,
    /// Some node's consumers had to be put in file order because the dump lacks the link order.
    pub link_order_lost: bool,
    /// The node of a name in the root, else in a sub-graph.
    by_name: HashMap<Name, NodeId>,
}

impl<'m> Net<'m> {
    /// Links a model.
    ///
    /// # Errors
    /// The dump names a producer that is not in the graph, or holds no operator.
    pub(crate) fn new(model: &'m Model, sizes_known: bool) -> Result<Net<'m>, Refusal> {
        let mut net = Net {
            model,
            nodes: Vec::new(),
            graphs: Vec::new(),
            producer: Vec::new(),
            in_node: Vec::new(),
            out_node: Vec::new(),
            consumers: Vec::new(),
            unknown_root: false,
            partitioned_root: false,
            first_released_first: false,
            events_removed: false,
            link_order_lost: false,
            by_name: HashMap::new(),
        };
        let Some(root) = model.graphs.first() else { return Err(Refusal::NoGraph) };
        let flag = |key| model::attr(&root.attrs, &model.names, key).and_then(AttrValue::bool) == Some(true);
        net.unknown_root = flag("_graph_unknown_flag");
        net.partitioned_root = flag("_dynamic_shape_partitioned");
        net.first_released_first = flag("_mem_release_first_reuse_first");
        let is_final = is_final(model);
        for graph in &model.graphs {
            net.add_nodes(graph, sizes_known, is_final);
        }
        if net.events_removed {
            net.renumber();
        }
        if net.nodes.is_empty() {
            return Err(Refusal::NoGraph);
        }
        let mut start = 0;
        for graph in model.graphs.iter() {
            if graph.ops.is_empty() {
                continue;
            }
            net.link(graph, start)?;
            start += graph.ops.len();
        }
        net.hang_sub_graphs();
        net.split_tasks();
        Ok(net)
    }

    fn add_nodes(&mut self, graph: &model::Graph, sizes_known: bool, is_final: bool) {
        let number = self.graphs.len();
        let mut nodes = Vec::with_capacity(graph.ops.len());
        let start = self.nodes.len();
        for op in &graph.ops {
            let id = self.nodes.len();
            let data_lines = op.inputs.iter().filter(|link| link.is_data()).count();
            let ins = data_lines.max(op.input_desc.len());
            let outs = op.output_desc.len();
            let first_in = self.producer.len();
            let first_out = self.out_node.len();
            self.producer.resize(first_in + ins, NONE);
            self.in_node.resize(first_in + ins, id as u32);
            self.out_node.resize(first_out + outs, id as u32);
            self.nodes.push(Node {
                name: op.name,
                op_type: op.op_type,
                graph: number,
                op: id - start,
                file_id: u32::try_from(op.id).unwrap_or(0),
                raw_stream: op.stream_id,
                first_in,
                ins,
                first_out,
                outs,
                workspaces: op.workspace_bytes.iter().map(|&bytes| size::of_dump(bytes)).collect(),
                facts: Facts::of(op, &self.model.names, sizes_known),
                ..Node::default()
            });
            if is_final && is_event(self.model.names.get(op.op_type)) {
                self.events_removed = true;
                continue;
            }
            nodes.push(id);
            self.by_name.entry(op.name).or_insert(id);
        }
        self.consumers.resize(self.out_node.len(), Vec::new());
        self.graphs.push(SubGraph { nodes, parent: None });
    }

    /// Numbers the nodes that are left in the order of their numbers.
    fn renumber(&mut self) {
        let mut left: Vec<NodeId> =
            self.graphs.iter().flat_map(|graph| graph.nodes.iter().copied()).collect();
        left.sort_by_key(|&node| self.nodes[node].file_id);
        for (id, node) in left.into_iter().enumerate() {
            self.nodes[node].file_id = id as u32;
        }
    }

    /// Links the nodes of one graph and puts every list of peers in link order.
    fn link(&mut self, graph: &model::Graph, start: usize) -> Result<(), Refusal> {
        let listed = &self.graphs[self.nodes[start].graph].nodes;
        let by_name: HashMap<Name, NodeId> =
            listed.iter().map(|&node| (self.nodes[node].name, node)).collect();
        let is_listed: Vec<bool> =
            (start..start + graph.ops.len()).map(|node| listed.binary_search(&node).is_ok()).collect();
        let mut data: Vec<(u32, i64, u32)> = Vec::new();
        let mut control: Vec<(NodeId, i64, NodeId)> = Vec::new();
        for (n, op) in graph.ops.iter().enumerate() {
            let id = start + n;
            if !is_listed[n] {
                continue;
            }
            let positions = core::mem::take(&mut self.nodes[id].facts.link_positions);
            let mut anchor = self.nodes[id].first_in;
            for (line, link) in op.inputs.iter().enumerate() {
                let position = positions.get(line).copied();
                if link.producer == Name::EMPTY {
                    anchor += 1;
                    continue;
                }
                let position = position.unwrap_or_else(|| {
                    self.link_order_lost = true;
                    i64::MAX
                });
                let producer = by_name.get(&link.producer).copied();
                if producer.is_none() && self.by_name.contains_key(&link.producer) {
                    return Err(Refusal::UnknownProducer { node: op.name, producer: link.producer });
                }
                let Ok(output) = usize::try_from(link.output) else {
                    if let Some(producer) = producer {
                        self.nodes[id].in_ctrl.push(producer);
                        control.push((producer, position, id));
                    }
                    continue;
                };
                let Some(producer) = producer.filter(|&p| output < self.nodes[p].outs) else {
                    return Err(Refusal::UnknownProducer { node: op.name, producer: link.producer });
                };
                let out = self.nodes[producer].first_out + output;
                self.producer[anchor] = out as u32;
                data.push((out as u32, position, anchor as u32));
                anchor += 1;
            }
        }
        data.sort_by_key(|&(out, position, _)| (out, position));
        for (out, _, anchor) in data {
            self.consumers[out as usize].push(anchor);
        }
        control.sort_by_key(|&(producer, position, _)| (producer, position));
        for (producer, _, node) in control {
            self.nodes[producer].out_ctrl.push(node);
        }
        Ok(())
    }

    /// Of two graphs of one name the later one counts.
    fn hang_sub_graphs(&mut self) {
        let by_name: HashMap<Name, usize> =
            self.model.graphs.iter().enumerate().map(|(n, graph)| (graph.name, n)).collect();
        let ops = self.model.graphs.iter().flat_map(|graph| &graph.ops);
        for (id, op) in ops.enumerate() {
            for name in &op.subgraphs {
                let Some(&graph) = by_name.get(name) else { continue };
                if graph != 0 && self.graphs[graph].parent.is_none() {
                    self.graphs[graph].parent = Some(id);
                    self.nodes[id].sub_graphs.push(graph);
                }
            }
        }
    }

    /// Sizes of split sub-tasks replace those of their outputs, but not of inputs and outputs of a graph (S1.3).
    fn split_tasks(&mut self) {
        for id in 0..self.nodes.len() {
            if self.nodes[id].facts.kind.is_data_like() {
                continue;
            }
            for index in 0..self.nodes[id].outs {
                let Some(size) = self.nodes[id].facts.outputs[index].sub_task_size else { continue };
                let out = self.nodes[id].first_out + index;
                let leaves = self.consumers[out].iter().any(|&anchor| {
                    self.nodes[self.in_node[anchor as usize] as usize].facts.kind == Kind::NetOutput
                });
                if !leaves {
                    self.nodes[id].facts.outputs[index].requested = size;
                }
            }
        }
    }

    /// The input anchors of a node.
    pub(crate) fn ins(&self, node: NodeId) -> core::ops::Range<usize> {
        let node = &self.nodes[node];
        node.first_in..node.first_in + node.ins
    }

    /// The output anchors of a node.
    pub(crate) fn outs(&self, node: NodeId) -> core::ops::Range<usize> {
        let node = &self.nodes[node];
        node.first_out..node.first_out + node.outs
    }

    /// Node and index of an output anchor.
    pub(crate) fn output(&self, out: usize) -> (NodeId, usize) {
        let node = self.out_node[out] as usize;
        (node, out - self.nodes[node].first_out)
    }

    /// Node and index of an input anchor.
    pub(crate) fn input(&self, anchor: usize) -> (NodeId, usize) {
        let node = self.in_node[anchor] as usize;
        (node, anchor - self.nodes[node].first_in)
    }

    /// The producer's output anchor of an input anchor.
    pub(crate) fn producer_of(&self, anchor: usize) -> Option<usize> {
        self.producer.get(anchor).copied().filter(|&out| out != NONE).map(|out| out as usize)
    }

    /// What is known of an output anchor.
    pub(crate) fn out_facts(&self, out: usize) -> &super::facts::Output {
        let (node, index) = self.output(out);
        &self.nodes[node].facts.outputs[index]
    }

    /// The operator of a node as dumped.
    pub(crate) fn op(&self, node: NodeId) -> &'m model::Op {
        let node = &self.nodes[node];
        &self.model.graphs[node.graph].ops[node.op]
    }

    /// Whether a node belongs to the compiled graph itself.
    pub(crate) fn is_direct(&self, node: NodeId) -> bool {
        self.nodes[node].graph == 0
    }

    /// The node that a node's graph hangs from.
    pub(crate) fn parent_of(&self, node: NodeId) -> Option<NodeId> {
        self.graphs[self.nodes[node].graph].parent
    }

    /// A Data in a sub-graph that stands for an input of the parent node.
    pub(crate) fn is_sub_data(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        node.facts.kind == Kind::Data && node.facts.parent_index.is_some()
    }

    /// A NetOutput in a sub-graph whose inputs stand for outputs of the parent node.
    pub(crate) fn is_sub_output(&self, node: NodeId) -> bool {
        let facts = &self.nodes[node].facts;
        facts.kind == Kind::NetOutput
            && !self.is_direct(node)
            && facts.parent_outputs.iter().any(Option::is_some)
    }

    /// The first node of a name: in the root graph first, then in its sub-graphs.
    pub(crate) fn named(&self, name: Name) -> Option<NodeId> {
        self.by_name.get(&name).copied()
    }

    /// Padding-continuous input: the attribute and more than one input anchor (S6).
    pub(crate) fn is_padding_in(&self, node: NodeId) -> bool {
        self.nodes[node].facts.continuous_input && self.nodes[node].ins > 1
    }

    /// Padding-continuous output: the attribute and more than one output anchor (S6).
    pub(crate) fn is_padding_out(&self, node: NodeId) -> bool {
        self.nodes[node].facts.continuous_output && self.nodes[node].outs > 1
    }

    /// Expands per-graph orders into one: sub-graphs stand directly behind the node they hang from (S0.4).
    pub(crate) fn all_nodes(&self, orders: &[Vec<NodeId>]) -> Vec<NodeId> {
        let mut all = Vec::with_capacity(self.nodes.len());
        let mut stack: Vec<(usize, usize)> = Vec::from([(0, 0)]);
        while let Some((graph, at)) = stack.pop() {
            let Some(&node) = orders.get(graph).and_then(|order| order.get(at)) else { continue };
            stack.push((graph, at + 1));
            all.push(node);
            stack.extend(self.nodes[node].sub_graphs.iter().rev().map(|&sub| (sub, 0)));
        }
        all
    }
}

/// A dump from behind the allocator: some operator has offsets.
fn is_final(model: &Model) -> bool {
    let mut ops = model.graphs.iter().flat_map(|graph| &graph.ops);
    ops.any(|op| op.output_i.iter().chain(&op.workspace).any(|&offset| offset > 0))
}

/// Operators that GE inserts between the allocator and the final dump.
fn is_event(op_type: &str) -> bool {
    matches!(op_type, "Send" | "Recv" | "SendNotify" | "RecvNotify" | "SendMem" | "RecvMem" | "StreamActive")
}
