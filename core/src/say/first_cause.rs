//! What failed first, and what followed from it (analysis rules, R7).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::codes;
use super::size::exact;
use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::metrics::failure::Refusal;
use crate::model::fault::{Code, Nature, Place};
use crate::units::Bytes;

/// The first error of a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstCause {
    /// Process that reported it.
    pub pid: Option<i64>,
    /// What was asked for, or what is known of the error.
    pub refusal: Refusal,
    /// The operator at work, empty where no line names it.
    pub operator: Name,
    /// Why.
    pub reason: Reason,
    /// Errors before it that it does not explain.
    pub earlier: usize,
}

/// Why it failed, as far as the input proves it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Memory was refused; the input does not show who held it.
    Unexplained,
    /// The process itself held the memory.
    Full {
        /// Held by the process.
        own: Bytes,
        /// The largest component.
        module: Name,
        /// What that held.
        module_size: Bytes,
        /// Device capacity.
        total: Option<Bytes>,
    },
    /// Other processes held the memory.
    OtherProcess {
        /// Not free and not held by the failing process.
        others: Bytes,
        /// Held by the failing process.
        own: Bytes,
        /// Device capacity.
        total: Bytes,
        /// Free on the device.
        free: Bytes,
        /// A process of this input on the same device and what it held.
        named: Option<(Option<i64>, Bytes)>,
    },
    /// One request is larger than the device.
    LargerThanCard {
        /// Device capacity.
        total: Bytes,
    },
    /// The size can't be meant.
    Corrupted,
    /// Room for the request is there, but in pieces.
    Fragmented {
        /// Taken from the device by the framework's pool.
        reserved: Bytes,
        /// Of this in use.
        allocated: Bytes,
    },
    /// A communication buffer of HCCL.
    HcclBuffer,
    /// Pinned host memory.
    PinnedHost,
    /// Memory of the device's own operating system.
    DeviceSystem,
    /// A graph needs more than the device has.
    GraphLimit,
    /// The driver lacks a function.
    Unsupported,
    /// The caller's zero-copy buffer is too small.
    OutputSize,
    /// Something else than memory.
    NotMemory(Nature),
    /// Only errors that follow from others.
    Elsewhere(Nature),
}

/// What an error is, in a few words.
pub(super) fn nature(nature: Nature, lang: Lang) -> &'static str {
    match nature {
        Nature::OutOfMemory(Place::Host) => lang.pick("host memory refused", "主机内存申请失败"),
        Nature::OutOfMemory(Place::DeviceSystem) => {
            lang.pick("system memory of the device ran out", "设备侧系统内存耗尽")
        }
        Nature::OutOfMemory(_) => lang.pick("memory refused", "内存申请失败"),
        Nature::GraphLimit => lang.pick("graph larger than the device", "图超过设备内存"),
        Nature::OutputSize => lang.pick("zero-copy buffer too small", "零拷贝缓冲区过小"),
        Nature::Unsupported => lang.pick("function missing in the driver", "驱动缺少该功能"),
        Nature::DeviceBusy => lang.pick("the device could not be opened", "设备无法打开"),
        Nature::NoContext => lang.pick("no device context was set", "没有设置设备 context"),
        Nature::InvalidValue => lang.pick("invalid argument", "参数错误"),
        Nature::Streams => lang.pick("stream resources ran out", "stream 资源耗尽"),
        Nature::AiCpu => lang.pick("AI CPU exception", "AI CPU 异常"),
        Nature::AiCore => lang.pick("AI Core exception", "AI Core 异常"),
        Nature::Hardware => lang.pick("hardware memory error", "内存硬件错误"),
        Nature::PageConflict => {
            lang.pick("two virtual ranges on one physical page", "两段虚拟地址映射到同一物理页")
        }
        Nature::Dma => lang.pick("DMA copy failed", "DMA 拷贝失败"),
        Nature::Timeout => lang.pick("timeout", "超时"),
        Nature::Rpc => lang.pick("remote call failed", "远程调用失败"),
        Nature::Initialise => lang.pick("initialisation failed", "初始化失败"),
        Nature::Execution => lang.pick("execution failed", "执行失败"),
        Nature::Internal => lang.pick("internal error of the driver", "驱动内部错误"),
    }
}

fn code_list(list: &[Code], names: &Interner, lang: Lang) -> String {
    let shown: Vec<String> = list.iter().map(|code| codes::shown(*code, names, lang)).collect();
    shown.join(", ")
}

