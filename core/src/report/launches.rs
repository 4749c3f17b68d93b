//! Launches of dynamic graphs: steps with their gears, and every argument with its producer.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overview::{chosen, process_title};
use super::table::{Cell, Table};
use super::{Document, Part, Query};
use crate::model::process::Process;
use crate::resolve::launch::{self, Role, StepView, kernel};
use crate::say;
use crate::say::label::Label;
use crate::session::Analysis;

/// Everything about launches.
pub fn document(analysis: &Analysis, query: &Query) -> Document {
    let mut parts = Vec::new();
    for (_, process) in chosen(analysis, query) {
        parts.push(Part::Heading(1, process_title(analysis, process, query.lang)));
        let tables = of_process(analysis, process, query);
        if tables.is_empty() {
            parts.push(Part::Text(say::whose::no_launches(query.lang).to_string()));
        }
        parts.extend(tables.into_iter().map(Part::Table));
    }
    Document { parts }
}

/// The tables of one process. The query's graph is part of an operator's name here.
pub fn of_process(analysis: &Analysis, process: &Process, query: &Query) -> Vec<Table> {
    let views = launch::steps(&process.launches);
    let tables = [steps(&views, query), arguments(analysis, process, &views, query)];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn steps(views: &[StepView], query: &Query) -> Table {
    let mut table = Table::new(
        "launch_steps",
        Label::LaunchSteps.text(query.lang),
        &[
            ("step", Label::Step),
            ("thread", Label::Thread),
            ("time", Label::Time),
            ("launches", Label::Launches),
            ("gear_bytes", Label::Gear),
            ("largest_output_bytes", Label::LargestOutput),
        ],
    );
    for view in views.iter().filter(|view| !view.launches.is_empty()) {
        table.row(
            Some(view.step.span),
            [
                Cell::Count(u64::from(view.step.number)),
                Cell::Number(view.step.tid),
                Cell::maybe(view.step.time, |time| Cell::Text(time.to_string())),
                Cell::Count(view.launches.len() as u64),
                Cell::maybe(view.gear, Cell::Size),
                Cell::maybe(view.largest_output, Cell::Size),
            ],
        );
    }
    if table.rows.len() > 1 {
        table.notes.push(say::whose::gear(query.lang).to_string());
    }
    table
}

fn arguments(analysis: &Analysis, process: &Process, views: &[StepView], query: &Query) -> Table {
    let names = &analysis.names;
    let mut table = Table::new(
        "launches",
        Label::LaunchArguments.text(query.lang),
        &[
            ("step", Label::Step),
            ("operator", Label::Operator),
            ("kernel", Label::Kernel),
            ("io", Label::Io),
            ("address", Label::Address),
            ("size_bytes", Label::Bytes),
            ("producer", Label::Producer),
            ("pool_block", Label::PoolBlock),
        ],
    );
    let shown = query.top.filter(|top| *top > 0).unwrap_or(usize::MAX);
    let mut unsplit = 0;
    let blocks = launch::pool_blocks(&process.launches, &process.pools);
    for view in views {
        for (place, arguments) in launch::step_arguments(&process.launches, view) {
            let Some(launch) = process.launches.launches.get(place) else { continue };
            let parts = kernel(names.get(launch.kernel));
            let is_wanted = query.graph.as_ref().is_none_or(|part| parts.op.contains(part.as_str()));
            if !is_wanted {
                continue;
            }
            unsplit += usize::from(arguments.iter().any(|a| matches!(a.role, Role::Unsplit(_))));
            for (n, argument) in arguments.into_iter().enumerate() {
                if table.rows.len() >= shown {
                    break;
                }
                let block = blocks.get(place).and_then(|list| list.get(n).copied().flatten());
                let producer = argument.producer.and_then(|at| process.launches.launches.get(at));
                table.row(
                    Some(launch.pointers_span.unwrap_or(launch.span)),
                    [
                        Cell::Count(u64::from(view.step.number)),
                        Cell::text(parts.op),
                        Cell::text(parts.kind),
                        Cell::Text(io(argument.role)),
                        Cell::Address(argument.pointer.address),
                        Cell::maybe(argument.pointer.size, Cell::Size),
                        Cell::maybe(producer, |p| Cell::text(kernel(names.get(p.kernel)).op)),
                        Cell::maybe(block, |b| {
                            let distance = (argument.pointer.address - b.block.address).0;
                            Cell::Text(format!("{} {}+{distance:#x}", b.allocator, b.block.address))
                        }),
                    ],
                );
            }
        }
    }
    if unsplit > 0 {
        table.notes.push(say::whose::split_unknown(unsplit, query.lang));
    }
    table
}

/// `input_0`, or `in/out_0` where the line with the pointer counts is missing.
pub(super) fn io(role: Role) -> String {
    match role {
        Role::Input(index) => format!("input_{index}"),
        Role::Output(index) => format!("output_{index}"),
        Role::Unsplit(index) => format!("in/out_{index}"),
        Role::Workspace(index) => format!("workspace_{index}"),
    }
}
