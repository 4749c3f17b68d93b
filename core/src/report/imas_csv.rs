//! The four report files, in the form that scripts for the `imas` tool read: comma-separated, one
//! fact a row, key before value (analysis rules, "Report files").

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::pool;
use super::rows::{Number, Rows};
use crate::intern::Interner;
use crate::metrics::address::each_placed;
use crate::metrics::static_graph::{Figures, figures};
use crate::model::process::Process;
use crate::model::region::Area;
use crate::model::static_graph::{Block, Placement, StaticGraph};
use crate::model::variable::Place;
use crate::say::size::percent;
use crate::session::Analysis;
use crate::units::Bytes;

/// One file of a report. A file without rows is there, and empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFile {
    /// Blocks and summaries of static graphs.
    Graph,
    /// Areas and operator addresses of loaded models.
    Address,
    /// Variables.
    Variable,
    /// Blocks of dynamic pools.
    Pool,
}

impl ReportFile {
    /// All files.
    pub const ALL: [ReportFile; 4] =
        [ReportFile::Graph, ReportFile::Address, ReportFile::Variable, ReportFile::Pool];

    /// File name.
    pub fn name(self) -> &'static str {
        match self {
            ReportFile::Graph => "imas_mem_graph.csv",
            ReportFile::Address => "imas_mem_addr.csv",
            ReportFile::Variable => "imas_mem_variable.csv",
            ReportFile::Pool => "imas_mem_pool.csv",
        }
    }

    /// Hands the content to `out` piece by piece; the number of rows. Fails where `out` does.
    pub fn write<E>(
        self,
        analysis: &Analysis,
        out: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut rows = Rows::new(out);
        for process in &analysis.processes {
            let name = process_name(process);
            match self {
                ReportFile::Graph => graph_rows(&mut rows, &analysis.names, &name, process)?,
                ReportFile::Address => address_rows(&mut rows, &analysis.names, &name, process)?,
                ReportFile::Variable => variable_rows(&mut rows, &analysis.names, &name, process)?,
                ReportFile::Pool => pool::imas_rows(&mut rows, &analysis.names, &name, process)?,
            }
        }
        rows.finish()
    }
}

/// `Process_5544`
pub fn process_name(process: &Process) -> String {
    process.id.pid.map_or_else(|| "Process_unknown".to_string(), |pid| format!("Process_{pid}"))
}

fn graph_rows<E>(rows: &mut Rows<'_, E>, names: &Interner, process: &str, of: &Process) -> Result<(), E> {
    for graph in &of.graphs {
        for block in &graph.blocks {
            block_row(rows, names, process, graph, block)?;
        }
        for of_type in figures(graph) {
            summary_row(rows, names, process, graph, &of_type)?;
        }
    }
    Ok(())
}

fn block_row<E>(
    rows: &mut Rows<'_, E>,
    names: &Interner,
    process: &str,
    graph: &StaticGraph,
    block: &Block,
) -> Result<(), E> {
    rows.word(process).text(names.get(graph.name));
    rows.word("optype").text(names.get(block.op_type));
    rows.joined(|text| {
        item_name(text, names.get(block.node), block.io.word());
        i64::from(block.index).push(text);
        text.extend_from_slice(b"_offset to ");
    });
    rows.number(block.offset);
    rows.word("streamid").joined(|text| pair(text, block.stream, block.stream_of_op));
    rows.word("memory_type").number(block.memory_type);
    rows.word("size").number(block.size);
    rows.word("realsize").number(block.real_size);
    if block.placement == Placement::Set {
        rows.word("noalignsize").number(block.no_align_size);
        rows.word("life time begin").joined(|text| pair(text, block.life_begin, block.life_begin_node));
        rows.word("life time end").joined(|text| {
            for (number, end) in block.life_ends.as_slice().iter().enumerate() {
                text.extend_from_slice(if number > 0 { b"--" } else { b"" });
                end.push(text);
            }
        });
        rows.word("child:r:c:z:s").joined(|text| {
            block.flags.child_level.push(text);
            let flags = block.flags;
            for flag in [flags.reuse, flags.continuous, flags.zero_copy, flags.same_stream] {
                text.extend_from_slice(if flag { b":1" } else { b":0" });
            }
        });
        rows.word("isref").number(u32::from(block.is_ref));
        rows.word("batch").text(names.get(block.batch));
        let block_type = names.get(block.block_type);
        if !block_type.is_empty() {
            rows.word("block_type").text(block_type);
        }
    } else {
        rows.word(match block.placement {
            Placement::ContinuousInput => "reassign continuous input",
            Placement::ContinuousOutput => "reassign output",
            Placement::AtomicOutput => "reassign atomic output",
            _ => "reassign atomic workspace",
        });
        rows.word("nopadding").number(block.no_padding.unwrap_or(0));
    }
    rows.end()
}

