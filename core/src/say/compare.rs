//! Two runs side by side, in words.

use alloc::format;
use alloc::string::{String, ToString};

use super::Lang;
use super::size::{change, exact};
use crate::metrics::compare::{Change, GraphFigure, Pair, PoolFigure, Way, What};

/// The word for programs; the same in every language.
pub fn key(way: Way) -> &'static str {
    match way {
        Way::Grew => "grew",
        Way::Shrank => "shrank",
        Way::Moved => "moved",
        Way::New => "new",
        Way::Gone => "gone",
        Way::Same => "same",
    }
}

/// The word for people.
pub fn way(way: Way, lang: Lang) -> &'static str {
    match way {
        Way::Grew => lang.pick("grew", "增大"),
        Way::Shrank => lang.pick("shrank", "减小"),
        Way::Moved => lang.pick("moved", "移动"),
        Way::New => lang.pick("new", "新增"),
        Way::Gone => lang.pick("gone", "消失"),
        Way::Same => lang.pick("same", "不变"),
    }
}

/// The name of a graph's figure, as the logs call it.
pub fn graph_figure(figure: GraphFigure) -> &'static str {
    match figure {
        GraphFigure::AfterReuse => "after_reuse",
        GraphFigure::Total => "total",
        GraphFigure::TheoryMin => "theory_min",
        GraphFigure::ZeroCopy => "zero_copy",
        GraphFigure::NoReuse => "no_reuse",
        GraphFigure::Atomic => "atomic",
        GraphFigure::Continuous => "continuous",
    }
}

/// The name of a pool's figure.
pub fn pool_figure(figure: PoolFigure) -> &'static str {
    match figure {
        PoolFigure::TakenPeak => "taken_peak",
        PoolFigure::LivePeak => "live_peak",
    }
}

/// What a change is about.
pub fn what(what: &What) -> String {
    match what {
        What::Component { module, device, memory_kind } => match device {
            Some(device) => format!("{module} {memory_kind} (device {device})"),
            None => format!("{module} {memory_kind}"),
        },
        What::Class(class) => super::class::name(*class),
        What::Total => String::from("Used total"),
        What::Graph { graph, figure, .. } => format!("{graph} {}", graph_figure(*figure)),
        What::Pool { allocator, figure } => format!("{allocator} {}", pool_figure(*figure)),
        What::Block { node, io, index, .. } => format!("{node} {}[{index}]", io.word()),
    }
}

/// The largest change of a pair, and what happened to its blocks.
pub fn summary(pair: &Pair, lang: Lang) -> String {
    let mut text = match (pair.a, pair.b) {
        (None, _) => lang.pick("Only in the second run.", "仅在第二次运行中。").to_string(),
        (_, None) => lang.pick("Only in the first run.", "仅在第一次运行中。").to_string(),
        _ => {
            let after_reuse =
                |c: &&Change| matches!(c.what, What::Graph { figure: GraphFigure::AfterReuse, .. });
            let figures = pair.components.iter().chain(&pair.classes);
            let figures = figures.chain(pair.graphs.iter().filter(after_reuse)).chain(&pair.pools);
            match figures.filter(|c| c.bytes() != 0).max_by_key(|c| c.bytes().unsigned_abs()) {
                Some(largest) => largest_change(largest, lang),
                None => lang.pick("No figure differs.", "所有指标均无变化。").to_string(),
            }
        }
    };
    if pair.a.is_some() && pair.b.is_some() && pair.blocks.len() + pair.same_blocks > 0 {
        let count = |way| pair.blocks.iter().filter(|c| c.way() == way).count();
        let (grew, shrank, moved) = (count(Way::Grew), count(Way::Shrank), count(Way::Moved));
        let (new, gone, same) = (count(Way::New), count(Way::Gone), pair.same_blocks);
        text += &match lang {
            Lang::En => format!(
                " Blocks: {grew} grew, {shrank} shrank, {moved} moved, {new} new, {gone} gone, {same} the same."
            ),
            Lang::Zh => format!(
                "内存块：{grew} 个增大，{shrank} 个减小，{moved} 个移动，{new} 个新增，{gone} 个消失，{same} 个不变。"
            ),
        };
    }
    text
}

fn largest_change(largest: &Change, lang: Lang) -> String {
    let (name, by) = (what(&largest.what), change(largest.bytes()));
    let size = |point: Option<crate::metrics::compare::Point>| {
        point.map_or_else(|| String::from("–"), |point| exact(point.size))
    };
    let (a, b) = (size(largest.a), size(largest.b));
    match lang {
        Lang::En => format!("Largest change: {name}, {a} → {b}, {by}."),
        Lang::Zh => format!("最大变化：{name}，{a} → {b}，{by}。"),
    }
}
