//! Tables of dynamic pools, and `imas_mem_pool.csv`.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::Query;
use super::graph::life_text;
use super::rows::Rows;
use super::table::{Cell, Table};
use crate::intern::{Interner, Name};
use crate::metrics::pool::{by_address, figures, series};
use crate::model::pool::{Allocator, Tensor};
use crate::model::process::Process;
use crate::model::static_graph::LIFE_MAX;
use crate::say::label::Label;
use crate::say::pool::verdict;
use crate::units::{Address, Bytes};

/// Addresses shown of each pool by default, as of operators.
const ADDRESSES_SHOWN: usize = 10;
/// Place of the column of what a pool took.
const HELD_PEAK: usize = 8;

/// One row for each allocator of a process; without any, for each dynamic graph whose peak GE printed
/// (`max_alloc_dev_mem`, all that a run plog has).
pub fn pools(process: &Process, names: &Interner, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "pools",
        Label::Pools.text(query.lang),
        &[
            ("allocator", Label::Allocator),
            ("blocks", Label::Blocks),
            ("returns", Label::Returns),
            ("addresses", Label::DistinctAddresses),
            ("live_peak_bytes", Label::LivePeak),
            ("asked_peak_bytes", Label::AskedPeak),
            ("theory_min_bytes", Label::TheoryMin),
            ("real_theory_min_bytes", Label::RealTheoryMin),
            ("taken_peak_bytes", Label::HeldPeak),
            ("unit_bytes", Label::Unit),
            ("gap_bytes", Label::Gap),
            ("verdict", Label::Verdict),
            ("reach_theory_rate", Label::ReachTheory),
            ("new_va_bytes", Label::NewVa),
        ],
    );
    let size = |size: Option<Bytes>| Cell::maybe(size, Cell::Size);
    for pool in figures(process) {
        let seen = pool.hand_outs > 0;
        table.row(
            pool.summary.or(pool.live_peak.map(|peak| peak.span)),
            [
                Cell::Text(pool.allocator.to_string()),
                Cell::Count(pool.hand_outs.into()),
                Cell::Count(pool.returns.into()),
                Cell::Count(pool.addresses.into()),
                size(pool.live_peak.map(|peak| peak.size)),
                size(seen.then_some(pool.asked_peak)),
                size(pool.theory_min),
                size(pool.real_theory_min),
                size(pool.taken_peak.map(|(taken, _)| taken)),
                Cell::Size(pool.unit.size),
                size(pool.gap()),
                Cell::text(verdict(pool.verdict, query.lang)),
                Cell::maybe(pool.reach_theory_rate(), Cell::Share),
                size((pool.new_va > Bytes::ZERO).then_some(pool.new_va)),
            ],
        );
    }
    if table.rows.is_empty() {
        for printed in process.allocations.metrics.iter().filter(|m| m.figure == "max_alloc_dev_mem") {
            let mut cells = alloc::vec![Cell::Empty; table.columns.len()];
            cells[0] = Cell::text(names.get(printed.name));
            cells[HELD_PEAK] = Cell::Size(printed.size);
            table.row(Some(printed.span), cells);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The blocks of every allocator by address, largest first: many blocks at few addresses mean that
/// reuse works.
pub fn addresses(process: &Process, query: &Query) -> Option<Table> {
    let mut table = Table::new(
        "pool_addresses",
        Label::PoolAddresses.text(query.lang),
        &[
            ("allocator", Label::Allocator),
            ("address", Label::Address),
            ("blocks", Label::Blocks),
            ("largest_bytes", Label::Largest),
            ("asked_bytes", Label::Asked),
            ("life", Label::Life),
        ],
    );
    for allocator in &process.pools.allocators {
        let rows = by_address(allocator);
        let shown = match query.top {
            Some(0) => rows.len(),
            Some(top) => top,
            None => ADDRESSES_SHOWN,
        };
        for row in rows.iter().take(shown) {
            table.row(
                Some(row.span),
                [
                    Cell::Text(allocator.id.to_string()),
                    Cell::Address(row.address),
                    Cell::Count(row.blocks.into()),
                    Cell::Size(row.largest),
                    Cell::Size(row.asked),
                    Cell::text(life_text(Some((row.begin, row.end)))),
                ],
            );
        }
        if let Some(rest) = rows.get(shown..).filter(|rest| !rest.is_empty()) {
            let blocks = rest.iter().map(|row| u64::from(row.blocks)).sum();
            table.row(
                None,
                [
                    Cell::Text(allocator.id.to_string()),
                    Cell::Text(format!("{} ({})", Label::Others.text(query.lang), rest.len())),
                    Cell::Count(blocks),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Empty,
                ],
            );
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// One row of the CSV.
struct Record {
    kernel: Name,
    size: Bytes,
    real_size: Bytes,
    address: Address,
    begin: u32,
    kernel_free: Option<u32>,
    pool_free: Option<u32>,
}

/// The rows of `imas_mem_pool.csv` of one process, by allocator and hand-out. Lives are ordinals of
/// hand-outs and returns; `cached_size` is what the pool held then, `theory_size` what was in use.
pub(super) fn imas_rows<E>(
    rows: &mut Rows<'_, E>,
    names: &Interner,
    process: &str,
    of: &Process,
) -> Result<(), E> {
    for allocator in &of.pools.allocators {
        let id = allocator.id.to_string();
        let points = series(allocator);
        for record in records(allocator) {
            let place = points.partition_point(|point| point.at <= record.begin);
            let point = place.checked_sub(1).and_then(|place| points.get(place));
            rows.word(process).word(&id).word("ALLOC");
            rows.word("name").text(names.get(record.kernel));
            rows.word("size").number(record.size);
            rows.word("realsize").number(record.real_size);
            rows.word("address").number(record.address);
            rows.word("life time begin").number(record.begin);
            rows.word("life time end").number(record.pool_free.unwrap_or(LIFE_MAX));
            rows.word("cached_size").number(point.map_or(Bytes::ZERO, |point| point.taken));
            rows.word("theory_size").number(point.map_or(Bytes::ZERO, |point| point.live));
            rows.word("kernel_free").number(record.kernel_free);
            rows.word("pool_free").number(record.pool_free);
            rows.end()?;
        }
    }
    Ok(())
}

/// Every use of a block by a kernel, and the blocks that no kernel line names.
fn records(allocator: &Allocator) -> Vec<Record> {
    let mut named = alloc::vec![false; allocator.blocks.len()];
    let mut records: Vec<Record> = Vec::with_capacity(allocator.blocks.len());
    for tensor in &allocator.tensors {
        let block = tensor.block.and_then(|block| allocator.blocks.get(block as usize));
        if let Some(named) = tensor.block.and_then(|block| named.get_mut(block as usize)) {
            *named = true;
        }
        records.push(Record {
            kernel: tensor.kernel,
            size: block.map_or(tensor.size, |block| block.given),
            real_size: real_size(tensor, block.map(|block| block.asked)),
            address: tensor.address,
            begin: tensor.begin,
            kernel_free: tensor.kernel_free,
            pool_free: tensor.pool_free,
        });
    }
    let unnamed = allocator.blocks.iter().zip(named).filter(|(_, named)| !named);
    records.extend(unnamed.map(|(block, _)| Record {
        kernel: Name::EMPTY,
        size: block.given,
        real_size: block.asked,
        address: block.address,
        begin: block.begin,
        kernel_free: None,
        pool_free: block.end,
    }));
    records.sort_by_key(|record| record.begin);
    records
}

fn real_size(tensor: &Tensor, asked: Option<Bytes>) -> Bytes {
    tensor.tensor_size.or(asked).unwrap_or(tensor.size)
}