fn process(pid: Option<i64>, lang: Lang) -> String {
    match (pid, lang) {
        (Some(pid), Lang::En) => format!("process {pid}"),
        (Some(pid), Lang::Zh) => format!("进程 {pid}"),
        (None, Lang::En) => String::from("the process (no process id in the text)"),
        (None, Lang::Zh) => String::from("该进程（文本中没有进程号）"),
    }
}

impl FirstCause {
    fn place(&self, lang: Lang) -> &'static str {
        match (&self.reason, self.refusal.place) {
            (Reason::HcclBuffer, _) => lang.pick("device memory for an HCCL buffer", "HCCL 缓冲区的设备内存"),
            (Reason::PinnedHost, _) | (_, Place::Host) => lang.pick("pinned host memory", "锁页主机内存"),
            (_, Place::Device) => lang.pick("device memory", "设备内存"),
            (_, Place::DeviceSystem) => lang.pick("memory on the device's own system", "设备侧系统内存"),
            (_, Place::Unsaid) => lang.pick("memory", "内存"),
        }
    }

    /// ` (GE, rtMalloc, operator X; 207001, EL0004)`
    fn details(&self, names: &Interner, lang: Lang) -> String {
        let refusal = &self.refusal;
        let mut who: Vec<String> = Vec::new();
        if let Some(id) = refusal.module_id {
            who.push(format!("{} {id} = {}", lang.pick("module", "模块"), codes::module(id)));
        }
        if refusal.api != Name::EMPTY {
            who.push(names.get(refusal.api).to_string());
        }
        if refusal.subject != Name::EMPTY {
            who.push(names.get(refusal.subject).to_string());
        }
        if self.operator != Name::EMPTY {
            who.push(format!("{} {}", lang.pick("operator", "算子"), names.get(self.operator)));
        }
        let mut parts = Vec::from([who.join(", "), code_list(&refusal.codes, names, lang)]);
        parts.retain(|part| !part.is_empty());
        match (parts.is_empty(), lang) {
            (true, _) => String::new(),
            (false, Lang::En) => format!(" ({})", parts.join("; ")),
            (false, Lang::Zh) => format!("（{}）", parts.join("；")),
        }
    }

    fn request(&self, names: &Interner, lang: Lang) -> String {
        let refusal = &self.refusal;
        let (who, place) = (process(self.pid, lang), self.place(lang));
        let details = self.details(names, lang);
        match lang {
            Lang::En => {
                let size = match refusal.size {
                    Some(size) => format!("{} bytes of {place}", exact(size)),
                    None => format!("{place} (the size is not in the log: unknown)"),
                };
                let on = refusal.device.map(|device| format!(" on device {device}")).unwrap_or_default();
                format!("{who} was refused {size}{on}{details}")
            }
            Lang::Zh => {
                let size = match refusal.size {
                    Some(size) => format!("{} 字节的{place}", exact(size)),
                    None => format!("{place}（日志中没有大小：未知）"),
                };
                let on = refusal.device.map(|device| format!("在设备 {device} 上")).unwrap_or_default();
                format!("{who} {on}申请 {size}失败{details}")
            }
        }
    }

    fn because(&self, names: &Interner, lang: Lang) -> String {
        let en = lang == Lang::En;
        match &self.reason {
            Reason::Unexplained => String::from(
                lang.pick("this input does not show who held the memory", "输入没有显示内存被谁占用"),
            ),
            Reason::Full { own, module, module_size, total } => {
                let (own, module, size) = (exact(*own), names.get(*module), exact(*module_size));
                let of = total
                    .map(|t| format!("{}{}", lang.pick(" of ", "，设备总量 "), exact(t)))
                    .unwrap_or_default();
                if en {
                    format!("the process itself held {own}{of}, most of it {module}: {size}")
                } else {
                    format!("该进程自身持有 {own}{of}，其中最多的是 {module}：{size}")
                }
            }
            Reason::OtherProcess { others, own, named, .. } => {
                let (others, own) = (exact(*others), exact(*own));
                let known = match named {
                    Some((pid, size)) if en => {
                        format!("; {} of this input held {} there", process(*pid, lang), exact(*size))
                    }
                    Some((pid, size)) => {
                        format!("；输入中的{} 在该设备上持有 {}", process(*pid, lang), exact(*size))
                    }
                    None => String::new(),
                };
                if en {
                    format!("{others} of the device were held from outside, {own} by this one{known}")
                } else {
                    format!("设备上有 {others} 由外部占用，该进程自身只有 {own}{known}")
                }
            }
            Reason::LargerThanCard { total } => format!(
                "{} {}",
                lang.pick("one request larger than the whole device:", "单次申请超过整个设备："),
                exact(*total)
            ),
            Reason::Corrupted => String::from(lang.pick(
                "no card is that large: the size is a corrupted value, not a need",
                "没有任何卡有这么大：该大小是被破坏的数值，不是真实需求",
            )),
            Reason::Fragmented { reserved, allocated } => {
                let (reserved, allocated) = (exact(*reserved), exact(*allocated));
                if en {
                    format!(
                        "fragmentation: the framework's pool reserved {reserved} and used {allocated}, so the room was there, but in pieces"
                    )
                } else {
                    format!("碎片：框架内存池已预留 {reserved}，只使用 {allocated}，空间足够但不连续")
                }
            }
            Reason::HcclBuffer => String::from(lang.pick(
                "a communicator's buffers did not fit beside what was already there",
                "通信域缓冲区放不下",
            )),
            Reason::PinnedHost => String::from(lang.pick(
                "this is host memory, not device memory, though the code is the same",
                "这是主机内存而不是设备内存，只是错误码相同",
            )),
            Reason::DeviceSystem => String::from(
                lang.pick("the system memory of the device itself ran out", "设备自身的系统内存耗尽"),
            ),
            _ => String::new(),
        }
    }

    fn not_memory(&self, cause: Nature, names: &Interner, lang: Lang) -> String {
        let (what, who) = (nature(cause, lang), process(self.pid, lang));
        let details = self.details(names, lang);
        match lang {
            Lang::En => format!("Not a memory problem: {what} in {who}{details} came first."),
            Lang::Zh => format!("不是内存问题：最先出现的是 {who} 的“{what}”{details}。"),
        }
    }
}

