//! Address and block tables that can't be right.

use alloc::vec::Vec;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::model::region::Area;
use crate::model::static_graph::{Block, Placement, StaticGraph};
use crate::resolve::static_map;
use crate::say::layout::Layout;
use crate::units::Bytes;

const OUTSIDE: Rule = Rule::new("GEM0401", "block-outside", Severity::Error);
const MISALIGNED: Rule = Rule::new("GEM0403", "block-misaligned", Severity::Error);
const BAD_ORDER: Rule = Rule::new("GEM0404", "life-reversed", Severity::Error);
const MISMATCH: Rule = Rule::new("GEM0405", "address-mismatch", Severity::Error);
const ADDRESS_OUTSIDE: Rule = Rule::new("GEM0406", "address-outside", Severity::Error);
const UNRESOLVED: Rule = Rule::new("GEM0407", "address-unresolved", Severity::Error);

pub(super) const RULES: &[Rule] = &[OUTSIDE, MISALIGNED, BAD_ORDER, MISMATCH, ADDRESS_OUTSIDE, UNRESOLVED];

/// Blocks start at multiples of this (static allocator, 0.2).
const ALIGNMENT: i64 = 512;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for graph in &subject.process.graphs {
        blocks(subject, graph, findings);
    }
    addresses(subject, findings);
}

fn blocks(subject: &Subject<'_>, graph: &StaticGraph, findings: &mut Vec<Finding>) {
    for block in graph.blocks.iter().filter(|b| b.placement == Placement::Set && !b.cut) {
        let mut hit = |rule, layout, more: Option<Evidence>| {
            let evidence = [Evidence::Line(block.span)].into_iter().chain(more);
            findings.push(subject.finding(rule, Severity::Error, layout, evidence));
        };
        if block.size == Bytes::ZERO || !block.offset.is_placed() {
            continue;
        }
        let summary = graph.summaries.iter().find(|s| s.memory_type == block.memory_type);
        if let Some(summary) = summary
            && let Some(area) = summary.after_reuse
            && is_in_area(block)
            && block.offset.end(block.size).0 > area.0 as i64
        {
            let layout = Layout::BlockOutside { node: block.node, end: block.offset.end(block.size), area };
            hit(&OUTSIDE, layout, Some(Evidence::Line(summary.span)));
        }
        if block.offset.0 % ALIGNMENT != 0 && block.flags.child_level == 0 && !block.flags.continuous {
            hit(&MISALIGNED, Layout::Misaligned { node: block.node, offset: block.offset }, None);
        }
        if let (Some(begin), Some(end)) = (block.life_begin, block.life_ends.effective())
            && begin > end
            && !block.is_ref
        {
            hit(&BAD_ORDER, Layout::LifeReversed { node: block.node, begin, end }, None);
        }
    }
}

/// Host types have an area of their own with its own first offset (plog grammar, `imas.set`).
fn is_in_area(block: &Block) -> bool {
    use crate::model::static_graph::memory_type::{HBM, P2P_HBM};
    matches!(block.memory_type, HBM | P2P_HBM)
}

fn addresses(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for entry in static_map::entries(subject.process, subject.names) {
        let placed = entry.placed;
        let line = Evidence::Line(placed.line.span);
        match (placed.region, entry.agrees()) {
            (Some(region), Some(false)) => {
                // Where the load line agrees with itself, the block's row is the one that differs.
                let compiled = entry.compiled.filter(|_| placed.agrees() != Some(false));
                let layout = Layout::AddressMismatch {
                    node: placed.line.node,
                    address: placed.line.address,
                    base: region.base,
                    offset: compiled.map(|c| c.offset).or(placed.line.offset).unwrap_or_default(),
                };
                let compiled = compiled.map(|c| Evidence::Line(c.span));
                let evidence = [line, Evidence::Line(region.span)].into_iter().chain(compiled);
                findings.push(subject.finding(&MISMATCH, Severity::Error, layout, evidence));
            }
            (None, _) if placed.line.area == Area::FeatureMap && placed.line.address.0 != 0 => {
                let of_graph = |r: &&crate::model::region::Region| {
                    r.graph == placed.line.graph && r.area == Area::FeatureMap && r.base.0 != 0
                };
                let Some(region) = subject.process.regions.regions.iter().rev().find(of_graph) else {
                    continue;
                };
                let layout = Layout::AddressOutside {
                    node: placed.line.node,
                    address: placed.line.address,
                    base: region.base,
                    size: region.size,
                };
                let evidence = [line, Evidence::Line(region.span)];
                findings.push(subject.finding(&ADDRESS_OUTSIDE, Severity::Error, layout, evidence));
            }
            _ => {}
        }
    }
    for unresolved in &subject.process.regions.unresolved {
        let layout = Layout::Unresolved { node: unresolved.node, offset: unresolved.offset };
        let evidence = [Evidence::Line(unresolved.span)];
        findings.push(subject.finding(&UNRESOLVED, Severity::Error, layout, evidence));
    }
}
