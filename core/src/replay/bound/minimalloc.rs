//! Reads the CSV form of the packing literature: `id,lower,upper,size`, one item a line.
//!
//! The columns may come in any order and under the other names that MiniMalloc's own reader
//! knows: `begin` for `lower`, `end` for `upper` but then inclusive, `buffer` or `buffer_id` for
//! `id`. `alignment` and a known `offset` are read, columns with other names are passed over.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::problem::Item;
use crate::units::{Bytes, Offset};

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// One row for each line that could be read, by line.
    pub rows: Vec<Row>,
    /// The lines that couldn't.
    pub problems: Vec<RowProblem>,
}

/// One item and what the file calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The text of the `id` column; the number of the row where there is none.
    pub id: String,
    /// The item; never with a fixed offset, for an `offset` column is a solution.
    pub item: Item,
    /// The `offset` column of a solution.
    pub offset: Option<Offset>,
}

/// A line that is no item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: RowProblemKind,
}

/// What can be wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowProblemKind {
    /// The line has no value for this column.
    Missing(&'static str),
    /// The value in this column isn't a whole number in range.
    NotANumber(&'static str),
}

/// Why a text is no such table at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// There is no line with text.
    Empty,
    /// The first line names no column for this.
    NoColumn(&'static str),
    /// The first line names two columns for this.
    TwoColumns(&'static str),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::Empty => f.write_str("no header line"),
            HeaderError::NoColumn(name) => write!(f, "no column for {name}"),
            HeaderError::TwoColumns(name) => write!(f, "two columns for {name}"),
        }
    }
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            RowProblemKind::Missing(name) => write!(f, "line {}: no {name}", self.line),
            RowProblemKind::NotANumber(name) => write!(f, "line {}: {name} is no number", self.line),
        }
    }
}

/// Whether the first line with text looks like the header of such a table.
pub fn is_minimalloc(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| Columns::read(line).is_ok())
}

/// Reads a table; lines that can't be read are listed and left out.
pub fn read(text: &str) -> Result<Table, HeaderError> {
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or(HeaderError::Empty)?;
    let columns = Columns::read(header)?;
    let mut table = Table::default();
    for (index, line) in lines {
        let cells: Vec<&str> = line.split(',').map(clean).collect();
        match columns.row(&cells, table.rows.len()) {
            Ok(row) => table.rows.push(row),
            Err(kind) => table.problems.push(RowProblem { line: index + 1, kind }),
        }
    }
    Ok(table)
}

struct Columns {
    id: Option<usize>,
    lower: usize,
    upper: usize,
    inclusive: bool,
    size: usize,
    alignment: Option<usize>,
    offset: Option<usize>,
}

impl Columns {
    fn read(header: &str) -> Result<Columns, HeaderError> {
        let names: Vec<String> = header.split(',').map(|name| clean(name).to_ascii_lowercase()).collect();
        let find = |wanted: &[&str]| {
            let mut hits = names.iter().enumerate().filter(|(_, name)| wanted.contains(&name.as_str()));
            (hits.next().map(|(column, _)| column), hits.next().is_some())
        };
        let optional = |name: &'static str, wanted: &[&str]| match find(wanted) {
            (_, true) => Err(HeaderError::TwoColumns(name)),
            (column, false) => Ok(column),
        };
        let needed =
            |name: &'static str, wanted: &[&str]| optional(name, wanted)?.ok_or(HeaderError::NoColumn(name));
        let upper = needed("upper", &["upper", "end"])?;
        Ok(Columns {
            id: optional("id", &["id", "buffer", "buffer_id"])?,
            lower: needed("lower", &["lower", "begin"])?,
            upper,
            inclusive: names.get(upper).is_some_and(|name| name == "end"),
            size: needed("size", &["size"])?,
            alignment: optional("alignment", &["alignment"])?,
            offset: optional("offset", &["offset"])?,
        })
    }

    fn row(&self, cells: &[&str], count: usize) -> Result<Row, RowProblemKind> {
        let last = number::<i64>(cells, self.upper, "upper")?;
        let upper = if self.inclusive {
            last.checked_add(1).ok_or(RowProblemKind::NotANumber("upper"))?
        } else {
            last
        };
        let mut item =
            Item::new(number(cells, self.lower, "lower")?, upper, Bytes(number(cells, self.size, "size")?));
        if let Some(column) = self.alignment.filter(|column| is_filled(cells, *column)) {
            item.alignment = number::<u64>(cells, column, "alignment")?.max(1);
        }
        let offset = match self.offset.filter(|column| is_filled(cells, *column)) {
            Some(column) => Some(Offset(number(cells, column, "offset")?)),
            None => None,
        };
        let id = self.id.and_then(|column| cells.get(column)).filter(|id| !id.is_empty());
        Ok(Row { id: id.map_or_else(|| count.to_string(), |id| id.to_string()), item, offset })
    }
}

fn clean(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(cell).trim()
}

fn is_filled(cells: &[&str], column: usize) -> bool {
    cells.get(column).is_some_and(|cell| !cell.is_empty())
}

fn number<T: core::str::FromStr>(
    cells: &[&str],
    column: usize,
    name: &'static str,
) -> Result<T, RowProblemKind> {
    match cells.get(column) {
        Some(cell) if !cell.is_empty() => cell.parse().map_err(|_| RowProblemKind::NotANumber(name)),
        _ => Err(RowProblemKind::Missing(name)),
    }
}
