//! A question from the command line to its answer and exit code.

use std::fs;
use std::io::{self, Write};
use std::mem::ManuallyDrop;

use gemlens_core::check::{self, Finding, Severity};
use gemlens_core::report::imas_csv::ReportFile;
use gemlens_core::report::{Document, Part, args, doctor, launches, overview, stomp, whose};

use super::command::{Request, Verb};
use super::feed::{self, Fed};
use super::verbs::{self, Placed};
use super::{Outcome, render, words};

/// What a verb has to say, before it takes a form.
pub(super) struct Answer {
    /// The findings that belong to it.
    pub(super) findings: Vec<Finding>,
    /// For people.
    pub(super) document: Document,
    /// For programs.
    pub(super) tables: Vec<Placed>,
}

/// Reads the input, answers on `out` and complains on standard error.
pub(super) fn answer(request: &Request, out: &mut dyn Write) -> io::Result<Outcome> {
    // The process ends behind the answer: a million facts need not be given back one by one.
    let mut fed = ManuallyDrop::new(feed::feed(&request.paths));
    let lang = request.query.lang;
    words::tell(&fed.survey.problems, &fed.others, lang);
    let usage = fed.survey.problems.iter().any(|problem| problem.trouble.is_usage());
    if fed.survey.sources.is_empty() {
        if !usage && fed.survey.problems.is_empty() {
            words::complain(words::nothing_read(lang));
        }
        return Ok(if usage { Outcome::Usage } else { Outcome::Lacking });
    }
    let query = &request.query;
    let is_chosen = |number: usize| {
        let process = fed.analysis.processes.get(number);
        process.is_some_and(|process| query.process.is_none_or(|pid| process.id.pid == Some(pid)))
    };
    let mut findings = match request.verb {
        Verb::Check => check::tables(&fed.analysis),
        // Only its exit code tells of them.
        Verb::Report if !request.strict => Vec::new(),
        Verb::Stomp => check::stomping(&fed.analysis),
        _ => check::run(&fed.analysis),
    };
    findings.retain(|finding| is_chosen(finding.process));
    let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);

    let lacking = if request.verb == Verb::Report {
        report(request, &mut fed, out)?
    } else {
        let answer = compose(request, &fed, findings);
        let lacking = lacking(request, &fed, &answer);
        render::render(request, &fed, &answer, out)?;
        lacking
    };
    if let Some(text) = &lacking {
        // The answer first: both may go to one terminal.
        out.flush()?;
        words::complain(text);
    }
    Ok(match () {
        () if usage => Outcome::Usage,
        () if lacking.is_some() => Outcome::Lacking,
        () if has_error && request.strict => Outcome::Hit,
        () => Outcome::Fine,
    })
}

fn compose(request: &Request, fed: &Fed, findings: Vec<Finding>) -> Answer {
    let (analysis, query) = (&fed.analysis, &request.query);
    let (asked, at) = (request.address.as_str(), request.at.as_deref());
    let tables = match request.verb {
        Verb::Whose => verbs::whose(asked, at, analysis, query),
        Verb::Stomp => {
            let op = request.op.as_deref();
            verbs::each(analysis, query, &|process| stomp::tables(analysis, process, &findings, op, query))
        }
        Verb::Doctor => verbs::each(analysis, query, &|process| doctor::tables(process, query)),
        verb => verbs::tables(verb, analysis, query),
    };
    let document = match request.verb {
        Verb::Analyze => overview::document(analysis, &findings, query),
        Verb::Check => checked(fed, &findings, request),
        Verb::Args => args::document(analysis, &findings, query),
        Verb::Launches => launches::document(analysis, query),
        Verb::Whose => whose::document(analysis, asked, at, query),
        Verb::Stomp => stomp::document(analysis, &findings, request.op.as_deref(), query),
        Verb::Doctor => doctor::document(analysis, query),
        _ => verbs::document(&tables, analysis, query),
    };
    let findings = match request.verb {
        Verb::Analyze | Verb::Check | Verb::Stomp => findings,
        Verb::Args => findings.into_iter().filter(args::is_about_args).collect(),
        _ => Vec::new(),
    };
    Answer { findings, document, tables: tables.into_iter().flat_map(|(_, placed)| placed).collect() }
}

