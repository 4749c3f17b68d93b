//! The order of attempts: placements first, then searches at falling heights, with more steps
//! from round to round.
//!
//! Half of the search goes to the bound itself: a height without slack prunes best, and often is
//! decided where a comfortable one isn't (observed on all public instances). Knows nothing of how
//! a search works.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::exact::{Rule, Search, Verdict, Worth};
use super::heuristic::{PLACEMENTS, place};
use super::problem::Problem;
use super::sections::Sections;
use super::validate::{Flaw, validate};
use super::{Budget, Progress};
use crate::units::{Bytes, Offset};

/// Steps between two calls of `progress`.
const SLICE: u64 = 1 << 20;

/// Parts with more meetings of items and sections than this are placed, not searched: the lists
/// of a search take 4 bytes for each.
const MOST_MEETINGS: usize = 1 << 24;

/// Chosen by measuring all combinations on the public instances. To put large items low is best
/// where little can be wasted, long-lived ones where more can be.
const RULES: [Rule; 7] = [
    Rule { slack: 1_000_000, learns: false, worth: Worth::Life },
    Rule { slack: 20, learns: false, worth: Worth::Size },
    Rule { slack: 0, learns: false, worth: Worth::Size },
    Rule { slack: 100, learns: false, worth: Worth::Size },
    Rule { slack: 0, learns: true, worth: Worth::Size },
    Rule { slack: 20, learns: false, worth: Worth::Area },
    Rule { slack: 20, learns: true, worth: Worth::Size },
];

/// Where the seeds begin; any number is right, this one was quick on the public instances.
const FIRST_SEED: u64 = 1001;

/// Why the rounds ended before everything was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interrupt {
    OutOfSteps,
    Cancelled,
    Flawed(Flaw),
}

/// All attempts at one problem.
pub(super) struct Rounds<'a> {
    problem: &'a Problem,
    bound: Bytes,
    budget: Budget,
    progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
    /// `(position, offset)` of what needs no search.
    placed: Vec<(usize, u64)>,
    /// The end of the highest of those.
    ground: u64,
    parts: Vec<Open>,
    /// No plan is lower, as far as is known by now.
    least: u64,
    /// All heights are multiples of it.
    unit: u64,
    steps: u64,
}

/// A part and the best plan for it so far.
struct Open {
    sections: Sections,
    base: u64,
    /// One for each member, from the base.
    offsets: Vec<u64>,
    /// The end of the highest member, the base included.
    top: u64,
    /// Steps of an attempt in the first round.
    share: u64,
}

impl Open {
    fn take(&mut self, offsets: Vec<u64>) {
        let ends = offsets.iter().zip(&self.sections.members).map(|(offset, member)| offset + member.size);
        let top = self.base + ends.max().unwrap_or(0);
        if self.offsets.is_empty() || top < self.top {
            self.top = top;
            self.offsets = offsets;
        }
    }
}

