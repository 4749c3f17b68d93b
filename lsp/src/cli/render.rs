//! An answer in the form that was asked for.

use std::io::{self, IsTerminal, Write};

use gemlens_core::check::Evidence;
use gemlens_core::report::table::{Cell, Column, Row, Table};
use gemlens_core::report::{Document, Part, csv, json, markdown, overview};
use gemlens_core::say::Lang;
use gemlens_core::say::label::Label;
use gemlens_core::span::Span;

use super::answer::Answer;
use super::command::{Format, Request, Verb};
use super::feed::{self, Fed};
use super::lines::Lines;
use super::text::{self, Look};
use super::verbs::Placed;

/// Lines of evidence that people see of one finding, unless they ask for more.
const EVIDENCE_SHOWN: usize = 3;

/// Writes the answer.
pub(super) fn render(request: &Request, fed: &Fed, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let query = &request.query;
    let shown = match (request.format, query.top) {
        (Format::Json | Format::Csv, _) | (_, Some(0)) => usize::MAX,
        (_, top) => top.unwrap_or(EVIDENCE_SHOWN),
    };
    let spans = answer.findings.iter().flat_map(|finding| spans(&finding.evidence).take(shown)).collect();
    let spans = if request.format == Format::Csv { Vec::new() } else { spans };
    let lines = Lines::fetch(fed, spans);
    let (place, words) = (|span| lines.place(span), |span| lines.words(span));
    match request.format {
        Format::Text => {
            let width = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
            let look = Look {
                lang: query.lang,
                width: width.map(|(width, _)| usize::from(width.0)),
                evidence_shown: shown,
                lines: &lines,
            };
            text::document(&with_places(&answer.document, &lines), &look, out)
        }
        Format::Markdown => {
            let document = with_places(&answer.document, &lines);
            let text = markdown::document(&document, query.lang, &place, &words);
            out.write_all(text.as_bytes())
        }
        Format::Csv => {
            let findings = findings_table(answer, fed, &lines, query.lang);
            let is_asked = matches!(request.verb, Verb::Check | Verb::Stomp) || !findings.rows.is_empty();
            let tables = merged(&answer.tables).into_iter().map(|table| with_lines(table, &lines));
            let tables: Vec<Table> = is_asked.then_some(findings).into_iter().chain(tables).collect();
            out.write_all(csv_tables(&tables).as_bytes())
        }
        Format::Json => {
            let analysis = &fed.analysis;
            let text = match request.verb {
                Verb::Analyze => json::analysis(analysis, &answer.findings, query, &words),
                Verb::Check => json::findings(analysis, &answer.findings, query, &words),
                Verb::Stomp => {
                    let findings = findings_table(answer, fed, &lines, query.lang);
                    let tables = merged(&answer.tables).into_iter();
                    json::tables(analysis, &[findings].into_iter().chain(tables).collect::<Vec<_>>())
                }
                _ => json::tables(analysis, &merged(&answer.tables)),
            };
            writeln!(out, "{text}")
        }
    }
}

/// Writes tables that rest on no line of one input, with a document for people and JSON for programs.
pub(super) fn bare(
    request: &Request,
    document: &Document,
    tables: &[Table],
    json: &dyn Fn() -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lang = request.query.lang;
    match request.format {
        Format::Text => {
            let nothing = feed::feed(&[]);
            let lines = Lines::fetch(&nothing, Vec::new());
            let width = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
            let width = width.map(|(width, _)| usize::from(width.0));
            text::document(document, &Look { lang, width, evidence_shown: 0, lines: &lines }, out)
        }
        Format::Markdown => {
            let text = markdown::document(document, lang, &|_| String::new(), &|_| None);
            out.write_all(text.as_bytes())
        }
        Format::Csv => out.write_all(csv_tables(tables).as_bytes()),
        Format::Json => writeln!(out, "{}", json()),
    }
}

/// Writes one table that rests on no input.
pub(super) fn alone(request: &Request, table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let document = Document { parts: vec![Part::Table(table.clone())] };
    let tables = [table.clone()];
    let nothing = feed::feed(&[]);
    bare(request, &document, &tables, &|| json::tables(&nothing.analysis, &tables), out)
}

