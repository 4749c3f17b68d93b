//! The shapes that cross between the page and the core. The page's `wire.ts` is made from them by a
//! test below; large pictures cross as typed arrays and are not here.

#![expect(missing_docs, reason = "the fields are named as the page shows them")]

use serde::{Deserialize, Serialize};

/// A question.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Request {
    /// Everything of the first view.
    Overview,
    /// All tables, without their rows.
    Tables,
    /// Some rows of a table.
    Rows { table: usize, sort: Option<usize>, descending: bool, filter: String, from: usize, count: usize },
    /// A whole table as `markdown` or `csv`.
    TableText { table: usize, csv: bool },
    /// A block of a map.
    Card { process: usize, graph: usize, memory_type: f64, rect: usize },
    /// What is in use at a moment of a map.
    Alive { process: usize, graph: usize, memory_type: f64, at: u32 },
    /// The lines around a place of a source.
    Lines { source: u32, start: f64, len: u32, line: u32 },
    /// Files to save: the four CSVs, a Markdown report, the JSON form.
    Files,
    /// How to collect logs.
    Collect,
}

/// An answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", content = "value", rename_all = "camelCase")]
pub enum Answer {
    Overview(Overview),
    Tables(Vec<TableHead>),
    Rows(Rows),
    Text(String),
    Card(Card),
    Alive(Alive),
    Lines(Vec<LogLine>),
    Files(Vec<OutFile>),
    Collect(Vec<Job>),
    /// The question names something that is not there.
    Nothing,
}

/// The first view.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overview {
    /// What was read, in a sentence.
    pub read: String,
    /// What went wrong while reading, a sentence each.
    pub problems: Vec<String>,
    pub sources: Vec<Source>,
    pub processes: Vec<Process>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Source {
    pub name: String,
    pub size: String,
    pub lines: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Process {
    pub title: String,
    /// What its lines can speak about, and what not.
    pub triage: String,
    pub findings: Vec<Finding>,
    pub bars: Vec<BarGroup>,
    pub graphs: Vec<Graph>,
    pub next_step: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Finding {
    pub code: String,
    /// `error`, `warning`, `info` or `hint`.
    pub severity: String,
    pub by_design: bool,
    pub sentence: String,
    pub meaning: String,
    pub formula: Option<String>,
    pub remedies: Vec<String>,
    pub evidence: Vec<Evidence>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Evidence {
    Line { place: Place },
    Absent { text: String },
}

/// Where a line stands.
#[derive(Serialize, Clone)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    pub source: u32,
    pub file: String,
    pub line: u32,
    pub start: f64,
    pub len: u32,
}

/// Bars of one kind, largest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarGroup {
    pub title: String,
    pub bars: Vec<Bar>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bar {
    pub label: String,
    pub size: String,
    pub exact: String,
    pub share: String,
    /// Length, 0 to 1 of the longest.
    pub length: f64,
    pub place: Option<Place>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Graph {
    pub title: String,
    pub blocks: usize,
    /// Memory types that can be drawn.
    pub memory_types: Vec<f64>,
    pub figures: Vec<Fact>,
}

/// A named value.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fact {
    pub label: String,
    pub value: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableHead {
    pub key: String,
    pub title: String,
    /// The process it is about.
    pub about: String,
    pub columns: Vec<Column>,
    pub rows: usize,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Column {
    pub key: String,
    pub heading: String,
    pub is_number: bool,
}

/// A window of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rows {
    /// Rows that the filter leaves.
    pub total: usize,
    pub from: usize,
    pub rows: Vec<Row>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    pub cells: Vec<String>,
    pub depth: u8,
    pub place: Option<Place>,
}

/// A block with what lies around it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Card {
    pub title: String,
    pub facts: Vec<Fact>,
    pub around: Vec<Neighbours>,
    pub place: Place,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Neighbours {
    /// `sharers`, `before`, `after`, `below` or `above`.
    pub kind: String,
    pub blocks: Vec<BlockName>,
    /// How many there are; `blocks` has the first of them.
    pub count: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockName {
    pub rect: usize,
    pub name: String,
    pub size: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Alive {
    pub at: u32,
    pub load: String,
    pub count: usize,
    /// The largest of them.
    pub blocks: Vec<BlockName>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogLine {
    pub line: u32,
    pub text: String,
    /// The kind that the line was understood as; empty where none.
    pub understood: String,
    pub fields: Vec<Fact>,
    /// The line asked for.
    pub is_asked: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutFile {
    pub name: String,
    pub content: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Job {
    pub name: String,
    pub steps: Vec<Step>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Step {
    pub what: String,
    pub command: String,
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail this way")]
mod tests {
    use super::*;
    use ts_rs::TS;

    /// The page's types are what stands here. `GEMLENS_WRITE_TYPES=1` writes them anew.
    #[test]
    fn the_types_of_the_page_are_current() {
        let config = [
            Request::decl(),
            Answer::decl(),
            Overview::decl(),
            Source::decl(),
            Process::decl(),
            Finding::decl(),
            Evidence::decl(),
            Place::decl(),
            BarGroup::decl(),
            Bar::decl(),
            Graph::decl(),
            Fact::decl(),
            TableHead::decl(),
            Column::decl(),
            Rows::decl(),
            Row::decl(),
            Card::decl(),
            Neighbours::decl(),
            BlockName::decl(),
            Alive::decl(),
            LogLine::decl(),
            OutFile::decl(),
            Job::decl(),
            Step::decl(),
        ];
        let mut text = String::from("// Made from wasm/src/wire.rs by its test; not edited by hand.\n\n");
        for declaration in config {
            text += "export ";
            text += &declaration;
            text += "\n\n";
        }
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/wire.ts");
        if std::env::var_os("GEMLENS_WRITE_TYPES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(&path).unwrap_or_default(),
            text,
            "run with GEMLENS_WRITE_TYPES=1"
        );
    }
}
