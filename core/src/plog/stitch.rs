//! Puts the facts of one process into one order, whatever files they came from.
//!
//! Rotated files follow each other by the time of their content; run and debug plog of one
//! process run side by side; a line that the logger wrote into both counts once (plog grammar 1.5
//! and 1.6). Knows nothing of what the facts mean.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use hashbrown::HashMap;

use super::facts::{Dated, Drain, Fact, Facts};
use super::skim::Skimmed;
use crate::intern::Name;
use crate::model::process::{LineCounts, ProcessId};
use crate::span::SourceId;
use crate::time::{Stamps, Time};

/// Two stamps of one line written twice differ by less than this (plog grammar, `imas.after`).
const TWIN_MICROSECONDS: i64 = 1000;

/// The facts of one process in one source, in the order of their lines.
#[derive(Clone, Debug)]
pub struct Strand {
    /// Whose they are.
    pub process: ProcessId,
    /// Where they stand.
    pub source: SourceId,
    /// Program name of the first line.
    pub program: Name,
    /// Time of the earliest and the latest line.
    pub times: Option<(Time, Time)>,
    /// What was read.
    pub lines: LineCounts,
    /// A number that is equal for equal content.
    pub digest: u64,
    /// Whole stamps of its lines.
    stamps: Stamps,
    /// The facts.
    pub facts: Facts,
}

impl Strand {
    /// An empty strand.
    pub fn new(process: ProcessId, source: SourceId, program: Name) -> Strand {
        Strand {
            process,
            source,
            program,
            times: None,
            lines: LineCounts::default(),
            digest: 0,
            stamps: Stamps::default(),
            facts: Facts::default(),
        }
    }

    /// Takes note of a line: its stamp and digest.
    pub fn note(&mut self, stamp: &[u8], digest: u64) {
        if !self.stamps.see(stamp) {
            self.see(Time::parse(stamp));
        }
        self.digest = self.digest.wrapping_add(digest);
    }

    /// Takes note of lines that were passed over.
    pub fn note_skimmed(&mut self, skimmed: &Skimmed<'_>) {
        for stamp in skimmed.stamps {
            self.note(stamp, 0);
        }
        self.digest = self.digest.wrapping_add(skimmed.digest);
    }

    /// Takes note of a time.
    pub fn see(&mut self, time: Option<Time>) {
        if let Some(time) = time {
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        }
    }

    /// Says that the strand has ended.
    pub fn close(&mut self) {
        for time in self.stamps.times() {
            self.see(time);
        }
    }

    /// Whether both hold the same lines: one file given twice.
    fn equals(&self, other: &Strand) -> bool {
        self.process == other.process
            && self.digest == other.digest
            && self.times == other.times
            && self.lines == other.lines
    }
}

/// The facts of one process in order.
#[derive(Debug)]
pub struct Stitched {
    /// Sources with lines of the process, in the order of their time.
    pub sources: Vec<SourceId>,
    /// Sources left out because another has the same content: the one left out, the one kept.
    pub repeated: Vec<(SourceId, SourceId)>,
    /// Program name.
    pub program: Name,
    /// Time of the earliest and the latest line.
    pub times: Option<(Time, Time)>,
    /// What was read, repeated sources left out.
    pub lines: LineCounts,
    /// The facts, still with the lines written twice.
    strands: Vec<Drain>,
}

/// Orders the strands of one process.
pub fn stitch(mut strands: Vec<Strand>) -> Stitched {
    strands.sort_by_key(|s| (s.times.map(|(first, _)| first), s.source));
    let mut kept: Vec<Strand> = Vec::with_capacity(strands.len());
    let mut repeated = Vec::new();
    for strand in strands {
        let same = kept.iter().rev().take_while(|k| k.times == strand.times).find(|k| k.equals(&strand));
        match same {
            Some(first) if strand.times.is_some() => repeated.push((strand.source, first.source)),
            _ => kept.push(strand),
        }
    }
    let mut lines = LineCounts::default();
    let mut times: Option<(Time, Time)> = None;
    for strand in &kept {
        lines += strand.lines;
        if let Some((first, last)) = strand.times {
            times = Some(times.map_or((first, last), |(f, l)| (f.min(first), l.max(last))));
        }
    }
    Stitched {
        sources: kept.iter().map(|s| s.source).collect(),
        repeated,
        program: kept.iter().map(|s| s.program).find(|p| *p != Name::EMPTY).unwrap_or_default(),
        times,
        lines,
        strands: kept.into_iter().map(|s| s.facts.drain()).collect(),
    }
}

