//! Dynamic pools against logs that the real allocator printed: a shipped part, and the full set
//! where it lies beside the repository (`../shared`) or at `GEMLENS_SHARED`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use gemlens_core::metrics::pool::{self as metrics, Figures, Verdict};
use gemlens_core::model::pool::{Allocator, AllocatorId, Family, Outcome, Supply};
use gemlens_core::model::process::Process;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::units::{Address, Bytes};

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

fn full_set() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("GEMLENS_SHARED").map_or(beside, PathBuf::from);
    let pool = shared.join("oracle/pool");
    pool.is_dir().then_some(pool)
}

fn unzipped(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).expect("log");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).expect("gzip");
    bytes
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
    let index = fs::read_to_string(folder.join("index.tsv")).expect("index");
    let mut lines = index.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = lines.next().expect("headings");
    lines
        .map(|cells| {
            let row: BTreeMap<&str, &str> = columns.iter().copied().zip(cells).collect();
            let number = |name: &str| row[name].parse::<u64>().expect("number");
            let file = row["file"].to_owned();
            let run = file.replace(".log.gz", ".run.log.gz");
            let debug = unzipped(&folder.join(&file));
            let run = unzipped(&folder.join(run));
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
    let shipped = cases_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pool"));
    assert!(!shipped.is_empty());
    shipped.iter().for_each(&check);
    match full_set() {
        Some(folder) => cases_in(&folder).iter().for_each(&check),
        None => println!("the full set is absent; only the shipped part was checked"),
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
