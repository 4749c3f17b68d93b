//! A packing problem: items with a life and a size, the load they cause, and how it falls apart.
//!
//! Knows nothing of graphs, blocks or GE; the caller says what an item stands for.

use alloc::vec::Vec;

use crate::units::{Bytes, Offset};

/// One thing that needs a place in memory while it is alive.
///
/// An item is known by its position in [`Problem::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// First moment at which the item is alive.
    pub lower: i64,
    /// First moment at which it isn't any more; an item with `upper <= lower` never lives.
    pub upper: i64,
    /// How many bytes it takes while it lives.
    pub size: Bytes,
    /// The offset has to be a multiple of this many bytes; 0 and 1 ask for nothing (GE: 512).
    pub alignment: u64,
    /// The place it has already and must keep, if any.
    pub fixed: Option<Offset>,
}

/// Why a list of items is no packing problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemError {
    /// The item at this position has a negative fixed offset.
    NegativeOffset(usize),
    /// The fixed offset of the item at this position isn't a multiple of its alignment.
    Misaligned(usize),
    /// Two items that are alive together are fixed on common bytes.
    FixedOverlap(usize, usize),
    /// All sizes and alignments together pass 2^62 bytes.
    TooLarge,
}

/// A checked list of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    items: Vec<Item>,
}

/// The sum of sizes from one moment on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadStep {
    /// When the sum changes to this value.
    pub at: i64,
    /// The sum of the sizes of all items alive from then on.
    pub load: Bytes,
}

/// Items that no moment without load separates, to be packed from `base` upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Positions in the problem.
    pub(super) items: Vec<usize>,
    /// Bytes below that items alive during the whole part already take.
    pub(super) base: u64,
}

/// A problem taken apart: what is placed without loss already, and what is left to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// `(position, offset)` of every item that needs no search.
    pub(super) placed: Vec<(usize, u64)>,
    /// The rest; no two parts have items that are alive together.
    pub(super) open: Vec<Part>,
}

impl Item {
    /// An item without alignment or fixed place.
    pub fn new(lower: i64, upper: i64, size: Bytes) -> Item {
        Item { lower, upper, size, alignment: 1, fixed: None }
    }

    /// Whether both are alive at some common moment.
    pub fn meets(&self, other: &Item) -> bool {
        self.takes_space() && other.takes_space() && self.lower < other.upper && other.lower < self.upper
    }

    pub(super) fn takes_space(&self) -> bool {
        self.lower < self.upper && self.size > Bytes::ZERO
    }

    pub(super) fn fixed_offset(&self) -> Option<u64> {
        self.fixed.and_then(|offset| u64::try_from(offset.0).ok())
    }
}

impl Problem {
    /// Checks the items; sizes need not be multiples of the alignment.
    pub fn new(items: Vec<Item>) -> Result<Problem, ProblemError> {
        const LIMIT: u64 = 1 << 62;
        let mut total = 0u64;
        let mut fixed = Vec::new();
        for (index, item) in items.iter().enumerate() {
            total = total.saturating_add(item.size.0).saturating_add(item.alignment);
            let Some(offset) = item.fixed else { continue };
            let start = u64::try_from(offset.0).map_err(|_| ProblemError::NegativeOffset(index))?;
            if !start.is_multiple_of(item.alignment.max(1)) {
                return Err(ProblemError::Misaligned(index));
            }
            total = total.max(start.saturating_add(item.size.0)).saturating_add(item.size.0);
            if item.takes_space() {
                fixed.push((start, index));
            }
        }
        if total > LIMIT {
            return Err(ProblemError::TooLarge);
        }
        fixed.sort_unstable();
        for (rank, (start, index)) in fixed.iter().enumerate() {
            let Some(item) = items.get(*index) else { continue };
            let end = start.saturating_add(item.size.0);
            let above = fixed.iter().skip(rank + 1).take_while(|(other, _)| *other < end);
            for (_, other) in above {
                if items.get(*other).is_some_and(|other| other.meets(item)) {
                    return Err(ProblemError::FixedOverlap(*index.min(other), *index.max(other)));
                }
            }
        }
        Ok(Problem { items })
    }

