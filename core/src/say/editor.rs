//! The notes of an editor: what a line, a block, a tensor means, in whole sentences of Markdown.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Lang;
use super::size::{exact, human, percent, share};
use crate::intern::Interner;
use crate::metrics::static_graph::{Figures, life as life_of};
use crate::model::component::Statistic;
use crate::model::region::{Area, OperatorAddress, Region};
use crate::model::static_graph::{Block, Io};
use crate::model::variable::{Place, Variable};
use crate::units::{Bytes, Offset};

/// Cells of a life bar.
const BAR: u64 = 32;
/// Blocks named in a list before the rest is counted.
const NAMED: usize = 4;

/// What kind a line is.
pub fn line_kind(lang: Lang) -> &'static str {
    lang.pick("A line of kind", "日志类别")
}

/// A life as `3…17`; `…end` where the memory stays in use.
pub fn life_range(block: &Block, lang: Lang) -> Option<String> {
    let (begin, end) = life_of(block)?;
    Some(match end {
        Some(end) => format!("{begin}…{end}"),
        None => format!("{begin}…{}", lang.pick("end", "图结束")),
    })
}

/// Behind the life times of a block.
pub fn life_hint(block: &Block, lang: Lang) -> Option<String> {
    let (begin, end) = life_of(block)?;
    match end {
        Some(end) => {
            let steps = end.saturating_sub(begin).saturating_add(1);
            Some(match lang {
                Lang::En if steps == 1 => String::from("alive 1 step"),
                Lang::En => format!("alive {steps} steps"),
                Lang::Zh => format!("存活 {steps} 步"),
            })
        }
        None => Some(String::from(lang.pick("alive to the end", "存活到图结束"))),
    }
}

/// `MatMul_12 output[0] (3…17)`.
fn called(block: &Block, names: &Interner, lang: Lang) -> String {
    let life = life_range(block, lang).map(|life| format!(" ({life})")).unwrap_or_default();
    format!("`{}` {}[{}]{life}", names.get(block.node), block.io.word(), block.index)
}

fn list(blocks: &[&Block], names: &Interner, lang: Lang) -> String {
    let named: Vec<String> = blocks.iter().take(NAMED).map(|block| called(block, names, lang)).collect();
    let mut text = named.join(lang.pick(", ", "、"));
    if blocks.len() > NAMED {
        let more = blocks.len() - NAMED;
        text += &match lang {
            Lang::En => format!(" and {more} more"),
            Lang::Zh => format!(" 等另外 {more} 个"),
        };
    }
    text
}

/// Which block a line places, how large and where.
pub fn block(block: &Block, after_reuse: Option<Bytes>, names: &Interner, lang: Lang) -> String {
    let node = names.get(block.node);
    let op_type = names.get(block.op_type);
    let op_type = if op_type.is_empty() { String::new() } else { format!(" · {op_type}") };
    let Offset(offset) = block.offset;
    let part = after_reuse.filter(|after| after.0 > 0).map(|after| (share(block.size, after), human(after)));
    let mut text = format!("**{node}**{op_type} · {}[{}]\n\n", block.io.word(), block.index);
    text += &match lang {
        Lang::En => format!("The block takes {} at offset {offset} ({offset:#x})", exact(block.size)),
        Lang::Zh => format!("该内存块占用 {}，偏移 {offset}（{offset:#x}）", exact(block.size)),
    };
    if block.is_ref {
        text += lang
            .pick("; it is a reference: it brings no bytes of its own", "；它是引用（isref），不另占内存");
    } else if let Some((part, after)) = part {
        text += &match lang {
            Lang::En => format!(", {part} of the graph's {after} after reuse"),
            Lang::Zh => format!("，占该图复用后总量 {after} 的 {part}"),
        };
    }
    text += lang.pick(".", "。");
    let data = block.no_align_size.unwrap_or(block.real_size);
    if !block.is_ref && data < block.size {
        let waste = block.size.saturating_sub(data);
        text += &match lang {
            Lang::En => {
                format!(" The tensor itself has {} bytes; {} are alignment and padding.", data, waste)
            }
            Lang::Zh => format!("张量本身 {data} 字节，其余 {waste} 字节为对齐与填充。"),
        };
    }
    text
}

