//! Decides whether there is a plan of a given height, by depth-first search.
//!
//! The question at each node is not "which item next?" but "what lies right at this spot?": the
//! floor of one section at the bottom of a valley. The answers are the few items that fit the
//! valley there, or nothing, which costs the section bytes it often can't spare. In a plan whose
//! items all rest on something that is complete, and it doesn't depend on the order of the spots.
//! From the literature: sections and their inference, decomposition while searching (MiniMalloc,
//! ASPLOS 2023), the most constrained first with learning from conflicts and restarts (TelaMalloc,
//! ASPLOS 2023), and each section seen as a machine that works on one task at a time (Jackson's
//! rule from scheduling).
//!
//! Knows nothing of time limits: who calls it says how many steps it may take.

use alloc::vec::Vec;

use super::sections::Sections;
use super::state::State;

/// What an answer costs besides the items it makes the state look at (measured).
const STEPS_PER_ANSWER: u64 = 32;

/// What an item is worth: the larger ones are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// How many sections it lives in.
    Life,
    /// Its bytes.
    Size,
    /// The product of the two.
    Area,
}

/// How a search chooses; every rule finds everything, but at very different cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// A section that could waste its whole height is as good as one with so many more answers.
    pub(super) slack: u32,
    /// Whether sections that showed conflicts are preferred.
    pub(super) learns: bool,
    /// Which answer is tried first.
    pub(super) worth: Worth,
}

/// What a search knows after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// An offset for each member.
    Found(Vec<u64>),
    /// There is no plan of this height.
    Impossible,
    /// Not decided yet; the search can go on.
    Undecided,
}

/// A spot where something must lie, and what was tried there.
#[derive(Debug)]
struct Spot {
    section: usize,
    /// The sections connected by open items when the spot was chosen.
    range: (usize, usize),
    /// How many spots this one depends on: those before it in the stack, but for the ones in
    /// other, independent ranges.
    depends_on: usize,
    mark: usize,
    answers: Vec<u32>,
    tried: usize,
}

/// A search that can be interrupted.
#[derive(Debug)]
pub(super) struct Search<'a> {
    state: State<'a>,
    rule: Rule,
    worths: Vec<u64>,
    shuffle: u64,
    spots: Vec<Spot>,
    started: bool,
}

