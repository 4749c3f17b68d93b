//! Device memory by class, the "total" view (analysis rules, R2; plog grammar 4.1 and 4.2).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::intern::{Interner, Name};
use crate::model::allocation::{Allocation, Allocations, Event, Layer};
use crate::span::Span;
use crate::units::{Address, Bytes};

/// Module ids of the driver (plog grammar 2.2).
mod module {
    pub const HCCL: u64 = 3;
    pub const RUNTIME: u64 = 7;
    pub const APP: u64 = 33;
    pub const GE: u64 = 45;
    /// A value above this is accounted as the application.
    pub const LAST: u64 = 77;
}

/// A class of the "total" view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// GE: feature maps of static graphs.
    StaticGraph,
    /// GE: pool of dynamic graphs.
    MemoryPool,
    /// GE: variables, constants, weights.
    Variable,
    /// GE: tasks of loaded models.
    ModelLoad,
    /// GE: other purposes.
    GeOther,
    /// Communication buffers.
    Hccl,
    /// The application's own allocations.
    App,
    /// The runtime's own.
    Runtime,
    /// Another module.
    Other(u64),
}

impl Class {
    /// Whether the class is a child of `GE`.
    pub fn is_ge(self) -> bool {
        matches!(
            self,
            Class::StaticGraph | Class::MemoryPool | Class::Variable | Class::ModelLoad | Class::GeOther
        )
    }
}

/// One class and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The class.
    pub class: Class,
    /// Bytes held at the end of the log.
    pub held: Bytes,
    /// Most bytes held at any moment.
    pub peak: Bytes,
    /// Bytes ever taken.
    pub taken: Bytes,
    /// Allocations.
    pub count: u32,
    /// The largest allocation's line.
    pub largest: Span,
}

/// The "total" view of one process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Total {
    /// Classes, largest peak first.
    pub rows: Vec<Row>,
    /// Most bytes held by all classes together at any moment, and the line of that moment.
    pub peak: Bytes,
    /// The allocation that led to the peak.
    pub peak_at: Option<Span>,
    /// Bytes held at the end of the log.
    pub held: Bytes,
    /// The lines counted: one layer only, so that nothing counts twice.
    pub layer: Option<Layer>,
    /// Allocations without an address: their frees can't be told, so they count as held.
    pub without_address: u32,
    /// Hand-outs of the first-level pool left out: their bytes are in "page caching".
    pub hand_outs: u32,
    /// Physical pages of expandable memory at their peak; part of [`Class::MemoryPool`] or shared
    /// with static graphs, by the static memory policy.
    pub pages: Option<(Bytes, Span)>,
}

impl Total {
    /// Bytes of `GE` and its children at their peaks.
    pub fn ge(&self) -> Bytes {
        self.rows.iter().filter(|row| row.class.is_ge()).map(|row| row.peak).sum()
    }
}

/// What a purpose text stands for.
enum Purpose {
    Class(Class),
    /// Host memory.
    Host,
    /// Hand-out from a pool whose pages are counted already.
    HandOut,
}

fn purpose(text: &str) -> Purpose {
    let text = text.trim_end_matches('.').trim_end();
    Purpose::Class(match text {
        "rt2 memory pool" => return Purpose::HandOut,
        "cce task physical memory" | "File buffer" => return Purpose::Host,
        "page caching" | "Memory for caching" => Class::MemoryPool,
        "feature map,used for op input and output"
        | "fixed_base_expandable_memory"
        | "malloc feature map memory on model execute" => Class::StaticGraph,
        "Auto malloc var and constant op memory" => Class::Variable,
        "davinci_model_load" => Class::ModelLoad,
        text if text.starts_with("weights memory") || text.starts_with("fileconstant memory") => {
            Class::Variable
        }
        text if text.starts_with("RT_MEMORY_") => Class::StaticGraph,
        _ => Class::GeOther,
    })
}

/// Classes of the allocations of one process.
///
/// The runtime's lines are counted where there are any, with the purpose of the GE line of the
/// same address or, failing that, of the same thread and size; otherwise GE's own lines.
pub fn total(allocations: &Allocations, names: &Interner) -> Total {
    let has = |layer| allocations.events.iter().any(|e| matches!(e, Event::Taken(a) if a.layer == layer));
    let layer = [Layer::Runtime, Layer::Ge, Layer::GePlain].into_iter().find(|&layer| has(layer));
    let mut sum = Sum { total: Total { layer, ..Total::default() }, ..Sum::default() };
    match layer {
        Some(Layer::Runtime) => count_runtime(allocations, names, &mut sum),
        Some(_) => count_ge(allocations, names, &mut sum),
        None => {}
    }
    if let Some(pages) = allocations.pages.iter().max_by_key(|p| p.total) {
        sum.total.pages = Some((pages.total, pages.span));
    }
    sum.finish()
}

