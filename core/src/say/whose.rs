//! Whom an address belongs to, and what args tables and launches show, in words.

use alloc::format;
use alloc::string::{String, ToString};

use super::Lang;
use super::size::human;
use crate::intern::Interner;
use crate::model::allocation::Layer;
use crate::model::args_table::MemoryType;
use crate::units::Bytes;

/// No process knows the address.
pub fn nobody(asked: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "No line gives {asked} to anybody: it lies in no area, allocation, args table, user buffer or launch of this input."
        ),
        Lang::Zh => format!(
            "没有任何行说明 {asked} 的归属：它不在已读入的区域、申请、args 表、用户缓冲区或下发记录中。"
        ),
    }
}

/// The text is no address.
pub fn no_address(asked: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "{asked} is no address. Write 0x12c080200400, 12c080200400, 20617992602624, 0x12c080000000+0x200400 or F+0x200400."
        ),
        Lang::Zh => format!(
            "{asked} 不是地址。请写作 0x12c080200400、12c080200400、20617992602624、0x12c080000000+0x200400 或 F+0x200400。"
        ),
    }
}

/// The text is no moment.
pub fn no_moment(asked: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{asked} is no moment. Write a step or round (3) or a time (10:04:07.029)."),
        Lang::Zh => format!("{asked} 不是时刻。请写 step 或轮次（3），或时间（10:04:07.029）。"),
    }
}

/// The process has lines of a kind, or none of them.
pub fn no_args_table(lang: Lang) -> &'static str {
    lang.pick(
        "No line of an args table. Static models print them with GE_DAVINCI_MODEL_PROFILING=2 and ASCEND_GLOBAL_LOG_LEVEL=1.",
        "没有 args 表的行。静态模型需设置 GE_DAVINCI_MODEL_PROFILING=2 和 ASCEND_GLOBAL_LOG_LEVEL=1 才会打印。",
    )
}

/// The process has no launch lines.
pub fn no_launches(lang: Lang) -> &'static str {
    lang.pick(
        "No line of a kernel launch. Dynamic graphs print them into the debug plog at ASCEND_GLOBAL_LOG_LEVEL=1.",
        "没有 kernel 下发的行。动态图在 ASCEND_GLOBAL_LOG_LEVEL=1 时写入 debug plog。",
    )
}

/// How the split into inputs and outputs stands.
pub fn split_unknown(launches: usize, lang: Lang) -> String {
    match lang {
        Lang::En => {
            format!("{launches} launches without pointer counts: inputs and outputs are not told apart.")
        }
        Lang::Zh => format!("{launches} 次下发没有指针个数：无法区分输入与输出。"),
    }
}

/// What the gear column means.
pub fn gear(lang: Lang) -> &'static str {
    lang.pick(
        "Gears are those that ran. The largest size may be a weight, the same in every step; the largest output then tells steps apart.",
        "只列出运行过的档位。最大 size 可能是各 step 相同的权重，此时用最大输出区分。",
    )
}

/// A model, `Model 3 (resnet50)`.
pub fn model(id: Option<u64>, name: &str, lang: Lang) -> String {
    let number = id.map_or(String::from("?"), |id| id.to_string());
    let word = lang.pick("Model", "模型");
    if name.is_empty() { format!("{word} {number}") } else { format!("{word} {number} ({name})") }
}

/// An area of a graph.
pub fn area(graph: u64, letter: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("area {letter} of graph {graph}"),
        Lang::Zh => format!("图 {graph} 的 {letter} 区"),
    }
}

/// Device memory that was taken.
pub fn taken(layer: Layer, purpose: &str, given_back: bool, lang: Lang) -> String {
    let who = match layer {
        Layer::Ge | Layer::GePlain => "GE",
        Layer::Runtime => "runtime",
    };
    let of = if purpose.is_empty() { String::new() } else { format!(" ({purpose})") };
    match (lang, given_back) {
        (Lang::En, false) => format!("device memory taken by {who}{of}"),
        (Lang::En, true) => format!("device memory taken by {who}{of}, given back later"),
        (Lang::Zh, false) => format!("{who} 申请的设备内存{of}"),
        (Lang::Zh, true) => format!("{who} 申请的设备内存{of}，其后已释放"),
    }
}

