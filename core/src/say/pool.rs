//! Dynamic pools.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::size::{exact, human, share};
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::metrics::pool::Verdict;
use crate::model::pool::{AllocatorId, Limit};
use crate::units::Bytes;

/// A gap of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Pool.
    pub allocator: AllocatorId,
    /// Peak of its live blocks.
    pub needed: Bytes,
    /// Most it took.
    pub taken: Bytes,
    /// In pieces of this size.
    pub unit: Bytes,
    /// How many pieces.
    pub units: u64,
    /// Printed peak.
    pub theory_min: Option<Bytes>,
}

impl Step {
    /// All of it was taken in whole units.
    fn is_whole(&self) -> bool {
        self.units.saturating_mul(self.unit.0) == self.taken.0
    }
}

/// A gap beyond one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragmentation {
    /// Pool.
    pub allocator: AllocatorId,
    /// Peak of its live blocks.
    pub needed: Bytes,
    /// Most it took.
    pub taken: Bytes,
    /// That peak in whole units.
    pub stepped: Bytes,
    /// What was taken beyond.
    pub excess: Bytes,
    /// Expandable memory is on.
    pub expandable: bool,
}

/// What a pool shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Pool {
    /// It took one step of its unit more than its blocks needed.
    Step(Step),
    /// It took more than that.
    Fragmentation(Fragmentation),
    /// It keeps memory that it does not use.
    KeepsPages {
        /// Pool.
        allocator: AllocatorId,
        /// Held.
        held: Bytes,
        /// In use.
        live: Bytes,
    },
    /// A request was refused at first.
    Refused {
        /// Pool.
        allocator: AllocatorId,
        /// Kernel that asked; empty where no line names it.
        kernel: Name,
        /// Bytes asked for; 0 where no line says so.
        size: Bytes,
        /// The limit of the pool, where that refused first.
        limit: Option<Limit>,
        /// The device itself refused in the end.
        by_device: bool,
        /// For good.
        failed: bool,
        /// Expandable memory is on.
        expandable: bool,
    },
    /// Replay and tuning do not apply.
    NoReplay {
        /// Expandable memory is on.
        expandable: bool,
    },
    /// No line says what the pool took.
    SupplyUnknown {
        /// Pool.
        allocator: AllocatorId,
        /// Peak of its live blocks.
        needed: Bytes,
    },
    /// Rounding up to whole pages costs a notable part of the peak.
    Rounding {
        /// Pool.
        allocator: AllocatorId,
        /// Asked for at the peak.
        asked: Bytes,
        /// Given at the peak.
        given: Bytes,
    },
}