    /// The items, in the order in which they were given.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The sum of sizes over time: one step for each moment at which it changes, by time.
    pub fn load_curve(&self) -> Vec<LoadStep> {
        let mut changes: Vec<(i64, i128)> = Vec::with_capacity(self.items.len() * 2);
        for item in self.items.iter().filter(|item| item.takes_space()) {
            changes.push((item.lower, i128::from(item.size.0)));
            changes.push((item.upper, -i128::from(item.size.0)));
        }
        changes.sort_unstable();
        let mut curve: Vec<LoadStep> = Vec::new();
        let mut sum = 0i128;
        for (at, change) in changes {
            sum += change;
            let load = Bytes(u64::try_from(sum).unwrap_or(0));
            match curve.last_mut() {
                Some(last) if last.at == at => last.load = load,
                _ => curve.push(LoadStep { at, load }),
            }
        }
        curve.dedup_by_key(|step| step.load);
        curve
    }

    /// The largest sum of sizes alive at one moment: no layout can be smaller.
    pub fn load(&self) -> Bytes {
        self.load_curve().iter().map(|step| step.load).max().unwrap_or_default()
    }

    /// The height that no layout can beat: the load, or the end of the highest fixed item.
    pub fn lower_bound(&self) -> Bytes {
        let fixed_end = self.items.iter().filter(|item| item.takes_space()).filter_map(|item| {
            let start = item.fixed_offset()?;
            Some(Bytes(start.saturating_add(item.size.0)))
        });
        fixed_end.max().unwrap_or_default().max(self.load())
    }

    /// A number that divides every offset and height of a plan in which each item rests on
    /// something.
    pub(super) fn unit(&self) -> u64 {
        let items = || self.items.iter().filter(|item| item.takes_space());
        let sizes =
            items().fold(0, |unit, item| gcd(gcd(unit, item.size.0), item.fixed_offset().unwrap_or(0)));
        let alignments = || items().map(|item| item.alignment).filter(|alignment| *alignment > 1);
        if alignments().all(|alignment| sizes.is_multiple_of(alignment)) {
            return sizes.max(1);
        }
        alignments().fold(sizes, gcd).max(1)
    }

    /// Cuts the items at the moments where nothing is alive: no two pieces influence one another.
    ///
    /// An interval graph has no other connected components. Pieces are in the order of time and
    /// name the positions of their items; items that never take space are in no piece.
    pub fn pieces(&self) -> Vec<Vec<usize>> {
        let living = self.items.iter().enumerate().filter(|(_, item)| item.takes_space());
        self.cut(living.map(|(index, _)| index).collect())
    }

    /// Cuts into pieces, puts what lives during a whole piece at its bottom, and cuts again.
    pub(super) fn parts(&self) -> Parts {
        let mut parts = Parts { placed: Vec::new(), open: Vec::new() };
        let mut queue: Vec<Part> =
            self.pieces().into_iter().map(|items| Part { items, base: 0 }).rev().collect();
        while let Some(part) = queue.pop() {
            let Some((bottom, rest)) = self.split_permanent(&part.items) else {
                parts.open.push(part);
                continue;
            };
            let mut base = part.base;
            for index in bottom {
                parts.placed.push((index, base));
                base += self.items.get(index).map_or(0, |item| item.size.0);
            }
            queue.extend(self.cut(rest).into_iter().map(|items| Part { items, base }).rev());
        }
        parts
    }

    /// Separates the items of a piece that meet every other one of it, if there are such.
    ///
    /// Moving them to the bottom loses nothing as long as nobody has a fixed place and every
    /// offset above them stays aligned.
    fn split_permanent(&self, piece: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
        let items = || piece.iter().filter_map(|index| self.items.get(*index));
        if items().any(|item| item.fixed.is_some()) {
            return None;
        }
        let first_end = items().map(|item| item.upper).min()?;
        let last_begin = items().map(|item| item.lower).max()?;
        let alignment = items().map(|item| item.alignment.max(1)).max()?;
        if items().any(|item| !alignment.is_multiple_of(item.alignment.max(1))) {
            return None;
        }
        let (bottom, rest): (Vec<usize>, Vec<usize>) = piece.iter().partition(|index| {
            self.items.get(**index).is_some_and(|item| {
                item.lower < first_end && item.upper > last_begin && item.size.0.is_multiple_of(alignment)
            })
        });
        (!bottom.is_empty()).then_some((bottom, rest))
    }

    fn cut(&self, mut indices: Vec<usize>) -> Vec<Vec<usize>> {
        indices.sort_by_key(|index| self.items.get(*index).map(|item| (item.lower, *index)));
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        let mut alive_until = i64::MIN;
        for index in indices {
            let Some(item) = self.items.get(index) else { continue };
            match pieces.last_mut() {
                Some(piece) if item.lower < alive_until => piece.push(index),
                _ => pieces.push(Vec::from([index])),
            }
            alive_until = alive_until.max(item.upper);
        }
        pieces
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
