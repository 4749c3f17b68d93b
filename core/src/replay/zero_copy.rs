//! The user's inputs and outputs, behind everything else in device memory (static allocator S7.5).

use alloc::vec::Vec;

use crate::replay::assign::Assigner;
use crate::replay::introsort;
use crate::replay::layout::{self, Placed};
use crate::replay::memory;

/// Places the io blocks; gives them in the order in which they lie.
pub(crate) fn place(assigner: &mut Assigner, placed: &mut Placed) -> Vec<u32> {
    let net = assigner.plan.net;
    let mut others = Vec::new();
    let mut inputs: Vec<(u64, u32)> = Vec::new();
    for &number in &placed.zero_copy {
        let input = assigner
            .store
            .of(number as usize)
            .find(|member| net.nodes[member.node].facts.kind.is_data_like() && net.is_direct(member.node));
        match input {
            Some(member) => inputs.push((member.no_align, number)),
            None => others.push(number),
        }
    }
    introsort::sort_by(&mut inputs, |a, b| a.0 < b.0);
    others.extend(inputs.into_iter().map(|(_, number)| number));
    let offset = placed.offsets.entry(memory::HBM).or_default();
    for &number in &others {
        layout::resize(&mut assigner.store, number as usize);
        layout::set_head(&mut assigner.store, number as usize, *offset);
        *offset += assigner.store.blocks[number as usize].size;
    }
    others
}
