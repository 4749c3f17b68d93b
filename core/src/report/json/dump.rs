//! Dump graphs, replays and combinations as JSON, documented in `docs/json.md`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::{VERSION, graph_of};
use crate::dump::against::{Comparison, Kind};
use crate::dump::figures::figures;
use crate::dump::{Dump, analysis, stage};
use crate::graph::model::Form;
use crate::replay::tune::Combination;
use crate::replay::{Options, Replayed};
use crate::report::table::{Cell, Table};
use crate::report::{Query, dump as report};
use crate::say;
use crate::say::Lang;

fn written(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn head(dump: &Dump) -> Value {
    json!({
        "file": dump.name,
        "size_bytes": dump.size,
        "form": match dump.model.form { Form::GeProto => "ge_proto", Form::GeOnnx => "ge_onnx" },
        "stage": stage::of_file(&dump.name).stage,
        "graph": dump.graph_name(),
    })
}

/// What a dump holds, and what a replay could use of it.
pub fn dump_graph(dump: &Dump, query: &Query) -> String {
    let of = figures(&dump.model);
    let refusal = dump.replayer().err().map(|why| say::dump::refusal(dump, why, query.lang));
    let problems: Vec<Value> = dump
        .model
        .problems
        .iter()
        .map(|problem| {
            json!({
                "line": problem.line,
                "column": problem.column,
                "expected": say::dump::problem(problem, query.lang),
            })
        })
        .collect();
    let tables: Vec<Value> = report::overview_tables(dump, query).iter().map(table).collect();
    written(&json!({
        "gemlens": VERSION,
        "dump": head(dump),
        "dynamic": of.first_dynamic.is_some(),
        "nodes": of.nodes,
        "edges": of.edges,
        "control_edges": of.control_edges,
        "subgraphs": of.subgraphs,
        "streams": of.streams,
        "outputs": of.tensors,
        "outputs_with_size": of.sized_tensors,
        "nodes_with_engine": of.with_engine,
        "nodes_with_offsets": of.with_offsets,
        "can_replay": refusal.is_none(),
        "refusal": refusal,
        "problems": problems,
        "tables": tables,
    }))
}

/// A replayed layout: the graph in the form of the analysis, and how far the replay can be trusted.
pub fn replay(dump: &Dump, replayed: &Replayed, options: &Options, query: &Query) -> String {
    let whole = analysis(dump, &replayed.names, replayed.layout.clone());
    let graph = whole.processes.first().and_then(|process| process.graphs.first());
    let graph = graph.map(|graph| graph_of(&whole, graph));
    let areas = replayed.areas;
    written(&json!({
        "gemlens": VERSION,
        "dump": head(dump),
        "topo": options.topo.number(),
        "mop": options.policy_word(),
        "approximate": reasons(replayed, query.lang),
        "areas": {
            "blocks_bytes": areas.blocks.0,
            "buffer_pool_bytes": areas.buffer_pool.0,
            "atomic_bytes": areas.atomic.0,
            "zero_copy_bytes": areas.zero_copy.0,
        },
        "graph": serde_json::to_value(graph).unwrap_or_default(),
    }))
}

fn reasons(replayed: &Replayed, lang: Lang) -> Vec<&'static str> {
    replayed.notes.iter().map(|&note| say::dump::note(note, lang)).collect()
}

/// All combinations, the best first.
pub fn tune(dump: &Dump, combinations: &[Combination], explained: Option<&Table>) -> String {
    let list: Vec<Value> = combinations
        .iter()
        .map(|of| {
            json!({
                "topo": of.options.topo.number(),
                "mop": of.options.policy_word(),
                "total_bytes": of.total.0,
                "after_reuse_bytes": of.after_reuse.0,
                "theory_min_bytes": of.theory_min.0,
                "atomic_bytes": of.areas.atomic.0,
                "zero_copy_bytes": of.areas.zero_copy.0,
                "streams": of.streams,
                "settings": of.settings().into_iter().collect::<alloc::collections::BTreeMap<_, _>>(),
            })
        })
        .collect();
    written(&json!({
        "gemlens": VERSION,
        "dump": head(dump),
        "combinations": list,
        "best": combinations.first().map(report::settings),
        "differences": explained.map(table),
    }))
}

/// A replay against a log: the counts, and the rows that aren't equal.
pub fn against(comparison: &Comparison, tables: &[Table]) -> String {
    written(&json!({
        "gemlens": VERSION,
        "is_equal": comparison.is_equal(),
        "equal": comparison.equal,
        "different": comparison.count(&[Kind::Fact, Kind::Flag, Kind::Place]),
        "only_in_replay": comparison.count(&[Kind::OnlyHere]),
        "only_in_log": comparison.count(&[Kind::OnlyThere]),
        "tables": tables.iter().map(table).collect::<Vec<_>>(),
    }))
}

fn table(table: &Table) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let cells = table.columns.iter().zip(&row.cells);
            let object: Map<String, Value> = cells
                .filter(|(_, cell)| !matches!(cell, Cell::Empty))
                .map(|(column, cell)| {
                    let value = match cell {
                        Cell::Size(size) => size.0.into(),
                        Cell::Count(count) => (*count).into(),
                        Cell::Number(number) => (*number).into(),
                        other => other.for_programs().into(),
                    };
                    (column.key.to_string(), value)
                })
                .collect();
            Value::Object(object)
        })
        .collect();
    json!({ "key": table.key, "rows": rows })
}
