//! What failed first over all processes, and what only followed (analysis rules, R7).

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity};
use crate::intern::Name;
use crate::metrics::failure::{Error, Incident, failures};
use crate::metrics::occupancy::{held_at, held_before};
use crate::model::fault::{CachingPool, FreeMemory, Nature, Place};
use crate::model::process::Process;
use crate::say::echo::{Damaged, Echo, Echoes, Recovered};
use crate::say::first_cause::{FirstCause, Reason};
use crate::session::Analysis;
use crate::span::Span;
use crate::units::Bytes;

const UNEXPLAINED: Rule = Rule::new("GEM0701", "memory-refused", Severity::Error);
const FULL: Rule = Rule::new("GEM0702", "device-full", Severity::Error);
const OTHER_PROCESS: Rule = Rule::new("GEM0703", "device-full-other-process", Severity::Error);
const LARGER: Rule = Rule::new("GEM0704", "larger-than-device", Severity::Error);
const CORRUPTED: Rule = Rule::new("GEM0705", "size-corrupted", Severity::Error);
const FRAGMENTED: Rule = Rule::new("GEM0706", "pool-fragmented", Severity::Error);
const HCCL_BUFFER: Rule = Rule::new("GEM0707", "hccl-buffer-refused", Severity::Error);
const PINNED_HOST: Rule = Rule::new("GEM0708", "pinned-host-refused", Severity::Error);
const DEVICE_SYSTEM: Rule = Rule::new("GEM0709", "device-system-memory", Severity::Error);
const GRAPH_LIMIT: Rule = Rule::new("GEM0710", "graph-larger-than-device", Severity::Error);
const UNSUPPORTED: Rule = Rule::new("GEM0711", "driver-feature-missing", Severity::Error);
const OUTPUT_SIZE: Rule = Rule::new("GEM0712", "zero-copy-buffer-small", Severity::Error);
const NOT_MEMORY: Rule = Rule::new("GEM0713", "not-memory", Severity::Error);
const ELSEWHERE: Rule = Rule::new("GEM0714", "cause-elsewhere", Severity::Warning);
const ECHOES: Rule = Rule::new("GEM0715", "echoes", Severity::Info);
const RECOVERED: Rule = Rule::by_design("GEM0716", "first-try-refused");
const DAMAGED: Rule = Rule::new("GEM0717", "text-damaged", Severity::Warning);

pub(super) const RULES: &[Rule] = &[
    UNEXPLAINED,
    FULL,
    OTHER_PROCESS,
    LARGER,
    CORRUPTED,
    FRAGMENTED,
    HCCL_BUFFER,
    PINNED_HOST,
    DEVICE_SYSTEM,
    GRAPH_LIMIT,
    UNSUPPORTED,
    OUTPUT_SIZE,
    NOT_MEMORY,
    ELSEWHERE,
    ECHOES,
    RECOVERED,
    DAMAGED,
];

/// No card of the field has a memory of this size or more.
const BEYOND_ANY_CARD: Bytes = Bytes(1 << 40);
/// A request of so many times the device can't be meant.
const ABSURD_FACTOR: u64 = 16;
/// Steps of the chain of echoes that are told.
const CHAIN_STEPS: usize = 8;
/// Lines shown as evidence of one finding.
const EVIDENCE_LINES: usize = 32;
/// An operator is named within so many lines of the error that it caused.
const OPERATOR_LINES: u32 = 24;
/// Free memory printed longer ago than this says nothing about a refusal.
const FREE_AGE: i64 = 5_000_000;

pub(super) fn check(analysis: &Analysis, findings: &mut Vec<Finding>) {
    let found = failures(&analysis.processes);
    for incident in &found.incidents {
        first(analysis, incident, findings);
        echoes(analysis, incident, findings);
    }
    for harmless in found.recovered {
        let message = Recovered { times: harmless.times.max(1) };
        push(findings, &RECOVERED, Severity::Info, harmless.process, message, harmless.lines);
    }
    for (number, process) in analysis.processes.iter().enumerate() {
        let damaged = &process.faults.damaged;
        if !damaged.is_empty() {
            let message = Damaged { lines: damaged.len() };
            push(findings, &DAMAGED, Severity::Warning, number, message, damaged.iter().copied());
        }
    }
}

fn push(
    findings: &mut Vec<Finding>,
    rule: &'static Rule,
    severity: Severity,
    process: usize,
    message: impl crate::say::Say + 'static,
    lines: impl IntoIterator<Item = Span>,
) {
    let evidence = lines.into_iter().take(EVIDENCE_LINES).map(Evidence::Line).collect();
    findings.push(Finding { rule, severity, process, message: alloc::boxed::Box::new(message), evidence });
}

