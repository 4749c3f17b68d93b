//! The command line: its verbs, options and help texts, in the user's language.

use std::ffi::OsString;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::Styles;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use gemlens::input::PathArg;
use gemlens_core::report::Query;
use gemlens_core::say::Lang;

use super::dump::Asked;
use super::{Outcome, dump_options, locale, usage};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Analyze,
    Report,
    Total,
    Ops,
    Offset,
    Addr,
    Var,
    Base,
    Args,
    Launches,
    Whose,
    Check,
    Pool,
    Explain,
    Graph,
    Replay,
    Tune,
    Compare,
    Rules,
    Stomp,
    Doctor,
}

impl Verb {
    /// Every verb with its word and what it does.
    const ALL: [(Verb, &'static str, &'static str, &'static str); 21] = [
        (
            Verb::Analyze,
            "analyze",
            "The whole picture: what was read, findings with the lines behind them, tables, the next step",
            "总览：读入内容、结论及其日志证据、各类表格、下一步建议",
        ),
        (
            Verb::Report,
            "report",
            "Write the imas-compatible CSV files into a folder",
            "生成与 imas 兼容的 CSV 文件",
        ),
        (Verb::Total, "total", "Device memory by class inside each process", "按分类统计每个进程的设备内存"),
        (
            Verb::Ops,
            "ops",
            "Operator table of each static graph, largest first",
            "每个静态图的算子内存表，按大小排序",
        ),
        (
            Verb::Offset,
            "offset",
            "Every block of each static graph, by offset",
            "每个静态图的全部内存块，按偏移排序",
        ),
        (
            Verb::Addr,
            "addr",
            "Addresses that operators got at load, checked against the compiled offsets",
            "模型加载后算子得到的地址，并与编译期偏移核对",
        ),
        (Verb::Var, "var", "Variables and constants of the sessions", "会话中的变量与常量"),
        (
            Verb::Base,
            "base",
            "First addresses and sizes of the areas of loaded models",
            "已加载模型各内存区域的基地址与大小",
        ),
        (
            Verb::Args,
            "args",
            "Args tables of static models: every slot with its logical, user and dispatched address, round by round",
            "静态模型的 args 表：每个 slot 的逻辑地址、用户地址与各轮实际下发的地址",
        ),
        (
            Verb::Launches,
            "launches",
            "Launches of dynamic graphs by step: inputs, outputs, sizes, and the producer of each input",
            "动态图各 step 的下发：输入、输出、大小，以及每个输入的生产者",
        ),
        (
            Verb::Whose,
            "whose",
            "Whom an address belongs to: area, block, operator, neighbours, earlier and later users of its bytes",
            "某个地址属于谁：区域、内存块、算子、上下相邻者，以及先后使用该内存的算子",
        ),
        (
            Verb::Check,
            "check",
            "Check the block and address tables for what can't be right; exit code 1 on a hit",
            "检查内存块表与地址表的合法性；发现问题时退出码为 1",
        ),
        (
            Verb::Pool,
            "pool",
            "Pools of dynamic graphs: taken against live memory, granularity steps, reuse by address",
            "动态图内存池：占用与在用内存、粒度台阶、按地址的复用",
        ),
        (
            Verb::Explain,
            "explain",
            "What each line was understood as, as JSON Lines",
            "逐行说明日志被识别为何种内容（JSON Lines）",
        ),
        (
            Verb::Compare,
            "compare",
            "Two runs side by side: components, classes, graphs, pools and blocks that grew, shrank, moved, came or went",
            "对比两次运行：组件、分类、图、内存池与内存块的增大、减小、移动、新增与消失",
        ),
        (
            Verb::Rules,
            "rules",
            "Every rule with its code, its severity and what it finds",
            "列出全部规则：编号、级别与发现内容",
        ),
        (
            Verb::Stomp,
            "stomp",
            "Who may have written over whose memory: wrong reuse, neighbours, earlier users, pages, and lists to bisect",
            "排查内存踩踏：错误复用、相邻者、先前使用者、物理页冲突，以及二分列表",
        ),
        (
            Verb::Doctor,
            "doctor",
            "What this input lacks for each question, and the commands that collect it",
            "逐项说明输入缺少什么，以及收集所需的命令",
        ),
        (
            Verb::Graph,
            "graph",
            "What a dump graph holds: stage, nodes, streams, bytes by operator type, largest tensors",
            "dump 图的内容：阶段、节点、流、按算子类型的字节数、最大的张量",
        ),
        (
            Verb::Replay,
            "replay",
            "Replay the compile-time allocation of a dump graph under any options, or against a log",
            "按任意选项重放 dump 图的编译期内存分配，或与日志比较",
        ),
        (
            Verb::Tune,
            "tune",
            "Every order and policy for a dump graph, the smallest first, as a ready option string",
            "dump 图的全部执行序与策略组合，按内存从小到大，并给出选项",
        ),
    ];
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Markdown,
    Csv,
}

impl Format {
    const ALL: [(&'static str, Format); 4] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("markdown", Format::Markdown),
        ("csv", Format::Csv),
    ];
}

/// A command line, understood.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) verb: Verb,
    pub(super) paths: Vec<PathArg>,
    pub(super) format: Format,
    pub(super) query: Query,
    /// The address that `whose` asks for; empty for other verbs.
    pub(super) address: String,
    /// The operator that `stomp` asks for.
    pub(super) op: Option<String>,
    /// The moment that `whose` asks for.
    pub(super) at: Option<String>,
    pub(super) color: ColorChoice,
    /// A finding of level error makes the exit code 1.
    pub(super) strict: bool,
    /// Where `report` writes.
    pub(super) output: PathBuf,
    /// What the verbs about dump graphs take.
    pub(super) dump: Asked,
}

/// What a command line comes to.
pub(super) enum Parsed {
    Request(Box<Request>),
    /// Help, version or a complaint was printed.
    Said(Outcome),
}

/// Reads the arguments of the process.
pub(super) fn parse(args: Vec<OsString>) -> Parsed {
    let lang = locale::language(&args, |name| std::env::var(name).ok());
    match command(lang).try_get_matches_from(args).and_then(|matches| request(&matches, lang)) {
        Ok(request) => Parsed::Request(Box::new(request)),
        Err(error) => Parsed::Said(usage::say(&error, lang)),
    }
}

/// The whole command line in one language.
fn command(lang: Lang) -> Command {
    let mut command = Command::new("gemlens")
        .version(env!("CARGO_PKG_VERSION"))
        .about(lang.pick(
            "GE Memory Lens: where the device memory of an Ascend process went, with the log line behind every number",
            "GE Memory Lens：昇腾进程的设备内存去了哪里，每个数字都有日志依据",
        ))
        .after_help(lang.pick(
            "PATHS are files, folders, patterns, - for standard input, and .gz, .tar, .tar.gz and .zip archives.\n\
             Exit codes: 0 fine, 1 finding of level error (check, --strict), 2 usage, 3 the input lacks what is asked for.",
            "路径可以是文件、目录、通配符、表示标准输入的 -，以及 .gz、.tar、.tar.gz、.zip 压缩包。\n\
             退出码：0 正常，1 存在错误级结论（check 或 --strict），2 用法错误，3 输入缺少所需内容。",
        ))
        .styles(Styles::plain())
        .arg_required_else_help(true)
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommand_help_heading(lang.pick("Commands", "命令"))
        .override_usage(lang.pick("gemlens <COMMAND> [OPTIONS] <PATHS>...", "gemlens <命令> [选项] <路径>..."))
        .arg(version(lang));
    command = framed(command, lang).args(common(lang).map(|arg| arg.global(true)));
    for (verb, word, en, zh) in Verb::ALL {
        let usage = match verb {
            Verb::Whose => lang.pick("[OPTIONS] <ADDRESS> <PATHS>...", "[选项] <地址> <路径>..."),
            Verb::Compare => lang.pick("[OPTIONS] <A> <B>", "[选项] <A> <B>"),
            Verb::Rules => lang.pick("[OPTIONS]", "[选项]"),
            _ => lang.pick("[OPTIONS] <PATHS>...", "[选项] <路径>..."),
        };
        let mut sub =
            Command::new(word).about(lang.pick(en, zh)).override_usage(format!("gemlens {word} {usage}"));
        if verb == Verb::Whose {
            sub = sub.arg(address(lang));
        }
        let sub = match verb {
            Verb::Rules => sub,
            Verb::Compare => sub.arg(paths(lang).num_args(2)),
            _ => sub.arg(paths(lang)),
        };
        command = command.subcommand(framed(sub, lang).args(options(verb, lang)));
    }
    command
}

/// Help in the user's language instead of clap's own.
fn framed(command: Command, lang: Lang) -> Command {
    command
        .disable_help_flag(true)
        .disable_version_flag(true)
        .help_template(lang.pick(
            "{about}\n\nUsage: {usage}\n\n{all-args}{after-help}\n",
            "{about}\n\n用法：{usage}\n\n{all-args}{after-help}\n",
        ))
        .arg(
            option("help", lang, "Print this help", "显示帮助")
                .short('h')
                .action(ArgAction::Help)
                .display_order(100),
        )
}

fn version(lang: Lang) -> Arg {
    option("version", lang, "Print the version", "显示版本").short('V').action(ArgAction::Version)
}

fn paths(lang: Lang) -> Arg {
    Arg::new("paths")
        .value_name(lang.pick("PATHS", "路径"))
        .help(lang.pick(
            "Files, folders, patterns, archives (.gz .tar .tar.gz .zip), - for standard input",
            "文件、目录、通配符、压缩包（.gz .tar .tar.gz .zip），- 表示标准输入",
        ))
        .help_heading(lang.pick("Arguments", "参数"))
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(OsString))
}