/// `name_<node>_output_`
fn item_name(text: &mut Vec<u8>, node: &str, io: &str) {
    for part in ["name_", node, "_", io, "_"] {
        text.extend_from_slice(part.as_bytes());
    }
}

/// `1`, or `1--2` where the operator itself has another number; what is not printed is empty.
fn pair(text: &mut Vec<u8>, first: Option<impl Number>, second: Option<impl Number>) {
    first.push(text);
    if second.is_some() {
        text.extend_from_slice(b"--");
        second.push(text);
    }
}

fn summary_row<E>(
    rows: &mut Rows<'_, E>,
    names: &Interner,
    process: &str,
    graph: &StaticGraph,
    figures: &Figures,
) -> Result<(), E> {
    let summary = graph.summaries.iter().find(|s| s.memory_type == figures.memory_type);
    let bytes = |size: Option<Bytes>| size.map_or(String::new(), |size| size.to_string());
    let rate = |rate: Option<f64>| rate.map_or(String::new(), percent);
    let text = |field: fn(&crate::model::static_graph::Summary) -> crate::intern::Name| {
        summary.map_or("", |s| names.get(field(s)))
    };
    rows.word(process).text(names.get(graph.name));
    rows.word("memory_type").number(figures.memory_type);
    rows.word("memory_size").number(figures.after_reuse);
    rows.value(format_args!("reuse rate:{}", rate(figures.reuse_rate())));
    rows.value(format_args!(
        "detail[reach_theory_rate:{} total:{} after_reuse:{} theory_min:{} io:{} no_reuse:{} atomic:{} \
         continuous:{} streams:{} topo:{} mop:{} smp:{}]",
        rate(figures.reach_theory_rate()),
        bytes(figures.total),
        bytes(figures.after_reuse),
        bytes(figures.theory_min),
        bytes(figures.zero_copy),
        bytes(figures.no_reuse),
        bytes(figures.atomic),
        bytes(figures.continuous),
        figures.streams.map_or(String::new(), |streams| streams.to_string()),
        text(|s| s.topo_mode),
        text(|s| s.memory_policy),
        text(|s| s.static_policy),
    ));
    rows.end()
}

fn address_rows<E>(rows: &mut Rows<'_, E>, names: &Interner, process: &str, of: &Process) -> Result<(), E> {
    for region in &of.regions.regions {
        rows.word(process).number(region.graph).word("baseaddr");
        rows.word("memaddr").number(region.base);
        rows.word("mem_size").number(region.size);
        rows.word("type").word(region.area.letter());
        let end = region.base.plus(region.size);
        rows.value(format_args!("valid memaddr range[{}~{end}]", region.base));
        rows.end()?;
    }
    for row in each_placed(&of.regions) {
        let line = row.line;
        rows.word(process).number(line.graph);
        rows.joined(|text| {
            item_name(text, names.get(line.node), line.io.word());
            line.index.push(text);
        });
        // A constant lies in the weights; the report names the area.
        let area = if line.area == Area::Constant { Area::Weight } else { line.area };
        rows.word("type").word(area.letter());
        rows.word("size").number(line.size);
        rows.word("memaddr").number(line.address);
        rows.end()?;
    }
    Ok(())
}

fn variable_rows<E>(rows: &mut Rows<'_, E>, names: &Interner, process: &str, of: &Process) -> Result<(), E> {
    for variable in &of.variables {
        rows.word(process).value(format_args!("session_{}", variable.session));
        rows.value(format_args!("name_{}_output_{}", names.get(variable.node), variable.output));
        match variable.place {
            Place::Offset(offset) => rows.word("offset to").number(offset),
            Place::Device(address) => rows.word("memaddr").number(address),
            Place::Host(address) => rows.word("host memaddr").number(address),
        };
        rows.word("size").number(variable.size);
        rows.word("realsize").number(variable.real_size);
        let shares = names.get(variable.reuse_of);
        if !shares.is_empty() {
            rows.word("reuse").text(shares);
        }
        rows.end()?;
    }
    Ok(())
}
