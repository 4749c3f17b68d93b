//! Blocks and their members, and the arithmetic of their life times (static allocator S3.2, S3.3).
//!
//! A block is one piece of memory; members use it one after the other. Knows no graph.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::model::static_graph::Io;
use crate::replay::net::NodeId;
use crate::replay::size::align;
use crate::replay::stream::LIFE_MAX;

/// "End not set."
pub(crate) const LIFE_DEFAULT: u32 = LIFE_MAX - 1;
/// Tag: a model input (S5.8).
pub(crate) const TAG_DATA: u8 = 1;
/// Tag: cleared centrally before use (S5.8).
pub(crate) const TAG_ATOMIC: u8 = 2;

/// One user of a block.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub node: NodeId,
    pub io: Io,
    pub index: usize,
    pub is_ref: bool,
    /// The member appended next is a reference to this one's memory.
    pub next_is_ref: bool,
    pub begin: u32,
    pub node_id: u32,
    /// An output of a PartitionedCall, which begins at its own end (S3.2).
    pub begins_at_end: bool,
    pub end: u32,
    /// Ends seen on other streams, ascending.
    pub ends_on: Vec<(i64, u32)>,
    /// Per stream (out time, end time), until the release.
    pub out: Vec<(i64, (u32, u32))>,
    pub out_streams: usize,
    pub symbol_end: u32,
    /// End of the references behind it, printed when no foreign end is.
    pub ref_end: Option<u32>,
    pub real: u64,
    pub no_align: u64,
    pub tags: u8,
    pub continuous: bool,
    pub first: bool,
    pub last: bool,
    /// Stands for a virtual block and sets no offset (S9).
    pub placeholder: bool,
}

impl Member {
    fn has_early_begin(&self) -> bool {
        self.begin > 0 && self.begin < self.node_id
    }

    /// Effective begin; sorting uses [`Member::sort_begin`].
    pub(crate) fn begin(&self) -> u32 {
        if self.has_early_begin() {
            self.begin
        } else if self.begins_at_end {
            self.end
        } else {
            self.node_id
        }
    }

    /// Begin for sorting.
    pub(crate) fn sort_begin(&self) -> u32 {
        if self.has_early_begin() { self.begin } else { self.node_id }
    }

    /// The ends as printed (S3.6).
    pub(crate) fn printed_ends(&self) -> Vec<u32> {
        let mut ends: Vec<u32> =
            self.ends_on.iter().map(|&(_, end)| end).filter(|&end| end != self.end).collect();
        let foreign = !ends.is_empty();
        ends.push(self.end);
        if let Some(end) = self.ref_end.filter(|&end| !foreign && end != self.end && end != LIFE_DEFAULT) {
            ends.push(end);
        }
        ends
    }
}

/// One piece of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Members in the order of use, as numbers in the assigner's table.
    pub members: Vec<u32>,
    /// Blocks packed into this one.
    pub children: Vec<u32>,
    /// Parts of a virtual block (S9).
    pub parts: Vec<u32>,
    /// Virtual blocks of other batch labels laid over this one (S9).
    pub overlays: BTreeMap<Name, Vec<u32>>,
    pub size: u64,
    pub stream: i64,
    pub memory_type: u64,
    pub reuse: bool,
    pub post_reuse: bool,
    pub same_stream: bool,
    pub zero_copy: bool,
    pub reuse_zero_copy: bool,
    pub continuous: bool,
    pub first: bool,
    pub last: bool,
    pub child: bool,
    pub same_offset: bool,
    pub stream_prior: bool,
    pub multi: bool,
    pub is_virtual: bool,
    pub batch: Name,
    pub tags: u8,
    /// Readers still to come.
    pub readers: i64,
    /// Bytes of children packed so far.
    pub used: u64,
    /// Aligned largest real size, cached until the next member (S18.1).
    pub aligned: Option<u64>,
    pub symbols: Vec<u32>,
    pub head: u64,
    /// The input of a continuous node it was recorded for.
    pub input: usize,
}

/// All blocks and members of one candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub members: Vec<Member>,
    pub blocks: Vec<Block>,
}

impl Blocks {
    /// The last member of a block.
    pub(crate) fn last(&self, block: usize) -> Option<&Member> {
        self.blocks[block].members.last().map(|&m| &self.members[m as usize])
    }

    /// The first member of a block.
    pub(crate) fn first(&self, block: usize) -> Option<&Member> {
        self.blocks[block].members.first().map(|&m| &self.members[m as usize])
    }

    fn last_mut(&mut self, block: usize) -> Option<&mut Member> {
        let &member = self.blocks[block].members.last()?;
        Some(&mut self.members[member as usize])
    }

