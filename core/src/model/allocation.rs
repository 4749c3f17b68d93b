//! Device memory that a process took from the runtime (plog grammar chapter 4).

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// Who printed an allocation. One real allocation can be printed by several (plog grammar 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// GE with a purpose (`malloc.dyn`).
    Ge,
    /// GE's plain allocator, without purpose or address (`malloc.alloc`).
    GePlain,
    /// The runtime (`rt.malloc`).
    Runtime,
}

/// One allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    /// Who printed it.
    pub layer: Layer,
    /// Size asked for.
    pub size: Bytes,
    /// Where it is; `None` where the line does not say.
    pub address: Option<Address>,
    /// Function that GE called, empty for the runtime.
    pub function: Name,
    /// Purpose text, empty for the runtime.
    pub purpose: Name,
    /// Device, where printed.
    pub device: Option<u64>,
    /// Module id of the caller, where printed.
    pub module_id: Option<u64>,
    /// Thread.
    pub tid: i64,
    /// Time of the line.
    pub time: Option<Time>,
    /// The line.
    pub span: Span,
}

/// A free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free {
    /// Who printed it.
    pub layer: Layer,
    /// What was freed, where the line says so.
    pub address: Option<Address>,
    /// Device, where printed.
    pub device: Option<u64>,
    /// The line.
    pub span: Span,
}

/// An allocation event, in the order of the lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Memory was taken.
    Taken(Allocation),
    /// Memory was given back.
    Given(Free),
}

/// A group of physical pages that the expandable allocator took or gave back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhysicalPages {
    /// Bytes of physical memory held afterwards.
    pub total: Bytes,
    /// Size of the page group, where it follows from the page type.
    pub page: Bytes,
    /// Thread.
    pub tid: i64,
    /// The line.
    pub span: Span,
}

/// A communication buffer of HCCL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommunicationBuffer {
    /// Where it is.
    pub address: Address,
    /// Size.
    pub size: Bytes,
    /// Created, or released.
    pub created: bool,
    /// The line.
    pub span: Span,
}

/// The totals GE prints for one model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelMetrics {
    /// Model or graph name.
    pub name: Name,
    /// Which figure: `alloc_dev_mem`, `shared_dev_mem`, `alloc_var_mem`, `shared_var_mem`, `max_alloc_dev_mem`.
    pub figure: &'static str,
    /// Its bytes.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// All allocation lines of one process.
#[derive(Clone, Debug, Default)]
pub struct Allocations {
    /// Takes and gives.
    pub events: Vec<Event>,
    /// Physical pages of expandable memory.
    pub pages: Vec<PhysicalPages>,
    /// Communication buffers.
    pub buffers: Vec<CommunicationBuffer>,
    /// Device capacity as GE sees it.
    pub device_total: Option<(Bytes, Span)>,
    /// Per-model totals.
    pub metrics: Vec<ModelMetrics>,
}
