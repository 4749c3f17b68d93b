//! Headings of tables and sections, and the fixed words of a report.

use super::Lang;

macro_rules! labels {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)*) => {
        /// A heading or a fixed word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Label { $(#[doc = $en] $name,)* }

        impl Label {
            /// Every label.
            pub const ALL: &[Label] = &[$(Label::$name,)*];

            /// The label's text.
            pub fn text(self, lang: Lang) -> &'static str {
                match self { $(Label::$name => lang.pick($en, $zh),)* }
            }
        }
    };
}

labels! {
    Address: "address", "地址";
    Addresses: "Operator addresses", "算子地址";
    AfterReuse: "after_reuse", "after_reuse";
    Allocations: "allocations", "申请次数";
    Area: "area", "区域";
    Atomic: "atomic", "atomic";
    Base: "base", "基地址";
    Bases: "Areas of loaded models", "已加载模型的内存区域";
    Batch: "batch", "batch";
    ByDesign: "by design", "设计行为";
    Bytes: "bytes", "字节";
    Cached: "driver cache", "驱动缓存";
    Class: "class", "分类";
    Classes: "Classes (total)", "内存分类（total）";
    Component: "component", "组件";
    Components: "Components (driver statistics)", "组件（驱动统计）";
    Continuous: "continuous", "continuous";
    Count: "count", "次数";
    Current: "current", "当前";
    Cut: "cut", "截断";
    Device: "device", "设备";
    DeviceTotal: "Device total", "设备总量";
    Errors: "errors", "错误";
    Evidence: "evidence", "证据";
    File: "file", "文件";
    Findings: "Findings", "结论";
    Foreign: "foreign", "其他文本";
    Formula: "formula", "算式";
    Frees: "frees", "释放次数";
    Graph: "graph", "图";
    Graphs: "Static graphs", "静态图";
    Held: "held", "持有";
    HumanSize: "size", "大小";
    Io: "io", "输入输出";
    Kind: "kind", "类别";
    Largest: "largest", "最大一次";
    Life: "life", "生命周期";
    Line: "line", "行";
    Lines: "lines", "行数";
    Meaning: "meaning", "含义";
    MemoryKind: "memory kind", "内存类型";
    MemoryType: "memtype", "memtype";
    Mop: "mop", "mop";
    NextStep: "next", "下一步";
    NoReuse: "no_reuse", "no_reuse";
    Node: "node", "节点";
    Offset: "offset", "偏移";
    Operators: "Operators", "算子表";
    OpType: "type", "类型";
    Others: "others", "其余";
    Peak: "peak", "峰值";
    Pid: "pid", "进程号";
    Process: "Process", "进程";
    Program: "program", "程序";
    Purpose: "purpose", "用途";
    ReachTheory: "reach_theory_rate", "reach_theory_rate";
    Read: "What was read", "读入内容";
    RealSize: "realsize", "realsize";
    Remarks: "remarks", "备注";
    Repeats: "same content as", "内容相同于";
    ReuseFlags: "r:c:z:s", "r:c:z:s";
    ReuseRate: "reuse rate", "复用率";
    Session: "session", "会话";
    Share: "share", "占比";
    Smp: "smp", "smp";
    Source: "source", "来源";
    Streams: "streams", "流";
    Taken: "taken", "累计申请";
    TheoryMin: "theory_min", "theory_min";
    Time: "time", "时间";
    Topo: "topo", "topo";
    Total: "total", "total";
    Understood: "understood", "已识别";
    Unknown: "unknown", "未知";
    Unread: "unread", "未识别";
    UsedTotal: "Used total", "已用总量";
    ValidRange: "valid range", "有效范围";
    Variable: "variable", "变量";
    Variables: "Variables", "变量";
    ZeroCopy: "io (zero copy)", "io（零拷贝）";
}
