//! A table as data: typed cells, so that every output form writes the same numbers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::say::Lang;
use crate::say::label::Label;
use crate::say::size;
use crate::span::Span;
use crate::units::{Address, Bytes, Offset};

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Stable name for machine-readable output, `components`.
    pub key: &'static str,
    /// Heading.
    pub title: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows; each has as many cells as there are columns.
    pub rows: Vec<Row>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Stable name for machine-readable output, `peak_bytes`.
    pub key: &'static str,
    /// Heading.
    pub label: Label,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Cells, one a column.
    pub cells: Vec<Cell>,
    /// Indentation of the first cell: 1 for a child of the row above.
    pub depth: u8,
    /// The line the row was read from.
    pub span: Option<Span>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Not known, not printed or not applicable.
    Empty,
    /// Text.
    Text(String),
    /// A number.
    Number(i64),
    /// A number that may be near 2^64.
    Count(u64),
    /// A size; people see `bytes (human)`.
    Size(Bytes),
    /// A change of a size; people see its sign.
    Change(i64),
    /// A share of 0 to 1.
    Share(f64),
    /// A place in an area.
    Place(Offset),
    /// An address.
    Address(Address),
}

impl Cell {
    /// A text cell; empty text is an empty cell.
    pub fn text(text: impl Into<String>) -> Cell {
        let text = text.into();
        if text.is_empty() { Cell::Empty } else { Cell::Text(text) }
    }

    /// A cell for a value that may be unknown.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
        value.map_or(Cell::Empty, cell)
    }

    /// The cell for people.
    pub fn for_people(&self) -> String {
        match self {
            Cell::Empty => String::from("–"),
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Count(number) => number.to_string(),
            Cell::Size(bytes) => size::exact(*bytes),
            Cell::Change(change) => size::change(*change),
            Cell::Share(share) => size::percent(*share),
            Cell::Place(offset) => offset.to_string(),
            Cell::Address(address) => address.to_string(),
        }
    }

    /// The cell for programs: exact, without units.
    pub fn for_programs(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Size(bytes) => bytes.to_string(),
            Cell::Change(change) => change.to_string(),
            Cell::Share(share) => format!("{share:.6}"),
            other => other.for_people(),
        }
    }

    /// Whether the cell is set flush right.
    pub fn is_number(&self) -> bool {
        !matches!(self, Cell::Text(_) | Cell::Empty)
    }
}

impl Table {
    /// A table without rows.
    pub fn new(key: &'static str, title: impl Into<String>, columns: &[(&'static str, Label)]) -> Table {
        let columns = columns.iter().map(|&(key, label)| Column { key, label }).collect();
        Table { key, title: title.into(), columns, ..Table::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, span: Option<Span>, cells: impl Into<Vec<Cell>>) {
        self.rows.push(Row { cells: cells.into(), depth: 0, span });
    }

    /// The headings in one language.
    pub fn headings(&self, lang: Lang) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.label.text(lang)).collect()
    }
}
