//! Puts the lines of pools together: which return belongs to which hand-out, which kernel used the
//! block, and what the pool itself had to take for it.
//!
//! Pool, supplier and kernel each print their own line; what joins them is the thread and the
//! address (plog grammar, chapter 5). Knows nothing of peaks or verdicts.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::facts::pool::{Line, Says};
use crate::intern::Name;
use crate::model::allocation::PhysicalPages;
use crate::model::pool::{
    Allocator, AllocatorId, Block, Event, Family, Holding, Limit, Outcome, Pools, Refusal, Step, Summary,
    Supply, Tensor,
};
use crate::span::Span;
use crate::units::{Address, Bytes};

/// Spans that a refusal keeps; a long chain of retries repeats itself.
const REFUSAL_SPANS: usize = 16;

/// Pools being put together.
#[derive(Default)]
pub(super) struct Building {
    pools: Pools,
    places: HashMap<AllocatorId, usize>,
    threads: HashMap<i64, Thread>,
    /// Live blocks of each allocator.
    live: HashMap<(usize, Address), u32>,
    /// The latest block at an address, handed out by a pool that kernels use.
    latest: HashMap<Address, (usize, u32)>,
    /// The kernel's use of an address that is not over.
    in_use: HashMap<Address, (usize, u32)>,
    /// Blocks of the level below, by host object, and who took them.
    level_blocks: HashMap<Address, (usize, Bytes)>,
    /// Blocks of the device, by address, and who took them.
    device_blocks: HashMap<Address, (usize, Bytes)>,
    /// What each allocator holds: from suppliers, and in physical pages.
    held: Vec<(Bytes, Bytes)>,
    /// Physical pages of the process after the last page line.
    pages_total: Bytes,
    /// The page size was read off the growth of that total.
    page_by_growth: bool,
}

/// What a thread has said that belongs to the next pool line.
#[derive(Default)]
struct Thread {
    level: Vec<(Address, Bytes)>,
    device: Vec<(Option<Address>, Bytes)>,
    pages: bool,
    backed: Option<Bytes>,
    page: Option<Bytes>,
    /// The line of the last of these.
    span: Span,
    /// Size of a block whose device-level line is still to come.
    announced: Option<Bytes>,
    /// Host object of the last block that the first level handed out.
    first_level_object: Address,
    /// The expandable pool that worked here last.
    expandable: Option<usize>,
    refusal: Option<Refusal>,
    step: Option<usize>,
}

impl Building {
    /// Hand-outs and returns so far.
    pub(super) fn events(&self) -> u32 {
        self.pools.event_count
    }

