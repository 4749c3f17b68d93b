//! From a question to an answer. Each answer is made by the room it belongs to.

use gemlens_core::report::{Query, imas_csv, json, markdown, overview};
use gemlens_core::say::collect::{self, Job};

use crate::lens::Lens;
use crate::wire::{self, Answer, Request};

impl Lens {
    /// Answers a question; [`Answer::Nothing`] where it names what is not there.
    pub fn ask(&mut self, request: Request) -> Answer {
        self.answer(request).unwrap_or(Answer::Nothing)
    }

    fn answer(&mut self, request: Request) -> Option<Answer> {
        Some(match request {
            Request::Overview => Answer::Overview(self.overview()?),
            Request::Tables => Answer::Tables(self.heads()),
            Request::Rows { table, sort, descending, filter, from, count } => {
                Answer::Rows(self.rows(table, sort, descending, &filter, (from, count))?)
            }
            Request::TableText { table, csv } => Answer::Text(self.table_text(table, csv)?),
            Request::Card { process, graph, memory_type, rect } => {
                Answer::Card(self.card(process, graph, memory_type, rect)?)
            }
            Request::Alive { process, graph, memory_type, at } => {
                Answer::Alive(self.alive(process, graph, memory_type, at)?)
            }
            Request::Lines { source, start, len, line } => {
                Answer::Lines(self.lines(source, start as u64, len, line)?)
            }
            Request::Files => Answer::Files(self.files()?),
            Request::Collect => Answer::Collect(self.collect()),
        })
    }

    fn files(&self) -> Option<Vec<wire::OutFile>> {
        let done = self.done()?;
        let query = Query { lang: self.lang, ..Query::default() };
        let text = |span| self.fetch(span).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let place = |span| {
            let place = self.place(span);
            format!("{}:{}", place.file, place.line)
        };
        let document = overview::document(done.analysis, done.findings, &query);
        let mut files: Vec<wire::OutFile> = imas_csv::files(done.analysis)
            .into_iter()
            .map(|file| wire::OutFile { name: file.name.to_owned(), content: file.content })
            .collect();
        files.push(wire::OutFile {
            name: String::from("report.md"),
            content: markdown::document(&document, self.lang, &place, &text),
        });
        files.push(wire::OutFile {
            name: String::from("report.json"),
            content: json::analysis(done.analysis, done.findings, &query, &text),
        });
        Some(files)
    }

    fn collect(&self) -> Vec<wire::Job> {
        let steps = |job| {
            let steps = collect::steps(job, self.lang).into_iter();
            steps.map(|step| wire::Step { what: step.what.to_owned(), command: step.command.to_owned() })
        };
        let job = |&job: &Job| wire::Job {
            name: collect::job(job, self.lang).to_owned(),
            steps: steps(job).collect(),
        };
        Job::ALL.iter().map(job).collect()
    }
}
