//! Static graphs and their blocks on two sides. Blocks go by the name of their operator.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Change, GraphFigure, Half, Point, Way, What, joined, largest_first, pairs};
use crate::intern::Interner;
use crate::metrics::static_graph::figures;
use crate::model::static_graph::{Placement, StaticGraph};
use crate::span::Span;
use crate::units::Bytes;

/// Changes of figures, changes of blocks that differ, and how many do not.
pub(super) fn changes(sides: [Half<'_>; 2]) -> (Vec<Change>, Vec<Change>, usize) {
    let [a, b] = sides.map(|(names, process)| (names, process.map_or(&[][..], |p| p.graphs.as_slice())));
    let (mut figures, mut blocks) = (Vec::new(), Vec::new());
    for (of_a, of_b) in pairs::graphs(a, b) {
        let of_a = of_a.and_then(|at| a.1.get(at));
        let of_b = of_b.and_then(|at| b.1.get(at));
        let title = of_b.map(|graph| title(b.0, graph)).or_else(|| of_a.map(|graph| title(a.0, graph)));
        let title = title.unwrap_or_default();
        figures.extend(joined(figure_points(&title, of_a), figure_points(&title, of_b)));
        blocks.extend(joined(block_points(&title, a.0, of_a), block_points(&title, b.0, of_b)));
    }
    let all = blocks.len();
    blocks.retain(|change: &Change| change.way() != Way::Same);
    let same = all - blocks.len();
    (figures, largest_first(blocks), same)
}

/// The name with its compilation, where there was more than one.
fn title(names: &Interner, graph: &StaticGraph) -> String {
    match graph.round {
        0 => names.get(graph.name).to_string(),
        round => alloc::format!("{} #{}", names.get(graph.name), round + 1),
    }
}

/// A replayed graph has no lines.
fn line(span: Span) -> Option<Span> {
    (span.line > 0).then_some(span)
}

fn figure_points(title: &str, graph: Option<&StaticGraph>) -> Vec<(What, Point)> {
    let mut points = Vec::new();
    let Some(graph) = graph else { return points };
    for of_type in figures(graph) {
        let summary = graph.summaries.iter().find(|s| s.memory_type == of_type.memory_type);
        let span = summary.and_then(|s| line(s.span));
        let mut add = |figure, size: Option<Bytes>| {
            let graph = title.to_string();
            let what = What::Graph { graph, memory_type: of_type.memory_type, figure };
            points.extend(size.map(|size| (what, Point { size, offset: None, span })));
        };
        add(GraphFigure::AfterReuse, of_type.after_reuse);
        add(GraphFigure::Total, of_type.total);
        add(GraphFigure::TheoryMin, of_type.theory_min);
        add(GraphFigure::ZeroCopy, of_type.zero_copy);
        add(GraphFigure::NoReuse, of_type.no_reuse);
        add(GraphFigure::Atomic, of_type.atomic);
        add(GraphFigure::Continuous, of_type.continuous);
    }
    points
}

/// One point for each output or workspace: its size from the block assigner's row, its place from the
/// last statement that placed it (plog grammar 3.3).
fn block_points(title: &str, names: &Interner, graph: Option<&StaticGraph>) -> Vec<(What, Point)> {
    let mut points: BTreeMap<What, Point> = BTreeMap::new();
    for block in graph.iter().flat_map(|graph| &graph.blocks) {
        let what = What::Block {
            graph: title.to_string(),
            memory_type: block.memory_type,
            node: names.get(block.node).to_string(),
            io: block.io,
            index: block.index,
            batch: names.get(block.batch).to_string(),
        };
        let offset = block.offset.is_placed().then_some(block.offset);
        let point = Point { size: block.real_size, offset, span: line(block.span) };
        points
            .entry(what)
            .and_modify(|known| {
                known.offset = offset.or(known.offset);
                if block.placement == Placement::Set && block.real_size > Bytes::ZERO {
                    known.size = block.real_size;
                }
            })
            .or_insert(point);
    }
    points.into_iter().collect()
}
