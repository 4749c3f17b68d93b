//! Tables of what the load lines say: areas, operator addresses, variables.

use alloc::format;
use alloc::string::String;

use super::Query;
use super::table::{Cell, Table};
use crate::metrics::address::placed;
use crate::model::process::Process;
use crate::model::variable::Place;
use crate::say::label::Label;
use crate::session::Analysis;

/// Areas of loaded models.
pub fn bases(process: &Process, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "bases",
        Label::Bases.text(query.lang),
        &[
            ("graph_id", Label::Graph),
            ("area", Label::Area),
            ("memory_type", Label::MemoryType),
            ("base", Label::Base),
            ("size_bytes", Label::Bytes),
            ("valid_range", Label::ValidRange),
        ],
    );
    for region in &process.regions.regions {
        let range = match region.base.0 {
            0 => Cell::Empty,
            _ => Cell::Text(format!("{}~{}", region.base, region.base.plus(region.size))),
        };
        table.row(
            Some(region.span),
            [
                Cell::Count(region.graph),
                Cell::text(region.area.letter()),
                Cell::maybe(region.memory_type, Cell::Count),
                Cell::Address(region.base),
                Cell::Size(region.size),
                range,
            ],
        );
    }
    for need in &process.regions.needs {
        table.notes.push(crate::say::address::need(need, query.lang));
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Operator addresses, each with its place in its area.
pub fn addresses(analysis: &Analysis, process: &Process, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "addresses",
        Label::Addresses.text(query.lang),
        &[
            ("graph_id", Label::Graph),
            ("node", Label::Node),
            ("io", Label::Io),
            ("area", Label::Area),
            ("address", Label::Address),
            ("size_bytes", Label::Bytes),
            ("place", Label::Offset),
        ],
    );
    let shown = query.top.filter(|top| *top > 0).unwrap_or(usize::MAX);
    for row in placed(&process.regions).into_iter().take(shown) {
        let line = row.line;
        let place = match (row.region, row.distance) {
            (Some(region), Some(distance)) => {
                Cell::Text(format!("{}+{:#x}", region.area.letter(), distance.0))
            }
            _ => Cell::Empty,
        };
        table.row(
            Some(line.span),
            [
                Cell::Count(line.graph),
                Cell::text(analysis.names.get(line.node)),
                Cell::Text(format!("{}_{}", line.io.word(), line.index)),
                Cell::text(line.area.letter()),
                Cell::Address(line.address),
                Cell::maybe(line.size, Cell::Size),
                place,
            ],
        );
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Variables and constants of the sessions.
pub fn variables(analysis: &Analysis, process: &Process, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "variables",
        Label::Variables.text(query.lang),
        &[
            ("session", Label::Session),
            ("variable", Label::Variable),
            ("output", Label::Io),
            ("place", Label::Offset),
            ("size_bytes", Label::Bytes),
            ("realsize_bytes", Label::RealSize),
            ("remarks", Label::Remarks),
        ],
    );
    let mut variables: alloc::vec::Vec<_> = process.variables.iter().collect();
    variables.sort_by_key(|v| core::cmp::Reverse(v.size.or(v.real_size)));
    let shown = query.top.filter(|top| *top > 0).unwrap_or(usize::MAX);
    for variable in variables.into_iter().take(shown) {
        let (place, on) = match variable.place {
            Place::Offset(offset) => (Cell::Place(offset), ""),
            Place::Device(address) => (Cell::Address(address), ""),
            Place::Host(address) => (Cell::Address(address), "host"),
        };
        let shares = analysis.names.get(variable.reuse_of);
        let remarks = if shares.is_empty() { String::from(on) } else { format!("→ {shares}") };
        table.row(
            Some(variable.span),
            [
                Cell::Count(variable.session),
                Cell::text(analysis.names.get(variable.node)),
                Cell::Text(format!("output_{}", variable.output)),
                place,
                Cell::maybe(variable.size, Cell::Size),
                Cell::maybe(variable.real_size, Cell::Size),
                Cell::text(remarks),
            ],
        );
    }
    (!table.rows.is_empty()).then_some(table)
}