impl<'a> Search<'a> {
    /// A search for a plan of at most `height`; the `seed` shuffles the answers a little, 0 doesn't.
    pub(super) fn new(sections: &'a Sections, height: u64, rule: Rule, seed: u64) -> Search<'a> {
        let worth = |member: &super::sections::Member| {
            let life = (member.end - member.first) as u64;
            match rule.worth {
                Worth::Life => life,
                Worth::Size => member.size,
                Worth::Area => member.size.saturating_mul(life),
            }
        };
        Search {
            state: State::new(sections, height),
            rule,
            worths: sections.members.iter().map(worth).collect(),
            shuffle: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            spots: Vec::new(),
            started: false,
        }
    }

    /// What was looked at so far.
    pub(super) fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Goes on until decided, or until about `limit` steps are taken in all.
    pub(super) fn run(&mut self, limit: u64) -> Verdict {
        if !self.started {
            if !self.state.settle() {
                return Verdict::Impossible;
            }
            self.started = true;
            if !self.choose_spot() {
                return Verdict::Found(self.state.offsets().into());
            }
        }
        while self.state.steps <= limit {
            let Some(depth) = self.spots.len().checked_sub(1) else { return Verdict::Impossible };
            match self.try_next(depth) {
                Some(true) if !self.choose_spot() => return Verdict::Found(self.state.offsets().into()),
                Some(_) => {}
                // What lies in independent ranges has no part in it: back past them.
                None => self.spots.truncate(self.spots[depth].depends_on),
            }
        }
        Verdict::Undecided
    }

    /// Tries the next answer of a spot; `None` when there is none left.
    fn try_next(&mut self, depth: usize) -> Option<bool> {
        self.state.steps += STEPS_PER_ANSWER;
        let spot = &mut self.spots[depth];
        self.state.take_back(spot.mark);
        let tried = spot.tried;
        spot.tried += 1;
        if let Some(answer) = spot.answers.get(tried) {
            return Some(self.state.place(*answer));
        }
        if tried > spot.answers.len() {
            return None;
        }
        let section = spot.section;
        match self.next_floor(section) {
            Some(floor) if floor - self.state.piles[section].floor <= self.state.slack(section) => {
                Some(self.state.waste(section, floor))
            }
            _ => Some(false),
        }
    }

    /// The next place where something could start in a section, if nothing starts at its floor:
    /// where an item gets from outside the section, or on top of one that isn't in the section.
    fn next_floor(&mut self, section: usize) -> Option<u64> {
        let floor = self.state.piles[section].floor;
        let members = &self.state.sections.members;
        let mut next: Option<u64> = None;
        let mut lower = |start: u64| next = Some(next.map_or(start, |least| least.min(start)));
        let (mut first, mut end) = (section, section + 1);
        for j in self.state.open(section) {
            if self.state.earliest(*j) > floor {
                lower(self.state.earliest(*j));
            } else {
                first = first.min(members[*j as usize].first);
                end = end.max(members[*j as usize].end);
            }
        }
        let mut seen = 0;
        for t in first..end {
            for j in self.state.open(t) {
                let member = &members[*j as usize];
                if member.first > section || member.end <= section {
                    lower(self.state.earliest(*j) + member.size);
                }
            }
            seen += self.state.piles[t].open as u64;
        }
        self.state.steps += seen;
        next
    }

    /// Chooses the next spot; `false` when nothing is open any more.
    ///
    /// It looks where the last spot was, then where the one before was, and so on: an independent
    /// range is finished before another is begun.
    fn choose_spot(&mut self) -> bool {
        let mut depends_on = self.spots.len();
        loop {
            let before = depends_on.checked_sub(1).and_then(|last| self.spots.get(last));
            let range = before.map_or((0, self.state.piles.len()), |spot| spot.range);
            self.state.steps += 2 * (range.1 - range.0) as u64;
            if let Some(section) = self.most_constrained(range) {
                self.push_spot(section, range, depends_on);
                return true;
            }
            if depends_on == 0 {
                return false;
            }
            depends_on -= 1;
        }
    }

    /// The section with the fewest answers and the least to waste, among those at the bottom of a
    /// valley: only there an item at the floor can't have an open item below it.
    fn most_constrained(&self, (begin, end): (usize, usize)) -> Option<usize> {
        let piles = &self.state.piles;
        let mut best: Option<(f64, u64, usize)> = None;
        let mut t = begin;
        while t < end {
            if piles[t].open == 0 {
                t += 1;
                continue;
            }
            let floor = piles[t].floor;
            let is_lower = |s: usize| piles[s].floor < floor;
            let mut behind = t + 1;
            while behind < end && self.state.is_linked(behind - 1) && piles[behind].floor == floor {
                behind += 1;
            }
            let falls_left = t > begin && self.state.is_linked(t - 1) && is_lower(t - 1);
            let falls_right = behind < end && self.state.is_linked(behind - 1) && is_lower(behind);
            if !falls_left && !falls_right {
                for section in t..behind {
                    let (cost, slack) = (self.cost(section), self.state.slack(section));
                    if best.is_none_or(|(least, tie, _)| (cost, slack) < (least, tie)) {
                        best = Some((cost, slack, section));
                    }
                }
            }
            t = behind;
        }
        best.map(|(_, _, section)| section)
    }

    fn cost(&self, section: usize) -> f64 {
        let slack = self.state.slack(section);
        let share = slack as f64 / self.state.height as f64;
        // That nothing lies there is an answer as well.
        let answers = self.state.piles[section].ready as f64 + if slack > 0 { 0.5 } else { 0.0 };
        let cost = answers + f64::from(self.rule.slack) * share;
        if self.rule.learns { cost / (1.0 + f64::from(self.state.conflicts[section])) } else { cost }
    }

    fn push_spot(&mut self, section: usize, (begin, end): (usize, usize), depends_on: usize) {
        let mut range = (section, section + 1);
        while range.0 > begin && self.state.is_linked(range.0 - 1) {
            range.0 -= 1;
        }
        while range.1 < end && self.state.is_linked(range.1 - 1) {
            range.1 += 1;
        }
        let floor = self.state.piles[section].floor;
        let members = &self.state.sections.members;
        let mut answers: Vec<(u64, u32)> = Vec::new();
        for j in self.state.open(section).iter().filter(|j| self.state.earliest(**j) == floor) {
            let is_twin = answers.iter().any(|(_, k)| members[*j as usize].is_twin(&members[*k as usize]));
            if !is_twin {
                answers.push((shuffled(self.worths[*j as usize], &mut self.shuffle), *j));
            }
        }
        answers.sort_unstable_by(|a, b| b.cmp(a));
        self.spots.push(Spot {
            section,
            range,
            depends_on,
            mark: self.state.mark(),
            answers: answers.into_iter().map(|(_, j)| j).collect(),
            tried: 0,
        });
    }
}

/// The worth times something between a half and one and a half; itself where `shuffle` is 0.
fn shuffled(worth: u64, shuffle: &mut u64) -> u64 {
    if *shuffle == 0 {
        return worth;
    }
    *shuffle ^= *shuffle << 13;
    *shuffle ^= *shuffle >> 7;
    *shuffle ^= *shuffle << 17;
    let factor = 512 + *shuffle % 1024;
    u64::try_from(u128::from(worth) * u128::from(factor) / 1024).unwrap_or(u64::MAX)
}