impl Say for Pool {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            Pool::Step(step) => step_sentence(step, lang),
            Pool::Fragmentation(f) => fragmentation_sentence(f, lang),
            Pool::KeepsPages { allocator, held, live } => match lang {
                Lang::En => {
                    format!(
                        "Pool {allocator} still held {} while {} were in use.",
                        exact(*held),
                        exact(*live)
                    )
                }
                Lang::Zh => {
                    format!("内存池 {allocator} 仅使用 {} 时仍持有 {}。", exact(*live), exact(*held))
                }
            },
            Pool::Refused { allocator, kernel, size, failed, .. } => {
                refused_sentence(*allocator, names.get(*kernel), *size, *failed, lang)
            }
            Pool::NoReplay { .. } => String::from(lang.pick(
                "This process runs dynamic-shape graphs: replay and tuning do not apply to their pools.",
                "该进程运行动态 shape 图：重放与调优不适用于其内存池。",
            )),
            Pool::SupplyUnknown { allocator, needed } => match lang {
                Lang::En => format!(
                    "Pool {allocator}: live blocks peaked at {}; what the pool took for them is unknown.",
                    exact(*needed)
                ),
                Lang::Zh => {
                    format!("内存池 {allocator}：存活块峰值 {}，但内存池实际申请量未知。", exact(*needed))
                }
            },
            Pool::Rounding { allocator, asked, given } => {
                let lost = given.saturating_sub(*asked);
                let part = share(lost, *given);
                match lang {
                    Lang::En => format!(
                        "At its peak, pool {allocator} gave {} for {} asked: {} ({part}) are rounding.",
                        exact(*given),
                        exact(*asked),
                        human(lost)
                    ),
                    Lang::Zh => format!(
                        "峰值时内存池 {allocator} 对 {} 的申请分配了 {}：取整占 {}（{part}）。",
                        exact(*asked),
                        exact(*given),
                        human(lost)
                    ),
                }
            }
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Pool::Step(_) => lang.pick(
                "One granularity step, not fragmentation: the pool takes whole units only.",
                "这是一个粒度台阶，不是碎片：内存池只按整单位申请。",
            ),
            Pool::Fragmentation(_) => lang.pick(
                "Free memory lay in pieces that the next request did not fit into, so the pool took new memory.",
                "空闲内存分散成片，放不下后续申请，内存池只能再次申请新内存。",
            ),
            Pool::KeepsPages { .. } => lang.pick(
                "By design: the pool keeps its memory for the next step and gives it back at the end of the process, or when a request fails.",
                "设计行为：内存池为下一步保留内存，仅在进程结束或申请失败时归还。",
            ),
            Pool::Refused { failed: false, .. } => lang.pick(
                "Harmless: the pool gave back idle memory and the second try succeeded; it costs time only.",
                "无害：内存池归还空闲内存后第二次申请成功，仅有耗时影响。",
            ),
            Pool::Refused { failed: true, .. } => lang.pick(
                "Even after all idle memory was given back, the request did not fit. Other processes on the device count too.",
                "归还全部空闲内存后仍放不下该申请；同一设备上其他进程的占用也要计入。",
            ),
            Pool::NoReplay { .. } => lang.pick(
                "Their addresses are decided at run time, by the order of requests; no compile-time order or policy is left to try.",
                "其地址在运行时按申请顺序决定，没有可供尝试的编译期排序或策略。",
            ),
            Pool::SupplyUnknown { .. } => lang.pick(
                "Step or fragmentation can't be told without it. GE prints it at INFO level into the debug plog when the pool grows, and at the end of the process; such lines are missing when files were rotated away or only part of the log was collected.",
                "缺少该数据则无法区分粒度台阶与碎片。GE 在内存池增长时以 INFO 级别写入 debug plog，进程结束时也会打印；文件被轮转或只收集了部分日志时会缺失。",
            ),
            Pool::Rounding { .. } => lang.pick(
                "By design: every tensor gets whole pages of 64 KiB, however small it is.",
                "设计行为：每个张量至少占用整数个 64 KiB 页，再小也是如此。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            Pool::Step(s) if s.is_whole() => Some(format!(
                "ceil({} / {}) × {} = {} × {} = {}",
                s.needed, s.unit, s.unit, s.units, s.unit, s.taken
            )),
            Pool::Step(s) => {
                let gap = s.taken.saturating_sub(s.needed);
                Some(format!("{} - {} = {gap} < {}", s.taken, s.needed, s.unit))
            }
            Pool::Fragmentation(f) => Some(format!("{} - {} = {}", f.taken, f.stepped, f.excess)),
            Pool::KeepsPages { held, live, .. } => {
                Some(format!("{held} - {live} = {}", held.saturating_sub(*live)))
            }
            Pool::Refused { limit: Some(limit), .. } => {
                Some(format!("{} + {} > {}", limit.held, limit.added, limit.most))
            }
            Pool::Refused { .. } | Pool::NoReplay { .. } | Pool::SupplyUnknown { .. } => None,
            Pool::Rounding { asked, given, .. } => {
                Some(format!("{given} - {asked} = {}", given.saturating_sub(*asked)))
            }
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let merge = lang.pick(
            "Merge gears: fewer different shapes leave fewer holes.",
            "合并档位：shape 种类越少，空洞越少。",
        );
        let policy = lang.pick(
            "ge.exec.staticMemoryPolicy=3 (dynamic graphs; 4 = static graphs too, unless several graphs run at once): expandable memory moves holes. GE_USE_STATIC_MEMORY is its environment twin; never set both.",
            "设置 ge.exec.staticMemoryPolicy=3（仅动态图；4 = 静态图也使用，多图并发时不可用）：可扩展内存能搬移空洞。GE_USE_STATIC_MEMORY 是等价环境变量，二者不可同时设置。",
        );
        let policy = |expandable: &bool| (!expandable).then_some(policy);
        let lines: Vec<&str> = match self {
            Pool::Step(_) | Pool::KeepsPages { .. } | Pool::Rounding { .. } => Vec::new(),
            Pool::Fragmentation(Fragmentation { expandable, .. }) | Pool::NoReplay { expandable } => {
                policy(expandable).into_iter().chain([merge]).collect()
            }
            Pool::SupplyUnknown { .. } => Vec::from([lang.pick(
                "Collect all debug plogs from the start of the process, with ASCEND_GLOBAL_LOG_LEVEL=1 and ASCEND_HOST_LOG_FILE_NUM=1000.",
                "设置 ASCEND_GLOBAL_LOG_LEVEL=1 与 ASCEND_HOST_LOG_FILE_NUM=1000，收集进程启动以来的全部 debug plog。",
            )]),
            Pool::Refused { failed: false, .. } => Vec::from([lang.pick(
                "Nothing; if it happens in every step, merge gears or lower the peak.",
                "无需处理；若每一步都出现，可合并档位或降低峰值。",
            )]),
            Pool::Refused { limit, by_device, expandable, .. } => {
                let smaller = lang.pick(
                    "Lower the peak: a smaller largest gear, a shorter sequence, a smaller batch.",
                    "降低峰值：减小最大档位、序列长度或 batch。",
                );
                let limit = limit.filter(|_| !by_device).map(|_| {
                    lang.pick(
                        "The limit of the pool was the reason: raise ge.experiment.memory_pool_threshold (whole GiB) if it is set.",
                        "原因是内存池上限：如设置了 ge.experiment.memory_pool_threshold（整数 GiB），可将其调大。",
                    )
                });
                [smaller].into_iter().chain(policy(expandable)).chain(limit).collect()
            }
        };
        lines.iter().map(ToString::to_string).collect()
    }
}

