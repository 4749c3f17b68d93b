//! Lines of args tables and zero copy (plog grammar chapters 6 and 11).
//!
//! A table is printed slot by slot in every round, so the small lines are kept small; which round
//! and which model they belong to is for [`crate::plog::rounds`].

use alloc::boxed::Box;

use super::Fact;
use crate::intern::{Interner, Name};
use crate::model::args_table::{
    Allocation, CopiedOutput, GraphModel, LogicalAddress, MemoryType, NoZeroCopy, Part, SlotPlace, Table,
    TooSmall, UserAddress,
};
use crate::plog::scan::Reading;
use crate::span::Span;
use crate::time::Time;
use crate::units::Address;

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Thread.
    pub tid: i64,
    /// Time of the line.
    pub time: Option<Time>,
    /// The line.
    pub span: Span,
    /// What it says.
    pub says: Says,
}

/// What a line says.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// A row of the table of allocations.
    Allocation(u64, Allocation),
    /// An output is copied.
    Copied(u64, CopiedOutput),
    /// Zero copy was given up.
    NoZeroCopy(Option<u64>, NoZeroCopy),
    /// An address of an operator.
    Address(LogicalAddress),
    /// Its slot.
    Place(SlotPlace),
    /// An args table was allocated for a model.
    Table(Option<u64>, Name, Table),
    /// The refresh kernel works on this args table.
    Launch(Address),
    /// The base of an allocation; `model` where printed.
    Base { model: Option<u64>, id: u32, base: Address, at_load: bool },
    /// The user's memory.
    User(UserAddress),
    /// The policy of the round.
    Policy(Name),
    /// The host wrote a slot.
    Written { slot: Address, value: Address },
    /// Device and host differ.
    Difference { slot: u32, device: Address, host: Address },
    /// A model was loaded: what follows is execution.
    Loaded(u64),
}

/// A slot of a printed table, or what a slot is made of.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Thread, its low 32 bits.
    pub tid: u32,
    /// Slot number.
    pub slot: u32,
    /// Allocation id for [`Fact::ArgsMap`].
    pub id: u32,
    /// The value, or the place in the allocation.
    pub number: u64,
    /// The line.
    pub span: Span,
}

fn say(line: &Reading<'_>, says: Says) -> Fact {
    let header = line.header;
    Fact::Args(Box::new(Line {
        tid: header.and_then(|h| h.tid).unwrap_or(0),
        time: header.and_then(|h| h.time()),
        span: line.span,
        says,
    }))
}

fn small(line: &Reading<'_>, name: &str) -> Option<u32> {
    u32::try_from(line.u64(name)?).ok()
}

pub(super) fn allocation(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(model) = line.u64("model_id") else { return };
    if line.bytes_of("why").is_some() {
        let said = NoZeroCopy {
            node: line.name("name", names),
            address: None,
            why: line.name("why", names),
            span: line.span,
        };
        give(say(line, Says::NoZeroCopy(Some(model), said)));
    }
    if let (Some(index), Some(id), Some(offset), Some(size), None, None) = (
        line.u64("io_index"),
        small(line, "id"),
        line.u64("offset"),
        line.bytes("size"),
        line.address("addr"),
        line.bytes_of("why"),
    ) {
        give(say(line, Says::Copied(model, CopiedOutput { index, id, offset, size, span: line.span })));
    }
    let (Some(id), Some(logical), Some(size), Some(kind)) =
        (small(line, "id"), line.address("addr"), line.bytes("size"), line.bytes_of("type"))
    else {
        return;
    };
    let kind = MemoryType::from_word(kind);
    let index = line.u64("index_in_type").unwrap_or(0);
    give(say(line, Says::Allocation(model, Allocation { id, kind, index, logical, size, span: line.span })));
}

pub(super) fn address(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(index), Some(address), Some(id), Some(offset)) =
        (small(line, "index"), line.address("addr"), small(line, "id"), line.u64("offset"))
    else {
        return;
    };
    give(say(
        line,
        Says::Address(LogicalAddress {
            op: line.name("name", names),
            op_type: line.name("optype", names),
            index,
            address,
            id,
            offset,
            refreshable: line.u64("refreshable") == Some(1),
            span: line.span,
        }),
    ));
}

pub(super) fn place(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(index), Some(id), Some(offset), Some(device), Some(host)) = (
        small(line, "io_index"),
        small(line, "id2"),
        line.u64("offset2"),
        line.address("dev_slot"),
        line.address("host_slot"),
    ) else {
        return;
    };
    let part = match line.u64("policy") {
        Some(1) => Part::Low,
        Some(2) => Part::High,
        _ => Part::Whole,
    };
    give(say(
        line,
        Says::Place(SlotPlace {
            op: line.name("name", names),
            op_type: line.name("optype", names),
            index,
            id,
            offset,
            device,
            host,
            part,
            span: line.span,
        }),
    ));
}

