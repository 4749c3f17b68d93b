//! Driver statistics.

use alloc::boxed::Box;

use super::Fact;
use crate::intern::Interner;
use crate::model::component::{Cached, Counted, DeviceProcess, Statistic};
use crate::plog::scan::Reading;

pub(super) fn statistic(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let counted = Counted {
        device: line.i64("dev"),
        memory_kind: line.name("mem_kind", names),
        module_id: line.u64("module_id"),
        module: line.name("module_name", names),
    };
    let (Some(current), Some(peak)) = (line.bytes("current"), line.bytes("peak")) else { return };
    let counts = line.u64("alloc_cnt").zip(line.u64("free_cnt"));
    let time = line.header.and_then(|h| h.time());
    give(Fact::Component(Box::new(Statistic { counted, current, peak, counts, time, span: line.span })));
}

pub(super) fn cached(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(size) = line.bytes("cached") else { return };
    let memory_kind = line.name("mem_kind", names);
    give(Fact::Cached(Box::new(Cached { device: line.i64("dev"), memory_kind, size, span: line.span })));
}

pub(super) fn device_process(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let module = line.name("module_name", names);
    let (Some(device), Some(module_id), Some(size)) =
        (line.i64("dev"), line.u64("module_id"), line.bytes("total"))
    else {
        return;
    };
    give(Fact::DeviceProcess(Box::new(DeviceProcess { device, module_id, module, size, span: line.span })));
}

pub(super) fn close(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(device) = line.i64("dev") {
        give(Fact::DeviceClose(device, line.span));
    }
}
