//! The args table of a static model: what each slot is, and which address it held in each round
//! (analysis rules, R9: zero copy has two layers).
//!
//! First the logical address, computed at load; then, for user memory, the address the user gave in
//! that round. The allocation id links the two.

use alloc::vec::Vec;

use crate::intern::{Interner, Name};
use crate::model::args_table::{
    Allocation, Difference, LogicalAddress, MemoryType, ModelArgs, Part, Round, SLOT_LIMIT, SLOT_SIZE,
    UserAddress,
};
use crate::model::process::Process;
use crate::model::region::{Area, FeatureMapNeed};
use crate::model::static_graph::Io;
use crate::span::Span;
use crate::units::{Address, Bytes};

/// What of an operator a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An input, output or workspace, with its index.
    Io(Io, u64),
    /// The n-th of the operator's inputs, outputs and workspaces: no line tells where which ends.
    Nth(u32),
    /// No line names an operator: a tiling address or padding.
    Other,
}

/// What memory stands behind a logical address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backing {
    /// Allocated.
    Backed,
    /// A placeholder: behind the allocated bytes of the feature map.
    Unbacked(Allocated),
    /// No line tells how much of the feature map is allocated.
    Unknown,
}

/// How much of a feature map is allocated, and which line says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocated {
    /// First byte of the feature map.
    pub base: Address,
    /// Allocated bytes from there.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// A slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Its number: device address less the table's, by eight. `None` where the table's address is
    /// not known or the slot lies in another table.
    pub number: Option<u32>,
    /// Operator; empty for a slot without one.
    pub op: Name,
    /// Operator type.
    pub op_type: Name,
    /// What of the operator.
    pub role: Role,
    /// How much of the address it holds.
    pub part: Part,
    /// Allocation id.
    pub id: u32,
    /// Place in the allocation.
    pub offset: u64,
    /// The allocation.
    pub allocation: Option<Allocation>,
    /// Address computed at load.
    pub logical: Option<Address>,
    /// Size of the tensor or workspace, where a load line gives it.
    pub size: Option<Bytes>,
    /// Whether memory stands behind that.
    pub backing: Backing,
    /// Takes part in the refresh.
    pub refreshable: Option<bool>,
    /// Device address of the slot.
    pub device: Option<Address>,
    /// The lines: slot first, then the logical address.
    pub spans: Vec<Span>,
}

impl Slot {
    /// Whether memory stands behind the logical address; `None` = not known.
    pub fn is_backed(&self) -> Option<bool> {
        match self.backing {
            Backing::Backed => Some(true),
            Backing::Unbacked(_) => Some(false),
            Backing::Unknown => None,
        }
    }
}

/// How the value of a slot in a round is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The table was printed in this round.
    Printed,
    /// The host wrote it, in this round or before.
    Written,
    /// Base of the allocation in this round plus offset.
    Computed,
}

/// The value of a slot in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispatched {
    /// In the host's table.
    pub host: Address,
    /// What the device has: differs where the table was read back and differs.
    pub device: Address,
    /// How it is known.
    pub known: Known,
}

/// The args of one model, resolved.
#[derive(Clone, Debug)]
pub struct ArgsTable<'p> {
    /// What the lines say.
    pub args: &'p ModelArgs,
    /// Graph that the model was loaded from, where a line or the names say so.
    pub graph: Option<u64>,
    /// How much of the feature map is allocated.
    pub allocated: Option<Allocated>,
    /// Slots, by number; those without a number at the end.
    pub slots: Vec<Slot>,
}

/// A round with the bases in force.
#[derive(Clone, Debug)]
pub struct RoundState<'p> {
    /// Number of the execution, from 0; `None` for the update at load.
    pub number: Option<u32>,
    /// What the lines say.
    pub round: &'p Round,
    /// Base of each allocation id.
    bases: Vec<Option<Address>>,
    /// What the last printed table held, by slot.
    printed: Vec<Option<Address>>,
    /// What the host wrote last, by slot.
    written: Vec<Option<Address>>,
    /// The turn in which it did.
    written_in: Vec<u32>,
    /// Differences of this turn, by slot: the turn, and the place in the round.
    different: Vec<(u32, u32)>,
    /// Counts the rounds, from 1.
    turn: u32,
}

/// All args tables of a process.
pub fn tables<'p>(process: &'p Process, names: &Interner) -> Vec<ArgsTable<'p>> {
    process.args.models.iter().map(|args| table(process, args, names)).collect()
}

