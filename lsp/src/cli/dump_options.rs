//! The options of `replay` and `tune`, as arguments and as what the core replays with.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use gemlens::input::PathArg;
use gemlens_core::replay::{Options, Topo};
use gemlens_core::say::Lang;

use super::command::{option, valued};
use super::dump::Asked;

/// What only `replay` takes.
pub(super) fn replay(lang: Lang) -> Vec<Arg> {
    vec![
        valued(
            "topo",
            "MODE",
            lang,
            "Order: 0 BFS, 1 DFS, 2 RDFS, 3 StableRDFS, dumped [1]",
            "执行序：0 BFS、1 DFS、2 RDFS、3 StableRDFS、dumped [1]",
        )
        .value_parser(["0", "1", "2", "3", "dumped"])
        .hide_possible_values(true),
        valued(
            "policy",
            "POLICY",
            lang,
            "default or MemoryPriority [default]",
            "default 或 MemoryPriority [default]",
        )
        .value_parser(["default", "MemoryPriority"])
        .hide_possible_values(true),
        valued(
            "against",
            "LOG",
            lang,
            "Compare with a log, block by block; --strict makes a difference exit code 1",
            "与日志逐块比较；加 --strict 时有差异则退出码为 1",
        )
        .value_parser(value_parser!(OsString)),
    ]
}

/// What only `tune` takes.
pub(super) fn tune(lang: Lang) -> Vec<Arg> {
    vec![
        option("all", lang, "Also try ge.exec.atomicCleanPolicy", "同时尝试 ge.exec.atomicCleanPolicy")
            .action(ArgAction::SetTrue),
        option("explain", lang, "Name the blocks that make the difference", "列出造成差异的内存块")
            .action(ArgAction::SetTrue),
    ]
}

/// What shapes a layout besides order and policy.
pub(super) fn shape(lang: Lang) -> Vec<Arg> {
    vec![
        valued(
            "io-reuse",
            "IN:OUT",
            lang,
            "Inputs and outputs whose memory may be reused: numbers with commas, 0,1:0",
            "可复用内存的输入与输出序号，如 0,1:0",
        )
        .value_parser(io_reuse),
        valued("io-alloc", "MODE", lang, "ByGE: GE allocates inputs and outputs", "ByGE：输入输出由 GE 分配")
            .value_parser(["ByGE"])
            .hide_possible_values(true),
        option("single-stream", lang, "ge.enableSingleStream", "ge.enableSingleStream")
            .action(ArgAction::SetTrue),
        option("disable-reuse", lang, "ge.exec.disableReuseMemory=1", "ge.exec.disableReuseMemory=1")
            .action(ArgAction::SetTrue),
        valued("atomic-clean", "0|1", lang, "ge.exec.atomicCleanPolicy [0]", "ge.exec.atomicCleanPolicy [0]")
            .value_parser(["0", "1"])
            .hide_possible_values(true),
        valued(
            "static-memory-policy",
            "N",
            lang,
            "ge.exec.staticMemoryPolicy [0]",
            "ge.exec.staticMemoryPolicy [0]",
        )
        .value_parser(value_parser!(u32)),
        valued(
            "no-reuse",
            "NAMES",
            lang,
            "OP_NO_REUSE_MEM: names or types with commas",
            "OP_NO_REUSE_MEM：名称或类型，逗号分隔",
        ),
    ]
}

/// `0,1:0`
fn io_reuse(text: &str) -> Result<(Vec<u32>, Vec<u32>), String> {
    let (inputs, outputs) = text.split_once(':').ok_or_else(|| String::from("IN:OUT"))?;
    let list = |text: &str| {
        let numbers = text.split(',').filter(|part| !part.is_empty()).map(str::parse);
        numbers.collect::<Result<Vec<u32>, _>>().map_err(|error| error.to_string())
    };
    Ok((list(inputs)?, list(outputs)?))
}

/// What was asked for; defaults where a verb has no such option.
pub(super) fn asked(matches: &ArgMatches) -> Asked {
    let has = |name: &str| matches.try_contains_id(name).unwrap_or(false);
    let text = |name: &str| if has(name) { matches.get_one::<String>(name).cloned() } else { None };
    let flag = |name: &str| has(name) && matches.get_flag(name);
    let io: Option<(Vec<u32>, Vec<u32>)> =
        if has("io-reuse") { matches.get_one("io-reuse").cloned() } else { None };
    let (inputs, outputs) = io.unwrap_or_default();
    let given = |list: Vec<u32>| (!list.is_empty()).then_some(list);
    let against = if has("against") { matches.get_one::<OsString>("against").cloned() } else { None };
    let policy: Option<&u32> =
        if has("static-memory-policy") { matches.get_one("static-memory-policy") } else { None };
    let no_reuse = text("no-reuse").unwrap_or_default();
    Asked {
        options: Options {
            topo: match text("topo").as_deref() {
                Some("0") => Topo::Bfs,
                Some("2") => Topo::Rdfs,
                Some("3") => Topo::StableRdfs,
                Some("dumped") => Topo::Dumped,
                _ => Topo::Dfs,
            },
            memory_priority: text("policy").as_deref() == Some("MemoryPriority"),
            input_reuse: given(inputs),
            output_reuse: given(outputs),
            io_alloc_by_ge: text("io-alloc").is_some(),
            single_stream: flag("single-stream"),
            disable_reuse: flag("disable-reuse"),
            separate_clean: text("atomic-clean").as_deref() == Some("1"),
            static_memory_policy: policy.copied().unwrap_or(0),
            no_reuse: no_reuse.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            ..Options::default()
        },
        against: against.map(PathArg::from),
        as_log: text("format").as_deref() == Some("log"),
        all: flag("all"),
        explain: flag("explain"),
    }
}
