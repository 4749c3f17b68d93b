//! The short way for most lines. Lines of a log begin with the same few texts up to the date, so a
//! header is read once for each of them; and nine lines in ten are of no interest and are passed
//! over at little more than the cost of finding their ends. They are counted, not read; whoever
//! wants every line gets every line.

use alloc::vec::Vec;
use core::ops::Range;

use super::header::{self, Header, location};
use super::kinds::Matcher;
use crate::digits::near;
use crate::time::{DATE, Sixteen, is_clock, whole_stamp};

/// Lines that were passed over, as one.
#[derive(Clone, Copy, Debug)]
pub struct Skimmed<'s> {
    /// The header that they share, without a stamp.
    pub header: &'s Header<'s>,
    /// The earliest and the latest stamp.
    pub stamps: [&'s [u8]; 2],
    /// How many.
    pub lines: u64,
    /// The sum of [`digest`] over them.
    pub digest: u64,
    /// The last of them is the line before whatever comes next.
    pub is_line_before: bool,
}

/// A number for a line by its length; sums of it do not depend on how the lines were grouped.
pub fn digest(length: u64) -> u64 {
    (length + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

const STAMP: usize = "0000-00-00-00:00:00.000.000".len();
/// The sixteen bytes of a clock, `10:04:07.000.137`, as a number that grows with the time.
type Clock = Sixteen;

/// Bytes of a line that choose the place of its beginning: `[INFO] PROFILING(41876,p`. The shortest
/// beginning, with its date, is longer.
const KEY: usize = 24;
/// So many that two beginnings of one log hardly ever share a place.
const PLACES: usize = 1 << 10;

/// A line's beginning, up to the blank in front of the clock, and the lines passed over since the
/// last reading.
#[derive(Debug)]
struct Front {
    text: Vec<u8>,
    level: Range<usize>,
    module: Range<usize>,
    proc: Range<usize>,
    pid: i64,
    stamp_at: usize,
    may_skim: bool,
    lines: u64,
    digest: u64,
    /// Their earliest and latest clock.
    clocks: (Clock, Clock),
}

/// Reads the headers of one source and passes over its lines of no interest.
#[derive(Debug)]
pub(super) struct Skim {
    /// Beginnings by a number made of their first bytes.
    fronts: Vec<Option<Front>>,
    /// Beginnings that had to give way with lines still to be handed out.
    retired: Vec<Front>,
    /// Place of the beginning of the line before, where that line was passed over.
    last: Option<usize>,
    /// Places of beginnings with lines passed over since the last [`Skim::end`].
    open: Vec<usize>,
}

impl Default for Skim {
    fn default() -> Self {
        Skim {
            fronts: (0..PLACES).map(|_| None).collect(),
            retired: Vec::new(),
            last: None,
            open: Vec::new(),
        }
    }
}

fn place_of(line: &[u8]) -> Option<usize> {
    let (words, _) = line.get(..KEY)?.as_chunks::<8>();
    let hash = words.iter().fold(0u64, |hash, word| hash.rotate_left(23) ^ u64::from_le_bytes(*word));
    Some((hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % PLACES)
}

impl Skim {
    /// Passes over the line if it is of no interest. `false` says to read it like any other.
    pub(super) fn pass(&mut self, matcher: &Matcher, line: &[u8]) -> bool {
        let Some(place) = place_of(line) else { return false };
        let Some(Some(front)) = self.fronts.get_mut(place) else { return false };
        let Some((clock, message)) = front.plain(line) else { return false };
        if !matcher.is_plain(message) || !header::is_single(message) {
            return false;
        }
        if front.lines == 0 {
            self.open.push(place);
        }
        front.clocks = (front.clocks.0.min(clock), front.clocks.1.max(clock));
        front.lines += 1;
        front.digest = front.digest.wrapping_add(digest(line.len() as u64));
        self.last = Some(place);
        true
    }

    /// Hands out what was passed over.
    pub(super) fn end(&mut self, give: &mut dyn FnMut(&Skimmed<'_>)) {
        let last = self.last.take();
        for mut front in self.retired.drain(..) {
            front.give(false, give);
        }
        for place in self.open.drain(..) {
            if let Some(Some(front)) = self.fronts.get_mut(place) {
                front.give(last == Some(place), give);
            }
        }
    }

    /// What [`header::parse`] gives, faster.
    pub(super) fn parse<'l>(&mut self, line: &'l [u8], matcher: &Matcher) -> Option<(Header<'l>, &'l [u8])> {
        let place = place_of(line);
        if let Some(Some(front)) = place.and_then(|place| self.fronts.get(place))
            && let Some(read) = front.parse(line)
        {
            self.last = None;
            return Some(read);
        }
        let (header, message) = header::parse(line)?;
        self.last = None;
        if let (Some(place), Some(front)) = (place, Front::new(line, &header, matcher))
            && let Some(known) = self.fronts.get_mut(place)
            && let Some(old) = known.replace(front)
            && old.lines > 0
        {
            self.retired.push(old);
        }
        Some((header, message))
    }
}

impl Front {
    fn new(line: &[u8], header: &Header<'_>, matcher: &Matcher) -> Option<Front> {
        let at = |part: &[u8]| {
            let start = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
            start..start + part.len()
        };
        let stamp = at(header.stamp);
        let text = line.get(..stamp.start + DATE).filter(|_| header.stamp.len() == STAMP)?;
        Some(Front {
            text: Vec::from(text),
            level: at(header.level),
            module: at(header.module),
            proc: at(header.proc),
            pid: header.pid,
            stamp_at: stamp.start,
            may_skim: matcher.may_skim(header.module, header.level),
            lines: 0,
            digest: 0,
            clocks: (Clock::MAX, Clock::MIN),
        })
    }

    fn header<'h>(&self, line: &'h [u8], stamp: &'h [u8]) -> Header<'h> {
        Header {
            level: &line[self.level.clone()],
            module: &line[self.module.clone()],
            proc: &line[self.proc.clone()],
            pid: self.pid,
            stamp,
            ..Header::default()
        }
    }

    /// The header of a line that begins like this, with the usual clock.
    fn parse<'l>(&self, line: &'l [u8]) -> Option<(Header<'l>, &'l [u8])> {
        let rest = line.get(self.stamp_at..).filter(|_| line.starts_with(&self.text))?;
        let (stamp, rest) = rest.split_at_checked(STAMP)?;
        let rest = rest.strip_prefix(b" ").filter(|rest| rest.first() == Some(&b'['))?;
        if whole_stamp(stamp).is_none() || rest.starts_with(b"[status:") {
            return None;
        }
        let mut header = self.header(line, stamp);
        let message = location(rest, &mut header);
        Some((header, message))
    }

    /// For a line that begins like this and has the usual location part: the clock and the message.
    /// `None` says nothing but that the line must be read in full.
    fn plain<'l>(&self, line: &'l [u8]) -> Option<(Clock, &'l [u8])> {
        if !self.may_skim || !line.starts_with(&self.text) {
            return None;
        }
        let (clock, rest) = line.get(self.text.len()..)?.split_first_chunk()?;
        let clock = Clock::from_be_bytes(*clock);
        if !is_clock(clock) {
            return None;
        }
        let rest = rest.strip_prefix(b" [")?;
        let behind = rest.get(near(b']', rest)? + 1..)?;
        let behind = behind.strip_prefix(b" ").unwrap_or(behind);
        // `tid Func:message`, `(tid:N) message`, `[tid]message`
        let close = match behind.first()? {
            b'0'..=b'9' => b':',
            b'(' if behind.starts_with(b"(tid:") => b')',
            b'[' if behind.get(1)?.is_ascii_digit() => b']',
            _ => return None,
        };
        let message = behind.get(near(close, behind)? + 1..)?;
        Some((clock, message.strip_prefix(b" ").unwrap_or(message)))
    }

    /// Hands out the lines passed over, if there are any.
    fn give(&mut self, is_line_before: bool, give: &mut dyn FnMut(&Skimmed<'_>)) {
        if self.lines > 0 {
            let header = self.header(&self.text, &[]);
            let date = &self.text[self.text.len() - DATE..];
            let stamp = |clock: Clock| [date, &clock.to_be_bytes()].concat();
            let (first, last) = (stamp(self.clocks.0), stamp(self.clocks.1));
            give(&Skimmed {
                header: &header,
                stamps: [&first, &last],
                lines: self.lines,
                digest: self.digest,
                is_line_before,
            });
            self.lines = 0;
            self.digest = 0;
            self.clocks = (Clock::MAX, Clock::MIN);
        }
    }
}
