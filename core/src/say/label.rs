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
    Above: "next above", "上方相邻";
    Address: "address", "地址";
    Addresses: "Operator addresses", "算子地址";
    After: "after", "之后";
    AfterReuse: "after_reuse", "after_reuse";
    Allocation: "allocation", "allocation";
    Allocations: "allocations", "申请次数";
    Allocator: "allocator", "分配器";
    Area: "area", "区域";
    ArgsRounds: "Rounds of the args table", "args 表各轮";
    ArgsSlots: "Slots of the args table", "args 表 slot";
    Around: "Beside and before", "相邻与先前使用者";
    Asked: "asked", "申请大小";
    AskedPeak: "asked at peak", "申请峰值";
    Atomic: "atomic", "atomic";
    Backed: "memory", "实际内存";
    Base: "base", "基地址";
    Bases: "Areas of loaded models", "已加载模型的内存区域";
    Batch: "batch", "batch";
    Before: "before", "之前";
    Below: "next below", "下方相邻";
    Best: "best", "最优";
    Bisect: "Lists to bisect", "二分列表";
    Blocks: "blocks", "块数";
    ByDesign: "by design", "设计行为";
    Bytes: "bytes", "字节";
    Cached: "driver cache", "驱动缓存";
    Change: "change", "变化";
    ChangedBlocks: "Blocks that differ", "有变化的内存块";
    Class: "class", "分类";
    Classes: "Classes (total)", "内存分类（total）";
    Code: "code", "编号";
    Collect: "To collect the rest", "补充收集";
    Combinations: "Combinations", "组合";
    Command: "command", "命令";
    Component: "component", "组件";
    Components: "Components (driver statistics)", "组件（驱动统计）";
    Continuous: "continuous", "continuous";
    Count: "count", "次数";
    Current: "current", "当前";
    Cut: "cut", "截断";
    Device: "device", "设备";
    DeviceTotal: "Device total", "设备总量";
    Differences: "differences", "差异";
    Dispatched: "dispatched", "实际下发";
    Distance: "place", "位置";
    DistinctAddresses: "addresses", "地址数";
    Doctor: "What these lines can answer", "这些日志能回答什么";
    Dtype: "dtype", "数据类型";
    Earlier: "bytes before held by", "此前使用者";
    Errors: "errors", "错误";
    Evidence: "evidence", "证据";
    Figure: "figure", "指标";
    File: "file", "文件";
    Findings: "Findings", "结论";
    Finds: "finds", "发现内容";
    Foreign: "foreign", "其他文本";
    Formula: "formula", "算式";
    Frees: "frees", "释放次数";
    Gap: "gap", "差值";
    Gear: "gear (largest size)", "档位（最大 size）";
    Graph: "graph", "图";
    Graphs: "Static graphs", "静态图";
    Held: "held", "持有";
    HeldPeak: "taken at peak", "占用峰值";
    Holders: "What holds the address", "地址所属";
    HumanSize: "size", "大小";
    Id: "id", "id";
    Io: "io", "输入输出";
    Kernel: "kernel", "kernel";
    Kind: "kind", "类别";
    Largest: "largest", "最大一次";
    LargestOutput: "largest output", "最大输出";
    LargestTensors: "Largest tensors", "最大的张量";
    LaunchArguments: "Launches", "下发";
    LaunchSteps: "Steps", "各 step";
    Launches: "launches", "下发次数";
    Life: "life", "生命周期";
    Line: "line", "行";
    LineAfter: "line after", "之后日志";
    LineBefore: "line before", "之前日志";
    Lines: "lines", "行数";
    LivePeak: "live peak", "存活峰值";
    LogicalAddress: "logical_addr", "logical_addr";
    Meaning: "meaning", "含义";
    MemoryKind: "memory kind", "内存类型";
    MemoryType: "memtype", "memtype";
    Mop: "mop", "mop";
    Needs: "needs a line with", "需要包含的日志";
    NewVa: "new_va", "new_va";
    NextStep: "Next step", "下一步";
    NoReuse: "no_reuse", "no_reuse";
    Node: "node", "节点";
    Offset: "offset", "偏移";
    OffsetAfter: "offset after", "之后偏移";
    OffsetBefore: "offset before", "之前偏移";
    OpType: "type", "类型";
    OpTypes: "Bytes by operator type", "按算子类型统计";
    Operator: "operator", "算子";
    Operators: "Operators", "算子表";
    Others: "others", "其余";
    Outputs: "outputs", "输出";
    Peak: "peak", "峰值";
    Pid: "pid", "进程号";
    Policy: "policy", "策略";
    PoolAddresses: "Pool blocks by address", "内存池按地址";
    PoolBlock: "pool block", "内存池块";
    Pools: "Pools of dynamic graphs", "动态图内存池";
    Process: "Process", "进程";
    Producer: "producer", "生产者";
    Program: "program", "程序";
    Purpose: "purpose", "用途";
    Range: "range", "范围";
    ReachTheory: "reach_theory_rate", "reach_theory_rate";
    Read: "What was read", "读入内容";
    RealSize: "realsize", "realsize";
    RealTheoryMin: "real_theory_min", "real_theory_min";
    Refreshable: "refreshable", "refreshable";
    Remarks: "remarks", "备注";
    Repeats: "same content as", "内容相同于";
    Returns: "returns", "归还次数";
    ReuseFlags: "r:c:z:s", "r:c:z:s";
    ReuseRate: "reuse rate", "复用率";
    Round: "round", "轮次";
    Rule: "rule", "规则";
    Rules: "Rules", "规则";
    Session: "session", "会话";
    Setting: "setting", "设置";
    Severity: "severity", "级别";
    Shape: "shape", "shape";
    Share: "share", "占比";
    Slot: "slot", "slot";
    Smp: "smp", "smp";
    Source: "source", "来源";
    Step: "step", "step";
    Streams: "streams", "流";
    TableSource: "table", "表";
    Taken: "taken", "累计申请";
    Tenants: "Who used these bytes", "使用过该内存的算子";
    TheoryMin: "theory_min", "theory_min";
    Thread: "thread", "线程";
    Time: "time", "时间";
    Topo: "topo", "topo";
    Total: "total", "total";
    Understood: "understood", "已识别";
    Unit: "unit", "单位";
    Unknown: "unknown", "未知";
    Unread: "unread", "未识别";
    UsedTotal: "Used total", "已用总量";
    UserAddress: "user_addr", "user_addr";
    ValidRange: "valid range", "有效范围";
    Variable: "variable", "变量";
    Variables: "Variables", "变量";
    Verdict: "reason of the gap", "差值原因";
    Way: "what happened", "变化类型";
    When: "when", "时间关系";
    Workspaces: "workspaces", "workspace";
    Worst: "worst", "最差";
    ZeroCopy: "io (zero copy)", "io（零拷贝）";
}
