//! Where a fact stands: the source, the byte range and the line number.
//!
//! Knows nothing of files: a source is a number that whoever feeds the core has named.

/// One input: a file, a member of an archive, standard input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// The place of a record in its source. A wrapped record spans several lines; `line` is its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source the record stands in.
    pub source: SourceId,
    /// Line number, counted from 1.
    pub line: u32,
    /// Byte offset of the record's first byte from the start of the (unpacked) source.
    pub start: u64,
    /// Length of the record in bytes, without the final line end.
    pub len: u32,
}

impl Span {
    /// Byte offset of the first byte behind the record.
    pub fn end(self) -> u64 {
        self.start + u64::from(self.len)
    }
}
