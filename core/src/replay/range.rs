//! Size classes: what ranged candidates round requests up to (static allocator S5.1).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::replay::net::{Net, NodeId};

/// A range this large with two sizes or more is not merged into the next.
const KEPT_RANGE: u64 = 8 * 1024 * 1024;
/// Smallest ceiling where the largest size exceeds it.
const SMALLEST: u64 = 512;

/// The ceilings of one graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// The label whose branch needs most; empty without labels.
    pub max_label: Name,
    /// Ceilings of the binary candidates, ascending.
    pub ceilings: Vec<u64>,
    /// The only ceiling of the max-block candidate.
    pub max: u64,
}

impl Ranges {
    /// Collects the sizes of all outputs and workspaces.
    pub(crate) fn new(net: &Net, order: &[NodeId]) -> Ranges {
        let mut by_label: BTreeMap<&str, (Name, u64, Vec<u64>)> = BTreeMap::new();
        for &node in order {
            let node = &net.nodes[node];
            if node.facts.kind.never_placed() {
                continue;
            }
            let label = node.facts.batch;
            let (_, total, sizes) =
                by_label.entry(net.model.names.get(label)).or_insert((label, 0, Vec::new()));
            let outputs = node.facts.outputs.iter().map(|output| output.requested);
            for size in outputs.chain(node.workspaces.iter().copied()) {
                *total += size;
                sizes.push(size);
            }
        }
        let mut max_label: Option<(Name, u64, &str)> = None;
        for (&text, &(label, total, _)) in by_label.iter().filter(|&(text, _)| !text.is_empty()) {
            if max_label.is_none_or(|(_, most, _)| total > most) {
                max_label = Some((label, total, text));
            }
        }
        let mut sizes: Vec<u64> = Vec::new();
        for text in [Some(""), max_label.map(|(.., text)| text)].into_iter().flatten() {
            sizes.extend(by_label.get(text).map_or(&[][..], |(.., sizes)| sizes));
        }
        if sizes.is_empty() {
            sizes.push(SMALLEST);
        }
        sizes.sort_unstable();
        sizes.retain(|&size| size != 0);
        Ranges {
            max_label: max_label.map_or(Name::EMPTY, |(label, ..)| label),
            max: sizes.last().copied().unwrap_or(0),
            ceilings: ceilings(sizes),
        }
    }

    /// The smallest ceiling that holds `size`, or `size` itself.
    pub(crate) fn ceiling(ceilings: &[u64], size: u64) -> u64 {
        ceilings.iter().copied().find(|&ceiling| ceiling >= size).unwrap_or(size)
    }
}

/// Ceilings of ascending sizes, halving from the largest down.
fn ceilings(mut sizes: Vec<u64>) -> Vec<u64> {
    let (Some(&smallest), Some(&largest)) = (sizes.first(), sizes.last()) else { return Vec::new() };
    let low = if largest > SMALLEST { SMALLEST } else { smallest };
    let buckets = halvings(largest, low);
    let limit = sizes.len() / buckets;
    let slack = if largest > SMALLEST { SMALLEST } else { 0 };
    let mut ceiling = largest;
    let mut ranges: Vec<Vec<u64>> = alloc::vec![Vec::new(); buckets];
    for range in ranges.iter_mut().skip(1).rev() {
        ceiling /= 2;
        if ceiling == 0 {
            break;
        }
        while let Some(&size) = sizes.last() {
            if size <= ceiling + slack {
                break;
            }
            range.push(size);
            sizes.pop();
        }
    }
    merge_small(&mut ranges, limit);
    ranges.iter().filter_map(|range| range.iter().copied().max()).collect()
}

/// `ceil(log2(largest / low))`, at least 1. In whole numbers: the doubles GE uses agree with them.
fn halvings(largest: u64, low: u64) -> usize {
    let mut count = 0;
    let mut reach = u128::from(low.max(1));
    while reach < u128::from(largest) {
        reach *= 2;
        count += 1;
    }
    count.max(1)
}

/// Joins small ranges with the next larger one until nothing changes.
fn merge_small(ranges: &mut Vec<Vec<u64>>, limit: usize) {
    loop {
        let mut changed = false;
        let mut carry: Vec<u64> = Vec::new();
        let mut at = 0;
        while at < ranges.len() {
            let is_last = at + 1 == ranges.len();
            let range = &mut ranges[at];
            if !carry.is_empty() {
                range.append(&mut carry);
            }
            let keeps_alone = range.first().is_some_and(|&first| first >= KEPT_RANGE) && range.len() >= 2;
            if range.is_empty() {
                ranges.remove(at);
                changed = true;
            } else if range.len() < limit && !is_last && !keeps_alone {
                carry = ranges.remove(at);
                changed = true;
            } else {
                at += 1;
            }
        }
        if !changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_size_has_one_range() {
        assert_eq!(ceilings(alloc::vec![2048; 10]), [2048]);
    }
}
