//! Args tables of static models: every slot with its two layers of address, and the rounds.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overview::{chosen, process_title, view};
use super::table::{Cell, Table};
use super::{Document, Part, Query};
use crate::check::Finding;
use crate::intern::Interner;
use crate::model::process::Process;
use crate::resolve::args_table::{ArgsTable, Known, Role, Slot, tables};
use crate::say;
use crate::say::label::Label;
use crate::session::Analysis;
use crate::units::Address;

/// Different addresses of a slot that a cell names; the rest is counted.
const NAMED: usize = 3;

/// Everything about args tables: what can't be shown and why, then the tables.
pub fn document(analysis: &Analysis, findings: &[Finding], query: &Query) -> Document {
    let lang = query.lang;
    let mut parts = Vec::new();
    for (number, process) in chosen(analysis, query) {
        parts.push(Part::Heading(1, process_title(analysis, process, lang)));
        let own = findings.iter().filter(|f| f.process == number && is_about_args(f));
        parts.extend(own.map(|finding| Part::Finding(view(analysis, finding, lang))));
        let tables = tables(process, &analysis.names);
        if tables.is_empty() {
            parts.push(Part::Text(say::whose::no_args_table(lang).to_string()));
        }
        for table in &tables {
            let name = analysis.names.get(table.args.name);
            parts.push(Part::Heading(2, say::whose::model(table.args.model, name, lang)));
            parts.extend(rounds(analysis, table, query).map(Part::Table));
            parts.extend(slots(analysis, table, query).map(Part::Table));
        }
    }
    Document { parts }
}

/// Whether a finding is about dispatched addresses: these have the codes from 0411 on.
pub fn is_about_args(finding: &Finding) -> bool {
    finding.rule.code.starts_with("GEM041")
}

/// The tables of one process alone.
pub fn of_process(analysis: &Analysis, process: &Process, query: &Query) -> Vec<Table> {
    let tables = tables(process, &analysis.names);
    tables
        .iter()
        .flat_map(|table| [rounds(analysis, table, query), slots(analysis, table, query)])
        .flatten()
        .collect()
}

/// Rounds: policy, the user's memory, how the values are known.
fn rounds(analysis: &Analysis, table: &ArgsTable<'_>, query: &Query) -> Option<Table> {
    let lang = query.lang;
    let mut rows = Table::new(
        "args_rounds",
        Label::ArgsRounds.text(lang),
        &[
            ("model_id", Label::Id),
            ("round", Label::Round),
            ("policy", Label::Policy),
            ("user_addresses", Label::UserAddress),
            ("table", Label::TableSource),
            ("differences", Label::Differences),
        ],
    );
    table.each_round(&mut |state| {
        let Some(number) = state.number else { return };
        let round = state.round;
        let users: Vec<String> = round
            .users
            .iter()
            .map(|user| {
                let io = if user.is_input { "Input" } else { "Output" };
                let copy =
                    if user.copy_host { format!(" → {} (copy host)", user.base) } else { String::new() };
                format!("[{io}] index:{} = {}{copy}", user.index, user.user)
            })
            .collect();
        rows.row(
            Some(round.policy_span.unwrap_or(round.span)),
            [
                Cell::maybe(table.args.model, Cell::Count),
                Cell::Count(u64::from(number)),
                Cell::text(analysis.names.get(round.policy)),
                Cell::text(users.join("; ")),
                Cell::text(say::whose::table_source(
                    round.printed,
                    round.written.len(),
                    round.differences.len(),
                    lang,
                )),
                Cell::Count(round.differences.len() as u64),
            ],
        );
    });
    (!rows.rows.is_empty()).then_some(rows)
}

/// What a slot held over the rounds.
#[derive(Clone, Default)]
struct Held {
    /// Different addresses on the device, in their order.
    values: Vec<Address>,
    user: Option<String>,
}

/// Slots: dispatched addresses; then the logical layer; then the user's.
fn slots(analysis: &Analysis, table: &ArgsTable<'_>, query: &Query) -> Option<Table> {
    let lang = query.lang;
    let names = &analysis.names;
    let is_wanted = |slot: &Slot| {
        let node = query.graph.as_ref();
        slot.role != Role::Other && node.is_none_or(|node| names.get(slot.op).contains(node.as_str()))
    };
    let shown = query.top.filter(|top| *top > 0).unwrap_or(usize::MAX);
    let wanted: Vec<&Slot> = table.slots.iter().filter(|slot| is_wanted(slot)).take(shown).collect();
    let mut held = alloc::vec![Held::default(); wanted.len()];
    table.each_round(&mut |state| {
        if state.number.is_none() {
            return;
        }
        for (slot, held) in wanted.iter().zip(&mut held) {
            // What only follows from base and offset was not seen: the table says so elsewhere.
            if let Some(value) = state.value(slot).filter(|value| value.known != Known::Computed)
                && !held.values.contains(&value.device)
            {
                held.values.push(value.device);
            }
            if let Some(user) = slot.allocation.as_ref().and_then(|a| state.user(a)) {
                let io = if user.is_input { "Input" } else { "Output" };
                held.user = Some(format!("[{io}] index:{} = {}", user.index, user.user));
            }
        }
    });
    let mut rows = Table::new(
        "args_slots",
        Label::ArgsSlots.text(lang),
        &[
            ("model_id", Label::Id),
            ("slot", Label::Slot),
            ("operator", Label::Operator),
            ("io", Label::Io),
            ("dispatched", Label::Dispatched),
            ("size_bytes", Label::Bytes),
            ("logical_addr", Label::LogicalAddress),
            ("memory", Label::Backed),
            ("allocation", Label::Allocation),
            ("refreshable", Label::Refreshable),
            ("user_addr", Label::UserAddress),
        ],
    );
    for (slot, held) in wanted.iter().zip(&held) {
        let mut values: Vec<String> = held.values.iter().take(NAMED).map(Address::to_string).collect();
        if held.values.len() > NAMED {
            values.push(format!("+{}", held.values.len() - NAMED));
        }
        let allocation = match slot.allocation {
            Some(a) => format!("{} {}+{:#x}", a.kind.word(), slot.id, slot.offset),
            None => format!("{}+{:#x}", slot.id, slot.offset),
        };
        rows.row(
            slot.spans.first().copied(),
            [
                Cell::maybe(table.args.model, Cell::Count),
                Cell::maybe(slot.number, |n| Cell::Count(u64::from(n))),
                Cell::text(names.get(slot.op)),
                Cell::text(io(slot.role)),
                Cell::text(values.join(" ")),
                Cell::maybe(slot.size, Cell::Size),
                Cell::maybe(slot.logical, Cell::Address),
                Cell::text(say::whose::backed(slot.is_backed(), lang)),
                Cell::text(allocation),
                Cell::maybe(slot.refreshable, |is| Cell::Count(u64::from(is))),
                Cell::maybe(held.user.clone(), Cell::text),
            ],
        );
    }
    (!rows.rows.is_empty()).then_some(rows)
}

/// `input_0`, or `#3` where no line tells inputs and outputs apart.
fn io(role: Role) -> String {
    match role {
        Role::Io(io, index) => format!("{}_{index}", io.word()),
        Role::Nth(index) => format!("#{index}"),
        Role::Other => String::new(),
    }
}

/// The argument of an operator that a slot is for.
pub(super) fn argument(names: &Interner, op: crate::intern::Name, role: Role) -> String {
    match role {
        Role::Io(io, index) => say::whose::of_names(names, op, io.word(), index),
        Role::Nth(index) => say::whose::of_names(names, op, "", u64::from(index)),
        Role::Other => String::new(),
    }
}
