//! The component table.

use alloc::format;
use alloc::vec::Vec;

use super::Query;
use super::table::{Cell, Table};
use crate::metrics::component;
use crate::model::process::Process;
use crate::say::label::Label;
use crate::session::Analysis;

/// Components of one process: one row a memory kind of a device and module, largest peak first.
pub fn table(analysis: &Analysis, process: &Process, query: &Query) -> Option<Table> {
    let names = &analysis.names;
    let rows = component::rows(&process.components, names);
    if rows.is_empty() && process.components.device_processes.is_empty() {
        return None;
    }
    let mut table = Table::new(
        "components",
        Label::Components.text(query.lang),
        &[
            ("component", Label::Component),
            ("device", Label::Device),
            ("memory_kind", Label::MemoryKind),
            ("peak_bytes", Label::Peak),
            ("current_bytes", Label::Current),
            ("allocations", Label::Allocations),
            ("frees", Label::Frees),
        ],
    );
    for row in &rows {
        let counted = row.peak.counted;
        let counts = row.last.counts;
        table.row(
            Some(row.peak.span),
            [
                Cell::text(names.get(counted.module)),
                Cell::maybe(counted.device, Cell::Number),
                Cell::text(names.get(counted.memory_kind)),
                Cell::Size(row.peak.peak),
                Cell::Size(row.last.current),
                Cell::maybe(counts.map(|c| c.0), Cell::Count),
                Cell::maybe(counts.map(|c| c.1), Cell::Count),
            ],
        );
    }
    for helper in &process.components.device_processes {
        let module = format!("{} ({})", names.get(helper.module), helper.module_id);
        table.row(
            Some(helper.span),
            [
                Cell::Text(module),
                Cell::Number(helper.device),
                Cell::text("DEV_PROC_MEM"),
                Cell::Empty,
                Cell::Size(helper.size),
                Cell::Empty,
                Cell::Empty,
            ],
        );
    }
    let shares = component::device_shares(&rows, names);
    let mut devices: Vec<Option<i64>> = shares.iter().map(|s| s.device).collect();
    devices.sort_unstable();
    devices.dedup();
    for device in devices {
        let bound = shares.iter().filter(|s| s.device == device).map(|s| s.peak).sum();
        table.notes.push(crate::say::component::upper_bound(device, bound, query.lang));
    }
    for cached in &process.components.cached {
        table.notes.push(crate::say::component::cached(
            names.get(cached.memory_kind),
            cached.device,
            cached.size,
            query.lang,
        ));
    }
    Some(table)
}