    /// Takes a physical page of the process.
    pub(super) fn page(&mut self, page: &PhysicalPages) {
        let growth = page.total.saturating_sub(self.pages_total);
        self.pages_total = page.total;
        if growth > Bytes::ZERO {
            self.threads.entry(page.tid).or_default().pages = true;
            let smaller = self.pools.page.is_none_or(|(known, _)| self.page_by_growth && growth < known);
            if smaller {
                self.pools.page = Some((growth, page.span));
                self.page_by_growth = true;
            }
        }
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: Line) {
        match line.says {
            Says::Created(supplier) => {
                let place = self.place(line.allocator.unwrap_or(AllocatorId::UNNAMED), line.span);
                let known = &mut self.pools.allocators[place].supplier;
                *known = supplier.or(*known);
            }
            Says::PageSize { page, in_use } => {
                if in_use {
                    let thread = self.threads.entry(line.tid).or_default();
                    thread.page = Some(page);
                    thread.span = line.span;
                } else if self.page_by_growth || self.pools.page.is_none_or(|(known, _)| page < known) {
                    self.pools.page = Some((page, line.span));
                    self.page_by_growth = false;
                }
            }
            Says::HandedOut { address, asked, given, object } => {
                let place = self.pool_line(&line);
                let thread = self.threads.entry(line.tid).or_default();
                if self.pools.allocators[place].id.family == Family::Rts {
                    thread.first_level_object = object;
                }
                self.recovered(&line, asked);
                self.hand_out(place, address, asked, given, line.span);
            }
            Says::TakenBack { address, peak } => {
                let place = self.pool_line(&line);
                self.take_back(place, address);
                let printed = &mut self.pools.allocators[place].printed_peak;
                if printed.is_none_or(|(known, _)| peak > known) {
                    *printed = Some((peak, line.span));
                }
            }
            Says::Level { taken, object, size } if taken => {
                let thread = self.threads.entry(line.tid).or_default();
                thread.level.push((object, size));
                thread.announced = Some(size);
                thread.span = line.span;
            }
            Says::Level { object, .. } => self.level_return(object, line.span),
            Says::DeviceBlock { taken, object, size } if taken => {
                let thread = self.threads.entry(line.tid).or_default();
                if thread.announced.take() == Some(size) {
                    return;
                }
                if object == thread.first_level_object {
                    thread.level.push((object, size));
                } else {
                    thread.device.push((None, size));
                }
                thread.span = line.span;
            }
            Says::DeviceBlock { object, .. } => self.level_return(object, line.span),
            Says::DeviceTaken { address, size } => {
                let thread = self.threads.entry(line.tid).or_default();
                thread.device.push((address, size));
                thread.announced = Some(size);
                thread.span = line.span;
            }
            Says::DeviceFree(address) => {
                if let Some((place, size)) = self.device_blocks.remove(&address) {
                    self.held[place].0 = self.held[place].0.saturating_sub(size);
                    self.holding(place, line.span);
                }
            }
            Says::Backed(total) => {
                let thread = self.threads.entry(line.tid).or_default();
                thread.backed = Some(total);
                thread.span = line.span;
            }
            Says::Released(total) => {
                let place = self.threads.get(&line.tid).and_then(|thread| thread.expandable);
                if let Some(place) = place {
                    self.held[place].1 = total;
                    self.holding(place, line.span);
                }
            }
            Says::Summary { counts, total, new_va, real_theory_min, theory_min } => {
                let place = self.pool_line(&line);
                let at = self.pools.event_count;
                self.pools.allocators[place].summaries.push(Summary {
                    at,
                    supplier_counts: (counts.0.into(), counts.1.into()),
                    total,
                    new_va,
                    real_theory_min,
                    theory_min,
                    span: line.span,
                    ..Summary::default()
                });
            }
            Says::Counters(allocs, frees, recycles) => {
                if let Some(summary) = self.open_summary(&line) {
                    summary.counts = Some((allocs, frees, recycles));
                }
            }
            Says::Spans { using, count, total } => {
                if let Some(summary) = self.open_summary(&line) {
                    let sum = if using { &mut summary.using } else { &mut summary.freed };
                    *sum = Some((count, total));
                }
            }
            Says::KernelAlloc { .. } => self.kernel_alloc(&line),
            Says::KernelFree { kernel, address } => {
                self.pools.kernel_lines.frees += 1;
                self.kernel_free(kernel, address);
            }
            Says::Recycled { borrowed, address } => self.recycled(borrowed, address),
            Says::Mark { start } => self.mark(start, &line),
            Says::OverLimit { held, asked, limit } => {
                let refusal = self.refusal(&line);
                refusal.size = refusal.size.or(Some(asked));
                refusal.limit = refusal.limit.or(Some(Limit { held, added: asked, most: limit }));
            }
            Says::FirstTry(time) => {
                let refusal = self.refusal(&line);
                refusal.time = refusal.time.or(time);
            }
            Says::SupplierRefused { size } => {
                let refusal = self.refusal(&line);
                refusal.size = refusal.size.or(Some(size));
                refusal.by_device = true;
            }
            Says::GaveUp { kernel, size } => {
                let refusal = self.refusal(&line);
                refusal.kernel = kernel;
                refusal.size = Some(size);
                refusal.outcome = Outcome::Failed;
                let thread = self.threads.entry(line.tid).or_default();
                self.pools.refusals.extend(thread.refusal.take());
            }
        }
    }

    /// The pools, all lines taken.
    pub(super) fn finish(mut self) -> Pools {
        let mut open: Vec<(i64, Refusal)> =
            self.threads.into_iter().filter_map(|(tid, thread)| Some((tid, thread.refusal?))).collect();
        open.sort_by_key(|(tid, refusal)| (refusal.spans.first().copied(), *tid));
        self.pools.refusals.extend(open.into_iter().map(|(_, refusal)| refusal));
        if self.pools.kernel_lines.recycles == 0
            && let Some(&place) = self.places.get(&AllocatorId::UNNAMED)
        {
            end_with_kernels(&mut self.pools.allocators[place]);
        }
        self.pools.allocators.sort_by_key(|allocator| allocator.id);
        self.pools
    }

