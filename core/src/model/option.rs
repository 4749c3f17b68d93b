//! Options and switches in force, as the log shows them (plog grammar chapter 8).

use crate::intern::Name;
use crate::span::Span;
use crate::units::Bytes;

/// A value and the line that gave it; for a line that repeats, the first with that value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown<T> {
    /// The value.
    pub value: T,
    /// The line.
    pub span: Span,
}

/// One option as read by GE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionValue {
    /// Option name, for example `ge.exec.staticMemoryPolicy`.
    pub key: Name,
    /// Value text.
    pub value: Name,
    /// The line.
    pub span: Span,
}

/// A switch whose state the log shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switch {
    /// Static memory policy in force: 0, 2, 3 or 4.
    StaticPolicy(u64),
    /// `get device model args table flag`: the args tables are printed.
    ArgsTable(bool),
    /// Memory reuse in graph compilation.
    Reuse(bool),
    /// HCCL buffer size, and whether the environment set it.
    HcclBufferSize(Bytes, bool),
}

/// Everything of this kind that one process shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Option lines, each key and value once.
    pub values: alloc::vec::Vec<OptionValue>,
    /// Static memory policy in force.
    pub static_policy: Option<Shown<u64>>,
    /// Whether args tables are printed.
    pub args_table: Option<Shown<bool>>,
    /// Whether memory reuse is on.
    pub reuse: Option<Shown<bool>>,
    /// HCCL buffer size and whether the environment set it.
    pub hccl_buffer_size: Option<Shown<(Bytes, bool)>>,
}
