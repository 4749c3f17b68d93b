//! The memory pools of dynamic graphs: who handed out which block to which kernel, and what the
//! pool itself took (plog grammar chapter 5, dynamic pool).
//!
//! Every hand-out and every return has an ordinal, one sequence for the whole process, so that
//! lives of different pools, steps and launches can be put side by side.

use alloc::vec::Vec;
use core::fmt;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// Which class of allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// `[allocator_N]`: tensors of a graph or a stream (levels 2 and 3).
    Ge,
    /// `[rts_allocator_N]`: the pool of the device (level 1).
    Rts,
    /// `[ffts_allocator_N]`.
    Ffts,
    /// No line names the allocator: kernel lines without pool lines, or pool lines without a header.
    Unnamed,
}

/// An allocator. The numbers come from one counter of the process (plog grammar 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocatorId {
    /// Its class.
    pub family: Family,
    /// Its number.
    pub number: u32,
}

impl AllocatorId {
    /// The stand-in for an allocator that no line names.
    pub const UNNAMED: AllocatorId = AllocatorId { family: Family::Unnamed, number: 0 };

    /// Reads `[allocator_3]`, with or without the brackets.
    pub fn parse(text: &[u8]) -> Option<AllocatorId> {
        let text = text.strip_prefix(b"[").unwrap_or(text);
        let text = text.strip_suffix(b"]").unwrap_or(text);
        let (family, digits) = [
            (Family::Rts, &b"rts_allocator_"[..]),
            (Family::Ffts, b"ffts_allocator_"),
            (Family::Ge, b"allocator_"),
        ]
        .into_iter()
        .find_map(|(family, prefix)| text.strip_prefix(prefix).map(|digits| (family, digits)))?;
        let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
        Some(AllocatorId { family, number })
    }
}

impl fmt::Display for AllocatorId {
    /// `ge_3`, `rts_1`: the names of the CSV views.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.family {
            Family::Ge => write!(f, "ge_{}", self.number),
            Family::Rts => write!(f, "rts_{}", self.number),
            Family::Ffts => write!(f, "ffts_{}", self.number),
            Family::Unnamed => f.write_str("unnamed"),
        }
    }
}

/// A block from its hand-out to its return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// First byte.
    pub address: Address,
    /// Bytes asked for.
    pub asked: Bytes,
    /// Bytes given: whole pages of 64 KiB, of 8 MiB for a new virtual range.
    pub given: Bytes,
    /// Ordinal of the hand-out.
    pub begin: u32,
    /// Ordinal of the return; `None` = not seen.
    pub end: Option<u32>,
    /// The return was not printed; the address was handed out again.
    pub end_lost: bool,
    /// The line of the hand-out.
    pub span: Span,
}

/// One use of a block by a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tensor {
    /// Kernel that asked, `AllocMemHbm_Add_3_12`.
    pub kernel: Name,
    /// Kernel that dropped it last; empty where no line says so.
    pub freed_by: Name,
    /// Logical stream.
    pub stream: i32,
    /// Position in the kernel's list (plog grammar, `kt.alloc`).
    pub index: Option<u32>,
    /// Host object of the block.
    pub object: Address,
    /// First byte.
    pub address: Address,
    /// Bytes as printed: of the block, or for batches the bytes asked for.
    pub size: Bytes,
    /// Bytes asked for, where printed.
    pub tensor_size: Option<Bytes>,
    /// Ordinal of the hand-out.
    pub begin: u32,
    /// Ordinal at which the last kernel dropped it (a reference drop, not a return).
    pub kernel_free: Option<u32>,
    /// Ordinal at which the block went back to the pool.
    pub pool_free: Option<u32>,
    /// The block behind it: its place in [`Allocator::blocks`].
    pub block: Option<u32>,
    /// The line.
    pub span: Span,
}

/// What happened at one ordinal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The ordinal.
    pub at: u32,
    /// The block: its place in [`Allocator::blocks`].
    pub block: u32,
    /// Handed out, or taken back.
    pub handed_out: bool,
}

/// Bytes that a pool holds from whoever supplies it, from one ordinal on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding {
    /// Ordinal of the next hand-out or return.
    pub at: u32,
    /// Bytes held.
    pub held: Bytes,
    /// The line.
    pub span: Span,
}

/// Where the figures of [`Holding`] come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Supply {
    /// No line says what the pool took.
    #[default]
    Unknown,
    /// Blocks of the level below.
    Level,
    /// Device memory, block by block.
    Device,
    /// Physical pages mapped on demand: expandable memory.
    Pages,
}