/// The findings of `check` by process, or the sentence that there are none.
fn checked(fed: &Fed, findings: &[Finding], request: &Request) -> Document {
    let (analysis, query) = (&fed.analysis, &request.query);
    let mut parts = Vec::new();
    for (number, process) in overview::chosen(analysis, query) {
        parts.push(Part::Heading(1, overview::process_title(analysis, process, query.lang)));
        let blocks = process.graphs.iter().map(|graph| graph.blocks.len()).sum();
        let addresses = process.regions.addresses.len();
        let own: Vec<&Finding> = findings.iter().filter(|finding| finding.process == number).collect();
        parts.push(Part::Text(words::checked(blocks, addresses, own.len(), query.lang)));
        let views = own.iter().map(|finding| overview::view(analysis, finding, query.lang));
        parts.extend(views.map(Part::Finding));
    }
    Document { parts }
}

/// What the input lacks for this question, if it does: what it is and how to get it.
fn lacking(request: &Request, fed: &Fed, answer: &Answer) -> Option<String> {
    let (analysis, query) = (&fed.analysis, &request.query);
    let lang = query.lang;
    let chosen = overview::chosen(analysis, query);
    if let (Some(pid), []) = (query.process, chosen.as_slice()) {
        let known: Vec<i64> = analysis.processes.iter().filter_map(|process| process.id.pid).collect();
        return Some(words::no_process(pid, &known, lang));
    }
    let answers = match request.verb {
        Verb::Analyze => chosen.iter().any(|(number, _)| {
            let own = |finding: &&Finding| finding.process == *number;
            !answer.findings.iter().filter(own).any(|finding| finding.rule.name == "nothing-about-memory")
        }),
        Verb::Doctor => true,
        Verb::Stomp if !answer.findings.is_empty() => true,
        Verb::Check | Verb::Stomp => chosen.iter().any(|(_, process)| {
            process.graphs.iter().any(|graph| !graph.blocks.is_empty())
                || !process.regions.addresses.is_empty()
                || !process.regions.unresolved.is_empty()
        }),
        _ => !answer.tables.is_empty(),
    };
    if answers {
        return None;
    }
    let graphs: Vec<&str> = chosen
        .iter()
        .flat_map(|(_, process)| &process.graphs)
        .map(|graph| analysis.names.get(graph.name))
        .collect();
    let part = query.graph.as_deref().filter(|part| !graphs.iter().any(|name| name.contains(part)));
    Some(match part {
        Some(part) if !graphs.is_empty() => words::no_graph(part, &graphs, lang),
        _ => words::lacking(request.verb, lang),
    })
}

/// Writes the report files; what they lack, if they are all empty.
fn report(request: &Request, fed: &mut Fed, out: &mut dyn Write) -> io::Result<Option<String>> {
    let lang = request.query.lang;
    if let Some(pid) = request.query.process {
        let known: Vec<i64> = fed.analysis.processes.iter().filter_map(|process| process.id.pid).collect();
        fed.analysis.processes.retain(|process| process.id.pid == Some(pid));
        if fed.analysis.processes.is_empty() {
            return Ok(Some(words::no_process(pid, &known, lang)));
        }
    }
    fs::create_dir_all(&request.output)?;
    let mut is_empty = true;
    for file in ReportFile::ALL {
        let path = request.output.join(file.name());
        let mut open = fs::File::create(&path)?;
        let rows = file.write(&fed.analysis, &mut |piece| open.write_all(piece))?;
        is_empty &= rows == 0;
        writeln!(out, "{}", words::written(&path.display().to_string(), rows, lang))?;
    }
    Ok(is_empty.then(|| words::lacking(Verb::Report, lang)))
}
