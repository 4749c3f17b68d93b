//! What leak checkers of the host report: LeakSanitizer and valgrind.
//!
//! Host memory only: knows nothing of device memory.

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::units::Bytes;

/// The tool that printed a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// LeakSanitizer, alone or inside AddressSanitizer.
    LeakSanitizer,
    /// valgrind's memcheck.
    Valgrind,
}

/// How sure the tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Nothing points to it: `Direct leak`, `definitely lost`.
    Definite,
    /// Only leaked memory points to it: `Indirect leak`, `indirectly lost`.
    Indirect,
    /// A pointer into its middle is left: `possibly lost`.
    Possible,
    /// A pointer to it is left: `still reachable`.
    Reachable,
}

/// A function on an allocation stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    /// Function, empty where the tool could not name it.
    pub function: Name,
    /// `file:line`, or the module.
    pub place: Name,
}

/// One leak record.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// Who says so.
    pub tool: Tool,
    /// How sure.
    pub loss: Loss,
    /// Bytes.
    pub size: Bytes,
    /// Blocks.
    pub blocks: u64,
    /// The stack, the allocator first.
    pub frames: Vec<Frame>,
    /// Its first line.
    pub span: Span,
}

/// Frames kept of one record.
pub const FRAME_LIMIT: usize = 32;

/// What a line of a leak checker says.
#[derive(Clone, Debug)]
pub enum Report {
    /// A leak record begins.
    Leak(Leak),
    /// The next frame of the record that is open in the same source.
    Frame(Frame, Span),
    /// The tool found nothing.
    Clean(Tool, Span),
    /// The tool's own sum of what was lost for good.
    Sum(Tool, Bytes, Span),
}

/// All reports of one process.
#[derive(Clone, Debug, Default)]
pub struct HostLeaks {
    /// Records, in the order of their lines.
    pub leaks: Vec<Leak>,
    /// Statements that nothing was lost.
    pub clean: Vec<(Tool, Span)>,
    /// Sums as the tools print them.
    pub sums: Vec<(Tool, Bytes, Span)>,
}

impl HostLeaks {
    /// Takes a report in. A frame belongs to the latest record of its source; without one it is
    /// of another sort of report, such as a buffer overflow, and left out.
    pub fn take(&mut self, report: Report) {
        match report {
            Report::Leak(leak) => self.leaks.push(leak),
            Report::Frame(frame, span) => {
                if let Some(leak) = self.leaks.last_mut()
                    && leak.span.source == span.source
                    && leak.frames.len() < FRAME_LIMIT
                    && span.line == leak.span.line + 1 + leak.frames.len() as u32
                {
                    leak.frames.push(frame);
                }
            }
            Report::Clean(tool, span) => self.clean.push((tool, span)),
            Report::Sum(tool, size, span) => self.sums.push((tool, size, span)),
        }
    }

    /// Whether no tool has reported anything.
    pub fn is_empty(&self) -> bool {
        self.leaks.is_empty() && self.clean.is_empty() && self.sums.is_empty()
    }
}
