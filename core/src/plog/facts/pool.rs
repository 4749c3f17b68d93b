//! Lines of the pools of dynamic graphs (plog grammar chapter 5, and `pa.*` of chapter 4).
//!
//! A busy log has several of them for every tensor, so each says its thing in one small fact; what
//! they mean together is for [`crate::plog::pools`].

use alloc::boxed::Box;

use super::Fact;
use crate::intern::{Interner, Name};
use crate::model::allocation::{Event, Free, Layer};
use crate::model::pool::AllocatorId;
use crate::plog::scan::Reading;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Allocator of the location part or of the text.
    pub allocator: Option<AllocatorId>,
    /// Thread.
    pub tid: i64,
    /// What it says.
    pub says: Says,
    /// The line.
    pub span: Span,
}

/// What a line says.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// An allocator was created, over this one where the line says so.
    Created(Option<AllocatorId>),
    /// Size of a physical page: of a new page allocator, or (`in_use`) of the pool at work.
    PageSize { page: Bytes, in_use: bool },
    /// The pool hands out a block. `object` is its host object.
    HandedOut { address: Address, asked: Bytes, given: Bytes, object: Address },
    /// The pool takes a block back.
    TakenBack { address: Address, peak: Bytes },
    /// A pool takes a block from the level below (`taken`), or returns it.
    Level { taken: bool, object: Address, size: Bytes },
    /// A device-level block, by its host object.
    DeviceBlock { taken: bool, object: Address, size: Bytes },
    /// Device memory taken from the runtime.
    DeviceTaken { address: Option<Address>, size: Bytes },
    /// Device memory given back to the runtime.
    DeviceFree(Address),
    /// A virtual range is backed; bytes of physical memory that the pool then holds.
    Backed(Bytes),
    /// A physical page was released; bytes that the pool then holds.
    Released(Bytes),
    /// Printed summary, device memory.
    Summary { counts: (u32, u32), total: Bytes, new_va: Bytes, real_theory_min: Bytes, theory_min: Bytes },
    /// Printed summary, counters.
    Counters(u64, u64, u64),
    /// Printed summary, spans in use or (`!using`) idle.
    Spans { using: bool, count: u64, total: Bytes },
    /// A kernel takes memory.
    KernelAlloc {
        kernel: Name,
        stream: i32,
        index: Option<u32>,
        object: Address,
        address: Address,
        size: Bytes,
        tensor_size: Option<Bytes>,
        host: bool,
    },
    /// A kernel drops memory.
    KernelFree { kernel: Name, address: Address },
    /// A block goes back to the pool of its stream, or (`borrowed`) to be lent by another.
    Recycled { borrowed: bool, address: Address },
    /// A round of execution starts, or ends.
    Mark { start: bool },
    /// A request would exceed the limit of the pool.
    OverLimit { held: Bytes, asked: Bytes, limit: Bytes },
    /// A first try failed; the pool will give back idle memory.
    FirstTry(Option<Time>),
    /// The level below, or the device, refused.
    SupplierRefused { size: Bytes },
    /// A kernel got nothing in the end.
    GaveUp { kernel: Name, size: Bytes },
}

fn say(line: &Reading<'_>, says: Says, give: &mut dyn FnMut(Fact)) {
    let allocator = line.header.and_then(|h| AllocatorId::parse(h.allocator));
    of(line, allocator, says, give);
}

fn of(line: &Reading<'_>, allocator: Option<AllocatorId>, says: Says, give: &mut dyn FnMut(Fact)) {
    let tid = line.header.and_then(|h| h.tid).unwrap_or(0);
    give(Fact::Pool(Line { allocator, tid, says, span: line.span }));
}

fn small(line: &Reading<'_>, field: &str) -> u32 {
    line.u64(field).map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX))
}

pub(super) fn created(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(id) = line.bytes_of("id").and_then(AllocatorId::parse) {
        let supplier = line.bytes_of("l1").and_then(AllocatorId::parse);
        of(line, Some(id), Says::Created(supplier), give);
    } else if let Some(page) = line.bytes("page").filter(|page| page.0 > 0) {
        say(line, Says::PageSize { page, in_use: false }, give);
    }
}

pub(super) fn page_size(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(page) = line.bytes("page").filter(|page| page.0 > 0) {
        say(line, Says::PageSize { page, in_use: true }, give);
    }
}

pub(super) fn handed_out(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(address), Some(asked), Some(given)) =
        (line.address("addr"), line.bytes("size"), line.bytes("alloc_size"))
    else {
        return;
    };
    let object = line.address("span").unwrap_or_default();
    say(line, Says::HandedOut { address, asked, given, object }, give);
}

pub(super) fn taken_back(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(address), Some(peak)) = (line.address("addr"), line.bytes("theory_min")) {
        say(line, Says::TakenBack { address, peak }, give);
    }
}

pub(super) fn over_limit(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(held), Some(asked), Some(limit)) =
        (line.bytes("occupied"), line.bytes("size"), line.bytes("threshold"))
    else {
        return;
    };
    say(line, Says::OverLimit { held, asked, limit }, give);
}

