//! The walk over the nodes: gives every output and workspace a block (static allocator S5.2 to S5.5).
//!
//! One candidate's work; packing blocks into blocks by life time comes after it ([`super::pack`]),
//! giving blocks back is [`super::release`]'s.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::model::static_graph::Io;
use crate::replay::block::{Block, Blocks, LIFE_DEFAULT, Member, TAG_ATOMIC, TAG_DATA, tags_conflict};
use crate::replay::candidate::{Classes, Way};
use crate::replay::facts::{Engine, Kind};
use crate::replay::memory;
use crate::replay::net::{NONE, NodeId};
use crate::replay::plan::Plan;
use crate::replay::range::Ranges;
use crate::replay::size::{DESCRIPTOR_BYTES, align};
use crate::replay::stat::Stats;
use crate::replay::stream::{LIFE_MAX, LIFE_MIN, Slot};

/// An output or workspace without memory of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zero {
    pub node: NodeId,
    pub io: Io,
    pub index: usize,
}

/// Blocks recorded for the inputs of a padding-continuous node (S6.2).
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub node: NodeId,
    /// (input, block), one entry an input.
    pub blocks: BTreeMap<usize, u32>,
}

/// What to place.
pub(crate) struct Request {
    pub node: NodeId,
    pub io: Io,
    pub index: usize,
    pub real: u64,
    pub no_align: u64,
    pub continuous: bool,
    pub memory_type: u64,
    pub zero_copy: bool,
    pub op_reuse: bool,
}

/// One candidate at work.
pub(crate) struct Assigner<'p, 'a, 'm> {
    pub plan: &'p Plan<'a, 'm>,
    pub way: Way,
    pub store: Blocks,
    /// The block list; packing sorts and shortens it.
    pub list: Vec<u32>,
    pub zeros: Vec<Zero>,
    pub stats: Stats,
    pub symbol_block: Vec<u32>,
    /// Sizes of symbols; continuous memory changes them.
    pub symbol_size: Vec<u64>,
    /// The block that each row of continuous outputs and inputs was put into.
    pub group_block: Vec<u32>,
    /// Continuous nodes in the order first met (S17.2).
    pub tables: Vec<Table>,
    /// The last attempt to pack a block took members out of it, or its flags.
    pub(super) split: bool,
    table_of: Vec<u32>,
    descriptor_block: BTreeMap<usize, u32>,
    pub(super) reusable: BTreeMap<(u64, i64), Vec<u32>>,
    pub(super) queues: BTreeMap<(u64, i64), Vec<u32>>,
    pub(super) life_time: u32,
    pub(super) life_begin: u32,
    pub(super) life_end: u32,
    pub(super) separate_clean: bool,
    pub(super) op_reuse: bool,
}

impl<'p, 'a, 'm> Assigner<'p, 'a, 'm> {
    /// An assigner that has placed nothing.
    pub(crate) fn new(plan: &'p Plan<'a, 'm>, way: Way) -> Self {
        let symbols = plan.symbols.len();
        let mut stats = Stats::new();
        for (&memory_type, &theory) in &plan.initial_theory {
            stats.entry(memory_type).or_default().theory += theory;
        }
        Assigner {
            plan,
            way,
            store: Blocks::default(),
            list: Vec::new(),
            zeros: Vec::new(),
            stats,
            symbol_block: alloc::vec![NONE; symbols],
            symbol_size: plan.facts.iter().map(|facts| facts.size).collect(),
            group_block: alloc::vec![NONE; plan.groups.rows.len()],
            tables: Vec::new(),
            split: false,
            table_of: alloc::vec![NONE; plan.net.nodes.len()],
            descriptor_block: BTreeMap::new(),
            reusable: BTreeMap::new(),
            queues: BTreeMap::new(),
            life_time: 0,
            life_begin: 0,
            life_end: 0,
            separate_clean: false,
            op_reuse: true,
        }
    }

    /// Walks all nodes.
    pub(crate) fn walk(&mut self) {
        let plan = self.plan;
        for &node in &plan.order {
            if !plan.options.disable_reuse {
                self.release_queues();
            }
            self.life_time = plan.ids[node];
            self.op_reuse = !plan.options.is_never_reused(plan.net, node);
            self.place_outputs(node);
            self.place_workspaces(node);
            self.release_inputs(node);
        }
        let blocks = self.store.blocks.len();
        for block in 0..blocks {
            self.store.note_ref_ends(block);
        }
    }

