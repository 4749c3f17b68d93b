//! Documents of dump graphs: the overview, a replayed layout, the table of combinations, a comparison.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::table::{Cell, Table};
use super::{Document, Part, Query, graph};
use crate::dump::against::{Comparison, Kind};
use crate::dump::figures::figures;
use crate::dump::{Dump, analysis};
use crate::intern::Interner;
use crate::model::static_graph::{Block, StaticGraph};
use crate::replay::Replayed;
use crate::replay::tune::{Combination, Difference};
use crate::say;
use crate::say::label::Label;
use crate::session::Analysis;

/// Rows of a table of an overview before the rest is left out.
const SHOWN: usize = 10;

fn shown(query: &Query, whole: usize) -> usize {
    match query.top {
        Some(0) => whole,
        top => top.unwrap_or(SHOWN),
    }
}

/// What a dump holds.
pub fn overview(dump: &Dump, query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::from([
        Part::Heading(1, format!("{} {}", Label::Graph.text(lang), dump.graph_name())),
        Part::Text(say::dump::overview(dump, &figures(&dump.model), lang)),
    ]);
    parts.push(Part::Text(match dump.replayer() {
        Ok(_) => String::from(say::dump::can_replay(lang)),
        Err(refusal) => say::dump::refusal(dump, refusal, lang),
    }));
    let places = dump.model.problems.iter().map(|problem| {
        let text = say::dump::problem(problem, lang);
        Part::Text(format!("{}:{}:{}: {text}", dump.name, problem.line, problem.column))
    });
    parts.extend(places);
    parts.extend(overview_tables(dump, query).into_iter().map(Part::Table));
    Document { parts }
}

/// The tables of the overview: bytes by operator type, the largest tensors.
pub fn overview_tables(dump: &Dump, query: &Query) -> Vec<Table> {
    let lang = query.lang;
    let names = &dump.model.names;
    let figures = figures(&dump.model);
    let columns = [
        ("type", Label::OpType),
        ("count", Label::Count),
        ("output_bytes", Label::Outputs),
        ("workspace_bytes", Label::Workspaces),
    ];
    let mut types = Table::new("types", Label::OpTypes.text(lang), &columns);
    for of_type in figures.types.iter().take(shown(query, figures.types.len())) {
        let cells = [
            Cell::text(names.get(of_type.op_type)),
            Cell::Count(of_type.count as u64),
            Cell::Size(of_type.outputs),
            Cell::Size(of_type.workspaces),
        ];
        types.row(None, cells);
    }
    let columns = [
        ("node", Label::Node),
        ("io", Label::Io),
        ("size_bytes", Label::Bytes),
        ("dtype", Label::Dtype),
        ("shape", Label::Shape),
        ("type", Label::OpType),
    ];
    let mut tensors = Table::new("tensors", Label::LargestTensors.text(lang), &columns);
    for tensor in figures.tensors_by_size.iter().take(shown(query, figures.tensors_by_size.len())) {
        let dims: Vec<String> = tensor.dims.iter().map(ToString::to_string).collect();
        let cells = [
            Cell::text(names.get(tensor.node)),
            Cell::Text(format!("output_{}", tensor.index)),
            Cell::Size(tensor.size),
            Cell::text(names.get(tensor.dtype)),
            Cell::Text(format!("[{}]", dims.join(","))),
            Cell::text(names.get(tensor.op_type)),
        ];
        tensors.row(Some(tensor.span), cells);
    }
    Vec::from([types, tensors])
}

/// A replayed layout: the figures, and every row by offset.
pub fn replay(dump: &Dump, replayed: &Replayed, query: &Query) -> Document {
    let lang = query.lang;
    let mut parts =
        Vec::from([Part::Heading(1, format!("{} {}", Label::Graph.text(lang), dump.graph_name()))]);
    parts.extend(say::dump::approximate(&replayed.notes, lang).map(Part::Text));
    let analysis = analysis(dump, &replayed.names, replayed.layout.clone());
    parts.extend(replay_tables(&analysis, query).into_iter().map(Part::Table));
    Document { parts }
}

/// The tables of a replayed layout.
pub fn replay_tables(analysis: &Analysis, query: &Query) -> Vec<Table> {
    let Some(process) = analysis.processes.first() else { return Vec::new() };
    let mut tables: Vec<Table> = graph::figures_table(analysis, process, query).into_iter().collect();
    for layout in &process.graphs {
        tables.extend(graph::offsets(analysis, layout, query));
    }
    tables
}

/// The table of combinations.
pub fn tune_table(combinations: &[Combination], query: &Query) -> Table {
    let columns = [
        ("total_bytes", Label::Total),
        ("after_reuse_bytes", Label::AfterReuse),
        ("theory_min_bytes", Label::TheoryMin),
        ("atomic_bytes", Label::Atomic),
        ("zero_copy_bytes", Label::ZeroCopy),
        ("streams", Label::Streams),
        ("topo", Label::Topo),
        ("mop", Label::Mop),
        ("settings", Label::Setting),
    ];
    let mut table = Table::new("combinations", Label::Combinations.text(query.lang), &columns);
    for combination in combinations {
        let topo = combination.options.topo;
        let number = topo.number().map_or(String::new(), |number| number.to_string());
        let policy = combination.options.policy_word();
        let cells = [
            Cell::Size(combination.total),
            Cell::Size(combination.after_reuse),
            Cell::Size(combination.theory_min),
            Cell::Size(combination.areas.atomic),
            Cell::Size(combination.areas.zero_copy),
            Cell::Count(combination.streams),
            Cell::Text(format!("{number}({})", topo.word())),
            Cell::text(policy),
            Cell::Text(settings(combination)),
        ];
        table.row(None, cells);
    }
    table
}

