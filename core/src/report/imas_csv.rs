//! The four report files, in the form that scripts for the `imas` tool read: comma-separated, one
//! fact a row, key before value (analysis rules, "Report files").

use alloc::format;
use alloc::string::{String, ToString};

use super::csv::line;
use super::graph::io_text;
use super::pool;
use crate::intern::Interner;
use crate::metrics::address::placed;
use crate::metrics::static_graph::{Figures, figures};
use crate::model::process::Process;
use crate::model::region::Area;
use crate::model::static_graph::{Block, Placement, StaticGraph};
use crate::model::variable::Place;
use crate::say::size::percent;
use crate::session::Analysis;
use crate::units::Bytes;

/// One file of a report: its name and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// File name, `imas_mem_graph.csv`.
    pub name: &'static str,
    /// Content.
    pub content: String,
}

/// All report files of an analysis. A file without rows is there, and empty.
pub fn files(analysis: &Analysis) -> [ReportFile; 4] {
    let mut graphs = String::new();
    let mut addresses = String::new();
    let mut variables = String::new();
    let mut pools = String::new();
    for process in &analysis.processes {
        let name = process_name(process);
        for graph in &process.graphs {
            graph_rows(&mut graphs, &analysis.names, &name, graph);
        }
        address_rows(&mut addresses, &analysis.names, &name, process);
        variable_rows(&mut variables, &analysis.names, &name, process);
        // Writing into a string can't fail.
        let _ = pool::imas_rows(process, &analysis.names, &mut pools);
    }
    [
        ReportFile { name: "imas_mem_graph.csv", content: graphs },
        ReportFile { name: "imas_mem_addr.csv", content: addresses },
        ReportFile { name: "imas_mem_variable.csv", content: variables },
        ReportFile { name: "imas_mem_pool.csv", content: pools },
    ]
}

/// `Process_5544`
pub fn process_name(process: &Process) -> String {
    process.id.pid.map_or_else(|| "Process_unknown".to_string(), |pid| format!("Process_{pid}"))
}

fn graph_rows(out: &mut String, names: &Interner, process: &str, graph: &StaticGraph) {
    for block in &graph.blocks {
        block_row(out, names, process, graph, block);
    }
    for of_type in figures(graph) {
        summary_row(out, names, process, graph, &of_type);
    }
}

fn block_row(out: &mut String, names: &Interner, process: &str, graph: &StaticGraph, block: &Block) {
    let mut fields = Fields::default();
    fields.add(process).add(names.get(graph.name));
    fields.pair("optype", names.get(block.op_type));
    fields.pair(&format!("name_{}_{}_offset to ", names.get(block.node), io_text(block)), block.offset);
    fields.pair("streamid", stream_text(block));
    fields.pair("memory_type", block.memory_type);
    fields.pair("size", block.size);
    fields.pair("realsize", block.real_size);
    if block.placement == Placement::Set {
        let known = |number: Option<String>| number.unwrap_or_default();
        fields.pair("noalignsize", known(block.no_align_size.map(|n| n.to_string())));
        fields.pair("life time begin", begin_text(block));
        let ends = block.life_ends.as_slice().iter().map(u32::to_string);
        fields.pair("life time end", ends.collect::<alloc::vec::Vec<_>>().join("--"));
        let child = format!("{}:{}", block.flags.child_level, super::graph::flags_text(block.flags));
        fields.pair("child:r:c:z:s", child);
        fields.pair("isref", u8::from(block.is_ref));
        fields.pair("batch", names.get(block.batch));
        let block_type = names.get(block.block_type);
        if !block_type.is_empty() {
            fields.pair("block_type", block_type);
        }
    } else {
        fields.add(match block.placement {
            Placement::ContinuousInput => "reassign continuous input",
            Placement::ContinuousOutput => "reassign output",
            Placement::AtomicOutput => "reassign atomic output",
            _ => "reassign atomic workspace",
        });
        fields.pair("nopadding", block.no_padding.unwrap_or(0));
    }
    fields.write(out);
}

