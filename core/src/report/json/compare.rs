//! Two runs side by side as JSON.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::types as wire;
use super::{VERSION, line};
use crate::metrics::compare::{Change, Pair, Point, What};
use crate::report::Query;
use crate::say;
use crate::session::Analysis;

/// The comparison; `docs/json.md` describes it.
pub fn comparison(a: &Analysis, b: &Analysis, pairs: &[Pair], query: &Query) -> String {
    let names = |of: &Analysis| of.sources.iter().map(|source| source.name.clone()).collect();
    let which = |of: &Analysis, place: Option<usize>| {
        let process = place.and_then(|at| of.processes.get(at))?;
        Some(wire::Which { pid: process.id.pid, program: of.names.get(process.program).to_string() })
    };
    let list =
        |changes: &[Change]| -> Vec<wire::Change> { changes.iter().map(|c| change(a, b, c)).collect() };
    let pairs = pairs.iter().map(|pair| wire::Pair {
        a: which(a, pair.a),
        b: which(b, pair.b),
        summary: say::compare::summary(pair, query.lang),
        components: list(&pair.components),
        classes: list(&pair.classes),
        graphs: list(&pair.graphs),
        pools: list(&pair.pools),
        blocks: list(&pair.blocks),
        same_blocks: pair.same_blocks,
    });
    let document = wire::Comparison { gemlens: VERSION, a: names(a), b: names(b), pairs: pairs.collect() };
    // Writing plain data into a string can't fail.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

fn change(a: &Analysis, b: &Analysis, change: &Change) -> wire::Change {
    let point = |of: &Analysis, point: Option<Point>| {
        point.map(|point| wire::Point {
            size_bytes: point.size.0,
            offset: point.offset.map(|offset| offset.0),
            evidence: point.span.map(|span| line(of, span)),
        })
    };
    let mut wire = wire::Change {
        way: say::compare::key(change.way()),
        change_bytes: change.bytes(),
        a: point(a, change.a),
        b: point(b, change.b),
        ..wire::Change::default()
    };
    match &change.what {
        What::Component { module, device, memory_kind } => {
            wire.component = Some(module.clone());
            wire.device = *device;
            wire.memory_kind = Some(memory_kind.clone());
        }
        What::Class(_) | What::Total => wire.class = Some(say::compare::what(&change.what)),
        What::Graph { graph, memory_type, figure } => {
            wire.graph = Some(graph.clone());
            wire.memory_type = Some(*memory_type);
            wire.figure = Some(say::compare::graph_figure(*figure));
        }
        What::Pool { allocator, figure } => {
            wire.allocator = Some(allocator.to_string());
            wire.figure = Some(say::compare::pool_figure(*figure));
        }
        What::Block { graph, memory_type, node, io, index, batch } => {
            wire.graph = Some(graph.clone());
            wire.memory_type = Some(*memory_type);
            wire.node = Some(node.clone());
            wire.io = Some(io.word());
            wire.index = Some(*index);
            wire.batch = Some(batch.clone()).filter(|batch| !batch.is_empty());
        }
    }
    wire
}
