//! The binary as a user runs it: each verb on small logs, both languages, exit codes, forms of output.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};
use serde_json::Value as Json;
use tempfile::TempDir;

/// A process that compiles and loads one graph, and ends.
const PLOG: &str = r#"
[INFO] GE(100,python3):2026-08-21-10:04:07.000.001 [block_mem_assigner.cc:2914]101 SetOffsetSize:[IMAS]Set 图_1 name[卷积/conv] optype[Conv2D] output[0] offset to [0] streamid[0] memtype[2] size[2097152] realsize[2097152] noalignsize[2097120] life time begin[1] life time end[3] child[0:1:0:0:1] isref[0] batch[], block_type[]
[INFO] GE(100,python3):2026-08-21-10:04:07.000.002 [block_mem_assigner.cc:2914]101 SetOffsetSize:[IMAS]Set 图_1 name[relu] optype[Relu] output[0] offset to [2097152] streamid[0] memtype[2] size[1024] realsize[1024] noalignsize[1000] life time begin[2] life time end[4294967295] child[0:1:0:0:1] isref[0] batch[], block_type[]
[INFO] GE(100,python3):2026-08-21-10:04:07.000.003 [graph_mem_assigner.cc:1664]101 SetInputOffset:[IMAS]AfterAssignMemory : 图_1 memoffset[2098176], memtype[2], theory_min[2098176], zero_copy[0], total_size[2098176], no_reuse[0], streams[1], topo_mode[BFS], mop[], io_reuse[0:0], alloc_mode[], smp[0]
[INFO] GE(100,python3):2026-08-21-10:04:07.000.004 [graph_var_manager.cc:765]101 AssignVarMem:[IMAS]AssignVarMem Set session_0 name[w1] output[0] offset to [0] size[2048] realsize[1024].
[INFO] GE(100,python3):2026-08-21-10:04:07.000.005 [graph_mem_allocator.cc:78]101 MallocMemory:MallocMemory, func=aclrtMalloc, size=2098176, purpose=feature map,used for op input and output, ptr=0x12c041600000, device_id=0, module_id=45
[INFO] GE(100,python3):2026-08-21-10:04:07.000.006 [davinci_model.cc:656]101 InitFeatureMapAndP2PMem:[IMAS]InitFeatureMapAndP2PMem graph_1 MallocMemory type[F] memaddr[0x12c041600000] mem_size[2098176]Bytes
[INFO] GE(100,python3):2026-08-21-10:04:07.000.007 [model_utils.cc:875]101 GetOutputDataAddrs:[IMAS]graph_1 type[F] name[relu] output[0] offset[2097152] size[1024] memaddr[0x12c041800000]
[INFO] GE(100,python3):2026-08-21-10:04:07.000.008 [somewhere.cc:7]101 Nothing:of interest
[INFO] DRV(100,python3):2026-08-21-10:04:08.000.001 [svm_mem_statistics.c:154][ascend][curpid:100,100][drv][devmm][_svm_mem_stats_show]MEM_DEV_HUGE_HBM dev0 Mem stats (Bytes). (module_name=GE; module_id=45; current_alloced_size=0; allocated_peak_size=4194304; alloc_cnt=3; free_cnt=3)
"#;

/// The same process with a block outside the graph's area.
const BAD: &str = r#"
[INFO] GE(100,python3):2026-08-21-10:04:07.000.001 [block_mem_assigner.cc:2914]101 SetOffsetSize:[IMAS]Set g name[conv] optype[Conv2D] output[0] offset to [4096] streamid[0] memtype[2] size[2097152] realsize[2097152] noalignsize[2097120] life time begin[1] life time end[3] child[0:1:0:0:1] isref[0] batch[], block_type[]
[INFO] GE(100,python3):2026-08-21-10:04:07.000.003 [graph_mem_assigner.cc:1664]101 SetInputOffset:[IMAS]AfterAssignMemory : g memoffset[2097152], memtype[2], theory_min[2097152], zero_copy[0], total_size[2097152], no_reuse[0], streams[1], topo_mode[BFS], mop[], io_reuse[0:0], alloc_mode[], smp[0]
"#;

