//! The sentences around the tables of the overview.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Lang;
use super::size::human;
use crate::model::process::{LineCounts, Process};
use crate::session::Analysis;
use crate::units::Bytes;

/// What was read.
pub fn read(analysis: &Analysis, lang: Lang) -> String {
    let sources = analysis.sources.len();
    let size = human(Bytes(analysis.sources.iter().map(|s| s.size).sum()));
    let mut lines = LineCounts::default();
    for source in &analysis.sources {
        lines += source.lines;
    }
    let (known, cut, unread, foreign) = (lines.known, lines.cut, lines.unread, lines.foreign);
    let processes = analysis.processes.len();
    match lang {
        Lang::En => format!(
            "{sources} sources, {size}: {known} lines understood ({cut} cut), {unread} CANN lines not needed or not known, {foreign} other lines; {processes} processes."
        ),
        Lang::Zh => format!(
            "{sources} 个来源，{size}：识别 {known} 行（其中截断 {cut} 行），未用到或未知的 CANN 日志 {unread} 行，其他文本 {foreign} 行；{processes} 个进程。"
        ),
    }
}

/// Which of the three jobs the lines of a process can speak about (analysis rules, R0.1).
pub fn triage(process: &Process, lang: Lang) -> String {
    let mut can: Vec<&str> = Vec::new();
    let (components, allocations) = (&process.components, &process.allocations);
    if !components.statistics.is_empty()
        || !components.device_processes.is_empty()
        || !allocations.events.is_empty()
        || !allocations.buffers.is_empty()
        || !allocations.pages.is_empty()
        || !allocations.metrics.is_empty()
    {
        can.push(lang.pick("device memory by component or class", "设备内存的组件或分类占用"));
    }
    if !process.graphs.is_empty() {
        can.push(lang.pick("static graphs", "静态图"));
    }
    if !process.pools.allocators.is_empty() {
        can.push(lang.pick("pools of dynamic graphs", "动态图内存池"));
    }
    if !process.regions.addresses.is_empty() || !process.regions.regions.is_empty() {
        can.push(lang.pick("addresses that operators got", "算子实际地址"));
    }
    if !process.variables.is_empty() {
        can.push(lang.pick("variables", "变量"));
    }
    let twins = process.twins;
    let mut text = if can.is_empty() {
        String::from(lang.pick("These lines can't speak about memory.", "这些日志无法说明内存情况。"))
    } else {
        let list = can.join(lang.pick(", ", "、"));
        match lang {
            Lang::En => format!("These lines speak about: {list}. Host memory (process RSS) is not in them."),
            Lang::Zh => format!("这些日志可以说明：{list}。不包含主机内存（进程 RSS）信息。"),
        }
    };
    if twins > 0 {
        text += &match lang {
            Lang::En => format!(" {twins} lines written twice by the logger count once."),
            Lang::Zh => format!("日志重复写入的 {twins} 行只计一次。"),
        };
    }
    text
}
