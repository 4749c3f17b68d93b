//! Classes inside the process (analysis rules, R2).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::size::{exact, human, share};
use super::{Lang, Say};
use crate::intern::Interner;
use crate::metrics::class::{Class, Total};
use crate::model::allocation::Layer;
use crate::units::Bytes;

/// The class's name in the "total" view; the same in every language.
pub fn name(class: Class) -> String {
    match class {
        Class::StaticGraph => "StaticGraph".to_string(),
        Class::MemoryPool => "MemoryPool".to_string(),
        Class::Variable => "Variable".to_string(),
        Class::ModelLoad => "davinci_model_load".to_string(),
        Class::GeOther => "GE other".to_string(),
        Class::Hccl => "HCCL".to_string(),
        Class::App => "APP".to_string(),
        Class::Runtime => "RUNTIME".to_string(),
        Class::Other(module) => format!("module {module}"),
    }
}

/// What the classes show.
#[derive(Clone, Debug, PartialEq)]
pub enum Classes {
    /// The class with the highest peak.
    Largest {
        /// Class.
        class: Class,
        /// Its peak.
        peak: Bytes,
        /// Peak of all classes together.
        all: Bytes,
    },
    /// GE's classes and the driver's GE peak are not of the same order.
    Disagree {
        /// Sum of GE's classes and physical pages.
        classes: Bytes,
        /// GE's peak by the driver.
        driver: Bytes,
    },
    /// Static graphs and the pool may share an extension area.
    SharedExtension {
        /// Static memory policy.
        policy: u64,
        /// Physical pages at their peak.
        pages: Option<Bytes>,
    },
    /// Communication buffers.
    Buffers {
        /// How many.
        count: usize,
        /// Their bytes.
        size: Bytes,
    },
}

