//! One session: inputs are read one after the other, then questions are answered. Keeps no bytes of the
//! inputs; the lines behind an answer are read again from whoever holds them.

use gemlens::input::{Given, Kind, Limits, Reopen, SourceInfo, Survey, Verdict, Visitor, walk_given};
use gemlens_core::check::{self, Finding};
use gemlens_core::report::Query;
use gemlens_core::report::table::Table;
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::{SourceId, Span};

use crate::tables;
use crate::wire::Place;

/// An input, kept so that it can be read again.
pub(crate) struct Input {
    name: String,
    named: bool,
    size_bytes: u64,
    bytes: Box<dyn Reopen>,
    survey: Survey,
    /// The session's number of its first source.
    first: u32,
}

impl Input {
    fn given(&self) -> Given<'_> {
        Given {
            name: self.name.clone(),
            named: self.named,
            size_bytes: self.size_bytes,
            bytes: self.bytes.as_ref(),
        }
    }
}

/// A session of the page.
#[derive(Default)]
pub struct Lens {
    session: Option<Session>,
    inputs: Vec<Input>,
    pub(crate) analysis: Option<Analysis>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) tables: Vec<tables::Shown>,
    pub(crate) lang: Lang,
    /// The last order of rows asked for, so that scrolling does not sort again.
    pub(crate) order: Option<tables::Order>,
}

/// What was understood, where the session is over.
pub(crate) struct Done<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) findings: &'a [Finding],
    pub(crate) query: Query,
}

impl Lens {
    /// A session without inputs.
    pub fn new() -> Lens {
        Lens { session: Some(Session::new()), ..Lens::default() }
    }

    /// Reads one input; `progress` is told the packed bytes read of it.
    pub fn add(
        &mut self,
        name: &str,
        named: bool,
        size_bytes: u64,
        bytes: Box<dyn Reopen>,
        progress: &mut dyn FnMut(u64),
    ) {
        let Some(session) = &mut self.session else { return };
        let first: u32 = self.inputs.iter().map(|input| input.survey.sources.len() as u32).sum();
        let mut feeder = Feeder { session, current: SourceId(0), progress };
        let given = Given { name: name.to_owned(), named, size_bytes, bytes: bytes.as_ref() };
        let survey = walk_given(&[given], &Limits::default(), &mut feeder);
        self.inputs.push(Input { name: name.to_owned(), named, size_bytes, bytes, survey, first });
    }

    /// Ends reading and puts the picture together.
    pub fn finish(&mut self) {
        let Some(session) = self.session.take() else { return };
        let analysis = session.finish();
        self.findings = check::run(&analysis);
        self.analysis = Some(analysis);
        self.set_lang(self.lang);
    }

    /// Chooses the language of all answers.
    pub fn set_lang(&mut self, lang: Lang) {
        self.lang = lang;
        self.order = None;
        self.tables = self.analysis.as_ref().map(|a| tables::all(a, lang)).unwrap_or_default();
    }

    pub(crate) fn done(&self) -> Option<Done<'_>> {
        let query = Query { lang: self.lang, top: Some(0), ..Query::default() };
        Some(Done { analysis: self.analysis.as_ref()?, findings: &self.findings, query })
    }

    pub(crate) fn table(&self, number: usize) -> Option<&Table> {
        self.tables.get(number).map(|shown| &shown.table)
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let source = self.analysis.as_ref().and_then(|a| a.sources.get(span.source.0 as usize));
        Place {
            source: span.source.0,
            file: source.map_or_else(String::new, |source| source.name.clone()),
            line: span.line,
            start: span.start as f64,
            len: span.len,
        }
    }

    /// What went wrong while reading.
    pub(crate) fn problems(&self) -> Vec<String> {
        let problems = self.inputs.iter().flat_map(|input| &input.survey.problems);
        problems.map(|problem| self.lang.pick(problem.english(), problem.chinese())).collect()
    }

    /// The bytes of a span, read again.
    pub(crate) fn fetch(&self, span: Span) -> Option<Vec<u8>> {
        let input = self.inputs.iter().rev().find(|input| input.first <= span.source.0)?;
        let own = Span { source: SourceId(span.source.0 - input.first), ..span };
        input.survey.fetch_given(&[own], &Limits::default(), &[input.given()]).pop().flatten()
    }
}

struct Feeder<'a> {
    session: &'a mut Session,
    current: SourceId,
    progress: &'a mut dyn FnMut(u64),
}

impl Visitor for Feeder<'_> {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        if !matches!(source.kind, Kind::Plog | Kind::Text) {
            return Verdict::Skip;
        }
        self.current = self.session.add_source(&source.name, &source.root);
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.session.feed(self.current, bytes);
        Verdict::Read
    }

    fn end(&mut self, _whole: bool) {
        self.session.end_source(self.current);
    }

    fn progress(&mut self, read_bytes: u64, _total_bytes: Option<u64>) {
        (self.progress)(read_bytes);
    }
}
