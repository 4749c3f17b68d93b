//! Tables of static graphs: the figures, the operators, the blocks by offset.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Query;
use super::table::{Cell, Table};
use crate::intern::Interner;
use crate::metrics::operator_table::{self, Entry};
use crate::metrics::static_graph::{Figures, figures, life};
use crate::model::process::Process;
use crate::model::static_graph::{Block, BlockFlags, Placement, StaticGraph};
use crate::say::label::Label;
use crate::session::Analysis;
use crate::units::Bytes;

/// Rows of the operator table before the rest is summed up (analysis rules, R3).
const OPERATORS_SHOWN: usize = 10;

/// The graphs of a process that the query asks for.
pub fn chosen<'p>(analysis: &'p Analysis, process: &'p Process, query: &Query) -> Vec<&'p StaticGraph> {
    let wanted = |graph: &&StaticGraph| {
        query.graph.as_ref().is_none_or(|part| analysis.names.get(graph.name).contains(part.as_str()))
    };
    process.graphs.iter().filter(wanted).collect()
}

/// Name of a graph with its compilation, where there was more than one.
pub fn title(names: &Interner, graph: &StaticGraph) -> String {
    match graph.round {
        0 => String::from(names.get(graph.name)),
        round => format!("{} #{}", names.get(graph.name), round + 1),
    }
}

