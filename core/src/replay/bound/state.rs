//! A half-built plan, filled from the bottom: how high each section is, who can start where, and
//! whether the rest can still fit below the wanted height.
//!
//! Every item is placed on the lowest place that what lies below it leaves. So each section is a
//! pile, and no item still open in it can start below its floor. Knows nothing of the order in
//! which a search tries things; every change can be taken back.

use alloc::vec::Vec;

use super::sections::Sections;

const UNPLACED: u64 = u64::MAX;

/// Lists up to this length are sorted by insertion: they come almost sorted (measured: twice as
/// fast over a whole search).
const SHORT: usize = 128;

/// One section of a half-built plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile {
    /// No open item starts below.
    pub(super) floor: u64,
    /// The sum of the sizes of the open items.
    pub(super) rest: u64,
    /// How many items are open.
    pub(super) open: usize,
    /// How many of them could start right at the floor.
    pub(super) ready: usize,
    /// Where the section's list of items begins.
    list: usize,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Pile(usize, Pile),
    Earliest(usize, u64),
    Placed(usize),
}

/// A half-built plan of one height.
#[derive(Debug)]
pub(super) struct State<'a> {
    pub(super) sections: &'a Sections,
    pub(super) height: u64,
    pub(super) piles: Vec<Pile>,
    /// How often a section was where it showed that the rest can't fit.
    pub(super) conflicts: Vec<u32>,
    /// What was looked at so far, in items; the measure of work.
    pub(super) steps: u64,
    /// The lowest place each item could still get.
    earliest: Vec<u64>,
    offsets: Vec<u64>,
    /// For each section, how many open items live in it and in the next one too.
    links: Vec<usize>,
    /// The items of all sections, one list behind the other, the open ones of a list first.
    lists: Vec<u32>,
    changes: Vec<Change>,
    saved_at: Vec<u64>,
    epoch: u64,
    raised: Vec<usize>,
    unchecked: Vec<usize>,
    is_unchecked: Vec<bool>,
    starts: Vec<(u64, u32)>,
}

