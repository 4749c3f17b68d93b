//! One process: everything its lines say, and how much of them was read.

use alloc::vec::Vec;

use super::allocation::Allocations;
use super::args_table::ArgsTables;
use super::component::Components;
use super::fault::Faults;
use super::host_leak::HostLeaks;
use super::launch::Launches;
use super::option::Options;
use super::pool::Pools;
use super::region::Regions;
use super::static_graph::StaticGraph;
use super::variable::Variable;
use crate::intern::Name;
use crate::span::SourceId;
use crate::time::Time;

/// What tells processes apart: the process id, and the log tree (two machines may use one id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId {
    /// The log tree the source belongs to; empty for a paste.
    pub root: Name,
    /// Process id of the header; `None` for text without any header.
    pub pid: Option<i64>,
}

/// One process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its identity.
    pub id: ProcessId,
    /// Program name of its first line.
    pub program: Name,
    /// Sources that hold lines of it, in the order of their time.
    pub sources: Vec<SourceId>,
    /// Time of the earliest and of the latest line.
    pub times: Option<(Time, Time)>,
    /// What was read.
    pub lines: LineCounts,
    /// Lines left out because the logger wrote them twice.
    pub twins: u32,
    /// Driver statistics.
    pub components: Components,
    /// Device memory taken and given back.
    pub allocations: Allocations,
    /// Static graphs, in the order of their compilation.
    pub graphs: Vec<StaticGraph>,
    /// Variables, in the order of their lines.
    pub variables: Vec<Variable>,
    /// Areas and addresses of loaded models.
    pub regions: Regions,
    /// Args tables of loaded models.
    pub args: ArgsTables,
    /// Kernel launches of dynamic graphs.
    pub launches: Launches,
    /// Memory pools of dynamic graphs.
    pub pools: Pools,
    /// Options and switches.
    pub options: Options,
    /// Errors.
    pub faults: Faults,
    /// Reports of leak checkers of the host.
    pub host_leaks: HostLeaks,
}

impl Process {
    /// A process of which nothing is known yet.
    pub fn new(id: ProcessId) -> Process {
        Process {
            id,
            program: Name::EMPTY,
            sources: Vec::new(),
            times: None,
            lines: LineCounts::default(),
            twins: 0,
            components: Components::default(),
            allocations: Allocations::default(),
            graphs: Vec::new(),
            variables: Vec::new(),
            regions: Regions::default(),
            args: ArgsTables::default(),
            launches: Launches::default(),
            pools: Pools::default(),
            options: Options::default(),
            faults: Faults::default(),
            host_leaks: HostLeaks::default(),
        }
    }
}

/// How many lines of which sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines of a known kind.
    pub known: u64,
    /// Of these, lines that the logger cut.
    pub cut: u64,
    /// Lines with a header whose message is no known kind.
    pub unread: u64,
    /// Lines without a header that are no known kind.
    pub foreign: u64,
    /// Lines of GE at level INFO or lower: their absence says that the level was too high.
    pub ge_info: u64,
    /// Lines at level ERROR.
    pub errors: u64,
}

impl LineCounts {
    /// All lines.
    pub fn all(self) -> u64 {
        self.known + self.unread + self.foreign
    }
}

impl core::ops::AddAssign for LineCounts {
    fn add_assign(&mut self, other: LineCounts) {
        self.known += other.known;
        self.cut += other.cut;
        self.unread += other.unread;
        self.foreign += other.foreign;
        self.ge_info += other.ge_info;
        self.errors += other.errors;
    }
}
