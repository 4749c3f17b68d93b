//! Wrong reuse: no alarm on layouts that GE accepts nor on thousands of legal shares, one alarm for one
//! planted among them.

use std::fmt::Write;

use gemlens_core::check::stomping;
use gemlens_core::intern::{Interner, Name};
use gemlens_core::metrics::overlap::{LIST_CHARS, LIST_ENTRIES, around, lists, overlaps};
use gemlens_core::model::static_graph::{
    Block, BlockFlags, Io, LIFE_DEFAULT, LIFE_MAX, LifeEnds, Placement, StaticGraph, memory_type,
};
use gemlens_core::replay::Replayer;
use gemlens_core::report::{self, Part, Query};
use gemlens_core::session::Session;
use gemlens_core::span::Span;
use gemlens_core::units::{Bytes, Offset};
use gemlens_tests::oracle;

#[test]
fn legal_layouts_raise_no_alarm() {
    let root = oracle::full().unwrap_or_else(oracle::shipped);
    let (mut checked, mut alarms) = (0, Vec::new());
    for case in oracle::cases(&root) {
        let model = case.model();
        let Ok(replayer) = Replayer::new(&model) else { continue };
        for run in case.runs(&model).iter().filter(|run| run.status == "ok") {
            checked += 1;
            let hits = overlaps(&replayer.run(&run.options).layout);
            if !hits.is_empty() {
                alarms.push(format!("{} {}: {} hits", case.name, run.name, hits.len()));
            }
        }
    }
    println!("{checked} layouts checked");
    assert!(checked > 100 && alarms.is_empty(), "{alarms:#?}");
}

/// A source of numbers that is the same everywhere (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }
}

struct Layout {
    names: Interner,
    graph: StaticGraph,
    /// Plain tenants without shares of their own: row, last moment.
    plain: Vec<usize>,
}

fn row(names: &mut Interner, number: usize, (start, size): (u64, u64), (from, to): (u32, u32)) -> Block {
    Block {
        placement: Placement::Set,
        node: names.intern(&format!("node_{number}")),
        op_type: names.intern("Relu"),
        io: Io::Output,
        index: 0,
        offset: Offset(start as i64),
        stream: Some(0),
        stream_of_op: None,
        memory_type: memory_type::HBM,
        size: Bytes(size),
        real_size: Bytes(size),
        no_align_size: None,
        life_begin: Some(from),
        life_begin_node: None,
        life_ends: LifeEnds::One(to),
        flags: BlockFlags { reuse: true, same_stream: true, ..BlockFlags::default() },
        is_ref: false,
        batch: Name::EMPTY,
        block_type: Name::EMPTY,
        no_padding: None,
        cut: false,
        span: Span::default(),
    }
}

/// Slots one above the other, each with tenants one after the other and shares by every rule.
fn layout(seed: u64) -> Layout {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut all = Layout { names: Interner::new(), graph: StaticGraph::default(), plain: Vec::new() };
    let (case_a, case_b) = (all.names.intern("batch_0"), all.names.intern("batch_1"));
    let mut start = 0u64;
    for _ in 0..40 + dice.below(40) {
        let size = 512 * (2 + dice.below(200));
        let mut at = dice.below(10) as u32;
        for _ in 0..10 + dice.below(40) {
            let to = at + dice.below(9) as u32;
            let number = all.graph.blocks.len();
            let mut tenant = row(&mut all.names, number, (start, size), (at, to));
            tenant.stream = Some(dice.below(4) as i64);
            tenant.life_ends = [to.saturating_sub(1).max(at), to].into_iter().collect();
            let mut share = tenant.clone();
            share.node = all.names.intern(&format!("share_{number}"));
            let half = Bytes(size / 1024 * 512);
            match dice.below(8) {
                0 => {
                    share.is_ref = true;
                    share.life_ends = LifeEnds::One(LIFE_MAX);
                }
                1 => {
                    share.flags.child_level = 1;
                    (share.size, share.real_size) = (half, half);
                }
                2 => {
                    (tenant.flags.continuous, share.flags.continuous) = (true, true);
                    share.offset = Offset(start as i64 + half.0 as i64);
                    (share.size, share.real_size) = (Bytes(size - half.0), Bytes(size - half.0));
                }
                3 => (tenant.batch, share.batch) = (case_a, case_b),
                4 => {
                    share.flags.zero_copy = true;
                    share.life_ends = LifeEnds::One(LIFE_DEFAULT);
                }
                5 => share.memory_type = memory_type::HOST,
                6 => share.placement = Placement::ContinuousInput,
                _ => {
                    all.plain.push(number);
                    all.graph.blocks.push(tenant);
                    at = to + 1 + dice.below(4) as u32;
                    continue;
                }
            }
            all.graph.blocks.extend([tenant, share]);
            at = to + 1 + dice.below(4) as u32;
        }
        start += size;
        if dice.one_in(3) {
            start += 512 * dice.below(4);
        }
    }
    all
}

