//! Options and switches.

use alloc::boxed::Box;

use super::Fact;
use crate::intern::Interner;
use crate::model::option::{OptionValue, Switch};
use crate::plog::scan::Reading;
use crate::units::Bytes;

pub(super) fn static_policy(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(policy) = line.u64("policy") {
        give(Fact::Switch(Switch::StaticPolicy(policy), line.span));
    } else if line.field("env").is_some() {
        let (key, value) = (line.name("env", names), line.name("value", names));
        give(Fact::Option(Box::new(OptionValue { key, value, span: line.span })));
    }
}

pub(super) fn key_value(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (key, value) = (line.name("key", names), line.name("value", names));
    give(Fact::Option(Box::new(OptionValue { key, value, span: line.span })));
}

pub(super) fn debug_flags(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(flag) = line.u64("table") {
        give(Fact::Switch(Switch::ArgsTable(flag == 1), line.span));
    }
}

pub(super) fn reuse(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(state) = line.bytes_of("state") {
        give(Fact::Switch(Switch::Reuse(state == b"open"), line.span));
    }
}

pub(super) fn hccl_buffer_size(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let (Some(by), Some(mebibytes)) = (line.bytes_of("by"), line.u64("mb")) {
        let size = Bytes(mebibytes.saturating_mul(1 << 20));
        give(Fact::Switch(Switch::HcclBufferSize(size, by == b"environment"), line.span));
    }
}
