//! Streams: the effective stream of a node, and which node of one stream is known to have run before
//! which node of another (static allocator S3.1, S3.4, S3.5, S3.8).
//!
//! Streams run out of order to each other but for the links that cross; all proof of order is in
//! [`Windows`].

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::replay::facts::{Engine, Kind};
use crate::replay::net::{Net, NodeId};

/// "Never ends, cannot come back to this stream."
pub(crate) const LIFE_MAX: u32 = u32::MAX;
/// "Begin pulled to the start of the graph."
pub(crate) const LIFE_MIN: u32 = 1;
/// No stream.
const NO_STREAM: i64 = -1;

/// The stream of every node as the allocator sees it.
pub(crate) fn effective(net: &Net, order: &[NodeId], ids: &[u32]) -> Vec<i64> {
    let mut streams: Vec<i64> = net
        .nodes
        .iter()
        .map(|node| match (node.facts.sub_stream, node.facts.thread_scope) {
            (Some(stream), _) => stream,
            (None, Some(scope)) if scope != -1 => NO_STREAM,
            (None, _) => node.raw_stream,
        })
        .collect();
    for &node in order {
        if let Some(stream) = stream_of_consumers(net, node, &streams) {
            streams[node] = stream;
        }
        if let Some((chain, tail)) = straight_chain(net, node, &streams) {
            let between = i64::from(ids[tail]) - i64::from(ids[node]) - 1;
            if !chain.is_empty() && usize::try_from(between) == Ok(chain.len()) {
                for member in chain {
                    streams[member] = streams[node];
                }
            }
        }
    }
    streams
}

/// A Data-like node without a stream takes the one that all its readers share.
fn stream_of_consumers(net: &Net, node: NodeId, streams: &[i64]) -> Option<i64> {
    if !net.nodes[node].facts.kind.is_data_like() || streams[node] != NO_STREAM {
        return None;
    }
    let out = net.outs(node).next()?;
    let mut readers = net.consumers[out].iter().map(|&anchor| streams[net.in_node[anchor as usize] as usize]);
    let first = readers.next()?;
    readers.all(|stream| stream == first).then_some(first)
}

/// The nodes on other streams between a node and the next one on its own, along single-consumer links.
pub(crate) fn straight_chain(net: &Net, start: NodeId, streams: &[i64]) -> Option<(Vec<NodeId>, NodeId)> {
    let own = streams[start];
    if own == NO_STREAM {
        return None;
    }
    let mut collected = Vec::new();
    let mut node = start;
    while collected.len() <= net.nodes.len() {
        let mut edges = net.outs(node).flat_map(|out| &net.consumers[out]);
        let (&anchor, None) = (edges.next()?, edges.next()) else { return None };
        let next = net.in_node[anchor as usize] as usize;
        let facts = &net.nodes[next].facts;
        let scoped = facts.thread_scope.is_some_and(|scope| scope != -1);
        if facts.kind.is_merge() || scoped || streams[next] == NO_STREAM {
            return None;
        }
        if streams[next] == own {
            return Some((collected, next));
        }
        if net.ins(next).filter(|&input| net.producer_of(input).is_some()).count() != 1 {
            return None;
        }
        collected.push(next);
        node = next;
    }
    None
}

/// The stream slot of a parent node's buffer (S3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Nothing was found: the node's own stream.
    Own,
    /// Branches end on different streams: no reuse.
    Conflict,
    /// All branches end on this one.
    Stream(i64),
}

/// The slots of all nodes with sub-graphs.
pub(crate) fn parent_slots(net: &Net, ids: &[u32], streams: &[i64]) -> BTreeMap<NodeId, Vec<Slot>> {
    let mut parents: Vec<NodeId> =
        (0..net.nodes.len()).filter(|&node| !net.nodes[node].sub_graphs.is_empty()).collect();
    parents.sort_by_key(|&node| core::cmp::Reverse(ids[node]));
    let mut slots: BTreeMap<NodeId, Vec<Slot>> =
        parents.iter().map(|&node| (node, alloc::vec![Slot::Own; net.nodes[node].outs])).collect();
    for parent in parents {
        for &graph in &net.nodes[parent].sub_graphs {
            let output =
                net.graphs[graph].nodes.iter().find(|&&n| net.nodes[n].facts.kind == Kind::NetOutput);
            let Some(&output) = output else { continue };
            for (index, anchor) in net.ins(output).enumerate() {
                let p = net.nodes[output].facts.parent_outputs.get(index).copied().flatten();
                let (Some(p), Some(out)) = (p, net.producer_of(anchor)) else { continue };
                let (producer, o) = net.output(out);
                let found = match slots.get(&producer) {
                    Some(inner) => inner.get(o).copied().unwrap_or(Slot::Own),
                    None if streams[producer] == NO_STREAM => Slot::Conflict,
                    None => Slot::Stream(streams[producer]),
                };
                let Some(slot) = slots.get_mut(&parent).and_then(|s| s.get_mut(p as usize)) else { continue };
                *slot = match *slot {
                    Slot::Conflict => Slot::Conflict,
                    Slot::Own => found,
                    known if known == found => known,
                    _ => Slot::Conflict,
                };
            }
        }
    }
    slots
}

