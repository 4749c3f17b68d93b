//! Situations of dynamic pools, put together from the lines that GE prints (plog grammar, chapters
//! 4 and 5): the verdict must come out whatever part of the lines is there.

use gemlens_core::check;
use gemlens_core::metrics::pool::{Figures, Verdict, figures};
use gemlens_core::model::pool::{AllocatorId, Outcome};
use gemlens_core::report;
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::units::Bytes;

const MIB: u64 = 1 << 20;

/// A log of one thread, line by line.
#[derive(Default)]
struct Log {
    text: String,
    clock: u32,
}

impl Log {
    fn line(mut self, level: &str, file: &str, rest: &str) -> Log {
        self.clock += 1;
        let (ms, us) = (self.clock / 1000, self.clock % 1000);
        self.text += &format!(
            "[{level}] GE(41876,python3):2026-08-21-10:04:07.{ms:03}.{us:03} [{file}]41990 {rest}\n"
        );
        self
    }

    fn info(self, file: &str, rest: &str) -> Log {
        self.line("INFO", file, rest)
    }

    fn policy(self, policy: u64) -> Log {
        let text = format!("IsGeUseExtendSizeMemory:Final StaticMemoryPolicy is set to {policy}.");
        self.info("graph_var_manager.h:381", &text)
    }

    fn page_taken(self, number: u64) -> Log {
        let text = format!(
            "MallocPhysicalPage:MallocMemory, func=aclrtMalloc, size=8388608, purpose=page caching, ptr=0x{:x}, device_id=0, module_id=45",
            0x12ee_0000_0000 + number * 8 * MIB
        );
        self.info("active_memory_allocator.cc:1135", &text)
    }

    fn page(self, number: u64) -> Log {
        let text = format!(
            "ge::PhysicalMemoryAllocator::MallocPhysicalPage:rtMallocPhysical success pa_index:{number}, current physical memory size:{}, reuse:1, memory_type:2, pg_type:2M.",
            (number + 1) * 8 * MIB
        )
        .replace(", reuse", " reuse");
        self.info("active_memory_allocator.cc:1137", &text)
    }

    fn backed(self, total: u64) -> Log {
        let text = format!(
            "MallocPhysicalMemory:virtual_memory_addr:0x12c0c0000000 virtual_memory_size:65536 success, total physical_memory_size:{total}."
        );
        self.info("active_memory_allocator.cc:801", &text)
    }

    fn malloc(self, address: u64, size: u64, given: u64) -> Log {
        let text = format!(
            "[allocator_3] Alloc:Malloc block device_id:0 size:{size} allocate_size:{given} mem_addr:0x{address:x}. span addr 0xfffd08012340"
        );
        self.info("scalable_allocator.cc:511", &text)
    }

    fn free(self, address: u64, given: u64) -> Log {
        let text = format!(
            "[allocator_3] Free:Free block device_id:0 theory_size_:0 theory_min_size_:{given} allock_size:{given} mem_addr:0x{address:x}."
        );
        self.info("scalable_allocator.cc:569", &text)
    }

    fn summary(self, total: u64, theory_min: u64) -> Log {
        let text = format!(
            "[allocator_3] PrintDetails:Device memory   : [alloc count:0 free count:0 total size:{total}(48.00M) new_va_size:0 real_theory_min:{theory_min}(40.00M) theory_min:{theory_min}(40.00M) reach theory rate:83.33%]"
        );
        self.info("scalable_allocator.cc:737", &text)
    }

    /// 40.25 MiB in two live blocks.
    fn blocks(self) -> Log {
        self.malloc(0x12c0_c000_0000, 40 * MIB - 512, 40 * MIB).malloc(0x12c0_d000_0000, 262_144, 262_144)
    }

    fn kernel(self, text: &str) -> Log {
        self.info("memory_kernel.cc:385", text)
    }

    fn read(self) -> Analysis {
        let mut session = Session::new();
        let source = session.add_source("log", "");
        session.feed(source, self.text.as_bytes());
        session.finish()
    }
}

fn only_pool(analysis: &Analysis) -> Figures {
    let [process] = &analysis.processes[..] else { panic!("one process") };
    let figures = figures(process);
    let [pool] = &figures[..] else { panic!("one pool: {figures:?}") };
    pool.clone()
}

fn codes(analysis: &Analysis) -> Vec<&'static str> {
    let codes = check::run(analysis).into_iter().map(|finding| finding.rule.code);
    codes.filter(|code| code.starts_with("GEM05")).collect()
}

