//! The four report files, in the form that scripts for the `imas` tool read: comma-separated, one
//! fact a row, key before value (analysis rules, "Report files").

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Display, Formatter, Write as _};

use super::csv::{field, needs_quotes};
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
    let mut fields = Fields::new(out);
    fields.add(process).add(names.get(graph.name));
    fields.pair("optype", names.get(block.op_type));
    fields.value(format_args!(
        "name_{}_{}_{}_offset to ",
        names.get(block.node),
        block.io.word(),
        block.index
    ));
    fields.value(block.offset);
    fields.pair("streamid", Pair(block.stream, block.stream_of_op));
    fields.pair("memory_type", block.memory_type);
    fields.pair("size", block.size);
    fields.pair("realsize", block.real_size);
    if block.placement == Placement::Set {
        fields.pair("noalignsize", Pair(block.no_align_size, None));
        fields.pair("life time begin", Pair(block.life_begin, block.life_begin_node));
        fields.pair("life time end", Ends(block.life_ends.as_slice()));
        let (level, flags) = (block.flags.child_level, super::graph::flags_text(block.flags));
        fields.pair("child:r:c:z:s", format_args!("{level}:{flags}"));
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
    fields.end();
}

/// `1`, or `1--2` where the operator itself has another number; what is not printed is empty.
struct Pair<T>(Option<T>, Option<T>);

impl<T: Display> Display for Pair<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(first) = &self.0 {
            first.fmt(f)?;
        }
        self.1.as_ref().map_or(Ok(()), |second| write!(f, "--{second}"))
    }
}

/// `3--4294967295`: the ends in the order printed.
struct Ends<'e>(&'e [u32]);

impl Display for Ends<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, end) in self.0.iter().enumerate() {
            f.write_str(if number > 0 { "--" } else { "" })?;
            end.fmt(f)?;
        }
        Ok(())
    }
}

fn summary_row(out: &mut String, names: &Interner, process: &str, graph: &StaticGraph, figures: &Figures) {
    let summary = graph.summaries.iter().find(|s| s.memory_type == figures.memory_type);
    let bytes = |size: Option<Bytes>| size.map_or(String::new(), |size| size.to_string());
    let rate = |rate: Option<f64>| rate.map_or(String::new(), percent);
    let text = |field: fn(&crate::model::static_graph::Summary) -> crate::intern::Name| {
        summary.map_or("", |s| names.get(field(s)))
    };
    let mut fields = Fields::new(out);
    fields.add(process).add(names.get(graph.name));
    fields.pair("memory_type", figures.memory_type);
    fields.pair("memory_size", bytes(figures.after_reuse));
    fields.value(format_args!("reuse rate:{}", rate(figures.reuse_rate())));
    fields.value(format_args!(
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
    fields.end();
}

fn address_rows(out: &mut String, names: &Interner, process: &str, analysis: &Process) {
    for region in &analysis.regions.regions {
        let mut fields = Fields::new(out);
        fields.add(process).value(region.graph).add("baseaddr");
        fields.pair("memaddr", region.base);
        fields.pair("mem_size", region.size);
        fields.pair("type", region.area.letter());
        let end = region.base.plus(region.size);
        fields.value(format_args!("valid memaddr range[{}~{end}]", region.base));
        fields.end();
    }
    for row in placed(&analysis.regions) {
        let line = row.line;
        let mut fields = Fields::new(out);
        fields.add(process).value(line.graph);
        fields.value(format_args!("name_{}_{}_{}", names.get(line.node), line.io.word(), line.index));
        // A constant lies in the weights; the report names the area.
        let area = if line.area == Area::Constant { Area::Weight } else { line.area };
        fields.pair("type", area.letter());
        fields.pair("size", Pair(line.size, None));
        fields.pair("memaddr", line.address);
        fields.end();
    }
}

fn variable_rows(out: &mut String, names: &Interner, process: &str, analysis: &Process) {
    for variable in &analysis.variables {
        let mut fields = Fields::new(out);
        fields.add(process).value(format_args!("session_{}", variable.session));
        fields.value(format_args!("name_{}_output_{}", names.get(variable.node), variable.output));
        match variable.place {
            Place::Offset(offset) => fields.pair("offset to", offset),
            Place::Device(address) => fields.pair("memaddr", address),
            Place::Host(address) => fields.pair("host memaddr", address),
        };
        fields.pair("size", Pair(variable.size, None));
        fields.pair("realsize", Pair(variable.real_size, None));
        let shares = names.get(variable.reuse_of);
        if !shares.is_empty() {
            fields.pair("reuse", shares);
        }
        fields.end();
    }
}

/// The fields of one row, written as they come: a log has hundreds of thousands of rows.
struct Fields<'o> {
    out: &'o mut String,
    empty: bool,
}

impl Fields<'_> {
    fn new(out: &mut String) -> Fields<'_> {
        Fields { out, empty: true }
    }

    fn add(&mut self, text: &str) -> &mut Self {
        self.separate();
        field(self.out, text);
        self
    }

    fn value(&mut self, value: impl Display) -> &mut Self {
        self.separate();
        let start = self.out.len();
        // Writing into a string can't fail.
        let _ = write!(self.out, "{value}");
        if needs_quotes(&self.out[start..]) {
            let text = self.out.split_off(start);
            field(self.out, &text);
        }
        self
    }

    fn pair(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.add(key).value(value)
    }

    fn separate(&mut self) {
        if !core::mem::take(&mut self.empty) {
            self.out.push(',');
        }
    }

    fn end(self) {
        self.out.push('\n');
    }
}
