//! Failures over all processes: what was refused first, what followed from it (analysis rules, R7).
//!
//! Knows no sentences and no remedies.

use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::intern::Name;
use crate::model::allocation::Event;
use crate::model::fault::{Code, Fault, Layer, Nature, Place};
use crate::model::process::Process;
use crate::span::{SourceId, Span};
use crate::time::Time;
use crate::units::Bytes;

/// Errors further apart than this belong to different failures. The longest time-out of the field,
/// the one of HCCL, is half an hour.
const INCIDENT_GAP: i64 = 2 * 3600 * 1_000_000;
/// A refusal is printed by every layer within this time.
const CHAIN_MICROSECONDS: i64 = 1_000_000;
/// What one process reports within this time before its cause is about the same failure.
const NEAR_MICROSECONDS: i64 = 60 * 1_000_000;

/// One error with its process and the time at which it stands in the order of all.
#[derive(Clone, Copy, Debug)]
pub struct Error<'a> {
    /// Place in the list of processes.
    pub process: usize,
    /// The line's time; for a line without one, that of the line before it, else behind it.
    pub time: Option<Time>,
    /// The error.
    pub fault: &'a Fault,
}

/// A refused request, put together from the lines of all layers that report it.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Bytes asked for; `None` where no line says.
    pub size: Option<Bytes>,
    /// Limit that the size ran against, where a line says.
    pub limit: Option<Bytes>,
    /// Device.
    pub device: Option<i64>,
    /// Memory module that asked.
    pub module_id: Option<u64>,
    /// Codes, from the driver upwards.
    pub codes: Vec<Code>,
    /// The uppermost function named.
    pub api: Name,
    /// Operator, graph or purpose.
    pub subject: Name,
    /// The layer that asked, the uppermost one that reports.
    pub layer: Layer,
    /// HCCL asked.
    pub by_hccl: bool,
    /// Which memory.
    pub place: Place,
    /// Lines.
    pub lines: Vec<Span>,
}

/// One failure.
#[derive(Debug)]
pub struct Incident<'a> {
    /// The first error that can be a cause; of nothing but echoes, the first of these.
    pub cause: Error<'a>,
    /// The request, where memory was refused; else what is known of the error.
    pub refusal: Refusal,
    /// Errors that follow from it.
    pub echoes: Vec<Error<'a>>,
    /// Errors before it that it does not explain.
    pub earlier: Vec<Error<'a>>,
    /// Lines of the device's operating system that say that its memory ran out.
    pub device_system: Vec<Span>,
}

/// First tries that failed and were made good.
#[derive(Debug, Default)]
pub struct Recovered {
    /// Place in the list of processes.
    pub process: usize,
    /// How many.
    pub times: usize,
    /// Lines.
    pub lines: Vec<Span>,
}

/// All failures, in the order of their time, and what was no failure.
#[derive(Debug, Default)]
pub struct Failures<'a> {
    /// Failures.
    pub incidents: Vec<Incident<'a>>,
    /// First tries made good, by process.
    pub recovered: Vec<Recovered>,
}

/// Finds the failures of all processes.
pub fn failures(processes: &[Process]) -> Failures<'_> {
    let mut errors = Vec::new();
    let mut recovered = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        let timed = timed(number, process);
        let good = made_good(process, &timed);
        let mut harmless = Recovered { process: number, ..Recovered::default() };
        for (error, good) in timed.into_iter().zip(good) {
            if good {
                harmless.times += usize::from(error.fault.tries_again);
                harmless.lines.push(error.fault.span);
            } else {
                errors.push(error);
            }
        }
        if !harmless.lines.is_empty() {
            recovered.push(harmless);
        }
    }
    errors.sort_by_key(|e| {
        let undated = e.fault.time.is_none() && e.time.is_some();
        (e.time.is_none(), e.time, undated, e.fault.span.source, e.fault.span.line, e.fault.span.start)
    });
    let mut incidents = Vec::new();
    let mut from = 0;
    for to in 1..=errors.len() {
        let apart = match (errors.get(to - 1).and_then(|e| e.time), errors.get(to).and_then(|e| e.time)) {
            (Some(before), Some(behind)) => behind.since(before) > INCIDENT_GAP,
            _ => to == errors.len(),
        };
        if apart {
            incidents.extend(errors.get(from..to).and_then(incident));
            from = to;
        }
    }
    Failures { incidents, recovered }
}

