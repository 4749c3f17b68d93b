//! What to collect for each job, and the answer to a question without a log (analysis rules, R0).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Lang;

/// A job that needs its own input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Job {
    /// Too much device memory.
    DeviceMemory,
    /// Too much host memory.
    HostMemory,
    /// The addresses that operators really got.
    Addresses,
    /// Results change with the layout: somebody writes over somebody else's memory.
    Stomping,
    /// A dynamic-shape graph's pool.
    DynamicPool,
}

impl Job {
    /// All jobs.
    pub const ALL: &[Job] =
        &[Job::DeviceMemory, Job::HostMemory, Job::Addresses, Job::Stomping, Job::DynamicPool];
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is for.
    pub what: &'static str,
    /// The command, the same in every language; empty where it is no command.
    pub command: &'static str,
}

/// The name of a job.
pub fn job(job: Job, lang: Lang) -> &'static str {
    match job {
        Job::DeviceMemory => lang.pick("device memory", "设备内存"),
        Job::HostMemory => lang.pick("host memory", "主机内存"),
        Job::Addresses => lang.pick("addresses operators really got", "算子实际使用的地址"),
        Job::Stomping => lang.pick("stomping", "内存踩踏"),
        Job::DynamicPool => lang.pick("dynamic pool", "动态内存池"),
    }
}

/// What to collect for a job, in order.
pub fn steps(job: Job, lang: Lang) -> Vec<Step> {
    let step = |en, zh, command| Step { what: lang.pick(en, zh), command };
    let info = step(
        "log at INFO (atc: --log=info)",
        "日志级别设为 INFO（atc 用 --log=info）",
        "export ASCEND_GLOBAL_LOG_LEVEL=1",
    );
    let keep = step(
        "keep the load phase: more files",
        "保留加载阶段：增加日志文件数",
        "export ASCEND_HOST_LOG_FILE_NUM=1000",
    );
    let own =
        step("a log folder of its own", "使用单独的日志目录", "export ASCEND_PROCESS_LOG_PATH=$PWD/plog_out");
    let exit = step(
        "let the process end normally: the driver prints its statistics then",
        "让进程正常退出：驱动在退出时打印统计",
        "",
    );
    let both = step(
        "give the whole folder, run and debug",
        "提供整个目录，包括 run 与 debug",
        "tar czf plogs.tar.gz plog_out",
    );
    match job {
        Job::DeviceMemory => Vec::from([
            step("see which process takes the device memory", "查看设备内存被哪个进程占用", "npu-smi info"),
            own,
            info,
            keep,
            exit,
            both,
        ]),
        Job::HostMemory => Vec::from([
            step("see that it is the process's RSS that grows", "确认增长的是进程 RSS", "top -p <pid>"),
            step(
                "no rebuild, long-running: TMT by preload, counting from the second iteration",
                "不能重新编译、长时间运行：以 preload 方式使用 TMT，从第二次迭代开始统计",
                "",
            ),
            step(
                "rebuild possible, or an overflow suspected: AddressSanitizer with LeakSanitizer",
                "可以重新编译，或怀疑越界：AddressSanitizer（含 LeakSanitizer）",
                "-fsanitize=address -g",
            ),
            step("short program: valgrind", "短程序：valgrind", "valgrind --leak-check=full ./program"),
        ]),
        Job::Addresses => Vec::from([
            step(
                "print the args tables (static graphs); an old log can't be completed afterwards",
                "打印 args 表（静态图）；已有日志无法事后补全",
                "export GE_DAVINCI_MODEL_PROFILING=2",
            ),
            own,
            info,
            keep,
            step(
                "check: the log must hold `get device model args table flag:1`",
                "检查：日志中必须有 `get device model args table flag:1`",
                "grep -rn \"args table flag\" plog_out",
            ),
            both,
        ]),
        Job::Stomping => Vec::from([
            step(
                "run the whole net without reuse: does the result become right?",
                "整网关闭内存复用运行：结果是否恢复正常？",
                "ge.exec.disableReuseMemory=1",
            ),
            info,
            step("dump the graph for the layout", "dump 图以获得内存布局", "export DUMP_GE_GRAPH=2"),
            step(
                "then halve the list of operators that don't reuse",
                "再对不复用的算子列表做二分",
                "OP_NO_REUSE_MEM=<names or types>",
            ),
            both,
        ]),
        Job::DynamicPool => Vec::from([
            own,
            step(
                "log at INFO: pool rows, physical pages and live blocks are printed there only",
                "日志级别设为 INFO：内存池、物理页与存活块只在该级别打印",
                "export ASCEND_GLOBAL_LOG_LEVEL=1",
            ),
            keep,
            step("several steps, and a normal end", "运行多个 step 并正常退出", ""),
            both,
        ]),
    }
}

/// The answer to a question without a log.
pub fn answer(of: Option<Job>, claims_leak: bool, lang: Lang) -> String {
    let mut text = String::new();
    if claims_leak {
        text += lang.pick(
            "Nothing here proves a leak: a high or growing figure may as well be a pool or a cache. Collect first.\n",
            "目前没有任何依据证明存在泄漏：占用高或增长也可能是内存池或缓存。请先收集信息。\n",
        );
    }
    match of {
        Some(known) => text += &list(known, lang),
        None => {
            text += lang.pick(
                "Device memory or host memory? Device memory is what `npu-smi info` shows (HBM); host memory is the RSS in `top`. Nothing can be concluded before that is known.\n",
                "是设备内存还是主机内存？设备内存看 `npu-smi info`（HBM）；主机内存看 `top` 中的 RSS。确认之前无法得出任何结论。\n",
            );
            text += &list(Job::DeviceMemory, lang);
            text += &list(Job::HostMemory, lang);
        }
    }
    text
}

fn list(of: Job, lang: Lang) -> String {
    let mut text = match lang {
        Lang::En => format!("To collect for {}:\n", job(of, lang)),
        Lang::Zh => format!("{}需要收集：\n", job(of, lang)),
    };
    for (number, step) in steps(of, lang).iter().enumerate() {
        text += &format!("{}. {}", number + 1, step.what);
        if !step.command.is_empty() {
            text += &format!(": {}", step.command);
        }
        text.push('\n');
    }
    text
}
