//! Buffer pools of prefetching nodes, behind the blocks (static allocator S10).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::model::static_graph::{Block as Row, Io, LifeEnds, Placement};
use crate::replay::layout::Placed;
use crate::replay::memory;
use crate::replay::net::NodeId;
use crate::replay::offsets::Offsets;
use crate::replay::plan::Plan;
use crate::replay::rows;
use crate::replay::size::{ALIGN, align};
use crate::units::{Bytes, Offset};

/// Places the pools; labels lie over one another.
pub(crate) fn place(plan: &Plan, placed: &mut Placed, offsets: &mut Offsets, rows: &mut Vec<Row>) {
    let net = plan.net;
    if net.unknown_root {
        return;
    }
    let mut pools: BTreeMap<(&str, i64), (u64, Vec<NodeId>)> = BTreeMap::new();
    for &node in &plan.order {
        let facts = &net.nodes[node].facts;
        if let Some((id, size)) = facts.pool.filter(|&(_, size)| size > 0) {
            let pool = pools.entry((net.model.names.get(facts.batch), id)).or_default();
            pool.0 = pool.0.max(size);
            pool.1.push(node);
        }
    }
    let Some(first) = pools.values().find_map(|(_, nodes)| nodes.first()) else { return };
    let memory_type = net.nodes[*first].facts.output_memory_type.first().copied();
    let memory_type = memory_type.and_then(|t| u64::try_from(t).ok()).unwrap_or(memory::HBM);
    let memory_type = memory::symbol_type(memory_type);
    let base = align(placed.offsets.get(&memory_type).copied().unwrap_or(0)) + ALIGN;
    let (mut label, mut running, mut end) = (None, base, base);
    for ((of, _), (size, nodes)) in pools {
        if label != Some(of) {
            (label, running) = (Some(of), base);
        }
        for node in nodes {
            let place = &net.nodes[node].facts.pool_place;
            let inner = place.get(1).copied().unwrap_or(0);
            let length = place.first().and_then(|&n| u64::try_from(n).ok()).unwrap_or(0);
            let offset = i64::try_from(running).unwrap_or(i64::MAX).saturating_add(inner);
            offsets.set_output(node, 0, offset);
            rows.push(Row {
                offset: Offset(offset),
                memory_type,
                size: Bytes(length),
                real_size: Bytes(length),
                no_align_size: Some(Bytes(length)),
                life_begin: Some(0),
                life_ends: LifeEnds::One(0),
                ..rows::plain(plan, Placement::Set, node, Io::Output, 0)
            });
        }
        running += align(size) + ALIGN;
        end = end.max(running);
    }
    placed.offsets.insert(memory_type, end);
}
