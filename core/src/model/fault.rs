//! Errors that one process reported: what was refused, by whom, with which code.
//!
//! Knows nothing of causes and echoes: which error came first over all processes is a rule's matter.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::Bytes;

/// What a line reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nature {
    /// Memory was refused.
    OutOfMemory(Place),
    /// A graph needs more than the device has (`fault.limit`).
    GraphLimit,
    /// The caller's zero-copy buffer is smaller than the model needs.
    OutputSize,
    /// The driver or the device does not know the function asked for.
    Unsupported,
    /// The device can't be opened: another owner, a reset, no access.
    DeviceBusy,
    /// No device was set in this thread.
    NoContext,
    /// An argument is wrong; for a copy, its kind.
    InvalidValue,
    /// Stream resources ran out.
    Streams,
    /// An AI CPU operator failed.
    AiCpu,
    /// An AI Core operator failed.
    AiCore,
    /// Memory cells or buses are broken.
    Hardware,
    /// One physical page under two virtual ones (`fault.vapa`, `fault.pa_using`).
    PageConflict,
    /// A DMA copy failed.
    Dma,
    /// Somebody waited for an answer that did not come.
    Timeout,
    /// A call to another process or machine failed.
    Rpc,
    /// Something could not be initialised.
    Initialise,
    /// A model or task failed; the reason stands elsewhere.
    Execution,
    /// A code that says no more than that the driver failed (507899).
    Internal,
}

impl Nature {
    /// Can't be the start of a failure by itself when anything more definite is there.
    pub fn is_echo(self) -> bool {
        use Nature::*;
        matches!(self, Dma | Timeout | Rpc | Initialise | Execution | Internal)
    }

    /// Memory was asked for and not given.
    pub fn is_refusal(self) -> bool {
        matches!(self, Nature::OutOfMemory(_) | Nature::GraphLimit)
    }
}

/// Which memory was asked for, as far as the line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Device memory.
    Device,
    /// Pinned host memory.
    Host,
    /// The memory of the device's own operating system.
    DeviceSystem,
    /// The code alone, which device and host memory share.
    Unsaid,
}

/// A code as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Of the runtime or GE: `207001`.
    Runtime(i64),
    /// Of the driver: `drvRetCode=6`.
    Driver(i64),
    /// With a name: `EL0004`.
    Named(Name),
}

/// Who printed an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The driver.
    Driver,
    /// The runtime.
    Runtime,
    /// AscendCL.
    AscendCl,
    /// GE.
    Ge,
    /// HCCL.
    Hccl,
    /// Operating system of the device.
    DeviceSystem,
    /// A framework or a console text.
    #[default]
    Console,
}

/// Figures of a framework's caching pool at the moment of the failure, rounded as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachingPool {
    /// Device capacity.
    pub total: Bytes,
    /// In tensors.
    pub allocated: Bytes,
    /// Free on the device.
    pub free: Bytes,
    /// Taken from the device by the pool.
    pub reserved: Bytes,
}

/// One error line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// What it reports.
    pub nature: Nature,
    /// Who printed it.
    pub layer: Layer,
    /// A second try follows: the line says so, or is not printed as an error.
    pub tries_again: bool,
    /// Bytes asked for, where the line says.
    pub size: Option<Bytes>,
    /// The limit that the size ran against, where the line says.
    pub limit: Option<Bytes>,
    /// Device, where printed.
    pub device: Option<i64>,
    /// Memory module that asked (plog grammar 2.2).
    pub module_id: Option<u64>,
    /// Its code.
    pub code: Option<Code>,
    /// Function or interface, empty where none is printed.
    pub api: Name,
    /// Operator, graph or purpose, empty where none is printed.
    pub subject: Name,
    /// Thread.
    pub tid: Option<i64>,
    /// Time of the line; texts without a header often have none.
    pub time: Option<Time>,
    /// Reserved and allocated bytes of a caching pool.
    pub pool: Option<CachingPool>,
    /// The line.
    pub span: Span,
}

impl Fault {
    /// A fault of which nothing is known yet but what it is and where it stands.
    pub fn new(nature: Nature, layer: Layer, span: Span) -> Fault {
        Fault {
            nature,
            layer,
            tries_again: false,
            size: None,
            limit: None,
            device: None,
            module_id: None,
            code: None,
            api: Name::EMPTY,
            subject: Name::EMPTY,
            tid: None,
            time: None,
            pool: None,
            span,
        }
    }
}

/// Free device memory as the runtime saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeMemory {
    /// Free bytes, small and huge pages.
    pub size: Bytes,
    /// Time of the line.
    pub time: Option<Time>,
    /// The line.
    pub span: Span,
}

/// All errors of one process, in the order of their lines.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Errors whose meaning is known.
    pub faults: Vec<Fault>,
    /// Operators that a console text calls the current one.
    pub operators: Vec<(Name, Span)>,
    /// Free device memory.
    pub free: Vec<FreeMemory>,
    /// Lines with a letter where a digit must be: text recognised from a picture.
    pub damaged: Vec<Span>,
}

/// What a line adds to [`Faults`].
#[derive(Clone, Debug)]
pub enum Report {
    /// An error.
    Fault(Box<Fault>),
    /// The operator at work.
    Operator(Name, Span),
    /// Free memory.
    Free(FreeMemory),
    /// A damaged line.
    Damaged(Span),
}

impl Faults {
    /// Takes a report in.
    pub fn take(&mut self, report: Report) {
        match report {
            Report::Fault(fault) => self.faults.push(*fault),
            Report::Operator(name, span) => self.operators.push((name, span)),
            Report::Free(free) => self.free.push(free),
            Report::Damaged(span) => self.damaged.push(span),
        }
    }
}
