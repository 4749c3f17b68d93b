//! Does a dynamic pool take more than its blocks need, and what of that is by design?
//! (analysis rules, R5)

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::metrics::pool::{Figures, Verdict, figures};
use crate::model::pool::{Family, Outcome};
use crate::say::pool::{Fragmentation, Pool, Step};
use crate::units::Bytes;

const STEP: Rule = Rule::by_design("GEM0501", "pool-step");
const FRAGMENTATION: Rule = Rule::new("GEM0502", "pool-fragmentation", Severity::Warning);
const KEEPS: Rule = Rule::by_design("GEM0503", "pool-keeps-pages");
const RECOVERED: Rule = Rule::by_design("GEM0504", "pool-recovered");
const FAILED: Rule = Rule::new("GEM0505", "pool-failed", Severity::Error);
const NO_REPLAY: Rule = Rule::new("GEM0506", "pool-no-replay", Severity::Info);
const ROUNDING: Rule = Rule::by_design("GEM0507", "pool-rounding");
const SUPPLY_UNKNOWN: Rule = Rule::new("GEM0508", "pool-supply-unknown", Severity::Hint);

pub(super) const RULES: &[Rule] =
    &[STEP, FRAGMENTATION, KEEPS, RECOVERED, FAILED, NO_REPLAY, ROUNDING, SUPPLY_UNKNOWN];

/// Fragmentation below this share of what was taken is normal accuracy, as for static graphs
/// (analysis rules, R4).
const NOTABLE: u64 = 10;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let all = figures(subject.process);
    for figures in &all {
        gap(subject, figures, findings);
        idle(subject, figures, findings);
        rounding(subject, figures, findings);
    }
    refusals(subject, &all, findings);
    let used = |allocator: &&crate::model::pool::Allocator| {
        allocator.id.family != Family::Rts && !allocator.blocks.is_empty()
    };
    if let Some(pool) = subject.process.pools.allocators.iter().find(used) {
        let evidence = [Evidence::Line(pool.first)];
        let message = Pool::NoReplay { expandable: expandable(&all) };
        findings.push(subject.finding(&NO_REPLAY, Severity::Info, message, evidence));
    }
}

/// Lines behind both ends of the gap.
fn ends(figures: &Figures) -> impl Iterator<Item = Evidence> {
    let taken = figures.taken_peak.map(|(_, span)| span);
    let swept = figures.live_peak.filter(|peak| Some(peak.size) == figures.needed());
    let needed = swept.map(|peak| peak.span).or(figures.summary);
    let lines = [taken, needed, figures.unit.span];
    lines.into_iter().flatten().map(Evidence::Line)
}

fn gap(subject: &Subject<'_>, figures: &Figures, findings: &mut Vec<Finding>) {
    let Some(needed) = figures.needed() else { return };
    let Some((taken, _)) = figures.taken_peak else {
        let message = Pool::SupplyUnknown { allocator: figures.allocator, needed };
        let evidence = ends(figures).chain([subject.absent("Device memory   : [alloc count")]);
        findings.push(subject.finding(&SUPPLY_UNKNOWN, Severity::Hint, message, evidence));
        return;
    };
    let (allocator, unit, theory_min) = (figures.allocator, figures.unit.size, figures.theory_min);
    match figures.verdict {
        Verdict::Step { units } => {
            let message = Pool::Step(Step { allocator, needed, taken, unit, units, theory_min });
            findings.push(subject.finding(&STEP, Severity::Info, message, ends(figures)));
        }
        Verdict::Fragmentation { stepped, excess } => {
            let notable = excess.0.saturating_mul(NOTABLE) >= taken.0;
            let severity = if notable { Severity::Warning } else { Severity::Info };
            let expandable = figures.unit.expandable;
            let message =
                Pool::Fragmentation(Fragmentation { allocator, needed, taken, stepped, excess, expandable });
            findings.push(subject.finding(&FRAGMENTATION, severity, message, ends(figures)));
        }
        Verdict::Exact | Verdict::Unknown => {}
    }
}

fn idle(subject: &Subject<'_>, figures: &Figures, findings: &mut Vec<Finding>) {
    let Some(idle) = figures.idle.filter(|_| figures.faces_device()) else { return };
    // Less than a unit can't be given back anyway.
    if idle.held.saturating_sub(idle.live) < figures.unit.size {
        return;
    }
    let message = Pool::KeepsPages { allocator: figures.allocator, held: idle.held, live: idle.live };
    let taken = figures.taken_peak.map(|(_, span)| Evidence::Line(span));
    let evidence = taken.into_iter().chain([Evidence::Line(idle.span)]);
    findings.push(subject.finding(&KEEPS, Severity::Info, message, evidence));
}

/// What rounding up to whole pages costs at the peak.
fn rounding(subject: &Subject<'_>, figures: &Figures, findings: &mut Vec<Finding>) {
    let Some(peak) = figures.live_peak else { return };
    let lost = peak.size.saturating_sub(figures.asked_at_peak);
    if lost == Bytes::ZERO || lost.0.saturating_mul(NOTABLE) < peak.size.0 {
        return;
    }
    let message =
        Pool::Rounding { allocator: figures.allocator, asked: figures.asked_at_peak, given: peak.size };
    findings.push(subject.finding(&ROUNDING, Severity::Info, message, [Evidence::Line(peak.span)]));
}

/// Whether a pool of this process maps pages on demand.
fn expandable(all: &[Figures]) -> bool {
    all.iter().any(|figures| figures.unit.expandable)
}

fn refusals(subject: &Subject<'_>, all: &[Figures], findings: &mut Vec<Finding>) {
    for refusal in &subject.process.pools.refusals {
        let (rule, severity) = match refusal.outcome {
            Outcome::Recovered => (&RECOVERED, Severity::Info),
            Outcome::Failed => (&FAILED, Severity::Error),
            Outcome::Unknown => continue,
        };
        let message = Pool::Refused {
            allocator: refusal.allocator,
            kernel: refusal.kernel,
            size: refusal.size.unwrap_or_default(),
            limit: refusal.limit,
            by_device: refusal.by_device,
            failed: refusal.outcome == Outcome::Failed,
            expandable: expandable(all),
        };
        let evidence = refusal.spans.iter().map(|&span| Evidence::Line(span));
        findings.push(subject.finding(rule, severity, message, evidence));
    }
}
