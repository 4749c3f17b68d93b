//! Zero copy and args tables: what was dispatched, and what can't be known (analysis rules, R9).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::size::exact;
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::units::{Address, Bytes};

/// Which argument of an operator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// Slot of the args table.
    pub slot: u32,
    /// Operator.
    pub op: Name,
    /// `input`, `output`, `workspace`; empty where no line tells.
    pub word: &'static str,
    /// Its index.
    pub index: u64,
}

impl Argument {
    fn text(&self, names: &Interner) -> String {
        let op = names.get(self.op);
        match (op, self.word) {
            ("", _) => format!("slot {}", self.slot),
            (op, "") => format!("slot {} ({op} #{})", self.slot, self.index),
            (op, word) => format!("slot {} ({op} {word}[{}])", self.slot, self.index),
        }
    }
}

/// What is so.
#[derive(Clone, Debug, PartialEq)]
pub enum ZeroCopy {
    /// A placeholder was dispatched.
    Unbacked {
        /// The argument.
        argument: Argument,
        /// Round.
        round: u32,
        /// What was dispatched.
        value: Address,
        /// First byte of the feature map.
        base: Address,
        /// Allocated bytes from there.
        allocated: Bytes,
        /// Arguments and rounds with such a value in all.
        count: usize,
    },
    /// Device and host have different values.
    Differs {
        /// The argument.
        argument: Argument,
        /// Round; `None` = the update at load.
        round: Option<u32>,
        /// On the device.
        device: Address,
        /// On the host.
        host: Address,
    },
    /// A buffer of the user is too small.
    TooSmall {
        /// An input; otherwise an output.
        is_input: bool,
        /// Its index.
        index: u64,
        /// The user's size as GE checked it.
        user: Bytes,
        /// What the operator needs.
        needed: Bytes,
    },
    /// The switch for args tables is off.
    TableOff,
    /// The switch is on but this process prints no table.
    NoTable,
    /// User memory changes from round to round.
    Rotates {
        /// Inputs and outputs that change.
        ios: usize,
        /// Rounds.
        rounds: u32,
    },
    /// Logical addresses are placeholders.
    Placeholder {
        /// Slots with one.
        slots: usize,
        /// One of them.
        argument: Argument,
        /// Its logical address.
        logical: Address,
        /// What was dispatched instead in the last round, where known.
        user: Option<Address>,
    },
    /// Launches without the line that splits inputs and outputs.
    SplitUnknown {
        /// How many.
        launches: usize,
    },
}