/// The errors of one process with the time of each.
fn timed(number: usize, process: &Process) -> Vec<Error<'_>> {
    let faults = &process.faults.faults;
    let mut first: HashMap<SourceId, Time> = HashMap::new();
    for fault in faults {
        if let Some(time) = fault.time {
            first.entry(fault.span.source).or_insert(time);
        }
    }
    let mut last: HashMap<SourceId, Time> = HashMap::new();
    let mut errors = Vec::with_capacity(faults.len());
    for fault in faults {
        let source = fault.span.source;
        let time = fault.time.or(last.get(&source).copied()).or(first.get(&source).copied());
        if let Some(time) = time {
            last.insert(source, time);
        }
        errors.push(Error { process: number, time, fault });
    }
    errors
}

/// For each error whether it belongs to a try that was made good afterwards: a second try was
/// announced, and either memory was then taken by the same thread or no further refusal followed.
fn made_good(process: &Process, errors: &[Error<'_>]) -> Vec<bool> {
    let mut good = Vec::new();
    good.resize(errors.len(), false);
    if !errors.iter().any(|e| e.fault.tries_again) {
        return good;
    }
    let takes = Takes::of(process);
    let mut open: HashMap<Option<i64>, Attempt> = HashMap::new();
    for (number, error) in errors.iter().enumerate() {
        if !error.fault.nature.is_refusal() {
            continue;
        }
        let attempt = open.entry(error.fault.tid).or_default();
        if let Some(last) = attempt.lines.last().and_then(|&n| errors.get(n)) {
            let waited = match (last.time, error.time) {
                (Some(before), Some(now)) => now.since(before),
                _ => 0,
            };
            if attempt.is_announced && (waited > NEAR_MICROSECONDS || takes.between(last, error)) {
                attempt.lines.iter().for_each(|&n| good[n] = true);
                *attempt = Attempt::default();
            } else if waited > CHAIN_MICROSECONDS && !attempt.is_announced {
                *attempt = Attempt::default();
            }
        }
        attempt.lines.push(number);
        attempt.is_announced |= error.fault.tries_again;
    }
    for attempt in open.into_values() {
        let last = attempt.lines.last().and_then(|&n| errors.get(n));
        if last.is_some_and(|last| last.fault.tries_again) {
            attempt.lines.iter().for_each(|&n| good[n] = true);
        }
    }
    good
}

/// The refusals of one thread that may end well together.
#[derive(Default)]
struct Attempt {
    /// Places in the list of errors.
    lines: Vec<usize>,
    /// One of them says that a second try follows.
    is_announced: bool,
}

/// When each thread of a process took memory, in order.
#[derive(Default)]
struct Takes(HashMap<i64, Vec<Time>>);

impl Takes {
    fn of(process: &Process) -> Takes {
        let mut takes = Takes::default();
        for event in &process.allocations.events {
            if let Event::Taken(taken) = event
                && let Some(time) = taken.time
                // A null pointer stands for a failed call.
                && taken.address.is_none_or(|address| address.0 != 0)
            {
                takes.0.entry(taken.tid).or_default().push(time);
            }
        }
        takes.0.values_mut().for_each(|times| times.sort_unstable());
        takes
    }

    /// Whether the thread of `behind` took memory after `before` and before `behind`.
    fn between(&self, before: &Error<'_>, behind: &Error<'_>) -> bool {
        let (Some(from), Some(to)) = (before.time, behind.time) else { return false };
        let in_time = |times: &Vec<Time>| {
            times.get(times.partition_point(|time| *time <= from)).is_some_and(|time| *time < to)
        };
        match behind.fault.tid {
            Some(tid) => self.0.get(&tid).is_some_and(in_time),
            None => self.0.values().any(in_time),
        }
    }
}

fn incident<'a>(errors: &[Error<'a>]) -> Option<Incident<'a>> {
    let is_system = |e: &Error<'_>| {
        e.fault.nature == Nature::OutOfMemory(Place::DeviceSystem) && e.fault.layer != Layer::Driver
    };
    let has_request = errors.iter().any(|e| e.fault.nature.is_refusal() && !is_system(e));
    let (system, errors): (Vec<Error<'_>>, Vec<Error<'_>>) =
        errors.iter().partition(|e| has_request && is_system(e));
    let definite = errors.iter().position(|e| !e.fault.nature.is_echo());
    let mut at = definite.unwrap_or(0);
    let from = at;
    let mut cause = *errors.get(at)?;
    if cause.fault.nature == Nature::NoContext {
        // A device that can't be opened leaves its threads without a context.
        let busy = errors
            .iter()
            .position(|e| e.fault.nature == Nature::DeviceBusy && distance(e, &cause) <= NEAR_MICROSECONDS);
        if let Some(busy) = busy {
            at = busy;
            cause = *errors.get(at)?;
        }
    }
    let is_chain = |e: &Error<'_>| {
        let same_matter = match (cause.fault.nature, e.fault.nature) {
            (Nature::OutOfMemory(_), Nature::OutOfMemory(_)) => true,
            (a, b) => a == b,
        };
        e.process == cause.process && same_matter && distance(e, &cause) <= CHAIN_MICROSECONDS
    };
    let chain: Vec<Error<'_>> = errors.iter().copied().filter(is_chain).collect();
    let mut refusal = put_together(cause.fault, &chain);
    if refusal.device.is_none() {
        // A framework prints the device beside the error.
        refusal.device = errors
            .iter()
            .filter(|e| e.process == cause.process && distance(e, &cause) <= CHAIN_MICROSECONDS)
            .find_map(|e| e.fault.device);
    }
    let mut echoes = Vec::new();
    let mut earlier = Vec::new();
    for (number, error) in errors.iter().enumerate() {
        if number == at || is_chain(error) {
            continue;
        }
        let near = error.process == cause.process && distance(error, &cause) <= NEAR_MICROSECONDS;
        if number >= from || near { &mut echoes } else { &mut earlier }.push(*error);
    }
    let device_system = system.iter().map(|e| e.fault.span).collect();
    Some(Incident { cause, refusal, echoes, earlier, device_system })
}

