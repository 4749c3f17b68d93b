//! Every sort mode with every memory policy, and what makes the difference between two of them
//! (analysis rules R10).

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::intern::Interner;
use crate::model::static_graph::{Io, Placement};
use crate::replay::memory;
use crate::replay::{Areas, Options, Replayed, Replayer, Topo};
use crate::units::Bytes;

/// The sort modes in the order of their numbers.
const MODES: [Topo; 4] = [Topo::Bfs, Topo::Dfs, Topo::Rdfs, Topo::StableRdfs];

/// One combination and the figures it is judged by, all of device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The options.
    pub options: Options,
    /// Bytes with no reuse at all.
    pub total: Bytes,
    /// Bytes needed, io included.
    pub after_reuse: Bytes,
    /// Estimated minimum with perfect packing.
    pub theory_min: Bytes,
    /// What the bytes consist of.
    pub areas: Areas,
    /// Streams seen.
    pub streams: u64,
}

impl Combination {
    fn of(options: Options, replayed: &Replayed) -> Combination {
        let hbm = replayed.layout.summaries.iter().find(|summary| summary.memory_type == memory::HBM);
        let figure = |value: Option<Option<Bytes>>| value.flatten().unwrap_or(Bytes::ZERO);
        Combination {
            options,
            total: figure(hbm.map(|summary| summary.total)),
            after_reuse: figure(hbm.map(|summary| summary.after_reuse)),
            theory_min: figure(hbm.map(|summary| summary.theory_min)),
            areas: replayed.areas,
            streams: hbm.and_then(|summary| summary.streams).unwrap_or(0),
        }
    }

    /// The options that set this combination, as `name=value`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = Vec::new();
        if let Some(number) = self.options.topo.number() {
            settings.push(("ge.topoSortingMode", alloc::format!("{number}")));
        }
        if self.options.memory_priority {
            let policy = String::from(self.options.policy_word());
            settings.push(("ge.exec.memoryOptimizationPolicy", policy));
        }
        if self.options.separate_clean {
            settings.push(("ge.exec.atomicCleanPolicy", String::from("1")));
        }
        settings
    }
}

/// All combinations, with central and with separate cleaning; of equals the one that changes less.
pub fn all(replayer: &Replayer, base: &Options) -> Vec<Combination> {
    let mut tried = Vec::new();
    for separate_clean in [false, true] {
        tried.extend(combinations(replayer, &Options { separate_clean, ..base.clone() }));
    }
    tried.sort_by_key(|combination| combination.after_reuse);
    tried
}

/// All eight combinations, the smallest first; of equals the default policy, then the lower mode.
///
/// `base` gives the options that are not varied.
pub fn combinations(replayer: &Replayer, base: &Options) -> Vec<Combination> {
    let mut tried = Vec::new();
    for memory_priority in [false, true] {
        for topo in MODES {
            let options = Options { topo, memory_priority, ..base.clone() };
            let replayed = replayer.run(&options);
            tried.push(Combination::of(options, &replayed));
        }
    }
    tried.sort_by_key(|combination| combination.after_reuse);
    tried
}

/// An output or workspace that holds more top-level memory in one layout than in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The operator.
    pub node: String,
    /// Output, workspace …
    pub io: Io,
    /// Which.
    pub index: i32,
    /// Bytes of the top-level block it leads in the first layout; 0 when it leads none there.
    pub first: Bytes,
    /// The same in the second layout.
    pub second: Bytes,
}

/// Which top-level blocks differ between two layouts of one graph, the largest difference first.
///
/// The differences of blocks add up to that of the totals, alignment and io included.
pub fn explain(first: &Replayed, second: &Replayed) -> Vec<Difference> {
    let (a, b) = (leaders(first), leaders(second));
    let keys: alloc::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
    let mut differences: Vec<Difference> = keys
        .into_iter()
        .filter_map(|key| {
            let size = |of: &BTreeMap<_, Bytes>| of.get(key).copied().unwrap_or(Bytes::ZERO);
            let (first, second) = (size(&a), size(&b));
            let (node, io, index) = key.clone();
            (first != second).then_some(Difference { node, io, index, first, second })
        })
        .collect();
    differences.sort_by_key(|d| core::cmp::Reverse(d.first.0.abs_diff(d.second.0)));
    differences
}

/// The first member of every top-level block in device memory, with the block's size.
fn leaders(replayed: &Replayed) -> BTreeMap<(String, Io, i32), Bytes> {
    let names: &Interner = &replayed.names;
    let mut leaders = BTreeMap::new();
    let mut last = None;
    for block in &replayed.layout.blocks {
        let is_top = block.placement == Placement::Set
            && block.flags.child_level == 0
            && block.memory_type == memory::HBM
            && block.size > Bytes::ZERO;
        if is_top && last != Some(block.offset) {
            leaders.insert((String::from(names.get(block.node)), block.io, block.index), block.size);
        }
        if is_top {
            last = Some(block.offset);
        }
    }
    leaders
}