impl Say for ZeroCopy {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            ZeroCopy::Unbacked { argument, round, value, base, allocated, count } => {
                let (argument, end) = (argument.text(names), base.plus(*allocated));
                let more = count.saturating_sub(1);
                let en = if more > 0 { format!(" ({more} more such values)") } else { String::new() };
                let zh = if more > 0 { format!("（另有 {more} 处）") } else { String::new() };
                match lang {
                    Lang::En => format!(
                        "Round {round} dispatched {value} for {argument}: a logical address without memory, outside {base} … {end}{en}."
                    ),
                    Lang::Zh => format!(
                        "第 {round} 轮为 {argument} 下发了 {value}：这是没有实际内存的逻辑地址，不在 {base} … {end} 之内{zh}。"
                    ),
                }
            }
            ZeroCopy::Differs { argument, round, device, host } => {
                let argument = argument.text(names);
                match (lang, round) {
                    (Lang::En, Some(round)) => format!(
                        "In round {round} the device had {device} for {argument}, the host {host}."
                    ),
                    (Lang::En, None) => {
                        format!("At load the device had {device} for {argument}, the host {host}.")
                    }
                    (Lang::Zh, Some(round)) => {
                        format!("第 {round} 轮中 {argument} 的设备侧值为 {device}，主机侧值为 {host}。")
                    }
                    (Lang::Zh, None) => {
                        format!("加载时 {argument} 的设备侧值为 {device}，主机侧值为 {host}。")
                    }
                }
            }
            ZeroCopy::TooSmall { is_input, index, user, needed } => {
                let io = if *is_input { "Input" } else { "Output" };
                let (user, needed) = (exact(*user), exact(*needed));
                match lang {
                    Lang::En => format!("{io} {index}: the user's buffer has {user} bytes, the model needs {needed}."),
                    Lang::Zh => format!("{io} {index}：用户缓冲区为 {user} 字节，模型需要 {needed} 字节。"),
                }
            }
            ZeroCopy::TableOff => lang
                .pick(
                    "Args tables can't be shown: this run did not print them (get device model args table flag:0).",
                    "无法显示 args 表：本次运行没有打印（get device model args table flag:0）。",
                )
                .to_string(),
            ZeroCopy::NoTable => lang
                .pick(
                    "The switch for args tables is on, but no table was printed: values follow from bases and offsets.",
                    "args 表开关已打开，但没有打印表：各值由基地址与偏移得出。",
                )
                .to_string(),
            ZeroCopy::Rotates { ios, rounds } => match lang {
                Lang::En => format!("User memory of {ios} {} changes over {rounds} rounds.", plural(*ios, "input or output", "inputs or outputs")),
                Lang::Zh => format!("{rounds} 轮中有 {ios} 个输入输出的用户内存发生变化。"),
            },
            ZeroCopy::Placeholder { slots, argument, logical, user } => {
                let argument = argument.text(names);
                match (lang, user) {
                    (Lang::En, Some(user)) => format!(
                        "{slots} {} zero copy: {argument} got the user's {user}; its logical address {logical} is a placeholder without memory.",
                        plural(*slots, "slot is", "slots are")
                    ),
                    (Lang::En, None) => format!(
                        "{slots} {} zero copy: the logical address of {argument}, {logical}, is a placeholder without memory.",
                        plural(*slots, "slot is", "slots are")
                    ),
                    (Lang::Zh, Some(user)) => format!(
                        "{slots} 个 slot 为零拷贝：{argument} 实际下发的是用户地址 {user}；逻辑地址 {logical} 只是没有实际内存的占位。"
                    ),
                    (Lang::Zh, None) => format!(
                        "{slots} 个 slot 为零拷贝：{argument} 的逻辑地址 {logical} 只是没有实际内存的占位。"
                    ),
                }
            }
            ZeroCopy::SplitUnknown { launches } => match lang {
                Lang::En => format!(
                    "{launches} {} no line with the pointer counts: addresses are known, where the inputs end is not.",
                    plural(*launches, "launch has", "launches have")
                ),
                Lang::Zh => format!("{launches} 次下发缺少指针个数行：地址已知，但无法区分输入与输出。"),
            },
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            ZeroCopy::Unbacked { .. } => lang.pick(
                "The operator reads or writes memory that nobody allocated, or that belongs to someone else.",
                "算子会访问未分配的内存，或属于他人的内存。",
            ),
            ZeroCopy::Differs { .. } => lang.pick(
                "The operator works on the device's value; the update did not reach this slot.",
                "算子使用设备侧的值；该 slot 没有被刷新到。",
            ),
            ZeroCopy::TooSmall { .. } => lang.pick(
                "GE refuses the run, so that the operator does not write past the end of the buffer. 64 bytes of tolerance are counted already.",
                "GE 拒绝执行，以免算子写出缓冲区。已计入 64 字节的容差。",
            ),
            ZeroCopy::TableOff => lang.pick(
                "The flag is read when the model loads; what was not printed can't be completed afterwards.",
                "该开关在模型加载时读取；没有打印的内容事后无法补全。",
            ),
            ZeroCopy::NoTable => lang.pick(
                "Without the refresh kernel (update_version 2), or when no round needs an update, GE prints no table. The device's values were not read back, so they are not verified.",
                "没有刷新 kernel（update_version 2）或各轮都无需刷新时，GE 不打印表。设备侧的值没有回读，因此未经验证。",
            ),
            ZeroCopy::Rotates { .. } => lang.pick(
                "By design: the caller gives other buffers, and GE passes them on.",
                "设计行为：调用者更换了缓冲区，GE 照此下发。",
            ),
            ZeroCopy::Placeholder { .. } => lang.pick(
                "By design: the dispatched address is the user's, linked by the allocation id.",
                "设计行为：实际下发的是用户地址，两者由 allocation id 关联。",
            ),
            ZeroCopy::SplitUnknown { .. } => lang.pick(
                "The line was lost or filtered. Nothing is made up for it, nor for gears that did not run.",
                "该行已丢失或被过滤。不做推测，也不推测未运行的档位。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            ZeroCopy::Unbacked { value, base, allocated, .. } => {
                Some(format!("{value} - {base} = {} ≥ {allocated}", *value - *base))
            }
            ZeroCopy::Differs { device, host, .. } => Some(format!("{device} ≠ {host}")),
            ZeroCopy::TooSmall { user, needed, .. } => Some(format!("{user} < {needed}")),
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self {
            ZeroCopy::Unbacked { .. } => lang.pick(
                "Check that the caller gives memory for this input or output in this round; then look at the lines of the round (gemlens args).",
                "确认调用者在该轮为此输入输出提供了内存，再用 gemlens args 查看该轮。",
            ),
            ZeroCopy::Differs { .. } => lang.pick(
                "Report it with both values: the refresh of the args table missed a slot.",
                "请连同两个值一起上报：args 表刷新遗漏了该 slot。",
            ),
            ZeroCopy::TooSmall { .. } => lang.pick(
                "Allocate the buffer with the size that the model asks for (aclmdlGetInputSizeByIndex, aclmdlGetOutputSizeByIndex).",
                "按模型要求的大小申请缓冲区（aclmdlGetInputSizeByIndex、aclmdlGetOutputSizeByIndex）。",
            ),
            ZeroCopy::TableOff => lang.pick(
                "Run again with GE_DAVINCI_MODEL_PROFILING=2 and ASCEND_GLOBAL_LOG_LEVEL=1, both set before the process starts.",
                "在进程启动前设置 GE_DAVINCI_MODEL_PROFILING=2 和 ASCEND_GLOBAL_LOG_LEVEL=1，重新运行。",
            ),
            ZeroCopy::SplitUnknown { .. } => lang.pick(
                "Collect the whole debug plog: ASCEND_GLOBAL_LOG_LEVEL=1, ASCEND_HOST_LOG_FILE_NUM=1000.",
                "收集完整的 debug plog：ASCEND_GLOBAL_LOG_LEVEL=1，ASCEND_HOST_LOG_FILE_NUM=1000。",
            ),
            ZeroCopy::NoTable | ZeroCopy::Rotates { .. } | ZeroCopy::Placeholder { .. } => return Vec::new(),
        };
        Vec::from([String::from(text)])
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}
