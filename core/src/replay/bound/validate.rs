//! The judge of plans: sweeps over time and looks for bytes that two live items share.
//!
//! Uses nothing of the packing engine but the problem, so that a mistake there can't hide here.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::problem::Problem;
use crate::units::{Bytes, Offset};

/// Why a list of offsets is no plan for a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// There must be one offset for each item.
    Count {
        /// How many items there are.
        items: usize,
        /// How many offsets there are.
        offsets: usize,
    },
    /// The item at this position is below offset 0, or ends beyond all numbers.
    Outside(usize),
    /// The item at this position isn't at a multiple of its alignment.
    Misaligned(usize),
    /// The item at this position isn't at its fixed offset.
    Moved(usize),
    /// The items at these positions share bytes while both are alive.
    Overlap(usize, usize),
}

/// Checks a plan and returns its height: the end of its highest item.
///
/// Items that never take space may be anywhere.
pub fn validate(problem: &Problem, offsets: &[Offset]) -> Result<Bytes, Flaw> {
    let items = problem.items();
    if items.len() != offsets.len() {
        return Err(Flaw::Count { items: items.len(), offsets: offsets.len() });
    }
    let mut height = 0u64;
    let mut events: Vec<(i64, bool, usize, u64, u64)> = Vec::with_capacity(items.len() * 2);
    for (index, (item, offset)) in items.iter().zip(offsets).enumerate() {
        if item.size == Bytes::ZERO || item.upper <= item.lower {
            continue;
        }
        let start = u64::try_from(offset.0).map_err(|_| Flaw::Outside(index))?;
        let end = start.checked_add(item.size.0).ok_or(Flaw::Outside(index))?;
        if item.alignment > 1 && start % item.alignment != 0 {
            return Err(Flaw::Misaligned(index));
        }
        if item.fixed.is_some_and(|fixed| fixed != *offset) {
            return Err(Flaw::Moved(index));
        }
        height = height.max(end);
        // An item that ends makes room before another begins at the same moment.
        events.push((item.lower, true, index, start, end));
        events.push((item.upper, false, index, start, end));
    }
    events.sort_unstable();
    let mut alive: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for (_, begins, index, start, end) in events {
        if !begins {
            alive.remove(&start);
            continue;
        }
        if let Some((_, (_, other))) = alive.range(..end).next_back().filter(|(_, (top, _))| *top > start) {
            return Err(Flaw::Overlap(index.min(*other), index.max(*other)));
        }
        alive.insert(start, (end, index));
    }
    Ok(Bytes(height))
}
