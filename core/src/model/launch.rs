//! Kernel launches of dynamic graphs (RT2): the addresses each kernel really got (plog grammar
//! chapter 5, `kt.launch.*`).
//!
//! Knows nothing of who made what: that is for [`crate::resolve::launch`].

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// One input or output of a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Where it is; 0 for an optional input that is not given.
    pub address: Address,
    /// Size, where the list of sizes is whole.
    pub size: Option<Bytes>,
}

/// How many of the pointers are inputs, how many outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Inputs, optional ones that are not given too.
    pub inputs: u32,
    /// Outputs.
    pub outputs: u32,
    /// Real size of the arguments.
    pub args_size: Bytes,
    /// The line.
    pub span: Span,
}

/// One launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Kernel as printed, `LaunchKernelWithHandle_Add_3_14`.
    pub kernel: Name,
    /// Thread.
    pub tid: i64,
    /// Place of its step in [`Launches::steps`].
    pub step: u32,
    /// Blocks that it ran on.
    pub block_dim: Option<u64>,
    /// Runtime stream and task id.
    pub task: Option<(u64, u64)>,
    /// Inputs and outputs, in that order; `None` = no line gives them.
    pub pointers: Option<Vec<Pointer>>,
    /// Where the inputs end; `None` = no line says so.
    pub split: Option<Split>,
    /// Workspaces; `None` = no line gives them. No line gives their sizes.
    pub workspaces: Option<Vec<Address>>,
    /// Bytes of tiling data.
    pub tiling: Option<Bytes>,
    /// An AI CPU kernel.
    pub on_aicpu: bool,
    /// Printed as an error.
    pub failed: bool,
    /// Hand-outs and returns of pools before it: its place among the ordinals of [`super::pool`].
    pub pool_events: u32,
    /// Time of the first line.
    pub time: Option<Time>,
    /// The first line.
    pub span: Span,
    /// The line with the addresses.
    pub pointers_span: Option<Span>,
}

/// One round of execution on a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Thread.
    pub tid: i64,
    /// Number on that thread, from 0.
    pub number: u32,
    /// Opened by a start mark; otherwise by an operator that was seen before.
    pub marked: bool,
    /// Time of the first line.
    pub time: Option<Time>,
    /// The first line.
    pub span: Span,
}

/// All launches of one process.
#[derive(Clone, Debug, Default)]
pub struct Launches {
    /// Launches, in the order of their first lines.
    pub launches: Vec<Launch>,
    /// Steps, in the order of their first lines.
    pub steps: Vec<Step>,
}
