//! Addresses that were really dispatched: zero copy, args tables, launches (analysis rules, R9).

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::model::args_table::{Difference, MemoryType, UserAddress};
use crate::resolve::args_table::{ArgsTable, Backing, Known, Role, RoundState, Slot, need, tables};
use crate::say::zero_copy::{Argument, ZeroCopy};
use crate::span::Span;

const UNBACKED: Rule = Rule::new("GEM0411", "unbacked-address-dispatched", Severity::Error);
const DIFFERS: Rule = Rule::new("GEM0412", "args-differ-on-device", Severity::Error);
const TOO_SMALL: Rule = Rule::new("GEM0413", "user-buffer-too-small", Severity::Error);
const TABLE_OFF: Rule = Rule::new("GEM0414", "args-table-off", Severity::Hint);
const ROTATES: Rule = Rule::by_design("GEM0415", "user-buffers-rotate");
const PLACEHOLDER: Rule = Rule::by_design("GEM0416", "zero-copy-placeholder");
const SPLIT_UNKNOWN: Rule = Rule::new("GEM0417", "launch-split-unknown", Severity::Hint);
const NO_TABLE: Rule = Rule::new("GEM0418", "args-table-not-printed", Severity::Hint);

pub(super) const RULES: &[Rule] =
    &[UNBACKED, DIFFERS, TOO_SMALL, TABLE_OFF, ROTATES, PLACEHOLDER, SPLIT_UNKNOWN, NO_TABLE];

/// Lines that a finding over many slots or launches quotes.
const QUOTED: usize = 8;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let process = subject.process;
    for table in &tables(process, subject.names) {
        dispatched(subject, table, findings);
        placeholders(subject, table, findings);
        rotating(subject, table, findings);
    }
    for buffer in &process.args.too_small {
        let message = ZeroCopy::TooSmall {
            is_input: buffer.is_input,
            index: buffer.index,
            user: buffer.user,
            needed: buffer.needed,
        };
        findings.push(subject.finding(&TOO_SMALL, Severity::Error, message, [Evidence::Line(buffer.span)]));
    }
    switch(subject, findings);
    let unsplit: Vec<Span> = process
        .launches
        .launches
        .iter()
        .filter(|l| l.split.is_none() && !l.on_aicpu && l.pointers.as_ref().is_some_and(|p| !p.is_empty()))
        .filter_map(|l| l.pointers_span)
        .collect();
    if !unsplit.is_empty() {
        let message = ZeroCopy::SplitUnknown { launches: unsplit.len() };
        let lines = unsplit.into_iter().take(QUOTED).map(Evidence::Line);
        let evidence = lines.chain([subject.absent("ArgsInputsAddr(address/length)")]);
        findings.push(subject.finding(&SPLIT_UNKNOWN, Severity::Hint, message, evidence));
    }
}

fn argument(slot: &Slot, number: u32) -> Argument {
    let (word, index) = match slot.role {
        Role::Io(io, index) => (io.word(), index),
        Role::Nth(index) => ("", u64::from(index)),
        Role::Other => ("", 0),
    };
    Argument { slot: number, op: slot.op, word, index }
}

/// Values without memory behind them, and values that the device does not have.
fn dispatched(subject: &Subject<'_>, table: &ArgsTable<'_>, findings: &mut Vec<Finding>) {
    let has_user_lines = table.args.rounds.iter().any(|round| !round.users.is_empty());
    // Without any line of the user's memory and without zero-copy reuse, the logical address is
    // real (offline evaluation).
    let may_lack_memory = has_user_lines || need(subject.process, table.args).is_some();
    let mut unbacked: Option<ZeroCopy> = None;
    let mut unbacked_lines: Vec<Evidence> = Vec::new();
    let mut count = 0;
    table.each_round(&mut |state| {
        for difference in &state.round.differences {
            findings.push(differs(subject, table, state, difference));
        }
        let Some(round) = state.number.filter(|_| may_lack_memory) else { return };
        for slot in &table.slots {
            let (Backing::Unbacked(allocated), Some(logical)) = (slot.backing, slot.logical) else {
                continue;
            };
            let (Some(number), Some(value)) = (slot.number, state.value(slot)) else { continue };
            let user = slot.allocation.as_ref().and_then(|a| state.user(a));
            let is_users =
                user.is_some_and(|user| user.base.0.checked_add(slot.offset) == Some(value.device.0));
            // What only follows from a base is no value that was seen.
            if value.device != logical || is_users || value.known == Known::Computed {
                continue;
            }
            count += 1;
            if unbacked_lines.len() < QUOTED {
                let line = state.difference(number).map(|d| d.span).or(state.round.table_span);
                unbacked_lines.extend(line.or(state.round.policy_span).map(Evidence::Line));
                unbacked_lines.extend(slot.spans.last().copied().map(Evidence::Line));
                unbacked_lines.push(Evidence::Line(allocated.span));
            }
            unbacked.get_or_insert(ZeroCopy::Unbacked {
                argument: argument(slot, number),
                round,
                value: value.device,
                base: allocated.base,
                allocated: allocated.size,
                count: 1,
            });
        }
    });
    if let Some(ZeroCopy::Unbacked { argument, round, value, base, allocated, .. }) = unbacked {
        let message = ZeroCopy::Unbacked { argument, round, value, base, allocated, count };
        findings.push(subject.finding(&UNBACKED, Severity::Error, message, unbacked_lines));
    }
}

