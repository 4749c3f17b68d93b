//! Component attribution (analysis rules, R1 and R6).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::size::{exact, human, share};
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::metrics::growth::Trend;
use crate::units::Bytes;

/// What the driver's statistics show.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    /// The component with the highest device peak.
    Largest {
        /// Module.
        module: Name,
        /// Device.
        device: Option<i64>,
        /// Sum of the peaks of its memory kinds.
        peak: Bytes,
        /// The same for all components: an upper bound.
        all: Bytes,
    },
    /// Something was not given back at device close.
    Held {
        /// Module.
        module: Name,
        /// Memory kind.
        memory_kind: Name,
        /// Device.
        device: Option<i64>,
        /// Bytes held.
        size: Bytes,
        /// Allocations.
        taken: u64,
        /// Frees.
        given: u64,
    },
    /// Everything was given back at device close.
    Clean {
        /// Rows that say so.
        rows: usize,
    },
    /// A component holds more at the last statistics than at the first.
    Growth {
        /// Module.
        module: Name,
        /// Memory kind.
        memory_kind: Name,
        /// Bytes at the first.
        from: Bytes,
        /// Bytes at the last.
        to: Bytes,
        /// Number of statistics.
        times: usize,
        /// How it developed.
        trend: Trend,
    },
    /// A peak fell, which it can't within one run.
    PeakFalls {
        /// Module.
        module: Name,
        /// Peak before.
        from: Bytes,
        /// Peak after.
        to: Bytes,
    },
    /// The driver keeps pages mapped.
    DriverCache {
        /// Bytes kept on the device.
        size: Bytes,
    },
    /// The largest helper process on the device.
    DeviceProcess {
        /// Module.
        module: Name,
        /// Device.
        device: i64,
        /// Resident bytes.
        size: Bytes,
    },
}

fn on_device(device: Option<i64>, lang: Lang) -> String {
    match device {
        Some(device) => match lang {
            Lang::En => format!(" on device {device}"),
            Lang::Zh => format!("在设备 {device} 上"),
        },
        None => String::new(),
    }
}