/// A summary that GE printed (`PrintDetails`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Ordinal of the next hand-out or return.
    pub at: u32,
    /// Requests to the supplier, and returns.
    pub supplier_counts: (u64, u64),
    /// Bytes held by the pool.
    pub total: Bytes,
    /// Bytes of second virtual ranges.
    pub new_va: Bytes,
    /// Peak of the bytes asked for.
    pub real_theory_min: Bytes,
    /// Peak of the bytes given.
    pub theory_min: Bytes,
    /// Hand-outs, returns and recyclings.
    pub counts: Option<(u64, u64, u64)>,
    /// Spans in use, and idle ones: how many, and their bytes.
    pub using: Option<(u64, Bytes)>,
    /// Idle spans.
    pub freed: Option<(u64, Bytes)>,
    /// The line.
    pub span: Span,
}

/// One allocator.
#[derive(Clone, Debug)]
pub struct Allocator {
    /// Its id.
    pub id: AllocatorId,
    /// Its first line.
    pub first: Span,
    /// Allocator of the level below, where a line says so.
    pub supplier: Option<AllocatorId>,
    /// Blocks, in the order of their hand-out.
    pub blocks: Vec<Block>,
    /// Hand-outs and returns, by ordinal.
    pub events: Vec<Event>,
    /// Uses of the blocks by kernels.
    pub tensors: Vec<Tensor>,
    /// What it held, by ordinal.
    pub holdings: Vec<Holding>,
    /// Where the holdings come from.
    pub supply: Supply,
    /// Size of its physical pages, as a line on its thread gives it.
    pub page: Option<(Bytes, Span)>,
    /// Summaries as printed.
    pub summaries: Vec<Summary>,
    /// Largest peak of given bytes that a return printed, and its line.
    pub printed_peak: Option<(Bytes, Span)>,
    /// Lines that say a block went back, whether the hand-out was seen or not.
    pub returns: u32,
    /// Returns of blocks whose hand-out was not seen: the log starts in the middle.
    pub returns_unmatched: u32,
}

/// How a refused request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The pool gave back idle memory and the request then succeeded.
    Recovered,
    /// It failed for good.
    Failed,
    /// The log does not say.
    Unknown,
}

/// A pool may not grow beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes that the pool held.
    pub held: Bytes,
    /// Bytes it would have added.
    pub added: Bytes,
    /// Most bytes it may hold.
    pub most: Bytes,
}

/// A request that the pool could not serve at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The pool; [`AllocatorId::UNNAMED`] where no line names it.
    pub allocator: AllocatorId,
    /// Kernel that asked, where a line names it.
    pub kernel: Name,
    /// Bytes asked for.
    pub size: Option<Bytes>,
    /// The limit of the pool, where that refused first.
    pub limit: Option<Limit>,
    /// The device itself refused in the end.
    pub by_device: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// Time of the first line.
    pub time: Option<Time>,
    /// The lines: refusal first, then what followed.
    pub spans: Vec<Span>,
}

/// One round of execution on a thread (`kt.mark`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Thread.
    pub tid: i64,
    /// Ordinal of the first hand-out or return in it.
    pub begin: u32,
    /// Ordinal behind its last one; `None` = no end was printed.
    pub end: Option<u32>,
    /// The line that starts it.
    pub span: Span,
}

/// How many kernel lines of which sort were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelLines {
    /// A kernel takes memory.
    pub allocs: u32,
    /// A kernel drops memory.
    pub frees: u32,
    /// Blocks that went back to a pool or were lent.
    pub recycles: u32,
}

/// All pools of one process.
#[derive(Clone, Debug, Default)]
pub struct Pools {
    /// Allocators, by id.
    pub allocators: Vec<Allocator>,
    /// Hand-outs and returns in all: ordinals are below this.
    pub event_count: u32,
    /// Size of a physical page of expandable memory, as a line of the process gives it.
    pub page: Option<(Bytes, Span)>,
    /// Refused requests.
    pub refusals: Vec<Refusal>,
    /// Rounds of execution.
    pub steps: Vec<Step>,
    /// Kernel lines read.
    pub kernel_lines: KernelLines,
}

impl Pools {
    /// The allocator with this id.
    pub fn allocator(&self, id: AllocatorId) -> Option<&Allocator> {
        self.allocators.iter().find(|allocator| allocator.id == id)
    }
}
