//! The analysis as JSON: stable, versioned, documented in `docs/json.md`.
//!
//! The types here are the wire's own, so that a field of the model can be renamed without
//! breaking a saved file.

mod compare;
mod dump;
mod types;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use self::compare::comparison;
pub use self::dump::{against, dump_graph, replay, tune};
use self::types as wire;
use super::graph::chosen as chosen_graphs;
use super::overview::{chosen, view};
use super::{Query, graph};
use crate::check::{Evidence, Finding};
use crate::metrics::pool::{self, Verdict};
use crate::metrics::{address, class, component, operator_table, static_graph};
use crate::model::process::Process;
use crate::model::static_graph::{Block, StaticGraph};
use crate::model::variable::Place;
use crate::say;
use crate::session::Analysis;
use crate::span::Span;

/// The version of the form; a change that breaks readers raises it.
pub const VERSION: u32 = 1;

/// The whole analysis. `evidence` gives the words of a line where the face can read them again.
pub fn analysis(
    analysis: &Analysis,
    findings: &[Finding],
    query: &Query,
    evidence: &dyn Fn(Span) -> Option<String>,
) -> String {
    let document = wire::Analysis {
        gemlens: VERSION,
        sources: analysis.sources.iter().map(|s| source(analysis, s)).collect(),
        processes: chosen(analysis, query)
            .into_iter()
            .map(|(number, process)| {
                let own = findings.iter().filter(|f| f.process == number);
                wire::Process {
                    findings: own.map(|f| finding(analysis, f, query, evidence)).collect(),
                    ..process_of(analysis, process, query)
                }
            })
            .collect(),
    };
    // Writing plain data into a string can't fail.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The findings alone, as an array.
pub fn findings(
    analysis: &Analysis,
    findings: &[Finding],
    query: &Query,
    evidence: &dyn Fn(Span) -> Option<String>,
) -> String {
    let list: Vec<_> = findings.iter().map(|f| finding(analysis, f, query, evidence)).collect();
    serde_json::to_string_pretty(&list).unwrap_or_default()
}

/// Tables as `{ "gemlens": 1, "tables": [ { "key", "columns", "rows" } ] }`; each row is an object
/// of column name to value, with the line it was read from.
pub fn tables(analysis: &Analysis, tables: &[super::table::Table]) -> String {
    let list: Vec<wire::Table> = tables
        .iter()
        .map(|table| wire::Table {
            key: table.key,
            title: table.title.clone(),
            columns: table.columns.iter().map(|column| column.key).collect(),
            rows: table.rows.iter().map(|row| wire::row(analysis, table, row)).collect(),
            notes: table.notes.clone(),
        })
        .collect();
    serde_json::to_string_pretty(&wire::Tables { gemlens: VERSION, tables: list }).unwrap_or_default()
}

fn source(analysis: &Analysis, source: &crate::session::Source) -> wire::Source {
    let repeats = source.repeats.and_then(|kept| analysis.sources.get(kept.0 as usize));
    wire::Source {
        file: source.name.clone(),
        size_bytes: source.size,
        lines: source.line_count,
        understood: source.lines.known,
        cut: source.lines.cut,
        unread: source.lines.unread,
        foreign: source.lines.foreign,
        same_content_as: repeats.map(|kept| kept.name.clone()),
    }
}

pub(super) fn line(analysis: &Analysis, span: Span) -> wire::Line {
    let source = analysis.sources.get(span.source.0 as usize);
    wire::Line { file: source.map_or(String::new(), |s| s.name.clone()), line: span.line }
}

fn finding(
    analysis: &Analysis,
    finding: &Finding,
    query: &Query,
    evidence: &dyn Fn(Span) -> Option<String>,
) -> wire::Finding {
    let view = view(analysis, finding, query.lang);
    wire::Finding {
        code: view.code,
        rule: finding.rule.name,
        severity: view.severity.key(),
        by_design: view.by_design,
        sentence: view.sentence,
        meaning: view.meaning,
        formula: view.formula,
        remedies: view.remedies,
        settings: view.settings,
        anchor: finding.rule.anchor(),
        evidence: view
            .evidence
            .iter()
            .map(|item| match item {
                Evidence::Line(span) => {
                    wire::Evidence::Line { at: line(analysis, *span), text: evidence(*span) }
                }
                Evidence::Absent { text, lines } => wire::Evidence::Absent { absent: text, lines: *lines },
            })
            .collect(),
    }
}

fn process_of(analysis: &Analysis, process: &Process, query: &Query) -> wire::Process {
    let names = &analysis.names;
    let total = class::total(&process.allocations, names);
    wire::Process {
        pid: process.id.pid,
        program: names.get(process.program).to_string(),
        root: names.get(process.id.root).to_string(),
        first_time: process.times.map(|(first, _)| first.to_string()),
        last_time: process.times.map(|(_, last)| last.to_string()),
        lines_written_twice: process.twins,
        components: component::rows(&process.components, names)
            .iter()
            .map(|row| wire::Component {
                component: names.get(row.peak.counted.module).to_string(),
                module_id: row.peak.counted.module_id,
                device: row.peak.counted.device,
                memory_kind: names.get(row.peak.counted.memory_kind).to_string(),
                peak_bytes: row.peak.peak.0,
                current_bytes: row.last.current.0,
                allocations: row.last.counts.map(|c| c.0),
                frees: row.last.counts.map(|c| c.1),
                evidence: line(analysis, row.peak.span),
            })
            .collect(),
        device_processes: process
            .components
            .device_processes
            .iter()
            .map(|p| wire::DeviceProcess {
                component: names.get(p.module).to_string(),
                module_id: p.module_id,
                device: p.device,
                size_bytes: p.size.0,
                evidence: line(analysis, p.span),
            })
            .collect(),
        total: wire::Total {
            peak_bytes: total.peak.0,
            held_bytes: total.held.0,
            device_total_bytes: process.allocations.device_total.map(|(size, _)| size.0),
            static_memory_policy: process.options.static_policy.map(|p| p.value),
            physical_pages_peak_bytes: total.pages.map(|(size, _)| size.0),
            classes: total
                .rows
                .iter()
                .map(|row| wire::Class {
                    class: say::class::name(row.class),
                    of_ge: row.class.is_ge(),
                    peak_bytes: row.peak.0,
                    held_bytes: row.held.0,
                    taken_bytes: row.taken.0,
                    count: row.count,
                    evidence: line(analysis, row.largest),
                })
                .collect(),
        },
        graphs: chosen_graphs(analysis, process, query).into_iter().map(|g| graph_of(analysis, g)).collect(),
        pools: pool::figures(process).iter().map(|figures| pool_of(analysis, figures)).collect(),
        variables: process
            .variables
            .iter()
            .map(|v| wire::Variable {
                session: v.session,
                variable: names.get(v.node).to_string(),
                output: v.output,
                offset: match v.place {
                    Place::Offset(offset) => Some(offset.0),
                    _ => None,
                },
                address: match v.place {
                    Place::Device(address) | Place::Host(address) => Some(address.to_string()),
                    Place::Offset(_) => None,
                },
                on_host: matches!(v.place, Place::Host(_)),
                size_bytes: v.size.map(|size| size.0),
                realsize_bytes: v.real_size.map(|size| size.0),
                shares: Some(names.get(v.reuse_of)).filter(|n| !n.is_empty()).map(ToString::to_string),
                evidence: line(analysis, v.span),
            })
            .collect(),
        areas: process
            .regions
            .regions
            .iter()
            .map(|r| wire::Area {
                graph_id: r.graph,
                area: r.area.letter(),
                memory_type: r.memory_type,
                base: r.base.to_string(),
                size_bytes: r.size.0,
                evidence: line(analysis, r.span),
            })
            .collect(),
        addresses: address::placed(&process.regions)
            .iter()
            .map(|row| wire::Address {
                graph_id: row.line.graph,
                node: names.get(row.line.node).to_string(),
                io: row.line.io.word(),
                index: row.line.index,
                area: row.line.area.letter(),
                address: row.line.address.to_string(),
                size_bytes: row.line.size.map(|size| size.0),
                offset: row.distance.map(|offset| offset.0),
                agrees_with_compiled_offset: row.agrees(),
                evidence: line(analysis, row.line.span),
            })
            .collect(),
        findings: Vec::new(),
    }
}

fn pool_of(analysis: &Analysis, figures: &pool::Figures) -> wire::Pool {
    let (verdict, excess) = match figures.verdict {
        Verdict::Unknown => ("unknown", None),
        Verdict::Exact => ("exact", None),
        Verdict::Step { .. } => ("granularity_step", None),
        Verdict::Fragmentation { excess, .. } => ("fragmentation", Some(excess.0)),
    };
    let evidence = figures.summary.or(figures.live_peak.map(|peak| peak.span));
    wire::Pool {
        allocator: figures.allocator.to_string(),
        blocks: figures.hand_outs,
        returns: figures.returns,
        addresses: figures.addresses,
        live_peak_bytes: figures.live_peak.map(|peak| peak.size.0),
        theory_min_bytes: figures.theory_min.map(|size| size.0),
        real_theory_min_bytes: figures.real_theory_min.map(|size| size.0),
        taken_peak_bytes: figures.taken_peak.map(|(taken, _)| taken.0),
        unit_bytes: figures.unit.size.0,
        gap_bytes: figures.gap().map(|size| size.0),
        verdict,
        fragmentation_bytes: excess,
        reach_theory_rate: figures.reach_theory_rate(),
        evidence: evidence.map(|span| line(analysis, span)),
    }
}

fn graph_of(analysis: &Analysis, graph: &StaticGraph) -> wire::Graph {
    let names = &analysis.names;
    wire::Graph {
        graph: names.get(graph.name).to_string(),
        compilation: graph.round + 1,
        figures: static_graph::figures(graph)
            .iter()
            .map(|f| {
                let summary = graph.summaries.iter().find(|s| s.memory_type == f.memory_type);
                let text = |field: fn(&crate::model::static_graph::Summary) -> crate::intern::Name| {
                    summary.map_or(String::new(), |s| names.get(field(s)).to_string())
                };
                wire::Figures {
                    memory_type: f.memory_type,
                    total_bytes: f.total.map(|n| n.0),
                    after_reuse_bytes: f.after_reuse.map(|n| n.0),
                    theory_min_bytes: f.theory_min.map(|n| n.0),
                    reuse_rate: f.reuse_rate(),
                    reach_theory_rate: f.reach_theory_rate(),
                    zero_copy_bytes: f.zero_copy.map(|n| n.0),
                    no_reuse_bytes: f.no_reuse.map(|n| n.0),
                    atomic_bytes: f.atomic.map(|n| n.0),
                    continuous_bytes: f.continuous.map(|n| n.0),
                    streams: f.streams,
                    topo: text(|s| s.topo_mode),
                    mop: text(|s| s.memory_policy),
                    smp: text(|s| s.static_policy),
                    from_summary_line_only: f.from_summary_only,
                    evidence: summary.map(|s| line(analysis, s.span)),
                }
            })
            .collect(),
        operators: operator_table::entries(graph).iter().map(|entry| entry.block).collect(),
        blocks: graph.blocks.iter().map(|b| block(analysis, b)).collect(),
    }
}

fn block(analysis: &Analysis, block: &Block) -> wire::Block {
    let names = &analysis.names;
    wire::Block {
        placement: wire::placement(block.placement),
        node: names.get(block.node).to_string(),
        optype: names.get(block.op_type).to_string(),
        io: block.io.word(),
        index: block.index,
        offset: block.offset.0,
        stream: block.stream,
        stream_of_op: block.stream_of_op,
        memory_type: block.memory_type,
        size_bytes: block.size.0,
        realsize_bytes: block.real_size.0,
        noalignsize_bytes: block.no_align_size.map(|n| n.0),
        life_begin: block.life_begin,
        life_begin_node: block.life_begin_node,
        life_ends: block.life_ends.as_slice().to_vec(),
        child: block.flags.child_level,
        flags: graph::flags_text(block.flags),
        isref: block.is_ref,
        batch: names.get(block.batch).to_string(),
        block_type: names.get(block.block_type).trim().to_string(),
        nopadding: block.no_padding,
        cut: block.cut,
        evidence: line(analysis, block.span),
    }
}