fn count_runtime(allocations: &Allocations, names: &Interner, sum: &mut Sum) {
    let purposes = Purposes::new(allocations);
    for event in &allocations.events {
        match event {
            Event::Taken(taken) if taken.layer == Layer::Runtime => {
                let class = match taken.module_id {
                    Some(module::GE) | None => match purposes.of(taken).map(|p| purpose(names.get(p))) {
                        Some(Purpose::Class(class)) => class,
                        Some(Purpose::Host) => continue,
                        Some(Purpose::HandOut) | None => Class::GeOther,
                    },
                    Some(module::HCCL) => Class::Hccl,
                    Some(module::RUNTIME) => Class::Runtime,
                    Some(id) if id == module::APP || id > module::LAST => Class::App,
                    Some(id) => Class::Other(id),
                };
                sum.take(class, taken);
            }
            Event::Given(free) if free.layer == Layer::Runtime => sum.give(free.address),
            _ => {}
        }
    }
    sum.total.hand_outs = hand_outs(allocations, names);
}

fn count_ge(allocations: &Allocations, names: &Interner, sum: &mut Sum) {
    // The plain allocator prints two lines for one allocation; its own line counts only where the
    // one with the purpose is missing: sizes up to 1 KiB (plog grammar, `malloc.alloc`).
    const PURPOSE_FROM: Bytes = Bytes(1024);
    for event in &allocations.events {
        let taken = match event {
            Event::Taken(taken) => taken,
            Event::Given(free) => {
                // Only pools print the address of what they give back.
                if free.layer == Layer::Ge {
                    sum.give(free.address);
                }
                continue;
            }
        };
        let class = match taken.layer {
            Layer::Ge => match purpose(names.get(taken.purpose)) {
                Purpose::Class(class) => class,
                Purpose::Host => continue,
                Purpose::HandOut => {
                    sum.total.hand_outs += 1;
                    continue;
                }
            },
            Layer::GePlain if taken.size <= PURPOSE_FROM || sum.total.layer == Some(Layer::GePlain) => {
                Class::GeOther
            }
            _ => continue,
        };
        if taken.address == Some(Address(0)) {
            continue;
        }
        sum.take(class, taken);
    }
}

fn hand_outs(allocations: &Allocations, names: &Interner) -> u32 {
    let is_hand_out = |event: &&Event| {
        matches!(event, Event::Taken(a) if a.layer == Layer::Ge
            && matches!(purpose(names.get(a.purpose)), Purpose::HandOut))
    };
    allocations.events.iter().filter(is_hand_out).count() as u32
}

/// Purposes by address, and by thread and size for versions that print no address.
struct Purposes {
    by_address: HashMap<(Address, Bytes), Name>,
    by_thread: HashMap<(i64, Bytes), Name>,
}

impl Purposes {
    fn new(allocations: &Allocations) -> Purposes {
        let mut purposes = Purposes { by_address: HashMap::new(), by_thread: HashMap::new() };
        for event in &allocations.events {
            let Event::Taken(taken) = event else { continue };
            if taken.layer != Layer::Ge {
                continue;
            }
            match taken.address {
                Some(address) => purposes.by_address.insert((address, taken.size), taken.purpose),
                None => purposes.by_thread.insert((taken.tid, taken.size), taken.purpose),
            };
        }
        purposes
    }

    fn of(&self, taken: &Allocation) -> Option<Name> {
        let address = taken.address?;
        let by_address = self.by_address.get(&(address, taken.size));
        by_address.or_else(|| self.by_thread.get(&(taken.tid, taken.size))).copied()
    }
}

#[derive(Default)]
struct Sum {
    total: Total,
    rows: BTreeMap<Class, Row>,
    live: HashMap<Address, (Class, Bytes)>,
}

impl Sum {
    fn take(&mut self, class: Class, taken: &Allocation) {
        if let Some(address) = taken.address {
            // The same address again without a free in between: the free was lost.
            self.give(Some(address));
            self.live.insert(address, (class, taken.size));
        } else {
            self.total.without_address += 1;
        }
        let row = self.rows.entry(class).or_insert(Row {
            class,
            held: Bytes::ZERO,
            peak: Bytes::ZERO,
            taken: Bytes::ZERO,
            count: 0,
            largest: taken.span,
        });
        row.held += taken.size;
        row.peak = row.peak.max(row.held);
        row.taken += taken.size;
        row.count += 1;
        self.total.held += taken.size;
        if self.total.held > self.total.peak {
            self.total.peak = self.total.held;
            self.total.peak_at = Some(taken.span);
        }
    }

    fn give(&mut self, address: Option<Address>) {
        let Some((class, size)) = address.and_then(|a| self.live.remove(&a)) else { return };
        if let Some(row) = self.rows.get_mut(&class) {
            row.held = row.held.saturating_sub(size);
        }
        self.total.held = self.total.held.saturating_sub(size);
    }

    fn finish(self) -> Total {
        let mut total = self.total;
        total.rows = self.rows.into_values().collect();
        total.rows.sort_by_key(|row| core::cmp::Reverse(row.peak));
        total
    }
}