/// Microseconds between two errors; 0 where one has no time.
fn distance(a: &Error<'_>, b: &Error<'_>) -> i64 {
    match (a.time, b.time) {
        (Some(a), Some(b)) => b.since(a).abs(),
        _ => 0,
    }
}

fn put_together(first: &Fault, chain: &[Error<'_>]) -> Refusal {
    let faults = || chain.iter().map(|e| e.fault);
    let mut codes: Vec<Code> = Vec::new();
    for code in faults().filter_map(|f| f.code) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let named = |get: fn(&Fault) -> Name| {
        let uppermost = faults().filter(|f| get(f) != Name::EMPTY).max_by_key(|f| (f.layer, f.span.line));
        uppermost.map(get).unwrap_or_default()
    };
    let place = faults()
        .filter_map(|f| match f.nature {
            Nature::OutOfMemory(place) => Some(place),
            _ => None,
        })
        .find(|place| *place != Place::Unsaid);
    Refusal {
        // The request itself is the first size; a second try may ask for less.
        size: first.size.or_else(|| faults().find_map(|f| f.size)),
        limit: first.limit.or_else(|| faults().find_map(|f| f.limit)),
        device: faults().find_map(|f| f.device),
        module_id: faults().find_map(|f| f.module_id),
        codes,
        api: named(|f| f.api),
        subject: named(|f| f.subject),
        layer: faults().map(|f| f.layer).max().unwrap_or_default(),
        by_hccl: faults().any(|f| f.layer == Layer::Hccl || f.module_id == Some(3)),
        place: place.unwrap_or(Place::Unsaid),
        lines: faults().map(|f| f.span).collect(),
    }
}