impl Say for FirstCause {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        let refusal = &self.refusal;
        let mut sentence = match &self.reason {
            Reason::NotMemory(Nature::Hardware) => match lang {
                Lang::En => format!(
                    "A hardware memory error was reported by {}: broken cells, nothing about memory use.",
                    process(self.pid, lang)
                ),
                Lang::Zh => {
                    format!("{} 报告了内存硬件错误：是硬件故障，与内存占用无关。", process(self.pid, lang))
                }
            },
            Reason::NotMemory(cause) => self.not_memory(*cause, names, lang),
            Reason::Unsupported => self.not_memory(Nature::Unsupported, names, lang),
            Reason::OutputSize => {
                let shown =
                    |size: Option<Bytes>| size.map_or(String::from(lang.pick("unknown", "未知")), exact);
                let (needs, user) = (shown(refusal.size), shown(refusal.limit));
                let who = process(self.pid, lang);
                match lang {
                    Lang::En => format!(
                        "Not out of memory: in {who} a zero-copy output buffer is too small: the caller gave {user} bytes, the model needs {needs}."
                    ),
                    Lang::Zh => format!(
                        "不是内存不足：{who} 的零拷贝输出缓冲区过小：调用方提供 {user} 字节，模型需要 {needs}。"
                    ),
                }
            }
            Reason::GraphLimit => {
                let (needs, limit) = (refusal.size.unwrap_or_default(), refusal.limit.unwrap_or_default());
                let graph = names.get(refusal.subject);
                match lang {
                    Lang::En => format!(
                        "First cause: graph {graph} needs {} bytes, the device has {}.",
                        exact(needs),
                        exact(limit)
                    ),
                    Lang::Zh => {
                        format!("首因：图 {graph} 需要 {} 字节，设备只有 {}。", exact(needs), exact(limit))
                    }
                }
            }
            Reason::Elsewhere(first) => {
                let (what, who) = (nature(*first, lang), process(self.pid, lang));
                let rank = match names.get(refusal.subject) {
                    rank if !rank.is_empty() && rank.bytes().all(|b| b.is_ascii_digit()) => match lang {
                        Lang::En => format!(" It waited for rank {rank}: look there."),
                        Lang::Zh => format!("等待的是 rank {rank}：请查看该 rank 的日志。"),
                    },
                    _ => String::new(),
                };
                let codes = code_list(&refusal.codes, names, lang);
                let codes = if codes.is_empty() { codes } else { format!(" ({codes})") };
                match lang {
                    Lang::En => format!(
                        "The first error here, {what}{codes} in {who}, is an echo: its cause is not in this input.{rank}"
                    ),
                    Lang::Zh => format!(
                        "此处最先出现的是 {who} 的“{what}”{codes}，它只是后果：原因不在输入中。{rank}"
                    ),
                }
            }
            _ => {
                let (request, because) = (self.request(names, lang), self.because(names, lang));
                match lang {
                    Lang::En => format!("First cause: {request}: {because}."),
                    Lang::Zh => format!("首因：{request}：{because}。"),
                }
            }
        };
        if self.earlier > 0 {
            sentence += &match lang {
                Lang::En => format!(" {} earlier errors are not explained by it.", self.earlier),
                Lang::Zh => format!("另有 {} 条更早的错误不能由它解释。", self.earlier),
            };
        }
        sentence
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self.reason {
            Reason::Elsewhere(_) => lang.pick(
                "Timeouts, DMA errors, failed calls and 507xxx follow from an error of another process, rank or layer.",
                "超时、DMA 错误、调用失败和 507xxx 都是其他进程、rank 或层的错误引起的。",
            ),
            Reason::NotMemory(Nature::DeviceBusy) => lang.pick(
                "Another owner has the device, or it is being reset, or the container may not use it.",
                "设备被其他进程占用、正在复位，或容器没有权限。",
            ),
            Reason::NotMemory(Nature::NoContext) => lang.pick(
                "Calls of a thread without a device fail whatever they ask for; sizes in them mean nothing.",
                "没有设置设备的线程中任何调用都会失败，其中的大小没有意义。",
            ),
            Reason::NotMemory(Nature::Streams) => lang.pick(
                "Streams, queues and the like are counted, not measured in bytes, though the text says \"alloc failed\".",
                "stream、队列等资源按个数计，不按字节计，尽管文本写着“alloc failed”。",
            ),
            Reason::NotMemory(Nature::Hardware) => lang.pick(
                "The kernel reports a fault of the memory hardware.",
                "内核报告了内存硬件故障。",
            ),
            Reason::NotMemory(_) => lang.pick(
                "Later lines that mention memory are consequences.",
                "之后提到内存的行都是后果。",
            ),
            Reason::Unsupported => lang.pick(
                "The driver is older than the software that calls it.",
                "驱动版本低于调用它的软件。",
            ),
            Reason::OutputSize => lang.pick(
                "With zero copy the model writes into the caller's buffer; it must hold the model's size, 64 bytes of alignment included.",
                "零拷贝时模型直接写入调用方的缓冲区，其大小必须满足模型（含 64 字节对齐）。",
            ),
            Reason::Corrupted => lang.pick(
                "A negative number, a wrong shape or an overwritten structure stands behind such a size.",
                "负数、错误的 shape 或被踩的结构会产生这样的大小。",
            ),
            Reason::PinnedHost => lang.pick(
                "Pinned memory is limited by the host's memory and by its memlock limit.",
                "锁页内存受主机内存与 memlock 限制。",
            ),
            Reason::DeviceSystem => lang.pick(
                "The device's operating system and its helper processes live in memory of their own; device memory of tensors may still be free.",
                "设备侧操作系统及辅助进程使用独立的内存；张量所用的设备内存可能仍有空闲。",
            ),
            _ => lang.pick(
                "The first refusal in time over all files and ranks is the cause; later errors follow from it.",
                "所有文件和 rank 中时间最早的申请失败是原因，之后的错误都由它引起。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match &self.reason {
            Reason::OtherProcess { others, own, total, free, .. } => {
                Some(format!("{total} - {own} - {free} = {others}"))
            }
            Reason::Fragmented { reserved, allocated } => {
                Some(format!("{reserved} - {allocated} = {}", reserved.saturating_sub(*allocated)))
            }
            Reason::LargerThanCard { total } => self.refusal.size.map(|size| format!("{size} > {total}")),
            Reason::GraphLimit => {
                let (size, limit) = (self.refusal.size?, self.refusal.limit?);
                Some(format!("{size} - {limit} = {}", size.saturating_sub(limit)))
            }
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        let text = match self.reason {
            Reason::Unexplained => lang.pick(
                "Collect log/run/plog/ and log/debug/plog/ of this failure (the driver prints its statistics at the refusal) and `npu-smi info` at that time.",
                "收集本次失败的 log/run/plog/ 与 log/debug/plog/（驱动会在申请失败时打印统计），以及当时的 `npu-smi info`。",
            ),
            Reason::Full { .. } => lang.pick(
                "Look at the component named: GE → graphs and pools, APP → the framework's pool, HCCL → HCCL_BUFFSIZE. Reduce the batch or the KV cache first.",
                "查看所列组件：GE → 图与内存池，APP → 框架内存池，HCCL → HCCL_BUFFSIZE。可先减小 batch 或 KV cache。",
            ),
            Reason::OtherProcess { .. } => lang.pick(
                "Find the other processes with `npu-smi info`; end them, or give this one another device.",
                "用 `npu-smi info` 找到其他进程；结束它们，或为本进程换一个设备。",
            ),
            Reason::LargerThanCard { .. } | Reason::GraphLimit => lang.pick(
                "Reduce the batch size or split the model over more devices.",
                "减小 batch，或将模型切分到更多设备。",
            ),
            Reason::Corrupted => lang.pick(
                "Check the shape and the arguments of the request; don't add memory.",
                "检查申请所用的 shape 与参数；增加内存没有用。",
            ),
            Reason::Fragmented { .. } => lang.pick(
                "Reserved memory is far above what is allocated: see the framework's own document on its caching allocator for how to limit fragmentation.",
                "保留内存远大于已分配内存：请查阅框架文档中关于缓存分配器减少碎片的设置。",
            ),
            Reason::HcclBuffer => lang.pick(
                "HCCL takes number of communicators × 2 × HCCL_BUFFSIZE outside any framework's budget: lower HCCL_BUFFSIZE or leave room for it.",
                "HCCL 在框架预算之外占用 通信域个数 × 2 × HCCL_BUFFSIZE：减小 HCCL_BUFFSIZE 或为其预留空间。",
            ),
            Reason::PinnedHost => lang.pick(
                "Check `free -g` and `ulimit -l` on the host; reduce aclrtMallocHost buffers, such as pinned data loaders.",
                "在主机上检查 `free -g` 与 `ulimit -l`；减少 aclrtMallocHost 缓冲区，例如锁页的数据加载。",
            ),
            Reason::DeviceSystem => lang.pick(
                "Look at the DEV_PROC_MEM rows (AI CPU and other processes on the device) and at the device's system log.",
                "查看 DEV_PROC_MEM 统计（设备上的 AI CPU 等进程）以及设备系统日志。",
            ),
            Reason::Unsupported => lang.pick(
                "Update the driver and firmware to the version that the CANN release asks for.",
                "将驱动与固件升级到 CANN 版本要求的版本。",
            ),
            Reason::OutputSize => lang.pick(
                "Give a buffer of at least the model's size, or turn zero copy off for this output.",
                "提供不小于模型所需大小的缓冲区，或对该输出关闭零拷贝。",
            ),
            Reason::NotMemory(Nature::DeviceBusy) => lang.pick(
                "See who has the device (`npu-smi info`) and whether two containers share it.",
                "用 `npu-smi info` 查看设备被谁占用，是否有两个容器共用同一设备。",
            ),
            Reason::NotMemory(Nature::NoContext) => lang.pick(
                "Call aclrtSetDevice in the thread that fails, before anything else.",
                "在出错的线程中先调用 aclrtSetDevice。",
            ),
            Reason::NotMemory(Nature::InvalidValue) => lang.pick(
                "Compare the arguments with the places they name: for a copy, its kind must match where source and destination lie.",
                "核对参数：对于拷贝，kind 必须与源、目的所在位置一致。",
            ),
            Reason::NotMemory(Nature::Streams) => lang.pick(
                "Use fewer streams, or capture fewer of them at a time.",
                "减少 stream 数量，或减少同时捕获的 stream。",
            ),
            Reason::NotMemory(Nature::Hardware) => lang.pick(
                "Have the hardware checked.",
                "请检查硬件。",
            ),
            Reason::NotMemory(_) => lang.pick(
                "Follow the operator or the library that the first line names.",
                "沿首行指出的算子或库继续排查。",
            ),
            Reason::Elsewhere(_) => lang.pick(
                "Collect the logs of all ranks and of the device, from before the first error.",
                "收集所有 rank 以及设备侧在首个错误之前的日志。",
            ),
        };
        Vec::from([String::from(text)])
    }
}
