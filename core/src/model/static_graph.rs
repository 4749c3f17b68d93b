//! A static graph as the compile-time allocator laid it out: blocks and the summary per memory type.
//!
//! The `[IMAS]` lines of a plog and the replay of a dump graph both yield this.
//! Facts: plog grammar chapter 3, static allocator chapters 0.6 and S8.

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::units::{Bytes, Offset};

/// "No end": the memory stays in use to the end of the graph (plog grammar 3.2).
pub const LIFE_MAX: u32 = u32::MAX;
/// "Never set": the block is not released during the run; shown like [`LIFE_MAX`].
pub const LIFE_DEFAULT: u32 = u32::MAX - 1;

/// Memory types of the runtime (plog grammar 3.1).
pub mod memory_type {
    /// High-bandwidth memory of the device, the usual one.
    pub const HBM: u64 = 2;
    /// Peer-to-peer window in HBM.
    pub const P2P_HBM: u64 = 16;
    /// Host memory.
    pub const HOST: u64 = 129;
    /// Shared virtual memory of the host.
    pub const HOST_SVM: u64 = 144;
    /// Added to a type: memory kept for the whole session.
    pub const SESSION_SCOPE: u64 = 0x1_0000_0000;
}

/// What of a node occupies the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Io {
    /// An output tensor.
    Output,
    /// A workspace.
    Workspace,
    /// The memory of an output's descriptor.
    OutputDesc,
    /// An input (old versions only).
    Input,
    /// GE printed `unknown`.
    Unknown,
}

impl Io {
    /// The word that GE prints.
    pub fn word(self) -> &'static str {
        match self {
            Io::Output => "output",
            Io::Workspace => "workspace",
            Io::OutputDesc => "output_desc",
            Io::Input => "input",
            Io::Unknown => "unknown",
        }
    }

    /// The item for a word that GE prints.
    pub fn from_word(word: &[u8]) -> Io {
        match word {
            b"output" => Io::Output,
            b"workspace" => Io::Workspace,
            b"output_desc" => Io::OutputDesc,
            b"input" => Io::Input,
            _ => Io::Unknown,
        }
    }
}

/// Which statement placed a block; later kinds override earlier ones (plog grammar 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// `[IMAS]Set`: the block assigner.
    Set,
    /// `Continuous input : Set`: moved into the continuous input area of its consumer.
    ContinuousInput,
    /// `Continuous output : Set`.
    ContinuousOutput,
    /// `Atomic output : Set`.
    AtomicOutput,
    /// `Atomic ordinary workspace : Set`.
    AtomicWorkspace,
    /// `Atomic fusion workspace : Set`.
    AtomicFusionWorkspace,
}

/// Where a block stands among the blocks it shares bytes with: `child[c:r:n:z:s]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockFlags {
    /// Depth below the root block; 0 = root. Children share bytes with their parent.
    pub child_level: u32,
    /// `r`: the block may be reused.
    pub reuse: bool,
    /// `n`: the block belongs to a continuous-memory request.
    pub continuous: bool,
    /// `z`: zero copy, user memory at run time.
    pub zero_copy: bool,
    /// `s`: all members are on one stream.
    pub same_stream: bool,
}

