//! Figures of a dynamic pool (analysis rules, R5; dynamic pool, P8 and P10).
//!
//! The gap between what a pool took and the peak of its live blocks is first of all a step of its
//! unit; only what exceeds that is fragmentation.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::model::pool::{Allocator, AllocatorId, Family, Pools, Supply};
use crate::model::process::Process;
use crate::span::Span;
use crate::units::{Address, Bytes};

/// A page of a pool: blocks are whole multiples of it (dynamic pool, P1).
pub const PAGE: Bytes = Bytes(64 << 10);
/// What the first level takes at least (dynamic pool, P7).
pub const FIRST_LEVEL_UNIT: Bytes = Bytes(2 << 20);
/// A physical page of expandable memory (dynamic pool, P8).
pub const EXPANDABLE_PAGE: Bytes = Bytes(8 << 20);

/// The unit in which a pool takes memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its size.
    pub size: Bytes,
    /// Physical pages mapped on demand.
    pub expandable: bool,
    /// The line that gives the size; `None` = the size that the allocator is built with.
    pub span: Option<Span>,
}

/// Why a pool took more than its blocks needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Either figure is missing.
    Unknown,
    /// It took no more than the peak of its live blocks.
    Exact,
    /// The gap is one step of the unit: by design.
    Step {
        /// What was taken, in units, the last one perhaps in part.
        units: u64,
    },
    /// The gap is larger than a step.
    Fragmentation {
        /// The peak of live blocks in whole units.
        stepped: Bytes,
        /// What was taken beyond that.
        excess: Bytes,
    },
}

/// A moment at which a figure was highest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The figure.
    pub size: Bytes,
    /// Ordinal of the hand-out that led to it.
    pub at: u32,
    /// Its line.
    pub span: Span,
}

/// Idle memory that a pool held on to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Idle {
    /// Held by the pool.
    pub held: Bytes,
    /// In use at that moment.
    pub live: Bytes,
    /// Line of the hand-out whose return left it.
    pub span: Span,
}

/// The figures of one allocator.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The allocator.
    pub allocator: AllocatorId,
    /// Blocks handed out.
    pub hand_outs: u32,
    /// Blocks taken back, whether their hand-out was seen or not.
    pub returns: u32,
    /// Distinct addresses: few of them for many blocks = reuse works.
    pub addresses: u32,
    /// Bytes given, over all blocks.
    pub handed_out: Bytes,
    /// Most bytes given at any moment, by the sweep over the lives seen.
    pub live_peak: Option<Peak>,
    /// Bytes asked for at that moment.
    pub asked_at_peak: Bytes,
    /// Most bytes asked for at any moment.
    pub asked_peak: Bytes,
    /// Peak of bytes given as GE printed it; covers what the log does not hold.
    pub theory_min: Option<Bytes>,
    /// Peak of bytes asked for as GE printed it.
    pub real_theory_min: Option<Bytes>,
    /// Bytes of second virtual ranges as GE printed them.
    pub new_va: Bytes,
    /// Most bytes the pool took, and the line.
    pub taken_peak: Option<(Bytes, Span)>,
    /// Who supplies the pool.
    pub supply: Supply,
    /// In which steps.
    pub unit: Unit,
    /// Step or fragmentation.
    pub verdict: Verdict,
    /// Largest idle memory held after the peak.
    pub idle: Option<Idle>,
    /// Line of the last printed summary.
    pub summary: Option<Span>,
}

impl Figures {
    /// The peak that the verdict uses: swept or printed, whichever is higher; lines from before the
    /// start of the log are in the printed one only.
    pub fn needed(&self) -> Option<Bytes> {
        self.live_peak.map(|peak| peak.size).max(self.theory_min)
    }

    /// `reach theory rate` by GE's arithmetic (dynamic pool, P10), 0 to 1, at the peak.
    pub fn reach_theory_rate(&self) -> Option<f64> {
        let (taken, _) = self.taken_peak.filter(|(taken, _)| taken.0 > 0)?;
        let real = self.real_theory_min.max((self.hand_outs > 0).then_some(self.asked_peak))?;
        Some((real.0 as f64 / taken.0 as f64).min(1.0))
    }

    /// Bytes given over all blocks for each byte taken.
    pub fn reuse_factor(&self) -> Option<f64> {
        let (taken, _) = self.taken_peak.filter(|(taken, _)| taken.0 > 0)?;
        Some(self.handed_out.0 as f64 / taken.0 as f64)
    }

