//! `compare`: two inputs are read, the core puts them side by side.

use std::io::{self, Write};

use gemlens_core::report::table::{Cell, Column, Table};
use gemlens_core::report::{compare, json};
use gemlens_core::say::label::Label;

use super::command::{Request, Verb};
use super::{Outcome, feed, render, words};

/// Reads both inputs and writes what differs.
pub(super) fn answer(request: &Request, out: &mut dyn Write) -> io::Result<Outcome> {
    let query = &request.query;
    let mut sides = Vec::new();
    for path in &request.paths {
        let fed = feed::feed(std::slice::from_ref(path));
        words::tell(&fed.survey.problems, &fed.others, query.lang);
        if fed.survey.problems.iter().any(|problem| problem.trouble.is_usage()) {
            return Ok(Outcome::Usage);
        }
        if fed.survey.sources.is_empty() {
            words::complain(words::nothing_read(query.lang));
            return Ok(Outcome::Lacking);
        }
        sides.push(fed.analysis);
    }
    let [a, b] = sides.as_slice() else { return Ok(Outcome::Usage) };
    let pairs = compare::pairs(a, b, query);
    let document = compare::document(a, b, &pairs, query);
    let mut tables: Vec<Table> = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        for table in compare::tables(a, b, pair, query) {
            add(&mut tables, number, table);
        }
    }
    render::bare(request, &document, &tables, &|| json::comparison(a, b, &pairs, query), out)?;
    if pairs.is_empty() {
        out.flush()?;
        words::complain(&words::lacking(Verb::Compare, query.lang));
        return Ok(Outcome::Lacking);
    }
    Ok(Outcome::Fine)
}

/// Tables of one sort are one table, whose rows say which pair of processes they belong to.
fn add(tables: &mut Vec<Table>, pair: usize, mut table: Table) {
    let number = i64::try_from(pair + 1).unwrap_or(i64::MAX);
    for row in &mut table.rows {
        row.cells.insert(0, Cell::Number(number));
    }
    table.columns.insert(0, Column { key: "pair", label: Label::Process });
    match tables.iter_mut().find(|known| known.key == table.key) {
        Some(known) => known.rows.extend(table.rows),
        None => tables.push(table),
    }
}
