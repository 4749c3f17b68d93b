//! Branches of a multi-batch model laid over one another (static allocator S9).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::model::static_graph::Io;
use crate::replay::assign::Assigner;
use crate::replay::block::{Block, LIFE_DEFAULT};
use crate::replay::introsort;

/// With extended memory a virtual block grows no larger (S0.2).
const SPLIT: u64 = 400 * 1024 * 1024;

/// Blocks of one class by label.
type ByLabel<'a> = BTreeMap<&'a str, Vec<u32>>;

/// Merges the branches of a block list; virtual blocks are appended to it.
pub(crate) fn merge(assigner: &mut Assigner, mut list: Vec<u32>) -> Vec<u32> {
    let names = &assigner.plan.net.model.names;
    let mut classes: BTreeMap<(u64, bool), ByLabel> = BTreeMap::new();
    for &number in &list {
        let block = &assigner.store.blocks[number as usize];
        if block.child || block.zero_copy || block.batch == Name::EMPTY {
            continue;
        }
        let alike = assigner
            .store
            .of(number as usize)
            .skip(1)
            .all(|member| assigner.plan.net.nodes[member.node].facts.batch == block.batch);
        if !alike || !(block.reuse || block.same_offset) {
            continue;
        }
        let whole = block.same_offset || block.continuous;
        let by_label = classes.entry((block.memory_type, whole)).or_default();
        by_label.entry(names.get(block.batch)).or_default().push(number);
    }
    for ((_, whole), by_label) in classes {
        let total = |row: &[u32]| row.iter().map(|&b| assigner.store.blocks[b as usize].size).sum::<u64>();
        let mut largest: Option<(&str, u64)> = None;
        for (&label, row) in &by_label {
            let sum = total(row);
            if largest.is_none_or(|(_, most)| sum > most) {
                largest = Some((label, sum));
            }
        }
        let Some((largest, _)) = largest else { continue };
        if whole {
            merge_whole(assigner, &by_label, largest, &mut list);
        } else {
            merge_normal(assigner, &by_label, largest, &mut list);
        }
    }
    list
}

/// Cuts the largest branch into virtual blocks and fills the others in block by block.
fn merge_normal(assigner: &mut Assigner, by_label: &ByLabel, largest: &str, list: &mut Vec<u32>) {
    let Some(row) = by_label.get(largest) else { return };
    let extends = matches!(assigner.plan.options.static_memory_policy, 1 | 2 | 4);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut running = 0;
    for &block in row {
        let size = assigner.store.blocks[block as usize].size;
        match groups.last_mut() {
            Some(group) if !extends || running + size <= SPLIT => group.push(block),
            _ => {
                groups.push(Vec::from([block]));
                running = 0;
            }
        }
        running += size;
    }
    let mut virtuals: Vec<u32> =
        groups.into_iter().filter_map(|group| make_virtual(assigner, group, list)).collect();
    for (_, row) in by_label.iter().filter(|&(&label, _)| label != largest) {
        let mut row = row.clone();
        sort_by_size(assigner, &mut virtuals);
        sort_by_size(assigner, &mut row);
        for &to in &virtuals {
            assigner.store.blocks[to as usize].used = 0;
            for &block in &row {
                if !assigner.store.blocks[block as usize].child && !lay_over(assigner, to, block) {
                    break;
                }
            }
        }
    }
}

/// One virtual block a branch, all over the largest.
fn merge_whole(assigner: &mut Assigner, by_label: &ByLabel, largest: &str, list: &mut Vec<u32>) {
    let Some(row) = by_label.get(largest) else { return };
    let Some(to) = make_virtual(assigner, row.clone(), list) else { return };
    for (_, row) in by_label.iter().filter(|&(&label, _)| label != largest) {
        if let Some(block) = make_virtual(assigner, row.clone(), list) {
            assigner.store.blocks[to as usize].used = 0;
            lay_over(assigner, to, block);
        }
    }
}

fn sort_by_size(assigner: &Assigner, row: &mut [u32]) {
    let size = |block: u32| assigner.store.blocks[block as usize].size;
    introsort::sort_by(row, |&a, &b| size(a) > size(b));
}

/// Lays a block over a virtual one, behind what is there of its label, if it fits.
fn lay_over(assigner: &mut Assigner, to: u32, block: u32) -> bool {
    let (size, label) = {
        let block = &assigner.store.blocks[block as usize];
        (block.size, block.batch)
    };
    let virtual_block = &mut assigner.store.blocks[to as usize];
    if virtual_block.used + size > virtual_block.size {
        return false;
    }
    virtual_block.used += size;
    virtual_block.overlays.entry(label).or_default().push(block);
    assigner.store.blocks[block as usize].child = true;
    true
}

/// A block made of others, one behind the other.
fn make_virtual(assigner: &mut Assigner, parts: Vec<u32>, list: &mut Vec<u32>) -> Option<u32> {
    let first = *parts.first()? as usize;
    let size = parts.iter().map(|&part| assigner.store.blocks[part as usize].size).sum();
    let ends = parts.iter().map(|&part| assigner.store.last(part as usize).map_or(0, |last| last.end));
    let end = ends.max().unwrap_or(LIFE_DEFAULT);
    let (node, begin, node_id) = {
        let member = assigner.store.first(first)?;
        (member.node, member.begin(), member.node_id)
    };
    let of = &assigner.store.blocks[first];
    let block = Block {
        size,
        stream: of.stream,
        memory_type: of.memory_type,
        reuse: of.reuse,
        post_reuse: of.post_reuse,
        same_stream: true,
        reuse_zero_copy: true,
        batch: of.batch,
        same_offset: of.same_offset,
        is_virtual: true,
        ..Block::default()
    };
    let mut member = assigner.member(node, Io::Workspace, 0);
    (member.begin, member.node_id, member.end) = (begin, node_id, end);
    (member.real, member.no_align, member.placeholder) = (size, size, true);
    let number = assigner.store.blocks.len();
    assigner.store.blocks.push(block);
    assigner.store.append(number, member);
    for &part in &parts {
        assigner.store.blocks[part as usize].child = true;
    }
    assigner.store.blocks[number].parts = parts;
    list.push(number as u32);
    Some(number as u32)
}
