//! The sentences about dump graphs and replays: what a file is, why it can't be replayed, what is
//! approximate.

use alloc::format;
use alloc::string::String;

use super::Lang;
use crate::dump::figures::Figures;
use crate::dump::{Dump, stage};
use crate::graph::Lookalike;
use crate::graph::model::Form;
use crate::graph::text::{Problem, ProblemKind};
use crate::replay::{Note, Refusal};

/// What a file that is no dump graph looks like.
pub fn lookalike(kind: Lookalike, lang: Lang) -> &'static str {
    match kind {
        Lookalike::GeReadable => lang.pick(
            "GE's readable form: names and edges only, no sizes, so nothing can be said of memory; dump the proto form (ge_proto_*.txt, DUMP_GE_GRAPH=1 or 2)",
            "GE 的可读形式：只有名称与连边，没有大小，无法分析内存；请使用 proto 形式（ge_proto_*.txt，DUMP_GE_GRAPH=1 或 2）",
        ),
        Lookalike::TorchairGraph => lang.pick(
            "a graph of torchair before GE compiles it: no engines, no sizes; dump GE's own graph (DUMP_GE_GRAPH=2)",
            "torchair 的图，尚未经 GE 编译：没有引擎与大小；请 dump GE 的图（DUMP_GE_GRAPH=2）",
        ),
        Lookalike::TensorFlow => {
            lang.pick("a TensorFlow graph, not a dump of GE", "TensorFlow 图，不是 GE 的 dump 图")
        }
        Lookalike::Caffe => lang.pick("a Caffe network, not a dump of GE", "Caffe 网络，不是 GE 的 dump 图"),
        Lookalike::ForeignOnnx => {
            lang.pick("an ONNX model that GE did not write", "ONNX 模型，不是 GE 写出的 dump 图")
        }
        Lookalike::Json => lang.pick(
            "JSON, such as the JSON form of a model; the text of a dump (ge_proto_*.txt) is needed",
            "JSON（例如模型的 JSON 形式）；需要文本形式的 dump 图（ge_proto_*.txt）",
        ),
        Lookalike::Binary => lang.pick(
            "a binary file; the text of a dump (ge_proto_*.txt) is needed",
            "二进制文件；需要文本形式的 dump 图（ge_proto_*.txt）",
        ),
        Lookalike::Empty => lang.pick("an empty file", "空文件"),
        Lookalike::Unknown => lang.pick(
            "no dump graph: neither `graph { op {` (ge_proto_*.txt) nor `graph { node {` with GE's types (ge_onnx_*.pbtxt)",
            "不是 dump 图：既不是 `graph { op {`（ge_proto_*.txt），也不是带 GE 类型的 `graph { node {`（ge_onnx_*.pbtxt）",
        ),
    }
}

/// Damage: what was expected where. The face puts file, line and column in front.
pub fn problem(problem: &Problem, lang: Lang) -> String {
    match problem.kind {
        ProblemKind::CutInMessage(open) => match lang {
            Lang::En => format!("the file ends, {open} closing braces `}}` were expected: it was cut"),
            Lang::Zh => format!("文件在此结束，缺少 {open} 个右花括号 `}}`：文件不完整"),
        },
        ProblemKind::CutInString => {
            lang.pick("the text ends inside a string, a `\"` was expected", "字符串未结束，缺少 `\"`").into()
        }
        ProblemKind::NoFieldName => lang.pick("a field name was expected", "此处应为字段名").into(),
        ProblemKind::NoValue => lang.pick("a value was expected", "此处应为取值").into(),
        ProblemKind::StrayClose => lang
            .pick(
                "a field name was expected, not `}`: nothing is open",
                "此处应为字段名而不是 `}`：没有对应的左花括号",
            )
            .into(),
        ProblemKind::DescriptorAsJson => lang
            .pick(
                "a descriptor stands as JSON in a string; a message was expected, and it was not read",
                "描述符以 JSON 字符串写出，此处应为消息；未读取",
            )
            .into(),
        ProblemKind::UnclosedBefore => lang
            .pick("a closing brace `}` was expected before this operator", "该算子之前缺少右花括号 `}`")
            .into(),
    }
}

