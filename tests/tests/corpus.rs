//! Real logs of the full set: what their index says of each must be what the core reads.

use std::fmt::Write;

use gemlens_core::check::{self, Finding};
use gemlens_core::model::component::Statistic;
use gemlens_core::model::process::Process;
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_tests::{content, files, shared};

/// One analysed file.
struct Case {
    analysis: Analysis,
    findings: Vec<Finding>,
}

impl Case {
    /// Reads the file whose name starts with `number`; `None` where the full set is not here.
    fn read(number: &str) -> Option<Case> {
        let folder = shared("corpus/plogs")?;
        let path = files(&folder)
            .into_iter()
            .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number)))?;
        Some(Case::of(&content(&path)))
    }

    fn of(bytes: &[u8]) -> Case {
        let mut session = Session::new();
        let source = session.add_source("log", "");
        for chunk in bytes.chunks(4096) {
            session.feed(source, chunk);
        }
        let analysis = session.finish();
        let findings = check::run(&analysis);
        Case { analysis, findings }
    }

    fn pids(&self) -> Vec<i64> {
        self.analysis.processes.iter().filter_map(|p| p.id.pid).collect()
    }

    fn process(&self, pid: i64) -> &Process {
        let found = self.analysis.processes.iter().find(|p| p.id.pid == Some(pid));
        found.unwrap_or_else(|| panic!("no process {pid}\n{}", self.shown()))
    }

    fn statistics(&self, pid: i64, module: &str, memory_kind: &str) -> Vec<Statistic> {
        let names = &self.analysis.names;
        let wanted = |s: &&Statistic| {
            names.get(s.counted.module) == module && names.get(s.counted.memory_kind) == memory_kind
        };
        self.process(pid).components.statistics.iter().filter(wanted).copied().collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.findings.iter().map(|f| f.rule.code).collect()
    }

    /// All findings as text, for a failing assertion.
    fn shown(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let sentence = finding.sentence(&self.analysis.names, Lang::En);
            let _ = writeln!(text, "{} {:?} {sentence}", finding.rule.code, finding.severity);
            for evidence in &finding.evidence {
                let _ = writeln!(text, "      {evidence:?}");
            }
        }
        text
    }

    /// The sentence of the one finding with this code.
    #[track_caller]
    fn sentence(&self, code: &str) -> String {
        let found: Vec<&Finding> = self.findings.iter().filter(|f| f.rule.code == code).collect();
        assert_eq!(found.len(), 1, "{code}\n{}", self.shown());
        found[0].sentence(&self.analysis.names, Lang::En)
    }

    /// The finding says all of this.
    #[track_caller]
    fn says(&self, code: &str, parts: &[&str]) {
        let sentence = self.sentence(code);
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}\n{}", self.shown());
        }
    }

    /// No finding says that memory was refused.
    #[track_caller]
    fn no_refusal(&self) {
        let refused = |code: &&str| ("GEM0701"..="GEM0710").contains(code);
        assert!(!self.codes().iter().any(refused), "{}", self.shown());
    }
}

/// The two statements about one file that a test makes most often.
#[track_caller]
fn not_memory(number: &str, parts: &[&str]) -> Option<Case> {
    let case = Case::read(number)?;
    case.no_refusal();
    let found = case.findings.iter().filter(|f| f.rule.code == "GEM0713");
    let sentences: Vec<String> = found.map(|f| f.sentence(&case.analysis.names, Lang::En)).collect();
    for part in parts {
        assert!(sentences.iter().any(|s| s.contains(part)), "`{part}`\n{}", case.shown());
    }
    Some(case)
}

#[test]
fn c01_statistics_of_the_newest_driver_and_an_ai_cpu_exception() {
    let Some(case) = not_memory("01", &["AI CPU exception in process 901649"]) else { return };
    let held = |module| case.statistics(901_649, module, "MEM_DEV_SMALL_HBM")[0];
    assert_eq!((held("RUNTIME").current.0, held("RUNTIME").counts), (28_672, Some((14, 7))));
    assert_eq!((held("APP").current.0, held("APP").counts), (126_976, Some((7, 0))));
    let names = &case.analysis.names;
    let components = &case.process(901_649).components;
    let runtime = components.statistics.iter().filter(|s| names.get(s.counted.module) == "RUNTIME");
    let device = runtime.filter(|s| s.counted.device == Some(0));
    assert_eq!(device.map(|s| s.peak.0).sum::<u64>(), 29_495_296);
    let cached = components.cached.iter().filter(|c| c.device == Some(0));
    assert_eq!(cached.map(|c| c.size.0).sum::<u64>(), 33_398_784);
    let host = case.statistics(901_649, "RUNTIME", "HOST_MEM")[0];
    assert_eq!((host.current.0, host.peak.0), (0, 11_341_824));
    let host_cache = components.cached.iter().find(|c| names.get(c.memory_kind) == "HOST_MEM");
    assert_eq!(host_cache.map(|c| c.size.0), Some(12_582_912));
    assert_eq!(case.codes().iter().filter(|code| **code == "GEM0102").count(), 2, "{}", case.shown());
}

