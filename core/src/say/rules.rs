//! What each rule finds, in one sentence. What a finding means, its formula and its remedies are with
//! the messages of the rule's family.

use super::Lang;

/// Code, English, Chinese.
const TITLES: &[(&str, &str, &str)] = &[
    ("GEM0001", "No driver statistics in the input.", "输入中没有驱动内存统计。"),
    ("GEM0002", "No GE lines about memory at INFO.", "没有 INFO 级别的 GE 内存日志。"),
    ("GEM0003", "Graphs with a summary line but no block rows.", "只有汇总行、没有内存块明细的图。"),
    ("GEM0004", "Nothing about memory in the input.", "输入中没有任何内存信息。"),
    ("GEM0005", "Block rows that the logger cut.", "被日志截断的内存块行。"),
    (
        "GEM0006",
        "Operator addresses without the first addresses of their areas.",
        "有算子地址，缺少内存区域基地址。",
    ),
    ("GEM0101", "The component that holds most device memory.", "占用设备内存最多的组件。"),
    ("GEM0102", "Memory that a component still holds when the device closes.", "设备关闭时组件仍持有内存。"),
    (
        "GEM0103",
        "All device memory was given back: no leak at driver level.",
        "设备内存已全部归还：驱动层无泄漏。",
    ),
    ("GEM0104", "A component that grows between statistics.", "两次统计之间增长的组件。"),
    (
        "GEM0105",
        "A peak that falls: statistics of several runs in one process.",
        "峰值下降：同一进程号混有多次运行的统计。",
    ),
    ("GEM0106", "Memory that the driver caches.", "驱动缓存的内存。"),
    ("GEM0107", "Memory of helper processes on the device.", "设备侧辅助进程的内存。"),
    ("GEM0201", "The class that takes most device memory.", "占用设备内存最多的分类。"),
    (
        "GEM0202",
        "Classes of the log and the driver's figure for GE differ.",
        "日志分类合计与驱动统计的 GE 占用不一致。",
    ),
    ("GEM0203", "Static graphs and the pool share an extension area.", "静态图与内存池共用扩展区。"),
    ("GEM0204", "Communication buffers of HCCL.", "HCCL 通信缓冲区。"),
    ("GEM0301", "A static graph that reuses little memory.", "复用率低的静态图。"),
    (
        "GEM0302",
        "A static graph whose placement misses the theoretical minimum.",
        "内存布局未达理论最小值的静态图。",
    ),
    ("GEM0303", "A static graph that is optimal for its order.", "在当前算子顺序下已最优的静态图。"),
    ("GEM0304", "A static graph that grew by alignment.", "因对齐而变大的静态图。"),
    ("GEM0305", "Memory reuse is switched off.", "内存复用已关闭。"),
    ("GEM0401", "A block that ends outside of its area.", "超出所在区域的内存块。"),
    ("GEM0403", "A block that starts off the alignment.", "起始偏移未对齐的内存块。"),
    ("GEM0404", "A life that ends before it begins.", "结束早于开始的生命周期。"),
    ("GEM0405", "An address that differs from the compiled offset.", "与编译期偏移不一致的地址。"),
    ("GEM0406", "An address outside of its area.", "超出所在区域的地址。"),
    ("GEM0407", "An address that GE could not resolve.", "GE 未能解析的地址。"),
    ("GEM0411", "An address without memory behind it was dispatched.", "下发了没有实际内存的地址。"),
    ("GEM0412", "The args table on the device differs from the host's.", "设备侧 args 表与主机侧不一致。"),
    ("GEM0413", "A user buffer that is smaller than the model needs.", "用户缓冲区小于模型所需。"),
    ("GEM0414", "Args tables were not asked for.", "未开启 args 表打印。"),
    ("GEM0415", "User buffers that rotate from round to round.", "用户缓冲区在各轮之间轮换。"),
    ("GEM0416", "Logical addresses that are placeholders of zero copy.", "作为零拷贝占位符的逻辑地址。"),
    ("GEM0417", "Launches whose inputs and outputs can't be told apart.", "无法区分输入与输出的下发。"),
    ("GEM0418", "Args tables were asked for and not printed.", "已开启但未打印的 args 表。"),
    ("GEM0501", "A pool's gap of one granularity step.", "内存池差值仅为一个粒度台阶。"),
    ("GEM0502", "Fragmentation of a pool.", "内存池碎片。"),
    ("GEM0503", "A pool keeps memory that it does not use.", "内存池保留未使用的内存。"),
    ("GEM0504", "A pool got its memory at the second try.", "内存池第二次申请成功。"),
    ("GEM0505", "A pool could not get its memory.", "内存池申请失败。"),
    ("GEM0506", "Dynamic graphs: replay and tuning do not apply.", "动态图：重放与调优不适用。"),
    ("GEM0507", "Rounding to whole pages in a pool.", "内存池按整页取整。"),
    ("GEM0508", "What a pool took is unknown.", "内存池实际申请量未知。"),
    (
        "GEM0701",
        "Memory was refused first; who held it is not in the input.",
        "首个错误是内存申请失败，输入未说明内存被谁占用。",
    ),
    (
        "GEM0702",
        "The device was full, mostly of this process's own memory.",
        "设备内存已满，主要由本进程占用。",
    ),
    ("GEM0703", "The device was full because of other processes.", "设备内存被其他进程占满。"),
    ("GEM0704", "One request is larger than the device.", "单次申请超过设备内存总量。"),
    ("GEM0705", "A size that can't be meant: a corrupted value.", "不合理的申请大小：数值已损坏。"),
    ("GEM0706", "The framework's pool is fragmented.", "框架内存池存在碎片。"),
    ("GEM0707", "A communication buffer of HCCL was refused.", "HCCL 通信缓冲区申请失败。"),
    ("GEM0708", "Pinned host memory was refused.", "锁页主机内存申请失败。"),
    ("GEM0709", "The device's own system memory ran out.", "设备侧系统内存耗尽。"),
    ("GEM0710", "A graph needs more than the device has.", "图所需内存超过设备内存。"),
    ("GEM0711", "The driver lacks a function.", "驱动缺少所需功能。"),
    ("GEM0712", "A zero-copy buffer is too small.", "零拷贝缓冲区过小。"),
    ("GEM0713", "The first error is not about memory.", "首个错误与内存无关。"),
    (
        "GEM0714",
        "Only errors that follow from others: the cause is elsewhere.",
        "只有后续错误：原因在其他日志中。",
    ),
    ("GEM0715", "Errors that follow from the first cause.", "由首个原因引发的后续错误。"),
    ("GEM0716", "A first try was refused and the second succeeded.", "首次申请失败、第二次成功。"),
    ("GEM0717", "Text with letters in place of digits.", "数字被误识别为字母的文本。"),
    ("GEM0801", "Two blocks share bytes while both are in use.", "两个内存块在同时使用期间共享字节。"),
    ("GEM0802", "One physical page under two virtual ranges.", "同一物理页映射到两段虚拟地址。"),
    (
        "GEM0803",
        "Pages are mapped on demand and their check can't be seen.",
        "按需映射物理页，但看不到映射检查日志。",
    ),
    ("GEM1101", "Host memory that a leak checker proves lost.", "泄漏检测工具证明的主机内存泄漏。"),
    ("GEM1102", "Host memory lost through other lost memory.", "间接泄漏的主机内存。"),
    ("GEM1103", "Host memory held too long, or perhaps lost.", "持有过久或疑似泄漏的主机内存。"),
    ("GEM1104", "A leak checker found nothing.", "泄漏检测工具未发现泄漏。"),
];

/// What the rule with this code finds.
pub fn title(code: &str, lang: Lang) -> Option<&'static str> {
    let found = TITLES.binary_search_by_key(&code, |(known, ..)| known).ok()?;
    TITLES.get(found).map(|(_, en, zh)| lang.pick(*en, *zh))
}
