//! Dynamic pools against logs that the real allocator printed: a shipped part, and the full set
//! where it lies beside the repository (`../shared`) or at `GEMLENS_SHARED`.

use std::collections::BTreeMap;
use std::path::Path;

use gemlens_core::check;
use gemlens_core::metrics::class;
use gemlens_core::metrics::pool::{self as metrics, Figures, Verdict};
use gemlens_core::model::pool::{Allocator, Family, Outcome, Supply};
use gemlens_core::model::process::Process;
use gemlens_core::report::imas_csv::ReportFile;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::units::{Address, Bytes};
use gemlens_tests::{Tsv, content, data, shared};

/// One line of `index.tsv` and the two logs it names.
struct Case {
    file: String,
    policy: u64,
    alloc_lines: u32,
    free_lines: u32,
    errors: u64,
    max_alloc: u64,
    analysis: Analysis,
}

impl Case {
    fn process(&self) -> &Process {
        let [process] = &self.analysis.processes[..] else {
            panic!("{}: {} processes", self.file, self.analysis.processes.len())
        };
        process
    }

    fn allocator(&self, family: Family) -> &Allocator {
        let of_family = |a: &&Allocator| a.id.family == family;
        self.process().pools.allocators.iter().find(of_family).expect("allocator")
    }

    fn figures(&self, family: Family) -> Figures {
        let of_family = |f: &Figures| f.allocator.family == family;
        metrics::figures(self.process()).into_iter().find(of_family).expect("figures")
    }
}

fn analyse(sources: &[(&str, &[u8])]) -> Analysis {
    let mut session = Session::new();
    for (name, bytes) in sources {
        let source = session.add_source(name, "");
        session.feed(source, bytes);
    }
    session.finish()
}

fn cases_in(folder: &Path) -> Vec<Case> {
    let index = Tsv::read(&folder.join("index.tsv"));
    index
        .rows()
        .map(|row| {
            let number = |name: &str| row.get(name).parse::<u64>().expect("number");
            let file = row.get("file").to_owned();
            let debug = content(&folder.join(&file));
            let run = content(&folder.join(file.replace(".log.gz", ".run.log.gz")));
            Case {
                policy: number("policy"),
                alloc_lines: number("alloc_lines") as u32,
                free_lines: number("free_lines") as u32,
                errors: number("error_lines"),
                max_alloc: number("max_alloc_dev_mem"),
                analysis: analyse(&[("debug", &debug), ("run", &run)]),
                file,
            }
        })
        .collect()
}

fn each_case(check: impl Fn(&Case)) {
    let shipped = cases_in(&data().join("pool"));
    assert!(!shipped.is_empty());
    shipped.iter().for_each(&check);
    if let Some(folder) = shared("oracle/pool") {
        cases_in(&folder).iter().for_each(&check);
    }
}

#[test]
fn every_line_counts() {
    each_case(|case| {
        let lines = case.process().pools.kernel_lines;
        assert_eq!(lines.allocs, case.alloc_lines, "{}", case.file);
        assert_eq!(lines.frees + lines.recycles, case.free_lines, "{}", case.file);
        assert_eq!(case.process().lines.errors, case.errors, "{}", case.file);
        let ge = case.allocator(Family::Ge);
        assert_eq!(ge.blocks.len() as u32, case.alloc_lines, "{}", case.file);
        assert_eq!(ge.tensors.len() as u32, case.alloc_lines, "{}", case.file);
        assert_eq!(ge.returns, case.alloc_lines, "{}", case.file);
        assert_eq!(ge.returns_unmatched, 0, "{}", case.file);
        let pools = &case.process().pools;
        let events: usize = pools.allocators.iter().map(|a| a.events.len()).sum();
        assert_eq!(events, pools.event_count as usize, "{}", case.file);
    });
}

#[test]
fn tensors_and_blocks_agree() {
    each_case(|case| {
        let ge = case.allocator(Family::Ge);
        for tensor in &ge.tensors {
            let block = &ge.blocks[tensor.block.expect("block") as usize];
            assert_eq!(tensor.address, block.address);
            assert_eq!(tensor.size, block.given);
            assert_eq!(tensor.tensor_size, Some(block.asked));
            assert_eq!((tensor.begin, tensor.pool_free), (block.begin, block.end));
            assert_eq!(tensor.kernel_free, tensor.pool_free, "{}", case.file);
            let name = case.analysis.names.get(tensor.kernel).strip_prefix("AllocMemHbm_").expect("kernel");
            assert_eq!(case.analysis.names.get(tensor.freed_by), format!("FreeMemory_{name}"));
        }
    });
}