pub(super) fn table(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(base) = line.address("addr") else { return };
    let size = match (line.bytes("total"), line.bytes("built_in")) {
        (Some(total), _) => total,
        (None, Some(built_in)) => built_in + line.bytes("reserved").unwrap_or_default(),
        (None, None) => return,
    };
    let name = match line.name("name", names) {
        Name::EMPTY => line.name("name2", names),
        name => name,
    };
    let in_hbm = line.bytes_of("placement") == Some(b"hbm");
    let table = Table { in_hbm, base, size: Some(size), span: line.span };
    give(say(line, Says::Table(line.u64("model_id"), name, table)));
}

pub(super) fn launch(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(table) = line.address("args_tbl") {
        give(say(line, Says::Launch(table)));
    }
}

pub(super) fn updater(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(slot), Some(value)) = (line.address("dev_slot"), line.address("addr")) {
        give(say(line, Says::Written { slot, value }));
    }
}

fn entry(line: &Reading<'_>, id: u32, number: Option<u64>) -> Option<Entry> {
    let tid = line.header.and_then(|h| h.tid).unwrap_or(0) as u32;
    Some(Entry { tid, slot: small(line, "index")?, id, number: number?, span: line.span })
}

pub(super) fn table_slot(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(entry) = entry(line, 0, line.u64("value")) {
        give(Fact::ArgsValue(entry));
    }
}

pub(super) fn map(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    // The device's table holds eight times the id (plog grammar, chapter 11, item 7).
    let id = small(line, "id").or_else(|| small(line, "entry").map(|entry| entry / 8));
    if let Some(entry) = id.and_then(|id| entry(line, id, line.u64("offset"))) {
        give(Fact::ArgsMap(entry));
    }
}

pub(super) fn difference(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(slot), Some(device), Some(host)) =
        (small(line, "index"), line.address("dev"), line.address("host"))
    {
        give(say(line, Says::Difference { slot, device, host }));
    }
}

/// What stands in the device's and the host's active table beyond the last id are contents of
/// host inputs; [`crate::plog::rounds`] leaves those out.
pub(super) fn base(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let base = line.address("base").or_else(|| line.address("value"));
    let (Some(id), Some(base)) = (small(line, "id"), base) else { return };
    let model = line.u64("model_id");
    // The plain form is printed while the model loads; `[FM]` in every run.
    let at_load = model.is_some() && line.bytes_of("refreshable").is_none();
    give(say(line, Says::Base { model, id, base, at_load }));
}

pub(super) fn user(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(io), Some(index), Some(user), Some(base)) =
        (line.bytes_of("io"), small(line, "index"), line.address("user"), line.address("base"))
    else {
        return;
    };
    give(say(
        line,
        Says::User(UserAddress {
            is_input: io == b"Input",
            index,
            user,
            base,
            on_host: line.bytes_of("pls") == Some(b"host"),
            copy_host: line.u64("copy_host").is_some_and(|n| n != 0),
            span: line.span,
        }),
    ));
}

pub(super) fn policy(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if line.bytes_of("policy").is_some() {
        let policy = line.name("policy", names);
        give(say(line, Says::Policy(policy)));
    }
}

pub(super) fn zero_copy(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    // Only the lines of a refusal carry a model id.
    let Some(model) = line.u64("model_id") else { return };
    let address = line.bytes_of("addr").and_then(|text| core::str::from_utf8(text).ok()).and_then(|text| {
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    });
    let said = NoZeroCopy {
        node: line.name("name", names),
        address: address.map(Address),
        why: line.name("why", names),
        span: line.span,
    };
    give(say(line, Says::NoZeroCopy(Some(model), said)));
}

pub(super) fn loaded(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let done = line.bytes_of("op").is_some_and(|op| op.starts_with(b"Load") && op.ends_with(b"success"));
    if let (true, Some(model)) = (done, line.u64("model_id")) {
        give(say(line, Says::Loaded(model)));
    }
}

pub(super) fn graph_model(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(graph), Some(model)) = (line.u64("graph_id"), line.u64("model_id")) {
        give(Fact::GraphModel(Box::new(GraphModel { graph, model, span: line.span })));
    }
}

pub(super) fn too_small(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(io), Some(index), Some(user), Some(needed)) =
        (line.bytes_of("io"), line.u64("index"), line.bytes("user"), line.bytes("op"))
    else {
        return;
    };
    let is_input = io == b"input";
    give(Fact::TooSmall(Box::new(TooSmall { is_input, index, user, needed, span: line.span })));
}
