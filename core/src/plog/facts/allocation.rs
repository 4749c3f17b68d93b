//! Device memory taken and given back.

use alloc::boxed::Box;

use super::Fact;
use crate::intern::{Interner, Name};
use crate::model::allocation::{
    Allocation, CommunicationBuffer, Event, Free, Layer, ModelMetrics, PhysicalPages,
};
use crate::plog::scan::Reading;
use crate::units::{Address, Bytes};

fn taken(layer: Layer, line: &Reading<'_>, address: Option<Address>, names: &mut Interner) -> Option<Fact> {
    Some(Fact::Allocation(Box::new(Event::Taken(Allocation {
        layer,
        size: line.bytes("size")?,
        address,
        function: line.name("func_name", names),
        purpose: line.name("purpose", names),
        device: line.u64("device"),
        module_id: line.u64("module_id"),
        tid: line.header.and_then(|h| h.tid).unwrap_or(0),
        time: line.header.and_then(|h| h.time()),
        span: line.span,
    }))))
}

pub(super) fn ge(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    taken(Layer::Ge, line, line.address("addr"), names).into_iter().for_each(&mut *give);
    super::pool::device_memory(line, names, give);
}

pub(super) fn ge_plain(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    taken(Layer::GePlain, line, None, names).into_iter().for_each(give);
}

pub(super) fn runtime(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    // The line is printed on failure too, with a null start (plog grammar, trap 7).
    let Some(start) = line.address("start").filter(|a| a.0 != 0) else { return };
    taken(Layer::Runtime, line, Some(start), names).into_iter().for_each(give);
}

pub(super) fn ge_free(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let free = Free { layer: Layer::GePlain, address: None, device: line.u64("device"), span: line.span };
    give(Fact::Allocation(Box::new(Event::Given(free))));
}

pub(super) fn runtime_free(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let address = line.address("addr");
    let free = Free { layer: Layer::Runtime, address, device: None, span: line.span };
    give(Fact::Allocation(Box::new(Event::Given(free))));
}

pub(super) fn pages(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(total) = line.bytes("total") else { return };
    let page = match line.bytes_of("pg_type") {
        Some(b"1G") => Bytes(1 << 30),
        Some(b"2M") => Bytes(2 << 20),
        _ => Bytes::ZERO,
    };
    let tid = line.header.and_then(|h| h.tid).unwrap_or(0);
    give(Fact::Pages(Box::new(PhysicalPages { total, page, tid, span: line.span })));
}

pub(super) fn buffer(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(op), Some(address), Some(size)) =
        (line.bytes_of("op"), line.address("addr"), line.bytes("size"))
    else {
        return;
    };
    let created = op == b"Create";
    give(Fact::Buffer(Box::new(CommunicationBuffer { address, size, created, span: line.span })));
}

pub(super) fn device_total(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(total) = line.bytes("total") {
        give(Fact::DeviceTotal(total, line.span));
    }
}

pub(super) fn metrics(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let name: Name = line.name("name", names);
    for (field, figure) in [
        ("alloc_dev", "alloc_dev_mem"),
        ("shared_dev", "shared_dev_mem"),
        ("alloc_var", "alloc_var_mem"),
        ("shared_var", "shared_var_mem"),
        ("max_alloc", "max_alloc_dev_mem"),
    ] {
        if let Some(size) = line.bytes(field) {
            give(Fact::Metrics(Box::new(ModelMetrics { name, figure, size, span: line.span })));
        }
    }
}