fn differs(
    subject: &Subject<'_>,
    table: &ArgsTable<'_>,
    state: &RoundState<'_>,
    difference: &Difference,
) -> Finding {
    let slot = table.slot(difference.slot);
    let argument = match slot {
        Some(slot) => argument(slot, difference.slot),
        None => Argument { slot: difference.slot, op: crate::intern::Name::EMPTY, word: "", index: 0 },
    };
    let message =
        ZeroCopy::Differs { argument, round: state.number, device: difference.device, host: difference.host };
    let slot_line = slot.and_then(|slot| slot.spans.first().copied()).map(Evidence::Line);
    let evidence = [Evidence::Line(difference.span)].into_iter().chain(slot_line);
    subject.finding(&DIFFERS, Severity::Error, message, evidence)
}

/// Two layers of zero copy: the logical address is a placeholder, the user's is dispatched.
fn placeholders(subject: &Subject<'_>, table: &ArgsTable<'_>, findings: &mut Vec<Finding>) {
    let is_placeholder = |slot: &&Slot| {
        let kind = slot.allocation.map(|a| a.kind);
        let is_user = matches!(kind, Some(MemoryType::Input | MemoryType::Output));
        is_user && slot.is_backed() == Some(false) && slot.number.is_some()
    };
    let slots: Vec<&Slot> = table.slots.iter().filter(is_placeholder).collect();
    let Some((slot, logical, number)) =
        slots.first().and_then(|slot| Some((*slot, slot.logical?, slot.number?)))
    else {
        return;
    };
    let mut last = None;
    table.each_round(&mut |state| {
        if state.number.is_some()
            && let Some(user) = slot.allocation.as_ref().and_then(|a| state.user(a))
        {
            // A value that the device does not have is reported on its own.
            let value = state.value(slot).filter(|value| value.device == value.host);
            last = value.map(|value| (value.device, user.span)).or(last);
        }
    });
    let message = ZeroCopy::Placeholder {
        slots: slots.len(),
        argument: argument(slot, number),
        logical,
        user: last.map(|(value, _)| value),
    };
    let backing = match slot.backing {
        Backing::Unbacked(allocated) => Some(allocated.span),
        _ => None,
    };
    let lines = slot.spans.iter().copied().chain(backing).chain(last.map(|(_, span)| span));
    findings.push(subject.finding(&PLACEHOLDER, Severity::Info, message, lines.map(Evidence::Line)));
}

/// An input or output of the user: its first memory, and the first line with another one.
struct Seen {
    first: UserAddress,
    change: Option<Span>,
}

fn rotating(subject: &Subject<'_>, table: &ArgsTable<'_>, findings: &mut Vec<Finding>) {
    let mut seen: Vec<Seen> = Vec::new();
    let mut rounds = 0;
    for round in table.args.rounds.iter().filter(|round| !round.at_load) {
        rounds += 1;
        for user in &round.users {
            let is_same =
                |known: &&mut Seen| (known.first.is_input, known.first.index) == (user.is_input, user.index);
            match seen.iter_mut().find(is_same) {
                Some(known) if known.first.user != user.user => {
                    known.change.get_or_insert(user.span);
                }
                Some(_) => {}
                None => seen.push(Seen { first: *user, change: None }),
            }
        }
    }
    let changed: Vec<(Span, Span)> =
        seen.iter().filter_map(|known| Some((known.first.span, known.change?))).collect();
    if changed.is_empty() {
        return;
    }
    let message = ZeroCopy::Rotates { ios: changed.len(), rounds };
    let lines = changed.into_iter().take(QUOTED).flat_map(|(first, change)| [first, change]);
    findings.push(subject.finding(&ROTATES, Severity::Info, message, lines.map(Evidence::Line)));
}

/// Args tables that were not asked for, or were asked for and not printed.
fn switch(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let process = subject.process;
    let Some(flag) = process.options.args_table else { return };
    let rounds = || process.args.models.iter().flat_map(|model| &model.rounds);
    if !flag.value {
        let evidence = [Evidence::Line(flag.span)];
        findings.push(subject.finding(&TABLE_OFF, Severity::Hint, ZeroCopy::TableOff, evidence));
    } else if rounds().any(|round| !round.at_load) && rounds().all(|round| round.printed == 0) {
        let evidence = [Evidence::Line(flag.span), subject.absent("Print model args host table")];
        findings.push(subject.finding(&NO_TABLE, Severity::Hint, ZeroCopy::NoTable, evidence));
    }
}
