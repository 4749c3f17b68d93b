//! Memory that somebody else wrote over, in words (analysis rules, R8).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::size::exact;
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::metrics::overlap::lists;
use crate::model::static_graph::{Io, LIFE_DEFAULT};
use crate::units::{Bytes, Offset};

/// A block in a finding. The name is kept as text: it goes into settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Operator.
    pub node: String,
    /// Output or workspace.
    pub io: Io,
    /// Which.
    pub index: i32,
    /// First and last topological id at which it is in use.
    pub life: (u32, u32),
    /// Stream, where printed.
    pub stream: Option<i64>,
}

impl Member {
    fn shown(&self) -> String {
        format!("{} {}[{}]", self.node, self.io.word(), self.index)
    }

    fn life(&self) -> String {
        match self.life {
            (begin, end) if end >= LIFE_DEFAULT => format!("{begin}→∞"),
            (begin, end) => format!("{begin}→{end}"),
        }
    }
}

/// What may have been written over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stomp {
    /// Two blocks share bytes while both are in use.
    WrongReuse {
        /// Graph.
        graph: Name,
        /// The one that was there.
        victim: Member,
        /// The one that came.
        suspect: Member,
        /// First shared byte.
        offset: Offset,
        /// Shared bytes.
        size: Bytes,
        /// Hits in the graph.
        all: usize,
    },
    /// One physical page under two virtual ranges.
    SharedPage {
        /// Lines that prove it.
        lines: usize,
    },
    /// Pages may be shared, and the lines that would say so are at another level.
    Unchecked {
        /// Static memory policy.
        policy: u64,
    },
}

/// The setting that keeps these operators from sharing memory, where one list takes them.
pub fn no_reuse<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut known: Vec<&str> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    match lists(known.into_iter()).as_slice() {
        [list] => Some(format!("OP_NO_REUSE_MEM={}", list.join(","))),
        _ => None,
    }
}

/// The two entries of the dump configuration that watch a block; an empty `layer` is every operator.
pub fn watch(victim: &str, suspects: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "Or let the dump watch the victim: watcher_nodes `{victim}`, layer `{suspects}` (empty: all operators); static graphs only, not together with overflow dump. The operator after which the watched memory changes without a data dependence is the suspect."
        ),
        Lang::Zh => format!(
            "或使用 dump 观察模式：watcher_nodes 为 `{victim}`，layer 为 `{suspects}`（留空表示全部算子）；仅适用于静态图，不可与溢出 dump 同时使用。被观察的内存在某算子之后变化且二者无数据依赖，该算子即为嫌疑者。"
        ),
    }
}

/// What was looked at.
pub fn looked(graphs: usize, blocks: usize, hits: usize, lang: Lang) -> String {
    match lang {
        Lang::En => {
            format!("{blocks} blocks of {graphs} static graphs checked: {hits} share bytes that are in use.")
        }
        Lang::Zh => format!("已检查 {graphs} 个静态图的 {blocks} 个内存块：{hits} 处共享了正在使用的字节。"),
    }
}

/// How the lists of the bisection are used.
pub fn bisection(lang: Lang) -> &'static str {
    lang.pick(
        "First the whole net without reuse: ge.exec.disableReuseMemory=1 (atc: --disable_reuse_memory=1). If that makes the result right, set one list after the other; halve the one that makes it right. OP_NO_REUSE_MEM takes names or types, 10 at most and 2000 characters at most, else it is ignored.",
        "先整网关闭复用：ge.exec.disableReuseMemory=1（atc：--disable_reuse_memory=1）。若结果恢复正常，再逐个设置下列列表，对使结果正常的列表继续二分。OP_NO_REUSE_MEM 接受算子名或类型，最多 10 项、2000 个字符，超出则不生效。",
    )
}