    /// Bytes between the peak of live blocks and what the pool took.
    pub fn gap(&self) -> Option<Bytes> {
        Some(self.taken_peak?.0.saturating_sub(self.needed()?))
    }

    /// Whether the pool takes its memory from the device itself.
    pub fn faces_device(&self) -> bool {
        matches!(self.supply, Supply::Device | Supply::Pages | Supply::Unknown)
    }
}

/// The figures of every allocator that handed out or printed something, by id.
pub fn figures(process: &Process) -> Vec<Figures> {
    let has_lines = |a: &&Allocator| !a.blocks.is_empty() || !a.summaries.is_empty() || a.returns > 0;
    process.pools.allocators.iter().filter(has_lines).map(|allocator| of(process, allocator)).collect()
}

fn of(process: &Process, allocator: &Allocator) -> Figures {
    let sweep = sweep(allocator);
    let printed = allocator.summaries.iter().map(|s| s.theory_min).max();
    let theory_min = printed.max(allocator.printed_peak.map(|(peak, _)| peak));
    let unit = unit(process, allocator);
    let mut figures = Figures {
        allocator: allocator.id,
        hand_outs: allocator.blocks.len() as u32,
        returns: allocator.returns,
        addresses: by_address(allocator).len() as u32,
        handed_out: allocator.blocks.iter().map(|b| b.given).sum(),
        live_peak: sweep.live,
        asked_at_peak: sweep.asked_at_peak,
        asked_peak: sweep.asked_peak,
        theory_min,
        real_theory_min: allocator.summaries.iter().map(|s| s.real_theory_min).max(),
        new_va: allocator.summaries.iter().map(|s| s.new_va).max().unwrap_or_default(),
        taken_peak: taken_peak(process, allocator, unit),
        supply: allocator.supply,
        unit,
        verdict: Verdict::Unknown,
        idle: idle(allocator),
        summary: allocator.summaries.last().map(|s| s.span),
    };
    if let (Some(needed), Some((taken, _))) = (figures.needed(), figures.taken_peak) {
        figures.verdict = verdict(needed, taken, unit.size);
    }
    figures
}

/// Step or fragmentation, from the peak of live blocks, the most that was taken, and the unit.
pub fn verdict(needed: Bytes, taken: Bytes, unit: Bytes) -> Verdict {
    let unit = unit.0.max(1);
    let stepped = Bytes(needed.0.div_ceil(unit).saturating_mul(unit));
    if taken <= needed {
        Verdict::Exact
    } else if taken <= stepped || taken.0 - needed.0 < unit {
        // The first level takes large blocks as they are and only small ones in units.
        Verdict::Step { units: taken.0.div_ceil(unit) }
    } else {
        Verdict::Fragmentation { stepped, excess: taken.saturating_sub(stepped) }
    }
}

#[derive(Default)]
struct Sweep {
    live: Option<Peak>,
    asked_at_peak: Bytes,
    asked_peak: Bytes,
}

fn sweep(allocator: &Allocator) -> Sweep {
    let mut sweep = Sweep::default();
    let (mut live, mut asked) = (Bytes::ZERO, Bytes::ZERO);
    for event in &allocator.events {
        let Some(block) = allocator.blocks.get(event.block as usize) else { continue };
        if event.handed_out {
            live += block.given;
            asked += block.asked;
            sweep.asked_peak = sweep.asked_peak.max(asked);
            if sweep.live.is_none_or(|peak| live > peak.size) {
                sweep.live = Some(Peak { size: live, at: event.at, span: block.span });
                sweep.asked_at_peak = asked;
            }
        } else {
            live = live.saturating_sub(block.given);
            asked = asked.saturating_sub(block.asked);
        }
    }
    sweep
}

fn unit(process: &Process, allocator: &Allocator) -> Unit {
    let built_in = |size, expandable| Unit { size, expandable, span: None };
    if is_expandable(process, allocator) {
        let page = allocator.page.or(process.pools.page);
        return page.map_or(built_in(EXPANDABLE_PAGE, true), |(size, span)| Unit {
            size,
            expandable: true,
            span: Some(span),
        });
    }
    match (allocator.id.family, allocator.supply) {
        (Family::Rts, _) => built_in(FIRST_LEVEL_UNIT, false),
        (_, Supply::Device) => common_step(allocator).unwrap_or(built_in(PAGE, false)),
        _ => built_in(PAGE, false),
    }
}