fn address(lang: Lang) -> Arg {
    Arg::new("address")
        .value_name(lang.pick("ADDRESS", "地址"))
        .help(lang.pick(
            "Hexadecimal with or without 0x, decimal, base+offset, or a place in an area (F+0x200)",
            "十六进制（可省略 0x）、十进制、基地址+偏移，或区域内位置（F+0x200）",
        ))
        .help_heading(lang.pick("Arguments", "参数"))
        .required(true)
        .value_parser(value_parser!(String))
}

/// Options of every verb.
fn common(lang: Lang) -> [Arg; 2] {
    [
        valued("lang", "LANG", lang, "Language: en, zh [the locale's]", "语言：en、zh [默认随系统区域设置]")
            .value_parser(["en", "zh"])
            .hide_possible_values(true)
            .display_order(90),
        valued(
            "color",
            "WHEN",
            lang,
            "Colours: auto, always, never [auto]",
            "颜色：auto、always、never [auto]",
        )
        .value_parser(["auto", "always", "never"])
        .hide_possible_values(true)
        .display_order(91),
    ]
}

/// Options of one verb.
fn options(verb: Verb, lang: Lang) -> Vec<Arg> {
    let process = valued("process", "PID", lang, "Only this process", "只看该进程")
        .short('p')
        .value_parser(value_parser!(i64))
        .allow_negative_numbers(true);
    let format = |en, zh, words: Vec<&'static str>| {
        valued("format", "FORMAT", lang, en, zh).short('f').value_parser(words).hide_possible_values(true)
    };
    let any_format = || {
        format(
            "Form of the output: text, json, markdown, csv [text]",
            "输出格式：text、json、markdown、csv [text]",
            Format::ALL.map(|(word, _)| word).into(),
        )
    };
    let graph =
        valued("graph", "NAME", lang, "Only graphs whose name contains this", "只看名称包含该文本的图")
            .short('g');
    let top = valued(
        "top",
        "N",
        lang,
        "Rows of a table and lines of evidence to show, 0 for all",
        "表格行数与证据行数上限，0 表示全部",
    )
    .short('n')
    .value_parser(value_parser!(usize));
    let strict = option(
        "strict",
        lang,
        "Exit code 1 when there is a finding of level error",
        "存在错误级结论时退出码为 1",
    )
    .action(ArgAction::SetTrue);
    let output = valued("output", "DIR", lang, "Folder to write into [mem_report]", "输出目录 [mem_report]")
        .short('o')
        .value_parser(value_parser!(PathBuf));
    match verb {
        Verb::Graph => vec![any_format(), top],
        Verb::Tune => [vec![any_format(), top], dump_options::tune(lang), dump_options::shape(lang)].concat(),
        Verb::Replay => {
            let forms = format(
                "Form of the output: text, json, markdown, csv, log [text]",
                "输出格式：text、json、markdown、csv、log [text]",
                vec!["text", "json", "markdown", "csv", "log"],
            );
            [vec![forms, graph, top, strict], dump_options::replay(lang), dump_options::shape(lang)].concat()
        }
        Verb::Explain => {
            let lines = format("Form of the output: json [json]", "输出格式：json [json]", vec!["json"]);
            vec![lines, process]
        }
        Verb::Report => vec![output, process, strict],
        Verb::Compare => vec![any_format(), process, graph, top],
        Verb::Rules => vec![any_format()],
        Verb::Doctor => vec![any_format(), process],
        Verb::Stomp => {
            let op = valued(
                "op",
                "NAME",
                lang,
                "Beside and before whom operators lie whose name contains this",
                "查看名称包含该文本的算子的相邻者与先前使用者",
            );
            vec![any_format(), process, graph, op, top, strict]
        }
        Verb::Check => vec![any_format(), process, graph, top],
        Verb::Whose => {
            let at = valued(
                "at",
                "TIME|STEP",
                lang,
                "A time (10:04:07.029, with or without its date), or a step or round (3)",
                "时间（10:04:07.029，可带日期），或 step、轮次（3）",
            );
            vec![any_format(), process, at, top]
        }
        _ => vec![any_format(), process, graph, top, strict],
    }
}

