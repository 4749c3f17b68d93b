//! The options that shape a layout (static allocator S13).

use alloc::string::String;
use alloc::vec::Vec;

use crate::replay::net::{Net, NodeId};

/// `ge.topoSortingMode`, or the order of the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topo {
    /// 0: breadth first, GE's default for training.
    Bfs,
    /// 1: depth first, GE's default otherwise.
    Dfs,
    /// 2: reverse depth first.
    Rdfs,
    /// 3: reverse depth first that keeps the old order where it can.
    StableRdfs,
    /// The order and numbers of the dump, not sorted again.
    Dumped,
}

impl Topo {
    /// The word in GE's summary line. An order that is not sorted prints as the default mode.
    pub fn word(self) -> &'static str {
        match self {
            Topo::Bfs => "BFS",
            Topo::Dfs | Topo::Dumped => "DFS",
            Topo::Rdfs => "RDFS",
            Topo::StableRdfs => "StableRDFS",
        }
    }

    /// The value of `ge.topoSortingMode`; `None` for the order of the dump.
    pub fn number(self) -> Option<u32> {
        match self {
            Topo::Bfs => Some(0),
            Topo::Dfs => Some(1),
            Topo::Rdfs => Some(2),
            Topo::StableRdfs => Some(3),
            Topo::Dumped => None,
        }
    }
}

/// What to replay a graph with. The default is GE's for inference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The order of the nodes.
    pub topo: Topo,
    /// `ge.exec.memoryOptimizationPolicy` is `MemoryPriority`.
    pub memory_priority: bool,
    /// `ge.exec.inputReuseMemIndexes`: numbers of the Data operators whose memory may be reused.
    pub input_reuse: Option<Vec<u32>>,
    /// `ge.exec.outputReuseMemIndexes`: inputs of the NetOutput whose memory may be reused.
    pub output_reuse: Option<Vec<u32>>,
    /// `ge.exec.graphIOMemAllocMode` is `ByGE`.
    pub io_alloc_by_ge: bool,
    /// `ge.exec.input_fusion_size`: larger io is not zero copy when GE allocates it.
    pub input_fusion_size: u64,
    /// `ge.enableSingleStream`. Streams are taken from the dump as they are.
    pub single_stream: bool,
    /// `ge.exec.disableReuseMemory` is 1.
    pub disable_reuse: bool,
    /// `ge.exec.atomicCleanPolicy` is 1: every operator clears its own memory.
    pub separate_clean: bool,
    /// `ge.exec.staticMemoryPolicy`.
    pub static_memory_policy: u32,
    /// `ge.featureBaseRefreshable` is 1.
    pub feature_base_refreshable: bool,
    /// `ge.buildGraphMode` is `offline`.
    pub offline_build: bool,
    /// `OP_NO_REUSE_MEM`: names or types of operators whose memory is not reused.
    pub no_reuse: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            topo: Topo::Dfs,
            memory_priority: false,
            input_reuse: None,
            output_reuse: None,
            io_alloc_by_ge: false,
            input_fusion_size: 131_072,
            single_stream: false,
            disable_reuse: false,
            separate_clean: false,
            static_memory_policy: 0,
            feature_base_refreshable: false,
            offline_build: false,
            no_reuse: Vec::new(),
        }
    }
}

impl Options {
    /// The policy text of GE's summary line.
    pub fn policy_word(&self) -> &'static str {
        if self.memory_priority { "MemoryPriority" } else { "" }
    }

    /// `smp` of GE's summary line: 4 both, 3 dynamic only, 2 static only, else 0 (S8.6).
    pub fn static_policy_word(&self) -> &'static str {
        match self.static_memory_policy {
            4 => "4",
            3 => "3",
            1 | 2 => "2",
            _ => "0",
        }
    }

    /// Whether `OP_NO_REUSE_MEM` lists a node; more than ten entries make GE ignore the list.
    pub(crate) fn is_never_reused(&self, net: &Net, node: NodeId) -> bool {
        if self.no_reuse.is_empty() || self.no_reuse.len() > 10 {
            return false;
        }
        let names = &net.model.names;
        let (name, op_type) = (names.get(net.nodes[node].name), names.get(net.nodes[node].op_type));
        self.no_reuse.iter().any(|listed| listed == name || listed == op_type)
    }
}
