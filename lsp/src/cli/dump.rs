//! `graph`, `replay`, `tune`: dump graphs are read whole, the core answers, one dump after the other.

use std::io::{self, Write};

use gemlens::input::{self, Kind, Limits, PathArg, SourceInfo, Verdict, Visitor};
use gemlens_core::dump::{Dump, against, analysis};
use gemlens_core::replay::{Options, Replayed, tune};
use gemlens_core::report::{dump as report, imas_log, json};
use gemlens_core::say;
use gemlens_core::span::SourceId;

use super::command::{Request, Verb};
use super::{Outcome, feed, render, words};

/// What the three verbs take besides the common options.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// What to replay with.
    pub(super) options: Options,
    /// The log to compare with.
    pub(super) against: Option<PathArg>,
    /// The layout is wanted as the lines of a log.
    pub(super) as_log: bool,
    /// Further options are tried.
    pub(super) all: bool,
    /// The blocks that make the difference are wanted.
    pub(super) explain: bool,
}

/// Reads the dumps and answers.
pub(super) fn answer(request: &Request, out: &mut dyn Write) -> io::Result<Outcome> {
    let lang = request.query.lang;
    let mut reader = Reader::default();
    let survey = input::walk(&request.paths, &Limits::default(), &mut reader);
    words::tell(&survey.problems, &[], lang);
    if survey.problems.iter().any(|problem| problem.trouble.is_usage()) {
        return Ok(Outcome::Usage);
    }
    for name in &reader.logs {
        words::complain(&words::no_dump(name, lang));
    }
    let mut outcome = if reader.texts.is_empty() { Outcome::Lacking } else { Outcome::Fine };
    if reader.texts.is_empty() && reader.logs.is_empty() && survey.problems.is_empty() {
        words::complain(&words::lacking(request.verb, lang));
    }
    for (name, text) in reader.texts {
        let answered = match Dump::read(&name, &text, SourceId(0)) {
            Ok(dump) => {
                drop(text);
                of_dump(request, &dump, out)?
            }
            Err(kind) => Err((Outcome::Lacking, say::dump::lookalike(kind, lang).to_owned())),
        };
        match answered {
            Ok(Outcome::Fine) => {}
            Ok(other) => outcome = other,
            Err((code, why)) => {
                out.flush()?;
                words::complain(&format!("{name}: {why}"));
                outcome = code;
            }
        }
    }
    Ok(outcome)
}

type Answered = Result<Outcome, (Outcome, String)>;

fn of_dump(request: &Request, dump: &Dump, out: &mut dyn Write) -> io::Result<Answered> {
    let lang = request.query.lang;
    match request.verb {
        Verb::Replay => {
            let replayed = match dump.replay(&request.dump.options) {
                Ok(replayed) => replayed,
                Err(why) => return Ok(Err((Outcome::Lacking, say::dump::refusal(dump, why, lang)))),
            };
            replay(request, dump, &replayed, out)
        }
        Verb::Tune => tuned(request, dump, out),
        _ => {
            let query = &request.query;
            let tables = report::overview_tables(dump, query);
            let document = report::overview(dump, query);
            render::bare(request, &document, &tables, &|| json::dump_graph(dump, query), out)?;
            Ok(Ok(Outcome::Fine))
        }
    }
}

fn replay(request: &Request, dump: &Dump, replayed: &Replayed, out: &mut dyn Write) -> io::Result<Answered> {
    let query = &request.query;
    if request.dump.as_log {
        for line in imas_log::lines(replayed, &dump.log_name()) {
            writeln!(out, "{line}")?;
        }
        return Ok(Ok(Outcome::Fine));
    }
    if let Some(log) = &request.dump.against {
        return compare(request, dump, replayed, log, out);
    }
    let analysis = analysis(dump, &replayed.names, replayed.layout.clone());
    let document = report::replay(dump, replayed, query);
    let tables = report::replay_tables(&analysis, query);
    let form = || json::replay(dump, replayed, &request.dump.options, query);
    render::bare(request, &document, &tables, &form, out)?;
    Ok(Ok(Outcome::Fine))
}

fn compare(
    request: &Request,
    dump: &Dump,
    replayed: &Replayed,
    log: &PathArg,
    out: &mut dyn Write,
) -> io::Result<Answered> {
    let query = &request.query;
    let fed = feed::feed(std::slice::from_ref(log));
    words::tell(&fed.survey.problems, &fed.others, query.lang);
    if fed.survey.problems.iter().any(|problem| problem.trouble.is_usage()) {
        return Ok(Ok(Outcome::Usage));
    }
    let Some(logged) = against::find(dump, &fed.analysis, query.graph.as_deref()) else {
        return Ok(Err((Outcome::Lacking, say::dump::not_in_log(&dump.log_name(), query.lang))));
    };
    let (here, there) = ((&replayed.layout, &replayed.names), (logged, &fed.analysis.names));
    let comparison = against::compare(here.0, here.1, there.0, there.1);
    let document = report::against(&comparison, here, there, query);
    let tables = [report::against_table(&comparison, here, there, query)];
    render::bare(request, &document, &tables, &|| json::against(&comparison, &tables), out)?;
    Ok(Ok(if comparison.is_equal() || !request.strict { Outcome::Fine } else { Outcome::Hit }))
}

fn tuned(request: &Request, dump: &Dump, out: &mut dyn Write) -> io::Result<Answered> {
    let (query, asked) = (&request.query, &request.dump);
    let combinations = match dump.tune(&asked.options, asked.all) {
        Ok(combinations) => combinations,
        Err(why) => return Ok(Err((Outcome::Lacking, say::dump::refusal(dump, why, query.lang)))),
    };
    let mut tables = vec![report::tune_table(&combinations, query)];
    if let (true, Some(best), Some(worst)) = (asked.explain, combinations.first(), combinations.last())
        && let (Ok(best), Ok(worst)) = (dump.replay(&best.options), dump.replay(&worst.options))
    {
        tables.push(report::explain_table(&tune::explain(&best, &worst), query));
    }
    let document = report::tune(dump, &combinations, tables.get(1), query);
    let form = || json::tune(dump, &combinations, tables.get(1));
    render::bare(request, &document, &tables, &form, out)?;
    Ok(Ok(Outcome::Fine))
}

/// Takes every text that may be a dump graph, whole.
#[derive(Default)]
struct Reader {
    texts: Vec<(String, Vec<u8>)>,
    logs: Vec<String>,
}

impl Visitor for Reader {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        if matches!(source.kind, Kind::Plog | Kind::ImasCsv) {
            self.logs.push(source.name.clone());
            return Verdict::Skip;
        }
        let capacity = source.size_bytes.and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
        self.texts.push((source.name.clone(), Vec::with_capacity(capacity.min(1 << 28))));
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        if let Some((_, text)) = self.texts.last_mut() {
            text.extend_from_slice(bytes);
        }
        Verdict::Read
    }

    fn end(&mut self, _whole: bool) {}
}
