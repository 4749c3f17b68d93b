//! The sentences of the command line itself, in both languages; those about memory are the core's.

use std::io::{self, Write};

use gemlens::input::{Kind, Problem};
use gemlens_core::check::Severity;
use gemlens_core::say::Lang;

use super::command::Verb;

/// Names that a sentence lists at most.
const NAMES_SHOWN: usize = 10;

/// Says on standard error what is wrong.
pub(super) fn complain(text: &str) {
    // Nobody is left to tell when even this can't be written.
    let _ = writeln!(anstream::stderr(), "gemlens: {text}");
}

/// Says on standard error what befell the inputs.
pub(super) fn tell(problems: &[Problem], others: &[(String, Kind)], lang: Lang) {
    for problem in problems {
        complain(&match lang {
            Lang::En => problem.english(),
            Lang::Zh => problem.chinese(),
        });
    }
    for (name, kind) in others {
        complain(&other(name, *kind, lang));
    }
}

fn other(name: &str, kind: Kind, lang: Lang) -> String {
    let report = kind == Kind::ImasCsv;
    match (lang, report) {
        (Lang::En, false) => format!("{name}: a dump graph; this command reads logs, so it was left out"),
        (Lang::Zh, false) => format!("{name}：是 dump 图；本命令只分析日志，未使用该文件"),
        (Lang::En, true) => {
            format!("{name}: an imas CSV report; this command reads logs, so it was left out")
        }
        (Lang::Zh, true) => format!("{name}：是 imas CSV 报表；本命令只分析日志，未使用该文件"),
    }
}

/// The output could not be written.
pub(super) fn not_written(error: &io::Error, lang: Lang) -> String {
    match lang {
        Lang::En => format!("the output could not be written: {error}"),
        Lang::Zh => format!("无法写出结果：{error}"),
    }
}

/// Not one log among the inputs.
pub(super) fn nothing_read(lang: Lang) -> &'static str {
    lang.pick(
        "no log was found: name the folder ~/ascend/log (the one with debug/ and run/) or the plog files themselves",
        "没有找到日志：请给出 ~/ascend/log 目录（含 debug/ 和 run/ 的那一级），或直接给出 plog 文件",
    )
}

/// A process that isn't there.
pub(super) fn no_process(pid: i64, known: &[i64], lang: Lang) -> String {
    let known = list(known.iter().map(ToString::to_string), lang);
    match lang {
        Lang::En => format!("no line of process {pid} was read; there are: {known}"),
        Lang::Zh => format!("没有进程 {pid} 的日志；现有进程：{known}"),
    }
}

/// A graph that isn't there.
pub(super) fn no_graph(part: &str, known: &[&str], lang: Lang) -> String {
    let mut known = known.to_vec();
    known.sort_unstable();
    known.dedup();
    let known = list(known.into_iter().map(str::to_owned), lang);
    match lang {
        Lang::En => format!("no graph whose name contains {part}; there are: {known}"),
        Lang::Zh => format!("没有名称包含 {part} 的图；现有的图：{known}"),
    }
}

fn list(names: impl ExactSizeIterator<Item = String>, lang: Lang) -> String {
    let count = names.len();
    let mut text = names.take(NAMES_SHOWN).collect::<Vec<_>>().join(lang.pick(", ", "、"));
    if count > NAMES_SHOWN {
        text += lang.pick(" …", "……");
    }
    if count == 0 {
        text += lang.pick("none", "无");
    }
    text
}