fn step_sentence(step: &Step, lang: Lang) -> String {
    let Step { allocator, needed, taken, unit, units, theory_min } = step;
    let (needed, taken, unit) = (exact(*needed), exact(*taken), human(*unit));
    let theory = theory_min.map(|theory| format!("theory_min {}", exact(theory)));
    match lang {
        Lang::En => {
            let theory = theory.map_or(String::new(), |theory| format!(" ({theory})"));
            let pieces = if step.is_whole() {
                format!("{units} units of {unit}")
            } else {
                format!("the gap is less than one unit of {unit}")
            };
            format!("Pool {allocator} took {taken} for a peak of {needed} in live blocks{theory}: {pieces}.")
        }
        Lang::Zh => {
            let theory = theory.map_or(String::new(), |theory| format!("（{theory}）"));
            let pieces = if step.is_whole() {
                format!("即 {units} 个 {unit} 单位")
            } else {
                format!("差值小于一个 {unit} 单位")
            };
            format!("内存池 {allocator} 申请了 {taken}，存活块峰值为 {needed}{theory}：{pieces}。")
        }
    }
}

fn fragmentation_sentence(f: &Fragmentation, lang: Lang) -> String {
    let part = share(f.excess, f.taken);
    match lang {
        Lang::En => format!(
            "Pool {} took {} for a peak of {} in live blocks: {} ({part}) are fragmentation.",
            f.allocator,
            exact(f.taken),
            exact(f.needed),
            exact(f.excess)
        ),
        Lang::Zh => format!(
            "内存池 {} 申请了 {}，存活块峰值为 {}：碎片 {}（{part}）。",
            f.allocator,
            exact(f.taken),
            exact(f.needed),
            exact(f.excess)
        ),
    }
}

fn refused_sentence(allocator: AllocatorId, kernel: &str, size: Bytes, failed: bool, lang: Lang) -> String {
    let size = (size > Bytes::ZERO).then(|| exact(size));
    match lang {
        Lang::En => {
            let what = size.unwrap_or_else(|| String::from("a block"));
            let by = if kernel.is_empty() { String::new() } else { format!(" for {kernel}") };
            if failed {
                format!("Pool {allocator} could not get {what}{by}, not even after giving back idle memory.")
            } else {
                format!("Pool {allocator} had to give back idle memory before it got {what}{by}.")
            }
        }
        Lang::Zh => {
            let what = size.unwrap_or_else(|| String::from("内存块"));
            let by = if kernel.is_empty() { String::new() } else { format!("（{kernel}）") };
            let ended =
                if failed { "归还空闲内存后仍然失败" } else { "归还空闲内存后成功" };
            format!("内存池 {allocator} 首次申请 {what}{by} 未成功，{ended}。")
        }
    }
}

/// The verdict as a word of a table.
pub fn verdict(verdict: Verdict, lang: Lang) -> String {
    match verdict {
        Verdict::Unknown => String::new(),
        Verdict::Exact => lang.pick("none", "无").to_string(),
        Verdict::Step { .. } => lang.pick("granularity step", "粒度台阶").to_string(),
        Verdict::Fragmentation { excess, .. } => {
            format!("{} {}", lang.pick("fragmentation", "碎片"), exact(excess))
        }
    }
}