    /// How many streams touched the memory of a type (S8.5).
    pub(crate) fn streams_of(&self, memory_type: u64) -> u64 {
        self.reusable.keys().filter(|&&(of, _)| of == memory_type).count() as u64
    }

    fn place_outputs(&mut self, node: NodeId) {
        let net = self.plan.net;
        for out in net.outs(node) {
            self.life_begin = self.plan.ids[node];
            self.life_end = 0;
            self.separate_clean = false;
            if let Some((row, leads)) = self.plan.groups.of(out) {
                self.place_row(node, out, row, leads);
                return;
            }
            if self.has_no_memory(node, out) {
                self.add_zero(node, out);
                continue;
            }
            let feeding = self.feed(node, out);
            if !feeding.continuous && net.is_padding_out(node) {
                self.place_continuous_output(node);
                return;
            }
            self.request_output(node, out, &feeding);
        }
    }

    pub(super) fn add_zero(&mut self, node: NodeId, out: usize) {
        let index = out - self.plan.net.nodes[node].first_out;
        self.zeros.push(Zero { node, io: Io::Output, index });
    }

    /// S4.1.
    fn has_no_memory(&self, node: NodeId, out: usize) -> bool {
        let net = self.plan.net;
        let facts = &net.nodes[node].facts;
        let (_, index) = net.output(out);
        let Some(symbol) = self.plan.symbol_of(out) else { return true };
        let in_pool = facts.pool.is_some_and(|(_, size)| size > 0) && !net.unknown_root;
        if facts.kind.never_placed() || in_pool || facts.outputs[index].requested == 0 {
            return true;
        }
        if self.is_later_input(node, out) || self.is_central_atomic_output(node, out) {
            return true;
        }
        let named = self.plan.symbols.named(out).is_some_and(|named| self.plan.facts[named].no_assign);
        if facts.outputs[index].assigned_variable.is_some() || named {
            return true;
        }
        if self.symbol_block[symbol] != NONE {
            return false;
        }
        self.plan.symbols.flagged_ref(net, out).is_some() || self.stands_for_constant(node)
    }

    /// An atomic output that gets its place in the atomic pass (S4.1 rule 5).
    fn is_central_atomic_output(&self, node: NodeId, out: usize) -> bool {
        let net = self.plan.net;
        let facts = &net.nodes[node].facts;
        facts.is_atomic
            && !facts.clean_in_task
            && facts.is_atomic_output(net.output(out).1)
            && !net.is_padding_out(node)
            && !facts.nopadding_output
            && !self.feeds_continuous(out)
            && !self.plan.is_zero_copy(out, false, 0)
    }

    /// A sub-graph Data whose parent input is a constant or variable.
    fn stands_for_constant(&self, node: NodeId) -> bool {
        let net = self.plan.net;
        let mut node = node;
        if !net.is_sub_data(node) {
            return false;
        }
        for _ in 0..net.graphs.len() {
            let source = net.parent_of(node).and_then(|parent| {
                let index = net.nodes[node].facts.parent_index? as usize;
                net.producer_of(net.ins(parent).nth(index)?)
            });
            let Some(out) = source else { return false };
            (node, _) = net.output(out);
            if !net.is_sub_data(node) {
                break;
            }
        }
        let kind = net.nodes[node].facts.kind;
        kind.is_variable_like()
            || matches!(kind, Kind::Const | Kind::Constant | Kind::FileConstant | Kind::ConstPlaceHolder)
    }

    /// The size of a block for a request.
    pub(super) fn block_size(&self, size: u64) -> u64 {
        match self.way.classes {
            Classes::None => align(size),
            Classes::Binary => Ranges::ceiling(&self.plan.ranges.ceilings, size),
            Classes::Max => Ranges::ceiling(&[self.plan.ranges.max], size),
        }
    }

