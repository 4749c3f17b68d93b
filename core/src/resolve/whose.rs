//! Whom an address belongs to: area, allocation, args slot, variable, user memory; and operator by
//! operator who used its bytes, with the neighbours that were live then.
//!
//! Every statement comes from a line. Where the log has no launch or block at the address, nothing
//! is said about operators.

use alloc::vec::Vec;

use super::args_table::{self, ArgsTable, Role};
use super::launch;
use super::notation::{At, Notation};
use super::static_map::{deciding, graph_id};
use crate::intern::{Interner, Name};
use crate::model::allocation::{Event, Layer};
use crate::model::args_table::{MemoryType, SLOT_SIZE};
use crate::model::pool::{AllocatorId, Family};
use crate::model::process::Process;
use crate::model::region::Area;
use crate::model::static_graph::{Block, Io, StaticGraph};
use crate::model::variable::Place;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes, Offset};

/// What an address lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// An area of a loaded model.
    Area {
        /// Graph id.
        graph: u64,
        /// The area.
        area: Area,
    },
    /// Device memory that was taken.
    Taken {
        /// Who printed it.
        layer: Layer,
        /// Its purpose, where printed.
        purpose: Name,
        /// It was given back later.
        given_back: bool,
    },
    /// The place of a model input or output in the layout: logical addresses.
    Logical {
        /// Model id.
        model: Option<u64>,
        /// Allocation id.
        id: u32,
        /// Input, output, feature map …
        kind: MemoryType,
        /// Which of them.
        index: u64,
        /// How many bytes from the start of the feature map are allocated, where this is a
        /// placeholder behind them.
        behind: Option<Bytes>,
    },
    /// Memory of the user for an input or output, in some rounds.
    User {
        /// Model id.
        model: Option<u64>,
        /// Input or output.
        kind: MemoryType,
        /// Which.
        index: u64,
        /// First and last round with this memory.
        rounds: (u32, u32),
        /// A temporary copy of host memory: no zero copy.
        copy_host: bool,
    },
    /// A slot of an args table.
    Slot {
        /// Model id.
        model: Option<u64>,
        /// Slot number.
        slot: u32,
        /// Operator whose argument it is.
        op: Name,
        /// What of the operator.
        role: Role,
    },
    /// A variable at a device address.
    Variable {
        /// Session id.
        session: u64,
        /// Node.
        node: Name,
        /// Output.
        output: u64,
    },
    /// A communication buffer.
    Buffer,
    /// A block of a pool of dynamic graphs.
    PoolBlock {
        /// The pool.
        allocator: AllocatorId,
    },
    /// The use of a pool block by a kernel.
    Tensor {
        /// Kernel that took it, `AllocMemHbm_Add_3_12`.
        kernel: Name,
        /// Kernel that dropped it last; empty where no line says so.
        freed_by: Name,
    },
    /// A block of a static graph, at its compile-time offset.
    Block {
        /// Graph id.
        graph: u64,
        /// Node.
        op: Name,
        /// Output or workspace.
        io: Io,
        /// Its index.
        index: i32,
    },
    /// The address of an operator at load, where the graph's blocks are not in the log.
    Operator {
        /// Graph id.
        graph: u64,
        /// Node.
        op: Name,
        /// Input, output or workspace.
        io: Io,
        /// Its index.
        index: u64,
    },
    /// An argument of a launch.
    Launch {
        /// Kernel as printed.
        kernel: Name,
        /// What it is.
        role: launch::Role,
    },
}

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// What it is.
    pub what: What,
    /// First byte.
    pub base: Address,
    /// Size, where known.
    pub size: Option<Bytes>,
    /// The line.
    pub span: Span,
}

impl Piece {
    fn holds(&self, address: Address) -> bool {
        match address.0.checked_sub(self.base.0) {
            Some(distance) => distance < self.size.map_or(1, |size| size.0.max(1)),
            None => false,
        }
    }

    fn end(&self) -> Address {
        self.base.plus(self.size.unwrap_or(Bytes(1)))
    }
}

