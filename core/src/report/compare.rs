//! Two runs side by side: tables of what grew, shrank, moved, came and went.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overview::process_title;
use super::table::{Cell, Table};
use super::{Document, Part, Query};
use crate::metrics::compare::{Change, Pair, Point, Side, What, compare};
use crate::say::label::Label;
use crate::say::{self, Lang};
use crate::session::Analysis;
use crate::span::Span;

/// Blocks shown before the rest is only counted.
const BLOCKS_SHOWN: usize = 10;

/// Compares two analyses; of each, only the processes that the query asks for.
pub fn pairs(a: &Analysis, b: &Analysis, query: &Query) -> Vec<Pair> {
    let side = |of: &'_ Analysis| -> Vec<usize> {
        super::overview::chosen(of, query).into_iter().map(|(number, _)| number).collect()
    };
    let (of_a, of_b) = (side(a), side(b));
    let mut pairs = compare(whole(a), whole(b));
    let is_asked = |place: Option<usize>, chosen: &[usize]| place.is_some_and(|at| chosen.contains(&at));
    pairs.retain(|pair| is_asked(pair.a, &of_a) || is_asked(pair.b, &of_b));
    if let Some(part) = &query.graph {
        for pair in &mut pairs {
            pair.graphs.retain(|change| is_of_graph(change, part));
            pair.blocks.retain(|change| is_of_graph(change, part));
        }
    }
    pairs
}

fn whole(analysis: &Analysis) -> Side<'_> {
    Side { names: &analysis.names, processes: &analysis.processes }
}

fn is_of_graph(change: &Change, part: &str) -> bool {
    matches!(&change.what, What::Graph { graph, .. } | What::Block { graph, .. } if graph.contains(part))
}

/// The comparison as a document.
pub fn document(a: &Analysis, b: &Analysis, pairs: &[Pair], query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::new();
    for pair in pairs {
        parts.push(Part::Heading(1, title(a, b, pair, lang)));
        parts.push(Part::Text(say::compare::summary(pair, lang)));
        parts.extend(tables(a, b, pair, query).into_iter().map(Part::Table));
    }
    if parts.is_empty() {
        parts.push(Part::Text(String::from(
            lang.pick("Nothing about memory on either side.", "两侧均没有内存信息。"),
        )));
    }
    Document { parts }
}

/// Which processes a pair is about.
pub fn title(a: &Analysis, b: &Analysis, pair: &Pair, lang: Lang) -> String {
    let of = |analysis: &Analysis, place: Option<usize>| {
        let process = place.and_then(|at| analysis.processes.get(at));
        process.map_or_else(|| String::from("–"), |process| process_title(analysis, process, lang))
    };
    format!("{} ⇄ {}", of(a, pair.a), of(b, pair.b))
}

/// The tables of one pair, those without rows left out.
pub fn tables(a: &Analysis, b: &Analysis, pair: &Pair, query: &Query) -> Vec<Table> {
    let lang = query.lang;
    let both = Both { a, b, lang };
    let shown = match query.top {
        Some(0) => usize::MAX,
        top => top.unwrap_or(BLOCKS_SHOWN),
    };
    let components =
        both.table("compare_components", Label::Components, &[("what", Label::Component)], false);
    let classes = both.table("compare_classes", Label::Classes, &[("what", Label::Class)], false);
    let of_graph = [("what", Label::Graph), ("memory_type", Label::MemoryType), ("figure", Label::Figure)];
    let graphs = both.table("compare_graphs", Label::Graphs, &of_graph, false);
    let of_pool = [("what", Label::Allocator), ("figure", Label::Figure)];
    let pools = both.table("compare_pools", Label::Pools, &of_pool, false);
    let of_block = [("graph", Label::Graph), ("memory_type", Label::MemoryType), ("what", Label::Node)];
    let blocks = both.table("compare_blocks", Label::ChangedBlocks, &of_block, true);
    let fill = |mut table: Table, changes: &[Change], shown: usize| {
        for change in changes.iter().take(shown) {
            table.row(None, both.cells(change));
        }
        let hidden = changes.len().saturating_sub(shown);
        if hidden > 0 {
            table.notes.push(match lang {
                Lang::En => format!("… and {hidden} more."),
                Lang::Zh => format!("……另有 {hidden} 个。"),
            });
        }
        table
    };
    let all = [
        fill(components, &pair.components, usize::MAX),
        fill(classes, &pair.classes, usize::MAX),
        fill(graphs, &pair.graphs, usize::MAX),
        fill(pools, &pair.pools, usize::MAX),
        fill(blocks, &pair.blocks, shown),
    ];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

struct Both<'a> {
    a: &'a Analysis,
    b: &'a Analysis,
    lang: Lang,
}

impl Both<'_> {
    fn table(
        &self,
        key: &'static str,
        label: Label,
        front: &[(&'static str, Label)],
        with_offsets: bool,
    ) -> Table {
        let mut columns = front.to_vec();
        columns.extend([
            ("a_bytes", Label::Before),
            ("b_bytes", Label::After),
            ("change_bytes", Label::Change),
        ]);
        columns.push(("way", Label::Way));
        if with_offsets {
            columns.extend([("a_offset", Label::OffsetBefore), ("b_offset", Label::OffsetAfter)]);
        }
        columns.extend([("a_line", Label::LineBefore), ("b_line", Label::LineAfter)]);
        Table::new(key, label.text(self.lang), &columns)
    }

    fn cells(&self, change: &Change) -> Vec<Cell> {
        let mut cells = Vec::new();
        match &change.what {
            What::Graph { graph, memory_type, figure } => cells.extend([
                Cell::text(graph.as_str()),
                Cell::Count(*memory_type),
                Cell::text(say::compare::graph_figure(*figure)),
            ]),
            What::Pool { allocator, figure } => cells
                .extend([Cell::text(allocator.to_string()), Cell::text(say::compare::pool_figure(*figure))]),
            What::Block { graph, memory_type, .. } => cells.extend([
                Cell::text(graph.as_str()),
                Cell::Count(*memory_type),
                Cell::text(say::compare::what(&change.what)),
            ]),
            other => cells.push(Cell::text(say::compare::what(other))),
        }
        let size = |point: Option<Point>| Cell::maybe(point, |point| Cell::Size(point.size));
        cells.extend([size(change.a), size(change.b), Cell::Change(change.bytes())]);
        cells.push(Cell::text(say::compare::way(change.way(), self.lang)));
        if matches!(change.what, What::Block { .. }) {
            let offset =
                |point: Option<Point>| Cell::maybe(point.and_then(|point| point.offset), Cell::Place);
            cells.extend([offset(change.a), offset(change.b)]);
        }
        let line = |analysis: &Analysis, point: Option<Point>| {
            Cell::maybe(point.and_then(|point| point.span), |span| Cell::Text(place(analysis, span)))
        };
        cells.extend([line(self.a, change.a), line(self.b, change.b)]);
        cells
    }
}

/// `file:line`
fn place(analysis: &Analysis, span: Span) -> String {
    let source = analysis.sources.get(span.source.0 as usize);
    let name = source.map_or("?", |source| source.name.as_str());
    format!("{}:{}", name.rsplit('/').next().unwrap_or(name), span.line)
}
