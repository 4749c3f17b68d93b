//! How small could a layout be? Packs items with a life and a size as low as it can.
//!
//! Cheap one-pass placements come first, then searches that decide whether a given height is
//! possible, on pieces that no moment without load separates. All work is counted in steps, so
//! the same problem and budget give the same plan everywhere. It knows nothing of graphs or GE:
//! what is kept together, aligned or fixed is said by the items. Every plan passes
//! [`validate::validate`] before it is handed out.

mod exact;
mod heuristic;
pub mod minimalloc;
pub mod problem;
mod rounds;
mod sections;
mod state;
pub mod validate;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::units::{Bytes, Offset};
use problem::Problem;
use rounds::{Interrupt, Rounds};
use validate::{Flaw, validate};

/// How much work a packing may cost.
///
/// A step is one look at one item: 2 to 5 nanoseconds in a release build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    /// Steps after which the best plan so far is handed out. The first placement is always made.
    pub steps: u64,
}

impl Budget {
    /// For an answer while somebody types: 10 to 20 milliseconds.
    pub const QUICK: Budget = Budget { steps: 8_000_000 };
    /// For a command: some 10 seconds at most, and only where the bound isn't reached before.
    pub const THOROUGH: Budget = Budget { steps: 5_000_000_000 };
}

/// Where a packing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// No plan is lower ([`Problem::lower_bound`]).
    pub bound: Bytes,
    /// The height of the best plan so far.
    pub height: Bytes,
    /// Work done so far.
    pub steps: u64,
    /// Work that may be done.
    pub budget: Budget,
}

/// Why a packing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The height is the bound: proven optimal.
    AtBound,
    /// The height is above the bound, but the search has shown that no plan is lower.
    Exhausted,
    /// The budget is used up.
    OutOfSteps,
    /// The caller broke it off.
    Cancelled,
}

/// The best plan found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The largest sum of sizes alive at one moment.
    pub load: Bytes,
    /// No plan is lower: the load, or the end of the highest fixed item.
    pub bound: Bytes,
    /// The end of the highest item.
    pub height: Bytes,
    /// One offset for each item; 0 for those that never take space.
    pub offsets: Vec<Offset>,
    /// The work it took.
    pub steps: u64,
    /// Why it ended.
    pub end: End,
}

impl Packing {
    /// Whether the height equals the bound.
    pub fn is_optimal(&self) -> bool {
        self.height == self.bound
    }
}

/// Packs a problem; `progress` hears of every lower plan and, every few milliseconds, of the work
/// done, and may break it off.
///
/// The error is a mistake in this engine that the validator caught, never one of the caller.
pub fn pack(
    problem: &Problem,
    budget: Budget,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Packing, Flaw> {
    let bound = problem.lower_bound();
    let mut rounds = Rounds::new(problem, bound, budget, progress);
    let end = match rounds.run() {
        Ok(()) if rounds.height() == bound.0 => End::AtBound,
        Ok(()) => End::Exhausted,
        Err(Interrupt::OutOfSteps) => End::OutOfSteps,
        Err(Interrupt::Cancelled) => End::Cancelled,
        Err(Interrupt::Flawed(flaw)) => return Err(flaw),
    };
    let (offsets, steps) = (rounds.offsets(), rounds.steps());
    let height = validate(problem, &offsets)?;
    Ok(Packing { load: problem.load(), bound, height, offsets, steps, end })
}
