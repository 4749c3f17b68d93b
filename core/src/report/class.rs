//! The "total" view: classes inside one process.

use super::Query;
use super::table::{Cell, Row, Table};
use crate::metrics::class::{self, Class};
use crate::model::process::Process;
use crate::say;
use crate::say::label::Label;
use crate::session::Analysis;

/// Classes of one process; `GE` is the sum of its children.
pub fn table(analysis: &Analysis, process: &Process, query: &Query) -> Option<Table> {
    let total = class::total(&process.allocations, &analysis.names);
    if total.rows.is_empty() && total.pages.is_none() {
        return None;
    }
    let lang = query.lang;
    let mut table = Table::new(
        "classes",
        Label::Classes.text(lang),
        &[
            ("class", Label::Class),
            ("peak_bytes", Label::Peak),
            ("share", Label::Share),
            ("held_bytes", Label::Held),
            ("taken_bytes", Label::Taken),
            ("count", Label::Count),
        ],
    );
    let share = |peak: crate::units::Bytes| match total.peak.0 {
        0 => Cell::Empty,
        whole => Cell::Share(peak.0 as f64 / whole as f64),
    };
    let cells = |row: &class::Row| {
        [
            Cell::Text(say::class::name(row.class)),
            Cell::Size(row.peak),
            share(row.peak),
            Cell::Size(row.held),
            Cell::Size(row.taken),
            Cell::Count(u64::from(row.count)),
        ]
    };
    let ge = || total.rows.iter().filter(|row| row.class.is_ge());
    let others = total.rows.iter().filter(|row| !row.class.is_ge());
    let mut ge_written = ge().next().is_none();
    let write_ge = |table: &mut Table| {
        table.row(
            None,
            [
                Cell::text("GE"),
                Cell::Size(total.ge()),
                share(total.ge()),
                Cell::Size(ge().map(|row| row.held).sum()),
                Cell::Size(ge().map(|row| row.taken).sum()),
                Cell::Count(ge().map(|row| u64::from(row.count)).sum()),
            ],
        );
        for row in ge() {
            table.rows.push(Row { cells: cells(row).into(), depth: 1, span: Some(row.largest) });
        }
    };
    for row in others {
        if !ge_written && total.ge() >= row.peak {
            write_ge(&mut table);
            ge_written = true;
        }
        table.row(Some(row.largest), cells(row));
    }
    if !ge_written {
        write_ge(&mut table);
    }
    notes(&mut table, &total, process, query);
    Some(table)
}

fn notes(table: &mut Table, total: &class::Total, process: &Process, query: &Query) {
    let lang = query.lang;
    let mut note = |text| table.notes.push(text);
    if let Some(policy) = process.options.static_policy {
        note(alloc::format!("StaticMemoryPolicy: {}", policy.value));
    }
    if let Some((size, _)) = process.allocations.device_total {
        note(alloc::format!("{}: {}", Label::DeviceTotal.text(lang), say::size::exact(size)));
    }
    note(say::class::used_total(total, lang));
    if let Some((pages, _)) = total.pages {
        note(say::class::physical_pages(pages, lang));
    }
    if total.without_address > 0 {
        note(say::class::without_address(total.without_address, lang));
    }
    if total.hand_outs > 0 {
        note(say::class::hand_outs(total.hand_outs, lang));
    }
    let shares = |class| total.rows.iter().any(|row| row.class == class);
    if process.options.static_policy.is_some_and(|p| p.value != 0)
        && shares(Class::StaticGraph)
        && shares(Class::MemoryPool)
    {
        note(alloc::string::String::from(lang.pick(
            "StaticGraph and MemoryPool may share an extension area under this policy.",
            "在该策略下 StaticGraph 与 MemoryPool 可能共用扩展区。",
        )));
    }
}