/// The line is printed on failure too, with a null block.
pub(super) fn level(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(op), Some(object), Some(size)) =
        (line.bytes_of("op"), line.address("block").filter(|block| block.0 != 0), line.bytes("size"))
    {
        say(line, Says::Level { taken: op == b"Malloc", object, size }, give);
    }
}

pub(super) fn stream_pool(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(op), Some(object)) = (line.bytes_of("op"), line.address("block")) {
        let size = line.bytes("size").unwrap_or_default();
        say(line, Says::Level { taken: op == b"Expand", object, size }, give);
    }
}

pub(super) fn device(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let taken = line.bytes_of("op") == Some(b"Alloc");
    if let Some(address) = line.address("addr") {
        // The counterpart of `malloc.dyn` "page caching", which prints no free of its own.
        let free =
            Free { layer: Layer::Ge, address: Some(address), device: line.u64("device"), span: line.span };
        give(Fact::Allocation(Box::new(Event::Given(free))));
        say(line, Says::DeviceFree(address), give);
    } else if let (Some(object), Some(size)) = (line.address("block"), line.bytes("size")) {
        say(line, Says::DeviceBlock { taken, object, size }, give);
    }
}

/// Device memory whose purpose is that of a pool (plog grammar 4.1); other purposes say nothing here.
pub(super) fn device_memory(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let purpose = line.bytes_of("purpose").unwrap_or(&[]).trim_ascii_end();
    let address = line.address("addr");
    if !matches!(purpose, b"page caching" | b"Memory for caching") || address == Some(Address(0)) {
        return;
    }
    if let Some(size) = line.bytes("size") {
        say(line, Says::DeviceTaken { address, size }, give);
    }
}

/// Only the backing of a range; the line of a return repeats the total.
pub(super) fn backed(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let returns = line.header.is_some_and(|h| h.func == b"FreePhysicalMemory");
    if let Some(total) = line.bytes("total").filter(|_| !returns) {
        say(line, Says::Backed(total), give);
    }
}

pub(super) fn released(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(total) = line.bytes("total") {
        say(line, Says::Released(total), give);
    }
}

pub(super) fn summary(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(total), Some(real_theory_min), Some(theory_min)) =
        (line.bytes("total"), line.bytes("real_min"), line.bytes("theory_min"))
    else {
        return;
    };
    let counts = (small(line, "allocs"), small(line, "frees"));
    let new_va = line.bytes("new_va").unwrap_or_default();
    say(line, Says::Summary { counts, total, new_va, real_theory_min, theory_min }, give);
}

pub(super) fn counters(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(allocs), Some(frees), Some(recycles)) =
        (line.u64("allocs"), line.u64("frees"), line.u64("recycles"))
    {
        say(line, Says::Counters(allocs, frees, recycles), give);
    }
}

/// Only the two sums; the lists by size below them add nothing.
pub(super) fn spans(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(what), Some(b"span"), Some(count), Some(total)) =
        (line.bytes_of("what"), line.bytes_of("kind"), line.u64("count"), line.bytes("total"))
    {
        say(line, Says::Spans { using: what == b"Using", count, total }, give);
    }
}

pub(super) fn kernel_alloc(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(address), Some(size)) = (line.address("addr"), line.bytes("size")) else { return };
    let kernel = line.bytes_of("kernel").unwrap_or(&[]);
    let says = Says::KernelAlloc {
        kernel: names.intern_bytes(kernel),
        stream: stream(line),
        index: line.u64("index").map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        object: line.address("block").unwrap_or_default(),
        address,
        size,
        tensor_size: line.bytes("tensor_size"),
        host: kernel.starts_with(b"AllocMemHost"),
    };
    say(line, says, give);
}

fn stream(line: &Reading<'_>) -> i32 {
    line.i64("stream").map_or(-1, |n| i32::try_from(n).unwrap_or(-1))
}

pub(super) fn kernel_free(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(address) = line.address("addr") {
        say(line, Says::KernelFree { kernel: line.name("kernel", names), address }, give);
    }
}

/// A local recycle, a wandering and an event do not end a use.
pub(super) fn recycled(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let borrowed = match line.bytes_of("op") {
        Some(b"Recycle") => false,
        Some(b"Borrow-recycle") => true,
        _ => return,
    };
    if let Some(address) = line.address("addr") {
        say(line, Says::Recycled { borrowed, address }, give);
    }
}

pub(super) fn mark(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(what) = line.bytes_of("what") {
        say(line, Says::Mark { start: what == b"Start" }, give);
    }
}

/// The forms that pools print; those of static graphs say nothing here.
pub(super) fn refused(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let size = line.bytes("size").unwrap_or_default();
    if let Some(id) = line.bytes_of("key").and_then(AllocatorId::parse) {
        of(line, Some(id), Says::FirstTry(line.header.and_then(|h| h.time())), give);
    } else if line.bytes_of("kernel").is_some() {
        say(line, Says::GaveUp { kernel: line.name("kernel", names), size }, give);
    } else if line.message.starts_with(b"DeviceAllocator::")
        || line.field("ret").is_some()
        || line.field("pg").is_some()
    {
        say(line, Says::SupplierRefused { size }, give);
    }
}
