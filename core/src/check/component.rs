//! Who holds the device memory, and whether it comes back (analysis rules, R1 and R6).

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::metrics::component::{self, Balance, Pool, pool_of};
use crate::metrics::growth::{self, Trend};
use crate::say::component::Component;

const LARGEST: Rule = Rule::new("GEM0101", "component-largest", Severity::Info);
const HELD: Rule = Rule::new("GEM0102", "component-held", Severity::Warning);
const CLEAN: Rule = Rule::new("GEM0103", "component-clean", Severity::Info);
const GROWTH: Rule = Rule::new("GEM0104", "component-growth", Severity::Warning);
const MIXED_RUNS: Rule = Rule::new("GEM0105", "peak-falls", Severity::Warning);
const DRIVER_CACHE: Rule = Rule::by_design("GEM0106", "driver-cache");
const DEVICE_PROCESS: Rule = Rule::new("GEM0107", "device-process", Severity::Info);

pub(super) const RULES: &[Rule] = &[LARGEST, HELD, CLEAN, GROWTH, MIXED_RUNS, DRIVER_CACHE, DEVICE_PROCESS];

/// A driver cache below this is not worth a line of its own.
const CACHE_WORTH_SAYING: u64 = 64 << 20;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let components = &subject.process.components;
    let rows = component::rows(components, subject.names);
    let shares = component::device_shares(&rows, subject.names);
    let mut devices: Vec<Option<i64>> = shares.iter().map(|s| s.device).collect();
    devices.sort_unstable();
    devices.dedup();
    for device in devices {
        let of_device: Vec<_> = shares.iter().filter(|s| s.device == device).collect();
        let (Some(largest), all) = (of_device.first(), of_device.iter().map(|s| s.peak).sum()) else {
            continue;
        };
        let message = Component::Largest { module: largest.module, device, peak: largest.peak, all };
        let lines = largest.rows.iter().map(|row| Evidence::Line(row.peak.span));
        findings.push(subject.finding(&LARGEST, Severity::Info, message, lines));
    }
    balances(subject, &rows, findings);
    series(subject, findings);
    let cached: u64 = components
        .cached
        .iter()
        .filter(|c| !matches!(pool_of(subject.names.get(c.memory_kind)), Pool::Host))
        .map(|c| c.size.0)
        .sum();
    if cached >= CACHE_WORTH_SAYING {
        let lines = components.cached.iter().map(|c| Evidence::Line(c.span));
        let message = Component::DriverCache { size: crate::units::Bytes(cached) };
        findings.push(subject.finding(&DRIVER_CACHE, Severity::Info, message, lines));
    }
    if let Some(largest) = components.device_processes.iter().max_by_key(|p| p.size) {
        let message =
            Component::DeviceProcess { module: largest.module, device: largest.device, size: largest.size };
        let evidence = [Evidence::Line(largest.span)];
        findings.push(subject.finding(&DEVICE_PROCESS, Severity::Info, message, evidence));
    }
}

/// A leak is only suspected at a device close: at any other moment memory may rightly be held.
fn balances(subject: &Subject<'_>, rows: &[component::Row], findings: &mut Vec<Finding>) {
    let components = &subject.process.components;
    let Some(&(_, close)) = components.closes.last() else { return };
    let mut clean = Vec::new();
    let mut all_clean = true;
    for row in rows {
        if matches!(pool_of(subject.names.get(row.last.counted.memory_kind)), Pool::Host | Pool::Shared) {
            continue;
        }
        match component::balance(&row.last) {
            Balance::Clean => clean.push(Evidence::Line(row.last.span)),
            Balance::Unclear => all_clean = false,
            Balance::Held => {
                all_clean = false;
                let (taken, given) = row.last.counts.unwrap_or_default();
                let message = Component::Held {
                    module: row.last.counted.module,
                    memory_kind: row.last.counted.memory_kind,
                    device: row.last.counted.device,
                    size: row.last.current,
                    taken,
                    given,
                };
                let evidence = [Evidence::Line(row.last.span), Evidence::Line(close)];
                findings.push(subject.finding(&HELD, Severity::Warning, message, evidence));
            }
        }
    }
    if all_clean && !clean.is_empty() {
        findings.push(subject.finding(&CLEAN, Severity::Info, Component::Clean { rows: clean.len() }, clean));
    }
}

fn series(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for growth in growth::between_statistics(&subject.process.components) {
        let counted = growth.counted;
        if let Some(pair) = growth.series.windows(2).find(|pair| pair[1].peak < pair[0].peak) {
            let message =
                Component::PeakFalls { module: counted.module, from: pair[0].peak, to: pair[1].peak };
            let lines = [Evidence::Line(pair[0].span), Evidence::Line(pair[1].span)];
            findings.push(subject.finding(&MIXED_RUNS, Severity::Warning, message, lines));
            continue;
        }
        let (Some(first), Some(last)) = (growth.series.first(), growth.series.last()) else { continue };
        if growth.bytes() <= 0 {
            continue;
        }
        let severity = match growth.trend {
            Trend::Rising if growth.series.len() >= 3 => Severity::Warning,
            _ => Severity::Info,
        };
        let message = Component::Growth {
            module: counted.module,
            memory_kind: counted.memory_kind,
            from: first.current,
            to: last.current,
            times: growth.series.len(),
            trend: growth.trend,
        };
        let lines = growth.series.iter().map(|s| Evidence::Line(s.span));
        findings.push(subject.finding(&GROWTH, severity, message, lines));
    }
}