#[test]
fn c04_helper_processes_on_the_device() {
    let Some(case) = Case::read("04") else { return };
    assert_eq!(case.pids(), [4_052_516, 4_052_533, 4_176_893]);
    let sizes = |pid: i64| {
        let names = &case.analysis.names;
        let helpers = &case.process(pid).components.device_processes;
        helpers.iter().map(|p| (names.get(p.module), p.module_id, p.device, p.size.0)).collect::<Vec<_>>()
    };
    assert_eq!(sizes(4_176_893), [("AICPU", 36, 6, 75_464_704), ("CUSTOM", 76, 6, 75_464_704)]);
    assert_eq!(sizes(4_052_516), [("AICPU", 36, 0, 75_505_664), ("CUSTOM", 76, 0, 75_505_664)]);
    assert_eq!(sizes(4_052_533), [("AICPU", 36, 0, 157_286_400), ("CUSTOM", 76, 0, 75_505_664)]);
    assert!(
        case.shown().contains("The AICPU process on device 0 itself takes 157286400"),
        "{}",
        case.shown()
    );
}

#[test]
fn c05_one_refused_physical_allocation() {
    let Some(case) = Case::read("05") else { return };
    assert_eq!(case.pids(), [4_176_881]);
    case.says(
        "GEM0709",
        &[
            "process 4176881",
            "20971520",
            "on device 0",
            "driver code 6",
            "207001",
            "aclrtMallocPhysical",
            "system memory of the device itself ran out",
        ],
    );
}

#[test]
fn c06_a_missing_context_and_what_looks_like_no_memory() {
    let Some(case) = not_memory("06", &["no device context was set in process 44525", "107002"]) else {
        return;
    };
    assert_eq!(case.pids(), [28_980, 30_104, 44_525, 2_977_549]);
    assert!(case.shown().contains("memory refused 9 B [44525]"), "{}", case.shown());
}

#[test]
fn c07_a_wrong_copy_kind() {
    let Some(case) = not_memory("07", &["invalid argument in process 291088", "107000"]) else { return };
    assert_eq!(case.pids(), [291_088]);
}

#[test]
fn c09_a_device_that_another_container_has() {
    let Some(case) = not_memory("09", &["could not be opened in process 278", "EL0005", "87", "507899"])
    else {
        return;
    };
    assert_eq!(case.pids(), [278]);
    assert!(case.shown().contains("107002"), "{}", case.shown());
}

#[test]
fn c10_six_processes_on_one_console() {
    let Some(case) = not_memory("10", &["could not be opened", "driver code 87"]) else { return };
    assert_eq!(case.pids(), [281, 421, 554, 555, 556, 557]);
    assert!(case.shown().contains("no device context was set 107002 [557]"), "{}", case.shown());
}

#[test]
fn c16_a_terminal_stamp_in_front() {
    let Some(case) = not_memory("16", &["no device context", "107002", "process 695120"]) else { return };
    assert_eq!(case.pids(), [695_120]);
}

#[test]
fn c17_nothing_to_say_about_memory() {
    let Some(case) = Case::read("17") else { return };
    assert_eq!(case.pids(), [1_746_443, 2_617_230]);
    assert_eq!(case.codes(), ["GEM0004", "GEM0004"], "{}", case.shown());
}

#[test]
fn c18_a_zero_copy_output_too_small() {
    let Some(case) = Case::read("18") else { return };
    assert_eq!(case.pids(), [44_349]);
    case.no_refusal();
    case.says("GEM0712", &["Not out of memory", "process 44349", "8192", "16416"]);
}

#[test]
fn c20_streams_only() {
    let Some(case) = Case::read("20") else { return };
    assert_eq!(case.pids(), [100, 200]);
    assert_eq!(case.codes(), ["GEM0004", "GEM0004"], "{}", case.shown());
}

#[test]
fn c21_records_over_several_lines_and_cut_headers() {
    let Some(case) = Case::read("21") else { return };
    let graphs: Vec<_> = case.analysis.processes.iter().flat_map(|p| &p.graphs).collect();
    let [graph] = graphs.as_slice() else { panic!("{graphs:?}") };
    let summary = &graph.summaries[0];
    assert_eq!(case.analysis.names.get(graph.name), "allreduce_graph_0");
    let bytes = |b: Option<gemlens_core::units::Bytes>| b.map(|b| b.0);
    assert_eq!(bytes(summary.after_reuse), Some(268_470_272));
    assert_eq!(bytes(summary.theory_min), Some(268_470_272));
    assert_eq!(bytes(summary.total), Some(268_470_272));
    assert_eq!(bytes(summary.zero_copy), Some(134_218_752));
    case.says("GEM0301", &["reuse saves only 0.00%", "not the algorithm"]);
    let statistics = case.analysis.processes.iter().flat_map(|p| &p.components.statistics);
    let peaks: Vec<_> = statistics.map(|s| (s.current.0, s.peak.0, s.counts)).collect();
    assert_eq!(peaks, [(0, 274_726_912, Some((3, 3)))]);
    let region = &case.process(11_394).regions.regions[0];
    assert_eq!(region.base.plus(region.size).0, 0x12c0_5160_8800);
    let flag = case.process(11_394).options.args_table;
    assert_eq!(flag.map(|flag| flag.value), Some(true));
}

