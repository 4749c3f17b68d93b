//! The candidates that GE tries, and the choice among them (static allocator S5.7).

use alloc::vec::Vec;

use crate::replay::assign::Assigner;
use crate::replay::layout::{self, Placed};
use crate::replay::pack;
use crate::replay::plan::Plan;

/// What requests are rounded up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Classes {
    /// Whole blocks only.
    None,
    /// The ceilings of S5.1.
    Binary,
    /// The largest size of all.
    Max,
}

/// How one candidate works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub name: &'static str,
    pub classes: Classes,
    /// Equal blocks are packed the early ones first.
    pub ascending: bool,
    /// A released block is taken first-in first-out.
    pub first_released_first: bool,
    /// The memory-priority rule for streams holds (S5.6 `after`).
    pub mode: bool,
    /// Blocks are packed into blocks at all.
    pub packs: bool,
}

/// The candidates in the order in which equal costs are decided.
fn ways(memory_priority: bool) -> Vec<Way> {
    let ranged = |name, ascending, first_released_first| Way {
        name,
        classes: Classes::Binary,
        ascending,
        first_released_first,
        mode: true,
        packs: true,
    };
    let mut ways = Vec::from([
        Way {
            name: "binary-block",
            classes: Classes::None,
            ascending: true,
            first_released_first: false,
            mode: memory_priority,
            packs: true,
        },
        Way {
            name: "max-block",
            classes: Classes::Max,
            ascending: true,
            first_released_first: false,
            mode: false,
            packs: false,
        },
    ]);
    if memory_priority {
        ways.extend([
            ranged("range-binary-block-descending-frfr", false, true),
            ranged("range-binary-block-ascending-frfr", true, true),
            ranged("range-binary-block-descending-frlr", false, false),
            ranged("range-binary-block-ascending-frlr", true, false),
        ]);
    }
    ways
}

/// A candidate and what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name GE logs.
    pub name: &'static str,
    /// Sum of offsets over all memory types, io blocks apart.
    pub cost: u64,
}

/// Runs all candidates; gives the winner, laid out, and what each needs.
pub(crate) fn best<'p, 'a, 'm>(
    plan: &'p Plan<'a, 'm>,
) -> Option<(Assigner<'p, 'a, 'm>, Placed, Vec<Candidate>)> {
    let mut best: Option<(Assigner, Placed)> = None;
    let mut candidates = Vec::new();
    for way in ways(plan.options.memory_priority) {
        let mut assigner = Assigner::new(plan, way);
        assigner.walk();
        if way.packs && !plan.options.disable_reuse {
            pack::pack(&mut assigner);
        }
        assigner.order_continuous();
        let placed = layout::place(&mut assigner);
        let cost = placed.offsets.values().sum();
        candidates.push(Candidate { name: way.name, cost });
        let is_better = best.as_ref().is_none_or(|(_, known)| cost < known.offsets.values().sum::<u64>());
        if is_better {
            best = Some((assigner, placed));
        }
    }
    let (assigner, placed) = best?;
    Some((assigner, placed, candidates))
}