/// `GEMLENS_SEEDS` sets how many.
fn seeds() -> u64 {
    std::env::var("GEMLENS_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

#[test]
fn one_planted_among_thousands_of_legal_shares_is_found_and_nothing_else() {
    let mut shares = 0;
    for seed in 1..=seeds() {
        let Layout { mut names, mut graph, plain } = layout(seed);
        assert_eq!(overlaps(&graph), [], "seed {seed}: a false alarm");
        shares += graph.blocks.len();
        let mut dice = Dice(seed | 1 << 40);
        let victim_row = plain[dice.below(plain.len() as u64) as usize];
        let victim = graph.blocks[victim_row].clone();
        let (from, to) = (victim.life_begin.unwrap_or(0), victim.life_ends.effective().unwrap_or(0));
        let begin = from + dice.below(u64::from(to - from) + 1) as u32;
        let offset = 512 * dice.below(victim.size.0 / 512);
        let place = (victim.offset.0 as u64 + offset, 512.min(victim.size.0 - offset));
        let mut planted = row(&mut names, usize::MAX, place, (begin, to));
        planted.stream = Some(dice.below(4) as i64);
        let suspect_row = dice.below(graph.blocks.len() as u64 + 1) as usize;
        graph.blocks.insert(suspect_row, planted);
        let victim_row = victim_row + usize::from(suspect_row <= victim_row);
        let hits = overlaps(&graph);
        assert_eq!(hits.len(), 1, "seed {seed}: {hits:?}");
        let mut found = [hits[0].victim, hits[0].suspect];
        let mut expected = [victim_row, suspect_row];
        if begin == from {
            // Neither came first.
            found.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!((found, hits[0].size), (expected, Bytes(place.1)), "seed {seed}");
    }
    assert!(shares as u64 > seeds() * 1000, "{shares}");
}

#[test]
fn an_end_and_a_begin_at_the_same_moment_meet() {
    let mut names = Interner::new();
    let mut graph = StaticGraph::default();
    graph.blocks.push(row(&mut names, 0, (0, 1024), (1, 5)));
    graph.blocks.push(row(&mut names, 1, (512, 1024), (6, 9)));
    assert_eq!(overlaps(&graph), []);
    graph.blocks[1].life_begin = Some(5);
    assert_eq!(overlaps(&graph).len(), 1);
    graph.blocks[1].offset = Offset(1024);
    assert_eq!(overlaps(&graph), []);
}

#[test]
fn neighbours_are_live_and_earlier_users_are_gone() {
    let mut names = Interner::new();
    let mut graph = StaticGraph::default();
    let places = [((0, 512), (1, 9)), ((1024, 512), (1, 3)), ((1024, 512), (5, 7)), ((2048, 512), (7, 8))];
    for (number, (place, life)) in places.into_iter().enumerate() {
        graph.blocks.push(row(&mut names, number, place, life));
    }
    graph.blocks.push(row(&mut names, 4, (1536, 512), (1, 2)));
    let found = around(&graph, 2);
    assert_eq!((found.below, found.above), (Some((0, Bytes(512))), Some((3, Bytes(512)))));
    assert_eq!(found.earlier, [1]);
}

#[test]
fn lists_fit_into_the_variable() {
    let names: Vec<String> = (0..23).map(|n| format!("node_{n}")).collect();
    let made = lists(names.iter().map(String::as_str));
    assert_eq!(made.iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 3]);
    let long = "n".repeat(1500);
    let made = lists([long.as_str(), "a,b", long.as_str(), ""].into_iter());
    assert!(made.iter().all(|list| list.len() <= LIST_ENTRIES && list.join(",").len() <= LIST_CHARS));
    assert_eq!(made.len(), 2, "names with a comma and empty ones are left out");
}

#[test]
fn every_hit_is_counted_though_not_every_one_is_told() {
    let mut text = String::new();
    for (number, offset) in (0..40).map(|number| (number, number * 4096)) {
        for (name, from) in [("victim", 2), ("suspect", 4)] {
            let _ = writeln!(
                text,
                "[INFO] GE(7,python3):2026-08-21-10:04:07.005.891 [block_mem_assigner.cc:2914]7 SetOffsetSize:[IMAS]Set net_1 name[{name}_{number}] optype[Relu] output[0] offset to [{offset}] streamid[0] memtype[2] size[4096] realsize[4096] noalignsize[4096] life time begin[{from}] life time end[8] child[0:1:0:0:1] isref[0] batch[], block_type[]"
            );
        }
    }
    let mut session = Session::new();
    let source = session.add_source("plog.log", "");
    session.feed(source, text.as_bytes());
    let analysis = session.finish();
    let findings = stomping(&analysis);
    assert!(findings.len() < 40, "a finding each");
    let sentences = |graph: &str| {
        let query = Query { graph: Some(graph.to_owned()), ..Query::default() };
        let document = report::stomp::document(&analysis, &findings, None, &query);
        document
            .parts
            .into_iter()
            .filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None })
    };
    let all: Vec<_> = sentences("net").collect();
    assert_eq!(all, ["80 blocks of 1 static graphs checked: 40 share bytes that are in use."]);
    let none: Vec<_> = sentences("other").collect();
    assert_eq!(none, ["0 blocks of 0 static graphs checked: 0 share bytes that are in use."]);
}