    fn request_output(&mut self, node: NodeId, out: usize, feeding: &super::continuous::Feeding) {
        let plan = self.plan;
        let net = plan.net;
        let Some(symbol) = plan.symbol_of(out) else { return };
        let (_, index) = net.output(out);
        let facts = &net.nodes[node].facts;
        let (requested, no_align) = (facts.outputs[index].requested, facts.outputs[index].unpadded);
        let fan = net.consumers[out].len() as i64;
        let existing = self.symbol_block[symbol];
        let block = if existing != NONE {
            let block = existing as usize;
            self.append_ref(block, node, out, requested, no_align);
            let to = &mut self.store.blocks[block];
            to.reuse = to.reuse && !facts.no_reuse && self.op_reuse;
            if fan == 0 {
                to.readers += 1;
            }
            block
        } else {
            let (mut real, mut no_align) = (self.symbol_size[symbol], no_align);
            if self.separate_clean {
                real = self.separate_clean_total(out);
                no_align = real;
                self.symbol_size[symbol] = real;
            }
            let zero_copy = plan.is_zero_copy(out, feeding.continuous, no_align);
            let block = self.place(Request {
                node,
                io: Io::Output,
                index,
                real,
                no_align,
                continuous: feeding.continuous && !self.separate_clean,
                memory_type: plan.facts[symbol].memory_type,
                zero_copy,
                op_reuse: self.op_reuse,
            });
            let separate_clean = self.separate_clean;
            let to = &mut self.store.blocks[block];
            to.same_offset = facts.same_offset;
            to.zero_copy |= plan.is_zero_copy(out, feeding.continuous || to.continuous, no_align);
            to.readers += fan.max(i64::from(plan.facts[symbol].linked_inputs));
            if separate_clean {
                self.store.mark_whole(block);
            }
            block
        };
        self.record_feeding(block, feeding);
        let feeds_switch = facts.kind.is_data_like() && self.feeds_switch(out);
        let whole_output = facts.nopadding_output && facts.output_reuse_input;
        let to = &mut self.store.blocks[block];
        to.reuse_zero_copy &= plan.facts[symbol].reuse_zero_copy
            && feeding.reuse_zero_copy
            && !net.is_padding_out(node)
            && !whole_output
            && !feeds_switch;
        if feeds_switch && !plan.options.feature_base_refreshable {
            to.zero_copy = false;
        }
        self.store.raise_out_streams(block, feeding.streams.len());
        self.symbol_block[symbol] = block as u32;
        self.suspend_unread(block);
        if facts.outputs[index].no_tiling {
            self.place_descriptor(node, symbol, index);
        }
    }

    fn feeds_switch(&self, out: usize) -> bool {
        self.plan.net.consumers[out].iter().any(|&anchor| {
            let reader = self.plan.net.in_node[anchor as usize] as usize;
            matches!(self.plan.net.nodes[reader].facts.kind, Kind::StreamSwitch | Kind::LabelSwitchByIndex)
        })
    }

    fn append_ref(&mut self, block: usize, node: NodeId, out: usize, requested: u64, no_align: u64) {
        self.correct_theory(block, node);
        let size = self.block_size(requested);
        let to = &mut self.store.blocks[block];
        to.size = to.size.max(size);
        let own = to.stream;
        let exit = self.exit_life(node, out);
        self.store.set_symbol_end(block, exit);
        self.store.set_end(block, self.life_time, own);
        let symbol_end = self.store.last(block).map_or(LIFE_DEFAULT, |last| last.symbol_end);
        let index = out - self.plan.net.nodes[node].first_out;
        let mut member = self.member(node, Io::Output, index);
        member.is_ref = true;
        member.symbol_end = symbol_end;
        member.real = requested;
        member.no_align = no_align;
        self.store.append(block, member);
    }

    /// S8.2.
    fn correct_theory(&mut self, block: usize, node: NodeId) {
        let is_call = |node: NodeId| self.plan.net.nodes[node].facts.kind == Kind::PartitionedCall;
        let Some(last) = self.store.last(block) else { return };
        if is_call(last.node) && !is_call(node) {
            let (real, reuse) = (last.real, self.store.blocks[block].reuse);
            let memory_type = self.store.blocks[block].memory_type;
            self.stats.entry(memory_type).or_default().count(real, reuse);
        }
    }