fn is_expandable(process: &Process, allocator: &Allocator) -> bool {
    let policy = process.options.static_policy.is_some_and(|policy| matches!(policy.value, 3 | 4));
    match allocator.supply {
        Supply::Pages => true,
        Supply::Unknown if allocator.id.family != Family::Rts => {
            policy || process.pools.page.is_some() || !process.allocations.pages.is_empty()
        }
        Supply::Unknown | Supply::Level | Supply::Device => false,
    }
}

/// For a pool that takes equal pieces from the device: the largest piece that all takes are
/// multiples of.
fn common_step(allocator: &Allocator) -> Option<Unit> {
    let mut before = Bytes::ZERO;
    let mut takes = 0;
    let mut common = 0;
    let mut span = None;
    for holding in &allocator.holdings {
        let growth = holding.held.saturating_sub(before).0;
        before = holding.held;
        if growth > 0 {
            (common, takes, span) = (gcd(common, growth), takes + 1, Some(holding.span));
        }
    }
    (takes > 1 && common >= PAGE.0).then_some(Unit { size: Bytes(common), expandable: false, span })
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The most that was taken, by the pool's own lines, then by its summaries, then, for the only
/// expandable pool of a process, by the physical pages of the process.
fn taken_peak(process: &Process, allocator: &Allocator, unit: Unit) -> Option<(Bytes, Span)> {
    let held = allocator.holdings.iter().map(|h| (h.held, h.span));
    let printed = allocator.summaries.iter().map(|s| (s.total, s.span));
    let own = first_largest(held.chain(printed));
    if own.is_some() || !unit.expandable || !is_only_pool(&process.pools) {
        return own;
    }
    first_largest(process.allocations.pages.iter().map(|page| (page.total, page.span)))
}

fn is_only_pool(pools: &Pools) -> bool {
    pools.allocators.iter().filter(|a| a.id.family != Family::Rts && !a.blocks.is_empty()).count() == 1
}

fn first_largest(figures: impl Iterator<Item = (Bytes, Span)>) -> Option<(Bytes, Span)> {
    figures.reduce(|largest, next| if next.0 > largest.0 { next } else { largest })
}

fn idle(allocator: &Allocator) -> Option<Idle> {
    let points = series(allocator);
    let most = points.iter().map(|point| point.taken).max()?;
    let busiest = points.iter().map(|point| point.live).max()?;
    // What is about to be handed out is not kept for nothing: only what came back counts.
    let after = points.iter().skip_while(|point| point.live < busiest).skip_while(|point| point.taken < most);
    let widest = after.reduce(|widest, next| if next.idle() > widest.idle() { next } else { widest })?;
    (widest.idle() > Bytes::ZERO).then_some(Idle { held: widest.taken, live: widest.live, span: widest.span })
}

/// One address and the blocks that lay there one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AddressRow {
    /// First byte.
    pub address: Address,
    /// Blocks handed out here.
    pub blocks: u32,
    /// Largest size given.
    pub largest: Bytes,
    /// Largest size asked for.
    pub asked: Bytes,
    /// Ordinal of the first hand-out.
    pub begin: u32,
    /// Ordinal of the last return; `None` = in use at the end of the log.
    pub end: Option<u32>,
    /// Line of the first hand-out.
    pub span: Span,
}

/// The blocks of an allocator by address: largest first.
pub fn by_address(allocator: &Allocator) -> Vec<AddressRow> {
    let mut rows: BTreeMap<Address, AddressRow> = BTreeMap::new();
    for block in &allocator.blocks {
        rows.entry(block.address)
            .and_modify(|row| {
                row.blocks += 1;
                row.largest = row.largest.max(block.given);
                row.asked = row.asked.max(block.asked);
                row.end = block.end;
            })
            .or_insert(AddressRow {
                address: block.address,
                blocks: 1,
                largest: block.given,
                asked: block.asked,
                begin: block.begin,
                end: block.end,
                span: block.span,
            });
    }
    let mut rows: Vec<AddressRow> = rows.into_values().collect();
    rows.sort_by(|a, b| b.largest.cmp(&a.largest).then(a.address.cmp(&b.address)));
    rows
}

/// What was in use and what was held behind one event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Ordinal of the event.
    pub at: u32,
    /// Bytes given and not returned.
    pub live: Bytes,
    /// Bytes asked for and not returned.
    pub asked: Bytes,
    /// Bytes that the pool held; 0 where no line says so.
    pub taken: Bytes,
    /// Line of the block's hand-out.
    pub span: Span,
}

