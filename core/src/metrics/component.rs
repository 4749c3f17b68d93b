//! The component table: one row a memory kind of a device and module (analysis rules, R1).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Interner;
use crate::model::component::{Components, Counted, Statistic};
use crate::units::Bytes;

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The line with the highest peak: attribution goes by peak.
    pub peak: Statistic,
    /// The last line.
    pub last: Statistic,
    /// How many lines there were.
    pub lines: u32,
}

/// Which memory a kind belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pool {
    /// High-bandwidth memory of the device, all page sizes.
    Hbm,
    /// Device DDR.
    Ddr,
    /// Peer-to-peer windows.
    PeerToPeer,
    /// Device memory of an old driver that does not tell page kinds.
    Device,
    /// Host memory.
    Host,
    /// Shared virtual memory: addresses valid on host and device.
    Shared,
    /// Task scheduler, media and other kinds.
    Other,
}

/// The memory a kind's name stands for (plog grammar 2.1).
pub fn pool_of(memory_kind: &str) -> Pool {
    match memory_kind {
        "HOST_MEM" | "MEM_HOST" => Pool::Host,
        "SVM_MEM" => Pool::Shared,
        "DEV_MEM" => Pool::Device,
        kind if kind.contains("P2P") => Pool::PeerToPeer,
        kind if kind.contains("_TS_") => Pool::Other,
        kind if kind.starts_with("MEM_DEV_") && kind.ends_with("_HBM") => Pool::Hbm,
        kind if kind.starts_with("MEM_DEV_") && kind.ends_with("_DDR") => Pool::Ddr,
        _ => Pool::Other,
    }
}

/// The table, largest peak first.
pub fn rows(components: &Components, names: &Interner) -> Vec<Row> {
    let mut rows: BTreeMap<Counted, Row> = BTreeMap::new();
    for &statistic in &components.statistics {
        rows.entry(statistic.counted)
            .and_modify(|row| {
                if statistic.peak > row.peak.peak {
                    row.peak = statistic;
                }
                row.last = statistic;
                row.lines += 1;
            })
            .or_insert(Row { peak: statistic, last: statistic, lines: 1 });
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    let text = |row: &Row| {
        let counted = row.peak.counted;
        (counted.device, names.get(counted.memory_kind), names.get(counted.module))
    };
    rows.sort_by(|a, b| b.peak.peak.cmp(&a.peak.peak).then_with(|| text(a).cmp(&text(b))));
    rows
}

/// One component over all its kinds of device memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Device, where the kinds belong to one.
    pub device: Option<i64>,
    /// Module name.
    pub module: crate::intern::Name,
    /// Sum of the peaks of its kinds: an upper bound, the peaks needn't coincide.
    pub peak: Bytes,
    /// Sum of what was allocated at the last line.
    pub current: Bytes,
    /// The rows it is made of.
    pub rows: Vec<Row>,
}

/// Whether a memory kind counts as device memory: not peer-to-peer, host or shared memory.
pub fn is_device(memory_kind: &str) -> bool {
    matches!(pool_of(memory_kind), Pool::Hbm | Pool::Ddr | Pool::Device)
}

/// Device memory by component, largest first. Peer-to-peer, host and shared memory are left out.
pub fn device_shares(rows: &[Row], names: &Interner) -> Vec<Share> {
    let mut shares: BTreeMap<(Option<i64>, &str), Share> = BTreeMap::new();
    for &row in rows {
        let counted = row.peak.counted;
        if !is_device(names.get(counted.memory_kind)) {
            continue;
        }
        let share = shares.entry((counted.device, names.get(counted.module))).or_insert_with(|| Share {
            device: counted.device,
            module: counted.module,
            peak: Bytes::ZERO,
            current: Bytes::ZERO,
            rows: Vec::new(),
        });
        share.peak += row.peak.peak;
        share.current += row.last.current;
        share.rows.push(row);
    }
    let mut shares: Vec<Share> = shares.into_values().collect();
    shares.sort_by_key(|s| core::cmp::Reverse(s.peak));
    shares
}

/// What the last line of a component says about leaks at driver level (analysis rules, R1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// Nothing held, as many frees as allocations.
    Clean,
    /// Something held and fewer frees than allocations.
    Held,
    /// The two figures do not agree, or the driver does not print the counts.
    Unclear,
}

/// The balance of a component at its last line.
pub fn balance(last: &Statistic) -> Balance {
    match (last.current, last.counts) {
        (Bytes::ZERO, None) => Balance::Clean,
        (Bytes::ZERO, Some((taken, given))) if taken == given => Balance::Clean,
        (current, Some((taken, given))) if current > Bytes::ZERO && taken != given => Balance::Held,
        _ => Balance::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_belong_to_memories() {
        for (kind, pool) in [
            ("MEM_DEV_HUGE_HBM", Pool::Hbm),
            ("MEM_DEV_SMALL_DDR", Pool::Ddr),
            ("MEM_DEV_HUGE_P2P_HBM", Pool::PeerToPeer),
            ("MEM_DEV_SMALL_TS_DDR", Pool::Other),
            ("HOST_MEM", Pool::Host),
            ("MEM_HOST", Pool::Host),
            ("DEV_MEM", Pool::Device),
            ("SVM_MEM", Pool::Shared),
            ("DVPP_MEM", Pool::Other),
        ] {
            assert_eq!(pool_of(kind), pool, "{kind}");
        }
    }
}
