//! The shapes of the JSON form. Sizes are bytes, addresses are hexadecimal texts, what is not known
//! is absent.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::static_graph::Placement;
use crate::report::table::{self, Cell};

/// The whole.
#[derive(Serialize)]
pub struct Analysis {
    pub gemlens: u32,
    pub sources: Vec<Source>,
    pub processes: Vec<Process>,
}

#[derive(Serialize)]
pub struct Source {
    pub file: String,
    pub size_bytes: u64,
    pub lines: u32,
    pub understood: u64,
    pub cut: u64,
    pub unread: u64,
    pub foreign: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_content_as: Option<String>,
}

/// A line as evidence.
#[derive(Serialize)]
pub struct Line {
    pub file: String,
    pub line: u32,
}

#[derive(Serialize)]
pub struct Process {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<i64>,
    pub program: String,
    pub root: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_time: Option<String>,
    pub lines_written_twice: u32,
    pub findings: Vec<Finding>,
    pub components: Vec<Component>,
    pub device_processes: Vec<DeviceProcess>,
    pub total: Total,
    pub graphs: Vec<Graph>,
    pub pools: Vec<Pool>,
    pub variables: Vec<Variable>,
    pub areas: Vec<Area>,
    pub addresses: Vec<Address>,
}

#[derive(Serialize)]
pub struct Finding {
    pub code: &'static str,
    pub rule: &'static str,
    pub severity: &'static str,
    pub by_design: bool,
    pub sentence: String,
    pub meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    pub remedies: Vec<String>,
    /// Settings that the remedies name, ready to paste.
    pub settings: Vec<String>,
    /// Fragment of the rule's section in `docs/rules.md`.
    pub anchor: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Evidence {
    Line {
        #[serde(flatten)]
        at: Line,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    Absent {
        absent: &'static str,
        lines: u64,
    },
}

#[derive(Serialize)]
pub struct Component {
    pub component: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<i64>,
    pub memory_kind: String,
    pub peak_bytes: u64,
    pub current_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frees: Option<u64>,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct DeviceProcess {
    pub component: String,
    pub module_id: u64,
    pub device: i64,
    pub size_bytes: u64,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct Total {
    pub peak_bytes: u64,
    pub held_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_total_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_memory_policy: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_pages_peak_bytes: Option<u64>,
    pub classes: Vec<Class>,
}

#[derive(Serialize)]
pub struct Class {
    pub class: String,
    pub of_ge: bool,
    pub peak_bytes: u64,
    pub held_bytes: u64,
    pub taken_bytes: u64,
    pub count: u32,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct Graph {
    pub graph: String,
    pub compilation: u32,
    pub figures: Vec<Figures>,
    /// Places in `blocks` of the rows that make the operator table, in its order.
    pub operators: Vec<usize>,
    pub blocks: Vec<Block>,
}

#[derive(Serialize)]
pub struct Figures {
    pub memory_type: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_reuse_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theory_min_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach_theory_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_copy_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_reuse_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atomic_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuous_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
    pub topo: String,
    pub mop: String,
    pub smp: String,
    pub from_summary_line_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Line>,
}

#[derive(Serialize)]
pub struct Block {
    pub placement: &'static str,
    pub node: String,
    pub optype: String,
    pub io: &'static str,
    pub index: i32,
    pub offset: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_of_op: Option<i64>,
    pub memory_type: u64,
    pub size_bytes: u64,
    pub realsize_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noalignsize_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub life_begin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub life_begin_node: Option<u32>,
    pub life_ends: Vec<u32>,
    pub child: u32,
    pub flags: String,
    pub isref: bool,
    pub batch: String,
    pub block_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nopadding: Option<u64>,
    pub cut: bool,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct Pool {
    pub allocator: String,
    pub blocks: u32,
    pub returns: u32,
    pub addresses: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_peak_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theory_min_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_theory_min_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_peak_bytes: Option<u64>,
    pub unit_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_bytes: Option<u64>,
    /// `unknown`, `exact`, `granularity_step` or `fragmentation`.
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragmentation_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach_theory_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Line>,
}

#[derive(Serialize)]
pub struct Variable {
    pub session: u64,
    pub variable: String,
    pub output: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    pub on_host: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realsize_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<String>,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct Area {
    pub graph_id: u64,
    pub area: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_type: Option<u64>,
    pub base: String,
    pub size_bytes: u64,
    pub evidence: Line,
}

#[derive(Serialize)]
pub struct Address {
    pub graph_id: u64,
    pub node: String,
    pub io: &'static str,
    pub index: u64,
    pub area: &'static str,
    pub address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees_with_compiled_offset: Option<bool>,
    pub evidence: Line,
}

/// Two runs side by side.
#[derive(Serialize)]
pub struct Comparison {
    pub gemlens: u32,
    pub a: Vec<String>,
    pub b: Vec<String>,
    pub pairs: Vec<Pair>,
}

/// One process of each side.
#[derive(Serialize)]
pub struct Pair {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Which>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Which>,
    pub summary: String,
    pub components: Vec<Change>,
    pub classes: Vec<Change>,
    pub graphs: Vec<Change>,
    pub pools: Vec<Change>,
    pub blocks: Vec<Change>,
    pub same_blocks: usize,
}

/// A process.
#[derive(Serialize)]
pub struct Which {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<i64>,
    pub program: String,
}

/// A figure on both sides. Which of the names are there depends on what is compared.
#[derive(Default, Serialize)]
pub struct Change {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_type: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub io: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// `grew`, `shrank`, `moved`, `new`, `gone` or `same`.
    pub way: &'static str,
    pub change_bytes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Point>,
}

/// A figure on one side.
#[derive(Serialize)]
pub struct Point {
    pub size_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Line>,
}

#[derive(Serialize)]
pub struct Tables {
    pub gemlens: u32,
    pub tables: Vec<Table>,
}

#[derive(Serialize)]
pub struct Table {
    pub key: &'static str,
    pub title: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Map<String, Value>>,
    pub notes: Vec<String>,
}

/// A row of a table as an object.
pub fn row(
    analysis: &crate::session::Analysis,
    table: &table::Table,
    row: &table::Row,
) -> Map<String, Value> {
    let mut object = Map::new();
    for (column, cell) in table.columns.iter().zip(&row.cells) {
        let value = match cell {
            Cell::Empty => Value::Null,
            Cell::Text(text) => Value::from(text.as_str()),
            Cell::Number(number) => Value::from(*number),
            Cell::Count(number) => Value::from(*number),
            Cell::Size(bytes) => Value::from(bytes.0),
            Cell::Change(change) => Value::from(*change),
            Cell::Share(share) => Value::from(*share),
            Cell::Place(offset) => Value::from(offset.0),
            Cell::Address(_) => Value::from(cell.for_programs()),
        };
        object.insert(String::from(column.key), value);
    }
    if let Some(span) = row.span {
        let line = super::line(analysis, span);
        object.insert(String::from("file"), Value::from(line.file));
        object.insert(String::from("line"), Value::from(line.line));
    }
    object
}

/// The statement that placed a block.
pub fn placement(placement: Placement) -> &'static str {
    match placement {
        Placement::Set => "set",
        Placement::ContinuousInput => "continuous_input",
        Placement::ContinuousOutput => "continuous_output",
        Placement::AtomicOutput => "atomic_output",
        Placement::AtomicWorkspace => "atomic_workspace",
        Placement::AtomicFusionWorkspace => "atomic_fusion_workspace",
    }
}