/// When a block is alive, with a bar. `last` is the latest moment of the graph.
pub fn life(block: &Block, last: Option<u32>, lang: Lang) -> Option<String> {
    let (begin, end) = life_of(block)?;
    let last = last?.max(begin);
    let until = end.unwrap_or(last).min(last);
    let span = u64::from(last) + 1;
    let cell = |moment: u64| moment * BAR / span;
    let (from, to) = (cell(u64::from(begin)), cell(u64::from(until)));
    let bar: String = (0..BAR).map(|at| if (from..=to).contains(&at) { '█' } else { '·' }).collect();
    let sentence = match (lang, end) {
        (Lang::En, Some(end)) => format!("Alive from {begin} to {end} of 0…{last} (topological ids)."),
        (Lang::En, None) => format!("Alive from {begin} to the end of the graph ({last})."),
        (Lang::Zh, Some(end)) => format!("存活区间 {begin}…{end}，全图为 0…{last}（拓扑序号）。"),
        (Lang::Zh, None) => format!("从 {begin} 存活到图结束（{last}）。"),
    };
    Some(format!("`{bar}`  \n{sentence}"))
}

/// Who else uses the bytes of a block.
pub fn tenants(
    sharing: &[&Block],
    earlier: &[&Block],
    later: &[&Block],
    names: &Interner,
    lang: Lang,
) -> String {
    let mut sentences = Vec::new();
    if !sharing.is_empty() {
        let list = list(sharing, names, lang);
        sentences.push(match lang {
            Lang::En => format!("It shares its bytes, at the same time, with {list}."),
            Lang::Zh => format!("同一时刻与它共用内存的有 {list}。"),
        });
    }
    if !earlier.is_empty() {
        let list = list(earlier, names, lang);
        sentences.push(match lang {
            Lang::En => format!("Before it, these bytes were used by {list}."),
            Lang::Zh => format!("此前使用这段内存的是 {list}。"),
        });
    }
    if !later.is_empty() {
        let list = list(later, names, lang);
        sentences.push(match lang {
            Lang::En => format!("After it, they are reused by {list}."),
            Lang::Zh => format!("此后复用这段内存的是 {list}。"),
        });
    }
    if sentences.is_empty() {
        sentences.push(String::from(
            lang.pick("No other block of the log uses these bytes.", "日志中没有其他内存块使用这段内存。"),
        ));
    }
    sentences.join(lang.pick(" ", ""))
}

/// Who lies below and above while a block is alive.
pub fn neighbours(
    below: Option<(&Block, Bytes)>,
    above: Option<(&Block, Bytes)>,
    names: &Interner,
    lang: Lang,
) -> Option<String> {
    let one = |side: &str, (block, gap): (&Block, Bytes)| {
        let distance = match (lang, gap.0) {
            (Lang::En, 0) => String::from("directly"),
            (Lang::En, _) => format!("{} away", human(gap)),
            (Lang::Zh, 0) => String::from("紧邻"),
            (Lang::Zh, _) => format!("相距 {}", human(gap)),
        };
        format!("{side} {} ({distance})", called(block, names, lang))
    };
    let below = below.map(|found| one(lang.pick("below", "下方"), found));
    let above = above.map(|found| one(lang.pick("above", "上方"), found));
    let sides: Vec<String> = below.into_iter().chain(above).collect();
    if sides.is_empty() {
        return None;
    }
    let sides = sides.join(lang.pick("; ", "；"));
    Some(match lang {
        Lang::En => format!("Neighbours while it is alive: {sides}."),
        Lang::Zh => format!("存活期间的相邻内存块：{sides}。"),
    })
}