/// When a piece was in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Life {
    /// From one topological id to another; `None` = to the end of the graph.
    Topological(u32, Option<u32>),
    /// In a step of a thread: place in the list of steps, and its number.
    Step(u32, u32),
    /// From one ordinal of the pools to another; `None` = no return was printed.
    Ordinal(u32, Option<u32>),
    /// While the model is loaded.
    Loaded,
}

/// Where a tenant stands beside the moment that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Before it.
    Earlier,
    /// At it.
    Then,
    /// After it.
    Later,
}

/// The nearest piece that was live with a tenant, and the bytes between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The piece.
    pub piece: Piece,
    /// Bytes between the address and the piece.
    pub distance: Bytes,
}

/// Someone who used the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tenant {
    /// The piece.
    pub piece: Piece,
    /// When.
    pub life: Life,
    /// Beside the moment asked for; `None` where none was asked or it can't be told.
    pub when: Option<When>,
    /// The nearest live piece below the address.
    pub below: Option<Neighbour>,
    /// The nearest live piece above the address.
    pub above: Option<Neighbour>,
}

/// What one process says of an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Place of the process.
    pub process: usize,
    /// The address.
    pub address: Address,
    /// What holds it, the largest first.
    pub holders: Vec<Piece>,
    /// Operators that used its bytes, in their order.
    pub tenants: Vec<Tenant>,
}

/// Looks an address up in all processes. Empty = no process knows it.
pub fn whose(processes: &[Process], names: &Interner, asked: Notation, at: Option<At>) -> Vec<Found> {
    let mut found = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        let tables = args_table::tables(process, names);
        for address in addresses(process, &tables, asked) {
            let mut holders = holders(process, &tables, address, at);
            holders.sort_by_key(|piece| (core::cmp::Reverse(piece.size), piece.span));
            let mut tenants = blocks(process, names, &tables, address);
            tenants.extend(pool_tenants(process, address));
            tenants.extend(launches(process, address, at));
            if !holders.is_empty() || !tenants.is_empty() {
                found.push(Found { process: number, address, holders, tenants });
            }
        }
    }
    found
}

