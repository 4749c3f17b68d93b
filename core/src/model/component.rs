//! What the driver's statistics say of each component (devmm): plog grammar chapter 2.

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::Bytes;

/// What is counted together: a memory kind of a device, and a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// Device, where the kind belongs to one.
    pub device: Option<i64>,
    /// `MEM_DEV_HUGE_HBM`, `HOST_MEM` …
    pub memory_kind: Name,
    /// Module id, the key (plog grammar 2.2); `None` where only a name was printed.
    pub module_id: Option<u64>,
    /// Module name as printed.
    pub module: Name,
}

/// One statistics line of one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// What it counts.
    pub counted: Counted,
    /// Bytes allocated at that moment.
    pub current: Bytes,
    /// Most bytes allocated at any moment so far.
    pub peak: Bytes,
    /// Allocations and frees so far; old drivers do not print them.
    pub counts: Option<(u64, u64)>,
    /// Time of the line.
    pub time: Option<Time>,
    /// The line.
    pub span: Span,
}

/// Bytes the driver keeps mapped but has not handed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cached {
    /// Device, where the kind belongs to one.
    pub device: Option<i64>,
    /// Memory kind.
    pub memory_kind: Name,
    /// Bytes kept.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// Resident memory of a helper process on the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceProcess {
    /// Device.
    pub device: i64,
    /// Module id.
    pub module_id: u64,
    /// `AICPU`, `CUSTOM`, `HCCP_SCHEDULE` …
    pub module: Name,
    /// Resident bytes.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// All statistics of one process, in the order of their lines.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// Component lines.
    pub statistics: Vec<Statistic>,
    /// Driver cache lines.
    pub cached: Vec<Cached>,
    /// Helper processes on the device.
    pub device_processes: Vec<DeviceProcess>,
    /// Where a device was closed in the normal way (statistics follow).
    pub closes: Vec<(i64, Span)>,
}
