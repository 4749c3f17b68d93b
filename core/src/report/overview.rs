//! The overview: what was read, the tables, the findings, the next step.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::table::{Cell, Table};
use super::{Document, FindingView, Part, Query, address, class, component, graph, pool};
use crate::check::{Finding, Severity};
use crate::model::process::Process;
use crate::say::label::Label;
use crate::say::{self, Lang};
use crate::session::Analysis;

/// Graphs of which the overview shows the operators; the rest is in `ops`.
const GRAPHS_SHOWN: usize = 3;

/// The processes that the query asks for, with their place in the analysis.
pub fn chosen<'a>(analysis: &'a Analysis, query: &Query) -> Vec<(usize, &'a Process)> {
    let wanted = |process: &Process| query.process.is_none_or(|pid| process.id.pid == Some(pid));
    analysis.processes.iter().enumerate().filter(|(_, process)| wanted(process)).collect()
}

/// The whole picture.
pub fn document(analysis: &Analysis, findings: &[Finding], query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::from([
        Part::Heading(1, Label::Read.text(lang).to_string()),
        Part::Text(say::overview::read(analysis, lang)),
    ]);
    if analysis.sources.len() > 1 || analysis.sources.iter().any(|s| s.lines.unread + s.lines.cut > 0) {
        parts.push(Part::Table(sources(analysis, lang)));
    }
    for (number, process) in chosen(analysis, query) {
        parts.push(Part::Heading(1, process_title(analysis, process, lang)));
        parts.push(Part::Text(say::overview::triage(process, lang)));
        let own: Vec<&Finding> = findings.iter().filter(|f| f.process == number).collect();
        if !own.is_empty() {
            parts.push(Part::Heading(2, Label::Findings.text(lang).to_string()));
            parts.extend(own.iter().map(|finding| Part::Finding(view(analysis, finding, lang))));
        }
        let mut table = |table: Option<Table>| parts.extend(table.map(Part::Table));
        table(component::table(analysis, process, query));
        table(class::table(analysis, process, query));
        table(graph::figures_table(analysis, process, query));
        for shown in graph::chosen(analysis, process, query).into_iter().take(GRAPHS_SHOWN) {
            table(graph::operators(analysis, shown, query));
        }
        table(pool::pools(process, &analysis.names, query));
        table(address::bases(process, query));
        if let Some(next) = next_step(&own, lang) {
            parts.push(Part::Heading(2, Label::NextStep.text(lang).to_string()));
            parts.push(Part::Text(next));
        }
    }
    Document { parts }
}

/// A finding in one language.
pub fn view(analysis: &Analysis, finding: &Finding, lang: Lang) -> FindingView {
    FindingView {
        code: finding.rule.code,
        severity: finding.severity,
        by_design: finding.rule.by_design,
        sentence: finding.sentence(&analysis.names, lang),
        meaning: finding.message.meaning(lang),
        formula: finding.message.formula(),
        remedies: finding.message.remedies(lang),
        settings: finding.message.settings(),
        evidence: finding.evidence.clone(),
    }
}

/// `Process 5544 python3, 2026-11-29 20:00:55.451 … 20:00:55.910`
pub fn process_title(analysis: &Analysis, process: &Process, lang: Lang) -> String {
    let mut title = String::from(Label::Process.text(lang));
    match process.id.pid {
        Some(pid) => title += &format!(" {pid}"),
        None => title += lang.pick(" without a header", "（无日志头）"),
    }
    let program = analysis.names.get(process.program);
    if !program.is_empty() {
        title += &format!(" {program}");
    }
    let root = analysis.names.get(process.id.root);
    let several_roots = analysis.processes.iter().any(|other| other.id.root != process.id.root);
    if several_roots && !root.is_empty() {
        title += &format!(" [{root}]");
    }
    if let Some((first, last)) = process.times {
        title += &format!(", {first} … {last}");
    }
    title
}

/// What was read of each source.
fn sources(analysis: &Analysis, lang: Lang) -> Table {
    let mut table = Table::new(
        "sources",
        "",
        &[
            ("file", Label::File),
            ("lines", Label::Lines),
            ("understood", Label::Understood),
            ("unread", Label::Unread),
            ("foreign", Label::Foreign),
            ("cut", Label::Cut),
            ("remarks", Label::Remarks),
        ],
    );
    for source in &analysis.sources {
        let repeats = source.repeats.and_then(|kept| analysis.sources.get(kept.0 as usize));
        let remark =
            repeats.map_or(String::new(), |kept| format!("{} {}", Label::Repeats.text(lang), kept.name));
        table.row(
            None,
            [
                Cell::text(source.name.as_str()),
                Cell::Count(u64::from(source.line_count)),
                Cell::Count(source.lines.known),
                Cell::Count(source.lines.unread),
                Cell::Count(source.lines.foreign),
                Cell::Count(source.lines.cut),
                Cell::text(remark),
            ],
        );
    }
    table
}

/// The first remedy of the most important finding that has one.
fn next_step(findings: &[&Finding], lang: Lang) -> Option<String> {
    let ranked = |severity| findings.iter().filter(move |f| f.severity == severity);
    [Severity::Error, Severity::Warning, Severity::Hint, Severity::Info]
        .into_iter()
        .flat_map(ranked)
        .find_map(|finding| {
            let remedy = finding.message.remedies(lang).into_iter().next()?;
            Some(format!("{}: {remedy}", finding.rule.code))
        })
}
