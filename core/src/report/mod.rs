//! What a face shows: tables and a document of them. Faces lay out and colour; they compute nothing.

pub mod address;
pub mod args;
pub mod class;
pub mod compare;
pub mod component;
pub mod csv;
pub mod doctor;
pub mod graph;
pub mod imas_csv;
pub mod imas_log;
pub mod json;
pub mod launches;
pub mod markdown;
pub mod overview;
pub mod pool;
mod rows;
pub mod rules;
pub mod stomp;
pub mod table;
pub mod whose;

use alloc::string::String;
use alloc::vec::Vec;

use crate::check::{Evidence, Severity};
use crate::say::Lang;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Language of the texts.
    pub lang: Lang,
    /// Only this process.
    pub process: Option<i64>,
    /// Only graphs whose name contains this.
    pub graph: Option<String>,
    /// Rows of a table before the rest is summed up; `None` = the table's own default, 0 = all.
    pub top: Option<usize>,
}

/// A report, ready to be laid out.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a document.
#[derive(Clone, Debug)]
pub enum Part {
    /// A heading of level 1, 2 or 3.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// A table.
    Table(table::Table),
    /// A finding.
    Finding(FindingView),
}

/// A finding in one language.
#[derive(Clone, Debug)]
pub struct FindingView {
    /// `GEM0101`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// By design, never a fault.
    pub by_design: bool,
    /// What is so.
    pub sentence: String,
    /// What it means.
    pub meaning: &'static str,
    /// The formula with the numbers put in.
    pub formula: Option<String>,
    /// What to do.
    pub remedies: Vec<String>,
    /// Settings that the remedies name, ready to paste.
    pub settings: Vec<String>,
    /// What it rests on. The face shows the line behind a span.
    pub evidence: Vec<Evidence>,
}
