//! Is a static graph's memory as small as it can be? (analysis rules, R3: the decision tree)

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::metrics::static_graph::{Figures, figures};
use crate::say::static_graph::{Graph, Parts, Verdict};
use crate::units::Bytes;

const REUSE_LOW: Rule = Rule::new("GEM0301", "reuse-low", Severity::Info);
const PLACEMENT: Rule = Rule::new("GEM0302", "theory-missed", Severity::Warning);
const OPTIMAL: Rule = Rule::new("GEM0303", "optimal-for-order", Severity::Info);
const ALIGNMENT: Rule = Rule::by_design("GEM0304", "alignment-growth");
const REUSE_OFF: Rule = Rule::new("GEM0305", "reuse-off", Severity::Warning);

pub(super) const RULES: &[Rule] = &[REUSE_LOW, PLACEMENT, OPTIMAL, ALIGNMENT, REUSE_OFF];

/// Below this the order or the shape of the graph is the matter, not the placement. The field has
/// no fixed figure; graphs that reuse well are far above it.
const LOW_REUSE: f64 = 0.3;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for graph in &subject.process.graphs {
        for figures in figures(graph) {
            let summary = graph.summaries.iter().find(|s| s.memory_type == figures.memory_type);
            let evidence: Vec<Evidence> = match summary {
                Some(summary) => Vec::from([Evidence::Line(summary.span)]),
                None => continue,
            };
            let Some((rule, severity, verdict)) = decide(&figures) else { continue };
            let message = Graph {
                graph: graph.name,
                round: graph.round,
                memory_type: figures.memory_type,
                verdict,
                parts: parts(&figures),
                memory_priority: summary
                    .is_some_and(|s| subject.names.get(s.memory_policy) == "MemoryPriority"),
            };
            findings.push(subject.finding(rule, severity, message, evidence));
        }
    }
    if let Some(reuse) = subject.process.options.reuse.filter(|reuse| !reuse.value) {
        let message = Graph {
            graph: crate::intern::Name::EMPTY,
            round: 0,
            memory_type: 0,
            verdict: Verdict::ReuseOff,
            parts: Parts::default(),
            memory_priority: false,
        };
        findings.push(subject.finding(&REUSE_OFF, Severity::Warning, message, [Evidence::Line(reuse.span)]));
    }
}

fn decide(figures: &Figures) -> Option<(&'static Rule, Severity, Verdict)> {
    let (total, after) = (figures.total?, figures.after_reuse?);
    if after == Bytes::ZERO {
        return None;
    }
    if figures.is_alignment_growth() {
        return Some((&ALIGNMENT, Severity::Info, Verdict::AlignmentGrowth { total, after }));
    }
    let reuse = figures.reuse_rate()?;
    let reach = figures.reach_theory_rate();
    let theory_min = figures.theory_min;
    if reuse < LOW_REUSE {
        let verdict = Verdict::ReuseLow { total, after, reuse, reach };
        return Some((&REUSE_LOW, Severity::Info, verdict));
    }
    match (reach, theory_min) {
        (Some(reach), Some(theory)) if reach < 1.0 => {
            // 90 to 100 % is normal accuracy of the allocator (analysis rules, R4).
            let severity = if reach < 0.9 { Severity::Warning } else { Severity::Info };
            Some((&PLACEMENT, severity, Verdict::Placement { after, theory, reach, reuse }))
        }
        (Some(_), _) => Some((&OPTIMAL, Severity::Info, Verdict::Optimal { after, reuse })),
        (None, _) => None,
    }
}

fn parts(figures: &Figures) -> Parts {
    Parts {
        after_reuse: figures.after_reuse.unwrap_or_default(),
        zero_copy: figures.zero_copy,
        no_reuse: figures.no_reuse,
        atomic: figures.atomic,
        continuous: figures.continuous,
        streams: figures.streams,
    }
}
