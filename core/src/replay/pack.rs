//! Packing blocks into blocks by life time (static allocator S5.6), and putting the blocks of a continuous
//! input one behind the other (S6.3).

use alloc::vec::Vec;

use crate::replay::assign::{Assigner, Table};
use crate::replay::block::{Block, tags_conflict};
use crate::replay::introsort;
use crate::replay::size::ALIGN;

/// Blocks nest no deeper.
const DEEPEST: u32 = 100;

/// Packs the block list of a candidate.
pub(crate) fn pack(assigner: &mut Assigner) {
    let list = core::mem::take(&mut assigner.list);
    let mut list: Vec<Entry> = list.into_iter().map(|block| assigner.entry(block)).collect();
    let memory_priority = assigner.plan.options.memory_priority;
    sort(&mut list, 0);
    let mut clones = Vec::new();
    let mut i = 0;
    while i < list.len() {
        let parent = list[i].block as usize;
        if assigner.store.blocks[parent].child {
            i += 1;
            continue;
        }
        let mut j = i + 1;
        while j < list.len() {
            let candidate = list[j].block as usize;
            if assigner.is_before_clean(parent, candidate) {
                j += 1;
                continue;
            }
            assigner.try_add(parent, candidate, &mut clones, 0, false);
            if core::mem::take(&mut assigner.split) {
                list[j] = assigner.entry(candidate as u32);
            }
            if !clones.is_empty() {
                let mut smallest = assigner.store.aligned(parent);
                for &clone in &clones {
                    smallest = smallest.min(assigner.store.aligned(clone as usize));
                }
                let behind = j + 1 + clones.len();
                let entries: Vec<Entry> = clones.drain(..).map(|clone| assigner.entry(clone)).collect();
                list.splice(j + 1..j + 1, entries);
                let next = list.get(behind).map(|next| assigner.store.aligned(next.block as usize));
                if memory_priority || next.is_some_and(|next| smallest < next) {
                    sort(&mut list, j + 1);
                }
            }
            j += 1;
        }
        i += 1;
    }
    assigner.list = list.into_iter().map(|entry| entry.block).collect();
}

/// A block with what the packing order is decided by: the smaller key comes first.
#[derive(Clone, Copy)]
struct Entry {
    key: u128,
    block: u32,
}

/// Sorts a part of the list, large blocks first.
fn sort(list: &mut [Entry], from: usize) {
    if let Some(part) = list.get_mut(from..) {
        introsort::sort_by(part, |l, r| l.key < r.key);
    }
}

