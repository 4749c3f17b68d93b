//! What is missing, and how to get it (analysis rules, R0.2).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Lang, Say};
use crate::intern::Interner;

/// What the input lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Driver statistics: no component can be named.
    Statistics,
    /// GE's own lines.
    GeLines {
        /// Some GE lines at INFO are there, so the level is right.
        some_info: bool,
    },
    /// Block rows of graphs that have a summary.
    Blocks {
        /// Summaries without rows.
        graphs: usize,
    },
    /// Anything about memory.
    Memory,
    /// The ends of lines that the logger cut.
    Tails {
        /// Cut block rows.
        lines: usize,
    },
    /// The lines that give the areas' first addresses.
    Bases,
}

impl Say for Missing {
    fn sentence(&self, _: &Interner, lang: Lang) -> String {
        match self {
            Missing::Statistics => String::from(lang.pick(
                "No driver statistics: which component holds the device memory is unknown.",
                "没有驱动内存统计：无法判断设备内存由哪个组件占用。",
            )),
            Missing::GeLines { some_info: false } => String::from(lang.pick(
                "No GE lines at INFO: GE's own allocations and static graphs are unknown.",
                "没有 INFO 级别的 GE 日志：GE 自身的内存申请与静态图情况未知。",
            )),
            Missing::GeLines { some_info: true } => String::from(lang.pick(
                "GE lines at INFO are there, but none about memory: another phase was logged, or the file is cut.",
                "有 INFO 级别的 GE 日志，但没有内存相关的行：记录的是其他阶段，或文件不完整。",
            )),
            Missing::Blocks { graphs } => match lang {
                Lang::En => format!(
                    "{graphs} {} only: the rates are known, the blocks are not.",
                    if *graphs == 1 { "graph has its summary line" } else { "graphs have their summary lines" }
                ),
                Lang::Zh => format!("{graphs} 个图只有汇总行：可以得到复用率，内存块明细未知。"),
            },
            Missing::Memory => String::from(lang.pick(
                "These lines say nothing about memory.",
                "这些日志没有任何内存信息。",
            )),
            Missing::Tails { lines } => match lang {
                Lang::En => format!(
                    "{lines} block {} cut by the logger at 1022 bytes: fields behind the cut are unknown.",
                    if *lines == 1 { "row was" } else { "rows were" }
                ),
                Lang::Zh => format!("{lines} 行内存块日志在 1022 字节处被截断：截断之后的字段未知。"),
            },
            Missing::Bases => String::from(lang.pick(
                "Operator addresses are there, the areas' first addresses are not: offsets can't be checked.",
                "有算子地址，但没有内存区域的基地址：无法核对偏移。",
            )),
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Missing::Statistics => lang.pick(
                "The driver prints them into the run plog when a process ends normally or when an allocation fails; they are missing when it was killed, when the file is cut, or when only the debug plog was collected.",
                "驱动在进程正常退出或申请失败时把统计写入 run plog；进程被杀、文件被截断或只收集了 debug plog 时会缺失。",
            ),
            Missing::GeLines { .. } => lang.pick(
                "By default the debug plog holds errors only.",
                "默认情况下 debug plog 只记录 ERROR。",
            ),
            Missing::Blocks { .. } => lang.pick(
                "The summary line is in the run plog at the default level; the rows need the debug plog at INFO.",
                "汇总行在默认级别下写入 run plog；明细行需要 INFO 级别的 debug plog。",
            ),
            Missing::Memory => lang.pick(
                "Nothing can be concluded about memory from them. Say whether device memory (npu-smi) or host memory (top) is too high, and collect the lines that show it.",
                "无法据此得出任何内存结论。请先确认是设备内存（npu-smi）还是主机内存（top）过高，并收集相应日志。",
            ),
            Missing::Tails { .. } => lang.pick(
                "Long node names push the numbers over the limit in versions before 2025.",
                "2025 年之前的版本中，过长的节点名会把数值挤出行长限制。",
            ),
            Missing::Bases => lang.pick(
                "The load phase is gone, most likely by file rotation.",
                "加载阶段的日志已丢失，多半是日志轮转所致。",
            ),
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self {
            Missing::Statistics => lang.pick(
                "Collect log/run/plog/ of a run that ends normally, with ASCEND_GLOBAL_LOG_LEVEL=1.",
                "设置 ASCEND_GLOBAL_LOG_LEVEL=1，让进程正常退出，并收集 log/run/plog/。",
            ),
            Missing::GeLines { .. } | Missing::Blocks { .. } => lang.pick(
                "Run again with ASCEND_GLOBAL_LOG_LEVEL=1 (atc: --log=info) and collect log/debug/plog/ too.",
                "设置 ASCEND_GLOBAL_LOG_LEVEL=1（atc 用 --log=info）重新运行，并同时收集 log/debug/plog/。",
            ),
            Missing::Memory => lang.pick(
                "Device memory: ASCEND_GLOBAL_LOG_LEVEL=1, a normal exit, and the whole folder ~/ascend/log (run and debug). Host memory: a tool such as LeakSanitizer or valgrind.",
                "设备内存：设置 ASCEND_GLOBAL_LOG_LEVEL=1，正常退出，收集整个 ~/ascend/log 目录（run 与 debug）。主机内存：使用 LeakSanitizer 或 valgrind 等工具。",
            ),
            Missing::Tails { .. } => lang.pick(
                "Use a shorter name prefix in the model, or CANN of 2025 or later.",
                "缩短模型中的节点名前缀，或使用 2025 年及以后的 CANN 版本。",
            ),
            Missing::Bases => lang.pick(
                "Keep more files: ASCEND_HOST_LOG_FILE_NUM=1000.",
                "保留更多日志文件：ASCEND_HOST_LOG_FILE_NUM=1000。",
            ),
        };
        Vec::from([String::from(text)])
    }
}
