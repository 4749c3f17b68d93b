//! The decision tree of a static graph and its remedies (analysis rules, R3).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::size::{exact, human, percent, share};
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::model::static_graph::memory_type;
use crate::units::Bytes;

/// The verdict on one memory type of one graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Graph.
    pub graph: Name,
    /// Which compilation of that name, from 0.
    pub round: u32,
    /// Memory type.
    pub memory_type: u64,
    /// What was found.
    pub verdict: Verdict,
    /// The irreducible parts.
    pub parts: Parts,
    /// The memory-priority policy is in force already.
    pub memory_priority: bool,
}

/// The leaves of the decision tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Little is saved: the order or the shape of the graph.
    ReuseLow {
        /// Bytes without reuse.
        total: Bytes,
        /// Bytes assigned.
        after: Bytes,
        /// Reuse rate.
        reuse: f64,
        /// reach_theory_rate, where known.
        reach: Option<f64>,
    },
    /// The placement misses the theory.
    Placement {
        /// Bytes assigned.
        after: Bytes,
        /// Bytes with perfect packing.
        theory: Bytes,
        /// reach_theory_rate.
        reach: f64,
        /// Reuse rate.
        reuse: f64,
    },
    /// Optimal for this order.
    Optimal {
        /// Bytes assigned.
        after: Bytes,
        /// Reuse rate.
        reuse: f64,
    },
    /// Alignment of many small tensors costs more than reuse saves.
    AlignmentGrowth {
        /// Bytes without reuse.
        total: Bytes,
        /// Bytes assigned.
        after: Bytes,
    },
    /// Memory reuse was switched off.
    ReuseOff,
}

/// What can't be reduced by another placement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The whole.
    pub after_reuse: Bytes,
    /// Zero-copy bytes.
    pub zero_copy: Option<Bytes>,
    /// Bytes that must not be reused.
    pub no_reuse: Option<Bytes>,
    /// Bytes cleared before use.
    pub atomic: Option<Bytes>,
    /// Bytes of continuous requests.
    pub continuous: Option<Bytes>,
    /// Streams.
    pub streams: Option<u64>,
}

impl Parts {
    /// `io 12.00M (8.12%), no_reuse …`: the terms of the field, the same in every language.
    fn list(&self) -> String {
        let mut list = String::new();
        let named = [
            ("io", self.zero_copy),
            ("no_reuse", self.no_reuse),
            ("atomic", self.atomic),
            ("continuous", self.continuous),
        ];
        for (name, size) in named {
            if let Some(size) = size.filter(|s| *s > Bytes::ZERO) {
                list += &format!(", {name} {} ({})", human(size), share(size, self.after_reuse));
            }
        }
        if let Some(streams) = self.streams {
            list += &format!(", streams {streams}");
        }
        String::from(list.trim_start_matches(", "))
    }

    fn is_large(&self, part: Option<Bytes>) -> bool {
        part.is_some_and(|part| part.0.saturating_mul(5) > self.after_reuse.0)
    }
}

impl Graph {
    fn title(&self, names: &Interner, lang: Lang) -> String {
        let mut title = match lang {
            Lang::En => format!("Graph {}", names.get(self.graph)),
            Lang::Zh => format!("图 {}", names.get(self.graph)),
        };
        if self.round > 0 {
            title += &match lang {
                Lang::En => format!(" (compilation {})", self.round + 1),
                Lang::Zh => format!("（第 {} 次编译）", self.round + 1),
            };
        }
        if self.memory_type != memory_type::HBM {
            title += &format!(" memtype {}", self.memory_type);
        }
        title
    }
}