impl Assigner<'_, '_, '_> {
    /// The key in one number: size, then members and begin, or begin alone in descending mode.
    fn entry(&mut self, block: u32) -> Entry {
        let number = block as usize;
        let size = if self.store.blocks[number].continuous {
            self.store.largest_no_align(number)
        } else {
            self.store.aligned(number)
        };
        let begin = self.store.first(number).map_or(0, |first| first.sort_begin());
        let rest = if self.way.ascending {
            let members = self.store.blocks[number].members.len() as u64;
            (members << 32) | u64::from(begin)
        } else {
            u64::from(!begin)
        };
        Entry { key: (u128::from(!size) << 64) | u128::from(rest), block }
    }

    /// A block of the time before the last clean node may not go into continuous memory.
    fn is_before_clean(&self, parent: usize, candidate: usize) -> bool {
        self.store.blocks[parent].continuous
            && self.store.first(candidate).is_some_and(|first| first.node_id < self.plan.last_clean)
    }

    /// Puts `candidate` into `parent` or one of its children, splitting it where only some members fit.
    ///
    /// The answer is GE's, which is "yes" for some refusals too (S18.4).
    fn try_add(
        &mut self,
        parent: usize,
        candidate: usize,
        clones: &mut Vec<u32>,
        depth: u32,
        inner: bool,
    ) -> bool {
        let depth = depth + 1;
        let (p, c) = (&self.store.blocks[parent], &self.store.blocks[candidate]);
        if !p.reuse
            || (p.child && !inner)
            || !c.reuse
            || c.child
            || p.batch != c.batch
            || p.memory_type != c.memory_type
            || depth > DEEPEST
            || !c.children.is_empty()
        {
            return false;
        }
        let whole = |block: &Block| block.first || block.last || block.continuous;
        let (p_copy, c_copy) = (p.zero_copy, c.zero_copy);
        let mixed = (p_copy && whole(c)) || (c_copy && whole(p));
        let continuous = p.continuous || c.continuous;
        let apart = self.after(parent, candidate) || self.after(candidate, parent);
        if mixed {
            return false;
        }
        if continuous {
            if apart {
                self.add_continuous(parent, candidate);
            }
            return true;
        }
        if p_copy || c_copy {
            if apart {
                self.add_zero_copy(parent, candidate);
            }
            return true;
        }
        if !apart && !self.interval(parent, candidate, clones) {
            return false;
        }
        for at in 0..self.store.blocks[parent].children.len() {
            let child = self.store.blocks[parent].children[at] as usize;
            if self.try_add(child, candidate, clones, depth, true) {
                return true;
            }
        }
        let size = self.store.aligned(candidate);
        let room = self.store.aligned(parent) + if size == ALIGN { 0 } else { ALIGN };
        if self.store.blocks[parent].used + size > room {
            return false;
        }
        self.adopt(parent, candidate, size);
        true
    }

    fn adopt(&mut self, parent: usize, child: usize, size: u64) {
        let reuse_zero_copy = self.store.blocks[child].reuse_zero_copy;
        self.store.blocks[child].child = true;
        let parent = &mut self.store.blocks[parent];
        parent.children.push(child as u32);
        parent.used += size;
        parent.reuse_zero_copy &= reuse_zero_copy;
    }

    /// Whether `later` may begin after `earlier` has ended.
    fn after(&self, earlier: usize, later: usize) -> bool {
        let (a, b) = (&self.store.blocks[earlier], &self.store.blocks[later]);
        let Some(first) = self.store.first(later) else { return false };
        let first_out = self.plan.net.nodes[first.node].first_out + first.index;
        if first.io == crate::model::static_graph::Io::Output && self.plan.twins[first_out] {
            return false;
        }
        if tags_conflict(a.tags, b.tags) {
            return false;
        }
        let begin = first.begin();
        if a.stream == b.stream {
            return begin > self.store.life_end(earlier, b.stream);
        }
        let proved = self.plan.windows.proved_before(b.stream, a.stream, begin);
        let tail = self.store.last(earlier).map_or(0, |last| last.node_id);
        if tail == 0 || proved < tail {
            return false;
        }
        if !self.way.mode {
            return proved > self.store.life_end(earlier, b.stream);
        }
        let (end, on) = self.store.life_end_on(earlier, b.stream);
        if on == b.stream {
            begin > end
        } else if on != a.stream && on != -1 {
            self.plan.windows.proved_before(b.stream, on, begin) >= end
        } else {
            proved > end
        }
    }

    /// Splits a candidate: members that cross the parent's move to a clone. True if any stayed.
    fn interval(&mut self, parent: usize, candidate: usize, clones: &mut Vec<u32>) -> bool {
        let (p, c) = (&self.store.blocks[parent], &self.store.blocks[candidate]);
        let held = |block| self.store.last(block).is_none_or(|last| !last.ends_on.is_empty());
        if p.stream != c.stream
            || !p.same_stream
            || !c.same_stream
            || held(parent)
            || held(candidate)
            || tags_conflict(p.tags, c.tags)
        {
            return false;
        }
        let mut stays = Vec::new();
        let mut moves = Vec::new();
        let mut crossed = false;
        for (at, &number) in c.members.iter().enumerate() {
            if !self.store.members[number as usize].is_ref {
                crossed = self.overlaps(parent, candidate, at);
            }
            if crossed { &mut moves } else { &mut stays }.push(number);
        }
        let any = !stays.is_empty();
        if moves.is_empty() {
            return any;
        }
        self.split = true;
        let flags = stays.iter().map(|&n| &self.store.members[n as usize]);
        let flags = flags.fold((false, false, false), |(continuous, first, last), member| {
            (continuous || member.continuous, first || member.first, last || member.last)
        });
        if any {
            let clone = self.clone_with(candidate, moves);
            clones.push(clone);
        } else {
            stays = moves;
        }
        let tags = stays.iter().fold(0, |tags, &n| tags | self.store.members[n as usize].tags);
        let c = &mut self.store.blocks[candidate];
        (c.continuous, c.first, c.last) = flags;
        c.members = stays;
        c.tags = tags;
        any
    }

    fn clone_with(&mut self, of: usize, members: Vec<u32>) -> u32 {
        let tags = members.iter().fold(0, |tags, &n| tags | self.store.members[n as usize].tags);
        let of = &self.store.blocks[of];
        let clone = Block {
            members,
            size: of.size,
            stream: of.stream,
            memory_type: of.memory_type,
            reuse: of.reuse,
            post_reuse: of.post_reuse,
            same_stream: of.same_stream,
            zero_copy: of.zero_copy,
            reuse_zero_copy: of.reuse_zero_copy,
            same_offset: of.same_offset,
            batch: of.batch,
            readers: of.readers,
            input: of.input,
            tags,
            ..Block::default()
        };
        self.store.blocks.push(clone);
        (self.store.blocks.len() - 1) as u32
    }

    /// Whether a member of the candidate crosses any member of the parent, its references included.
    fn overlaps(&self, parent: usize, candidate: usize, at: usize) -> bool {
        let store = &self.store;
        let members = &store.blocks[candidate].members;
        let member = |n: u32| &store.members[n as usize];
        let (Some(first), Some(last)) = (store.first(parent), store.last(parent)) else { return false };
        let t = member(members[at]);
        let crosses = |t: &crate::replay::block::Member| {
            store.of(parent).any(|y| {
                let (earlier, later) = if y.begin() <= t.begin() { (y, t) } else { (t, y) };
                earlier.end >= later.begin() || earlier.begin() == later.begin()
            })
        };
        let outside = t.end < first.begin() || t.begin() > last.end;
        if !outside && crosses(t) {
            return true;
        }
        t.next_is_ref && members[at + 1..].iter().map(|&n| member(n)).take_while(|r| r.is_ref).any(crosses)
    }

    fn add_zero_copy(&mut self, target: usize, block: usize) {
        let (rt, rb) = (self.store.largest_real(target), self.store.largest_real(block));
        let (at, ab) = (self.store.aligned(target), self.store.aligned(block));
        let (t, b) = (&self.store.blocks[target], &self.store.blocks[block]);
        let too_large = (t.zero_copy && rt < rb) || (b.zero_copy && rt > rb);
        let both = t.zero_copy && b.zero_copy;
        if both || too_large || tags_conflict(t.tags, b.tags) {
            return;
        }
        let equal = t.used == 0 && b.used == 0 && rb == rt;
        let (parent, child, size) = if (t.used + ab <= rt || equal) && t.zero_copy {
            (target, block, ab)
        } else if (b.used + at <= rb || equal) && b.zero_copy && at == ab && t.children.is_empty() {
            (block, target, at)
        } else {
            return;
        };
        if self.store.blocks[parent].zero_copy && !self.store.blocks[child].reuse_zero_copy {
            return;
        }
        self.adopt(parent, child, size);
    }

    fn add_continuous(&mut self, target: usize, block: usize) {
        let (rt, rb) = (self.store.largest_no_align(target), self.store.largest_no_align(block));
        let (at, ab) = (self.store.aligned(target), self.store.aligned(block));
        let (t, b) = (&self.store.blocks[target], &self.store.blocks[block]);
        let too_large = (t.continuous && rt < rb) || (b.continuous && rt > rb);
        let both = t.continuous && b.continuous;
        if both || too_large || tags_conflict(t.tags, b.tags) {
            return;
        }
        if t.used + ab <= rt && t.continuous {
            self.adopt(target, block, ab);
        } else if b.used + at <= rb && b.continuous && at == ab && t.children.is_empty() {
            self.adopt(block, target, at);
        }
    }

    /// S6.3, in the order in which the hash map of the original is walked (S17.2).
    pub(crate) fn order_continuous(&mut self) {
        let ids: Vec<u64> = self.tables.iter().map(|t| u64::from(self.plan.ids[t.node])).collect();
        for at in hash_order(&ids) {
            let Table { node, blocks } = &self.tables[at];
            let row: Vec<u32> = blocks.values().copied().collect();
            let mut distinct = row.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if row.is_empty() || row.len() != self.plan.net.nodes[*node].ins || distinct.len() != row.len() {
                continue;
            }
            let store = &mut self.store;
            self.list.retain(|&block| {
                !store.blocks[block as usize].child && distinct.binary_search(&block).is_err()
            });
            self.list.extend(&row);
            if let (Some(&first), Some(&last)) = (row.first(), row.last()) {
                store.blocks[first as usize].first = true;
                store.blocks[last as usize].last = true;
            }
        }
    }
}