    fn place_descriptor(&mut self, node: NodeId, symbol: usize, index: usize) {
        if let Some(&block) = self.descriptor_block.get(&symbol) {
            let mut member = self.member(node, Io::OutputDesc, index);
            member.is_ref = true;
            member.begin = 0;
            (member.real, member.no_align) = (DESCRIPTOR_BYTES, DESCRIPTOR_BYTES);
            self.store.append(block as usize, member);
            return;
        }
        let block = self.place(Request {
            node,
            io: Io::OutputDesc,
            index,
            real: DESCRIPTOR_BYTES,
            no_align: DESCRIPTOR_BYTES,
            continuous: false,
            memory_type: memory::HBM,
            zero_copy: false,
            op_reuse: false,
        });
        self.descriptor_block.insert(symbol, block as u32);
    }

    fn place_workspaces(&mut self, node: NodeId) {
        let net = self.plan.net;
        let facts = &net.nodes[node].facts;
        for (index, &bytes) in net.nodes[node].workspaces.iter().enumerate() {
            let on_core = matches!(facts.tvm_workspace_type.get(index), Some(&(memory::L1 | memory::UB)));
            let is_atomic =
                !facts.clean_in_task && facts.atomic_workspaces.iter().any(|&(of, _)| of as usize == index);
            if bytes == 0 || on_core || is_atomic {
                self.zeros.push(Zero { node, io: Io::Workspace, index });
                continue;
            }
            self.life_begin = self.plan.ids[node];
            self.life_end = 0;
            let block = self.place(Request {
                node,
                io: Io::Workspace,
                index,
                real: bytes,
                no_align: bytes,
                continuous: false,
                memory_type: workspace_type(facts, index),
                zero_copy: false,
                op_reuse: self.op_reuse,
            });
            let fussy = matches!(facts.kind, Kind::StreamSwitch | Kind::LabelSwitchByIndex)
                || matches!(facts.engine, Engine::Dsa | Engine::Hccl | Engine::Custom);
            let to = &mut self.store.blocks[block];
            to.reuse_zero_copy &= !fussy;
            to.readers += 1;
            if to.reuse {
                let key = (to.memory_type, self.plan.streams[node]);
                self.queues.entry(key).or_default().push(block as u32);
            }
        }
    }

    pub(super) fn member(&self, node: NodeId, io: Io, index: usize) -> Member {
        let facts = &self.plan.net.nodes[node].facts;
        let mut tags = if facts.kind.is_data_like() { TAG_DATA } else { 0 };
        if io == Io::Output && self.plan.is_cleared(self.plan.net.nodes[node].first_out + index) {
            tags |= TAG_ATOMIC;
        }
        Member {
            node,
            io,
            index,
            is_ref: false,
            next_is_ref: false,
            begin: self.life_begin,
            node_id: self.plan.ids[node],
            begins_at_end: io == Io::Output && facts.kind == Kind::PartitionedCall,
            end: LIFE_DEFAULT,
            ends_on: Vec::new(),
            out: Vec::new(),
            out_streams: 1,
            symbol_end: LIFE_DEFAULT,
            ref_end: None,
            real: 0,
            no_align: 0,
            tags,
            continuous: false,
            first: false,
            last: false,
            placeholder: false,
        }
    }