/// One row of the layout: an output or workspace of a node, and where it was put.
///
/// Fields that a line kind or an old version does not print are `None` or empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statement that placed it.
    pub placement: Placement,
    /// Node name; cut by GE to 512 bytes in 2025 and later.
    pub node: Name,
    /// Operator type, empty when the line does not carry it.
    pub op_type: Name,
    /// Output, workspace …
    pub io: Io,
    /// Index of the output or workspace; -1 as GE prints it for none.
    pub index: i32,
    /// Place in the memory area of `memory_type`.
    pub offset: Offset,
    /// Stream used for reuse decisions; -1 = none, `None` = printed without a number.
    pub stream: Option<i64>,
    /// Stream of the operator itself where it differs.
    pub stream_of_op: Option<i64>,
    /// Memory type (see [`memory_type`]); HBM when the line does not say.
    pub memory_type: u64,
    /// Size of the whole block, 512-byte aligned; equal for all members of a block.
    pub size: Bytes,
    /// Size of this member: 32-byte aligned plus padding.
    pub real_size: Bytes,
    /// Size of this member without alignment.
    pub no_align_size: Option<Bytes>,
    /// Topological id from which the memory is in use.
    pub life_begin: Option<u32>,
    /// Topological id of the node itself, where it differs from `life_begin`.
    pub life_begin_node: Option<u32>,
    /// Ends in the order printed; the effective end is their maximum (plog grammar 3.2).
    /// More than one only with several streams or references.
    pub life_ends: LifeEnds,
    /// Depth and flags.
    pub flags: BlockFlags,
    /// The output shares the memory of an input: no new bytes.
    pub is_ref: bool,
    /// Dynamic-batch branch label, often empty.
    pub batch: Name,
    /// `block_type` text, as printed.
    pub block_type: Name,
    /// Packed without 512-byte alignment (continuous rows only).
    pub no_padding: Option<u64>,
    /// The line was cut by the logger, so fields behind the cut are missing.
    pub cut: bool,
    /// The line it was read from; a default span for a replayed block.
    pub span: Span,
}

/// The list behind `life time end`: usually one number, so that one is kept inline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LifeEnds {
    /// Not printed.
    #[default]
    Unknown,
    /// A single end.
    One(u32),
    /// Several, in the order printed.
    Many(Vec<u32>),
}

impl LifeEnds {
    /// The ends in the order printed.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            LifeEnds::Unknown => &[],
            LifeEnds::One(end) => core::slice::from_ref(end),
            LifeEnds::Many(ends) => ends,
        }
    }

    /// The effective end: the maximum of the list.
    pub fn effective(&self) -> Option<u32> {
        self.as_slice().iter().copied().max()
    }
}

impl FromIterator<u32> for LifeEnds {
    fn from_iter<I: IntoIterator<Item = u32>>(ends: I) -> Self {
        let mut ends = ends.into_iter();
        match (ends.next(), ends.next()) {
            (None, _) => LifeEnds::Unknown,
            (Some(end), None) => LifeEnds::One(end),
            (Some(first), Some(second)) => {
                let mut all = Vec::from([first, second]);
                all.extend(ends);
                LifeEnds::Many(all)
            }
        }
    }
}

/// The summary of one memory type of one graph: `[IMAS]AfterAssignMemory`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Memory type; HBM when an old line does not say.
    pub memory_type: u64,
    /// `memoffset`: bytes needed after reuse (after_reuse).
    pub after_reuse: Option<Bytes>,
    /// `theory_min`: estimated minimum with perfect packing.
    pub theory_min: Option<Bytes>,
    /// `zero_copy`: bytes of the user io part.
    pub zero_copy: Option<Bytes>,
    /// `total_size`: bytes with no reuse at all.
    pub total: Option<Bytes>,
    /// `no_reuse`: the part that must not be reused.
    pub no_reuse: Option<Bytes>,
    /// Streams seen.
    pub streams: Option<u64>,
    /// BFS, DFS, RDFS, StableRDFS or Invalid.
    pub topo_mode: Name,
    /// Memory optimisation policy, may be empty.
    pub memory_policy: Name,
    /// `io_reuse[a:b]`: input and output reuse indexes were given.
    pub io_reuse: Option<(u64, u64)>,
    /// Graph io allocation mode, may be empty.
    pub alloc_mode: Name,
    /// Static memory policy: 0, 2, 3 or 4.
    pub static_policy: Name,
    /// The line it was read from; a default span for a replayed one.
    pub span: Span,
}

/// The layout of one graph: rows in the order printed, and a summary per memory type.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The graph's name.
    pub graph: Name,
    /// The rows.
    pub blocks: Vec<Block>,
    /// The summaries.
    pub summaries: Vec<Summary>,
}
