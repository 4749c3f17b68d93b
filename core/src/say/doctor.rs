//! What an input can answer, and the commands that bring the rest (analysis rules, R0.2).

use super::Lang;
use crate::metrics::coverage::Question;

/// The question in words.
pub fn question(question: Question, lang: Lang) -> &'static str {
    match question {
        Question::Components => lang.pick("which component holds device memory", "设备内存由哪个组件占用"),
        Question::Classes => lang.pick("GE's allocations by class", "GE 内存申请的分类"),
        Question::Graphs => lang.pick("static graphs: rates", "静态图：复用率与达成率"),
        Question::Blocks => lang.pick("static graphs: blocks, stomping", "静态图：内存块、踩踏"),
        Question::Addresses => lang.pick("addresses at load", "加载时的地址"),
        Question::ArgsTables => lang.pick("addresses dispatched by static models", "静态模型实际下发的地址"),
        Question::Launches => lang.pick("addresses of dynamic graphs", "动态图的地址"),
        Question::Pools => lang.pick("pools of dynamic graphs", "动态图内存池"),
        Question::Pages => lang.pick("pages under two virtual ranges", "物理页重复映射"),
        Question::FirstCause => lang.pick("what failed first", "首个失败原因"),
        Question::HostLeaks => lang.pick("host memory leaks", "主机内存泄漏"),
    }
}

/// What to set before the run, ready to paste; empty where the default is enough.
pub fn settings(question: Question) -> &'static [&'static str] {
    match question {
        Question::Graphs | Question::FirstCause | Question::HostLeaks => &[],
        Question::ArgsTables => &["export GE_DAVINCI_MODEL_PROFILING=2", "export ASCEND_GLOBAL_LOG_LEVEL=1"],
        Question::Addresses => &["export ASCEND_GLOBAL_LOG_LEVEL=1", "export ASCEND_HOST_LOG_FILE_NUM=1000"],
        _ => &["export ASCEND_GLOBAL_LOG_LEVEL=1"],
    }
}

/// How to bring the lines, besides the settings.
pub fn how(question: Question, lang: Lang) -> &'static str {
    match question {
        Question::Components => lang.pick(
            "let the process end normally, collect log/run/plog/",
            "让进程正常退出，收集 log/run/plog/",
        ),
        Question::Classes | Question::Blocks => lang.pick(
            "collect log/debug/plog/ (atc: --log=info)",
            "收集 log/debug/plog/（atc 用 --log=info）",
        ),
        Question::Graphs => lang.pick(
            "static graphs only: collect log/run/plog/ of the compile phase",
            "仅静态图：收集编译阶段的 log/run/plog/",
        ),
        Question::Addresses => lang.pick(
            "collect log/debug/plog/ with the load phase in it",
            "收集包含加载阶段的 log/debug/plog/",
        ),
        Question::ArgsTables => lang.pick(
            "set both before the process starts; an old log can't be completed afterwards",
            "须在进程启动前同时设置；已有日志无法事后补全",
        ),
        Question::Launches | Question::Pools => lang.pick(
            "dynamic graphs only: collect log/debug/plog/ over several steps",
            "仅动态图：收集多个 step 的 log/debug/plog/",
        ),
        Question::Pages => lang.pick(
            "static memory policy 3 or 4 only: the check runs at INFO",
            "仅静态内存策略 3 或 4：该检查在 INFO 级别下执行",
        ),
        Question::FirstCause => lang.pick(
            "no error in these lines: collect the logs of all ranks",
            "这些日志中没有错误：请收集所有 rank 的日志",
        ),
        Question::HostLeaks => lang.pick(
            "not in plogs: TMT by preload, AddressSanitizer with LeakSanitizer, or valgrind --leak-check=full",
            "不在 plog 中：以 preload 方式使用 TMT、AddressSanitizer（含 LeakSanitizer）或 valgrind --leak-check=full",
        ),
    }
}

/// Whether the lines are there.
pub fn state(is_there: bool, lang: Lang) -> &'static str {
    if is_there { lang.pick("yes", "有") } else { lang.pick("no", "无") }
}

/// The heading sentence of a process.
pub fn summary(there: usize, all: usize, lang: Lang) -> alloc::string::String {
    match lang {
        Lang::En => {
            alloc::format!("These lines can answer {there} of {all} questions; the rest needs other lines.")
        }
        Lang::Zh => alloc::format!("这些日志可以回答 {all} 个问题中的 {there} 个；其余需要补充日志。"),
    }
}
