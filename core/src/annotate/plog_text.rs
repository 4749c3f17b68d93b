//! The Markdown of a plog's hovers and lenses, out of figures and sentences.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::index::{Entry, Item};
use super::line::{Line, Number};
use super::plog::Plog;
use super::{Sort, Symbol};
use crate::check::Finding;
use crate::metrics::component;
use crate::metrics::neighbour;
use crate::metrics::static_graph::{figures, life};
use crate::model::process::Process;
use crate::say::{Lang, editor, size};
use crate::units::{Bytes, Offset};

/// After reuse of the memory type that a block lies in.
pub(super) fn graph_need(plog: &Plog, process: usize, graph: usize, block: usize) -> Option<Bytes> {
    let graph = plog.analysis.processes.get(process)?.graphs.get(graph)?;
    let memory_type = graph.blocks.get(block)?.memory_type;
    let summary = graph.summaries.iter().find(|summary| summary.memory_type == memory_type)?;
    summary.after_reuse
}

/// The sum of the peaks of all components on the device of a statistic of device memory.
pub(super) fn device_need(plog: &Plog, process: usize, entry: Option<&Entry>) -> Option<Bytes> {
    let Item::Statistic(number) = entry?.item else { return None };
    let components = &plog.analysis.processes.get(process)?.components;
    let counted = components.statistics.get(number)?.counted;
    if !component::is_device(plog.analysis.names.get(counted.memory_kind)) {
        return None;
    }
    let rows = component::rows(components, &plog.analysis.names);
    let shares = component::device_shares(&rows, &plog.analysis.names);
    Some(shares.iter().filter(|share| share.device == counted.device).map(|share| share.peak).sum())
}

/// The note about a fact.
pub(super) fn entry(plog: &Plog, entry: &Entry, lang: Lang) -> Option<String> {
    let process = plog.analysis.processes.get(entry.process)?;
    match entry.item {
        Item::Block(g, b) => block(plog, process, g, b, lang),
        Item::Summary(g, s) => {
            let graph = process.graphs.get(g)?;
            let memory_type = graph.summaries.get(s)?.memory_type;
            let figures = figures(graph).into_iter().find(|f| f.memory_type == memory_type)?;
            Some(editor::summary(plog.analysis.names.get(graph.name), &figures, lang))
        }
        Item::Statistic(n) => {
            let statistic = process.components.statistics.get(n)?;
            let whole = device_need(plog, entry.process, Some(entry));
            Some(editor::statistic(statistic, whole, &plog.analysis.names, lang))
        }
        Item::Region(n) => Some(editor::region(process.regions.regions.get(n)?, lang)),
        Item::Address(n) => {
            let address = process.regions.addresses.get(n)?;
            Some(editor::address(address, &plog.analysis.names, lang))
        }
        Item::Variable(n) => Some(editor::variable(process.variables.get(n)?, &plog.analysis.names, lang)),
    }
}

fn block(plog: &Plog, process: &Process, g: usize, b: usize, lang: Lang) -> Option<String> {
    let graph = process.graphs.get(g)?;
    let block = graph.blocks.get(b)?;
    let names = &plog.analysis.names;
    let after = graph.summaries.iter().find(|s| s.memory_type == block.memory_type)?.after_reuse;
    let last = graph.blocks.iter().filter_map(life).map(|(begin, end)| end.unwrap_or(begin)).max();
    let around = neighbour::around(graph, b);
    let tell = |places: &[usize]| -> Vec<_> { places.iter().filter_map(|p| graph.blocks.get(*p)).collect() };
    let mut text = editor::block(block, after, names, lang);
    if let Some(sentence) = editor::life(block, last, lang) {
        text += &format!("\n\n{sentence}");
    }
    text += "\n\n";
    text +=
        &editor::tenants(&tell(&around.sharing), &tell(&around.earlier), &tell(&around.later), names, lang);
    let below = around.below.and_then(|(p, gap)| Some((graph.blocks.get(p)?, gap)));
    let above = around.above.and_then(|(p, gap)| Some((graph.blocks.get(p)?, gap)));
    if let Some(sentence) = editor::neighbours(below, above, names, lang) {
        text += &format!("\n\n{sentence}");
    }
    for sentence in editor::flags(block, lang) {
        text += &format!("\n\n{sentence}");
    }
    Some(text)
}

/// The fields of a line of which nothing more is known than what it says.
pub(super) fn fields(line: &Line, lang: Lang) -> String {
    let mut text = format!("{} `{}`\n\n", editor::line_kind(lang), line.kind);
    for field in &line.fields {
        let value = match field.number {
            Number::Size(bytes) => size::exact(bytes),
            Number::Offset(offset) if offset >= 0 => format!("{offset} ({offset:#x})"),
            _ => field.text.chars().take(200).collect(),
        };
        text += &format!("- `{}`: {}\n", field.name, value.replace(['\n', '`'], " "));
    }
    text
}

/// Above a process's first line.
pub(super) fn process_lens(plog: &Plog, process: &Process, worst: Option<&Finding>, lang: Lang) -> String {
    let title = crate::report::overview::process_title(&plog.analysis, process, lang);
    match worst {
        Some(finding) => {
            let sentence: String = finding.sentence(&plog.analysis.names, lang).chars().take(160).collect();
            format!("{title} · {}: {sentence}", finding.rule.code)
        }
        None => title,
    }
}

/// Above a summary line.
pub(super) fn summary_lens(plog: &Plog, process: usize, g: usize, s: usize, lang: Lang) -> Option<String> {
    let graph = plog.analysis.processes.get(process)?.graphs.get(g)?;
    let memory_type = graph.summaries.get(s)?.memory_type;
    let figures = figures(graph).into_iter().find(|f| f.memory_type == memory_type)?;
    Some(editor::rates(&figures, lang))
}

/// Above a block of statistics.
pub(super) fn statistics_lens(plog: &Plog, process: usize, lang: Lang) -> Option<String> {
    let components = &plog.analysis.processes.get(process)?.components;
    let largest = components.statistics.iter().max_by_key(|s| s.peak)?;
    Some(editor::largest(largest, &plog.analysis.names, lang))
}

/// A block in the outline.
pub(super) fn block_symbol(plog: &Plog, entry: &Entry) -> Option<Symbol> {
    let Item::Block(g, b) = entry.item else { return None };
    let block = plog.analysis.processes.get(entry.process)?.graphs.get(g)?.blocks.get(b)?;
    let Offset(offset) = block.offset;
    let name = format!("{} {}[{}]", plog.analysis.names.get(block.node), block.io.word(), block.index);
    let detail = format!("{} @ {offset:#x}", size::human(block.size));
    let range = entry.span.start as usize..entry.span.end() as usize;
    Some(Symbol { name, detail, sort: Sort::Block, select: range.clone(), range, children: Vec::new() })
}