/// The order in which libstdc++'s `unordered_map` with identity hash is walked (S17.2).
fn hash_order(keys: &[u64]) -> Vec<usize> {
    let mut walk: Vec<usize> = Vec::new();
    let mut buckets = 1;
    for (at, &key) in keys.iter().enumerate() {
        if walk.len() as u64 + 1 > buckets {
            buckets = grown(walk.len() as u64 + 1, buckets);
            let old = core::mem::take(&mut walk);
            for element in old {
                insert(&mut walk, keys, element, keys[element], buckets);
            }
        }
        insert(&mut walk, keys, at, key, buckets);
    }
    walk
}

/// Front of the list for an empty bucket, otherwise the first of its bucket.
fn insert(walk: &mut Vec<usize>, keys: &[u64], element: usize, key: u64, buckets: u64) {
    let at = walk.iter().position(|&other| keys[other] % buckets == key % buckets).unwrap_or(0);
    walk.insert(at, element);
}

/// The next bucket count of libstdc++'s prime rehash policy that holds `needed` elements.
fn grown(needed: u64, current: u64) -> u64 {
    const COUNTS: [u64; 16] =
        [13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697];
    COUNTS.into_iter().find(|&count| count >= needed && count > current).unwrap_or(needed * 2 + 1)
}

#[cfg(test)]
mod tests {
    use super::hash_order;

    /// S17.2 and E19.
    #[test]
    fn hash_maps_are_walked_as_libstdcxx_does() {
        let walked = |keys: &[u64]| hash_order(keys).into_iter().map(|at| keys[at]).collect::<Vec<_>>();
        assert_eq!(walked(&[5, 2, 9, 17]), [17, 9, 2, 5]);
        assert_eq!(walked(&[5, 2, 9, 17, 44]), [17, 9, 2, 44, 5]);
        assert_eq!(walked(&[33, 40]), [40, 33]);
    }

    use alloc::vec::Vec;
}