#[track_caller]
fn check_step(log: Log) {
    let analysis = log.read();
    let pool = only_pool(&analysis);
    assert_eq!(pool.needed(), Some(Bytes(40 * MIB + 262_144)));
    assert_eq!(pool.taken_peak.map(|(taken, _)| taken), Some(Bytes(48 * MIB)));
    assert_eq!(pool.unit.size, Bytes(8 * MIB));
    assert_eq!(pool.verdict, Verdict::Step { units: 6 });
    let codes = codes(&analysis);
    assert!(codes.contains(&"GEM0501") && !codes.contains(&"GEM0502"), "{codes:?}");
}

#[test]
fn forty_eight_taken_for_forty_and_a_quarter_is_a_step() {
    let pages = |log: Log| (0..6).fold(log, |log, n| log.page_taken(n).page(n));
    // Everything there.
    check_step(pages(Log::default().policy(3)).backed(48 * MIB).blocks().summary(48 * MIB, 40 * MIB));
    // Without the backing lines.
    check_step(pages(Log::default()).blocks());
    // Physical pages without a purpose line.
    check_step((0..6).fold(Log::default(), Log::page).blocks());
    // Backing alone.
    check_step(Log::default().backed(48 * MIB).blocks());
    // Only blocks, a summary and the policy.
    check_step(Log::default().policy(3).blocks().summary(48 * MIB, 40 * MIB));
    // Device memory in equal pieces.
    let pieces = (0..3).fold(Log::default(), Log::page_taken);
    check_step(
        (3..6).fold(pieces.malloc(0x12c0_c000_0000, 40 * MIB - 512, 40 * MIB), Log::page_taken).malloc(
            0x12c0_d000_0000,
            262_144,
            262_144,
        ),
    );
}

#[test]
fn the_step_is_said_with_its_numbers() {
    let analysis = (0..6).fold(Log::default(), Log::page).blocks().summary(48 * MIB, 40 * MIB).read();
    let findings = check::run(&analysis);
    let step = findings.iter().find(|f| f.rule.code == "GEM0501").expect("step");
    assert!(step.rule.by_design);
    assert_eq!(
        step.sentence(&analysis.names, Lang::En),
        "Pool ge_3 took 50331648 (48.00M) for a peak of 42205184 (40.25M) in live blocks (theory_min 41943040 (40.00M)): 6 units of 8.00M."
    );
    assert_eq!(
        step.sentence(&analysis.names, Lang::Zh),
        "内存池 ge_3 申请了 50331648 (48.00M)，存活块峰值为 42205184 (40.25M)（theory_min 41943040 (40.00M)）：即 6 个 8.00M 单位。"
    );
    assert_eq!(
        step.message.formula().as_deref(),
        Some("ceil(42205184 / 8388608) × 8388608 = 6 × 8388608 = 50331648")
    );
    assert!(!step.evidence.is_empty());
}

#[test]
fn one_page_more_is_fragmentation() {
    let analysis = (0..7).fold(Log::default(), Log::page).blocks().read();
    let pool = only_pool(&analysis);
    let expected = Verdict::Fragmentation { stepped: Bytes(48 * MIB), excess: Bytes(8 * MIB) };
    assert_eq!(pool.verdict, expected);
    assert!(codes(&analysis).contains(&"GEM0502"));
}

#[test]
fn the_printed_peak_speaks_for_lines_before_the_log() {
    // The hand-out of the returned block was rotated away.
    let log = Log::default().malloc(0x12c0_d000_0000, 262_144, 262_144).free(0x12c0_c000_0000, 40 * MIB);
    let analysis = log.summary(48 * MIB, 40 * MIB + 65_536).policy(3).read();
    let pool = only_pool(&analysis);
    assert_eq!(pool.verdict, Verdict::Step { units: 6 });
    let allocator = &analysis.processes[0].pools.allocators[0];
    assert_eq!((allocator.returns, allocator.returns_unmatched), (1, 1));
}