impl Point {
    /// Bytes held and not in use.
    pub fn idle(&self) -> Bytes {
        self.taken.saturating_sub(self.live)
    }
}

/// One point an event, in order.
pub fn series(allocator: &Allocator) -> Vec<Point> {
    let mut taken = held_over_time(allocator).into_iter().peekable();
    let mut point =
        Point { at: 0, live: Bytes::ZERO, asked: Bytes::ZERO, taken: Bytes::ZERO, span: allocator.first };
    let mut points = Vec::with_capacity(allocator.events.len());
    for event in &allocator.events {
        let Some(block) = allocator.blocks.get(event.block as usize) else { continue };
        while let Some((_, held)) = taken.next_if(|(at, _)| *at <= event.at) {
            point.taken = held;
        }
        if event.handed_out {
            point.live += block.given;
            point.asked += block.asked;
        } else {
            point.live = point.live.saturating_sub(block.given);
            point.asked = point.asked.saturating_sub(block.asked);
        }
        (point.at, point.span) = (event.at, block.span);
        points.push(point);
    }
    points
}

/// Held bytes from an ordinal on: by the supply lines or, without any, by the summaries.
pub fn held_over_time(allocator: &Allocator) -> Vec<(u32, Bytes)> {
    if allocator.holdings.is_empty() {
        allocator.summaries.iter().map(|s| (s.at, s.total)).collect()
    } else {
        allocator.holdings.iter().map(|h| (h.at, h.held)).collect()
    }
}

/// At most `most` points (at least two) that keep the lowest and the highest live bytes of every
/// stretch, so that no peak is lost.
pub fn downsampled(points: &[Point], most: usize) -> Vec<Point> {
    let stretches = (most / 2).max(1);
    if points.len() <= stretches * 2 {
        return points.to_vec();
    }
    let length = points.len().div_ceil(stretches);
    let mut kept = Vec::with_capacity(stretches * 2);
    for stretch in points.chunks(length) {
        let high = stretch.iter().max_by_key(|p| (p.live, core::cmp::Reverse(p.at)));
        let low = stretch.iter().min_by_key(|p| (p.live, p.at));
        let (Some(&high), Some(&low)) = (high, low) else { continue };
        let (first, second) = if low.at <= high.at { (low, high) } else { (high, low) };
        kept.push(first);
        if second.at != first.at {
            kept.push(second);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_gap_within_one_unit_is_a_step() {
        let kib = |n: u64| Bytes(n << 10);
        // 40.25 MiB live at the peak, 48 MiB taken in units of 8 MiB.
        assert_eq!(verdict(kib(41_216), Bytes(48 * MIB), Bytes(8 * MIB)), Verdict::Step { units: 6 });
        assert_eq!(verdict(Bytes(40 * MIB), Bytes(40 * MIB), Bytes(8 * MIB)), Verdict::Exact);
        assert_eq!(verdict(kib(64), Bytes(2 * MIB), FIRST_LEVEL_UNIT), Verdict::Step { units: 1 });
        // 5 MiB and 64 KiB taken as they are, and 2 MiB for a block of 64 KiB.
        assert_eq!(verdict(kib(5248), kib(7232), FIRST_LEVEL_UNIT), Verdict::Step { units: 4 });
        assert_eq!(
            verdict(Bytes(40 * MIB), Bytes(48 * MIB), Bytes(8 * MIB)),
            Verdict::Fragmentation { stepped: Bytes(40 * MIB), excess: Bytes(8 * MIB) }
        );
        assert_eq!(
            verdict(kib(41_216), Bytes(56 * MIB), Bytes(8 * MIB)),
            Verdict::Fragmentation { stepped: Bytes(48 * MIB), excess: Bytes(8 * MIB) }
        );
    }

    #[test]
    fn fewer_points_keep_the_peak() {
        let point = |at: u32| Point {
            at,
            live: Bytes(if at == 7_777 { 1_000_000 } else { u64::from(at % 100) }),
            asked: Bytes::ZERO,
            taken: Bytes::ZERO,
            span: Span::default(),
        };
        let points: Vec<Point> = (0..10_000).map(point).collect();
        let kept = downsampled(&points, 200);
        assert!(kept.len() <= 200);
        assert!(kept.iter().any(|p| p.at == 7_777));
        assert!(kept.windows(2).all(|pair| pair[0].at < pair[1].at));
        assert_eq!(downsampled(&points[..50], 200).len(), 50);
    }
}
