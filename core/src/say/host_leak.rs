//! Leaks of host memory (analysis rules, R11).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::size::{exact, share};
use super::{Lang, Say};
use crate::intern::Interner;
use crate::model::host_leak::{Frame, Loss, Tool};
use crate::units::Bytes;

/// What a leak checker found.
#[derive(Clone, Debug, PartialEq)]
pub enum HostLeak {
    /// One stack whose memory is lost.
    Stack {
        /// The tool.
        tool: Tool,
        /// Bytes.
        size: Bytes,
        /// Blocks.
        blocks: u64,
        /// Lost on all stacks.
        all: Bytes,
        /// The stack without the allocator's own frames.
        frames: Vec<Frame>,
    },
    /// The smaller stacks together.
    Rest {
        /// Stacks.
        stacks: usize,
        /// Bytes.
        size: Bytes,
    },
    /// Memory that may not be lost, or only with its owner.
    Lesser {
        /// How sure.
        loss: Loss,
        /// Stacks.
        stacks: usize,
        /// Bytes.
        size: Bytes,
    },
    /// Nothing was lost.
    Clean {
        /// The tool.
        tool: Tool,
    },
}

/// Frames told in a sentence.
const FRAMES: usize = 5;

fn tool_name(tool: Tool) -> &'static str {
    match tool {
        Tool::LeakSanitizer => "LeakSanitizer",
        Tool::Valgrind => "valgrind",
    }
}

fn stack(frames: &[Frame], names: &Interner, lang: Lang) -> String {
    if frames.is_empty() {
        return String::from(lang.pick("a stack that the report does not show", "报告中没有的调用栈"));
    }
    let one = |frame: &Frame| match (names.get(frame.function), names.get(frame.place)) {
        ("", place) => place.to_string(),
        (function, "") => function.to_string(),
        (function, place) => format!("{function} ({place})"),
    };
    let shown: Vec<String> = frames.iter().take(FRAMES).map(one).collect();
    shown.join(" ← ")
}

impl Say for HostLeak {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            HostLeak::Stack { tool, size, blocks, all, frames } => {
                let (size_text, part) = (exact(*size), share(*size, *all));
                let (tool, stack) = (tool_name(*tool), stack(frames, names, lang));
                match lang {
                    Lang::En => format!(
                        "Host leak ({tool}): {size_text} bytes in {blocks} blocks, {part} of all that is lost, allocated from {stack}."
                    ),
                    Lang::Zh => format!(
                        "主机内存泄漏（{tool}）：{size_text} 字节，{blocks} 块，占全部泄漏的 {part}，申请自 {stack}。"
                    ),
                }
            }
            HostLeak::Rest { stacks, size } => match lang {
                Lang::En => format!("{stacks} smaller stacks together lost {} bytes.", exact(*size)),
                Lang::Zh => format!("其余 {stacks} 个较小的调用栈共泄漏 {} 字节。", exact(*size)),
            },
            HostLeak::Lesser { loss, stacks, size } => {
                let size = exact(*size);
                match (loss, lang) {
                    (Loss::Indirect, Lang::En) => {
                        format!("{size} bytes on {stacks} stacks are lost only through their owners.")
                    }
                    (Loss::Indirect, Lang::Zh) => {
                        format!("{stacks} 个调用栈上的 {size} 字节仅因其拥有者泄漏而丢失。")
                    }
                    (_, Lang::En) => {
                        format!("{size} bytes on {stacks} stacks are possibly lost: not certain.")
                    }
                    (_, Lang::Zh) => format!("{stacks} 个调用栈上的 {size} 字节可能泄漏：不确定。"),
                }
            }
            HostLeak::Clean { tool } => {
                let tool = tool_name(*tool);
                match lang {
                    Lang::En => format!("{tool} found no leak of host memory."),
                    Lang::Zh => format!("{tool} 没有发现主机内存泄漏。"),
                }
            }
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            HostLeak::Stack { .. } | HostLeak::Rest { .. } => lang.pick(
                "Host memory (RSS in top), not device memory: nothing points to these blocks any more.",
                "这是主机内存（top 中的 RSS），不是设备内存：已没有指针指向这些块。",
            ),
            HostLeak::Lesser { loss: Loss::Indirect, .. } => lang.pick(
                "They go away with the direct leak that points to them.",
                "修复指向它们的直接泄漏后会一并消失。",
            ),
            HostLeak::Lesser { .. } => lang.pick(
                "A pointer into the middle of the block is left: containers and C++ arrays look like that.",
                "仍有指针指向块的中间：容器与 C++ 数组常有这种情况。",
            ),
            HostLeak::Clean { .. } => lang.pick(
                "Growth without a leak: memory that is held too long, or kept by the allocator.",
                "没有泄漏却增长：持有过久的内存，或分配器保留的内存。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            HostLeak::Stack { size, all, .. } => Some(format!("{size} / {all} = {}", share(*size, *all))),
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self {
            HostLeak::Stack { .. } => lang.pick(
                "Free what the first function above the allocator creates, or pair its create call with its destroy call.",
                "释放分配器之上第一个函数所创建的对象，或补上与创建配对的销毁调用。",
            ),
            HostLeak::Clean { .. } => lang.pick(
                "Use a tool that counts over time: TMT by preload, counting from the second iteration.",
                "使用按时间统计的工具：以 preload 方式使用 TMT，从第二次迭代开始统计。",
            ),
            HostLeak::Rest { .. } | HostLeak::Lesser { .. } => return Vec::new(),
        };
        Vec::from([String::from(text)])
    }
}
