//! Launches of dynamic graphs by step: which pointer is an input and which an output, how large the
//! step was, and who made each input (analysis rules, R9).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::{Interner, Name};
use crate::model::launch::{Launch, Launches, Pointer, Step};
use crate::model::pool::{AllocatorId, Block, Family, Pools};
use crate::units::{Address, Bytes};

/// The parts of a kernel name: `LaunchKernelWithHandle_layers.0/Add_15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel<'n> {
    /// How it is launched, `LaunchKernelWithHandle`.
    pub kind: &'n str,
    /// The operator, `layers.0/Add`.
    pub op: &'n str,
}

/// Takes a kernel name apart.
pub fn kernel(name: &str) -> Kernel<'_> {
    let (kind, rest) = name.split_once('_').unwrap_or(("", name));
    let op = match rest.rsplit_once('_') {
        Some((op, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => op,
        _ => rest,
    };
    Kernel { kind, op }
}

/// What a pointer of a launch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An input, with its index.
    Input(u32),
    /// An output, with its index.
    Output(u32),
    /// An input or output: the line with the pointer counts is not there.
    Unsplit(u32),
    /// A workspace.
    Workspace(u32),
}

/// A pointer of a launch, and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// What it is.
    pub role: Role,
    /// Where it is, and its size.
    pub pointer: Pointer,
    /// Place of the launch whose output it is.
    pub producer: Option<usize>,
}

/// Inputs, outputs and workspaces of a launch, without producers.
pub fn arguments(launch: &Launch) -> Vec<Argument> {
    let pointers = launch.pointers.as_deref().unwrap_or(&[]);
    // A cut list has fewer pointers than the counts say; more of them would contradict the counts.
    let split = launch.split.filter(|s| {
        let counted = u64::from(s.inputs) + u64::from(s.outputs);
        pointers.len() as u64 <= counted
    });
    let role = |n: u32| match split {
        Some(split) if n < split.inputs => Role::Input(n),
        Some(split) => Role::Output(n - split.inputs),
        None => Role::Unsplit(n),
    };
    let listed = (0u32..).zip(pointers).map(|(n, &pointer)| (role(n), pointer));
    let workspaces = launch.workspaces.as_deref().unwrap_or(&[]);
    let workspace = |(n, &address)| (Role::Workspace(n), Pointer { address, size: None });
    listed
        .chain((0u32..).zip(workspaces).map(workspace))
        .map(|(role, pointer)| Argument { role, pointer, producer: None })
        .collect()
}

/// One step and its launches.
#[derive(Clone, Debug)]
pub struct StepView {
    /// The step.
    pub step: Step,
    /// Places of its launches.
    pub launches: Vec<usize>,
    /// Its gear: the largest size of any input or output. Weights count, so for graphs with large
    /// weights [`StepView::largest_output`] tells steps apart better.
    pub gear: Option<Bytes>,
    /// The largest output, where outputs are known.
    pub largest_output: Option<Bytes>,
}

/// The steps, in the order of their first lines.
pub fn steps(launches: &Launches) -> Vec<StepView> {
    let mut views: Vec<StepView> = launches
        .steps
        .iter()
        .map(|&step| StepView { step, launches: Vec::new(), gear: None, largest_output: None })
        .collect();
    for (place, launch) in launches.launches.iter().enumerate() {
        let Some(view) = views.get_mut(launch.step as usize) else { continue };
        view.launches.push(place);
        for argument in arguments(launch) {
            view.gear = view.gear.max(argument.pointer.size);
            if matches!(argument.role, Role::Output(_)) {
                view.largest_output = view.largest_output.max(argument.pointer.size);
            }
        }
    }
    views
}

/// Arguments of all launches of a step, each input with the launch whose output it is.
///
/// Only outputs of the same step count: memory of an earlier step may have been handed out again.
pub fn step_arguments(launches: &Launches, view: &StepView) -> Vec<(usize, Vec<Argument>)> {
    // Outputs by their first byte: size and launch. A later output at the same place wins.
    let mut outputs: BTreeMap<Address, (Bytes, usize)> = BTreeMap::new();
    let mut all = Vec::with_capacity(view.launches.len());
    for &place in &view.launches {
        let Some(launch) = launches.launches.get(place) else { continue };
        let mut arguments = arguments(launch);
        for argument in &mut arguments {
            if matches!(argument.role, Role::Input(_) | Role::Unsplit(_)) && argument.pointer.address.0 != 0 {
                argument.producer = producer(&outputs, argument.pointer.address);
            }
        }
        for argument in &arguments {
            if matches!(argument.role, Role::Output(_)) {
                write(&mut outputs, argument.pointer, place);
            }
        }
        all.push((place, arguments));
    }
    all
}