/// What the flags of a block mean; nothing about what is usual.
pub fn flags(block: &Block, lang: Lang) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |is: bool, en: &str, zh: &str| {
        if is {
            said.push(String::from(lang.pick(en, zh)));
        }
    };
    say(
        block.flags.zero_copy,
        "Zero copy: at run time the user's own memory (user_addr) stands in its place. By design it can't be reused.",
        "零拷贝：运行时由用户内存（user_addr）替代，按设计不可复用。",
    );
    say(
        block.flags.continuous,
        "It belongs to a continuous-memory request: its parts must lie side by side.",
        "属于连续内存（continuous）申请，各部分必须相邻。",
    );
    say(
        block.flags.child_level > 0,
        "It is a child block: its bytes are those of the block around it.",
        "它是子块，内存属于外层内存块。",
    );
    say(
        !block.flags.reuse
            && !block.flags.zero_copy
            && block.flags.child_level == 0
            && block.io == Io::Output,
        "GE marks it as not reusable.",
        "GE 将其标记为不可复用。",
    );
    say(
        block.cut,
        "The logger cut this line: fields behind the cut are unknown.",
        "该行被日志截断，截断处之后的字段未知。",
    );
    said
}

/// The rates of a graph on one line.
pub fn rates(figures: &Figures, lang: Lang) -> String {
    let mut parts = Vec::new();
    if let Some(after) = figures.after_reuse {
        parts.push(format!("after_reuse {}", human(after)));
    }
    if let Some(rate) = figures.reuse_rate() {
        parts.push(format!("{} {}", lang.pick("reuse rate", "复用率"), percent(rate)));
    }
    if let Some(rate) = figures.reach_theory_rate() {
        parts.push(format!("reach_theory_rate {}", percent(rate)));
    }
    parts.join(" · ")
}

/// What a summary line says.
pub fn summary(graph: &str, figures: &Figures, lang: Lang) -> String {
    let mut text = format!("**{graph}**\n\n");
    let unknown = String::from(lang.pick("unknown", "未知"));
    let said = |bytes: Option<Bytes>| bytes.map_or_else(|| unknown.clone(), human);
    let (total, after, theory) = (said(figures.total), said(figures.after_reuse), said(figures.theory_min));
    text += &match lang {
        Lang::En => format!(
            "Without any reuse the graph would need {total}; GE placed it in {after}, and perfect packing would take {theory}."
        ),
        Lang::Zh => format!("完全不复用需要 {total}；GE 实际分配 {after}，理论最小值为 {theory}。"),
    };
    text += "\n\n";
    text += &rates(figures, lang);
    if figures.is_alignment_growth() {
        text += "\n\n";
        text += lang.pick(
            "after_reuse is above total because many small tensors are aligned to 512 bytes: by design, not failed reuse.",
            "after_reuse 大于 total 是因为大量小张量按 512 字节对齐，属设计行为，不是复用失败。",
        );
    }
    if let Some(io) = figures.zero_copy.filter(|io| io.0 > 0) {
        text += "\n\n";
        text += &match lang {
            Lang::En => format!("{} of it are inputs and outputs of the user (zero copy).", human(io)),
            Lang::Zh => format!("其中 {} 为用户输入输出（零拷贝）。", human(io)),
        };
    }
    text
}

/// What a statistics line says of a component. `whole` is the sum of all peaks on its device.
pub fn statistic(statistic: &Statistic, whole: Option<Bytes>, names: &Interner, lang: Lang) -> String {
    let counted = statistic.counted;
    let (module, kind) = (names.get(counted.module), names.get(counted.memory_kind));
    let (current, peak) = (exact(statistic.current), exact(statistic.peak));
    let mut text = match lang {
        Lang::En => {
            format!("**{module}** · {kind}\n\nHolds {current} here; at its peak so far it held {peak}")
        }
        Lang::Zh => format!("**{module}** · {kind}\n\n此时持有 {current}；至此峰值 {peak}"),
    };
    if let Some(whole) = whole.filter(|whole| whole.0 > 0) {
        let part = share(statistic.peak, whole);
        text += &match lang {
            Lang::En => format!(", {part} of the sum of all components' peaks on the device"),
            Lang::Zh => format!("，占设备上各组件峰值之和的 {part}"),
        };
    }
    text += lang.pick(".", "。");
    if let Some((allocations, frees)) = statistic.counts {
        let open = allocations.saturating_sub(frees);
        text += &match lang {
            Lang::En => format!(" {allocations} allocations, {frees} frees: {open} not yet given back."),
            Lang::Zh => format!("申请 {allocations} 次，释放 {frees} 次，尚有 {open} 次未释放。"),
        };
    }
    text
}

