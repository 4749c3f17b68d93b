//! The notes of an editor on a dump graph.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Lang;
use super::size::{exact, human};
use crate::graph::text::ProblemKind;
use crate::units::Bytes;

/// What is wrong with a text and what was expected there.
pub fn problem(kind: ProblemKind, lang: Lang) -> String {
    let fixed = match kind {
        ProblemKind::CutInMessage(open) => {
            return match lang {
                Lang::En => {
                    format!("The file ends here, inside {open} open messages: it was cut. Expected `}}`.")
                }
                Lang::Zh => format!("文件在此处结束，还有 {open} 层未闭合：文件被截断，应为 `}}`。"),
            };
        }
        ProblemKind::CutInString => {
            lang.pick("The string is not closed. Expected `\"`.", "字符串未闭合，应为 `\"`。")
        }
        ProblemKind::NoFieldName => lang.pick("Expected a field name.", "此处应为字段名。"),
        ProblemKind::NoValue => lang.pick("Expected a value.", "此处应为字段值。"),
        ProblemKind::StrayClose => lang.pick("This `}` closes nothing.", "此 `}` 没有对应的 `{`。"),
        ProblemKind::DescriptorAsJson => lang.pick(
            "This descriptor is JSON in a string and was not read: the ge_proto form has it whole.",
            "该描述以 JSON 字符串形式写出，未读取；ge_proto 形式的 dump 图包含完整信息。",
        ),
        ProblemKind::UnclosedBefore => lang.pick(
            "A new operator starts here, but the one before is not closed. Expected `}`.",
            "此处开始新的算子，但前一个尚未闭合，应为 `}`。",
        ),
    };
    String::from(fixed)
}

/// A tensor: shape, type, size and the padding in it.
pub fn tensor(
    dtype: &str,
    layout: &str,
    dims: &[i64],
    size: Option<Bytes>,
    data: Option<Bytes>,
    lang: Lang,
) -> String {
    let shape: Vec<String> = dims.iter().map(|dim| format!("{dim}")).collect();
    let shape = if shape.is_empty() { String::from("scalar") } else { shape.join("×") };
    let mut text = format!("**{shape}** · `{dtype}` · `{layout}`");
    if dims.iter().any(|dim| *dim < 0) {
        text += "\n\n";
        text += lang.pick(
            "The shape is known at run time only: the pool of dynamic graphs gives it memory, not the compiler.",
            "形状在运行时才确定：内存由动态图内存池分配，而不是编译期分配。",
        );
    }
    if let Some(size) = size {
        text += "\n\n";
        text += &match lang {
            Lang::En => format!("The compiler counts {} for it", exact(size)),
            Lang::Zh => format!("编译器按 {} 计算", exact(size)),
        };
        if let Some(padding) = data.filter(|data| *data < size).map(|data| size.saturating_sub(data)) {
            text += &match lang {
                Lang::En => format!(", {padding} bytes of it padding"),
                Lang::Zh => format!("，其中 {padding} 字节为填充"),
            };
        }
        text += lang.pick(".", "。");
    }
    text
}

/// What one tensor of an operator is called.
pub fn edge(producer: &str, output: i32, lang: Lang) -> String {
    match (lang, output) {
        (Lang::En, -1) => format!("Control edge: runs after `{producer}`."),
        (Lang::En, _) => format!("Output {output} of `{producer}`."),
        (Lang::Zh, -1) => format!("控制边：在 `{producer}` 之后执行。"),
        (Lang::Zh, _) => format!("`{producer}` 的第 {output} 个输出。"),
    }
}

/// The front of an operator's note: how many of what.
pub fn operator(inputs: usize, outputs: usize, workspaces: usize, consumers: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "{inputs} inputs, {outputs} outputs read by {consumers} operators, {workspaces} workspaces."
        ),
        Lang::Zh => format!(
            "{inputs} 个输入，{outputs} 个输出（被 {consumers} 个算子读取），{workspaces} 个 workspace。"
        ),
    }
}

/// What is above a dump: its size and what the compiler would make of it.
pub fn overview(operators: usize, graphs: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{operators} operators in {graphs} graphs"),
        Lang::Zh => format!("{graphs} 个图，{operators} 个算子"),
    }
}

/// Why a dump can't be laid out.
pub fn no_layout(reason: &crate::replay::Refusal, names: &crate::intern::Interner, lang: Lang) -> String {
    use crate::replay::Refusal;
    match reason {
        Refusal::NoGraph => String::from(lang.pick("There is no graph with operators in it.", "文件中没有含算子的图。")),
        Refusal::Dynamic { node } => {
            let node = names.get(*node);
            match lang {
                Lang::En => format!("`{node}` has a shape known at run time only: the pool of dynamic graphs decides, so no layout can be computed."),
                Lang::Zh => format!("`{node}` 的形状在运行时才确定，由动态图内存池分配，无法计算编译期布局。"),
            }
        }
        Refusal::NoEngines => String::from(lang.pick(
            "At this stage of the compilation sizes and engines are not known yet. Take the dump of `PreRunAfterBuild` or `Build`.",
            "该编译阶段尚无内存大小与引擎信息，请使用 `PreRunAfterBuild` 或 `Build` 阶段的 dump 图。",
        )),
        Refusal::UnknownProducer { node, producer } => {
            let (node, producer) = (names.get(*node), names.get(*producer));
            match lang {
                Lang::En => format!("`{node}` reads from `{producer}`, which is not in this graph: a part cut out by an engine. Take the dump of the whole graph."),
                Lang::Zh => format!("`{node}` 的输入来自 `{producer}`，但它不在本图中：这是引擎切出的子图，请使用完整的 dump 图。"),
            }
        }
    }
}