    /// S5.3: a block for one buffer, an old one where that is allowed.
    pub(super) fn place(&mut self, request: Request) -> usize {
        let plan = self.plan;
        let (node, index) = (request.node, request.index);
        let facts = &plan.net.nodes[node].facts;
        let is_output = request.io == Io::Output;
        let out = plan.net.nodes[node].first_out + index;
        let symbol = is_output.then(|| plan.symbol_of(out)).flatten();
        let slot = plan.slots.get(&node).and_then(|slots| slots.get(index)).copied().unwrap_or(Slot::Own);
        let stream = match slot {
            Slot::Stream(stream) => stream,
            Slot::Own | Slot::Conflict => plan.streams[node],
        };
        let pre = !is_output || symbol.is_some_and(|symbol| plan.facts[symbol].pre);
        let post = symbol.is_none_or(|symbol| plan.facts[symbol].post);
        let kept_workspace = request.io == Io::Workspace
            && (facts.workspace_reuse.get(index) == Some(&false) || request.memory_type == memory::SESSION);
        let no_reuse = facts.no_reuse || kept_workspace;
        let cascade = plan.cascade[node];
        if no_reuse || !pre {
            self.life_begin = LIFE_MIN;
        } else if request.io != Io::Workspace && cascade < self.life_begin {
            self.life_begin = cascade;
        }
        if is_output && !post {
            self.life_end = LIFE_MAX;
        }
        let twin = is_output && plan.twins[out];
        let reuse = slot != Slot::Conflict
            && !plan.options.disable_reuse
            && request.io != Io::OutputDesc
            && !facts.l2_fusion
            && !no_reuse
            && request.op_reuse;
        let size = self.block_size(request.real);
        let batch = facts.batch;
        let mut member = self.member(node, request.io, index);
        let may_take = reuse && pre && !request.continuous && !request.zero_copy && !twin;
        let key = (request.memory_type, stream);
        let released = self.reusable.entry(key).or_default();
        let first_first = self.way.first_released_first || plan.net.first_released_first;
        let taken = may_take
            .then(|| pick(&self.store, released, first_first, size, batch, member.tags, self.life_begin))
            .flatten();
        let block = match taken {
            Some(at) => released.remove(at) as usize,
            None => {
                self.list.push(self.store.blocks.len() as u32);
                self.store.blocks.push(Block {
                    size,
                    stream,
                    memory_type: request.memory_type,
                    reuse,
                    post_reuse: true,
                    same_stream: true,
                    zero_copy: request.zero_copy,
                    reuse_zero_copy: true,
                    ..Block::default()
                });
                self.store.blocks.len() - 1
            }
        };
        member.real = request.real;
        member.no_align = request.no_align;
        member.continuous = request.continuous;
        let to = &mut self.store.blocks[block];
        if is_output {
            to.symbols.extend(symbol.map(|symbol| symbol as u32));
            to.post_reuse &= post;
            to.stream_prior = symbol.is_some_and(|symbol| plan.facts[symbol].stream_prior);
        }
        to.same_stream = to.same_stream && to.stream == stream && !twin;
        to.continuous |= request.continuous;
        to.batch = batch;
        to.reuse = to.reuse && (to.post_reuse || pre);
        let counted = to.reuse;
        self.store.append(block, member);
        if self.life_end != 0 {
            let end = if self.life_end == LIFE_MAX { LIFE_DEFAULT } else { self.life_end };
            self.store.set_end(block, end, stream);
            self.store.set_symbol_end(block, self.life_end);
        }
        if self.counts(batch) && facts.kind != Kind::PartitionedCall && (!counted || pre) {
            self.stats.entry(request.memory_type).or_default().count(request.real, counted);
        }
        block
    }

    /// Only the branch that needs most is counted.
    pub(super) fn counts(&self, batch: Name) -> bool {
        batch == Name::EMPTY || batch == self.plan.ranges.max_label
    }

    /// The table of a continuous node, made when first met.
    pub(super) fn table(&mut self, node: NodeId) -> &mut Table {
        if self.table_of[node] == NONE {
            self.table_of[node] = self.tables.len() as u32;
            self.tables.push(Table { node, blocks: BTreeMap::new() });
        }
        &mut self.tables[self.table_of[node] as usize]
    }
}

/// S5.5: the first fitting block of the released ones.
fn pick(
    store: &Blocks,
    released: &[u32],
    first_first: bool,
    size: u64,
    batch: Name,
    tags: u8,
    life_begin: u32,
) -> Option<usize> {
    let fits = |&at: &usize| {
        let number = released[at] as usize;
        let block = &store.blocks[number];
        block.size == size
            && !block.continuous
            && !block.zero_copy
            && block.batch == batch
            && !tags_conflict(block.tags, tags)
            && !block.stream_prior
            && block.reuse
            && !block.child
            && (life_begin == 0 || life_begin > store.life_end(number, block.stream))
    };
    if first_first { (0..released.len()).find(fits) } else { (0..released.len()).rev().find(fits) }
}

fn workspace_type(facts: &super::facts::Facts, index: usize) -> u64 {
    if facts.workspace_type.get(index).is_some_and(|&t| u64::try_from(t) == Ok(memory::P2P_DDR)) {
        memory::P2P_DDR
    } else if facts.workspace_scope.get(index) == Some(&1) {
        memory::SESSION
    } else {
        memory::HBM
    }
}