/// Why a dump can't be replayed, and which stage to dump.
pub fn refusal(dump: &Dump, refusal: Refusal, lang: Lang) -> String {
    let name = |of| dump.model.names.get(of);
    match refusal {
        Refusal::NoGraph => {
            lang.pick("there is no graph with operators in it", "其中没有包含算子的图").into()
        }
        Refusal::Dynamic { node } => match lang {
            Lang::En => format!(
                "a dynamic graph: {} has an unknown dimension, so its memory comes from the pool at run time and there is no layout to replay; `gemlens pool` reads the pool's log lines",
                name(node)
            ),
            Lang::Zh => format!(
                "动态图：{} 的某一维未知，内存在运行时由内存池分配，没有可重放的布局；内存池日志请用 `gemlens pool` 分析",
                name(node)
            ),
        },
        Refusal::NoEngines => {
            let at = stage::of_file(&dump.name).stage;
            match lang {
                Lang::En if at.is_empty() => String::from(
                    "no sizes and no engines are assigned at this stage; dump the stage Build or PreRunAfterBuild (DUMP_GRAPH_LEVEL=2)",
                ),
                Lang::En => format!(
                    "no sizes and no engines are assigned at the stage {at}; dump the stage Build or PreRunAfterBuild (DUMP_GRAPH_LEVEL=2)"
                ),
                Lang::Zh if at.is_empty() => String::from(
                    "该阶段尚无大小与引擎信息；请 dump Build 或 PreRunAfterBuild 阶段（DUMP_GRAPH_LEVEL=2）",
                ),
                Lang::Zh => format!(
                    "{at} 阶段尚无大小与引擎信息；请 dump Build 或 PreRunAfterBuild 阶段（DUMP_GRAPH_LEVEL=2）"
                ),
            }
        }
        Refusal::UnknownProducer { node, producer } => match lang {
            Lang::En => format!(
                "{} reads {}, which is not in the file: a part of a graph; dump the stage Build or PreRunAfterBuild",
                name(node),
                name(producer)
            ),
            Lang::Zh => format!(
                "{} 的输入 {} 不在文件中：只是图的一部分；请 dump Build 或 PreRunAfterBuild 阶段",
                name(node),
                name(producer)
            ),
        },
    }
}

/// Why a replay is approximate.
pub fn note(note: Note, lang: Lang) -> &'static str {
    match note {
        Note::SizesDerived => lang.pick(
            "the dump has no sizes; they were derived from shapes",
            "dump 图没有大小信息，已按 shape 推算",
        ),
        Note::EventsRemoved => lang.pick(
            "event operators that GE inserts after the allocation were left out and the rest numbered anew",
            "已去掉 GE 在内存分配之后插入的事件算子，并重新编号",
        ),
        Note::StreamsSplit => lang.pick(
            "streams are those after splitting, not the ones that the allocator saw",
            "流为拆分之后的编号，与分配时不同",
        ),
        Note::StreamsOfDump => lang.pick(
            "single stream was asked for, but streams are those of the dump",
            "指定了单流，但流仍取自 dump 图",
        ),
        Note::CleanNodesOfDump => lang.pick(
            "separate cleaning was asked for, but the dump still holds central clean operators",
            "指定了分散清零，但 dump 图中仍有集中清零算子",
        ),
        Note::CleanOrderUnknown => lang.pick(
            "several clean operators: GE walks them in the order of host addresses, the replay in node order",
            "存在多个清零算子：GE 按主机地址顺序处理，重放按节点顺序处理",
        ),
        Note::OnnxForm => lang.pick(
            "the onnx form lacks graph attributes and mostly engines, labels and variables; prefer ge_proto_*.txt",
            "onnx 形式缺少图属性，通常也缺少引擎、标签与变量信息；建议使用 ge_proto_*.txt",
        ),
        Note::DescriptorsLost => lang.pick(
            "descriptors that stand as JSON in the onnx form were not read",
            "onnx 形式中以 JSON 写出的描述符未读取",
        ),
        Note::Damaged => lang.pick(
            "the file is damaged; operators that were not whole are missing",
            "文件不完整；缺少未写完的算子",
        ),
        Note::LinkOrderLost => lang.pick(
            "the dump lacks the order of consumers; that of the file was taken",
            "dump 图缺少消费者的先后顺序，已按文件顺序处理",
        ),
    }
}

