//! A replayed layout as the `[IMAS]` lines GE itself prints (plog grammar chapter 3).
//!
//! Writes the text behind the line's location part; headers, times and process ids are the caller's.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::intern::Interner;
use crate::model::static_graph::{Block, Placement, Summary};
use crate::replay::{CleanRanges, Replayed};

/// All lines of a layout in GE's order: blocks, moves, then the summary, then what clean nodes clear.
///
/// `graph` is the name as GE prints it, which is the graph's name, `_` and the graph's id.
pub fn lines(replayed: &Replayed, graph: &str) -> Vec<String> {
    let names = &replayed.names;
    let blocks = replayed.layout.blocks.iter().enumerate();
    let mut lines: Vec<String> =
        blocks.map(|(at, block)| line(names, graph, block, replayed.group_rows.contains(&at))).collect();
    lines.extend(replayed.layout.summaries.iter().map(|summary| summary_line(names, graph, summary)));
    lines.extend(replayed.cleaned.iter().map(|clean| clean_line(names, graph, clean)));
    lines
}

fn line(names: &Interner, graph: &str, block: &Block, in_row: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match block.placement {
        Placement::Set => set_line(&mut text, names, graph, block),
        Placement::ContinuousInput if in_row => {
            text.push_str("[ContinuousMem]");
            moved_line(&mut text, names, graph, block, "Continuous input")
                .and_then(|()| write!(text, ", block_type[{}]", names.get(block.block_type)))
        }
        Placement::ContinuousInput => moved_line(&mut text, names, graph, block, "Continuous input"),
        Placement::ContinuousOutput => moved_line(&mut text, names, graph, block, "Continuous output")
            .and_then(|()| text.write_char('.')),
        Placement::AtomicOutput => atomic_line(&mut text, names, graph, block, "output", "size"),
        Placement::AtomicWorkspace => {
            atomic_line(&mut text, names, graph, block, "ordinary workspace", "size")
        }
        Placement::AtomicFusionWorkspace => {
            text.push_str("[AtomicClean]");
            atomic_line(&mut text, names, graph, block, "fusion workspace", "ssize")
        }
    };
    text
}

fn set_line(text: &mut String, names: &Interner, graph: &str, block: &Block) -> core::fmt::Result {
    write!(
        text,
        "[IMAS]Set {graph} name[{}] optype[{}] {}[{}] offset to [{}] streamid[",
        names.get(block.node),
        names.get(block.op_type),
        block.io.word(),
        block.index,
        block.offset
    )?;
    write!(text, "{}", block.stream.unwrap_or(0))?;
    if let Some(raw) = block.stream_of_op {
        write!(text, "--{raw}")?;
    }
    write!(
        text,
        "] memtype[{}] size[{}] realsize[{}] noalignsize[{}] life time begin[{}",
        block.memory_type,
        block.size,
        block.real_size,
        block.no_align_size.unwrap_or_default(),
        block.life_begin.unwrap_or(0)
    )?;
    if let Some(node) = block.life_begin_node {
        write!(text, "--{node}")?;
    }
    text.push_str("] life time end[");
    for (at, end) in block.life_ends.as_slice().iter().enumerate() {
        if at > 0 {
            text.push_str("--");
        }
        write!(text, "{end}")?;
    }
    let flags = block.flags;
    write!(
        text,
        "] child[{}:{}:{}:{}:{}] isref[{}] batch[{}]",
        flags.child_level,
        u8::from(flags.reuse),
        u8::from(flags.continuous),
        u8::from(flags.zero_copy),
        u8::from(flags.same_stream),
        u8::from(block.is_ref),
        names.get(block.batch)
    )?;
    if !is_pool(block) {
        write!(text, ", block_type[{}]", names.get(block.block_type))?;
    }
    Ok(())
}

/// The buffer-pool assigner prints the same text with all numbers 0 and without `block_type`.
fn is_pool(block: &Block) -> bool {
    block.life_ends.as_slice() == [0] && !block.flags.same_stream
}

fn moved_line(
    text: &mut String,
    names: &Interner,
    graph: &str,
    block: &Block,
    what: &str,
) -> core::fmt::Result {
    write!(
        text,
        "[IMAS]{what} : Set {graph} name[{}] optype[{}] output[{}] offset to [{}] stream_id[{}] memtype[{}] \
         size[{}] realsize[{}] nopadding[{}]",
        names.get(block.node),
        names.get(block.op_type),
        block.index,
        block.offset,
        block.stream.unwrap_or(0),
        block.memory_type,
        block.size,
        block.real_size,
        block.no_padding.unwrap_or(0)
    )
}

fn atomic_line(
    text: &mut String,
    names: &Interner,
    graph: &str,
    block: &Block,
    what: &str,
    size: &str,
) -> core::fmt::Result {
    // Of an ordinary workspace GE prints the end (plog grammar, `imas.atomic_ws`).
    let shown = match block.placement {
        Placement::AtomicWorkspace => block.offset.end(block.size),
        _ => block.offset,
    };
    write!(
        text,
        "[IMAS]Atomic {what} : Set {graph} name[{}] optype[{}] {}[{}] offset to [{}] stream_id[{}] memtype[{}] \
         {size}[{}] real_size[{}] batch[{}].",
        names.get(block.node),
        names.get(block.op_type),
        block.io.word(),
        block.index,
        shown,
        block.stream.unwrap_or(0),
        block.memory_type,
        block.size,
        block.real_size,
        names.get(block.batch)
    )
}

fn summary_line(names: &Interner, graph: &str, summary: &Summary) -> String {
    let (input, output) = summary.io_reuse.unwrap_or_default();
    alloc::format!(
        "[IMAS]AfterAssignMemory : {graph} memoffset[{}], memtype[{}], theory_min[{}], zero_copy[{}], \
         total_size[{}], no_reuse[{}], streams[{}], topo_mode[{}], mop[{}], io_reuse[{input}:{output}], \
         alloc_mode[{}], smp[{}]",
        summary.after_reuse.unwrap_or_default(),
        summary.memory_type,
        summary.theory_min.unwrap_or_default(),
        summary.zero_copy.unwrap_or_default(),
        summary.total.unwrap_or_default(),
        summary.no_reuse.unwrap_or_default(),
        summary.streams.unwrap_or(0),
        names.get(summary.topo_mode),
        names.get(summary.memory_policy),
        names.get(summary.alloc_mode),
        names.get(summary.static_policy)
    )
}

fn clean_line(names: &Interner, graph: &str, clean: &CleanRanges) -> String {
    let mut text = alloc::format!(
        "[AtomicClean][IMAS]AppendAttrsToMemSetOp : Set {graph} atomic_node name[{}] optype[{}] workspace[0] \
         offset to [",
        names.get(clean.node),
        names.get(clean.op_type)
    );
    for (offset, _) in &clean.ranges {
        let _ = write!(text, "{offset} ");
    }
    let _ = write!(text, "] streamid[{}] size[", clean.stream);
    for (_, size) in &clean.ranges {
        let _ = write!(text, "{size} ");
    }
    text.push(']');
    text
}
