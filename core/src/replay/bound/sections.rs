//! The moments that matter: the largest sets of items alive together, in the order of time.
//!
//! Between two of them the set of items only shrinks, so no other moment can be too full.
//! Knows nothing of places.

use alloc::vec::Vec;

use super::problem::Problem;

/// One item of a part, its life told in sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Position in the problem.
    pub(super) index: usize,
    /// First section in which it is alive.
    pub(super) first: usize,
    /// First section behind its life.
    pub(super) end: usize,
    /// Bytes.
    pub(super) size: u64,
    /// At least 1.
    pub(super) alignment: u64,
    /// Where it must lie, from the base of the part.
    pub(super) fixed: Option<u64>,
}

/// A part of a problem by sections.
#[derive(Clone, Debug)]
pub(super) struct Sections {
    pub(super) members: Vec<Member>,
    /// How many sections there are.
    pub(super) count: usize,
}

impl Member {
    /// Whether the two can change places in any plan.
    pub(super) fn is_twin(&self, other: &Member) -> bool {
        let key = |m: &Member| (m.first, m.end, m.size, m.alignment, m.fixed);
        key(self) == key(other)
    }
}

impl Sections {
    /// Reads the lives of `indices`, which must name items that take space.
    pub(super) fn new(problem: &Problem, indices: &[usize]) -> Sections {
        let items: Vec<_> = indices.iter().filter_map(|i| Some((*i, problem.items().get(*i)?))).collect();
        // At one moment ends come before begins: lives are half-open.
        let mut events: Vec<(i64, bool, usize)> = Vec::with_capacity(items.len() * 2);
        for (member, (_, item)) in items.iter().enumerate() {
            events.push((item.lower, true, member));
            events.push((item.upper, false, member));
        }
        events.sort_unstable();
        let mut members: Vec<Member> = items
            .iter()
            .map(|(index, item)| Member {
                index: *index,
                first: 0,
                end: 0,
                size: item.size.0,
                alignment: item.alignment.max(1),
                fixed: item.fixed_offset(),
            })
            .collect();
        let mut count = 0;
        let mut grew = false;
        for (_, begins, member) in events {
            if begins {
                members[member].first = count;
                grew = true;
            } else {
                if grew {
                    count += 1;
                    grew = false;
                }
                members[member].end = count;
            }
        }
        Sections { members, count }
    }
    /// The sum of sizes alive in each section.
    pub(super) fn loads(&self) -> Vec<u64> {
        let mut loads = alloc::vec![0u64; self.count];
        for member in &self.members {
            for load in &mut loads[member.first..member.end] {
                *load += member.size;
            }
        }
        loads
    }

    /// How often items and sections meet: the size of what a search has to look at.
    pub(super) fn meetings(&self) -> usize {
        self.members.iter().map(|member| member.end - member.first).sum()
    }
}