fn table<'p>(process: &'p Process, args: &'p ModelArgs, names: &Interner) -> ArgsTable<'p> {
    let graph = graph(process, args, names);
    let allocated = allocated(process, args, graph);
    let roles = Roles::new(process, args, graph);
    let mut slots = Vec::with_capacity(args.places.len().max(args.map.len()));
    let mut logical: Vec<&LogicalAddress> = args.addresses.iter().collect();
    logical.sort_by_key(|address| (address.op, address.index));
    for place in &args.places {
        let found = logical.binary_search_by_key(&(place.op, place.index), |a| (a.op, a.index));
        let address = found.ok().and_then(|at| logical.get(at)).copied();
        let spans = [Some(place.span), address.map(|a| a.span)].into_iter().flatten().collect();
        slots.push(Slot {
            number: args.slot_at(place.device),
            op: place.op,
            op_type: place.op_type,
            role: roles.role(place.op, place.index),
            part: place.part,
            id: place.id,
            offset: place.offset,
            allocation: None,
            logical: address.map(|a| a.address),
            size: roles.size(place.op, place.index),
            backing: Backing::Unknown,
            refreshable: address.map(|a| a.refreshable),
            device: Some(place.device),
            spans,
        });
    }
    slots.sort_by_key(|slot| slot.number.unwrap_or(u32::MAX));
    let named = slots.len();
    let table = args.table();
    for row in &args.map {
        let is_named =
            slots[..named].binary_search_by_key(&row.slot, |s| s.number.unwrap_or(u32::MAX)).is_ok();
        if !is_named {
            slots.push(Slot {
                number: Some(row.slot),
                op: Name::EMPTY,
                op_type: Name::EMPTY,
                role: Role::Other,
                part: Part::Whole,
                id: row.id,
                offset: row.offset,
                allocation: None,
                logical: None,
                size: None,
                backing: Backing::Unknown,
                refreshable: None,
                device: table.map(|t| t.base.plus(Bytes(u64::from(row.slot) * SLOT_SIZE))),
                spans: Vec::from([row.span]),
            });
        }
    }
    for slot in &mut slots {
        let found = args.allocations.binary_search_by_key(&slot.id, |a| a.id).ok();
        slot.allocation = found.and_then(|at| args.allocations.get(at)).copied();
        if slot.logical.is_none() && slot.role != Role::Other {
            slot.logical = slot.allocation.map(|a| a.logical.plus(Bytes(slot.offset)));
        }
        slot.backing = backing(slot, args, allocated);
    }
    slots.sort_by_key(|slot| slot.number.unwrap_or(u32::MAX));
    ArgsTable { args, graph, allocated, slots }
}

/// The graph of a model: a line says so, or the graph's name is the model's with the id behind it.
fn graph(process: &Process, args: &ModelArgs, names: &Interner) -> Option<u64> {
    let by_line = args.model.and_then(|model| process.args.graph_of(model));
    let by_name = || {
        let model = Some(names.get(args.name)).filter(|name| !name.is_empty())?;
        let rest = |graph: Name| names.get(graph).strip_prefix(model)?.strip_prefix('_')?.parse().ok();
        process.graphs.iter().find_map(|graph| rest(graph.name))
    };
    by_line.or_else(by_name)
}

/// How much of the feature map is allocated. Best the line with need and layout, then the area as
/// it was taken, then the table of allocations.
fn allocated(process: &Process, args: &ModelArgs, graph: Option<u64>) -> Option<Allocated> {
    let feature_map = args.allocations.iter().find(|a| a.kind == MemoryType::FeatureMap);
    let is_area = |region: &&crate::model::region::Region| {
        let of_graph = graph.is_none_or(|graph| region.graph == graph);
        let at_base = feature_map.is_none_or(|a| a.logical == region.base);
        region.area == Area::FeatureMap && region.base.0 != 0 && of_graph && at_base
    };
    // Several models may lie in one log: without a feature map to compare with, the graph must be known.
    let area = process
        .regions
        .regions
        .iter()
        .rev()
        .filter(|_| graph.is_some() || feature_map.is_some())
        .find(is_area);
    let base = area.map(|area| area.base).or(feature_map.map(|a| a.logical))?;
    if let Some(need) = need(process, args) {
        return Some(Allocated { base, size: need.allocated, span: need.span });
    }
    match (area, feature_map) {
        (Some(area), _) => Some(Allocated { base, size: area.size, span: area.span }),
        (None, Some(map)) => Some(Allocated { base, size: map.size, span: map.span }),
        (None, None) => None,
    }
}