    fn place(&mut self, id: AllocatorId, span: Span) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.held.push((Bytes::ZERO, Bytes::ZERO));
            self.pools.allocators.push(Allocator {
                id,
                first: span,
                supplier: None,
                blocks: Vec::new(),
                events: Vec::new(),
                tensors: Vec::new(),
                holdings: Vec::new(),
                supply: Supply::Unknown,
                page: None,
                summaries: Vec::new(),
                printed_peak: None,
                returns: 0,
                returns_unmatched: 0,
            });
            self.pools.allocators.len() - 1
        })
    }

    /// The allocator of a pool line. What its thread took before was taken for it.
    fn pool_line(&mut self, line: &Line) -> usize {
        let place = self.place(line.allocator.unwrap_or(AllocatorId::UNNAMED), line.span);
        let thread = self.threads.entry(line.tid).or_default();
        let allocator = &mut self.pools.allocators[place];
        if let Some(page) = thread.page.take() {
            allocator.page = Some((page, thread.span));
        }
        if thread.level.is_empty() && thread.device.is_empty() && thread.backed.is_none() {
            thread.pages = false;
            return place;
        }
        thread.announced = None;
        let span = thread.span;
        let (level, device) = (core::mem::take(&mut thread.level), core::mem::take(&mut thread.device));
        let (pages, backed) = (core::mem::take(&mut thread.pages), thread.backed.take());
        if pages || backed.is_some() {
            thread.expandable = Some(place);
            allocator.supply = Supply::Pages;
        } else if !device.is_empty() {
            allocator.supply = allocator.supply.max(Supply::Device);
        } else {
            allocator.supply = allocator.supply.max(Supply::Level);
        }
        for (object, size) in level {
            self.level_blocks.insert(object, (place, size));
            self.held[place].0 += size;
            self.holding(place, span);
        }
        if let Some(total) = backed {
            // The pages that the device gave for it are in this total.
            self.held[place].1 = total;
            self.holding(place, span);
            return place;
        }
        for (address, size) in device {
            if pages {
                self.held[place].1 += size;
            } else {
                self.held[place].0 += size;
                self.device_blocks.extend(address.map(|address| (address, (place, size))));
            }
            self.holding(place, span);
        }
        place
    }

    fn holding(&mut self, place: usize, span: Span) {
        let (supplied, physical) = self.held[place];
        let (at, held) = (self.pools.event_count, supplied + physical);
        let holdings = &mut self.pools.allocators[place].holdings;
        if holdings.last().is_none_or(|last| last.held != held) {
            holdings.push(Holding { at, held, span });
        }
    }

    fn level_return(&mut self, object: Address, span: Span) {
        if let Some((place, size)) = self.level_blocks.remove(&object) {
            self.held[place].0 = self.held[place].0.saturating_sub(size);
            self.holding(place, span);
        }
    }

    fn open_summary(&mut self, line: &Line) -> Option<&mut Summary> {
        let place = self.place(line.allocator.unwrap_or(AllocatorId::UNNAMED), line.span);
        self.pools.allocators[place].summaries.last_mut()
    }

    fn ordinal(&mut self) -> u32 {
        let at = self.pools.event_count;
        self.pools.event_count = at.saturating_add(1);
        at
    }

    fn hand_out(&mut self, place: usize, address: Address, asked: Bytes, given: Bytes, span: Span) -> u32 {
        if let Some(&lost) = self.live.get(&(place, address)) {
            self.pools.allocators[place].blocks[lost as usize].end_lost = true;
            self.end(place, address);
        }
        let at = self.ordinal();
        let allocator = &mut self.pools.allocators[place];
        let block = allocator.blocks.len() as u32;
        allocator.blocks.push(Block { address, asked, given, begin: at, end: None, end_lost: false, span });
        allocator.events.push(Event { at, block, handed_out: true });
        self.live.insert((place, address), block);
        if allocator.id.family != Family::Rts {
            self.latest.insert(address, (place, block));
        }
        block
    }

    fn take_back(&mut self, place: usize, address: Address) {
        self.pools.allocators[place].returns += 1;
        if !self.end(place, address) {
            self.pools.allocators[place].returns_unmatched += 1;
        }
    }

    /// Ends the live block at an address; `false` where there is none.
    fn end(&mut self, place: usize, address: Address) -> bool {
        let Some(block) = self.live.remove(&(place, address)) else { return false };
        let at = self.ordinal();
        let allocator = &mut self.pools.allocators[place];
        allocator.blocks[block as usize].end = Some(at);
        allocator.events.push(Event { at, block, handed_out: false });
        if self.latest.get(&address) == Some(&(place, block)) {
            self.latest.remove(&address);
        }
        if let Some(&(user, tensor)) = self.in_use.get(&address)
            && user == place
        {
            self.pools.allocators[place].tensors[tensor as usize].pool_free = Some(at);
            self.in_use.remove(&address);
        }
        true
    }

    fn kernel_alloc(&mut self, line: &Line) {
        let Says::KernelAlloc { kernel, stream, index, object, address, size, tensor_size, host } = line.says
        else {
            return;
        };
        self.pools.kernel_lines.allocs += 1;
        let unnamed = self.places.get(&AllocatorId::UNNAMED);
        let of_pool = |known: &&(usize, u32)| unnamed != Some(&known.0);
        let (place, block) = match self.latest.get(&address).filter(of_pool) {
            Some(&known) => known,
            // Host memory comes from an allocator that prints no pool lines.
            None if host => return,
            None => {
                let place = self.place(AllocatorId::UNNAMED, line.span);
                (place, self.hand_out(place, address, tensor_size.unwrap_or(size), size, line.span))
            }
        };
        let at = self.pools.event_count;
        let mut begin = self.pools.allocators[place].blocks[block as usize].begin;
        if let Some((user, tensor)) = self.in_use.remove(&address) {
            // The block is used again without a return in between: it was lent to another stream.
            let earlier = &mut self.pools.allocators[user].tensors[tensor as usize];
            if user == place && earlier.block == Some(block) {
                begin = at;
            }
            earlier.pool_free = Some(at);
        }
        let tensors = &mut self.pools.allocators[place].tensors;
        self.in_use.insert(address, (place, tensors.len() as u32));
        tensors.push(Tensor {
            kernel,
            freed_by: Name::EMPTY,
            stream,
            index,
            object,
            address,
            size,
            tensor_size,
            begin,
            kernel_free: None,
            pool_free: None,
            block: Some(block),
            span: line.span,
        });
    }

    fn kernel_free(&mut self, kernel: Name, address: Address) {
        let Some(&(place, tensor)) = self.in_use.get(&address) else { return };
        // Without pool lines the drop is an event of its own.
        let unnamed = self.pools.allocators[place].id == AllocatorId::UNNAMED;
        let at = if unnamed { self.ordinal() } else { self.pools.event_count };
        let tensor = &mut self.pools.allocators[place].tensors[tensor as usize];
        tensor.kernel_free = Some(at);
        tensor.freed_by = kernel;
    }

    fn recycled(&mut self, borrowed: bool, address: Address) {
        self.pools.kernel_lines.recycles += 1;
        let Some(&(place, tensor)) = self.in_use.get(&address) else { return };
        if borrowed {
            let at = self.pools.event_count;
            self.pools.allocators[place].tensors[tensor as usize].pool_free = Some(at);
        } else if self.pools.allocators[place].id == AllocatorId::UNNAMED {
            self.pools.allocators[place].returns += 1;
            self.end(place, address);
        }
    }

    fn mark(&mut self, start: bool, line: &Line) {
        let thread = self.threads.entry(line.tid).or_default();
        let at = self.pools.event_count;
        if start {
            thread.step = Some(self.pools.steps.len());
            self.pools.steps.push(Step { tid: line.tid, begin: at, end: None, span: line.span });
        } else if let Some(step) = thread.step.take() {
            self.pools.steps[step].end = Some(at);
        }
    }

    /// The open refusal of the line's thread. A refusal of the first level belongs to the request
    /// of the pool above it.
    fn refusal(&mut self, line: &Line) -> &mut Refusal {
        let thread = self.threads.entry(line.tid).or_default();
        let refusal = thread.refusal.get_or_insert_with(|| Refusal {
            allocator: line.allocator.unwrap_or(AllocatorId::UNNAMED),
            kernel: Name::EMPTY,
            size: None,
            limit: None,
            by_device: false,
            outcome: Outcome::Unknown,
            time: None,
            spans: Vec::new(),
        });
        if let Some(id) = line.allocator
            && matches!(refusal.allocator.family, Family::Rts | Family::Unnamed)
        {
            refusal.allocator = id;
        }
        if refusal.spans.len() < REFUSAL_SPANS {
            refusal.spans.push(line.span);
        }
        refusal
    }

    /// A hand-out by the pool that was refused: the second try succeeded.
    fn recovered(&mut self, line: &Line, asked: Bytes) {
        let Some(thread) = self.threads.get_mut(&line.tid) else { return };
        let Some(refusal) = thread.refusal.as_mut() else { return };
        let by = refusal.allocator;
        if Some(by) == line.allocator || by == AllocatorId::UNNAMED {
            refusal.allocator = line.allocator.unwrap_or(by);
            refusal.size = Some(asked);
            refusal.outcome = Outcome::Recovered;
            refusal.spans.push(line.span);
            self.pools.refusals.extend(thread.refusal.take());
        }
    }
}

/// Kernel lines without recycle lines: the last drop is all that is known of the return.
fn end_with_kernels(allocator: &mut Allocator) {
    for tensor in &mut allocator.tensors {
        let (Some(at), Some(number)) = (tensor.kernel_free, tensor.block) else { continue };
        let Some(block) = allocator.blocks.get_mut(number as usize) else { continue };
        block.end = Some(at);
        block.end_lost = false;
        tensor.pool_free = Some(at);
        allocator.returns += 1;
    }
    allocator.events.retain(|event| event.handed_out);
    let ends = (0u32..).zip(&allocator.blocks).filter_map(|(block, b)| Some((block, b.end?)));
    allocator.events.extend(ends.map(|(block, at)| Event { at, block, handed_out: false }));
    allocator.events.sort_by_key(|event| event.at);
}