impl Say for Classes {
    fn sentence(&self, _: &Interner, lang: Lang) -> String {
        match self {
            Classes::Largest { class, peak, all } => {
                let (class, part) = (name(*class), share(*peak, *all));
                match lang {
                    Lang::En => format!(
                        "Largest class: {class}, peak {} ({part} of the peak of all classes, {}).",
                        exact(*peak),
                        human(*all)
                    ),
                    Lang::Zh => format!(
                        "最大的分类：{class}，峰值 {}（占全部分类峰值 {} 的 {part}）。",
                        exact(*peak),
                        human(*all)
                    ),
                }
            }
            Classes::Disagree { classes, driver } => match lang {
                Lang::En => format!(
                    "GE's lines account for {}, the driver counted {} for GE: {} took a path the log does not show.",
                    exact(*classes),
                    exact(*driver),
                    human(Bytes(classes.0.abs_diff(driver.0)))
                ),
                Lang::Zh => format!(
                    "GE 日志合计 {}，驱动统计 GE 为 {}：相差 {}，其申请路径未出现在日志中。",
                    exact(*classes),
                    exact(*driver),
                    human(Bytes(classes.0.abs_diff(driver.0)))
                ),
            },
            Classes::SharedExtension { policy, pages } => {
                let pages = pages.map(exact);
                match lang {
                    Lang::En => format!(
                        "Static memory policy {policy}: StaticGraph and MemoryPool may share an extension area{}.",
                        pages.map_or(String::new(), |p| format!(" ({p} of physical pages at the peak)"))
                    ),
                    Lang::Zh => format!(
                        "静态内存策略为 {policy}：StaticGraph 与 MemoryPool 可能共用扩展区{}。",
                        pages.map_or(String::new(), |p| format!("（物理页峰值 {p}）"))
                    ),
                }
            }
            Classes::Buffers { count, size } => match lang {
                Lang::En => format!("{count} HCCL communication buffers take {}.", exact(*size)),
                Lang::Zh => format!("{count} 个 HCCL 通信缓冲区共占用 {}。", exact(*size)),
            },
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Classes::Largest { class, .. } => match class {
                Class::StaticGraph => lang.pick("Feature maps of static graphs.", "静态图的特征图内存。"),
                Class::MemoryPool => lang.pick(
                    "Pool of dynamic graphs; it keeps its pages until the process ends, by design.",
                    "动态图内存池；按设计，页面保留到进程结束。",
                ),
                Class::Variable => lang.pick("Variables, constants and weights.", "变量、常量与权重。"),
                Class::ModelLoad => lang.pick("Tasks of loaded models; adds up over many models.", "已加载模型的任务内存；模型多时会累积。"),
                Class::Hccl => lang.pick("Communication buffers, outside any framework's budget.", "通信缓冲区，不在任何框架的预算之内。"),
                Class::App => lang.pick("The application's own aclrtMalloc; a framework's caching pool shows up here.", "应用自身的 aclrtMalloc；框架的缓存池体现在这里。"),
                Class::GeOther | Class::Runtime | Class::Other(_) => lang.pick("Usually small.", "通常很小。"),
            },
            Classes::Disagree { .. } => lang.pick(
                "The two should be of the same order. Lost lines, a missing load phase or memory taken outside GE's allocators explain a gap.",
                "两者应在同一量级。差距可能来自丢失的日志、缺少加载阶段，或绕过 GE 分配器的申请。",
            ),
            Classes::SharedExtension { .. } => lang.pick(
                "By design: do not add the two rows up.",
                "设计行为：这两行不能相加。",
            ),
            Classes::Buffers { .. } => lang.pick(
                "Two buffers a communicator, each of HCCL_BUFFSIZE.",
                "每个通信域两个缓冲区，大小均为 HCCL_BUFFSIZE。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            Classes::Largest { peak, all, .. } => Some(format!("{peak} / {all} = {}", share(*peak, *all))),
            Classes::Disagree { classes, driver } => {
                Some(format!("|{classes} - {driver}| = {}", classes.0.abs_diff(driver.0)))
            }
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self {
            Classes::Largest { class, .. } => match class {
                Class::StaticGraph => lang.pick(
                    "See the graphs below: reuse rate, then reach_theory_rate.",
                    "查看下面的图：先看复用率，再看 reach_theory_rate。",
                ),
                Class::MemoryPool => lang.pick(
                    "See the pool below: granularity step or fragmentation.",
                    "查看下面的内存池：粒度台阶还是碎片。",
                ),
                Class::Variable => lang.pick(
                    "External weights; variables left over from earlier sessions.",
                    "考虑权重外置；检查以前会话遗留的变量。",
                ),
                Class::Hccl => lang.pick(
                    "Fewer communicators, or a smaller HCCL_BUFFSIZE.",
                    "减少通信域个数，或调小 HCCL_BUFFSIZE。",
                ),
                Class::App => lang.pick(
                    "Look at the application's or the framework's own memory report.",
                    "查看应用或框架自己的内存报告。",
                ),
                _ => return Vec::new(),
            },
            Classes::Disagree { .. } => lang.pick(
                "Collect all debug plogs from the start of the process (ASCEND_HOST_LOG_FILE_NUM=1000).",
                "收集进程启动以来的全部 debug plog（ASCEND_HOST_LOG_FILE_NUM=1000）。",
            ),
            Classes::SharedExtension { .. } => return Vec::new(),
            Classes::Buffers { .. } => lang.pick(
                "Fewer communicators, or a smaller HCCL_BUFFSIZE.",
                "减少通信域个数，或调小 HCCL_BUFFSIZE。",
            ),
        };
        Vec::from([String::from(text)])
    }
}

/// What the classes add up to, and which lines were counted.
pub fn used_total(total: &Total, lang: Lang) -> String {
    let layer = match total.layer {
        Some(Layer::Runtime) => lang.pick("runtime lines", "runtime 日志"),
        Some(Layer::Ge) => lang.pick("GE lines with a purpose", "带用途的 GE 日志"),
        Some(Layer::GePlain) => lang.pick("GE lines without a purpose", "不带用途的 GE 日志"),
        None => lang.pick("physical pages only", "仅物理页"),
    };
    match lang {
        Lang::En => format!(
            "Used total at the peak: {}; at the end of the log: {} (counted from {layer}).",
            exact(total.peak),
            exact(total.held)
        ),
        Lang::Zh => format!(
            "已用总量：峰值 {}，日志结束时 {}（依据 {layer}）。",
            exact(total.peak),
            exact(total.held)
        ),
    }
}

/// Physical pages of expandable memory.
pub fn physical_pages(pages: Bytes, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "Physical pages of expandable memory at the peak: {}; reserved address space costs nothing.",
            exact(pages)
        ),
        Lang::Zh => format!("可扩展内存的物理页峰值：{}；预留的虚拟地址不占用内存。", exact(pages)),
    }
}

/// Allocations whose frees can't be told.
pub fn without_address(count: u32, lang: Lang) -> String {
    match lang {
        Lang::En => {
            format!("{count} allocations carry no address, so their frees can't be told: they count as held.")
        }
        Lang::Zh => format!("{count} 次申请没有地址，无法对应其释放：按仍持有计算。"),
    }
}

/// Hand-outs of the first-level pool.
pub fn hand_outs(count: u32, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "{count} hand-outs of \"rt2 memory pool\" are not counted: their bytes are in MemoryPool already."
        ),
        Lang::Zh => {
            format!("{count} 次 \"rt2 memory pool\" 分发不计入：其字节已包含在 MemoryPool 中。")
        }
    }
}
