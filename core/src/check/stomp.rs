//! Who may have written over whose memory (analysis rules, R8): wrong reuse, and two virtual ranges on
//! one physical page.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::metrics::overlap::overlaps;
use crate::model::fault::Nature;
use crate::model::static_graph::StaticGraph;
use crate::say::stomp::{Member, Stomp};

const WRONG_REUSE: Rule = Rule::new("GEM0801", "wrong-reuse", Severity::Error);
const SHARED_PAGE: Rule = Rule::new("GEM0802", "physical-page-shared", Severity::Error);
const UNCHECKED: Rule = Rule::new("GEM0803", "pages-unchecked", Severity::Hint);

pub(super) const RULES: &[Rule] = &[WRONG_REUSE, SHARED_PAGE, UNCHECKED];

/// Hits of one graph that are told one by one, those with most bytes.
const TOLD: usize = 16;
/// Lines quoted of one conflict.
const QUOTED: usize = 8;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for graph in &subject.process.graphs {
        reuse(subject, graph, findings);
    }
    pages(subject, findings);
}

fn reuse(subject: &Subject<'_>, graph: &StaticGraph, findings: &mut Vec<Finding>) {
    let mut hits = overlaps(graph);
    let all = hits.len();
    hits.sort_by_key(|hit| core::cmp::Reverse(hit.size));
    for hit in hits.into_iter().take(TOLD) {
        let (Some(victim), Some(suspect)) = (graph.blocks.get(hit.victim), graph.blocks.get(hit.suspect))
        else {
            continue;
        };
        let member = |block: &crate::model::static_graph::Block| Member {
            node: subject.names.get(block.node).to_string(),
            io: block.io,
            index: block.index,
            life: (block.life_begin.unwrap_or(0), block.life_ends.effective().unwrap_or(0)),
            stream: block.stream,
        };
        let message = Stomp::WrongReuse {
            graph: graph.name,
            victim: member(victim),
            suspect: member(suspect),
            offset: hit.offset,
            size: hit.size,
            all,
        };
        let evidence = [Evidence::Line(suspect.span), Evidence::Line(victim.span)];
        findings.push(subject.finding(&WRONG_REUSE, Severity::Error, message, evidence));
    }
}

fn pages(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let process = subject.process;
    let conflicts = process.faults.faults.iter().filter(|fault| fault.nature == Nature::PageConflict);
    let lines: Vec<Evidence> = conflicts.map(|fault| Evidence::Line(fault.span)).collect();
    if !lines.is_empty() {
        let message = Stomp::SharedPage { lines: lines.len() };
        let lines = lines.into_iter().take(QUOTED);
        findings.push(subject.finding(&SHARED_PAGE, Severity::Error, message, lines));
    } else if let Some(policy) = process.options.static_policy.filter(|policy| matches!(policy.value, 3 | 4))
        && process.lines.ge_info == 0
    {
        let evidence = [Evidence::Line(policy.span), subject.absent("pa_index[")];
        let message = Stomp::Unchecked { policy: policy.value };
        findings.push(subject.finding(&UNCHECKED, Severity::Hint, message, evidence));
    }
}