/// What is proved about order across streams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// `before[dst][src]`: node on `dst` → latest node on `src` known to have run before it.
    before: BTreeMap<i64, BTreeMap<i64, BTreeMap<u32, u32>>>,
    /// `after[src][dst]`: node on `src` → first node on `dst` known to run after it.
    after: BTreeMap<i64, BTreeMap<i64, BTreeMap<u32, u32>>>,
}

impl Windows {
    /// Collects the links that cross streams, in node order.
    pub(crate) fn new(net: &Net, order: &[NodeId], ids: &[u32], streams: &[i64]) -> Windows {
        let mut windows = Windows::default();
        let Some(&first) = order.first() else { return windows };
        if order.iter().all(|&node| streams[node] == streams[first]) {
            return windows;
        }
        let excluded = excluded_streams(net, order, streams);
        for &node in order {
            let facts = &net.nodes[node].facts;
            if facts.kind == Kind::MemSet || facts.engine == Engine::GeLocal {
                continue;
            }
            for next in successors(net, node) {
                let (from, to) = (streams[node], streams[next]);
                if from == to || excluded.contains(&from) || excluded.contains(&to) {
                    continue;
                }
                windows.insert(to, from, ids[next], ids[node]);
                windows.carry_on(to, from, ids[next], ids[node]);
            }
        }
        windows.thin_out();
        windows
    }

    fn insert(&mut self, dst: i64, src: i64, node: u32, peer: u32) {
        let known = self.before.entry(dst).or_default().entry(src).or_default().entry(node).or_insert(peer);
        *known = (*known).max(peer);
    }

    /// What was known before the producer is also known before the consumer.
    fn carry_on(&mut self, to: i64, from: i64, consumer: u32, producer: u32) {
        let Some(edges) = self.before.get(&from) else { return };
        let known: Vec<(i64, u32)> = edges
            .iter()
            .filter(|&(&third, _)| third != to)
            .filter_map(|(&third, edges)| {
                edges.range(..=producer).next_back().map(|(_, &peer)| (third, peer))
            })
            .collect();
        for (third, peer) in known {
            let set = self.before.entry(to).or_default().entry(third).or_default();
            let next = set.range(consumer..).next().map(|(&key, &value)| (key, value));
            if let Some((key, value)) = next
                && key > consumer
                && value < peer
            {
                set.remove(&key);
            }
            self.insert(to, third, consumer, peer);
        }
    }

    /// Drops links that say no more than an earlier one, then turns the map around.
    fn thin_out(&mut self) {
        for (&dst, sources) in &mut self.before {
            for (&src, edges) in sources {
                if edges.len() > 1 {
                    let mut last_peer = 0;
                    edges.retain(|_, &mut peer| {
                        let keeps = peer > last_peer;
                        if keeps {
                            last_peer = peer;
                        }
                        keeps
                    });
                }
                let out = self.after.entry(src).or_default().entry(dst).or_default();
                for (&key, &peer) in edges.iter() {
                    out.entry(peer).or_insert(key);
                }
            }
        }
    }

    /// The latest node of `src` proved to have run before time `at` on `dst`; 0 if none (S5.6 `dep`).
    pub(crate) fn proved_before(&self, dst: i64, src: i64, at: u32) -> u32 {
        let edges = self.before.get(&dst).and_then(|sources| sources.get(&src));
        edges.and_then(|edges| edges.range(..=at).next_back()).map_or(0, |(_, &peer)| peer)
    }

    /// When a node's work is known on stream `s` (S3.5 `return_point`).
    pub(crate) fn return_point(&self, id: u32, stream: i64, s: i64) -> u32 {
        if stream == s {
            return id;
        }
        let edges = self.after.get(&stream).and_then(|targets| targets.get(&s));
        edges.and_then(|edges| edges.range(id..).next()).map_or(LIFE_MAX, |(_, &key)| key)
    }

    /// From when on stream `s` a node may begin (S3.5 `first_point`).
    pub(crate) fn first_point(&self, id: u32, stream: i64, s: i64) -> u32 {
        if stream == s {
            return id;
        }
        let Some(edges) = self.before.get(&stream).and_then(|sources| sources.get(&s)) else {
            return LIFE_MIN;
        };
        let Some((&key, &peer)) = edges.range(id..).next() else { return LIFE_MIN };
        if key == id {
            return peer;
        }
        match edges.range(..key).next_back() {
            Some((&key, &peer)) if key <= id => peer,
            _ => LIFE_MIN,
        }
    }
}

fn excluded_streams(net: &Net, order: &[NodeId], streams: &[i64]) -> BTreeSet<i64> {
    let merges = order.iter().copied().filter(|&node| net.nodes[node].facts.kind.is_merge());
    merges
        .flat_map(|node| core::iter::once(node).chain(successors(net, node)))
        .map(|node| streams[node])
        .collect()
}

fn successors<'a>(net: &'a Net, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    net.outs(node)
        .flat_map(|out| &net.consumers[out])
        .map(|&anchor| net.in_node[anchor as usize] as usize)
        .chain(net.nodes[node].out_ctrl.iter().copied())
}
