//! A document for a terminal: headings, paragraphs, aligned tables, findings by severity.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use gemlens_core::check::{Evidence, Severity};
use gemlens_core::report::{Document, FindingView, Part};
use gemlens_core::say::label::Label;
use gemlens_core::say::{self, Lang};

use super::lines::Lines;
use super::{table, words, wrap};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
/// Paragraphs are not narrower than this, however narrow the terminal.
const NARROWEST: usize = 40;

/// How a document is to look.
pub(super) struct Look<'l> {
    pub(super) lang: Lang,
    /// Columns of the terminal; `None` where the output is no terminal: nothing is broken or cut.
    pub(super) width: Option<usize>,
    /// Lines of evidence a finding shows.
    pub(super) evidence_shown: usize,
    pub(super) lines: &'l Lines<'l>,
}

/// Writes a document.
pub(super) fn document(document: &Document, look: &Look<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut previous: Option<&Part> = None;
    for part in &document.parts {
        let goes_on = matches!((previous, part), (Some(Part::Heading(..)), _));
        if previous.is_some() && !goes_on {
            writeln!(out)?;
        }
        match part {
            Part::Heading(level, text) => heading(*level, text, out)?,
            Part::Text(text) => paragraph(text, "", look, out)?,
            Part::Table(part) => {
                if !part.title.is_empty() {
                    writeln!(out, "{BOLD}{}{BOLD:#}", part.title)?;
                }
                for (number, line) in table::lines(part, look.lang).iter().enumerate() {
                    let style = if number == 0 { DIM } else { Style::new() };
                    writeln!(out, "{style}{line}{style:#}")?;
                }
                for note in &part.notes {
                    paragraph(note, "* ", look, out)?;
                }
            }
            Part::Finding(view) => {
                let is_known = matches!(previous, Some(Part::Finding(last)) if last.code == view.code
                    && last.meaning == view.meaning && last.remedies == view.remedies);
                finding(view, is_known, look, out)?;
            }
        }
        previous = Some(part);
    }
    Ok(())
}

fn heading(level: u8, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let style = if level == 1 { BOLD.underline() } else { BOLD };
    writeln!(out, "{style}{text}{style:#}")
}

/// `GEM0301 warning  sentence`, and below it what it means, rests on and asks for. What the
/// finding before it has said already is left out.
fn finding(view: &FindingView, is_known: bool, look: &Look<'_>, out: &mut dyn Write) -> io::Result<()> {
    let lang = look.lang;
    let style = BOLD.fg_color(Some(
        match view.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Info => AnsiColor::Cyan,
            Severity::Hint => AnsiColor::Green,
        }
        .into(),
    ));
    let mut mark = words::severity(view.severity, lang).to_owned();
    if view.by_design {
        mark += &format!(" ({})", Label::ByDesign.text(lang));
    }
    write!(out, "{BOLD}{}{BOLD:#} {style}{mark}{style:#}  ", view.code)?;
    let front = view.code.len() + 1 + wrap::width(&mark) + 2;
    let room = look.width.map(|width| width.saturating_sub(front).max(NARROWEST));
    for (number, line) in
        room.map_or(vec![view.sentence.clone()], |room| wrap::lines(&view.sentence, room)).iter().enumerate()
    {
        let indent = if number == 0 { 0 } else { front };
        writeln!(out, "{:indent$}{line}", "")?;
    }
    if !is_known {
        paragraph(view.meaning, "  ", look, out)?;
    }
    if let Some(formula) = &view.formula {
        writeln!(out, "  = {formula}")?;
    }
    let (lines, absences): (Vec<_>, Vec<_>) =
        view.evidence.iter().partition(|item| matches!(item, Evidence::Line(_)));
    for item in lines.iter().take(look.evidence_shown).chain(&absences) {
        evidence(item, look, out)?;
    }
    let hidden = lines.len().saturating_sub(look.evidence_shown);
    if hidden > 0 {
        writeln!(out, "  {DIM}{}{DIM:#}", words::more_lines(hidden, lang))?;
    }
    for remedy in view.remedies.iter().filter(|_| !is_known) {
        paragraph(remedy, "  → ", look, out)?;
    }
    Ok(())
}

/// `file:line: text`, the text as the log has it.
fn evidence(item: &Evidence, look: &Look<'_>, out: &mut dyn Write) -> io::Result<()> {
    let span = match item {
        Evidence::Line(span) => span,
        Evidence::Absent { text, lines } => {
            return writeln!(out, "  {DIM}{}{DIM:#}", say::absence(text, *lines, look.lang));
        }
    };
    let place = look.lines.place(*span);
    let Some(text) = look.lines.words(*span) else {
        return writeln!(out, "  {DIM}{place}{DIM:#}");
    };
    for (number, line) in text.lines().enumerate() {
        let front = if number == 0 { format!("{place}: ") } else { "  ".to_owned() };
        let room = look.width.map(|width| width.saturating_sub(2 + wrap::width(&front)).max(NARROWEST));
        let line = room.map_or_else(|| line.to_owned(), |room| wrap::cut(line, room));
        writeln!(out, "  {DIM}{front}{DIM:#}{line}")?;
    }
    Ok(())
}

/// A paragraph behind a front; further lines stand below its first word.
fn paragraph(text: &str, front: &str, look: &Look<'_>, out: &mut dyn Write) -> io::Result<()> {
    let indent = wrap::width(front);
    let lines = match look.width {
        Some(width) => wrap::lines(text, width.saturating_sub(indent).max(NARROWEST)),
        None => vec![text.to_owned()],
    };
    for (number, line) in lines.iter().enumerate() {
        match number {
            0 => writeln!(out, "{front}{line}")?,
            _ => writeln!(out, "{:indent$}{line}", "")?,
        }
    }
    Ok(())
}
