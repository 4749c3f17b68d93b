//! Error codes explained (plog grammar 7.1), and the module ids of the driver (2.2).

use super::Lang;
use crate::intern::Interner;
use crate::model::fault::Code;

/// A code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Of the runtime or GE.
    Runtime(i64),
    /// All of a range.
    Range(i64, i64),
    /// Of the driver.
    Driver(i64),
    /// With a name.
    Named(&'static str),
}

/// A code and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code.
    pub key: Key,
    en: &'static str,
    zh: &'static str,
}

impl Entry {
    /// What the code means.
    pub fn text(&self, lang: Lang) -> &'static str {
        lang.pick(self.en, self.zh)
    }
}

const fn entry(key: Key, en: &'static str, zh: &'static str) -> Entry {
    Entry { key, en, zh }
}

/// All codes that have an explanation.
pub const TABLE: &[Entry] = &[
    entry(Key::Runtime(107_000), "invalid argument", "参数错误"),
    entry(Key::Runtime(107_002), "no device context in this thread", "当前线程没有设备 context"),
    entry(
        Key::Runtime(207_001),
        "memory allocation failed (device or pinned host memory)",
        "内存申请失败（设备内存或锁页主机内存）",
    ),
    entry(Key::Runtime(207_002), "memory free failed", "内存释放失败"),
    entry(Key::Runtime(207_005), "resource allocation failed (no memory)", "资源申请失败（不是内存）"),
    entry(Key::Runtime(207_018), "device out of memory", "设备内存不足"),
    entry(Key::Runtime(507_011), "model execution failed", "模型执行失败"),
    entry(Key::Runtime(507_013), "DMA hardware execution error", "DMA 硬件执行错误"),
    entry(Key::Runtime(507_014), "AI Core timeout", "AI Core 超时"),
    entry(Key::Runtime(507_015), "AI Core exception", "AI Core 异常"),
    entry(Key::Runtime(507_017), "AI CPU timeout", "AI CPU 超时"),
    entry(Key::Runtime(507_018), "AI CPU exception", "AI CPU 异常"),
    entry(Key::Runtime(507_046), "stream synchronisation timeout", "stream 同步超时"),
    entry(
        Key::Runtime(507_899),
        "internal error of the driver: the reason stands in an earlier line",
        "驱动内部错误：原因在更早的日志中",
    ),
    entry(Key::Range(145_000, 145_999), "GE: parameter error", "GE：参数错误"),
    entry(Key::Runtime(245_000), "GE: memory allocation error", "GE：内存申请错误"),
    entry(Key::Runtime(245_001), "GE: memory operation error", "GE：内存操作错误"),
    entry(Key::Runtime(545_000), "GE: inner error", "GE：内部错误"),
    entry(Key::Runtime(1_343_225_856), "GE: failed to allocate memory", "GE：内存申请失败"),
    entry(Key::Runtime(1_343_225_857), "GE: invalid parameter", "GE：参数无效"),
    entry(Key::Runtime(1_343_225_859), "GE: runtime call failed", "GE：调用 runtime 失败"),
    entry(Key::Runtime(1_343_225_860), "GE: inner error", "GE：内部错误"),
    entry(Key::Driver(6), "DRV_ERROR_OUT_OF_MEMORY", "DRV_ERROR_OUT_OF_MEMORY，内存不足"),
    entry(Key::Driver(87), "the device can't be opened", "无法打开设备"),
    entry(Key::Named("EL0003"), "invalid argument", "参数错误"),
    entry(
        Key::Named("EL0004"),
        "the runtime could not get the memory that a module asked for",
        "runtime 未能获得模块申请的内存",
    ),
    entry(Key::Named("EL0005"), "resource busy", "资源忙"),
    entry(Key::Named("EL0018"), "host out of memory, reported by the driver", "驱动上报：主机内存不足"),
    entry(Key::Named("EL0019"), "device out of memory, reported by the driver", "驱动上报：设备内存不足"),
    entry(Key::Named("EE1001"), "invalid argument", "参数错误"),
    entry(Key::Named("EE1017"), "invalid argument", "参数错误"),
    entry(Key::Named("EE1013"), "host memory", "主机内存"),
    entry(Key::Named("EH0010"), "host memory", "主机内存"),
    entry(Key::Named("EE1023"), "too many streams", "stream 数量超限"),
    entry(Key::Named("EI0007"), "HCCL resource or memory", "HCCL 资源或内存"),
    entry(Key::Named("EI0011"), "HCCL resource or memory", "HCCL 资源或内存"),
    entry(Key::Named("E13025"), "host input or output with zero copy", "零拷贝的输入输出在主机侧"),
    entry(
        Key::Named("E19999"),
        "GE inner error, most allocation failures among them",
        "GE 内部错误，多数内存申请失败也用此码",
    ),
    entry(
        Key::Named("E19022"),
        "graph too big for the device (GE up to 2022)",
        "图超过设备内存（2022 年及以前的 GE）",
    ),
    entry(Key::Named("E19025"), "invalid input or output of a model", "模型的输入或输出无效"),
];

/// The explanation of a code.
pub fn explain(code: Code, names: &Interner) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| match (entry.key, code) {
        (Key::Runtime(known), Code::Runtime(code)) | (Key::Driver(known), Code::Driver(code)) => {
            known == code
        }
        (Key::Range(from, to), Code::Runtime(code)) => (from..=to).contains(&code),
        (Key::Named(known), Code::Named(name)) => names.get(name) == known,
        _ => false,
    })
}

/// The code as users know it.
pub fn shown(code: Code, names: &Interner, lang: Lang) -> alloc::string::String {
    match code {
        Code::Runtime(code) => alloc::format!("{code}"),
        Code::Driver(code) => match lang {
            Lang::En => alloc::format!("driver code {code}"),
            Lang::Zh => alloc::format!("驱动返回码 {code}"),
        },
        Code::Named(name) => alloc::string::String::from(names.get(name)),
    }
}

/// The name of a memory module of the driver (plog grammar 2.2).
pub fn module(id: u64) -> &'static str {
    const NAMES: &[(u64, &str)] = &[
        (0, "UNKNOWN"),
        (1, "IDEDD"),
        (2, "IDEDH"),
        (3, "HCCL"),
        (4, "FMK"),
        (5, "HIAIENGINE"),
        (6, "DVPP"),
        (7, "RUNTIME"),
        (8, "CCE"),
        (9, "HLT"),
        (22, "DEVMM"),
        (23, "TSDRV"),
        (24, "LIBMEDIA"),
        (25, "CCECPU"),
        (26, "ASCENDDK"),
        (27, "HCCP_SCHEDULE"),
        (28, "HCCP"),
        (29, "ROCE"),
        (30, "TEFUSION"),
        (31, "PROFILING"),
        (32, "DP"),
        (33, "APP"),
        (35, "TSDUMP"),
        (36, "AICPU"),
        (37, "AICPU_SCHEDULE"),
        (38, "TDT"),
        (39, "FE"),
        (40, "MD"),
        (41, "MB"),
        (42, "ME"),
        (45, "GE"),
        (48, "ASCENDCL"),
        (56, "AIVECTOR"),
        (57, "TBE"),
        (58, "FV"),
        (60, "TUNE"),
        (61, "HSS"),
        (62, "FFTS"),
        (63, "OP"),
        (64, "UDF"),
        (65, "HICAID"),
        (66, "TSYNC"),
        (75, "MBUFF"),
        (76, "CUSTOM_SCHEDULE"),
    ];
    NAMES.iter().find(|(known, _)| *known == id).map_or("Reserved", |(_, name)| name)
}