impl Say for Graph {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        let title = self.title(names, lang);
        let parts = self.parts.list();
        match &self.verdict {
            Verdict::ReuseLow { total, after, reuse, reach } => {
                let at_optimum = reach.is_some_and(|r| r >= 1.0);
                match (lang, at_optimum) {
                    (Lang::En, true) => format!(
                        "{title}: reuse saves only {} of {}, and the placement is at its optimum for this order: the structure of the graph and zero copy decide, not the algorithm ({parts}).",
                        percent(*reuse),
                        human(*total)
                    ),
                    (Lang::En, false) => format!(
                        "{title}: reuse saves only {} of {} ({} are assigned): the order or the shape of the graph keeps tensors alive together ({parts}).",
                        percent(*reuse),
                        human(*total),
                        exact(*after)
                    ),
                    (Lang::Zh, true) => format!(
                        "{title}：复用只节省了 {} 的 {}，而对当前执行序来说布局已是最优：决定因素是图结构与零拷贝，而不是算法（{parts}）。",
                        human(*total),
                        percent(*reuse)
                    ),
                    (Lang::Zh, false) => format!(
                        "{title}：复用只节省了 {} 的 {}（实际分配 {}）：执行序或图结构使过多张量同时存活（{parts}）。",
                        human(*total),
                        percent(*reuse),
                        exact(*after)
                    ),
                }
            }
            Verdict::Placement { after, theory, reach, reuse } => {
                let more = exact(Bytes(after.0.saturating_sub(theory.0)));
                match lang {
                    Lang::En => format!(
                        "{title}: reuse rate {}, but the placement reaches {} of the theory: {more} more than theory_min.",
                        percent(*reuse),
                        percent(*reach)
                    ),
                    Lang::Zh => format!(
                        "{title}：复用率 {}，但布局只达到理论值的 {}：比 theory_min 多 {more}。",
                        percent(*reuse),
                        percent(*reach)
                    ),
                }
            }
            Verdict::Optimal { after, reuse } => match lang {
                Lang::En => format!(
                    "{title}: {} with reuse rate {}, the optimum for this order. What is left is structure: {parts}.",
                    exact(*after),
                    percent(*reuse)
                ),
                Lang::Zh => format!(
                    "{title}：{}，复用率 {}，对当前执行序已是最优。剩余为结构性占用：{parts}。",
                    exact(*after),
                    percent(*reuse)
                ),
            },
            Verdict::AlignmentGrowth { total, after } => match lang {
                Lang::En => format!(
                    "{title}: {} assigned for {} of tensors: the 512-byte alignment of many small tensors, not failed reuse.",
                    exact(*after),
                    exact(*total)
                ),
                Lang::Zh => format!(
                    "{title}：{} 的张量分配了 {}：这是大量小张量按 512 字节对齐的增长，不是复用失败。",
                    exact(*total),
                    exact(*after)
                ),
            },
            Verdict::ReuseOff => {
                String::from(lang.pick(
                    "Memory reuse was off when a graph was compiled.",
                    "编译图时内存复用处于关闭状态。",
                ))
            }
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match &self.verdict {
            Verdict::ReuseLow { .. } => lang.pick(
                "Most tensors are alive at the same time, so no placement can make them share. Another order, fewer streams or fewer outputs can.",
                "大部分张量同时存活，任何布局都无法让它们共用内存；改变执行序、减少流或输出才有作用。",
            ),
            Verdict::Placement { reach, .. } if *reach >= 0.9 => lang.pick(
                "90 to 100 % is the normal accuracy of the allocator, not waste.",
                "90% 到 100% 属于分配器的正常精度，不算浪费。",
            ),
            Verdict::Placement { .. } => lang.pick(
                "Blocks did not fit into the holes left by others: continuous requests, holes just too small, io placed apart, alignment, or several streams, for which theory_min is optimistic.",
                "内存块放不进其他块留下的空洞：连续内存、空洞略小、io 单独放置、对齐，或多流（此时 theory_min 偏乐观）。",
            ),
            Verdict::Optimal { .. } => lang.pick(
                "No placement under this order can be smaller; only another order or another graph can.",
                "在当前执行序下布局不可能更小；只有改变执行序或图才能更小。",
            ),
            Verdict::AlignmentGrowth { .. } => lang.pick(
                "By design: every block takes a multiple of 512 bytes.",
                "设计行为：每个内存块占用 512 字节的整数倍。",
            ),
            Verdict::ReuseOff => lang.pick(
                "Without reuse every tensor keeps its own bytes; right for hunting a stomped tensor, wasteful otherwise.",
                "关闭复用后每个张量独占内存；仅适合排查踩内存，否则浪费内存。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match &self.verdict {
            Verdict::ReuseLow { total, after, reuse, .. } => {
                Some(format!("reuse rate = ({total} - {after}) / {total} = {}", percent(*reuse)))
            }
            Verdict::Placement { after, theory, reach, .. } => {
                Some(format!("reach_theory_rate = {theory} / {after} = {}", percent(*reach)))
            }
            Verdict::Optimal { after, .. } => {
                Some(format!("reach_theory_rate = {after} / {after} = 100.00%"))
            }
            Verdict::AlignmentGrowth { total, after } => Some(format!("{after} > {total}")),
            Verdict::ReuseOff => None,
        }
    }

    fn settings(&self) -> Vec<String> {
        match self.verdict {
            // The one that is named is to be removed.
            Verdict::ReuseOff => Vec::new(),
            _ => super::settings(&self.remedies(Lang::En)),
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let mut remedies = Vec::new();
        let mut add = |en: &str, zh: &str| remedies.push(String::from(lang.pick(en, zh)));
        match &self.verdict {
            Verdict::ReuseLow { .. } => {
                add(
                    "ge.topoSortingMode: 0 BFS, 1 DFS, 2 RDFS, 3 StableRDFS; try the others.",
                    "ge.topoSortingMode：0 BFS、1 DFS、2 RDFS、3 StableRDFS；尝试其他取值。",
                );
                if self.parts.streams.is_some_and(|s| s > 1) {
                    add(
                        "Fewer streams: blocks of different streams rarely share.",
                        "减少流数量：不同流的内存块很少能共用。",
                    );
                }
                if !self.memory_priority {
                    add(
                        "ge.exec.memoryOptimizationPolicy=MemoryPriority (may cost speed).",
                        "ge.exec.memoryOptimizationPolicy=MemoryPriority（可能影响性能）。",
                    );
                }
                if self.parts.is_large(self.parts.zero_copy) {
                    add(
                        "Zero copy: io memory is the user's own at run time and can't be reused by the graph.",
                        "零拷贝：io 内存在运行时由用户提供，图内无法复用。",
                    );
                }
            }
            Verdict::Placement { .. } => {
                if !self.memory_priority {
                    add(
                        "ge.exec.memoryOptimizationPolicy=MemoryPriority; a recompilation must confirm.",
                        "ge.exec.memoryOptimizationPolicy=MemoryPriority；需重新编译确认。",
                    );
                }
                add(
                    "The other values of ge.topoSortingMode (0 BFS, 1 DFS, 2 RDFS, 3 StableRDFS); a recompilation must confirm.",
                    "ge.topoSortingMode 的其他取值（0 BFS、1 DFS、2 RDFS、3 StableRDFS）；需重新编译确认。",
                );
            }
            Verdict::Optimal { .. } => {
                if self.parts.is_large(self.parts.atomic) {
                    add(
                        "ge.exec.atomicCleanPolicy=1 (atomic is large).",
                        "ge.exec.atomicCleanPolicy=1（atomic 占比大）。",
                    );
                }
                if self.parts.streams.is_some_and(|s| s > 1) {
                    add("Fewer streams.", "减少流数量。");
                }
            }
            Verdict::AlignmentGrowth { .. } => {}
            Verdict::ReuseOff => add(
                "Remove ge.exec.disableReuseMemory=1 (atc: --disable_reuse_memory=1) after the hunt.",
                "排查结束后去掉 ge.exec.disableReuseMemory=1（atc：--disable_reuse_memory=1）。",
            ),
        }
        remedies
    }
}