/// The line with need and layout of a model.
pub fn need<'p>(process: &'p Process, args: &ModelArgs) -> Option<&'p FeatureMapNeed> {
    process.regions.needs.iter().rev().find(|need| Some(need.model) == args.model)
}

fn backing(slot: &Slot, args: &ModelArgs, allocated: Option<Allocated>) -> Backing {
    let Some(allocation) = slot.allocation else { return Backing::Unknown };
    match allocation.kind {
        MemoryType::FixedFeatureMap | MemoryType::Absolute => return Backing::Backed,
        MemoryType::Other => return Backing::Unknown,
        MemoryType::Input | MemoryType::Output | MemoryType::FeatureMap => {}
    }
    // User memory has a place in the layout, which is allocated only without zero-copy reuse; of
    // the feature map, what lies behind the allocated bytes is missing.
    let (Some(logical), Some(allocated)) = (slot.logical, allocated) else { return Backing::Unknown };
    let holds = |base: Address, size: Bytes| logical.0.checked_sub(base.0).is_some_and(|d| d < size.0);
    let is_other_part = |a: &Allocation| {
        matches!(a.kind, MemoryType::FeatureMap | MemoryType::FixedFeatureMap) && a.logical != allocated.base
    };
    let in_other_part = args.allocations.iter().any(|a| is_other_part(a) && holds(a.logical, a.size));
    match holds(allocated.base, allocated.size) || in_other_part {
        true => Backing::Backed,
        false => Backing::Unbacked(allocated),
    }
}

/// An input, output or workspace with its index, and its size.
type Item = (Io, u64, Option<Bytes>);

/// Tells inputs, outputs and workspaces of an operator apart, by its load lines.
struct Roles {
    /// Operator, and its inputs, outputs and workspaces in this order.
    lists: Vec<(Name, Vec<Item>)>,
    /// How many addresses each operator has.
    counts: Vec<(Name, u32)>,
}

impl Roles {
    fn new(process: &Process, args: &ModelArgs, graph: Option<u64>) -> Roles {
        let order = |io: Io| match io {
            Io::Input => 0,
            Io::Output | Io::OutputDesc | Io::Unknown => 1,
            Io::Workspace => 2,
        };
        let mut rows: Vec<(Name, u8, u64, Io, Option<Bytes>)> = process
            .regions
            .addresses
            .iter()
            .filter(|a| graph.is_none_or(|graph| a.graph == graph))
            .map(|a| (a.node, order(a.io), a.index, a.io, a.size))
            .collect();
        rows.sort_by_key(|row| (row.0, row.1, row.2));
        rows.dedup_by_key(|row| (row.0, row.1, row.2));
        let mut lists: Vec<(Name, Vec<Item>)> = Vec::new();
        for (node, _, index, io, size) in rows {
            match lists.last_mut() {
                Some((last, list)) if *last == node => list.push((io, index, size)),
                _ => lists.push((node, Vec::from([(io, index, size)]))),
            }
        }
        let mut counts: Vec<(Name, u32)> = Vec::new();
        let mut all: Vec<(Name, u32)> = args.addresses.iter().map(|a| (a.op, a.index)).collect();
        all.sort_unstable();
        for (op, index) in all {
            match counts.last_mut() {
                Some((last, count)) if *last == op => *count = index + 1,
                _ => counts.push((op, index + 1)),
            }
        }
        Roles { lists, counts }
    }

    fn item(&self, op: Name, index: u32) -> Option<&Item> {
        let list = self.lists.binary_search_by_key(&op, |(node, _)| *node).ok()?;
        let count = self.counts.binary_search_by_key(&op, |(node, _)| *node).ok()?;
        let ((_, list), (_, count)) = (self.lists.get(list)?, self.counts.get(count)?);
        if list.len() == *count as usize { list.get(index as usize) } else { None }
    }

    fn role(&self, op: Name, index: u32) -> Role {
        self.item(op, index).map_or(Role::Nth(index), |&(io, index, _)| Role::Io(io, index))
    }

    fn size(&self, op: Name, index: u32) -> Option<Bytes> {
        self.item(op, index).and_then(|item| item.2)
    }
}