/// What the input lacks for a question, and how to get it (analysis rules, R0.2).
pub(super) fn lacking(verb: Verb, lang: Lang) -> String {
    let (en, zh) = match verb {
        Verb::Analyze | Verb::Explain | Verb::Compare | Verb::Rules | Verb::Doctor => (
            "these lines say nothing about memory: collect the whole folder ~/ascend/log (run and debug) of a run with ASCEND_GLOBAL_LOG_LEVEL=1 that ends normally",
            "这些日志没有任何内存信息：请设置 ASCEND_GLOBAL_LOG_LEVEL=1，让进程正常退出，并收集整个 ~/ascend/log 目录（run 与 debug）",
        ),
        Verb::Total => (
            "no line about an allocation of device memory (`MallocMemory`, `malloc`): GE and the runtime print them into log/debug/plog/ with ASCEND_GLOBAL_LOG_LEVEL=1",
            "没有设备内存申请的日志（`MallocMemory`、`malloc`）：请设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，GE 与 runtime 会写入 log/debug/plog/",
        ),
        Verb::Ops | Verb::Offset | Verb::Check | Verb::Report | Verb::Stomp => (
            "no block row (`[IMAS]Set`) of a static graph and no operator address: GE prints them at INFO while it compiles and loads a graph; run again with ASCEND_GLOBAL_LOG_LEVEL=1 (atc: --log=info) and collect log/debug/plog/",
            "没有静态图的内存块日志（`[IMAS]Set`），也没有算子地址：GE 在编译与加载图时以 INFO 级别输出；请设置 ASCEND_GLOBAL_LOG_LEVEL=1（atc 用 --log=info）重新运行，并收集 log/debug/plog/",
        ),
        Verb::Addr | Verb::Base => (
            "no address of a loaded model (`[IMAS]graph_… memaddr[…]`, `InitFeatureMapAndP2PMem`): GE prints them at INFO while it loads a model; run again with ASCEND_GLOBAL_LOG_LEVEL=1, collect log/debug/plog/, and keep the load phase with ASCEND_HOST_LOG_FILE_NUM=1000",
            "没有已加载模型的地址日志（`[IMAS]graph_… memaddr[…]`、`InitFeatureMapAndP2PMem`）：GE 在加载模型时以 INFO 级别输出；请设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，收集 log/debug/plog/，并用 ASCEND_HOST_LOG_FILE_NUM=1000 保留加载阶段",
        ),
        Verb::Args => (
            "no line of an args table (`[Args][Init]`, `Print model args host table`): run again with GE_DAVINCI_MODEL_PROFILING=2 and ASCEND_GLOBAL_LOG_LEVEL=1, set before the process starts; an old log can't be completed",
            "没有 args 表的日志（`[Args][Init]`、`Print model args host table`）：请在进程启动前设置 GE_DAVINCI_MODEL_PROFILING=2 和 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行；已有日志无法补全",
        ),
        Verb::Launches => (
            "no line of a kernel launch (`[KernelTrace]`): dynamic graphs print them into log/debug/plog/ with ASCEND_GLOBAL_LOG_LEVEL=1",
            "没有 kernel 下发的日志（`[KernelTrace]`）：动态图在 ASCEND_GLOBAL_LOG_LEVEL=1 时写入 log/debug/plog/",
        ),
        Verb::Whose => (
            "no line gives this address to anybody: collect the whole debug plog of the process with ASCEND_GLOBAL_LOG_LEVEL=1, load phase included (ASCEND_HOST_LOG_FILE_NUM=1000)",
            "没有日志说明该地址的归属：请设置 ASCEND_GLOBAL_LOG_LEVEL=1 并收集该进程完整的 debug plog，包括加载阶段（ASCEND_HOST_LOG_FILE_NUM=1000）",
        ),
        Verb::Pool => (
            "no line of a dynamic graph's pool (`[allocator_…] …:Malloc block`): static graphs have no pool; GE prints these lines at INFO while it executes a dynamic graph; run again with ASCEND_GLOBAL_LOG_LEVEL=1 and collect log/debug/plog/",
            "没有动态图内存池的日志（`[allocator_…] …:Malloc block`）：静态图没有内存池；GE 在执行动态图时以 INFO 级别输出；请设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，并收集 log/debug/plog/",
        ),
        Verb::Var => (
            "no line about a variable (`[IMAS]… type[V]`): GE prints them at INFO while it compiles and loads a graph; run again with ASCEND_GLOBAL_LOG_LEVEL=1 and collect log/debug/plog/",
            "没有变量的日志（`[IMAS]… type[V]`）：GE 在编译与加载图时以 INFO 级别输出；请设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，并收集 log/debug/plog/",
        ),
    };
    lang.pick(en, zh).to_owned()
}

/// What `check` looked at.
pub(super) fn checked(blocks: usize, addresses: usize, hits: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{blocks} blocks and {addresses} addresses checked: {hits} can't be right."),
        Lang::Zh => format!("已检查 {blocks} 个内存块、{addresses} 个地址：{hits} 处不合法。"),
    }
}

/// A file of a report was written.
pub(super) fn written(path: &str, rows: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{path}: {rows} rows"),
        Lang::Zh => format!("{path}：{rows} 行"),
    }
}

/// Evidence that is not shown.
pub(super) fn more_lines(hidden: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("… and {hidden} more (--top 0 shows all)"),
        Lang::Zh => format!("……另有 {hidden} 行（--top 0 显示全部）"),
    }
}

/// A severity for people.
pub(super) fn severity(severity: Severity, lang: Lang) -> &'static str {
    match severity {
        Severity::Error => lang.pick("error", "错误"),
        Severity::Warning => lang.pick("warning", "警告"),
        Severity::Info => lang.pick("info", "信息"),
        Severity::Hint => lang.pick("hint", "提示"),
    }
}
