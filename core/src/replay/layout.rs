//! Offsets: resizing, one block behind the other per memory type, children inside (static allocator S7.1
//! to S7.4).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::replay::assign::Assigner;
use crate::replay::batch;
use crate::replay::block::Blocks;
use crate::replay::memory;
use crate::replay::size::align;

/// Where the blocks of a candidate lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    /// End of each memory type's blocks, io blocks apart.
    pub offsets: BTreeMap<u64, u64>,
    /// Top-level blocks with offsets, in list order.
    pub tops: Vec<u32>,
    /// Top-level io blocks in list order; they are placed later.
    pub zero_copy: Vec<u32>,
}

impl Placed {
    /// End of what lies in device memory so far.
    pub(crate) fn hbm(&self) -> u64 {
        self.offsets.get(&memory::HBM).copied().unwrap_or(0)
    }
}

/// Resizes all blocks, merges batch labels and gives every block but the io blocks its offset.
pub(crate) fn place(assigner: &mut Assigner) -> Placed {
    let list = core::mem::take(&mut assigner.list);
    let store = &mut assigner.store;
    for &block in &list {
        if !store.blocks[block as usize].child {
            resize(store, block as usize);
        }
    }
    assigner.list = batch::merge(assigner, list);
    let mut placed = Placed::default();
    placed.offsets.insert(memory::HBM, 0);
    let store = &mut assigner.store;
    for &number in &assigner.list {
        let block = &mut store.blocks[number as usize];
        if block.child {
            continue;
        }
        if block.zero_copy {
            placed.zero_copy.push(number);
            continue;
        }
        let base = if block.is_virtual { 0 } else { memory::logical_base(block.memory_type) };
        let offset = placed.offsets.entry(block.memory_type).or_insert(base);
        if block.memory_type != memory::HBM && *offset == 0 {
            *offset = base;
        }
        let head = *offset;
        *offset += block.size;
        set_head(store, number as usize, head);
        placed.tops.push(number);
    }
    for &block in &assigner.list {
        assigner.store.note_ref_ends(block as usize);
    }
    placed
}

/// S7.1, children first.
pub(crate) fn resize(store: &mut Blocks, block: usize) {
    let mut sum = 0;
    for at in 0..store.blocks[block].children.len() {
        let child = store.blocks[block].children[at] as usize;
        resize(store, child);
        sum += store.blocks[child].size;
    }
    store.blocks[block].size = align(sum.max(store.largest_real(block)));
}

/// Gives a block and everything in it a place (S7.3).
pub(crate) fn set_head(store: &mut Blocks, block: usize, head: u64) {
    let mut work = Vec::from([(block, head)]);
    while let Some((block, head)) = work.pop() {
        store.blocks[block].head = head;
        let of = &store.blocks[block];
        for row in [&of.children, &of.parts].into_iter().chain(of.overlays.values()) {
            let mut at = head;
            for &inner in row {
                work.push((inner as usize, at));
                at += store.blocks[inner as usize].size;
            }
        }
    }
}

/// All blocks under a top-level one with their level, in the order of the records (S7.4).
pub(crate) fn nested(store: &Blocks, names: &crate::intern::Interner, top: usize) -> Vec<(usize, u32)> {
    let mut order = Vec::new();
    let mut stack = Vec::from([(top, 0)]);
    while let Some((block, level)) = stack.pop() {
        order.push((block, level));
        let of = &store.blocks[block];
        let mut labels: Vec<_> = of.overlays.iter().collect();
        labels.sort_by_key(|&(&label, _)| names.get(label));
        let inner = of.parts.iter().chain(labels.into_iter().flat_map(|(_, row)| row)).chain(&of.children);
        let from = stack.len();
        stack.extend(inner.map(|&block| (block as usize, level + 1)));
        stack[from..].reverse();
    }
    order
}