impl<'a> State<'a> {
    /// Nothing placed yet; [`State::settle`] has to be called once before anything is placed.
    pub(super) fn new(sections: &'a Sections, height: u64) -> State<'a> {
        let count = sections.count;
        let mut piles = alloc::vec![Pile { floor: 0, rest: 0, open: 0, ready: 0, list: 0 }; count];
        let mut links = alloc::vec![0; count];
        for member in &sections.members {
            for t in member.first..member.end {
                piles[t].rest += member.size;
                piles[t].open += 1;
                links[t] += usize::from(t + 1 < member.end);
            }
        }
        let mut length = 0;
        for pile in &mut piles {
            pile.list = length;
            length += pile.open;
        }
        let mut lists = alloc::vec![0; length];
        let mut ends: Vec<usize> = piles.iter().map(|pile| pile.list).collect();
        for (j, member) in sections.members.iter().enumerate() {
            for end in &mut ends[member.first..member.end] {
                lists[*end] = j as u32;
                *end += 1;
            }
        }
        State {
            sections,
            height,
            piles,
            conflicts: alloc::vec![0; count],
            steps: 0,
            earliest: sections.members.iter().map(|member| member.fixed.unwrap_or(0)).collect(),
            offsets: alloc::vec![UNPLACED; sections.members.len()],
            links,
            lists,
            changes: Vec::new(),
            saved_at: alloc::vec![0; count],
            epoch: 1,
            raised: Vec::new(),
            unchecked: (0..count).collect(),
            is_unchecked: alloc::vec![true; count],
            starts: Vec::new(),
        }
    }

    /// The offsets of all members; meaningful once nothing is open.
    pub(super) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The open items of a section.
    pub(super) fn open(&self, t: usize) -> &[u32] {
        let pile = self.piles[t];
        &self.lists[pile.list..pile.list + pile.open]
    }

    /// The lowest place that an open item could still get.
    pub(super) fn earliest(&self, j: u32) -> u64 {
        self.earliest[j as usize]
    }

    /// Whether an open item lives in this section and in the next one too.
    pub(super) fn is_linked(&self, t: usize) -> bool {
        self.links[t] > 0
    }

    /// What can be wasted in a section at most.
    pub(super) fn slack(&self, t: usize) -> u64 {
        self.height.saturating_sub(self.piles[t].floor + self.piles[t].rest)
    }

    /// A point to which [`State::take_back`] can return.
    pub(super) fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Takes back every change since the mark.
    pub(super) fn take_back(&mut self, mark: usize) {
        for change in self.changes.drain(mark.min(self.changes.len())..).rev() {
            match change {
                Change::Pile(t, pile) => self.piles[t] = pile,
                Change::Earliest(j, earliest) => self.earliest[j] = earliest,
                Change::Placed(j) => {
                    self.offsets[j] = UNPLACED;
                    let member = &self.sections.members[j];
                    for link in &mut self.links[member.first..member.end - 1] {
                        *link += 1;
                    }
                }
            }
        }
        self.epoch += 1;
    }

    /// Places an open item at the lowest place it can get; whether the rest could still fit.
    pub(super) fn place(&mut self, j: u32) -> bool {
        let member = self.sections.members[j as usize];
        let offset = self.earliest[j as usize];
        for t in member.first..member.end {
            self.save(t);
            let pile = &mut self.piles[t];
            let open = &mut self.lists[pile.list..pile.list + pile.open];
            self.steps += pile.open as u64;
            if let Some(place) = open.iter().position(|other| *other == j) {
                open.swap(place, pile.open - 1);
            }
            pile.open -= 1;
            pile.rest -= member.size;
            pile.floor = offset + member.size;
            self.raised.push(t);
        }
        for link in &mut self.links[member.first..member.end - 1] {
            *link -= 1;
        }
        self.offsets[j as usize] = offset;
        self.changes.push(Change::Placed(j as usize));
        self.settle()
    }

    /// Leaves bytes unused up to `floor` in one section; whether the rest could still fit.
    pub(super) fn waste(&mut self, t: usize, floor: u64) -> bool {
        self.save(t);
        self.piles[t].floor = floor;
        self.raised.push(t);
        self.settle()
    }

    /// Draws all conclusions; `false` when some section shows that the rest can't fit.
    pub(super) fn settle(&mut self) -> bool {
        loop {
            let outcome = if let Some(t) = self.raised.pop() {
                self.push_up(t)
            } else if let Some(t) = self.unchecked.pop() {
                self.is_unchecked[t] = false;
                self.check(t)
            } else {
                return true;
            };
            if let Err(t) = outcome {
                self.conflicts[t] = self.conflicts[t].saturating_add(1);
                self.raised.clear();
                for t in self.unchecked.drain(..) {
                    self.is_unchecked[t] = false;
                }
                return false;
            }
        }
    }

    /// No open item of the section starts below its floor.
    fn push_up(&mut self, t: usize) -> Result<(), usize> {
        let Pile { floor, open, list, .. } = self.piles[t];
        self.steps += open as u64;
        self.must_check(t);
        for slot in list..list + open {
            let j = self.lists[slot] as usize;
            if self.earliest[j] >= floor {
                continue;
            }
            let member = self.sections.members[j];
            let earliest = floor.next_multiple_of(member.alignment);
            if member.fixed.is_some() || earliest + member.size > self.height {
                return Err(t);
            }
            self.changes.push(Change::Earliest(j, self.earliest[j]));
            self.earliest[j] = earliest;
            for t in member.first..member.end {
                self.must_check(t);
            }
        }
        Ok(())
    }

    /// Piles the open items up in the order of their earliest places: no plan ends lower. And the
    /// floor is at least where the first of them starts.
    fn check(&mut self, t: usize) -> Result<(), usize> {
        let Pile { floor, open, list, ready, .. } = self.piles[t];
        if open == 0 {
            return Ok(());
        }
        self.steps += 2 * open as u64;
        self.starts.clear();
        self.starts.extend(self.lists[list..list + open].iter().map(|j| (self.earliest[*j as usize], *j)));
        if open <= SHORT {
            self.steps += insertion_sort(&mut self.starts);
        } else {
            self.starts.sort_unstable();
            self.steps += 8 * open as u64;
        }
        let lowest = self.starts.first().map_or(floor, |(start, _)| *start);
        let mut top = 0u64;
        let mut now_ready = 0;
        for (slot, (start, j)) in self.lists[list..].iter_mut().zip(&self.starts) {
            top = top.max(*start) + self.sections.members[*j as usize].size;
            now_ready += usize::from(*start == lowest);
            *slot = *j;
        }
        if top > self.height {
            return Err(t);
        }
        if lowest > floor || now_ready != ready {
            self.save(t);
            self.piles[t].ready = now_ready;
            if lowest > floor {
                self.piles[t].floor = lowest;
                self.raised.push(t);
            }
        }
        Ok(())
    }

    fn must_check(&mut self, t: usize) {
        if !self.is_unchecked[t] {
            self.is_unchecked[t] = true;
            self.unchecked.push(t);
        }
    }

    fn save(&mut self, t: usize) {
        if self.saved_at[t] != self.epoch {
            self.saved_at[t] = self.epoch;
            self.changes.push(Change::Pile(t, self.piles[t]));
        }
    }
}

fn insertion_sort(starts: &mut [(u64, u32)]) -> u64 {
    let mut moves = 0;
    for k in 1..starts.len() {
        let start = starts[k];
        let mut place = k;
        while place > 0 && starts[place - 1].0 > start.0 {
            starts[place] = starts[place - 1];
            place -= 1;
        }
        starts[place] = start;
        moves += (k - place) as u64;
    }
    moves
}