const QUIET: &str = "[INFO] GE(7,atc):2026-08-21-10:04:07.000.001 [a.cc:1]7 Run:nothing about it\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("plog.log", PLOG.trim_start());
    write("bad.log", BAD.trim_start());
    write("quiet.log", QUIET);
    write("graph.txt", "graph {\n  name: \"g\"\n  op {\n    name: \"x\"\n  }\n}\n");
    folder
}

fn gemlens(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gemlens"));
    command.current_dir(folder).args(args.split_whitespace()).stdin(Stdio::null());
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "CLICOLOR_FORCE", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command
}

fn run(args: &str) -> Output {
    gemlens(folder().path(), args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// What a command prints on both ways, and its exit code.
#[track_caller]
fn check(args: &str, expected: Expect) {
    let output = run(args);
    let code = output.status.code().expect("an exit code");
    expected.assert_eq(&format!("{}{}exit code {code}\n", text(&output.stdout), text(&output.stderr)));
}

#[test]
fn total_lists_classes() {
    check(
        "total plog.log",
        expect![[r#"
        Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        Classes (total)
        class                     peak    share             held            taken  count  evidence
        GE             2098176 (2.00M)  100.00%  2098176 (2.00M)  2098176 (2.00M)      1  –
          StaticGraph  2098176 (2.00M)  100.00%  2098176 (2.00M)  2098176 (2.00M)      1  plog.log:5
        * Used total at the peak: 2098176 (2.00M); at the end of the log: 2098176 (2.00M) (counted from GE lines with a purpose).
        exit code 0
    "#]],
    );
}

#[test]
fn tables_align_with_chinese_text() {
    check(
        "ops plog.log --lang zh",
        expect![[r#"
        进程 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        算子表 图_1
        节点       输入输出     偏移             字节  生命周期  r:c:z:s  类型    备注  证据
        卷积/conv  output_0        0  2097152 (2.00M)  1→3       1:0:0:1  Conv2D  –     plog.log:1
        relu       output_0  2097152     1024 (1.00K)  2→∞       1:0:0:1  Relu    –     plog.log:2
        exit code 0
    "#]],
    );
    check(
        "offset plog.log --lang=zh -n 1",
        expect![[r#"
        进程 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        偏移 图_1
        节点       输入输出  偏移             字节  生命周期  r:c:z:s  类型    备注  证据
        卷积/conv  output_0     0  2097152 (2.00M)  1→3       1:0:0:1  Conv2D  –     plog.log:1
        exit code 0
    "#]],
    );
}

#[test]
fn addresses_variables_and_areas() {
    check(
        "addr plog.log",
        expect![[r#"
        Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        Operator addresses
        graph  node  io        area         address         bytes  offset      evidence
            1  relu  output_0  F     0x12c041800000  1024 (1.00K)  F+0x200000  plog.log:7
        exit code 0
    "#]],
    );
    check(
        "var plog.log",
        expect![[r#"
        Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        Variables
        session  variable  io        offset         bytes      realsize  remarks  evidence
              0  w1        output_0       0  2048 (2.00K)  1024 (1.00K)  –        plog.log:4
        exit code 0
    "#]],
    );
    check(
        "base plog.log --lang zh",
        expect![[r#"
        进程 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        已加载模型的内存区域
        图  区域  memtype          基地址             字节  有效范围                       证据
         1  F     –        0x12c041600000  2098176 (2.00M)  0x12c041600000~0x12c041800400  plog.log:6
        exit code 0
    "#]],
    );
}

#[test]
fn pools_are_tables_by_allocator_and_address() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/pool/policy3_seed1.log.gz");
    check(
        &format!("pool -n 2 {log}"),
        expect![[r#"
        Process 2502 python3, 2026-11-29 19:59:37.866897 … 2026-11-29 19:59:37.944305
        Pools of dynamic graphs
        allocator  blocks  returns  addresses            live peak        asked at peak           theory_min      real_theory_min        taken at peak             unit              gap  reason of the gap  reach_theory_rate               new_va  evidence
        ge_2          642      642        101  399572992 (381.06M)  393216064 (375.00M)  399572992 (381.06M)  393216064 (375.00M)  402653184 (384.00M)  8388608 (8.00M)  3080192 (2.94M)  granularity step              97.66%  469762048 (448.00M)  policy3_seed1.log.gz:7699

        Pool blocks by address
        allocator  address         blocks              largest                asked  life       evidence
        ge_2       0x12ee86000000       1  268435456 (256.00M)  262144032 (250.00M)  1067→1069  policy3_seed1.log.gz:6419
        ge_2       0x12ee7e000000       1  134217728 (128.00M)  131072032 (125.00M)  639→641    policy3_seed1.log.gz:3804
        ge_2       others (99)        640                    –                    –  –          –
        exit code 0
    "#]],
    );
    assert_eq!(run("pool plog.log").status.code(), Some(3));
}

#[test]
fn analyze_shows_findings_with_their_lines() {
    check(
        "analyze plog.log",
        expect![[r#"
            What was read
            1 sources, 2.10K: 8 lines understood (0 cut), 1 CANN lines not needed or not known, 0 other lines; 1 processes.

            file      lines  understood  unread  foreign  cut  remarks
            plog.log      9           8       1        0    0  –

            Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
            These lines speak about: device memory by component or class, static graphs, addresses that operators got, variables. Host memory (process RSS) is not in them.

            Findings
            GEM0101 info  GE took the most device memory on device 0: peak 4194304 (4.00M), 100.00% of the sum of all peaks (4.00M).
              Attribution goes by peak. Peaks of different components were reached at different times, so their sum is an upper bound.
              = 4194304 / 4194304 = 100.00%
              plog.log:9: [INFO] DRV(100,python3):2026-08-21-10:04:08.000.001 [svm_mem_statistics.c:154][ascend][curpid:100,100][drv][devmm][_svm_mem_stats_show]MEM_DEV_HUGE_HBM dev0 Mem stats (Bytes). (module_name=GE; module_id=45; current_alloced_size=0; allocated_peak_size=4194304; alloc_cnt=3; free_cnt=3)
              → GE → the classes and graphs below; HCCL → number of communicators × 2 × HCCL_BUFFSIZE; APP → the application's own aclrtMalloc, a framework's caching pool among them.

            GEM0201 info  Largest class: StaticGraph, peak 2098176 (2.00M) (100.00% of the peak of all classes, 2.00M).
              Feature maps of static graphs.
              = 2098176 / 2098176 = 100.00%
              plog.log:5: [INFO] GE(100,python3):2026-08-21-10:04:07.000.005 [graph_mem_allocator.cc:78]101 MallocMemory:MallocMemory, func=aclrtMalloc, size=2098176, purpose=feature map,used for op input and output, ptr=0x12c041600000, device_id=0, module_id=45
              → See the graphs below: reuse rate, then reach_theory_rate.

            GEM0301 info  Graph 图_1: reuse saves only 0.00% of 2.00M, and the placement is at its optimum for this order: the structure of the graph and zero copy decide, not the algorithm (streams 1).
              Most tensors are alive at the same time, so no placement can make them share. Another order, fewer streams or fewer outputs can.
              = reuse rate = (2098176 - 2098176) / 2098176 = 0.00%
              plog.log:3: [INFO] GE(100,python3):2026-08-21-10:04:07.000.003 [graph_mem_assigner.cc:1664]101 SetInputOffset:[IMAS]AfterAssignMemory : 图_1 memoffset[2098176], memtype[2], theory_min[2098176], zero_copy[0], total_size[2098176], no_reuse[0], streams[1], topo_mode[BFS], mop[], io_reuse[0:0], alloc_mode[], smp[0]
              → ge.topoSortingMode: 0 BFS, 1 DFS, 2 RDFS, 3 StableRDFS; try the others.
              → ge.exec.memoryOptimizationPolicy=MemoryPriority (may cost speed).

            Components (driver statistics)
            component  device  memory kind                  peak  current  allocations  frees  evidence
            GE              0  MEM_DEV_HUGE_HBM  4194304 (4.00M)        0            3      3  plog.log:9
            * Sum of the device peaks on device 0: 4194304 (4.00M) (upper bound: the peaks needn't coincide).

            Classes (total)
            class                     peak    share             held            taken  count  evidence
            GE             2098176 (2.00M)  100.00%  2098176 (2.00M)  2098176 (2.00M)      1  –
              StaticGraph  2098176 (2.00M)  100.00%  2098176 (2.00M)  2098176 (2.00M)      1  plog.log:5
            * Used total at the peak: 2098176 (2.00M); at the end of the log: 2098176 (2.00M) (counted from GE lines with a purpose).

            Static graphs
            graph  memtype            total      after_reuse       theory_min  reuse rate  reach_theory_rate  io (zero copy)  no_reuse  atomic  continuous  streams  topo  mop  smp  evidence
            图_1         2  2098176 (2.00M)  2098176 (2.00M)  2098176 (2.00M)       0.00%            100.00%               0         0       0           0        1  BFS   –    0    plog.log:3

            Operators 图_1
            node       io         offset            bytes  life  r:c:z:s  type    remarks  evidence
            卷积/conv  output_0        0  2097152 (2.00M)  1→3   1:0:0:1  Conv2D  –        plog.log:1
            relu       output_0  2097152     1024 (1.00K)  2→∞   1:0:0:1  Relu    –        plog.log:2

            Areas of loaded models
            graph  area  memtype            base            bytes  valid range                    evidence
                1  F     –        0x12c041600000  2098176 (2.00M)  0x12c041600000~0x12c041800400  plog.log:6

            Next step
            GEM0101: GE → the classes and graphs below; HCCL → number of communicators × 2 × HCCL_BUFFSIZE; APP → the application's own aclrtMalloc, a framework's caching pool among them.
            exit code 0
        "#]],
    );
}

#[test]
fn analyze_speaks_chinese_by_the_locale() {
    let folder = folder();
    let output =
        gemlens(folder.path(), "analyze quiet.log").env("LANG", "zh_CN.UTF-8").output().expect("runs");
    expect![[r#"
        读入内容
        1 个来源，76B：识别 0 行（其中截断 0 行），未用到或未知的 CANN 日志 1 行，其他文本 0 行；1 个进程。

        文件       行数  已识别  未识别  其他文本  截断  备注
        quiet.log     1       0       1         0     0  –

        进程 7 atc, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:07.000001
        这些日志无法说明内存情况。

        结论
        GEM0004 提示  这些日志没有任何内存信息。
          无法据此得出任何内存结论。请先确认是设备内存（npu-smi）还是主机内存（top）过高，并收集相应日志。
          在读入的 1 行中没有包含 `svm_mem_stats_show` 的行
          在读入的 1 行中没有包含 `[IMAS]` 的行
          在读入的 1 行中没有包含 `MallocMemory` 的行
          在读入的 1 行中没有包含 `AfterAssignMemory` 的行
          → 设备内存：设置 ASCEND_GLOBAL_LOG_LEVEL=1，正常退出，收集整个 ~/ascend/log 目录（run 与 debug）。主机内存：使用 LeakSanitizer 或 valgrind 等工具。

        下一步
        GEM0004: 设备内存：设置 ASCEND_GLOBAL_LOG_LEVEL=1，正常退出，收集整个 ~/ascend/log 目录（run 与 debug）。主机内存：使用 LeakSanitizer 或 valgrind 等工具。
        gemlens: 这些日志没有任何内存信息：请设置 ASCEND_GLOBAL_LOG_LEVEL=1，让进程正常退出，并收集整个 ~/ascend/log 目录（run 与 debug）
    "#]].assert_eq(&(text(&output.stdout) + &text(&output.stderr)));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn check_exits_1_on_a_hit() {
    check(
        "check bad.log",
        expect![[r#"
            Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:07.000003
            1 blocks and 0 addresses checked: 1 can't be right.

            GEM0401 error  The block of conv ends at 2101248, behind its area of 2097152 bytes.
              The allocator never writes such a row: the log is damaged, or two graphs are mixed.
              = 2101248 > 2097152
              bad.log:1: [INFO] GE(100,python3):2026-08-21-10:04:07.000.001 [block_mem_assigner.cc:2914]101 SetOffsetSize:[IMAS]Set g name[conv] optype[Conv2D] output[0] offset to [4096] streamid[0] memtype[2] size[2097152] realsize[2097152] noalignsize[2097120] life time begin[1] life time end[3] child[0:1:0:0:1] isref[0] batch[], block_type[]
              bad.log:2: [INFO] GE(100,python3):2026-08-21-10:04:07.000.003 [graph_mem_assigner.cc:1664]101 SetInputOffset:[IMAS]AfterAssignMemory : g memoffset[2097152], memtype[2], theory_min[2097152], zero_copy[0], total_size[2097152], no_reuse[0], streams[1], topo_mode[BFS], mop[], io_reuse[0:0], alloc_mode[], smp[0]
              → Check that the files belong to one run, then compare with the lines around the evidence (gemlens explain).
            exit code 1
        "#]],
    );
    check(
        "check plog.log",
        expect![[r#"
        Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        2 blocks and 1 addresses checked: 0 can't be right.
        exit code 0
    "#]],
    );
}

#[test]
fn strict_makes_an_error_count() {
    assert_eq!(run("ops bad.log").status.code(), Some(0));
    assert_eq!(run("ops --strict bad.log").status.code(), Some(1));
    assert_eq!(run("ops --strict plog.log").status.code(), Some(0));
}

#[test]
fn a_faulty_call_exits_2() {
    check(
        "totl plog.log",
        expect![[r#"
        error: unrecognized subcommand 'totl'

          tip: a similar subcommand exists: 'total'

        Usage: gemlens <COMMAND> [OPTIONS] <PATHS>...

        For more information, try '--help'.
        exit code 2
    "#]],
    );
    check(
        "total --lang zh --top x plog.log",
        expect![[r#"
        错误：--top <N> 的取值 x 不合法

        更多信息请用 --help 查看。
        exit code 2
    "#]],
    );
    check(
        "total nowhere.log",
        expect![[r#"
        gemlens: nowhere.log: no such file or folder: check the path
        exit code 2
    "#]],
    );
    check(
        "ops plog.log nowhere.log -n 1 --lang zh",
        expect![[r#"
        进程 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001
        算子表 图_1
        节点       输入输出  偏移             字节  生命周期  r:c:z:s  类型    备注  证据
        卷积/conv  output_0     0  2097152 (2.00M)  1→3       1:0:0:1  Conv2D  –     plog.log:1
        其余 (1)   –            –     1024 (1.00K)  –         –        –       –     –
        gemlens: nowhere.log：没有这个文件或目录：请检查路径
        exit code 2
    "#]],
    );
    assert_eq!(run("").status.code(), Some(2));
}

#[test]
fn what_the_input_lacks_is_said_with_how_to_get_it() {
    check(
        "total quiet.log",
        expect![[r#"
        gemlens: no line about an allocation of device memory (`MallocMemory`, `malloc`): GE and the runtime print them into log/debug/plog/ with ASCEND_GLOBAL_LOG_LEVEL=1
        exit code 3
    "#]],
    );
    check(
        "addr quiet.log --lang zh",
        expect![[r#"
        gemlens: 没有已加载模型的地址日志（`[IMAS]graph_… memaddr[…]`、`InitFeatureMapAndP2PMem`）：GE 在加载模型时以 INFO 级别输出；请设置 ASCEND_GLOBAL_LOG_LEVEL=1 重新运行，收集 log/debug/plog/，并用 ASCEND_HOST_LOG_FILE_NUM=1000 保留加载阶段
        exit code 3
    "#]],
    );
    check(
        "ops plog.log -p 8",
        expect![[r#"
        gemlens: no line of process 8 was read; there are: 100
        exit code 3
    "#]],
    );
    check(
        "ops plog.log --graph other --lang zh",
        expect![[r#"
        gemlens: 没有名称包含 other 的图；现有的图：图_1
        exit code 3
    "#]],
    );
    check(
        "total graph.txt",
        expect![[r#"
        gemlens: graph.txt: a dump graph; this command reads logs, so it was left out
        gemlens: no log was found: name the folder ~/ascend/log (the one with debug/ and run/) or the plog files themselves
        exit code 3
    "#]],
    );
}

#[test]
fn help_is_in_the_language_asked_for() {
    check(
        "check --help",
        expect![[r#"
        Check the block and address tables for what can't be right; exit code 1 on a hit

        Usage: gemlens check [OPTIONS] <PATHS>...

        Arguments:
          <PATHS>...  Files, folders, patterns, archives (.gz .tar .tar.gz .zip), - for standard input

        Options:
          -f, --format <FORMAT>  Form of the output: text, json, markdown, csv [text]
          -p, --process <PID>    Only this process
          -g, --graph <NAME>     Only graphs whose name contains this
          -n, --top <N>          Rows of a table and lines of evidence to show, 0 for all
              --lang <LANG>      Language: en, zh [the locale's]
              --color <WHEN>     Colours: auto, always, never [auto]
          -h, --help             Print this help
        exit code 0
    "#]],
    );
    check(
        "report --help --lang zh",
        expect![[r#"
        生成与 imas 兼容的 CSV 文件

        用法：gemlens report [选项] <路径>...

        参数:
          <路径>...  文件、目录、通配符、压缩包（.gz .tar .tar.gz .zip），- 表示标准输入

        选项:
          -o, --output <DIR>   输出目录 [mem_report]
          -p, --process <PID>  只看该进程
              --strict         存在错误级结论时退出码为 1
              --lang <LANG>    语言：en、zh [默认随系统区域设置]
              --color <WHEN>   颜色：auto、always、never [auto]
          -h, --help           显示帮助
        exit code 0
    "#]],
    );
    check(
        "--version",
        expect![[r#"
        gemlens 0.1.0
        exit code 0
    "#]],
    );
}

#[test]
fn every_text_of_the_command_line_is_there_in_chinese() {
    for verb in
        ["analyze", "report", "total", "ops", "offset", "addr", "var", "base", "check", "pool", "explain"]
    {
        let help = text(&run(&format!("{verb} --help --lang zh")).stdout);
        let english =
            |line: &&str| !line.trim().is_empty() && line.is_ascii() && !line.trim().starts_with("--");
        assert_eq!(help.lines().find(english), None, "{help}");
    }
}

#[test]
fn csv_is_one_table_with_process_graph_and_line() {
    check(
        "ops plog.log --format csv",
        expect![[r#"
        process,graph,node,io,offset,size_bytes,life,reuse_flags,type,remarks,file,line
        100,图_1,卷积/conv,output_0,0,2097152,1→3,1:0:0:1,Conv2D,,plog.log,1
        100,图_1,relu,output_0,2097152,1024,2→∞,1:0:0:1,Relu,,plog.log,2
        exit code 0
    "#]],
    );
    check(
        "check plog.log bad.log -f csv",
        expect![[r#"
        process,code,severity,by_design,sentence,file,line
        100,GEM0401,error,0,"The block of conv ends at 2101248, behind its area of 2097152 bytes.",bad.log,1
        exit code 1
    "#]],
    );
    let all = text(&run("analyze plog.log -f csv").stdout);
    let keys: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    assert_eq!(keys, ["findings", "components", "classes", "graphs", "operators", "bases"]);
}

#[test]
fn json_is_json_and_holds_the_evidence() {
    let json = |args: &str| -> Json { serde_json::from_slice(&run(args).stdout).expect("JSON") };
    let ops = json("ops plog.log -f json");
    assert_eq!(ops["tables"][0]["rows"][0]["size_bytes"], 2_097_152);
    assert_eq!(ops["tables"][0]["rows"][0]["graph"], "图_1");
    let whole = json("analyze plog.log -f json");
    assert_eq!(whole["processes"][0]["pid"], 100);
    let hits = json("check bad.log -f json");
    let line = hits[0]["evidence"][0]["text"].as_str().expect("the words of the line");
    assert!(line.starts_with("[INFO] GE(100,python3)"), "{line}");
    assert_eq!(json("total quiet.log -f json")["tables"], Json::Array(Vec::new()));
}

#[test]
fn markdown_is_a_document() {
    check(
        "base plog.log --format markdown",
        expect![[r#"
        # Process 100 python3, 2026-08-21 10:04:07.000001 … 2026-08-21 10:04:08.000001

        **Areas of loaded models**

        | graph | area | memtype | base | bytes | valid range | evidence |
        | ---: | --- | --- | ---: | ---: | --- | --- |
        | 1 | F | – | 0x12c041600000 | 2098176 (2.00M) | 0x12c041600000~0x12c041800400 | plog.log:6 |
        exit code 0
    "#]],
    );
}

#[test]
fn report_writes_the_files_of_imas() {
    let folder = folder();
    let output = gemlens(folder.path(), "report plog.log").output().expect("runs");
    assert_eq!(output.status.code(), Some(0));
    let graph = fs::read_to_string(folder.path().join("mem_report/imas_mem_graph.csv")).expect("a file");
    assert_eq!(graph.lines().count(), 3, "{graph}");
    assert!(text(&output.stdout).contains("imas_mem_graph.csv: 3 rows"));
    let output = gemlens(folder.path(), "report plog.log -o plog.log --lang zh").output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("gemlens: 无法写出结果"));
}

/// Runs with a text on standard input.
fn run_with_input(args: &str, input: &str) -> Output {
    let mut child = gemlens(folder().path(), args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("written");
    drop(stdin);
    child.wait_with_output().expect("an end")
}

#[test]
fn standard_input_has_evidence_too() {
    let output = run_with_input("check -", BAD);
    let shown = text(&output.stdout);
    assert!(shown.contains("\n  <stdin>:2: [INFO] GE(100,python3):2026-08-21-10:04:07.000.001"), "{shown}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(run_with_input("check -", "").status.code(), Some(3));
}

#[test]
fn colours_come_only_when_asked_for() {
    let plain = |args: &str| !text(&run(args).stdout).contains('\x1b');
    assert!(plain("check bad.log"));
    assert!(plain("check bad.log --color never"));
    assert!(!plain("check bad.log --color always"));
    let folder = folder();
    let output = gemlens(folder.path(), "check bad.log").env("NO_COLOR", "1").output().expect("runs");
    assert!(!text(&output.stdout).contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder();
    fs::write(folder.path().join("many.log"), QUIET.repeat(20_000)).expect("a file");
    let mut child = gemlens(folder.path(), "explain many.log")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn explain_says_what_each_line_is() {
    let output = run_with_input("explain -", &(PLOG.trim_start().to_owned() + "  free text\n"));
    let objects: Vec<Json> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = objects.iter().filter_map(|object| object["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        [
            "imas.set",
            "imas.set",
            "imas.after",
            "imas.var",
            "malloc.dyn",
            "imas.load.base",
            "imas.addr",
            "hdr.slog",
            "devmm.stat",
            "hdr.cont"
        ]
    );
    assert_eq!(objects[0]["fields"]["name"], "卷积/conv");
    assert_eq!(objects[0]["header"]["layout"], "loc.ge");
    assert_eq!(objects[7]["unread"], true);
    assert_eq!(objects[7]["fields"]["msg"], "of interest");
    assert_eq!(
        objects[9],
        serde_json::json!({"file": "<stdin>", "line": 10, "kind": "hdr.cont", "fields": {"text": "  free text"}})
    );
}

#[test]
fn explain_reads_the_golden_lines_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/plog-examples.jsonl");
    let golden: Vec<Json> = fs::read_to_string(path)
        .expect("golden lines")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let lines: Vec<&str> = golden.iter().filter_map(|example| example["line"].as_str()).collect();
    let output = run_with_input("explain -", &(lines.join("\n") + "\n"));
    let objects: Vec<Json> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), golden.len());
    for (number, (object, example)) in objects.iter().zip(&golden).enumerate() {
        assert_eq!(object["line"], number + 1);
        let kind = example["kind"].as_str().expect("a kind");
        if kind.starts_with("hdr.") || kind.starts_with("loc.") {
            // Examples of headers may be of a known kind besides.
            let mut expected = example["fields"].clone();
            let header = object.get("header").unwrap_or(&object["fields"]);
            if object.get("header").is_some() {
                expected.as_object_mut().expect("fields").remove("msg");
            }
            assert_eq!(*header, expected, "{example}");
        } else {
            assert_eq!((&object["kind"], &object["fields"]), (&example["kind"], &example["fields"]));
        }
    }
}