impl Stitched {
    /// Hands out the facts in order, each line once; the number of lines left out.
    ///
    /// Within a source the order of the lines holds even where the clock runs back.
    pub fn each(self, take: &mut dyn FnMut(Fact)) -> u32 {
        let mut strands = self.strands;
        let mut next = BinaryHeap::with_capacity(strands.len());
        for (number, strand) in strands.iter().enumerate() {
            if let Some(first) = strand.next_time() {
                next.push(Reverse((first, number)));
            }
        }
        let mut twins = Twins::default();
        while let Some(Reverse((clock, number))) = next.pop() {
            let Some(strand) = strands.get_mut(number) else { continue };
            // Facts of this strand up to the time at which another one is due.
            let due = next.peek().map(|Reverse((time, other))| (*time, *other));
            let mut clock = clock;
            while let Some(dated) = strand.next() {
                if !twins.seen(&dated) {
                    take(dated.fact);
                }
                let Some(following) = strand.next_time() else { break };
                clock = clock.max(following);
                if due.is_some_and(|due| (clock, number) > due) {
                    next.push(Reverse((clock, number)));
                    break;
                }
            }
        }
        twins.dropped
    }
}

/// Remembers lines that are written twice.
#[derive(Default)]
struct Twins {
    last: HashMap<u64, Option<Time>>,
    dropped: u32,
}

impl Twins {
    /// Whether this is the second of two; the pair is then complete.
    fn seen(&mut self, dated: &Dated) -> bool {
        if dated.twin == 0 {
            return false;
        }
        let near = |earlier: Option<Time>| match (earlier, dated.time) {
            (Some(a), Some(b)) => b.since(a).abs() <= TWIN_MICROSECONDS,
            _ => false,
        };
        match self.last.insert(dated.twin, dated.time) {
            Some(earlier) if near(earlier) => {
                self.last.remove(&dated.twin);
                self.dropped += 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use crate::units::Bytes;

    /// Strands of facts `(time, number)`; a number of 1000 and more is a line written twice.
    fn strands(sources: &[&[(i64, u64)]]) -> Vec<Strand> {
        let make = |(number, facts): (usize, &&[(i64, u64)])| {
            let mut strand = Strand::new(
                ProcessId { root: Name::EMPTY, pid: Some(1) },
                SourceId(number as u32),
                Name::EMPTY,
            );
            for &(time, n) in *facts {
                strand.note(b"", n);
                strand.see(Some(Time(time)));
                let twin = if n >= 1000 { n } else { 0 };
                let fact = Fact::DeviceTotal(Bytes(n), Span::default());
                strand.facts.push(Dated { time: Some(Time(time)), twin, fact });
            }
            strand
        };
        sources.iter().enumerate().map(make).collect()
    }

    #[track_caller]
    fn check(sources: &[&[(i64, u64)]], expected: &[u64], dropped: u32) {
        let mut order = Vec::new();
        let left_out = stitch(strands(sources)).each(&mut |fact| {
            if let Fact::DeviceTotal(n, _) = fact {
                order.push(n.0);
            }
        });
        assert_eq!((order.as_slice(), left_out), (expected, dropped));
    }

    #[test]
    fn rotated_files_follow_each_other_by_time() {
        check(&[&[(30, 3), (40, 4)], &[(10, 1), (20, 2)]], &[1, 2, 3, 4], 0);
    }

    #[test]
    fn a_clock_that_runs_back_does_not_change_the_order_within_a_file() {
        check(&[&[(10, 1), (5, 2), (30, 4)], &[(20, 3)]], &[1, 2, 3, 4], 0);
    }

    #[test]
    fn a_line_written_twice_counts_once() {
        check(&[&[(10, 1000), (5000, 1000)], &[(12, 1000), (5100, 1000)]], &[1000, 1000], 2);
        check(&[&[(10, 1000)], &[(1_000_000, 1000)]], &[1000, 1000], 0);
    }

    #[test]
    fn a_file_given_twice_counts_once() {
        let stitched = stitch(strands(&[&[(10, 1), (20, 2)], &[(10, 1), (20, 2)]]));
        assert_eq!(stitched.repeated, [(SourceId(1), SourceId(0))]);
        check(&[&[(10, 1), (20, 2)], &[(10, 1), (20, 2)]], &[1, 2], 0);
    }
}
