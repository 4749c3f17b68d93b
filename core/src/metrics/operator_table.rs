//! Which rows of a static graph make the operator table, and in which order (analysis rules, R3,
//! display rules).

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::static_graph::life;
use crate::model::static_graph::{Block, Io, Placement, StaticGraph};
use crate::units::{Bytes, Offset};

/// One line of the table: a place in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The row it shows: its number in `graph.blocks`.
    pub block: usize,
    /// First use to last use of the row shown; an open end is `None`.
    pub life: Option<(u32, Option<u32>)>,
    /// Rows at the same offset that are in use at the same time and are not shown.
    pub sharers: Vec<usize>,
    /// For a reference and for a moved row: the row whose bytes it uses.
    pub uses: Option<usize>,
    /// Where it lies in the end: the last statement wins (plog grammar 3.3).
    pub offset: Offset,
    /// The row was moved by a later statement.
    pub moved: bool,
}

/// The table of one graph, largest size first.
pub fn entries(graph: &StaticGraph) -> Vec<Entry> {
    let last_words = last_words(graph);
    let mut places: HashMap<(u64, Offset), Vec<usize>> = HashMap::new();
    let mut entries: Vec<Entry> = Vec::new();
    for (number, block) in graph.blocks.iter().enumerate() {
        if block.placement != Placement::Set || block.flags.child_level != 0 {
            continue;
        }
        let word = last_words.get(&key(block)).copied().filter(|&last| last != number);
        let offset = word.map_or(block.offset, |last| graph.blocks[last].offset);
        let moved = word.is_some() && (block.size == Bytes::ZERO || offset != block.offset);
        let own = life(block);
        let shared = places.entry((block.memory_type, offset)).or_default();
        let same = shared.iter().copied().find(|&e| overlap(entries[e].life, own));
        match same {
            Some(entry) if !block.is_ref && !moved => {
                entries[entry].sharers.push(number);
            }
            same => {
                let uses = same.map(|entry| entries[entry].block);
                if uses.is_none() && !moved {
                    shared.push(entries.len());
                }
                entries.push(Entry { block: number, life: own, sharers: Vec::new(), uses, offset, moved });
            }
        }
    }
    point_to_main_blocks(graph, &mut entries);
    let size = |entry: &Entry| graph.blocks[entry.block].size;
    entries.sort_by(|a, b| size(b).cmp(&size(a)).then(a.offset.cmp(&b.offset)).then(a.block.cmp(&b.block)));
    entries
}

type Key = (crate::intern::Name, Io, i32, u64);

fn key(block: &Block) -> Key {
    (block.node, block.io, block.index, block.memory_type)
}

/// The last statement about each output and workspace.
fn last_words(graph: &StaticGraph) -> HashMap<Key, usize> {
    let mut last = HashMap::new();
    for (number, block) in graph.blocks.iter().enumerate() {
        if block.placement != Placement::Set {
            last.insert(key(block), number);
        }
    }
    last
}

/// Finds, for moved rows without bytes of their own, the main block they were moved into.
fn point_to_main_blocks(graph: &StaticGraph, entries: &mut [Entry]) {
    let mut mains: Vec<(u64, Offset, Offset, usize)> = entries
        .iter()
        .filter(|e| !e.moved && e.uses.is_none())
        .map(|e| &graph.blocks[e.block])
        .zip(entries.iter().filter(|e| !e.moved && e.uses.is_none()).map(|e| e.block))
        .filter(|(block, _)| block.size > Bytes::ZERO)
        .map(|(block, number)| (block.memory_type, block.offset, block.offset.end(block.size), number))
        .collect();
    mains.sort_unstable();
    for entry in entries.iter_mut().filter(|e| e.moved && e.uses.is_none()) {
        let block = &graph.blocks[entry.block];
        let behind = mains.partition_point(|m| (m.0, m.1) <= (block.memory_type, entry.offset));
        let holds = |m: &&(u64, Offset, Offset, usize)| {
            m.0 == block.memory_type && m.2 > entry.offset && overlap(life(&graph.blocks[m.3]), life(block))
        };
        // Candidates start at or before the offset; the nearest one that is in use then is meant.
        entry.uses = mains[..behind].iter().rev().take(4096).find(holds).map(|m| m.3);
    }
}

type Life = Option<(u32, Option<u32>)>;

fn overlap(a: Life, b: Life) -> bool {
    let (Some((a_begin, a_end)), Some((b_begin, b_end))) = (a, b) else { return a.is_none() && b.is_none() };
    a_end.is_none_or(|end| b_begin <= end) && b_end.is_none_or(|end| a_begin <= end)
}
