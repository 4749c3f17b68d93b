//! What an input lacks for each question, and how to collect it.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::overview::{chosen, process_title};
use super::table::{Cell, Table};
use super::{Document, Part, Query};
use crate::metrics::coverage::{Question, answers};
use crate::model::process::Process;
use crate::say::collect::{Job, steps};
use crate::say::doctor;
use crate::say::label::Label;
use crate::session::Analysis;

/// The answer as a document.
pub fn document(analysis: &Analysis, query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::new();
    for (_, process) in chosen(analysis, query) {
        parts.push(Part::Heading(1, process_title(analysis, process, lang)));
        let there = Question::ALL.iter().filter(|question| answers(process, **question)).count();
        parts.push(Part::Text(doctor::summary(there, Question::ALL.len(), lang)));
        parts.extend(tables(process, query).into_iter().map(Part::Table));
    }
    Document { parts }
}

/// One row a question, and the commands of a whole collection.
pub fn tables(process: &Process, query: &Query) -> Vec<Table> {
    let lang = query.lang;
    let columns = [
        ("question", Label::Finds),
        ("answered", Label::Understood),
        ("needs", Label::Needs),
        ("settings", Label::Setting),
        ("how", Label::Remarks),
    ];
    let mut table = Table::new("doctor", Label::Doctor.text(lang), &columns);
    let mut lacks = false;
    for &question in Question::ALL {
        let is_there = answers(process, question);
        lacks |= !is_there;
        let only_missing =
            |text: alloc::string::String| if is_there { Cell::Empty } else { Cell::text(text) };
        table.row(
            None,
            [
                Cell::text(doctor::question(question, lang)),
                Cell::text(doctor::state(is_there, lang)),
                Cell::text(question.needs()),
                only_missing(doctor::settings(question).join("; ")),
                only_missing(doctor::how(question, lang).to_string()),
            ],
        );
    }
    let mut commands = Table::new(
        "collect",
        Label::Collect.text(lang),
        &[("command", Label::Command), ("what", Label::Purpose)],
    );
    if lacks {
        for step in steps(Job::DeviceMemory, lang) {
            commands.row(None, [Cell::text(step.command), Cell::text(step.what)]);
        }
    }
    [table, commands].into_iter().filter(|table| !table.rows.is_empty()).collect()
}