#[test]
fn a_refusal_that_recovers_and_one_that_fails() {
    let limit = "[allocator_3] FetchNewSpan:OccupiedSize:62000000000 add size:536870912 exceed total_threshold:62179508224.";
    let first_try = "AllocateWithTryRecycle: ErrorNo: 1343225856(Failed to allocate memory!)[allocator_3] Failed to apply for memory. We will try to free memory from memory pool, the above or this error log can be ignored. Try to free cached memory...";
    let gave_up = "AllocHbmMem: ErrorNo: 4294967295(failed)[AllocMemHbm][AllocMemHbm_Add_3_12]malloc failed, stream 0, tensor size=536870400, index=1";
    let start = || {
        let log = Log::default().malloc(0x12c0_c000_0000, 544, 65_536);
        log.info("scalable_allocator.cc:246", limit).line("ERROR", "caching_mem_allocator.cc:38", first_try)
    };
    let recovered = start().malloc(0x12c0_d000_0000, 536_870_400, 536_870_912).read();
    assert_eq!(recovered.processes[0].pools.refusals[0].outcome, Outcome::Recovered);
    let hits = codes(&recovered);
    assert!(hits.contains(&"GEM0504") && !hits.contains(&"GEM0505"), "{hits:?}");
    let failed = start().line("ERROR", "memory_kernel.cc:377", gave_up).read();
    let refusal = &failed.processes[0].pools.refusals[0];
    assert_eq!((refusal.outcome, refusal.size), (Outcome::Failed, Some(Bytes(536_870_400))));
    assert_eq!(failed.names.get(refusal.kernel), "AllocMemHbm_Add_3_12");
    let hits = codes(&failed);
    assert!(hits.contains(&"GEM0505") && !hits.contains(&"GEM0504"), "{hits:?}");
    // The log ends before either.
    let open = start().read();
    assert_eq!(open.processes[0].pools.refusals[0].outcome, Outcome::Unknown);
    assert!(!codes(&open).iter().any(|code| ["GEM0504", "GEM0505"].contains(code)));
}

#[test]
fn kernel_lines_alone_make_a_pool_without_a_name() {
    let analysis = Log::default()
        .kernel("AllocHbmMem:[KernelTrace][AllocMemHbm_Add_3_12][MEM]Alloc memory at stream 0, block 0xfffd08012340, address 0x12c0c0000000, size 65536, tensor size 544, index 1")
        .kernel("AllocHbmMem:[KernelTrace][AllocMemHbm_Mul_4_13][MEM]Alloc memory at stream 0, block 0xfffd08012440, address 0x12c0c0010000, size 131072, tensor size 70000, index 1")
        .kernel("FreeHbmMem:[KernelTrace][FreeMemHbm_Add_3_15][MEM]Free memory at stream 0, address 0x12c0c0000000")
        .kernel("AllocHbmMem:[KernelTrace][AllocMemHbm_Sub_5_16][MEM]Alloc memory at stream 0, block 0xfffd08012340, address 0x12c0c0000000, size 65536, tensor size 544, index 1")
        .kernel("AllocHostMem:[KernelTrace][AllocMemHost_Shape_1_2][MEM]Alloc memory at stream 0, block 0xfffd08012540, address 0xfffd09000000, size 64")
        .read();
    let pool = only_pool(&analysis);
    assert_eq!(pool.allocator, AllocatorId::UNNAMED);
    assert_eq!((pool.hand_outs, pool.returns, pool.addresses), (3, 1, 2));
    assert_eq!(pool.live_peak.map(|peak| peak.size), Some(Bytes(196_608)));
    assert_eq!(pool.verdict, Verdict::Unknown);
    assert!(codes(&analysis).contains(&"GEM0508"));
    let allocator = &analysis.processes[0].pools.allocators[0];
    let lives: Vec<_> = allocator.tensors.iter().map(|t| (t.begin, t.pool_free)).collect();
    assert_eq!(lives[0].1.map(|end| end < lives[2].0), Some(true), "{lives:?}");
    assert!(allocator.events.windows(2).all(|pair| pair[0].at < pair[1].at));
}

#[test]
fn a_lent_block_has_two_uses() {
    let address = "0x12c0c0000000";
    let analysis = Log::default()
        .malloc(0x12c0_c000_0000, 544, 65_536)
        .kernel(&format!("AllocHbmMem:[KernelTrace][AllocMemHbm_A_1][MEM]Alloc memory at stream 0, block 0xfffd08012340, address {address}, size 65536, tensor size 544, index 1"))
        .kernel(&format!("FreeHbmMem:[KernelTrace][FreeMemHbm_A_1][MEM]Free memory at stream 1, address {address}"))
        .kernel(&format!("BorrowRecycle:[KernelTrace][][MEM]Borrow-recycle memory at stream 1, address {address}, birth stream 0"))
        .kernel(&format!("AllocHbmMem:[KernelTrace][AllocMemHbm_B_2][MEM]Alloc memory at stream 1, block 0xfffd08012340, address {address}, size 65536, tensor size 500, index 1"))
        .free(0x12c0_c000_0000, 65_536)
        .read();
    let allocator = &analysis.processes[0].pools.allocators[0];
    assert_eq!((allocator.blocks.len(), allocator.tensors.len()), (1, 2));
    assert_eq!(allocator.tensors[1].pool_free, allocator.blocks[0].end);
    assert!(allocator.tensors[0].pool_free <= Some(allocator.tensors[1].begin));
}