/// Ranges never overlap: what a new output covers is not the older one's any more.
fn write(outputs: &mut BTreeMap<Address, (Bytes, usize)>, pointer: Pointer, place: usize) {
    let (begin, size) = (pointer.address, pointer.size.unwrap_or_default());
    if begin.0 == 0 {
        return;
    }
    let end = begin.plus(size);
    let before = outputs.range(..begin).next_back().filter(|(at, (size, _))| at.plus(*size) > begin);
    let covered: Vec<Address> =
        before.into_iter().chain(outputs.range(begin..end)).map(|(&at, _)| at).collect();
    for at in covered {
        let Some((old, owner)) = outputs.remove(&at) else { continue };
        if at < begin {
            outputs.insert(at, (Bytes(begin.0 - at.0), owner));
        }
        let old_end = at.plus(old);
        if old_end > end {
            outputs.insert(end, (Bytes(old_end.0 - end.0), owner));
        }
    }
    outputs.insert(begin, (size, place));
}

fn producer(outputs: &BTreeMap<Address, (Bytes, usize)>, address: Address) -> Option<usize> {
    let (&at, &(size, place)) = outputs.range(..=address).next_back()?;
    (at == address || address.0 - at.0 < size.0).then_some(place)
}

/// A block of a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolBlock {
    /// The pool.
    pub allocator: AllocatorId,
    /// The block.
    pub block: Block,
}

/// The pool block behind each argument of each launch, in the order of [`arguments`]: the one that
/// was handed out at the moment of the launch. Empty where the log has no pool lines.
pub fn pool_blocks(launches: &Launches, pools: &Pools) -> Vec<Vec<Option<PoolBlock>>> {
    // Blocks of the device's own pool only supply the others.
    let used = pools.allocators.iter().filter(|a| a.id.family != Family::Rts);
    let mut events: Vec<(u32, bool, PoolBlock)> = used
        .flat_map(|allocator| {
            allocator.events.iter().filter_map(|event| {
                let block = *allocator.blocks.get(event.block as usize)?;
                Some((event.at, event.handed_out, PoolBlock { allocator: allocator.id, block }))
            })
        })
        .collect();
    if events.is_empty() {
        return Vec::new();
    }
    events.sort_by_key(|(at, ..)| *at);
    let mut events = events.into_iter().peekable();
    let mut live: BTreeMap<Address, PoolBlock> = BTreeMap::new();
    let mut order: Vec<usize> = (0..launches.launches.len()).collect();
    order.sort_by_key(|&place| launches.launches.get(place).map(|launch| launch.pool_events));
    let mut all = alloc::vec![Vec::new(); launches.launches.len()];
    for place in order {
        let (Some(launch), Some(blocks)) = (launches.launches.get(place), all.get_mut(place)) else {
            continue;
        };
        while let Some((_, handed_out, held)) = events.next_if(|(at, ..)| *at < launch.pool_events) {
            match handed_out {
                true => live.insert(held.block.address, held),
                false => live.remove(&held.block.address),
            };
        }
        let behind = |address: Address| {
            let (_, held) = live.range(..=address).next_back()?;
            (address.0 - held.block.address.0 < held.block.given.0).then_some(*held)
        };
        *blocks = arguments(launch).iter().map(|a| behind(a.pointer.address)).collect();
    }
    all
}

/// The launches of one operator over the steps: place, step, and the largest size of that launch.
pub fn of_operator(launches: &Launches, names: &Interner, op: &str) -> Vec<(usize, u32, Option<Bytes>)> {
    let mut known: BTreeMap<Name, bool> = BTreeMap::new();
    let mut is_op = |name: Name| *known.entry(name).or_insert_with(|| kernel(names.get(name)).op == op);
    launches
        .launches
        .iter()
        .enumerate()
        .filter(|(_, launch)| is_op(launch.kernel))
        .map(|(place, launch)| {
            let largest = arguments(launch).iter().filter_map(|a| a.pointer.size).max();
            (place, launch.step, largest)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_name_has_three_parts() {
        let check = |name, kind, op| assert_eq!(kernel(name), Kernel { kind, op });
        check("LaunchKernelWithHandle_layers.0/Add_15", "LaunchKernelWithHandle", "layers.0/Add");
        check("AicpuLaunchTfKernel_Where_2_11", "AicpuLaunchTfKernel", "Where_2");
        check("Odd", "", "Odd");
    }

    #[test]
    fn a_later_output_covers_an_older_one() {
        let mut outputs = BTreeMap::new();
        let pointer = |address, size| Pointer { address: Address(address), size: Some(Bytes(size)) };
        write(&mut outputs, pointer(100, 100), 1);
        write(&mut outputs, pointer(150, 10), 2);
        let by = |address| producer(&outputs, Address(address));
        assert_eq!((by(99), by(100), by(149), by(150), by(159)), (None, Some(1), Some(1), Some(2), Some(2)));
        assert_eq!((by(160), by(199), by(200)), (Some(1), Some(1), None));
    }
}