/// The reasons in one sentence; `None` where the replay follows every rule.
pub fn approximate(notes: &[Note], lang: Lang) -> Option<String> {
    if notes.is_empty() {
        return None;
    }
    let list: alloc::vec::Vec<&str> = notes.iter().map(|&of| note(of, lang)).collect();
    let list = list.join(lang.pick("; ", "；"));
    Some(match lang {
        Lang::En => format!("Approximate: {list}."),
        Lang::Zh => format!("近似结果：{list}。"),
    })
}

/// What a dump is, in one paragraph.
pub fn overview(dump: &Dump, figures: &Figures, lang: Lang) -> String {
    let stage = stage::of_file(&dump.name).stage;
    let form = match dump.model.form {
        Form::GeProto => "ge_proto",
        Form::GeOnnx => "ge_onnx",
    };
    let kind = match figures.first_dynamic {
        Some(_) => lang.pick("dynamic", "动态图"),
        None => lang.pick("static", "静态图"),
    };
    let Figures { nodes, edges, control_edges, subgraphs, streams, .. } = figures;
    let (sized, tensors, placed) = (figures.sized_tensors, figures.tensors, figures.with_offsets);
    let engines = figures.with_engine;
    match lang {
        Lang::En => format!(
            "Form {form}, stage {}; {kind}. {nodes} nodes, {edges} edges, {control_edges} control edges, {streams} streams, {subgraphs} sub-graphs. Known: sizes of {sized} of {tensors} outputs, engines of {engines} nodes, offsets of {placed} nodes.",
            if stage.is_empty() { "not told by the name" } else { stage }
        ),
        Lang::Zh => format!(
            "形式 {form}，阶段 {}；{kind}。节点 {nodes}，数据边 {edges}，控制边 {control_edges}，流 {streams}，子图 {subgraphs}。已知：{tensors} 个输出中 {sized} 个有大小，{engines} 个节点有引擎，{placed} 个节点有偏移。",
            if stage.is_empty() { "文件名未给出" } else { stage }
        ),
    }
}

/// That a dump can be replayed.
pub fn can_replay(lang: Lang) -> &'static str {
    lang.pick(
        "A replay can use it (`gemlens replay`, `gemlens tune`).",
        "可以重放（`gemlens replay`、`gemlens tune`）。",
    )
}

/// The best combination as an option string, with what has to confirm it.
pub fn best(settings: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Best: {settings}\nA recompilation must confirm."),
        Lang::Zh => format!("最优：{settings}\n需重新编译确认。"),
    }
}

/// The counts of a comparison.
pub fn compared(equal: usize, different: usize, here: usize, there: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "{equal} rows equal, {different} different, {here} only in the replay, {there} only in the log; first causes first."
        ),
        Lang::Zh => format!(
            "相同 {equal} 行，不同 {different} 行，仅重放有 {here} 行，仅日志有 {there} 行；首要原因在前。"
        ),
    }
}

/// The log has no layout of this graph.
pub fn not_in_log(graph: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("no block row of a graph called {graph} in the log (--graph names another)"),
        Lang::Zh => format!("日志中没有名为 {graph} 的图的内存块（可用 --graph 指定其他图）"),
    }
}

/// Which rows make the difference between the best and the default combination.
pub fn explained(lang: Lang) -> &'static str {
    lang.pick("Blocks that make the difference (best against worst)", "造成差异的内存块（最优与最差相比）")
}
