//! Tables and documents as Markdown.

use alloc::string::String;

use super::table::Table;
use super::{Document, FindingView, Part};
use crate::check::Evidence;
use crate::say::Lang;
use crate::say::label::Label;
use crate::span::Span;

/// A table as Markdown.
pub fn table(table: &Table, lang: Lang) -> String {
    let mut out = String::new();
    row(&mut out, table.headings(lang).into_iter().map(String::from));
    let numeric =
        |n: usize| table.rows.iter().all(|row| row.cells.get(n).is_none_or(|cell| cell.is_number()));
    row(&mut out, (0..table.columns.len()).map(|n| String::from(if numeric(n) { "---:" } else { "---" })));
    for line in &table.rows {
        let indent = "&nbsp;&nbsp;".repeat(usize::from(line.depth));
        row(
            &mut out,
            line.cells.iter().enumerate().map(|(n, cell)| {
                let text = escaped(&cell.for_people());
                if n == 0 { indent.clone() + &text } else { text }
            }),
        );
    }
    for note in &table.notes {
        out += "\n";
        out += note;
        out += "\n";
    }
    out
}

/// A document as Markdown. `place` names a line (`file:line`), `text` gives its words.
pub fn document(
    document: &Document,
    lang: Lang,
    place: &dyn Fn(Span) -> String,
    text: &dyn Fn(Span) -> Option<String>,
) -> String {
    let mut out = String::new();
    for part in &document.parts {
        if !out.is_empty() {
            out += "\n";
        }
        match part {
            Part::Heading(level, heading) => {
                out += &"#".repeat(usize::from(*level));
                out += " ";
                out += heading;
                out += "\n";
            }
            Part::Text(paragraph) => {
                out += paragraph;
                out += "\n";
            }
            Part::Table(part) => {
                if !part.title.is_empty() {
                    out += "**";
                    out += &part.title;
                    out += "**\n\n";
                }
                out += &table(part, lang);
            }
            Part::Finding(finding) => out += &finding_text(finding, lang, place, text),
        }
    }
    out
}

fn finding_text(
    finding: &FindingView,
    lang: Lang,
    place: &dyn Fn(Span) -> String,
    text: &dyn Fn(Span) -> Option<String>,
) -> String {
    let mut out = String::from("- **");
    out += finding.code;
    out += "** ";
    out += &finding.sentence;
    if finding.by_design {
        out += " *(";
        out += Label::ByDesign.text(lang);
        out += ")*";
    }
    out += "\n";
    let mut item = |words: &str| {
        out += "  - ";
        out += words;
        out += "\n";
    };
    item(finding.meaning);
    if let Some(formula) = &finding.formula {
        item(&alloc::format!("`{formula}`"));
    }
    for remedy in &finding.remedies {
        item(remedy);
    }
    for evidence in &finding.evidence {
        match evidence {
            Evidence::Line(span) => match text(*span) {
                Some(words) => item(&alloc::format!("{} `{}`", place(*span), words.replace('`', "'"))),
                None => item(&place(*span)),
            },
            Evidence::Absent { text, lines } => item(&crate::say::absence(text, *lines, lang)),
        }
    }
    out
}

fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(&cell);
        out.push_str(" |");
    }
    out.push('\n');
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ")
}