/// A place in the layout of a model.
pub fn logical(kind: MemoryType, index: u64, id: u32, behind: Option<Bytes>, lang: Lang) -> String {
    let what = format!("{} {index}, id {id}", kind.word());
    match (lang, behind) {
        (Lang::En, None) => format!("logical_addr of {what}"),
        (Lang::En, Some(size)) => {
            format!(
                "logical_addr of {what}: a placeholder without memory, behind the {} allocated",
                human(size)
            )
        }
        (Lang::Zh, None) => format!("{what} 的 logical_addr"),
        (Lang::Zh, Some(size)) => {
            format!("{what} 的 logical_addr：占位，在已分配的 {} 之后，没有实际内存", human(size))
        }
    }
}

/// Memory of the user.
pub fn user(kind: MemoryType, index: u64, rounds: (u32, u32), copy_host: bool, lang: Lang) -> String {
    let io = if kind == MemoryType::Input { "Input" } else { "Output" };
    let rounds =
        if rounds.0 == rounds.1 { rounds.0.to_string() } else { format!("{} … {}", rounds.0, rounds.1) };
    match (lang, copy_host) {
        (Lang::En, false) => format!("user_addr [{io}] index:{index}, rounds {rounds}"),
        (Lang::En, true) => {
            format!("temporary copy of the user's host memory [{io}] index:{index}, rounds {rounds}")
        }
        (Lang::Zh, false) => format!("user_addr [{io}] index:{index}，第 {rounds} 轮"),
        (Lang::Zh, true) => format!("用户主机内存的临时拷贝 [{io}] index:{index}，第 {rounds} 轮"),
    }
}

/// A slot of an args table; not what it holds.
pub fn slot(number: u32, argument: &str, lang: Lang) -> String {
    let of = if argument.is_empty() { String::new() } else { format!(" ({argument})") };
    match lang {
        Lang::En => format!("slot {number} of the args table{of}"),
        Lang::Zh => format!("args 表的 slot {number}{of}"),
    }
}

/// A variable.
pub fn variable(session: u64, node: &str, output: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("variable {node} output[{output}] of session {session}"),
        Lang::Zh => format!("会话 {session} 的变量 {node} output[{output}]"),
    }
}

/// A block of a pool of dynamic graphs.
pub fn pool_block(allocator: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("block of pool {allocator}"),
        Lang::Zh => format!("内存池 {allocator} 的块"),
    }
}

/// A communication buffer.
pub fn buffer(lang: Lang) -> &'static str {
    lang.pick("HCCL buffer", "HCCL 缓冲区")
}

/// Why a placeholder has no memory, or that it has.
pub fn backed(is_backed: Option<bool>, lang: Lang) -> &'static str {
    match is_backed {
        Some(true) => lang.pick("backed", "有"),
        Some(false) => lang.pick("unbacked", "无（占位）"),
        None => lang.pick("unknown", "未知"),
    }
}

/// How the values of a round are known.
pub fn table_source(printed: u32, written: usize, differences: usize, lang: Lang) -> String {
    match (printed, written, differences) {
        (0, 0, _) => lang.pick("not printed", "未打印").to_string(),
        (0, written, _) => match lang {
            Lang::En => format!("{written} written by the host, not read back"),
            Lang::Zh => format!("主机写入 {written} 个，未回读"),
        },
        (slots, _, 0) => match lang {
            Lang::En => format!("{slots} slots, device agrees"),
            Lang::Zh => format!("{slots} 个 slot，设备侧一致"),
        },
        (slots, _, differences) => match lang {
            Lang::En => format!("{slots} slots, {differences} differ on the device"),
            Lang::Zh => format!("{slots} 个 slot，设备侧有 {differences} 个不一致"),
        },
    }
}

/// Beside the moment that was asked for.
pub fn when(order: core::cmp::Ordering, lang: Lang) -> &'static str {
    match order {
        core::cmp::Ordering::Less => lang.pick("earlier", "更早"),
        core::cmp::Ordering::Equal => lang.pick("then", "当时"),
        core::cmp::Ordering::Greater => lang.pick("later", "更晚"),
    }
}

/// The operator of a kernel name, or the name itself.
pub fn of_names(names: &Interner, op: crate::intern::Name, word: &str, index: u64) -> String {
    match (names.get(op), word) {
        ("", _) => String::new(),
        (op, "") => format!("{op} #{index}"),
        (op, word) => format!("{op} {word}[{index}]"),
    }
}
