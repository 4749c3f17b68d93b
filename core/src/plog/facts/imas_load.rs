//! `[IMAS]` lines of model load: areas, addresses, variables.

use alloc::boxed::Box;

use super::Fact;
use crate::intern::Interner;
use crate::model::region::{Area, FeatureMapNeed, OperatorAddress, Region, Unresolved};
use crate::model::static_graph::Io;
use crate::model::variable::{Place, Variable};
use crate::plog::scan::Reading;
use crate::units::Offset;

pub(super) fn region(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(graph), Some(base), Some(size)) =
        (line.u64("graph_id"), line.address("addr"), line.bytes("size"))
    else {
        return;
    };
    // `imas.load.ex` prints no letter field: its area is always the feature map.
    let area = line.bytes_of("type").map_or(Area::FeatureMap, Area::from_letter);
    let memory_type = line.u64("origin").or_else(|| line.u64("mem_type"));
    give(Fact::Region(Box::new(Region { graph, area, memory_type, base, size, span: line.span })));
}

/// Forms without an address (level-1 memory) say nothing here.
pub(super) fn address(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let node = line.name("name", names);
    let (Some(graph), Some(io), Some(index), Some(address)) =
        (line.u64("graph_id"), line.bytes_of("io"), line.u64("index"), line.address("addr"))
    else {
        return;
    };
    give(Fact::Address(OperatorAddress {
        graph,
        area: line.bytes_of("type").map_or(Area::Other, Area::from_letter),
        node,
        io: Io::from_word(io),
        index,
        offset: line.i64("offset").map(Offset),
        size: line.bytes("size").or_else(|| line.bytes("bytes")),
        address,
        span: line.span,
    }));
}

pub(super) fn unresolved(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let node = line.name("name", names);
    let (Some(graph), Some(io), Some(index), Some(offset), Some(size)) =
        (line.u64("graph_id"), line.bytes_of("io"), line.u64("index"), line.i64("offset"), line.i64("size"))
    else {
        return;
    };
    give(Fact::Unresolved(Box::new(Unresolved {
        graph,
        area: line.bytes_of("type").map_or(Area::Other, Area::from_letter),
        node,
        io: Io::from_word(io),
        index,
        offset: Offset(offset),
        size,
        span: line.span,
    })));
}

pub(super) fn need(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(model), Some(allocated), Some(layout)) =
        (line.u64("model_id"), line.bytes("need"), line.bytes("total"))
    else {
        return;
    };
    give(Fact::Need(Box::new(FeatureMapNeed { model, allocated, layout, span: line.span })));
}

pub(super) fn variable(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let node = line.name("name", names);
    let place = if let Some(offset) = line.i64("offset") {
        Place::Offset(Offset(offset))
    } else if let Some(address) = line.address("addr") {
        Place::Device(address)
    } else if let Some(address) = line.address("host_addr") {
        // A host variable's address is printed between the brackets of the output index.
        Place::Host(address)
    } else {
        return;
    };
    let Some(session) = line.u64("session") else { return };
    give(Fact::Variable(Box::new(Variable {
        session,
        node,
        output: line.u64("index").unwrap_or(0),
        place,
        size: line.bytes("size"),
        real_size: line.bytes("realsize"),
        reuse_of: line.name("reuse_of", names),
        span: line.span,
    })));
}