fn first(analysis: &Analysis, incident: &Incident<'_>, findings: &mut Vec<Finding>) {
    let Some(process) = analysis.processes.get(incident.cause.process) else { return };
    let mut more = Vec::new();
    let reason = reason(analysis, incident, process, &mut more);
    let rule = match reason {
        Reason::Unexplained => &UNEXPLAINED,
        Reason::Full { .. } => &FULL,
        Reason::OtherProcess { .. } => &OTHER_PROCESS,
        Reason::LargerThanCard { .. } => &LARGER,
        Reason::Corrupted => &CORRUPTED,
        Reason::Fragmented { .. } => &FRAGMENTED,
        Reason::HcclBuffer => &HCCL_BUFFER,
        Reason::PinnedHost => &PINNED_HOST,
        Reason::DeviceSystem => &DEVICE_SYSTEM,
        Reason::GraphLimit => &GRAPH_LIMIT,
        Reason::Unsupported => &UNSUPPORTED,
        Reason::OutputSize => &OUTPUT_SIZE,
        Reason::NotMemory(_) => &NOT_MEMORY,
        Reason::Elsewhere(_) => &ELSEWHERE,
    };
    let severity = if matches!(reason, Reason::Elsewhere(_)) { Severity::Warning } else { Severity::Error };
    let operator = operator(analysis, incident.cause.fault.span);
    let message = FirstCause {
        pid: process.id.pid,
        refusal: incident.refusal.clone(),
        operator: operator.map(|(name, _)| name).unwrap_or_default(),
        reason,
        earlier: incident.earlier.len(),
    };
    let own = [incident.cause.fault.span];
    let rest = incident.refusal.lines.iter().copied().filter(|line| *line != incident.cause.fault.span);
    let lines = own.into_iter().chain(rest).chain(operator.map(|(_, span)| span)).chain(more);
    push(findings, rule, severity, incident.cause.process, message, lines);
}

/// Why it failed; the lines that prove it go to `more`.
fn reason(analysis: &Analysis, incident: &Incident<'_>, process: &Process, more: &mut Vec<Span>) -> Reason {
    let nature = incident.cause.fault.nature;
    match nature {
        Nature::OutOfMemory(_) => {}
        Nature::GraphLimit => return Reason::GraphLimit,
        Nature::OutputSize => return Reason::OutputSize,
        Nature::Unsupported => return Reason::Unsupported,
        echo if echo.is_echo() => return Reason::Elsewhere(echo),
        other => return Reason::NotMemory(other),
    }
    let refusal = &incident.refusal;
    let pool = pool_of(incident);
    let total = pool.map(|pool| pool.total).or_else(|| {
        let total = process.allocations.device_total.or_else(|| total_of(analysis, process, refusal.device));
        more.extend(total.map(|(_, span)| span));
        total.map(|(total, _)| total)
    });
    if let Some(size) = refusal.size {
        let beyond = total.is_some_and(|total| size.0 / ABSURD_FACTOR > total.0 && total.0 > 0);
        if size >= BEYOND_ANY_CARD || beyond {
            return Reason::Corrupted;
        }
    }
    if refusal.place == Place::Host {
        return Reason::PinnedHost;
    }
    if refusal.place == Place::DeviceSystem || !incident.device_system.is_empty() {
        more.extend(&incident.device_system);
        return Reason::DeviceSystem;
    }
    if let (Some(size), Some(total)) = (refusal.size, total)
        && size > total
        && total > Bytes::ZERO
    {
        return Reason::LargerThanCard { total };
    }
    if refusal.by_hccl {
        more.extend(process.allocations.buffers.iter().map(|buffer| buffer.span));
        return Reason::HcclBuffer;
    }
    device_memory(analysis, incident, process, total, more)
}