/// What was held at an ordinal, by the supply lines alone.
fn held_at(allocator: &Allocator, at: u32, line: u32) -> Bytes {
    let before = |h: &&gemlens_core::model::pool::Holding| h.at <= at && h.span.line <= line;
    allocator.holdings.iter().rev().find(before).map_or(Bytes::ZERO, |h| h.held)
}

#[test]
fn figures_equal_the_printed_ones() {
    each_case(|case| {
        for allocator in &case.process().pools.allocators {
            let figures = case.figures(allocator.id.family);
            let last = allocator.summaries.last().expect("summary");
            let which = format!("{} {}", case.file, allocator.id);
            assert_eq!(figures.live_peak.map(|p| p.size), figures.theory_min, "{which}");
            assert_eq!(figures.theory_min, Some(last.theory_min), "{which}");
            assert_eq!(figures.asked_peak, last.real_theory_min, "{which}");
            let (hand_outs, returns, _) = last.counts.expect("counters");
            if allocator.id.family == Family::Ge && case.policy == 0 {
                assert_eq!((hand_outs as usize, returns as u32), (allocator.blocks.len(), allocator.returns));
            }
            for summary in &allocator.summaries {
                let held = held_at(allocator, summary.at, summary.span.line);
                assert_eq!(held, summary.total, "{which} line {}", summary.span.line);
            }
        }
        let (taken, _) = case.figures(Family::Ge).taken_peak.expect("taken");
        assert_eq!(taken, Bytes(case.max_alloc), "{}", case.file);
        let printed = &case.process().allocations.metrics;
        assert!(printed.iter().any(|m| m.figure == "max_alloc_dev_mem" && m.size == taken), "{}", case.file);
    });
}

#[test]
fn live_blocks_of_an_allocator_never_overlap() {
    each_case(|case| {
        for allocator in &case.process().pools.allocators {
            let mut live: BTreeMap<Address, Bytes> = BTreeMap::new();
            for event in &allocator.events {
                let block = &allocator.blocks[event.block as usize];
                if !event.handed_out {
                    live.remove(&block.address);
                    continue;
                }
                let end = block.address.plus(block.given);
                if let Some((below, size)) = live.range(..end).next_back() {
                    assert!(below.plus(*size) <= block.address, "{} {}", case.file, allocator.id);
                }
                live.insert(block.address, block.given);
            }
            assert!(live.is_empty(), "{} {}", case.file, allocator.id);
        }
    });
}

#[test]
fn verdicts_by_policy() {
    each_case(|case| {
        let ge = case.figures(Family::Ge);
        let failing = case.file.contains("oom");
        match (case.policy, ge.verdict) {
            (0, Verdict::Fragmentation { excess, .. }) if !failing => {
                assert_eq!(ge.supply, Supply::Level);
                assert_eq!(Some(excess), ge.gap());
            }
            // Giving back idle memory when a request failed left nothing but what was needed.
            (0, Verdict::Exact) if failing => {}
            (3 | 4, Verdict::Step { units }) => {
                assert_eq!((ge.supply, ge.unit.expandable), (Supply::Pages, true));
                assert_eq!(units * ge.unit.size.0, case.max_alloc);
            }
            other => panic!("{}: {other:?}", case.file),
        }
        if case.policy == 0 {
            let rts = case.figures(Family::Rts);
            assert!(matches!(rts.verdict, Verdict::Exact | Verdict::Step { .. }), "{}", case.file);
            assert_eq!(rts.supply, Supply::Device, "{}", case.file);
        }
    });
}

/// The class view counts the same device memory, by other lines.
#[test]
fn the_class_view_agrees() {
    each_case(|case| {
        let total = class::total(&case.process().allocations, &case.analysis.names);
        let family = if case.policy == 0 { Family::Rts } else { Family::Ge };
        let taken = case.figures(family).taken_peak.map(|(taken, _)| taken);
        assert_eq!(Some(total.peak), taken, "{}", case.file);
    });
}

#[test]
fn refusals_end_as_the_log_says() {
    each_case(|case| {
        let outcomes: Vec<Outcome> = case.process().pools.refusals.iter().map(|r| r.outcome).collect();
        let expected: &[Outcome] = match (case.errors, case.policy) {
            (0, _) => &[],
            (_, 0) => &[Outcome::Recovered],
            _ => &[Outcome::Failed],
        };
        assert_eq!(outcomes, expected, "{}", case.file);
        for refusal in &case.process().pools.refusals {
            assert_eq!(refusal.size, Some(Bytes(262_144_032)), "{}", case.file);
            assert_eq!(refusal.allocator.to_string(), "ge_2");
        }
    });
}

