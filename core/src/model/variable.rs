//! Variables and constants placed in a session's variable space (plog grammar, `imas.var`).

use crate::intern::Name;
use crate::span::Span;
use crate::units::{Address, Bytes, Offset};

/// Where a variable was put.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// In the session's variable space.
    Offset(Offset),
    /// At a device address.
    Device(Address),
    /// At a host address.
    Host(Address),
}

/// One variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// Session id.
    pub session: u64,
    /// Node.
    pub node: Name,
    /// Output index.
    pub output: u64,
    /// Where it lies.
    pub place: Place,
    /// Size taken, where printed.
    pub size: Option<Bytes>,
    /// Size asked for, where printed.
    pub real_size: Option<Bytes>,
    /// The node whose memory it shares.
    pub reuse_of: Name,
    /// The line.
    pub span: Span,
}
