//! Classes inside the process, and whether they agree with the driver (analysis rules, R2).

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::metrics::class::{self, Class};
use crate::metrics::component;
use crate::say::class::Classes;
use crate::units::Bytes;

const LARGEST: Rule = Rule::new("GEM0201", "class-largest", Severity::Info);
const CROSS_CHECK: Rule = Rule::new("GEM0202", "class-cross-check", Severity::Warning);
const SHARED_PAGES: Rule = Rule::by_design("GEM0203", "shared-extension");
const BUFFERS: Rule = Rule::new("GEM0204", "hccl-buffers", Severity::Info);

pub(super) const RULES: &[Rule] = &[LARGEST, CROSS_CHECK, SHARED_PAGES, BUFFERS];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let process = subject.process;
    let total = class::total(&process.allocations, subject.names);
    if let Some(largest) = total.rows.first() {
        let message = Classes::Largest { class: largest.class, peak: largest.peak, all: total.peak };
        let evidence = [Evidence::Line(largest.largest)];
        findings.push(subject.finding(&LARGEST, Severity::Info, message, evidence));
    }
    cross_check(subject, &total, findings);
    if let Some(policy) = process.options.static_policy.filter(|p| p.value != 0) {
        let has = |class| total.rows.iter().any(|row| row.class == class);
        if total.pages.is_some() || (has(Class::StaticGraph) && has(Class::MemoryPool)) {
            let message = Classes::SharedExtension { policy: policy.value, pages: total.pages.map(|p| p.0) };
            let evidence = [Evidence::Line(policy.span)].into_iter();
            let pages = total.pages.map(|(_, span)| Evidence::Line(span));
            findings.push(subject.finding(&SHARED_PAGES, Severity::Info, message, evidence.chain(pages)));
        }
    }
    let created: Vec<_> = process.allocations.buffers.iter().filter(|b| b.created).collect();
    if !created.is_empty() {
        let size = created.iter().map(|b| b.size).sum();
        let message = Classes::Buffers { count: created.len(), size };
        let lines = created.iter().map(|b| Evidence::Line(b.span));
        findings.push(subject.finding(&BUFFERS, Severity::Info, message, lines));
    }
}

/// The sum of GE's classes and the driver's GE peak should be of the same order.
fn cross_check(subject: &Subject<'_>, total: &class::Total, findings: &mut Vec<Finding>) {
    let rows = component::rows(&subject.process.components, subject.names);
    let shares = component::device_shares(&rows, subject.names);
    let Some(ge) = shares.iter().find(|s| subject.names.get(s.module) == "GE") else { return };
    let pages = total.pages.map_or(Bytes::ZERO, |(size, _)| size);
    let seen = total.ge() + pages;
    if total.rows.is_empty() || seen.0.saturating_mul(2) > ge.peak.0 && ge.peak.0.saturating_mul(2) > seen.0 {
        return;
    }
    let message = Classes::Disagree { classes: seen, driver: ge.peak };
    let lines = ge.rows.iter().map(|row| Evidence::Line(row.peak.span));
    let allocations =
        total.rows.iter().filter(|row| row.class.is_ge()).map(|row| Evidence::Line(row.largest));
    findings.push(subject.finding(&CROSS_CHECK, Severity::Warning, message, lines.chain(allocations)));
}