impl Say for Stomp {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            Stomp::WrongReuse { graph, victim, suspect, offset, size, all } => {
                let graph = names.get(*graph);
                let (v, s, size) = (victim.shown(), suspect.shown(), exact(*size));
                let streams = match (victim.stream, suspect.stream) {
                    (Some(a), Some(b)) if a != b => match lang {
                        Lang::En => format!(", on streams {a} and {b}"),
                        Lang::Zh => format!("，分属流 {a} 与 {b}"),
                    },
                    _ => String::new(),
                };
                match lang {
                    Lang::En => format!(
                        "{graph}: {s} is placed on {size} of {v} at offset {offset} while that is still in use{streams} ({all} such in the graph)."
                    ),
                    Lang::Zh => format!(
                        "{graph}：{s} 占用了仍在使用的 {v} 的 {size}（偏移 {offset}{streams}；该图共 {all} 处）。"
                    ),
                }
            }
            Stomp::SharedPage { lines } => match lang {
                Lang::En => format!("One physical page lies under two virtual ranges ({lines} lines)."),
                Lang::Zh => format!("同一物理页被映射到两段虚拟地址（{lines} 行日志）。"),
            },
            Stomp::Unchecked { policy } => match lang {
                Lang::En => format!(
                    "Static memory policy {policy} maps pages on demand, and GE's check of them can't be seen in these lines."
                ),
                Lang::Zh => {
                    format!("静态内存策略 {policy} 按需映射物理页，但这些日志中看不到 GE 的映射检查。")
                }
            },
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Stomp::WrongReuse { .. } => lang.pick(
                "The second block overwrites data that is still to be read: the result depends on the layout. References, nested blocks, pieces of continuous memory, branches and user memory share by design and are not counted.",
                "后者会覆盖尚未被读取的数据：结果随内存布局变化。引用、嵌套块、连续内存的组成部分、分支与用户内存属设计共享，不计入。",
            ),
            Stomp::SharedPage { .. } => lang.pick(
                "Two tensors write into the same memory although their addresses differ; offsets can't show it.",
                "两个张量地址不同却写入同一块内存；从偏移上无法看出。",
            ),
            Stomp::Unchecked { .. } => lang.pick(
                "The check runs only when GE logs at INFO: no line is no proof of health.",
                "该检查仅在 GE 日志级别为 INFO 时执行：没有相关日志不代表没有问题。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            Stomp::WrongReuse { victim, suspect, .. } => {
                let (end, begin) = (victim.life(), suspect.life());
                Some(format!("[{end}] ∩ [{begin}] ≠ ∅"))
            }
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let whole = lang.pick(
            "Run the whole net without reuse: ge.exec.disableReuseMemory=1 (atc: --disable_reuse_memory=1). If the result becomes right, it is the reuse.",
            "整网关闭内存复用运行：ge.exec.disableReuseMemory=1（atc：--disable_reuse_memory=1）。若结果恢复正常，即为复用问题。",
        );
        match self {
            Stomp::WrongReuse { victim, suspect, .. } => {
                let names = [victim.node.as_str(), suspect.node.as_str()];
                let list = no_reuse(names.into_iter()).map(|list| match lang {
                    Lang::En => format!("Then keep only these two from sharing: {list}"),
                    Lang::Zh => format!("再仅让这两个算子不复用：{list}"),
                });
                let watch = watch(&victim.node, &suspect.node, lang);
                [whole.to_string()].into_iter().chain(list).chain([watch]).collect()
            }
            Stomp::SharedPage { .. } => Vec::from([lang
                .pick(
                    "Run with ge.exec.staticMemoryPolicy=2 (static graphs only): pages are not shared then.",
                    "使用 ge.exec.staticMemoryPolicy=2（仅静态图）运行：此时物理页不共享。",
                )
                .to_string()]),
            Stomp::Unchecked { .. } => Vec::from([lang
                .pick(
                    "Run again with ASCEND_GLOBAL_LOG_LEVEL=1 and collect log/debug/plog/.",
                    "设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，并收集 log/debug/plog/。",
                )
                .to_string()]),
        }
    }
}