/// The largest component of a process.
pub fn largest(statistic: &Statistic, names: &Interner, lang: Lang) -> String {
    let (module, kind) = (names.get(statistic.counted.module), names.get(statistic.counted.memory_kind));
    let peak = human(statistic.peak);
    match lang {
        Lang::En => format!("largest component: {module}, peak {peak} ({kind})"),
        Lang::Zh => format!("最大组件：{module}，峰值 {peak}（{kind}）"),
    }
}

/// The name of an area.
fn area(area: Area, lang: Lang) -> &'static str {
    match area {
        Area::FeatureMap => lang.pick("feature map", "feature map（特征图）"),
        Area::Weight => lang.pick("weights", "权重"),
        Area::Variable => lang.pick("variables", "变量"),
        Area::Constant => lang.pick("constants", "常量"),
        Area::PeerToPeer => lang.pick("peer-to-peer memory", "P2P 内存"),
        Area::Host => lang.pick("host memory", "主机内存"),
        Area::Session => lang.pick("session scope", "session 级内存"),
        Area::Other => lang.pick("another area", "其他区域"),
    }
}

/// What a region line says.
pub fn region(region: &Region, lang: Lang) -> String {
    let (graph, name, size) = (region.graph, area(region.area, lang), exact(region.size));
    let end = region.base.plus(region.size);
    match lang {
        Lang::En => format!(
            "**{} · {name}** of graph {graph}\n\n{size}, from {} up to {end}.",
            region.area.letter(),
            region.base
        ),
        Lang::Zh => format!(
            "图 {graph} 的 **{} · {name}**\n\n{size}，从 {} 到 {end}。",
            region.area.letter(),
            region.base
        ),
    }
}

/// What the line of an operator's address says.
pub fn address(address: &OperatorAddress, names: &Interner, lang: Lang) -> String {
    let node = names.get(address.node);
    let mut text = format!("**{node}** · {}[{}]\n\n", address.io.word(), address.index);
    let (letter, area) = (address.area.letter(), area(address.area, lang));
    text += &match lang {
        Lang::En => {
            format!("At load it got {} in area {letter} ({area}) of graph {}", address.address, address.graph)
        }
        Lang::Zh => {
            format!("加载时得到地址 {}，位于图 {} 的区域 {letter}（{area}）", address.address, address.graph)
        }
    };
    if let Some(Offset(offset)) = address.offset {
        text += &match lang {
            Lang::En => format!(", at offset {offset:#x}"),
            Lang::Zh => format!("，偏移 {offset:#x}"),
        };
    }
    if let Some(size) = address.size {
        text += &match lang {
            Lang::En => format!(", {} long", exact(size)),
            Lang::Zh => format!("，长度 {}", exact(size)),
        };
    }
    text += lang.pick(".", "。");
    text
}

/// What the line of a variable says.
pub fn variable(variable: &Variable, names: &Interner, lang: Lang) -> String {
    let node = names.get(variable.node);
    let place = match variable.place {
        Place::Offset(Offset(offset)) => format!("offset {offset:#x}"),
        Place::Device(address) => format!("{address}"),
        Place::Host(address) => format!("{} {address}", lang.pick("host", "主机")),
    };
    let size = variable.size.or(variable.real_size).map(exact).unwrap_or_default();
    match lang {
        Lang::En => {
            format!("**{node}** · variable of session {}\n\nIt lies at {place}. {size}", variable.session)
        }
        Lang::Zh => format!("**{node}** · session {} 的变量\n\n位于 {place}。{size}", variable.session),
    }
}