#[test]
fn steps_hold_the_events_between_their_marks() {
    let analysis = Log::default()
        .info("executor_tracer.cc:47", "OnExecuteEvent:[KernelTrace] Start model tracing.")
        .blocks()
        .info("executor_tracer.cc:51", "OnExecuteEvent:[KernelTrace] End model tracing.")
        .info("executor_tracer.cc:47", "OnExecuteEvent:[KernelTrace] Start model tracing.")
        .free(0x12c0_c000_0000, 40 * MIB)
        .read();
    let steps: Vec<_> = analysis.processes[0].pools.steps.iter().map(|s| (s.begin, s.end)).collect();
    assert_eq!(steps, [(0, Some(2)), (2, None)]);
}

#[test]
fn small_tensors_in_whole_pages_are_by_design() {
    let many = (0..20).fold(Log::default(), |log, n| log.malloc(0x12c0_c000_0000 + n * 65_536, 544, 65_536));
    assert!(codes(&many.read()).contains(&"GEM0507"));
    let full =
        (0..20).fold(Log::default(), |log, n| log.malloc(0x12c0_c000_0000 + n * 65_536, 65_000, 65_536));
    assert!(!codes(&full.read()).contains(&"GEM0507"));
}

#[test]
fn a_run_plog_gives_the_peak_alone() {
    let text = "Finalize:model_metrics:name=dyn_graph, max_alloc_dev_mem=541196288 B, device_id=0";
    let analysis = Log::default().info("scalable_allocator.cc:73", text).read();
    let table = report::pool::pools(&analysis.processes[0], &analysis.names, &report::Query::default());
    let csv = report::csv::table(&table.expect("table"));
    let row = csv.lines().nth(1).expect("row");
    assert_eq!(row, "dyn_graph,,,,,,,,541196288,,,,,");
    assert!(csv.lines().next().expect("headings").split(',').nth(8) == Some("taken_peak_bytes"));
}

/// Every sentence of the family, in both languages, as a reader sees it.
#[test]
fn sentences() {
    let said = |log: Log, code: &str| {
        let analysis = log.read();
        let findings = check::run(&analysis);
        let finding = findings.iter().find(|f| f.rule.code == code).expect(code);
        for lang in [Lang::En, Lang::Zh] {
            assert!(!finding.message.meaning(lang).is_empty());
            assert!(finding.message.remedies(lang).iter().all(|remedy| !remedy.is_empty()));
        }
        assert!(!finding.evidence.is_empty(), "{code}");
        [Lang::En, Lang::Zh].map(|lang| finding.sentence(&analysis.names, lang))
    };
    let pages = |count| (0..count).fold(Log::default(), Log::page);
    assert_eq!(
        said(pages(7).blocks(), "GEM0502"),
        [
            "Pool ge_3 took 58720256 (56.00M) for a peak of 42205184 (40.25M) in live blocks: 8388608 (8.00M) (14.29%) are fragmentation.",
            "内存池 ge_3 申请了 58720256 (56.00M)，存活块峰值为 42205184 (40.25M)：碎片 8388608 (8.00M)（14.29%）。",
        ]
    );
    assert_eq!(
        said(Log::default().backed(48 * MIB).blocks().free(0x12c0_c000_0000, 40 * MIB), "GEM0503"),
        [
            "Pool ge_3 still held 50331648 (48.00M) while 262144 (256.00K) were in use.",
            "内存池 ge_3 仅使用 262144 (256.00K) 时仍持有 50331648 (48.00M)。",
        ]
    );
    assert_eq!(
        said(Log::default().blocks(), "GEM0508"),
        [
            "Pool ge_3: live blocks peaked at 42205184 (40.25M); what the pool took for them is unknown.",
            "内存池 ge_3：存活块峰值 42205184 (40.25M)，但内存池实际申请量未知。",
        ]
    );
    assert_eq!(
        said(Log::default().malloc(0x12c0_c000_0000, 544, 65_536), "GEM0507"),
        [
            "At its peak, pool ge_3 gave 65536 (64.00K) for 544 asked: 63.47K (99.17%) are rounding.",
            "峰值时内存池 ge_3 对 544 的申请分配了 65536 (64.00K)：取整占 63.47K（99.17%）。",
        ]
    );
    assert_eq!(
        said(Log::default().blocks(), "GEM0506"),
        [
            "This process runs dynamic-shape graphs: replay and tuning do not apply to their pools.",
            "该进程运行动态 shape 图：重放与调优不适用于其内存池。",
        ]
    );
}