pub(super) fn option(name: &'static str, lang: Lang, en: &'static str, zh: &'static str) -> Arg {
    Arg::new(name).long(name).help(lang.pick(en, zh)).help_heading(lang.pick("Options", "选项"))
}

pub(super) fn valued(
    name: &'static str,
    value: &'static str,
    lang: Lang,
    en: &'static str,
    zh: &'static str,
) -> Arg {
    option(name, lang, en, zh).value_name(value)
}

fn request(matches: &ArgMatches, lang: Lang) -> Result<Request, clap::Error> {
    let (word, own) = matches.subcommand().unwrap_or(("", matches));
    let verb = Verb::ALL.iter().find(|(_, known, ..)| *known == word).map_or(Verb::Analyze, |found| found.0);
    let given = |name: &str| own.try_contains_id(name).unwrap_or(false);
    let format: Option<&String> = if given("format") { own.get_one("format") } else { None };
    let format = Format::ALL.iter().find(|(word, _)| format.is_some_and(|given| given == word));
    let format = format.map_or(Format::Text, |(_, format)| *format);
    let color = match own.get_one::<String>("color").map(String::as_str) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    let top: Option<usize> = if given("top") { own.get_one("top").copied() } else { None };
    Ok(Request {
        verb,
        paths: match given("paths") {
            true => {
                own.get_many::<OsString>("paths").into_iter().flatten().cloned().map(PathArg::from).collect()
            }
            false => Vec::new(),
        },
        format,
        query: Query {
            lang,
            process: if given("process") { own.get_one("process").copied() } else { None },
            graph: if given("graph") { own.get_one("graph").cloned() } else { None },
            // Programs want whole tables; people the rows that matter.
            top: top.or(matches!(format, Format::Json | Format::Csv).then_some(0)),
        },
        address: if given("address") {
            own.get_one("address").cloned().unwrap_or_default()
        } else {
            String::new()
        },
        op: if given("op") { own.get_one("op").cloned() } else { None },
        at: if given("at") { own.get_one("at").cloned() } else { None },
        color,
        strict: verb == Verb::Check || (given("strict") && own.get_flag("strict")),
        output: match given("output") {
            true => own.get_one::<PathBuf>("output").cloned().unwrap_or_default(),
            false => PathBuf::from("mem_report"),
        },
        dump: dump_options::asked(own),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound_in_both_languages() {
        command(Lang::En).debug_assert();
        command(Lang::Zh).debug_assert();
    }
}
