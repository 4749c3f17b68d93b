//! What is missing from the input, and which switch brings it (analysis rules, R0.2).

use alloc::vec::Vec;

use super::first_cause;
use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::model::allocation::{Event, Layer};
use crate::model::process::Process;
use crate::say::completeness::Missing;

const NO_STATISTICS: Rule = Rule::new("GEM0001", "no-statistics", Severity::Hint);
const NO_GE_INFO: Rule = Rule::new("GEM0002", "no-ge-info", Severity::Hint);
const SUMMARY_ONLY: Rule = Rule::new("GEM0003", "summary-only", Severity::Hint);
const NO_MEMORY: Rule = Rule::new("GEM0004", "nothing-about-memory", Severity::Hint);
const CUT_LINES: Rule = Rule::new("GEM0005", "cut-lines", Severity::Hint);
const NO_LOAD_PHASE: Rule = Rule::new("GEM0006", "load-phase-lost", Severity::Hint);

pub(super) const RULES: &[Rule] =
    &[NO_STATISTICS, NO_GE_INFO, SUMMARY_ONLY, NO_MEMORY, CUT_LINES, NO_LOAD_PHASE];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let process = subject.process;
    let mut hint = |rule, missing, evidence| {
        findings.push(subject.finding(rule, Severity::Hint, missing, evidence));
    };
    if !says_anything(process) {
        if !process.host_leaks.is_empty() {
            // Host memory: no line about device memory is missing.
            return;
        }
        let texts = ["svm_mem_stats_show", "[IMAS]", "MallocMemory", "AfterAssignMemory"];
        let evidence: Vec<Evidence> = texts.into_iter().map(|text| subject.absent(text)).collect();
        hint(&NO_MEMORY, Missing::Memory, evidence);
        return;
    }
    if process.components.statistics.is_empty() {
        hint(&NO_STATISTICS, Missing::Statistics, Vec::from([subject.absent("svm_mem_stats_show")]));
    }
    let has_rows = process.graphs.iter().any(|g| !g.blocks.is_empty());
    let has_ge = has_rows || process.allocations.events.iter().any(is_ge);
    if !has_ge && process.graphs.is_empty() {
        hint(
            &NO_GE_INFO,
            Missing::GeLines { some_info: process.lines.ge_info > 0 },
            Vec::from([subject.absent("MallocMemory"), subject.absent("[IMAS]")]),
        );
    }
    let summary_only = process.graphs.iter().filter(|g| g.blocks.is_empty()).flat_map(|g| &g.summaries);
    let lines: Vec<Evidence> = summary_only.map(|s| Evidence::Line(s.span)).collect();
    if !lines.is_empty() {
        hint(&SUMMARY_ONLY, Missing::Blocks { graphs: lines.len() }, lines);
    }
    let cut: Vec<Evidence> = process
        .graphs
        .iter()
        .flat_map(|g| &g.blocks)
        .filter(|b| b.cut)
        .map(|b| Evidence::Line(b.span))
        .collect();
    if !cut.is_empty() {
        hint(&CUT_LINES, Missing::Tails { lines: cut.len() }, cut);
    }
    let has_addresses = process.regions.addresses.first();
    let has_base = process.regions.regions.iter().any(|r| r.base.0 != 0);
    if let (Some(first), false) = (has_addresses, has_base) {
        let evidence = [Evidence::Line(first.span), subject.absent("InitFeatureMapAndP2PMem")];
        hint(&NO_LOAD_PHASE, Missing::Bases, Vec::from(evidence));
    }
}

fn is_ge(event: &Event) -> bool {
    matches!(event, Event::Taken(a) if a.layer != Layer::Runtime)
}

/// Whether any line of the process carries a memory figure.
fn says_anything(process: &Process) -> bool {
    !process.components.statistics.is_empty()
        || !process.components.device_processes.is_empty()
        || !process.allocations.events.is_empty()
        || !process.allocations.buffers.is_empty()
        || !process.allocations.pages.is_empty()
        || !process.allocations.metrics.is_empty()
        || !process.graphs.is_empty()
        || !process.variables.is_empty()
        || !process.regions.regions.is_empty()
        || !process.regions.addresses.is_empty()
        || first_cause::speaks_of_memory(process)
}
