//! Passes over the lines of no interest, nine in ten of a log, at little more than the cost of
//! finding their ends. They are counted, not read; whoever wants every line gets every line.

use super::header::{Header, Reader};
use super::kinds::Matcher;
use super::scan::Tools;

/// Lines passed over since the last reading: all with the same beginning.
#[derive(Debug, Default)]
pub(super) struct Skim {
    front: usize,
    lines: u64,
    digest: u64,
    /// Stamp of the last of them.
    stamp: [u8; 27],
}

/// Lines that were passed over, as one.
#[derive(Clone, Copy, Debug)]
pub struct Skimmed<'s> {
    /// The header that they share; the stamp is that of the last.
    pub header: &'s Header<'s>,
    /// How many.
    pub lines: u64,
    /// The sum of [`digest`] over them.
    pub digest: u64,
}

/// A number for a line by its length; sums of it do not depend on how the lines were grouped.
pub fn digest(length: u64) -> u64 {
    (length + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl Skim {
    /// Takes the line, if it is one of no interest that begins like the ones taken before.
    ///
    /// `false` says to read the line as any other, after [`Skim::end`].
    pub(super) fn take(&mut self, tools: &mut Tools, matcher: &Matcher, line: &[u8]) -> bool {
        let Some((front, stamp, message)) = tools.headers.plain(line, matcher) else { return false };
        if (self.lines > 0 && front != self.front)
            || !matcher.is_plain(message)
            || tools.glued.find(message).is_some()
        {
            return false;
        }
        self.front = front;
        self.lines += 1;
        self.digest = self.digest.wrapping_add(digest(line.len() as u64));
        self.stamp.copy_from_slice(stamp);
        true
    }

    /// Hands out what was taken, if anything was.
    pub(super) fn end(&mut self, headers: &Reader, give: &mut dyn FnMut(&Skimmed<'_>)) {
        if self.lines == 0 {
            return;
        }
        let header = headers.of_front(self.front, &self.stamp);
        give(&Skimmed { header: &header, lines: self.lines, digest: self.digest });
        self.lines = 0;
        self.digest = 0;
    }
}