#[test]
fn findings_of_whole_logs() {
    each_case(|case| {
        let findings = check::run(&case.analysis);
        let codes: Vec<&str> =
            findings.iter().map(|f| f.rule.code).filter(|c| c.starts_with("GEM05")).collect();
        let expected: &[&str] = match (case.policy, case.errors) {
            (0, 0) => &["GEM0502", "GEM0501", "GEM0503", "GEM0506"],
            (0, _) => &["GEM0503", "GEM0504", "GEM0506"],
            (_, 0) => &["GEM0501", "GEM0503", "GEM0506"],
            _ => &["GEM0505", "GEM0501", "GEM0503", "GEM0506"],
        };
        assert_eq!(codes, expected, "{}", case.file);
    });
}

fn pool_csv(analysis: &Analysis) -> String {
    let mut csv = Vec::new();
    let mut take = |piece: &[u8]| {
        csv.extend_from_slice(piece);
        Ok::<(), std::convert::Infallible>(())
    };
    let Ok(_) = ReportFile::Pool.write(analysis, &mut take);
    String::from_utf8(csv).expect("text")
}

#[test]
fn csv_has_a_row_a_block() {
    each_case(|case| {
        let csv = pool_csv(&case.analysis);
        let pid = case.process().id.pid.expect("pid");
        let blocks: usize = case.process().pools.allocators.iter().map(|a| a.blocks.len()).sum();
        assert_eq!(csv.lines().count(), blocks, "{}", case.file);
        for line in csv.lines() {
            let cells: Vec<&str> = line.split(',').collect();
            let keys: Vec<&str> = cells[3..].iter().copied().step_by(2).collect();
            assert_eq!(cells[0], format!("Process_{pid}"));
            assert_eq!(cells[2], "ALLOC");
            assert_eq!(
                keys,
                [
                    "name",
                    "size",
                    "realsize",
                    "address",
                    "life time begin",
                    "life time end",
                    "cached_size",
                    "theory_size",
                    "kernel_free",
                    "pool_free"
                ]
            );
        }
        // The last column pair of what was in use never exceeds the printed peak.
        let theory: u64 = case.figures(Family::Ge).theory_min.expect("theory").0;
        let of_ge = csv.lines().filter(|line| line.contains(",ge_"));
        let most =
            of_ge.map(|line| line.split(',').nth(18).expect("cell").parse::<u64>().expect("bytes")).max();
        assert_eq!(most, Some(theory), "{}", case.file);
    });
}

#[test]
fn series_ends_empty_and_keeps_its_peak_when_thinned() {
    each_case(|case| {
        let ge = case.allocator(Family::Ge);
        let points = metrics::series(ge);
        assert_eq!(points.len(), ge.events.len());
        assert_eq!(points.last().map(|p| p.live), Some(Bytes::ZERO));
        let peak = points.iter().map(|p| p.live).max();
        let thinned = metrics::downsampled(&points, 100);
        assert!(thinned.len() <= 100);
        assert_eq!(thinned.iter().map(|p| p.live).max(), peak);
        assert_eq!(peak, case.figures(Family::Ge).theory_min);
    });
}

#[test]
fn chunk_borders_and_a_missing_run_log_change_nothing() {
    let folder = data().join("pool");
    let bytes = content(&folder.join("policy3_seed1.log.gz"));
    let whole = analyse(&[("debug", &bytes)]);
    let mut session = Session::new();
    let source = session.add_source("debug", "");
    bytes.chunks(997).for_each(|chunk| session.feed(source, chunk));
    let cut = session.finish();
    assert_eq!(metrics::figures(&whole.processes[0]), metrics::figures(&cut.processes[0]));
}

/// Lines lost, repeated, cut and out of order: nothing panics, and what is kept stays consistent.
#[test]
fn damaged_logs_stay_consistent() {
    let folder = data().join("pool");
    for file in ["policy0_seed1_device420MB_oom.log.gz", "policy4_seed1_device420MB_oom.log.gz"] {
        let bytes = content(&folder.join(file));
        let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        for seed in 1..40_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut random = |below: usize| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % below as u64) as usize
            };
            let mut damaged: Vec<u8> = Vec::new();
            let mut at = random(lines.len() / 2);
            while at < lines.len() {
                let line = lines[at];
                match random(20) {
                    0 => {}
                    1 => damaged.extend_from_slice(&[line, line].concat()),
                    2 => damaged.extend_from_slice(&line[..random(line.len())]),
                    3 => damaged.extend_from_slice(lines[random(lines.len())]),
                    _ => damaged.extend_from_slice(line),
                }
                at += 1;
            }
            let analysis = analyse(&[("damaged", &damaged)]);
            check::run(&analysis);
            for process in &analysis.processes {
                for allocator in &process.pools.allocators {
                    assert!(allocator.events.windows(2).all(|pair| pair[0].at < pair[1].at));
                    for block in &allocator.blocks {
                        assert!(block.end.is_none_or(|end| end > block.begin));
                    }
                }
            }
            pool_csv(&analysis);
        }
    }
}