impl<'p> ArgsTable<'p> {
    /// Goes through the rounds, the update at load too.
    pub fn each_round(&self, take: &mut dyn FnMut(&RoundState<'p>)) {
        let ids = self.args.allocations.last().map_or(0, |a| a.id as usize + 1).min(1 << 20);
        let mut state = RoundState {
            number: None,
            round: match self.args.rounds.first() {
                Some(round) => round,
                None => return,
            },
            bases: alloc::vec![None; ids],
            printed: Vec::new(),
            written: Vec::new(),
            written_in: Vec::new(),
            different: Vec::new(),
            turn: 0,
        };
        // What never moves has its base at 0: the offset is the address.
        for allocation in self.args.allocations.iter().filter(|a| a.kind == MemoryType::Absolute) {
            set(&mut state.bases, allocation.id as usize, Address(0));
        }
        let mut number = 0;
        for round in &self.args.rounds {
            state.round = round;
            state.turn = state.turn.saturating_add(1);
            for base in &round.bases {
                if (base.id as usize) < ids {
                    set(&mut state.bases, base.id as usize, base.base);
                }
            }
            for user in &round.users {
                if let Some(allocation) = self.user_allocation(user) {
                    set(&mut state.bases, allocation.id as usize, user.base);
                }
            }
            for value in &round.values {
                set(&mut state.printed, value.slot as usize, value.value);
            }
            for value in &round.written {
                set(&mut state.written, value.slot as usize, value.value);
                stamp(&mut state.written_in, value.slot, state.turn);
            }
            for (place, difference) in (0u32..).zip(&round.differences) {
                if difference.slot < SLOT_LIMIT {
                    stamp(&mut state.different, difference.slot, (state.turn, place));
                }
            }
            state.number = (!round.at_load).then_some(number);
            number += u32::from(!round.at_load);
            take(&state);
        }
    }

    /// The slot with a number.
    pub fn slot(&self, number: u32) -> Option<&Slot> {
        let at = self.slots.binary_search_by_key(&number, |slot| slot.number.unwrap_or(u32::MAX)).ok()?;
        self.slots.get(at)
    }

    /// The allocation that stands for an input or output of the user.
    pub fn user_allocation(&self, user: &UserAddress) -> Option<&'p Allocation> {
        let kind = if user.is_input { MemoryType::Input } else { MemoryType::Output };
        self.args.allocations.iter().find(|a| a.kind == kind && a.index == u64::from(user.index))
    }
}

/// Slots and ids are bounded where they are read.
fn set(list: &mut Vec<Option<Address>>, at: usize, value: Address) {
    if list.len() <= at {
        list.resize(at + 1, None);
    }
    if let Some(place) = list.get_mut(at) {
        *place = Some(value);
    }
}

fn stamp<T: Copy + Default>(list: &mut Vec<T>, slot: u32, value: T) {
    let slot = slot as usize;
    if list.len() <= slot {
        list.resize(slot + 1, T::default());
    }
    if let Some(place) = list.get_mut(slot) {
        *place = value;
    }
}

impl RoundState<'_> {
    /// The base of an allocation id in this round.
    pub fn base(&self, id: u32) -> Option<Address> {
        self.bases.get(id as usize).copied().flatten()
    }

    /// The user's memory behind an allocation, in this round.
    pub fn user(&self, allocation: &Allocation) -> Option<&UserAddress> {
        let is_input = match allocation.kind {
            MemoryType::Input => true,
            MemoryType::Output => false,
            _ => return None,
        };
        self.round.users.iter().find(|u| u.is_input == is_input && u64::from(u.index) == allocation.index)
    }

    /// The difference that was read back for a slot.
    pub fn difference(&self, slot: u32) -> Option<&Difference> {
        let &(turn, place) = self.different.get(slot as usize)?;
        self.round.differences.get(place as usize).filter(|_| turn == self.turn)
    }

    /// What a slot held in this round; `None` where nothing tells.
    pub fn value(&self, slot: &Slot) -> Option<Dispatched> {
        let at = |list: &[Option<Address>]| slot.number.and_then(|n| list.get(n as usize).copied().flatten());
        let is_printed = slot.number.is_some_and(|n| n < self.round.printed);
        let is_written = |n: u32| self.written_in.get(n as usize) == Some(&self.turn);
        let written = at(&self.written).filter(|_| slot.number.is_some_and(is_written));
        let (host, known) = match (at(&self.printed), written, self.base(slot.id)) {
            (Some(value), ..) if is_printed => (value, Known::Printed),
            (_, Some(value), _) => (value, Known::Written),
            // With the refresh kernel the host writes at load only, so the base is the better source.
            (_, None, Some(base)) => (base.plus(Bytes(slot.offset)), Known::Computed),
            (_, None, None) => (at(&self.written)?, Known::Written),
        };
        let device = slot.number.and_then(|n| self.difference(n)).map_or(host, |d| d.device);
        Some(Dispatched { host, device, known })
    }
}
