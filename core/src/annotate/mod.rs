//! What an editor shows beside a text: hints, hovers, lenses, symbols, folds, links, by byte range.
//!
//! Everything is computed from what was understood. Knows no protocol, no position in lines and
//! columns, and no editor.

pub mod graph;
mod graph_text;
mod index;
mod line;
pub mod plog;
mod plog_text;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub use index::{Index, Item};

/// A short text between the characters of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Byte offset in the text that it stands in front of.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// What a place means, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes it is about.
    pub range: Range<usize>,
    /// Markdown.
    pub text: String,
}

/// A line above a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// Byte offset of the line it stands above.
    pub at: usize,
    /// The text.
    pub text: String,
    /// What a click does.
    pub action: Action,
}

/// What a lens leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The report of the document.
    Report,
    /// The comparison of option combinations.
    Tune,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A process.
    Process,
    /// A graph.
    Graph,
    /// A block of a layout.
    Block,
    /// An operator.
    Operator,
    /// A group of lines about one thing.
    Group,
    /// A finding.
    Finding,
    /// An attribute.
    Attribute,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, never empty.
    pub name: String,
    /// What stands beside the name.
    pub detail: String,
    /// What it is.
    pub sort: Sort,
    /// All of it.
    pub range: Range<usize>,
    /// The part to jump to, inside of `range`.
    pub select: Range<usize>,
    /// What it consists of.
    pub children: Vec<Symbol>,
}

/// What a word of a line is, for colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A count of bytes.
    Size,
    /// An address or offset.
    Address,
    /// An operator, node or graph.
    Name,
}
