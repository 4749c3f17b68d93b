//! Which tables of the core answer which verb.

use gemlens_core::model::process::Process;
use gemlens_core::model::static_graph::StaticGraph;
use gemlens_core::report::table::Table;
use gemlens_core::report::{
    self, Document, Part, Query, address, args, class, component, graph, launches, overview, pool,
};
use gemlens_core::session::Analysis;

use super::command::Verb;

/// How a table is made.
enum Build {
    OfProcess(fn(&Analysis, &Process, &Query) -> Option<Table>),
    OfGraph(fn(&Analysis, &StaticGraph, &Query) -> Option<Table>),
    Several(fn(&Analysis, &Process, &Query) -> Vec<Table>),
}

/// The tables of a verb, in order.
fn builds(verb: Verb) -> &'static [Build] {
    use Build::{OfGraph, OfProcess, Several};
    match verb {
        Verb::Analyze => &[
            OfProcess(component::table),
            OfProcess(class::table),
            OfProcess(graph::figures_table),
            OfGraph(graph::operators),
            OfProcess(|analysis, process, query| pool::pools(process, &analysis.names, query)),
            OfProcess(|_, process, query| address::bases(process, query)),
        ],
        Verb::Total => &[OfProcess(class::table)],
        Verb::Ops => &[OfGraph(graph::operators)],
        Verb::Offset => &[OfGraph(graph::offsets)],
        Verb::Addr => &[OfProcess(address::addresses)],
        Verb::Var => &[OfProcess(address::variables)],
        Verb::Base => &[OfProcess(|_, process, query| address::bases(process, query))],
        Verb::Args => &[Several(args::of_process)],
        Verb::Launches => &[Several(launches::of_process)],
        Verb::Pool => &[
            OfProcess(|analysis, process, query| pool::pools(process, &analysis.names, query)),
            OfProcess(|_, process, query| pool::addresses(process, query)),
        ],
        Verb::Whose
        | Verb::Check
        | Verb::Report
        | Verb::Explain
        | Verb::Compare
        | Verb::Rules
        | Verb::Stomp
        | Verb::Doctor
        | Verb::Graph
        | Verb::Replay
        | Verb::Tune => &[],
    }
}

/// A table and what it is about.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) pid: Option<i64>,
    pub(super) graph: Option<String>,
    pub(super) table: Table,
}

/// The tables of a verb for all processes asked for, each process under its place in the analysis.
pub(super) fn tables(verb: Verb, analysis: &Analysis, query: &Query) -> Vec<(usize, Vec<Placed>)> {
    overview::chosen(analysis, query)
        .into_iter()
        .map(|(number, process)| {
            let mut placed = Vec::new();
            for build in builds(verb) {
                let mut keep = |graph, table: Option<Table>| {
                    placed.extend(table.map(|table| Placed { pid: process.id.pid, graph, table }));
                };
                match build {
                    Build::OfProcess(build) => keep(None, build(analysis, process, query)),
                    Build::Several(build) => {
                        for table in build(analysis, process, query) {
                            keep(None, Some(table));
                        }
                    }
                    Build::OfGraph(build) => {
                        for graph in graph::chosen(analysis, process, query) {
                            let title = graph::title(&analysis.names, graph);
                            keep(Some(title), build(analysis, graph, query));
                        }
                    }
                }
            }
            (number, placed)
        })
        .filter(|(_, placed)| !placed.is_empty())
        .collect()
}

/// What processes say of one address; nothing where the text is no address.
pub(super) fn whose(
    asked: &str,
    at: Option<&str>,
    analysis: &Analysis,
    query: &Query,
) -> Vec<(usize, Vec<Placed>)> {
    let Ok(answers) = report::whose::answers(analysis, asked, at, query) else { return Vec::new() };
    answers
        .iter()
        .map(|found| {
            let pid = analysis.processes.get(found.process).and_then(|process| process.id.pid);
            let tables = report::whose::tables(analysis, found, query).into_iter();
            (found.process, tables.map(|table| Placed { pid, graph: None, table }).collect())
        })
        .collect()
}

/// What a verb says of each process, each process under its place in the analysis.
pub(super) fn each(
    analysis: &Analysis,
    query: &Query,
    build: &dyn Fn(&Process) -> Vec<Table>,
) -> Vec<(usize, Vec<Placed>)> {
    let chosen = overview::chosen(analysis, query).into_iter();
    let placed = |process: &Process| {
        let pid = process.id.pid;
        build(process).into_iter().map(|table| Placed { pid, graph: None, table }).collect()
    };
    chosen.map(|(number, process)| (number, placed(process))).collect()
}

/// The tables as a document: each process under its title.
pub(super) fn document(tables: &[(usize, Vec<Placed>)], analysis: &Analysis, query: &Query) -> Document {
    let mut parts = Vec::new();
    for (number, placed) in tables {
        if let Some(process) = analysis.processes.get(*number) {
            parts.push(Part::Heading(1, overview::process_title(analysis, process, query.lang)));
        }
        parts.extend(placed.iter().map(|placed| Part::Table(placed.table.clone())));
    }
    Document { parts }
}
