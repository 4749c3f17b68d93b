//! `[IMAS]` lines of graph compilation.

use alloc::boxed::Box;

use super::Fact;
use crate::digits::decimal;
use crate::intern::{Interner, Name};
use crate::model::static_graph::{Block, BlockFlags, Io, LifeEnds, Placement, Summary, memory_type};
use crate::plog::scan::Reading;
use crate::units::{Bytes, Offset};

pub(super) fn set(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::Set, line, names, give);
}

pub(super) fn continuous_input(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::ContinuousInput, line, names, give);
}

pub(super) fn continuous_output(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::ContinuousOutput, line, names, give);
}

pub(super) fn atomic_output(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::AtomicOutput, line, names, give);
}

pub(super) fn atomic_workspace(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::AtomicWorkspace, line, names, give);
}

pub(super) fn atomic_fusion_workspace(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    block(Placement::AtomicFusionWorkspace, line, names, give);
}

fn block(placement: Placement, line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(node) = line.bytes_of("name") else { return };
    let node = names.intern_bytes(node);
    let graph = line.name("graph", names);
    let number = |name| line.u64(name).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let flag = |name| line.u64(name) == Some(1);
    let op_type = line.name("optype", names);
    let io = match (placement, line.bytes_of("io")) {
        (_, Some(word)) => Io::from_word(word),
        (Placement::AtomicWorkspace | Placement::AtomicFusionWorkspace, None) => Io::Workspace,
        (_, None) => Io::Output,
    };
    let size = line.bytes("size").unwrap_or(Bytes::ZERO);
    let mut offset = Offset(line.i64("offset").unwrap_or(-1));
    // From 2025 on the line of an ordinary workspace prints the end (plog grammar, `imas.atomic_ws`);
    // those versions close the line with the batch label and print the operator type and, in the
    // graph's name, its id.
    if placement == Placement::AtomicWorkspace && prints_end(line) {
        offset = Offset(offset.0.saturating_sub_unsigned(size.0));
    }
    let ends = line.bytes_of("life_end").unwrap_or(&[]);
    // The four-number form of 2020 ends in "block deleted", not in the zero-copy flag.
    let five_numbers = line.field("same_stream").is_some();
    give(Fact::Block(
        graph,
        Block {
            placement,
            node,
            op_type,
            io,
            index: line.i64("index").map_or(-1, |n| i32::try_from(n).unwrap_or(i32::MAX)),
            offset,
            stream: line.i64("stream"),
            stream_of_op: line.i64("stream_orig"),
            memory_type: line.u64("memtype").unwrap_or(memory_type::HBM),
            size,
            real_size: line.bytes("realsize").unwrap_or(Bytes::ZERO),
            no_align_size: line.bytes("noalignsize"),
            life_begin: number("life_begin"),
            life_begin_node: number("life_begin_node"),
            life_ends: life_ends(ends),
            flags: BlockFlags {
                child_level: number("child").unwrap_or(0),
                reuse: flag("reuse"),
                continuous: flag("continuous"),
                zero_copy: five_numbers && flag("flag4"),
                same_stream: flag("same_stream"),
            },
            is_ref: flag("isref"),
            batch: line.name("batch", names),
            block_type: line.name("block_type", names),
            no_padding: line.u64("nopadding"),
            cut: line.cut,
            span: line.span,
        },
    ));
}

/// Versions from 2025 on: the graph name ends in `_` and the graph id, and the type is printed.
fn prints_end(line: &Reading<'_>) -> bool {
    let graph = line.bytes_of("graph").unwrap_or(&[]);
    let digits = graph.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let has_id = digits > 0 && graph.len() > digits && graph[graph.len() - digits - 1] == b'_';
    // A date of eight digits is part of the name that older versions gave.
    has_id && digits < 8 && line.field("optype").is_some()
}

/// `3--4294967295`: every end, in the order printed.
fn life_ends(text: &[u8]) -> LifeEnds {
    text.split(|b| *b == b'-')
        .filter(|part| !part.is_empty())
        .map(|part| u32::try_from(decimal(part)).unwrap_or(u32::MAX))
        .collect()
}

pub(super) fn summary(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let graph = line.name("graph", names);
    if graph == Name::EMPTY {
        return;
    }
    let summary = Summary {
        memory_type: line.u64("memtype").unwrap_or(memory_type::HBM),
        after_reuse: line.bytes("memoffset"),
        theory_min: line.bytes("theory_min"),
        zero_copy: line.bytes("zero_copy"),
        total: line.bytes("total_size"),
        no_reuse: line.bytes("no_reuse"),
        streams: line.u64("streams"),
        topo_mode: line.name("topo_mode", names),
        memory_policy: line.name("mop", names),
        io_reuse: line.u64("in_reuse").zip(line.u64("out_reuse")),
        alloc_mode: line.name("alloc_mode", names),
        static_policy: line.name("smp", names),
        span: line.span,
    };
    give(Fact::Summary(graph, Box::new(summary)));
}