fn spans(evidence: &[Evidence]) -> impl Iterator<Item = Span> {
    evidence.iter().filter_map(|item| match item {
        Evidence::Line(span) => Some(*span),
        Evidence::Absent { .. } => None,
    })
}

/// The document with the line behind each row in a last column.
fn with_places(document: &Document, lines: &Lines<'_>) -> Document {
    let mut document = document.clone();
    for part in &mut document.parts {
        if let Part::Table(table) = part
            && table.rows.iter().any(|row| row.span.is_some())
        {
            table.columns.push(Column { key: "evidence", label: Label::Evidence });
            for row in &mut table.rows {
                row.cells.push(Cell::maybe(row.span, |span| Cell::Text(lines.short_place(span))));
            }
        }
    }
    document
}

/// Tables for programs: each row says which process and graph it belongs to, and tables of one
/// sort are one table.
fn merged(tables: &[Placed]) -> Vec<Table> {
    let mut all: Vec<Table> = Vec::new();
    for Placed { pid, graph, table } in tables {
        let mut front = vec![(Column { key: "process", label: Label::Pid }, Cell::maybe(*pid, Cell::Number))];
        if let Some(graph) = graph {
            front.push((Column { key: "graph", label: Label::Graph }, Cell::text(graph.as_str())));
        }
        let rows = table.rows.iter().map(|row| {
            let cells = front.iter().map(|(_, cell)| cell).chain(&row.cells).cloned().collect();
            Row { cells, ..row.clone() }
        });
        match all.iter_mut().find(|known| known.key == table.key) {
            Some(known) => {
                known.rows.extend(rows);
                known.notes.extend(table.notes.iter().cloned());
            }
            None => all.push(Table {
                columns: front
                    .iter()
                    .map(|(column, _)| *column)
                    .chain(table.columns.iter().copied())
                    .collect(),
                rows: rows.collect(),
                // It may get rows of other graphs.
                title: if graph.is_some() { String::new() } else { table.title.clone() },
                ..table.clone()
            }),
        }
    }
    all
}

/// The table with the file and line behind each row.
fn with_lines(mut table: Table, lines: &Lines<'_>) -> Table {
    if table.rows.iter().any(|row| row.span.is_some()) {
        table.columns.push(Column { key: "file", label: Label::File });
        table.columns.push(Column { key: "line", label: Label::Line });
        for row in &mut table.rows {
            row.cells.push(Cell::maybe(row.span, |span| Cell::Text(lines.file(span).to_owned())));
            row.cells.push(Cell::maybe(row.span, |span| Cell::Count(u64::from(span.line))));
        }
    }
    table
}

/// One table as it is; several under a line `# key` each, an empty line between them.
fn csv_tables(tables: &[Table]) -> String {
    let one = |table: &Table| match tables.len() {
        1 => csv::table(table),
        _ => format!("# {}\n{}", table.key, csv::table(table)),
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The findings as rows; the first line of evidence beside each.
fn findings_table(answer: &Answer, fed: &Fed, lines: &Lines<'_>, lang: Lang) -> Table {
    let columns = [
        ("process", Label::Pid),
        ("code", Label::Findings),
        ("severity", Label::Kind),
        ("by_design", Label::ByDesign),
        ("sentence", Label::Meaning),
    ];
    let mut table = Table::new("findings", Label::Findings.text(lang), &columns);
    for finding in &answer.findings {
        let view = overview::view(&fed.analysis, finding, lang);
        let pid = fed.analysis.processes.get(finding.process).and_then(|process| process.id.pid);
        let cells = [
            Cell::maybe(pid, Cell::Number),
            Cell::Text(view.code.to_owned()),
            Cell::Text(view.severity.key().to_owned()),
            Cell::Number(i64::from(view.by_design)),
            Cell::Text(view.sentence),
        ];
        table.row(spans(&finding.evidence).next(), cells);
    }
    with_lines(table, lines)
}