    /// The members of a block in order.
    pub(crate) fn of(&self, block: usize) -> impl DoubleEndedIterator<Item = &Member> + '_ {
        self.blocks[block].members.iter().map(|&m| &self.members[m as usize])
    }

    /// Adds a member at the end of a block (S5.3).
    pub(crate) fn append(&mut self, block: usize, member: Member) {
        if member.is_ref
            && let Some(last) = self.last_mut(block)
        {
            last.next_is_ref = true;
        }
        let number = self.members.len() as u32;
        let to = &mut self.blocks[block];
        to.members.push(number);
        to.aligned = None;
        to.tags |= member.tags;
        self.members.push(member);
    }

    /// `set_end` of S3.3.
    pub(crate) fn set_end(&mut self, block: usize, time: u32, stream: i64) {
        let own = self.blocks[block].stream;
        let Some(member) = self.last_mut(block) else { return };
        if stream == own {
            if member.end == LIFE_DEFAULT || time > member.end {
                member.end = time;
            }
            return;
        }
        match member.ends_on.binary_search_by_key(&stream, |&(s, _)| s) {
            Ok(at) => member.ends_on[at].1 = member.ends_on[at].1.max(time),
            Err(at) => member.ends_on.insert(at, (stream, time)),
        }
        if member.end == LIFE_DEFAULT {
            member.end = LIFE_MAX;
        }
    }

    /// `set_out` of S3.3.
    pub(crate) fn set_out(&mut self, block: usize, out_time: u32, mut end_time: u32, stream: i64) {
        let Some(member) = self.last_mut(block) else { return };
        if member.symbol_end != LIFE_DEFAULT && end_time < member.symbol_end {
            end_time = member.symbol_end;
        }
        if end_time < out_time {
            end_time = LIFE_MAX;
        }
        match member.out.binary_search_by_key(&stream, |&(s, _)| s) {
            Ok(at) => {
                let (out, end) = &mut member.out[at].1;
                *out = (*out).max(out_time);
                *end = (*end).max(end_time);
            }
            Err(at) => {
                member.out.insert(at, (stream, (out_time, end_time)));
                member.out_streams = member.out_streams.max(member.out.len());
            }
        }
    }

    /// `set_symbol_end` of S3.3.
    pub(crate) fn set_symbol_end(&mut self, block: usize, time: u32) {
        if let Some(member) = self.last_mut(block)
            && (member.symbol_end == LIFE_DEFAULT || time > member.symbol_end)
        {
            member.symbol_end = time;
        }
    }

    /// The block is one whole piece of continuous memory.
    pub(crate) fn mark_whole(&mut self, block: usize) {
        (self.blocks[block].first, self.blocks[block].last) = (true, true);
        if let Some(member) = self.last_mut(block) {
            (member.first, member.last) = (true, true);
        }
    }

    /// At least so many streams read the last member.
    pub(crate) fn raise_out_streams(&mut self, block: usize, count: usize) {
        if let Some(member) = self.last_mut(block) {
            member.out_streams = member.out_streams.max(count);
        }
    }

    /// `finish_end` of S3.7, then the end of a block that may not come back.
    pub(crate) fn finish(&mut self, block: usize, stream: i64, for_ever: bool) {
        let own = self.blocks[block].stream;
        let prior = self.blocks[block].stream_prior;
        let Some(member) = self.last_mut(block) else { return };
        let out = core::mem::take(&mut member.out);
        if let [(key, (out_time, end_time))] = out[..] {
            if own != key && end_time == LIFE_MAX {
                self.set_end(block, out_time, stream);
            } else {
                self.set_end(block, end_time, own);
            }
            if prior && own != stream {
                self.set_end(block, out_time, stream);
            }
        } else {
            let end = out.iter().map(|&(_, (_, end))| end).max().unwrap_or(0);
            if end == LIFE_MAX {
                self.blocks[block].same_stream = false;
            }
            self.set_end(block, end, own);
        }
        if for_ever {
            if let Some(member) = self.last_mut(block) {
                member.ends_on.clear();
            }
            self.set_end(block, LIFE_MAX, own);
        }
        self.blocks[block].multi = false;
    }

    /// `life_end` of S3.3.
    pub(crate) fn life_end(&self, block: usize, stream: i64) -> u32 {
        let Some(member) = self.last(block) else { return LIFE_MAX };
        if member.out_streams == 1
            && let [(on, end)] = member.ends_on[..]
            && on == stream
        {
            return end;
        }
        member.end
    }

    /// `life_end2` of S3.3: the end and the stream it is told on.
    pub(crate) fn life_end_on(&self, block: usize, stream: i64) -> (u32, i64) {
        let own = self.blocks[block].stream;
        let Some(member) = self.last(block) else { return (LIFE_MAX, own) };
        match member.ends_on[..] {
            [(on, end)] if member.out_streams == 1 => {
                if on == stream || stream != own {
                    (end, on)
                } else {
                    (LIFE_MAX, own)
                }
            }
            _ => (member.end, own),
        }
    }

    /// The aligned largest real size; kept until the next member is added, even if members leave (S18.1).
    pub(crate) fn aligned(&mut self, block: usize) -> u64 {
        if let Some(aligned) = self.blocks[block].aligned {
            return aligned;
        }
        let aligned = align(self.largest_real(block));
        self.blocks[block].aligned = Some(aligned);
        aligned
    }

    /// Largest real size of the members.
    pub(crate) fn largest_real(&self, block: usize) -> u64 {
        self.of(block).map(|member| member.real).max().unwrap_or(0)
    }

    /// Largest size of the members without alignment.
    pub(crate) fn largest_no_align(&self, block: usize) -> u64 {
        self.of(block).map(|member| member.no_align).max().unwrap_or(0)
    }

    /// Sets `ref_end` of members that references follow (S3.6).
    pub(crate) fn note_ref_ends(&mut self, block: usize) {
        let members = core::mem::take(&mut self.blocks[block].members);
        let mut run_end: Option<u32> = None;
        for (at, &number) in members.iter().enumerate().rev() {
            let member = &mut self.members[number as usize];
            if member.is_ref {
                if run_end.is_none() {
                    run_end = Some(member.end);
                }
                continue;
            }
            if member.next_is_ref {
                let follows = members.get(at + 1).is_some() && run_end.is_some();
                member.ref_end = if follows { run_end } else { Some(member.end) };
            }
            run_end = None;
        }
        self.blocks[block].members = members;
    }
}

/// Whether two sets of tags exclude each other (S5.8).
pub(crate) fn tags_conflict(a: u8, b: u8) -> bool {
    (a & TAG_DATA != 0 && b & TAG_ATOMIC != 0) || (a & TAG_ATOMIC != 0 && b & TAG_DATA != 0)
}
