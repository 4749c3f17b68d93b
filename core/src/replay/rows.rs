//! The rows that GE prints of a layout, in its order (static allocator S0.6).

use alloc::vec::Vec;

use crate::intern::{Interner, Name};
use crate::model::static_graph::{Block as Row, BlockFlags, Io, LifeEnds, Placement};
use crate::replay::assign::{Assigner, Zero};
use crate::replay::block::{LIFE_DEFAULT, Member, TAG_ATOMIC, TAG_DATA};
use crate::replay::facts::Kind;
use crate::replay::layout;
use crate::replay::memory;
use crate::replay::net::NodeId;
use crate::replay::offsets::Offsets;
use crate::replay::plan::Plan;
use crate::span::Span;
use crate::units::{Bytes, Offset};

/// Names of the tag texts, by tag bits.
pub(crate) struct TagNames([Name; 4]);

impl TagNames {
    /// Interns the texts.
    pub(crate) fn new(names: &mut Interner) -> TagNames {
        let both = names.intern("data concentrate_atomic ");
        TagNames([Name::EMPTY, names.intern("data "), names.intern("concentrate_atomic "), both])
    }

    fn of(&self, tags: u8) -> Name {
        self.0[usize::from(tags & (TAG_DATA | TAG_ATOMIC))]
    }
}

/// The rows of a top-level block and everything in it.
pub(crate) fn of_block(assigner: &Assigner, tags: &TagNames, top: u32, rows: &mut Vec<Row>) {
    let store = &assigner.store;
    for (number, level) in layout::nested(store, &assigner.plan.net.model.names, top as usize) {
        let block = &store.blocks[number];
        for member in store.of(number) {
            let begin = member.begin();
            rows.push(Row {
                size: Bytes(block.size),
                real_size: Bytes(member.real),
                no_align_size: Some(Bytes(member.no_align)),
                offset: offset(block.head),
                memory_type: block.memory_type,
                life_begin: Some(begin),
                life_begin_node: (begin != member.node_id).then_some(member.node_id),
                life_ends: member.printed_ends().into_iter().collect(),
                flags: BlockFlags {
                    child_level: level,
                    reuse: block.reuse,
                    continuous: block.continuous,
                    zero_copy: block.zero_copy,
                    same_stream: block.same_stream,
                },
                is_ref: member.is_ref,
                batch: block.batch,
                block_type: tags.of(member.tags),
                ..of_member(assigner.plan, member)
            });
        }
    }
}

fn of_member(plan: &Plan, member: &Member) -> Row {
    let raw = plan.net.nodes[member.node].raw_stream;
    let stream = plan.streams[member.node];
    Row {
        stream: Some(stream),
        stream_of_op: (raw != stream).then_some(raw),
        ..plain(plan, Placement::Set, member.node, member.io, member.index)
    }
}

/// The row of an output or workspace without memory of its own; `None` where GE prints none.
pub(crate) fn of_zero(plan: &Plan, tags: &TagNames, zero: &Zero) -> Option<Row> {
    let node = &plan.net.nodes[zero.node];
    let kind = node.facts.kind;
    let is_variable =
        matches!(kind, Kind::Variable | Kind::Constant | Kind::FileConstant | Kind::ConstPlaceHolder);
    let output = node.facts.outputs.get(zero.index).filter(|_| zero.io == Io::Output);
    if is_variable && output.is_some_and(|output| output.variable.is_none()) {
        return None;
    }
    let id = plan.ids[zero.node];
    let begins_at_end = zero.io == Io::Output && kind == Kind::PartitionedCall;
    let begin = if begins_at_end { LIFE_DEFAULT } else { id };
    let is_cleared = zero.io == Io::Output && plan.is_cleared(node.first_out + zero.index);
    let bits = if kind.is_data_like() { TAG_DATA } else { 0 } | if is_cleared { TAG_ATOMIC } else { 0 };
    let stream = plan.streams[zero.node];
    Some(Row {
        stream: Some(stream),
        stream_of_op: (node.raw_stream != stream).then_some(node.raw_stream),
        no_align_size: Some(Bytes::ZERO),
        life_begin: Some(begin),
        life_begin_node: (begin != id).then_some(id),
        life_ends: LifeEnds::One(LIFE_DEFAULT),
        flags: BlockFlags { reuse: true, same_stream: true, ..BlockFlags::default() },
        batch: Name::EMPTY,
        block_type: tags.of(bits),
        ..plain(plan, Placement::Set, zero.node, zero.io, zero.index)
    })
}

/// A row that says nothing but whose output or workspace it is.
pub(crate) fn plain(plan: &Plan, placement: Placement, node: NodeId, io: Io, index: usize) -> Row {
    let of = &plan.net.nodes[node];
    Row {
        placement,
        node: of.name,
        op_type: of.op_type,
        io,
        index: i32::try_from(index).unwrap_or(-1),
        offset: Offset(0),
        stream: Some(of.raw_stream),
        stream_of_op: None,
        memory_type: memory::HBM,
        size: Bytes::ZERO,
        real_size: Bytes::ZERO,
        no_align_size: None,
        life_begin: None,
        life_begin_node: None,
        life_ends: LifeEnds::Unknown,
        flags: BlockFlags::default(),
        is_ref: false,
        batch: of.facts.batch,
        block_type: Name::EMPTY,
        no_padding: None,
        cut: false,
        span: Span::default(),
    }
}

/// The rows of a continuous row's members, once its block has a place (S6.5).
///
/// The block counts into which the row was put first, even if packing has since moved the member that
/// stands for it into a clone.
pub(crate) fn of_groups(assigner: &Assigner, tags: &TagNames, offsets: &mut Offsets, rows: &mut Vec<Row>) {
    let plan = assigner.plan;
    for (group, &block) in plan.groups.rows.iter().zip(&assigner.group_block) {
        let Some(block) = assigner.store.blocks.get(block as usize) else { continue };
        let mut at = offset(block.head).0;
        for &(member, size) in &group.members {
            let (node, index) = plan.net.output(member);
            offsets.set_output(node, index, at);
            let data = plan.net.nodes[node].facts.kind.is_data_like();
            let bits = if data { TAG_DATA } else { 0 } | if plan.is_cleared(member) { TAG_ATOMIC } else { 0 };
            rows.push(Row {
                offset: Offset(at),
                real_size: Bytes(size),
                no_padding: Some(0),
                batch: Name::EMPTY,
                block_type: tags.of(bits),
                ..plain(plan, Placement::ContinuousInput, node, Io::Output, index)
            });
            at = at.saturating_add_unsigned(size);
        }
    }
}

fn offset(head: u64) -> Offset {
    Offset(i64::try_from(head).unwrap_or(i64::MAX))
}
