//! The first view: what was read, the verdicts in order, the bars.

use gemlens_core::check::{Evidence, Severity};
use gemlens_core::metrics::{class, component, map};
use gemlens_core::model::process::Process;
use gemlens_core::report::{graph, overview};
use gemlens_core::say::label::Label;
use gemlens_core::say::{self, size};
use gemlens_core::span::Span;
use gemlens_core::units::Bytes;

use crate::lens::{Done, Lens};
use crate::wire;

impl Lens {
    pub(crate) fn overview(&self) -> Option<wire::Overview> {
        let done = self.done()?;
        Some(wire::Overview {
            read: say::overview::read(done.analysis, self.lang),
            problems: self.problems(),
            sources: done
                .analysis
                .sources
                .iter()
                .map(|source| wire::Source {
                    name: source.name.clone(),
                    size: size::human(Bytes(source.size)),
                    lines: source.line_count,
                })
                .collect(),
            processes: (0..).zip(&done.analysis.processes).map(|(n, p)| self.process(&done, n, p)).collect(),
        })
    }

    fn process(&self, done: &Done<'_>, number: usize, process: &Process) -> wire::Process {
        let own = done.findings.iter().filter(|finding| finding.process == number);
        let findings: Vec<wire::Finding> = own
            .map(|finding| {
                let view = overview::view(done.analysis, finding, self.lang);
                wire::Finding {
                    code: view.code.to_owned(),
                    severity: severity(view.severity).to_owned(),
                    by_design: view.by_design,
                    sentence: view.sentence,
                    meaning: view.meaning.to_owned(),
                    formula: view.formula,
                    remedies: view.remedies,
                    evidence: view.evidence.iter().map(|evidence| self.evidence(evidence)).collect(),
                }
            })
            .collect();
        wire::Process {
            title: overview::process_title(done.analysis, process, self.lang),
            triage: say::overview::triage(process, self.lang),
            next_step: findings.iter().find_map(|finding| finding.remedies.first().cloned()),
            findings,
            bars: self.bars(done, process),
            graphs: self.graphs(done, process),
        }
    }

    fn evidence(&self, evidence: &Evidence) -> wire::Evidence {
        match evidence {
            Evidence::Line(span) => wire::Evidence::Line { place: self.place(*span) },
            Evidence::Absent { text, lines } => {
                wire::Evidence::Absent { text: say::absence(text, *lines, self.lang) }
            }
        }
    }

    fn bars(&self, done: &Done<'_>, process: &Process) -> Vec<wire::BarGroup> {
        let names = &done.analysis.names;
        let components = component::device_shares(&component::rows(&process.components, names), names);
        let components = components.iter().map(|share| {
            let span = share.rows.first().map(|row| row.peak.span);
            (names.get(share.module).to_owned(), share.peak, span)
        });
        let classes = class::total(&process.allocations, names);
        let classes =
            classes.rows.iter().map(|row| (say::class::name(row.class), row.peak, Some(row.largest)));
        [self.group(Label::Components, components.collect()), self.group(Label::Classes, classes.collect())]
            .into_iter()
            .filter(|group| !group.bars.is_empty())
            .collect()
    }

    fn group(&self, title: Label, rows: Vec<(String, Bytes, Option<Span>)>) -> wire::BarGroup {
        let whole: Bytes = rows.iter().map(|row| row.1).sum();
        let longest = rows.iter().map(|row| row.1).max().unwrap_or_default().0.max(1) as f64;
        let bars = rows
            .into_iter()
            .map(|(label, bytes, span)| wire::Bar {
                label,
                size: size::human(bytes),
                exact: bytes.to_string(),
                share: size::share(bytes, whole),
                length: bytes.0 as f64 / longest,
                place: span.map(|span| self.place(span)),
            })
            .collect();
        wire::BarGroup { title: title.text(self.lang).to_owned(), bars }
    }

    fn graphs(&self, done: &Done<'_>, process: &Process) -> Vec<wire::Graph> {
        let table = graph::figures_table(done.analysis, process, &done.query);
        let figures = |title: &str| {
            let table = table.as_ref()?;
            let row =
                table.rows.iter().find(|row| row.cells.first().is_some_and(|c| c.for_people() == title))?;
            let headings = table.headings(self.lang).into_iter();
            let fact = |(label, value): (&str, String)| wire::Fact { label: label.to_owned(), value };
            let cells = row.cells.iter().map(|cell| cell.for_people());
            Some(headings.zip(cells).skip(1).take(6).map(fact).collect())
        };
        let view = |of| {
            let title = graph::title(&done.analysis.names, of);
            wire::Graph {
                blocks: of.blocks.len(),
                memory_types: map::memory_types(of).into_iter().map(|number| number as f64).collect(),
                figures: figures(&title).unwrap_or_default(),
                title,
            }
        };
        process.graphs.iter().map(view).collect()
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}
