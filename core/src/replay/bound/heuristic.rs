//! One-pass placements: each item in turn goes to the first, or the tightest, hole that takes it.
//!
//! They cost next to nothing and are often exact on real networks. Knows nothing of search.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::sections::{Member, Sections};

/// What decides who is placed first; ties go on to what comes first in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Largest size first (TFLite's greedy).
    Size,
    /// Longest life first.
    Life,
    /// Largest product of size and life first.
    Area,
    /// Earliest begin first, larger before smaller.
    Begin,
    /// Latest end first, larger before smaller.
    End,
    /// The fullest moment of the life first, then the largest area.
    Load,
    /// Longest life times the square of the size first.
    SizeArea,
}

/// Which hole an item takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The lowest that is large enough.
    First,
    /// The smallest that is large enough (XLA's spatial heap).
    Best,
}

/// All placements that are worth a try, the usually best ones first.
pub(super) const PLACEMENTS: [(Order, Fit); 14] = [
    (Order::Size, Fit::First),
    (Order::Size, Fit::Best),
    (Order::Area, Fit::First),
    (Order::Begin, Fit::First),
    (Order::Life, Fit::First),
    (Order::Load, Fit::First),
    (Order::SizeArea, Fit::First),
    (Order::End, Fit::First),
    (Order::Area, Fit::Best),
    (Order::Begin, Fit::Best),
    (Order::Life, Fit::Best),
    (Order::Load, Fit::Best),
    (Order::SizeArea, Fit::Best),
    (Order::End, Fit::Best),
];

/// How many sections at least share a list of what is placed in them.
const SHORTEST_STRETCH: usize = 128;

#[derive(Clone, Copy)]
struct Placed {
    start: u64,
    end: u64,
    first: usize,
    last: usize,
}

/// What is placed already, for each stretch of sections, the lowest first.
struct Ground {
    stretches: Vec<Vec<Placed>>,
    /// How many sections a stretch has.
    length: usize,
    /// What meets the item in question, the lowest first.
    met: Vec<Placed>,
    steps: u64,
}

/// Places all members of a part; returns one offset each, and how many items it looked at.
pub(super) fn place(sections: &Sections, order: Order, fit: Fit) -> (Vec<u64>, u64) {
    let mut offsets = alloc::vec![0u64; sections.members.len()];
    // About as long as a life, so that most items are in two lists at most.
    let length = (sections.meetings() / offsets.len().max(1)).max(SHORTEST_STRETCH);
    let stretches = alloc::vec![Vec::new(); sections.count.div_ceil(length)];
    let mut ground = Ground { stretches, length, met: Vec::new(), steps: 0 };
    let fixed = sections.members.iter().enumerate().filter_map(|(j, member)| Some((j, member.fixed?)));
    for (j, offset) in fixed {
        ground.put(&sections.members[j], offset);
        offsets[j] = offset;
    }
    for j in ranked(sections, order) {
        let member = &sections.members[j];
        ground.meet(member);
        let offset = hole(&ground.met, member, fit);
        ground.put(member, offset);
        offsets[j] = offset;
    }
    (offsets, ground.steps)
}

impl Ground {
    fn meet(&mut self, member: &Member) {
        self.met.clear();
        let (from, to) = (member.first / self.length, (member.end - 1) / self.length);
        for (stretch, placed) in self.stretches.iter().enumerate().take(to + 1).skip(from) {
            self.steps += placed.len() as u64;
            // What lives in several stretches is met in the first of them.
            let meets = |other: &&Placed| {
                other.first < member.end
                    && member.first < other.last
                    && stretch == from.max(other.first / self.length)
            };
            self.met.extend(placed.iter().filter(meets));
        }
        if from < to {
            self.met.sort_by_key(|placed| placed.start);
        }
    }

    fn put(&mut self, member: &Member, start: u64) {
        let new = Placed { start, end: start + member.size, first: member.first, last: member.end };
        for placed in &mut self.stretches[member.first / self.length..=(member.end - 1) / self.length] {
            let at = placed.partition_point(|other| other.start <= start);
            placed.insert(at, new);
        }
    }
}

fn ranked(sections: &Sections, order: Order) -> Vec<usize> {
    let loads = sections.loads();
    let mut ranked: Vec<_> = sections
        .members
        .iter()
        .enumerate()
        .filter(|(_, member)| member.fixed.is_none())
        .map(|(j, member)| {
            let life = (member.end - member.first) as u64;
            let area = u128::from(member.size) * u128::from(life);
            let load = || loads[member.first..member.end].iter().copied().max().unwrap_or(0);
            let (major, minor) = match order {
                Order::Size => (u128::from(member.size), u128::from(life)),
                Order::Life => (u128::from(life), u128::from(member.size)),
                Order::Area => (area, u128::from(life)),
                Order::Begin => (u128::from(u64::MAX - member.first as u64), u128::from(member.size)),
                Order::End => (member.end as u128, u128::from(member.size)),
                Order::Load => (u128::from(load()), area),
                Order::SizeArea => (area.saturating_mul(u128::from(member.size)), u128::from(life)),
            };
            (Reverse((major, minor)), member.first, j)
        })
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, _, j)| j).collect()
}

fn hole(met: &[Placed], member: &Member, fit: Fit) -> u64 {
    let mut ground = 0u64;
    let mut tightest: Option<(u64, u64)> = None;
    for other in met {
        let start = ground.next_multiple_of(member.alignment);
        if let Some(space) = other.start.checked_sub(start).filter(|space| *space >= member.size) {
            if fit == Fit::First {
                return start;
            }
            if tightest.is_none_or(|(least, _)| space < least) {
                tightest = Some((space, start));
            }
        }
        ground = ground.max(other.end);
    }
    tightest.map_or(ground.next_multiple_of(member.alignment), |(_, start)| start)
}