/// Behind the size of a tensor.
pub fn size_hint(size: Bytes) -> String {
    human(size)
}

/// What an attribute means for memory (dump graphs chapter 8); nothing about any other.
pub fn attribute(key: &str, lang: Lang) -> Option<&'static str> {
    let known = |(name, _, _): &&(&str, &str, &str)| *name == key;
    ATTRIBUTES.iter().find(known).map(|(_, en, zh)| lang.pick(*en, *zh))
}

/// Attributes that shape the layout, with their meaning.
const ATTRIBUTES: &[(&str, &str, &str)] = &[
    (
        "continuous_input",
        "The inputs must lie side by side, each rounded up.",
        "各输入必须相邻存放，各自向上对齐。",
    ),
    ("continuous_output", "The outputs lie side by side, each rounded up.", "各输出相邻存放，各自向上对齐。"),
    (
        "_no_padding_continuous_input",
        "The inputs lie side by side without padding; takes effect only with `_output_reuse_input`.",
        "各输入无填充相邻存放；仅在有 `_output_reuse_input` 时生效。",
    ),
    (
        "_no_padding_continuous_output",
        "The outputs lie side by side without padding; takes effect only with `_output_reuse_input`.",
        "各输出无填充相邻存放；仅在有 `_output_reuse_input` 时生效。",
    ),
    ("_output_reuse_input", "The output shares the block of input 0.", "输出与第 0 个输入共用内存块。"),
    (
        "_reuse_input_on_dim_index",
        "The dimension along which it is concatenated or split.",
        "拼接或切分所沿的维度。",
    ),
    (
        "reference",
        "An output shares the memory of the input of the same name: no new bytes.",
        "输出与同名输入共用内存，不另占空间。",
    ),
    (
        "no_reuse_mem_flag",
        "Outputs and workspaces of this operator are not shared with others.",
        "该算子的输出与 workspace 不参与复用。",
    ),
    (
        "workspace_reuse_flag",
        "Per workspace: false means not shared.",
        "逐个 workspace：false 表示不参与复用。",
    ),
    (
        "_workspace_memory_no_reuse_scope",
        "Per workspace: 0 shared, 1 kept for the session, 2 for the graph.",
        "逐个 workspace：0 可复用，1 在 session 内保留，2 在图内保留。",
    ),
    ("_workspace_type", "Memory type of each workspace.", "各 workspace 的内存类型。"),
    ("tvm_workspace_type", "Memory type of each workspace.", "各 workspace 的内存类型。"),
    ("_output_memory_type", "Memory type of each output.", "各输出的内存类型。"),
    ("_input_memory_type", "Memory type of each input.", "各输入的内存类型。"),
    (
        "_is_zero_copy_block",
        "Part of the user's input or output: may be replaced at run time (zero copy).",
        "属于用户输入输出，运行时可被替换（零拷贝）。",
    ),
    ("_inner_offset", "Offset inside the producer's block.", "在生产者内存块内的偏移。"),
    (
        "_batch_label",
        "Branch of a multi-batch model: branches never run together and may share memory.",
        "多 batch 模型的分支：不同分支不会同时执行，可共用内存。",
    ),
    ("is_atomic_node", "Memory of this operator is cleared before it runs.", "该算子执行前需要清零内存。"),
    ("atomic_output_index", "Outputs that are cleared before the operator runs.", "执行前需清零的输出序号。"),
    (
        "atomic_input_index",
        "Inputs that are cleared before the operator runs; -1 means all.",
        "执行前需清零的输入序号，-1 表示全部。",
    ),
    (
        "_no_task",
        "The operator does nothing at run time; its output is a view of its input or of a group.",
        "该算子运行时不执行，输出是输入或一组内存的视图。",
    ),
    (
        "_parent_node_index",
        "Border of a sub-graph: the input or output of the operator around it.",
        "子图边界：对应外层算子的输入或输出序号。",
    ),
    ("_buffer_pool_id", "Belongs to a buffer pool of prefetching operators.", "属于预取算子的 buffer pool。"),
    (
        "_graph_unknown_flag",
        "Shapes are known at run time only: the pool of dynamic graphs gives the memory.",
        "形状在运行时才确定，内存由动态图内存池分配。",
    ),
    (
        "_dynamic_shape_partitioned",
        "The graph was split because of shapes that are known at run time only.",
        "因含动态形状而被切分的图。",
    ),
    ("_session_graph_id", "Session and graph number.", "session 与图的编号。"),
    ("_ge_attr_op_kernel_lib_name", "The engine that runs the operator.", "执行该算子的引擎。"),
];
