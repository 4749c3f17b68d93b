//! Memory that somebody else wrote over: the findings, who lies beside and who was there before, and
//! lists to bisect.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overview::{chosen, process_title, view};
use super::table::{Cell, Table};
use super::{Document, Part, Query, graph as graphs};
use crate::check::{Evidence, Finding};
use crate::intern::Interner;
use crate::metrics::overlap::{around, lists, overlaps};
use crate::metrics::static_graph::life;
use crate::model::process::Process;
use crate::model::static_graph::{Block, Placement, StaticGraph};
use crate::say::label::Label;
use crate::say::{self, size};
use crate::session::Analysis;

/// Earlier users of the bytes of a block that a row names.
const EARLIER_SHOWN: usize = 5;
/// Blocks whose surroundings are shown, unless more are asked for.
const BLOCKS_SHOWN: usize = 10;

/// The answer as a document.
pub fn document(analysis: &Analysis, findings: &[Finding], op: Option<&str>, query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::new();
    for (number, process) in chosen(analysis, query) {
        let own: Vec<&Finding> = findings.iter().filter(|f| f.process == number).collect();
        let tables = tables(analysis, process, findings, op, query);
        if own.is_empty() && tables.is_empty() && process.graphs.is_empty() {
            continue;
        }
        parts.push(Part::Heading(1, process_title(analysis, process, lang)));
        let looked_at = graphs::chosen(analysis, process, query);
        let blocks = looked_at.iter().map(|graph| graph.blocks.len()).sum();
        let hits = looked_at.iter().map(|graph| overlaps(graph).len()).sum();
        parts.push(Part::Text(say::stomp::looked(looked_at.len(), blocks, hits, lang)));
        parts.extend(own.iter().map(|finding| Part::Finding(view(analysis, finding, lang))));
        // Watching takes the whole name.
        let blocks = process.graphs.iter().flat_map(|graph| &graph.blocks);
        let mut names = blocks.map(|block| analysis.names.get(block.node));
        if let Some(op) = op
            && let Some(name) = names.find(|name| name.contains(op))
        {
            parts.push(Part::Text(say::stomp::watch(name, "", lang)));
        }
        parts.extend(tables.into_iter().map(Part::Table));
    }
    Document { parts }
}

/// Beside and before whom blocks lie, and lists to bisect; those without rows left out.
pub fn tables(
    analysis: &Analysis,
    process: &Process,
    findings: &[Finding],
    op: Option<&str>,
    query: &Query,
) -> Vec<Table> {
    let is_hit =
        |block: &Block| findings.iter().flat_map(|f| &f.evidence).any(|e| *e == Evidence::Line(block.span));
    let is_asked = |block: &Block| match op {
        Some(op) => analysis.names.get(block.node).contains(op),
        None => is_hit(block),
    };
    let surroundings = surroundings(analysis, process, &is_asked, query);
    let tables = [surroundings, bisect(analysis, process, query)];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn surroundings(
    analysis: &Analysis,
    process: &Process,
    is_asked: &dyn Fn(&Block) -> bool,
    query: &Query,
) -> Table {
    let columns = [
        ("graph", Label::Graph),
        ("block", Label::Node),
        ("offset", Label::Offset),
        ("size_bytes", Label::Bytes),
        ("life", Label::Life),
        ("below", Label::Below),
        ("above", Label::Above),
        ("earlier", Label::Earlier),
    ];
    let mut table = Table::new("around", Label::Around.text(query.lang), &columns);
    let shown = match query.top {
        Some(0) => usize::MAX,
        top => top.unwrap_or(BLOCKS_SHOWN),
    };
    for graph in graphs::chosen(analysis, process, query) {
        let of_graph = graph.blocks.iter().enumerate();
        let asked = of_graph.filter(|(_, block)| block.placement == Placement::Set && is_asked(block));
        for (row, block) in asked {
            if table.rows.len() >= shown {
                return table;
            }
            let around = around(graph, row);
            let at = |row: usize| graph.blocks.get(row).map_or(String::new(), |b| title(&analysis.names, b));
            let beside = |found: Option<(usize, crate::units::Bytes)>| {
                Cell::maybe(found, |(row, gap)| Cell::Text(format!("{} (+{})", at(row), size::exact(gap))))
            };
            let mut earlier: Vec<String> =
                around.earlier.iter().take(EARLIER_SHOWN).map(|&r| at(r)).collect();
            if around.earlier.len() > EARLIER_SHOWN {
                earlier.push(String::from("…"));
            }
            let cells = [
                Cell::text(graphs::title(&analysis.names, graph)),
                Cell::text(title(&analysis.names, block)),
                Cell::Place(block.offset),
                Cell::Size(block.size),
                Cell::maybe(life(block), |(begin, end)| {
                    Cell::Text(format!("{begin}→{}", end.map_or(String::from("∞"), |end| end.to_string())))
                }),
                beside(around.below),
                beside(around.above),
                Cell::text(earlier.join(", ")),
            ];
            table.row(Some(block.span), cells);
        }
    }
    table
}

fn title(names: &Interner, block: &Block) -> String {
    format!("{} {}[{}]", names.get(block.node), block.io.word(), block.index)
}

/// Types of operators whose memory is shared, most bytes first, in lists that the variable takes, and
/// the halves of each.
fn bisect(analysis: &Analysis, process: &Process, query: &Query) -> Table {
    let columns = [("round", Label::Round), ("setting", Label::Setting)];
    let mut table = Table::new("bisect", Label::Bisect.text(query.lang), &columns);
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    let all: Vec<&StaticGraph> = graphs::chosen(analysis, process, query);
    for block in all.iter().flat_map(|graph| &graph.blocks).filter(|b| b.flags.reuse && !b.is_ref) {
        *bytes.entry(analysis.names.get(block.op_type)).or_default() += block.real_size.0;
    }
    let mut types: Vec<(&str, u64)> = bytes.into_iter().collect();
    types.sort_by_key(|&(name, bytes)| (core::cmp::Reverse(bytes), name));
    for (number, list) in lists(types.iter().map(|(name, _)| *name)).iter().enumerate() {
        let mut row = |round: String, names: &[&str]| {
            let setting = format!("OP_NO_REUSE_MEM={}", names.join(","));
            table.row(None, [Cell::Text(round), Cell::Text(setting)]);
        };
        row(format!("{}", number + 1), list);
        if list.len() > 1 {
            let (first, second) = list.split_at(list.len() / 2);
            row(format!("{}a", number + 1), first);
            row(format!("{}b", number + 1), second);
        }
    }
    if !table.rows.is_empty() {
        table.notes.push(say::stomp::bisection(query.lang).to_string());
    }
    table
}