impl<'a> Rounds<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        bound: Bytes,
        budget: Budget,
        progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Rounds<'a> {
        let parts = problem.parts();
        let ends = parts
            .placed
            .iter()
            .filter_map(|(index, offset)| problem.items().get(*index).map(|item| offset + item.size.0));
        let open = parts.open.iter().map(|part| {
            let sections = Sections::new(problem, &part.items);
            // A dive to the bottom of the search costs about half of this.
            let share = 2 * part.items.len() as u64 * sections.meetings() as u64;
            Open { sections, base: part.base, offsets: Vec::new(), top: 0, share }
        });
        Rounds {
            problem,
            bound,
            budget,
            progress,
            ground: ends.max().unwrap_or(0),
            parts: open.collect(),
            placed: parts.placed,
            least: bound.0,
            unit: problem.unit(),
            steps: 0,
        }
    }

    /// Takes all attempts; `Ok` when no plan can be lower than the best one.
    pub(super) fn run(&mut self) -> Result<(), Interrupt> {
        self.place()?;
        let mut misses = 0u32;
        let mut round = 0u64;
        while self.height() > self.least {
            let rule = RULES[(round % RULES.len() as u64) as usize];
            let cycle = round / RULES.len() as u64;
            round += 1;
            // Half of the gap at once, less after some misses, then half again.
            let gap = (self.height() - self.least) >> (1 + misses / 3 % 4);
            let middle = self.height() - gap.max(self.unit);
            if middle > self.least {
                misses = if self.attempt(middle, rule, cycle)? { 0 } else { misses + 1 };
            }
            if self.height() > self.least {
                self.attempt(self.least, rule, cycle)?;
            }
        }
        Ok(())
    }

    /// The height of the best plan so far.
    pub(super) fn height(&self) -> u64 {
        self.parts.iter().map(|part| part.top).max().unwrap_or(0).max(self.ground)
    }

    /// The best plan so far.
    pub(super) fn offsets(&self) -> Vec<Offset> {
        let mut offsets = alloc::vec![Offset(0); self.problem.items().len()];
        let mut put = |index: usize, offset: u64| {
            if let Some(slot) = offsets.get_mut(index) {
                *slot = Offset(i64::try_from(offset).unwrap_or(i64::MAX));
            }
        };
        for (index, offset) in &self.placed {
            put(*index, *offset);
        }
        for part in &self.parts {
            for (member, offset) in part.sections.members.iter().zip(&part.offsets) {
                put(member.index, part.base + offset);
            }
        }
        offsets
    }

    /// The work done so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    fn place(&mut self) -> Result<(), Interrupt> {
        let mut told = 0;
        for (count, (order, fit)) in PLACEMENTS.into_iter().enumerate() {
            for part in &mut self.parts {
                if count > 0 && (part.top <= self.least || self.steps > self.budget.steps) {
                    continue;
                }
                let (offsets, steps) = place(&part.sections, order, fit);
                part.take(offsets);
                self.steps += steps;
            }
            if self.steps - told > SLICE {
                told = self.steps;
                self.tell_lower()?;
            }
        }
        self.tell_lower()
    }

    /// Searches every part that is above `target`; whether all of them got down to it.
    fn attempt(&mut self, target: u64, rule: Rule, cycle: u64) -> Result<bool, Interrupt> {
        let before = self.height();
        for index in 0..self.parts.len() {
            if self.parts[index].top > target {
                self.search(index, target, rule, cycle)?;
            }
        }
        if self.height() < before {
            self.tell_lower()?;
        }
        Ok(self.height() <= target)
    }

    fn search(&mut self, index: usize, target: u64, rule: Rule, cycle: u64) -> Result<(), Interrupt> {
        let part = &self.parts[index];
        if part.sections.meetings() > MOST_MEETINGS {
            return Err(Interrupt::OutOfSteps);
        }
        // In the first cycle of the rules nothing is left to chance.
        let seed = if cycle == 0 { 0 } else { FIRST_SEED + cycle - 1 };
        let limit = part.share.saturating_mul(luby(cycle + 1));
        let mut search = Search::new(&part.sections, target.saturating_sub(part.base), rule, seed);
        let mut done = 0;
        let verdict = loop {
            let verdict = search.run(limit.min(done + SLICE));
            self.steps += search.steps() - done;
            done = search.steps();
            if verdict != Verdict::Undecided || done > limit {
                break verdict;
            }
            if self.steps > self.budget.steps {
                return Err(Interrupt::OutOfSteps);
            }
            let (height, steps) = (Bytes(self.height()), self.steps);
            tell(self.progress, Progress { bound: self.bound, height, steps, budget: self.budget })?;
        };
        match verdict {
            Verdict::Found(offsets) => self.parts[index].take(offsets),
            Verdict::Impossible => {
                self.least = self.least.max((target + 1).next_multiple_of(self.unit));
            }
            Verdict::Undecided => {}
        }
        if self.steps > self.budget.steps && self.height() > self.least {
            self.tell_lower()?;
            return Err(Interrupt::OutOfSteps);
        }
        Ok(())
    }

    /// Says how low the best plan is by now, once it has been checked.
    fn tell_lower(&mut self) -> Result<(), Interrupt> {
        let height = validate(self.problem, &self.offsets()).map_err(Interrupt::Flawed)?;
        tell(self.progress, Progress { bound: self.bound, height, steps: self.steps, budget: self.budget })
    }
}

fn tell(progress: &mut dyn FnMut(Progress) -> ControlFlow<()>, now: Progress) -> Result<(), Interrupt> {
    match progress(now) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Interrupt::Cancelled),
    }
}

/// The sequence 1 1 2 1 1 2 4 …, counted from 1: the best times to restart when nothing is known
/// of the search (Luby, Sinclair and Zuckerman, 1993).
fn luby(mut count: u64) -> u64 {
    loop {
        let bits = u64::BITS - count.leading_zeros();
        let whole = (1u64 << bits.min(63)) - 1;
        if count == whole {
            return 1 << (bits - 1);
        }
        count -= whole / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn luby_repeats_and_doubles() {
        let begin: alloc::vec::Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(begin, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