/// `1`, or `1--2` where the operator itself runs on another stream; empty as printed by GE.
fn stream_text(block: &Block) -> String {
    let own = block.stream.map_or(String::new(), |stream| stream.to_string());
    block.stream_of_op.map_or(own.clone(), |of_op| format!("{own}--{of_op}"))
}

fn begin_text(block: &Block) -> String {
    let begin = block.life_begin.map_or(String::new(), |begin| begin.to_string());
    block.life_begin_node.map_or(begin.clone(), |node| format!("{begin}--{node}"))
}

fn summary_row(out: &mut String, names: &Interner, process: &str, graph: &StaticGraph, figures: &Figures) {
    let summary = graph.summaries.iter().find(|s| s.memory_type == figures.memory_type);
    let bytes = |size: Option<Bytes>| size.map_or(String::new(), |size| size.to_string());
    let rate = |rate: Option<f64>| rate.map_or(String::new(), percent);
    let text = |field: fn(&crate::model::static_graph::Summary) -> crate::intern::Name| {
        summary.map_or("", |s| names.get(field(s)))
    };
    let mut fields = Fields::default();
    fields.add(process).add(names.get(graph.name));
    fields.pair("memory_type", figures.memory_type);
    fields.pair("memory_size", bytes(figures.after_reuse));
    fields.add(&format!("reuse rate:{}", rate(figures.reuse_rate())));
    fields.add(&format!(
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
    fields.write(out);
}

fn address_rows(out: &mut String, names: &Interner, process: &str, analysis: &Process) {
    for region in &analysis.regions.regions {
        let mut fields = Fields::default();
        fields.add(process).add(&region.graph.to_string()).add("baseaddr");
        fields.pair("memaddr", region.base);
        fields.pair("mem_size", region.size);
        fields.pair("type", region.area.letter());
        let end = region.base.plus(region.size);
        fields.add(&format!("valid memaddr range[{}~{end}]", region.base));
        fields.write(out);
    }
    for row in placed(&analysis.regions) {
        let line = row.line;
        let mut fields = Fields::default();
        fields.add(process).add(&line.graph.to_string());
        fields.add(&format!("name_{}_{}_{}", names.get(line.node), line.io.word(), line.index));
        // A constant lies in the weights; the report names the area.
        let area = if line.area == Area::Constant { Area::Weight } else { line.area };
        fields.pair("type", area.letter());
        fields.pair("size", line.size.map_or(String::new(), |size| size.to_string()));
        fields.pair("memaddr", line.address);
        fields.write(out);
    }
}

fn variable_rows(out: &mut String, names: &Interner, process: &str, analysis: &Process) {
    for variable in &analysis.variables {
        let mut fields = Fields::default();
        fields.add(process).add(&format!("session_{}", variable.session));
        fields.add(&format!("name_{}_output_{}", names.get(variable.node), variable.output));
        match variable.place {
            Place::Offset(offset) => fields.pair("offset to", offset),
            Place::Device(address) => fields.pair("memaddr", address),
            Place::Host(address) => fields.pair("host memaddr", address),
        };
        fields.pair("size", variable.size.map_or(String::new(), |size| size.to_string()));
        fields.pair("realsize", variable.real_size.map_or(String::new(), |size| size.to_string()));
        let shares = names.get(variable.reuse_of);
        if !shares.is_empty() {
            fields.pair("reuse", shares);
        }
        fields.write(out);
    }
}

/// The fields of one row.
#[derive(Default)]
struct Fields {
    fields: alloc::vec::Vec<String>,
}

impl Fields {
    fn add(&mut self, field: &str) -> &mut Fields {
        self.fields.push(String::from(field));
        self
    }

    fn pair(&mut self, key: &str, value: impl ToString) -> &mut Fields {
        self.add(key).add(&value.to_string())
    }

    fn write(self, out: &mut String) {
        line(out, self.fields.into_iter());
    }
}