/// `ge.topoSortingMode=1 ge.exec.memoryOptimizationPolicy=MemoryPriority`
pub fn settings(combination: &Combination) -> String {
    let list: Vec<String> =
        combination.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
    list.join(" ")
}

/// The combinations, the best as an option string, and what makes the difference.
pub fn tune(dump: &Dump, combinations: &[Combination], explained: Option<&Table>, query: &Query) -> Document {
    let lang = query.lang;
    let mut parts =
        Vec::from([Part::Heading(1, format!("{} {}", Label::Graph.text(lang), dump.graph_name()))]);
    parts.push(Part::Table(tune_table(combinations, query)));
    if let Some(best) = combinations.first() {
        parts.extend(say::dump::best(&settings(best), lang).lines().map(|line| Part::Text(line.into())));
    }
    parts.extend(explained.cloned().map(Part::Table));
    Document { parts }
}

/// Which blocks make the difference between two layouts.
pub fn explain_table(differences: &[Difference], query: &Query) -> Table {
    let columns = [
        ("node", Label::Node),
        ("io", Label::Io),
        ("best_bytes", Label::Best),
        ("worst_bytes", Label::Worst),
        ("difference_bytes", Label::Gap),
    ];
    let mut table = Table::new("differences", say::dump::explained(query.lang), &columns);
    for difference in differences.iter().take(shown(query, differences.len())) {
        let (first, second) = (difference.first, difference.second);
        let gap = i128::from(second.0) - i128::from(first.0);
        let cells = [
            Cell::text(difference.node.as_str()),
            Cell::Text(format!("{}_{}", difference.io.word(), difference.index)),
            Cell::Size(first),
            Cell::Size(second),
            Cell::Number(i64::try_from(gap).unwrap_or(i64::MAX)),
        ];
        table.row(None, cells);
    }
    table
}

/// A replay against a log.
pub fn against(
    comparison: &Comparison,
    here: (&StaticGraph, &Interner),
    there: (&StaticGraph, &Interner),
    query: &Query,
) -> Document {
    let lang = query.lang;
    let different = comparison.count(&[Kind::Fact, Kind::Flag, Kind::Place]);
    let only = |kind| comparison.count(&[kind]);
    let counts =
        say::dump::compared(comparison.equal, different, only(Kind::OnlyHere), only(Kind::OnlyThere), lang);
    let mut parts = Vec::from([Part::Text(counts)]);
    let table = against_table(comparison, here, there, query);
    if !table.rows.is_empty() {
        parts.push(Part::Table(table));
    }
    Document { parts }
}

/// Every row that isn't equal, first causes first; the line of a row is the log's.
pub fn against_table(
    comparison: &Comparison,
    (here, here_names): (&StaticGraph, &Interner),
    (there, there_names): (&StaticGraph, &Interner),
    query: &Query,
) -> Table {
    let columns = [
        ("node", Label::Node),
        ("io", Label::Io),
        ("result", Label::Kind),
        ("differences", Label::Differences),
    ];
    let mut table = Table::new("against", Label::Differences.text(query.lang), &columns);
    for (memory_type, name, a, b) in &comparison.summaries {
        let cells = [
            Cell::Text(format!("memtype {memory_type}")),
            Cell::Empty,
            Cell::text("summary"),
            Cell::Text(format!("{name} {a} / {b}")),
        ];
        table.row(None, cells);
    }
    for difference in comparison.differences.iter().take(shown(query, comparison.differences.len())) {
        let row = |graph: &StaticGraph, at: Option<usize>| at.and_then(|at| graph.blocks.get(at)).cloned();
        let (a, b) = (row(here, difference.here), row(there, difference.there));
        let named =
            |block: &Block, names: &Interner| (names.get(block.node).to_string(), graph::io_text(block));
        let of_log = b.as_ref().map(|block| named(block, there_names));
        let Some((node, io)) = a.as_ref().map(|block| named(block, here_names)).or(of_log) else { continue };
        let list: Vec<String> =
            difference.fields.iter().map(|(name, a, b)| format!("{name} {a} / {b}")).collect();
        let word = match difference.kind {
            Kind::OnlyThere => "only_in_log",
            Kind::OnlyHere => "only_in_replay",
            Kind::Fact => "fact",
            Kind::Flag => "flag",
            Kind::Place => "place",
        };
        let cells = [Cell::Text(node), Cell::Text(io), Cell::text(word), Cell::text(list.join(", "))];
        table.row(b.map(|block| block.span), cells);
    }
    table
}