fn device_memory(
    analysis: &Analysis,
    incident: &Incident<'_>,
    process: &Process,
    total: Option<Bytes>,
    more: &mut Vec<Span>,
) -> Reason {
    let refusal = &incident.refusal;
    let pool = pool_of(incident);
    if let (Some(pool), Some(size)) = (pool, refusal.size)
        && pool.reserved.saturating_sub(pool.allocated) >= size
        && size > Bytes::ZERO
    {
        return Reason::Fragmented { reserved: pool.reserved, allocated: pool.allocated };
    }
    let time = incident.cause.time;
    let held = held_at(process, refusal.device, time, &analysis.names);
    let free = pool.map(|pool| pool.free).or_else(|| {
        let free = free_at(process, &incident.cause)?;
        more.push(free.span);
        Some(free.size)
    });
    let own = held.map(|held| held.size).or(pool.map(|pool| pool.reserved));
    let named = other_holder(analysis, incident);
    if let (Some(total), Some(own), Some(free)) = (total, own, free) {
        let others = total.saturating_sub(own).saturating_sub(free);
        if others >= own && others >= refusal.size.unwrap_or_default() && others > Bytes::ZERO {
            more.extend(held.map(|held| held.largest.span));
            more.extend(named.map(|(_, _, span)| span));
            let named = named.map(|(pid, size, _)| (pid, size));
            return Reason::OtherProcess { others, own, total, free, named };
        }
    }
    match held {
        Some(held) if held.size > Bytes::ZERO => {
            more.push(held.largest.span);
            Reason::Full {
                own: held.size,
                module: held.largest.module,
                module_size: held.largest.size,
                total: total.filter(|total| *total >= held.size),
            }
        }
        _ => Reason::Unexplained,
    }
}

fn pool_of(incident: &Incident<'_>) -> Option<CachingPool> {
    let own = |e: &&Error<'_>| e.process == incident.cause.process;
    incident.cause.fault.pool.or_else(|| incident.echoes.iter().filter(own).find_map(|e| e.fault.pool))
}

/// The capacity that another process saw on the same device.
fn total_of(analysis: &Analysis, process: &Process, device: Option<i64>) -> Option<(Bytes, Span)> {
    device?;
    let same_machine = |p: &&Process| p.id.root == process.id.root;
    analysis.processes.iter().filter(same_machine).find_map(|p| p.allocations.device_total)
}

fn free_at(process: &Process, cause: &Error<'_>) -> Option<FreeMemory> {
    let at = cause.time?;
    let recent = |free: &&FreeMemory| free.time.is_some_and(|t| (0..=FREE_AGE).contains(&at.since(t)));
    process.faults.free.iter().rev().find(recent).copied()
}

/// The process of this input that held most of the same device.
fn other_holder(analysis: &Analysis, incident: &Incident<'_>) -> Option<(Option<i64>, Bytes, Span)> {
    let device = incident.refusal.device?;
    let own = analysis.processes.get(incident.cause.process)?;
    let others = analysis
        .processes
        .iter()
        .enumerate()
        .filter(|(number, process)| *number != incident.cause.process && process.id.root == own.id.root);
    others
        .filter_map(|(_, process)| {
            let held = held_before(process, Some(device), incident.cause.time, &analysis.names)?;
            Some((process.id.pid, held.size, held.largest.span))
        })
        .filter(|(_, size, _)| *size > Bytes::ZERO)
        .max_by_key(|(_, size, _)| *size)
}

/// The operator that a line near the error names.
fn operator(analysis: &Analysis, near: Span) -> Option<(Name, Span)> {
    let operators = analysis.processes.iter().flat_map(|p| &p.faults.operators);
    operators
        .filter(|(_, span)| span.source == near.source && span.line.abs_diff(near.line) <= OPERATOR_LINES)
        .min_by_key(|(_, span)| span.line.abs_diff(near.line))
        .copied()
}

fn echoes(analysis: &Analysis, incident: &Incident<'_>, findings: &mut Vec<Finding>) {
    if incident.echoes.is_empty() {
        return;
    }
    let mut chain: Vec<Echo> = Vec::new();
    for error in &incident.echoes {
        let pid = analysis.processes.get(error.process).and_then(|p| p.id.pid);
        let known = chain.iter_mut().find(|echo| echo.nature == error.fault.nature && echo.pid == pid);
        if let Some(known) = known {
            known.size = known.size.or(error.fault.size);
            known.code = known.code.or(error.fault.code);
            continue;
        }
        if chain.len() < CHAIN_STEPS {
            let after = match (incident.cause.fault.time, error.fault.time) {
                (Some(cause), Some(echo)) => Some(echo.since(cause)),
                _ => None,
            };
            let fault = error.fault;
            chain.push(Echo { nature: fault.nature, pid, after, code: fault.code, size: fault.size });
        }
    }
    let lines = incident.echoes.iter().map(|e| e.fault.span);
    let message = Echoes { chain, count: incident.echoes.len() };
    push(findings, &ECHOES, Severity::Info, incident.cause.process, message, lines);
}

/// Whether the first definite error of a process is about memory.
pub(super) fn speaks_of_memory(process: &Process) -> bool {
    let definite = process.faults.faults.iter().find(|fault| !fault.nature.is_echo());
    definite.is_some_and(|fault| fault.nature.is_refusal())
}