impl Say for Component {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            Component::Largest { module, device, peak, all } => {
                let (module, on) = (names.get(*module), on_device(*device, lang));
                let (peak_text, part) = (exact(*peak), share(*peak, *all));
                match lang {
                    Lang::En => format!(
                        "{module} took the most device memory{on}: peak {peak_text}, {part} of the sum of all peaks ({}).",
                        human(*all)
                    ),
                    Lang::Zh => format!(
                        "{module} {on}占用的设备内存最多：峰值 {peak_text}，占各组件峰值之和（{}）的 {part}。",
                        human(*all)
                    ),
                }
            }
            Component::Held { module, memory_kind, device, size, taken, given } => {
                let (module, kind, on) =
                    (names.get(*module), names.get(*memory_kind), on_device(*device, lang));
                match lang {
                    Lang::En => format!(
                        "{module} still held {} of {kind}{on} when the device was closed: {taken} allocations, {given} frees.",
                        exact(*size)
                    ),
                    Lang::Zh => format!(
                        "关闭设备时 {module} {on}仍持有 {} 的 {kind}：申请 {taken} 次，释放 {given} 次。",
                        exact(*size)
                    ),
                }
            }
            Component::Clean { rows } => match lang {
                Lang::En => format!(
                    "No leak at driver level: all {rows} device rows show 0 bytes and as many frees as allocations at device close."
                ),
                Lang::Zh => format!(
                    "驱动层没有泄漏：关闭设备时 {rows} 条设备内存统计均为 0 字节，申请与释放次数相等。"
                ),
            },
            Component::Growth { module, memory_kind, from, to, times, trend } => {
                let (module, kind) = (names.get(*module), names.get(*memory_kind));
                let more = exact(Bytes(to.0.saturating_sub(from.0)));
                let how = match trend {
                    Trend::Rising => lang.pick("rising all the time", "持续上升"),
                    Trend::Plateau => lang.pick("now level", "已趋于平稳"),
                    Trend::UpAndDown | Trend::NotRising => lang.pick("with ups and downs", "有升有降"),
                };
                match lang {
                    Lang::En => format!(
                        "{module} {kind} grew by {more} over {times} statistics ({} to {}), {how}.",
                        human(*from),
                        human(*to)
                    ),
                    Lang::Zh => format!(
                        "{module} {kind} 在 {times} 次统计之间增长了 {more}（{} 到 {}），{how}。",
                        human(*from),
                        human(*to)
                    ),
                }
            }
            Component::PeakFalls { module, from, to } => {
                let module = names.get(*module);
                match lang {
                    Lang::En => format!(
                        "The peak of {module} falls from {} to {}: lines of two runs are mixed here.",
                        from, to
                    ),
                    Lang::Zh => format!("{module} 的峰值从 {from} 降到 {to}：这里混入了两次运行的日志。"),
                }
            }
            Component::DriverCache { size } => match lang {
                Lang::En => format!(
                    "The driver keeps {} mapped on the device that no component uses now.",
                    exact(*size)
                ),
                Lang::Zh => format!("驱动在设备上缓存了 {}，目前没有组件使用。", exact(*size)),
            },
            Component::DeviceProcess { module, device, size } => {
                let module = names.get(*module);
                match lang {
                    Lang::En => {
                        format!("The {module} process on device {device} itself takes {}.", exact(*size))
                    }
                    Lang::Zh => format!("设备 {device} 上的 {module} 进程自身占用 {}。", exact(*size)),
                }
            }
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Component::Largest { .. } => lang.pick(
                "Attribution goes by peak. Peaks of different components were reached at different times, so their sum is an upper bound.",
                "归因以峰值为准。各组件峰值出现的时间不同，其总和只是上限。",
            ),
            Component::Held { .. } => lang.pick(
                "Suspected leak: memory that its owner never gave back. The driver takes it back when the process ends.",
                "疑似泄漏：申请方始终没有归还的内存。进程结束时由驱动收回。",
            ),
            Component::Clean { .. } => lang.pick(
                "What the process took from the driver it gave back.",
                "进程向驱动申请的内存已全部归还。",
            ),
            Component::Growth { .. } => lang.pick(
                "A rise that levels off is a pool or cache that fills, by design. A rise that goes on calls for its counterpart: model unload, session destroy, finalize.",
                "上升后趋于平稳是内存池或缓存被填满，属于设计行为。持续上升则应检查配对操作：模型卸载、会话销毁、去初始化。",
            ),
            Component::PeakFalls { .. } => lang.pick(
                "A peak never falls within one process, so these lines belong to different runs.",
                "同一进程内峰值不会下降，因此这些行属于不同的运行。",
            ),
            Component::DriverCache { .. } => lang.pick(
                "By design: cached pages are handed out again before new ones are taken.",
                "设计行为：缓存页会优先被再次分配。",
            ),
            Component::DeviceProcess { .. } => lang.pick(
                "Helper processes on the device count against its memory, outside every budget of a framework.",
                "设备侧辅助进程也占用设备内存，不在任何框架的内存预算之内。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            Component::Largest { peak, all, .. } => Some(format!("{peak} / {all} = {}", share(*peak, *all))),
            Component::Growth { from, to, .. } => {
                Some(format!("{to} - {from} = {}", to.0 as i128 - from.0 as i128))
            }
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self {
            Component::Largest { .. } => lang.pick(
                "GE → the classes and graphs below; HCCL → number of communicators × 2 × HCCL_BUFFSIZE; APP → the application's own aclrtMalloc, a framework's caching pool among them.",
                "GE → 查看下面的分类与图；HCCL → 通信域个数 × 2 × HCCL_BUFFSIZE；APP → 应用自身的 aclrtMalloc，框架的缓存池也在其中。",
            ),
            Component::Held { .. } => lang.pick(
                "Look for what this component creates without destroying: models, sessions, streams, communicators, aclrtMalloc without aclrtFree.",
                "检查该组件创建后未销毁的对象：模型、会话、流、通信域，以及没有 aclrtFree 的 aclrtMalloc。",
            ),
            Component::Growth { .. } => lang.pick(
                "Compare more moments: statistics are also printed at every failed allocation and device close.",
                "对比更多时间点：每次申请失败与关闭设备时也会打印统计。",
            ),
            Component::PeakFalls { .. } => lang.pick(
                "Give the files of one run only.",
                "请只提供一次运行的日志文件。",
            ),
            Component::Clean { .. } | Component::DriverCache { .. } => return Vec::new(),
            Component::DeviceProcess { .. } => lang.pick(
                "Compare with a good run; growth here comes from AI CPU operators, not from GE.",
                "与正常的运行对比；此处的增长来自 AI CPU 算子，而不是 GE。",
            ),
        };
        Vec::from([String::from(text)])
    }
}

/// The sum of all device peaks, and that it is an upper bound.
pub fn upper_bound(device: Option<i64>, sum: Bytes, lang: Lang) -> String {
    let on = on_device(device, lang);
    match lang {
        Lang::En => {
            format!("Sum of the device peaks{on}: {} (upper bound: the peaks needn't coincide).", exact(sum))
        }
        Lang::Zh => format!("{on}各组件设备内存峰值之和：{}（上限，各峰值不一定同时出现）。", exact(sum)),
    }
}

/// What the driver keeps mapped of one memory kind.
pub fn cached(memory_kind: &str, device: Option<i64>, size: Bytes, lang: Lang) -> String {
    let on = on_device(device, lang);
    match lang {
        Lang::En => format!("Driver cache {memory_kind}{on}: {}.", exact(size)),
        Lang::Zh => format!("{on}驱动缓存 {memory_kind}：{}。", exact(size)),
    }
}