/// The figures of all graphs of a process: one row a graph and memory type.
pub fn figures_table(analysis: &Analysis, process: &Process, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "graphs",
        Label::Graphs.text(query.lang),
        &[
            ("graph", Label::Graph),
            ("memory_type", Label::MemoryType),
            ("total_bytes", Label::Total),
            ("after_reuse_bytes", Label::AfterReuse),
            ("theory_min_bytes", Label::TheoryMin),
            ("reuse_rate", Label::ReuseRate),
            ("reach_theory_rate", Label::ReachTheory),
            ("zero_copy_bytes", Label::ZeroCopy),
            ("no_reuse_bytes", Label::NoReuse),
            ("atomic_bytes", Label::Atomic),
            ("continuous_bytes", Label::Continuous),
            ("streams", Label::Streams),
            ("topo", Label::Topo),
            ("mop", Label::Mop),
            ("smp", Label::Smp),
        ],
    );
    for graph in chosen(analysis, process, query) {
        for of_type in figures(graph) {
            let summary = graph.summaries.iter().find(|s| s.memory_type == of_type.memory_type);
            let said = |field: fn(&crate::model::static_graph::Summary) -> crate::intern::Name| {
                Cell::text(summary.map_or("", |s| analysis.names.get(field(s))))
            };
            let mut cells = Vec::from([Cell::Text(title(&analysis.names, graph))]);
            cells.extend(figure_cells(&of_type));
            cells.extend([said(|s| s.topo_mode), said(|s| s.memory_policy), said(|s| s.static_policy)]);
            table.row(summary.map(|s| s.span), cells);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn figure_cells(figures: &Figures) -> [Cell; 11] {
    let size = |size: Option<Bytes>| Cell::maybe(size, Cell::Size);
    [
        Cell::Count(figures.memory_type),
        size(figures.total),
        size(figures.after_reuse),
        size(figures.theory_min),
        Cell::maybe(figures.reuse_rate(), Cell::Share),
        Cell::maybe(figures.reach_theory_rate(), Cell::Share),
        size(figures.zero_copy),
        size(figures.no_reuse),
        size(figures.atomic),
        size(figures.continuous),
        Cell::maybe(figures.streams, Cell::Count),
    ]
}

const OPERATOR_COLUMNS: &[(&str, Label)] = &[
    ("node", Label::Node),
    ("io", Label::Io),
    ("offset", Label::Offset),
    ("size_bytes", Label::Bytes),
    ("life", Label::Life),
    ("reuse_flags", Label::ReuseFlags),
    ("type", Label::OpType),
    ("remarks", Label::Remarks),
];

/// The operator table of one graph, by the display rules of the field.
pub fn operators(analysis: &Analysis, graph: &StaticGraph, query: &Query) -> Option<Table> {
    let entries = operator_table::entries(graph);
    if entries.is_empty() {
        return None;
    }
    let heading = format!("{} {}", Label::Operators.text(query.lang), title(&analysis.names, graph));
    let mut table = Table::new("operators", heading, OPERATOR_COLUMNS);
    let shown = match query.top {
        Some(0) => entries.len(),
        Some(top) => top,
        None => OPERATORS_SHOWN,
    };
    for entry in entries.iter().take(shown) {
        let block = &graph.blocks[entry.block];
        let mut cells = block_cells(&analysis.names, block);
        cells[2] = Cell::Place(entry.offset);
        cells[4] = Cell::text(life_text(entry.life));
        cells.push(Cell::text(remarks(&analysis.names, graph, entry, query)));
        table.row(Some(block.span), cells);
    }
    if entries.len() > shown {
        let rest = &entries[shown..];
        let size: Bytes = rest.iter().map(|entry| graph.blocks[entry.block].size).sum();
        table.row(
            None,
            [
                Cell::Text(format!("{} ({})", Label::Others.text(query.lang), rest.len())),
                Cell::Empty,
                Cell::Empty,
                Cell::Size(size),
                Cell::Empty,
                Cell::Empty,
                Cell::Empty,
                Cell::Empty,
            ],
        );
    }
    Some(table)
}

/// Every row of one graph by memory type and offset.
pub fn offsets(analysis: &Analysis, graph: &StaticGraph, query: &Query) -> Option<Table> {
    if graph.blocks.is_empty() {
        return None;
    }
    let heading = format!("{} {}", Label::Offset.text(query.lang), title(&analysis.names, graph));
    let mut table = Table::new("offsets", heading, OPERATOR_COLUMNS);
    let mut blocks: Vec<&Block> = graph.blocks.iter().collect();
    blocks.sort_by_key(|b| (b.memory_type, b.offset, b.life_begin));
    let shown = query.top.filter(|top| *top > 0).unwrap_or(blocks.len());
    for block in blocks.into_iter().take(shown) {
        let mut cells = block_cells(&analysis.names, block);
        cells.push(Cell::text(row_remarks(&analysis.names, block)));
        table.row(Some(block.span), cells);
    }
    Some(table)
}

/// The first seven columns of a row.
fn block_cells(names: &Interner, block: &Block) -> Vec<Cell> {
    Vec::from([
        Cell::text(names.get(block.node)),
        Cell::Text(io_text(block)),
        Cell::Place(block.offset),
        Cell::Size(block.size),
        Cell::text(life_text(life(block))),
        if block.placement == Placement::Set { Cell::Text(flags_text(block.flags)) } else { Cell::Empty },
        Cell::text(names.get(block.op_type)),
    ])
}

/// `output_0`, `workspace_1`
pub fn io_text(block: &Block) -> String {
    format!("{}_{}", block.io.word(), block.index)
}

/// `r:c:z:s`
pub fn flags_text(flags: BlockFlags) -> String {
    let digit = u8::from;
    format!(
        "{}:{}:{}:{}",
        digit(flags.reuse),
        digit(flags.continuous),
        digit(flags.zero_copy),
        digit(flags.same_stream)
    )
}

/// `2→7`, `2→∞`
pub fn life_text(life: Option<(u32, Option<u32>)>) -> String {
    match life {
        None => String::new(),
        Some((begin, None)) => format!("{begin}→∞"),
        Some((begin, Some(end))) => format!("{begin}→{end}"),
    }
}

fn remarks(names: &Interner, graph: &StaticGraph, entry: &Entry, query: &Query) -> String {
    let block = &graph.blocks[entry.block];
    let mut remarks = Vec::new();
    if entry.moved {
        remarks.push("reassign".to_string());
    }
    if let Some(uses) = entry.uses {
        remarks.push(format!("→ {}", names.get(graph.blocks[uses].node)));
    }
    if !entry.sharers.is_empty() {
        remarks.push(match query.lang {
            crate::say::Lang::En => format!("+{} sharing", entry.sharers.len()),
            crate::say::Lang::Zh => format!("另有 {} 个共用", entry.sharers.len()),
        });
    }
    let own = row_remarks(names, block);
    if !own.is_empty() {
        remarks.push(own);
    }
    remarks.join(", ")
}

fn row_remarks(names: &Interner, block: &Block) -> String {
    let mut remarks: Vec<String> = Vec::new();
    let placed = match block.placement {
        Placement::Set => "",
        Placement::ContinuousInput => "continuous input",
        Placement::ContinuousOutput => "continuous output",
        Placement::AtomicOutput | Placement::AtomicWorkspace | Placement::AtomicFusionWorkspace => "atomic",
    };
    let batch = names.get(block.batch);
    for (is_so, word) in [
        (!placed.is_empty(), placed),
        (block.is_ref, "isref"),
        (block.no_padding == Some(1), "nopadding"),
        (block.flags.child_level > 0, "child"),
        (!batch.is_empty(), batch),
        (!names.get(block.block_type).trim().is_empty(), names.get(block.block_type).trim()),
        (block.cut, "cut"),
    ] {
        if is_so {
            remarks.push(word.to_string());
        }
    }
    remarks.join(", ")
}