/// The addresses that a notation stands for in a process.
fn addresses(process: &Process, tables: &[ArgsTable<'_>], asked: Notation) -> Vec<Address> {
    let mut all = match asked {
        Notation::Address(address) => Vec::from([address]),
        Notation::Either(decimal, hexadecimal) => Vec::from([decimal, hexadecimal]),
        Notation::InArea { area, graph, offset } => bases(process, tables)
            .into_iter()
            .filter(|base| base.area == area && graph.is_none_or(|graph| base.graph == Some(graph)))
            .map(|base| base.base.plus(Bytes(offset)))
            .collect(),
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// The first byte of an area.
struct AreaBase {
    graph: Option<u64>,
    area: Area,
    base: Address,
}

/// Areas as they were taken, and feature maps that only the table of allocations gives.
fn bases(process: &Process, tables: &[ArgsTable<'_>]) -> Vec<AreaBase> {
    let taken = process.regions.regions.iter().filter(|r| r.base.0 != 0);
    let mut bases: Vec<AreaBase> =
        taken.map(|r| AreaBase { graph: Some(r.graph), area: r.area, base: r.base }).collect();
    for table in tables {
        let map = table.args.allocations.iter().find(|a| a.kind == MemoryType::FeatureMap);
        if let Some(map) = map.filter(|map| map.logical.0 != 0 && bases.iter().all(|b| b.base != map.logical))
        {
            bases.push(AreaBase { graph: table.graph, area: Area::FeatureMap, base: map.logical });
        }
    }
    bases
}

fn holders(process: &Process, tables: &[ArgsTable<'_>], address: Address, at: Option<At>) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut give = |what, base, size, span| {
        let piece = Piece { what, base, size, span };
        if base.0 != 0 && piece.holds(address) {
            all.push(piece);
        }
    };
    for region in &process.regions.regions {
        give(
            What::Area { graph: region.graph, area: region.area },
            region.base,
            Some(region.size),
            region.span,
        );
    }
    taken(process, at, &mut give);
    for table in tables {
        let model = table.args.model;
        for a in table.args.allocations.iter().filter(|a| a.kind != MemoryType::Absolute) {
            let behind = table.allocated.filter(|allocated| {
                let distance = a.logical.0.checked_sub(allocated.base.0);
                a.kind.is_user_memory() && distance.is_none_or(|distance| distance >= allocated.size.0)
            });
            let behind = behind.map(|allocated| allocated.size);
            let what = What::Logical { model, id: a.id, kind: a.kind, index: a.index, behind };
            give(what, a.logical, Some(a.size), a.span);
        }
        for slot in &table.slots {
            if let (Some(device), Some(number)) = (slot.device, slot.number) {
                let what = What::Slot { model, slot: number, op: slot.op, role: slot.role };
                let span = slot.spans.first().copied().unwrap_or_default();
                give(what, device, Some(Bytes(SLOT_SIZE)), span);
            }
        }
        for user in users(table, at) {
            give(user.what, user.base, user.size, user.span);
        }
    }
    for variable in &process.variables {
        if let Place::Device(base) = variable.place {
            let what =
                What::Variable { session: variable.session, node: variable.node, output: variable.output };
            give(what, base, variable.size.or(variable.real_size), variable.span);
        }
    }
    for allocator in &process.pools.allocators {
        // Of all blocks that were ever there, the last; who had it when is told by the tenants.
        let holds = |b: &&crate::model::pool::Block| {
            address.0.checked_sub(b.address.0).is_some_and(|distance| distance < b.given.0)
        };
        if let Some(block) = allocator.blocks.iter().rev().find(holds) {
            let what = What::PoolBlock { allocator: allocator.id };
            give(what, block.address, Some(block.given), block.span);
        }
    }
    for buffer in process.allocations.buffers.iter().filter(|b| b.created) {
        give(What::Buffer, buffer.address, Some(buffer.size), buffer.span);
    }
    all
}

/// Device memory that was taken, up to the moment asked for. What was given back before is said
/// to be so.
fn taken(process: &Process, at: Option<At>, give: &mut dyn FnMut(What, Address, Option<Bytes>, Span)) {
    let mut live: Vec<(Address, Piece)> = Vec::new();
    let mut over: Vec<Piece> = Vec::new();
    for event in &process.allocations.events {
        match event {
            Event::Taken(a) => {
                if at.and_then(|at| at.is_past(a.time)) == Some(false) {
                    break;
                }
                let Some(base) = a.address else { continue };
                let what = What::Taken { layer: a.layer, purpose: a.purpose, given_back: false };
                live.push((base, Piece { what, base, size: Some(a.size), span: a.span }));
            }
            Event::Given(free) => {
                let Some(base) = free.address else { continue };
                // One free ends what every layer printed of the allocation.
                for (_, mut piece) in live.extract_if(.., |(known, _)| *known == base) {
                    if let What::Taken { given_back, .. } = &mut piece.what {
                        *given_back = true;
                    }
                    over.push(piece);
                }
            }
        }
    }
    for piece in over.into_iter().chain(live.into_iter().map(|(_, piece)| piece)) {
        give(piece.what, piece.base, piece.size, piece.span);
    }
}

/// Memory of the user: each address with the rounds that had it.
fn users(table: &ArgsTable<'_>, at: Option<At>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    table.each_round(&mut |state| {
        let Some(number) = state.number else { return };
        let is_asked = match at {
            None => true,
            Some(At::Step(step)) => step == number,
            Some(at) => at.is_past(state.round.time) != Some(false),
        };
        if !is_asked {
            return;
        }
        for user in &state.round.users {
            let allocation = table.user_allocation(user);
            let kind = if user.is_input { MemoryType::Input } else { MemoryType::Output };
            let index = u64::from(user.index);
            let known = pieces.iter_mut().find(|piece| {
                let is_same =
                    matches!(piece.what, What::User { kind: k, index: i, .. } if (k, i) == (kind, index));
                is_same && piece.base == user.base
            });
            match known {
                Some(Piece { what: What::User { rounds, .. }, .. }) => rounds.1 = number,
                _ => pieces.push(Piece {
                    what: What::User {
                        model: table.args.model,
                        kind,
                        index,
                        rounds: (number, number),
                        copy_host: user.copy_host,
                    },
                    base: user.base,
                    size: allocation.map(|a| a.size),
                    span: user.span,
                }),
            }
        }
    });
    pieces
}

/// Blocks and operators of static graphs that use the byte.
fn blocks(process: &Process, names: &Interner, tables: &[ArgsTable<'_>], address: Address) -> Vec<Tenant> {
    let mut tenants = Vec::new();
    for area in bases(process, tables).iter().filter(|area| area.area == Area::FeatureMap) {
        let Some(graph) = area.graph else { continue };
        let is_graph = |g: &&StaticGraph| graph_id(names.get(g.name)) == Some(graph);
        match process.graphs.iter().rev().find(is_graph).filter(|g| !g.blocks.is_empty()) {
            Some(layout) => compiled(graph, layout, area.base, address, &mut tenants),
            None => loaded(process, graph, address, &mut tenants),
        }
    }
    tenants.sort_by_key(|tenant| match tenant.life {
        Life::Topological(begin, end) => (begin, end.unwrap_or(u32::MAX), tenant.piece.span),
        Life::Step(step, _) => (step, step, tenant.piece.span),
        Life::Ordinal(begin, end) => (begin, end.unwrap_or(u32::MAX), tenant.piece.span),
        Life::Loaded => (0, u32::MAX, tenant.piece.span),
    });
    tenants
}

fn compiled(graph: u64, layout: &StaticGraph, base: Address, address: Address, tenants: &mut Vec<Tenant>) {
    let Some(offset) = address.0.checked_sub(base.0).and_then(|o| i64::try_from(o).ok()) else { return };
    let mut rows = deciding(layout);
    rows.retain(|b| b.real_size.0 > 0);
    let piece = |b: &Block| Piece {
        what: What::Block { graph, op: b.node, io: b.io, index: b.index },
        base: base.plus(Bytes(b.offset.0.unsigned_abs())),
        size: Some(b.real_size),
        span: b.span,
    };
    let life = |b: &Block| (b.life_begin.unwrap_or(0), b.life_ends.effective().unwrap_or(u32::MAX));
    let holds = |b: &Block| b.offset <= Offset(offset) && Offset(offset) < b.offset.end(b.real_size);
    for row in rows.iter().copied().filter(|row| holds(row)) {
        let (begin, end) = life(row);
        let live = rows.iter().copied().filter(|other| {
            let (b, e) = life(other);
            b <= end && begin <= e && !holds(other)
        });
        let (below, above) = neighbours(live.map(piece), address);
        let is_open = end >= crate::model::static_graph::LIFE_DEFAULT;
        tenants.push(Tenant {
            piece: piece(row),
            life: Life::Topological(begin, (!is_open).then_some(end)),
            when: None,
            below,
            above,
        });
    }
}

/// Operator addresses of the load lines: when each was in use is not known.
fn loaded(process: &Process, graph: u64, address: Address, tenants: &mut Vec<Tenant>) {
    let pieces: Vec<Piece> = process
        .regions
        .addresses
        .iter()
        .filter(|a| a.graph == graph && a.address.0 != 0)
        .map(|a| Piece {
            what: What::Operator { graph, op: a.node, io: a.io, index: a.index },
            base: a.address,
            size: a.size,
            span: a.span,
        })
        .collect();
    let (below, above) = neighbours(pieces.iter().copied().filter(|p| !p.holds(address)), address);
    for &piece in pieces.iter().filter(|piece| piece.holds(address)) {
        tenants.push(Tenant { piece, life: Life::Loaded, when: None, below, above });
    }
}

/// Kernels that held the byte, and blocks that no kernel line explains, in the order of their
/// hand-out; with the blocks that were live at that moment.
fn pool_tenants(process: &Process, address: Address) -> Vec<Tenant> {
    let mut tenants = Vec::new();
    for allocator in process.pools.allocators.iter().filter(|a| a.id.family != Family::Rts) {
        let block = |b: &crate::model::pool::Block| Piece {
            what: What::PoolBlock { allocator: allocator.id },
            base: b.address,
            size: Some(b.given),
            span: b.span,
        };
        for (place, holder) in (0u32..).zip(&allocator.blocks).filter(|(_, b)| block(b).holds(address)) {
            let is_live = |b: &&crate::model::pool::Block| {
                b.begin <= holder.begin
                    && b.end.is_none_or(|end| end > holder.begin)
                    && !block(b).holds(address)
            };
            let (below, above) = neighbours(allocator.blocks.iter().filter(is_live).map(block), address);
            let of_block = allocator.tensors.iter().filter(|t| t.block == Some(place));
            let mut uses: Vec<(Piece, Life)> = of_block
                .map(|t| {
                    let what = What::Tensor { kernel: t.kernel, freed_by: t.freed_by };
                    let size = Some(t.tensor_size.unwrap_or(t.size));
                    let end = t.kernel_free.or(t.pool_free);
                    (Piece { what, base: t.address, size, span: t.span }, Life::Ordinal(t.begin, end))
                })
                .collect();
            if uses.is_empty() {
                uses.push((block(holder), Life::Ordinal(holder.begin, holder.end)));
            }
            let tenant = |(piece, life)| Tenant { piece, life, when: None, below, above };
            tenants.extend(uses.into_iter().map(tenant));
        }
    }
    tenants.sort_by_key(|tenant| match tenant.life {
        Life::Ordinal(begin, _) => begin,
        _ => 0,
    });
    tenants
}

/// The nearest pieces below and above an address.
fn neighbours(
    pieces: impl Iterator<Item = Piece>,
    address: Address,
) -> (Option<Neighbour>, Option<Neighbour>) {
    let (mut below, mut above): (Option<Neighbour>, Option<Neighbour>) = (None, None);
    for piece in pieces {
        let (place, distance) = if piece.end() <= address {
            (&mut below, Bytes(address.0 - piece.end().0))
        } else if piece.base > address {
            (&mut above, Bytes(piece.base.0 - address.0))
        } else {
            continue;
        };
        if place.as_ref().is_none_or(|known| distance < known.distance) {
            *place = Some(Neighbour { piece, distance });
        }
    }
    (below, above)
}

/// Launches of dynamic graphs that use the byte, step by step.
fn launches(process: &Process, address: Address, at: Option<At>) -> Vec<Tenant> {
    let all = &process.launches;
    let mut tenants = Vec::new();
    let asked = at.and_then(|at| asked_step(all.steps.iter().map(|step| (step.number, step.time)), at));
    for (place, view) in (0u32..).zip(launch::steps(all)) {
        let mut pieces: Vec<Piece> = Vec::new();
        for &launch in &view.launches {
            let Some(launch) = all.launches.get(launch) else { continue };
            for argument in launch::arguments(launch).iter().filter(|a| a.pointer.address.0 != 0) {
                pieces.push(Piece {
                    what: What::Launch { kernel: launch.kernel, role: argument.role },
                    base: argument.pointer.address,
                    size: argument.pointer.size,
                    span: launch.pointers_span.unwrap_or(launch.span),
                });
            }
        }
        if !pieces.iter().any(|piece| piece.holds(address)) {
            continue;
        }
        let (below, above) = neighbours(pieces.iter().copied().filter(|p| !p.holds(address)), address);
        let when = asked.map(|asked| match view.step.number.cmp(&asked) {
            core::cmp::Ordering::Less => When::Earlier,
            core::cmp::Ordering::Equal => When::Then,
            core::cmp::Ordering::Greater => When::Later,
        });
        for &piece in pieces.iter().filter(|piece| piece.holds(address)) {
            tenants.push(Tenant { piece, life: Life::Step(place, view.step.number), when, below, above });
        }
    }
    tenants
}

/// The number of the step that a moment lies in: the last one that began before it.
fn asked_step(steps: impl Iterator<Item = (u32, Option<Time>)>, at: At) -> Option<u32> {
    match at {
        At::Step(step) => Some(step),
        at => steps.filter(|(_, time)| at.is_past(*time) == Some(true)).map(|(number, _)| number).last(),
    }
}