#[test]
fn c23_a_size_that_is_not_in_the_log() {
    let Some(case) = Case::read("23") else { return };
    assert_eq!(case.pids(), [10_652]);
    case.says(
        "GEM0701",
        &[
            "process 10652",
            "on device 0",
            "size is not in the log",
            "SelfAttentionOperation",
            "EL0004",
            "207001",
        ],
    );
}

#[test]
fn c26_no_statement_about_memory() {
    let Some(case) = not_memory("26", &["could not be opened", "EL0005"]) else { return };
    assert_eq!(case.pids(), [9]);
    assert!(case.codes().contains(&"GEM0004"), "{}", case.shown());
}

#[test]
fn c27_a_screenshot() {
    let Some(case) = Case::read("27") else { return };
    assert_eq!(case.pids(), [14_004], "no process comes from a misread number");
    case.says("GEM0701", &["process 14004", "EL0004", "207001", "unknown"]);
    case.says("GEM0715", &["DMA copy failed", "507013", "959971328 B"]);
    case.says("GEM0717", &["damaged"]);
}

#[test]
fn c29_two_wordings_and_two_runs_in_one_file() {
    let Some(case) = Case::read("29") else { return };
    assert_eq!(case.pids(), [10_972]);
    let ge = case.statistics(10_972, "GE", "DEV_MEM")[0];
    assert_eq!((ge.current.0, ge.peak.0, ge.counts), (0, 108_003_328, None));
    assert_eq!(case.statistics(10_972, "HCCL", "HOST_MEM")[0].peak.0, 4096);
    let peaks: Vec<_> = case.statistics(10_972, "RUNTIME", "DEV_MEM").iter().map(|s| s.peak.0).collect();
    assert_eq!(peaks, [33_648_640, 33_641_111]);
    case.says("GEM0105", &["two runs are mixed"]);
    case.says("GEM0701", &["2097152", "module 7 = RUNTIME", "on device 0", "driver code 6"]);
}

#[test]
fn c30_buffers_of_a_communicator_and_a_wait() {
    let Some(case) = Case::read("30") else { return };
    let buffers = &case.process(69_395).allocations.buffers;
    let found: Vec<_> = buffers.iter().map(|b| (b.address.0, b.size.0)).collect();
    assert_eq!(found, [(0x1241_4040_0000, 209_715_200), (0x1241_4cc0_0000, 209_715_200)]);
    case.no_refusal();
    case.says("GEM0204", &["419430400"]);
    case.says("GEM0714", &["process 69395", "rank 3"]);
}

#[test]
fn c31_many_processes_in_one_file() {
    let Some(case) = Case::read("31") else { return };
    assert_eq!(case.pids(), [114_654, 114_656, 114_658, 114_660, 114_662, 114_664]);
    assert!(case.codes().iter().all(|code| *code == "GEM0004"), "{}", case.shown());
}

#[test]
fn c32_broken_memory_is_no_memory_use() {
    let Some(case) = not_memory("32", &["hardware memory error", "nothing about memory use"]) else { return };
    assert_eq!(case.pids(), [3551, 6843]);
}

#[test]
fn c33_addresses_of_a_framework() {
    let Some(case) = Case::read("33") else { return };
    assert_eq!(case.pids(), [2_250_956]);
    case.no_refusal();
}

#[test]
fn c34_streams_ran_out() {
    let Some(case) = not_memory("34", &["stream resources ran out in process 227839", "EE1023"]) else {
        return;
    };
    assert_eq!(case.pids(), [227_839]);
}

#[test]
fn c35_an_ai_core_failure() {
    let Some(case) = not_memory("35", &["AI Core exception in process 757013"]) else { return };
    case.says("GEM0715", &["507011"]);
}

/// Chunk borders change nothing, also where records are wrapped.
#[test]
fn every_file_reads_the_same_in_any_chunks() {
    let Some(folder) = shared("corpus/plogs") else { return };
    for path in files(&folder) {
        let bytes = content(&path);
        let whole = Case::of(&bytes).shown();
        let mut session = Session::new();
        let source = session.add_source("log", "");
        for chunk in bytes.chunks(7) {
            session.feed(source, chunk);
        }
        let analysis = session.finish();
        let findings = check::run(&analysis);
        assert_eq!(Case { analysis, findings }.shown(), whole, "{}", path.display());
    }
}

/// Both languages say something of every finding.
#[test]
fn every_finding_speaks_both_languages() {
    let Some(folder) = shared("corpus/plogs") else { return };
    for path in files(&folder) {
        let case = Case::of(&content(&path));
        for finding in &case.findings {
            let chinese = finding.sentence(&case.analysis.names, Lang::Zh);
            assert!(chinese.chars().any(|c| c > '\u{2e7f}'), "{}: {chinese}", finding.rule.code);
            assert!(!finding.evidence.is_empty(), "{}", finding.rule.code);
        }
    }
}
