//! The life of one process, a line of interest at a time: compile a graph, load it, execute, next
//! graph; statistics when it ends.
//!
//! Operators form a chain that uses three places in turn, so that no two blocks that live at one
//! time overlap. Line shapes are those of `tests/data/plog-examples.jsonl`.

use super::line::Line;
use super::random::Random;

/// Which plog a line goes to (plog grammar 1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plog {
    Debug,
    Run,
    Both,
}

/// Launches of one step, and steps of one graph before the next is compiled.
const LAUNCHES: u64 = 40;
const STEPS: u64 = 12;
const PAGE: u64 = 2 << 20;

/// The id of process `number`.
pub fn pid(number: u64) -> u64 {
    41_876 + 211 * number
}

/// A process and how far it is.
pub struct Process {
    pub pid: u64,
    /// Base of the current feature map.
    pub feature_map: u64,
    /// Device of the process.
    device: u64,
    /// Whether events stand in both plogs; on a console they are printed once.
    twice: bool,
    graph: u64,
    /// Operators of the current graph.
    nodes: u64,
    /// Bytes of one of the three places.
    place: u64,
    phase: Phase,
    /// Bytes that GE holds, and held at most.
    held: u64,
    peak: u64,
    allocations: u64,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Phase {
    Begin,
    Block(u64),
    Summary,
    Allocate,
    RuntimeAllocate,
    Base,
    Need,
    Address { node: u64, output: bool },
    Metrics,
    Take(u64),
    Launch(u64),
    GiveBack(u64),
    PoolBlock(u64),
    Free,
    RuntimeFree,
}

impl Process {
    pub fn new(number: u64, twice: bool) -> Process {
        Process {
            pid: pid(number),
            feature_map: 0x12c0_8000_0000,
            device: number % 8,
            twice,
            graph: 0,
            nodes: 0,
            place: 0,
            phase: Phase::Begin,
            held: 0,
            peak: 0,
            allocations: 0,
        }
    }

    /// Writes the next line of interest and says where it belongs.
    pub fn step(&mut self, line: &mut Line<'_>, random: &mut Random) -> Plog {
        let pid = self.pid;
        let event = if self.twice { Plog::Both } else { Plog::Run };
        let mut plog = Plog::Debug;
        self.phase = match self.phase {
            Phase::Begin => {
                self.graph += 1;
                self.nodes = random.between(200, 1200);
                self.place = random.between(1, 96) * 512 * 1024;
                self.feature_map = 0x12c0_8000_0000 + self.graph % 8 * 0x1000_0000;
                line.ge(pid, pid, "graph_manager.cc:1769", "ParseOptions")
                    .text("Get option key[ge.exec.staticMemoryPolicy] value[0].");
                Phase::Block(0)
            }
            Phase::Block(node) => {
                self.block(node, line, random);
                if node + 1 < self.nodes { Phase::Block(node + 1) } else { Phase::Summary }
            }
            Phase::Summary => {
                let size = self.size();
                line.ge(pid, pid, "graph_mem_assigner.cc:2750", "SetInputOffset")
                    .text("[IMAS]AfterAssignMemory : ");
                self.graph_name(line)
                    .text(" memoffset[")
                    .number(size)
                    .text("], memtype[2], theory_min[")
                    .number(size)
                    .text("], zero_copy[0], total_size[")
                    .number(self.nodes * (self.place - 480))
                    .text("], no_reuse[0], streams[1], topo_mode[DFS], mop[], io_reuse[0:0], alloc_mode[], smp[0]");
                plog = event;
                Phase::Allocate
            }
            Phase::Allocate => {
                self.hold(self.size());
                line.ge(pid, pid, "graph_mem_allocator.cc:78", "MallocMemory")
                    .text("MallocMemory, func=aclrtMalloc, size=")
                    .number(self.size())
                    .text(", purpose=feature map,used for op input and output, ptr=")
                    .address(self.feature_map)
                    .text(", device_id=")
                    .number(self.device)
                    .text(", module_id=45");
                Phase::RuntimeAllocate
            }
            Phase::RuntimeAllocate => {
                line.runtime(pid, pid, "api_error.cc:1900", "DevMalloc")
                    .text("device malloc, size=")
                    .number(self.size())
                    .text("(bytes), type=1026, moduleId=45, start ptr=")
                    .address(self.feature_map)
                    .text(", end ptr=")
                    .address(self.feature_map + self.size());
                Phase::Base
            }
            Phase::Base => {
                line.ge(pid, pid, "davinci_model.cc:656", "InitFeatureMapAndP2PMem")
                    .text("[IMAS]InitFeatureMapAndP2PMem graph_")
                    .number(self.graph)
                    .text(" MallocMemory type[F] memaddr[")
                    .address(self.feature_map)
                    .text("] mem_size[")
                    .number(self.size())
                    .text("]Bytes");
                plog = event;
                Phase::Need
            }
            Phase::Need => {
                line.ge(pid, pid, "davinci_model.cc:618", "InitFeatureMapAndP2PMem")
                    .text("Model ")
                    .number(self.graph)
                    .text(" need ")
                    .number(self.size())
                    .text("/")
                    .number(self.size())
                    .text(" for feature-map without zero-copyable memory");
                Phase::Address { node: 1, output: false }
            }
            Phase::Address { node, output } => {
                self.operator_address(node, output, line);
                match output {
                    false => Phase::Address { node, output: true },
                    true if node + 1 < self.nodes => Phase::Address { node: node + 1, output: false },
                    true => Phase::Metrics,
                }
            }
            Phase::Metrics => {
                line.ge(pid, pid, "davinci_model.cc:8901", "LogModelDevMemInfo").text("model_metrics:name=");
                self.graph_name(line)
                    .text(", alloc_dev_mem=")
                    .number(self.size())
                    .text(" B, shared_dev_mem=0 B, device_id=")
                    .number(self.device)
                    .text(", rts_model_id=")
                    .number(self.graph);
                plog = event;
                Phase::Take(0)
            }
            Phase::Take(launch) => {
                let (address, size) = tensor(launch);
                self.kernel("AllocMemHbm_", launch, "memory_kernel.cc:385", "AllocHbmMem", line)
                    .text("[MEM]Alloc memory at stream 0, block ")
                    .address(0xfffd_0801_0000 + launch % LAUNCHES * 64)
                    .text(", address ")
                    .address(address)
                    .text(", size ")
                    .number(size)
                    .text(", tensor size ")
                    .number(size - 512)
                    .text(", index 1");
                Phase::Launch(launch)
            }
            Phase::Launch(launch) => {
                self.kernel(
                    "LaunchKernelWithHandle_",
                    launch,
                    "executor_tracer.cc:73",
                    "OnExecuteEvent",
                    line,
                )
                .text("Input/Output addresses: ");
                for tensor_number in launch..launch + 3 {
                    line.address(tensor(tensor_number).0).text(" ");
                }
                line.text(", Input/Output sizes: ");
                for tensor_number in launch..launch + 3 {
                    line.number(tensor(tensor_number).1 - 512).text(" ");
                }
                Phase::GiveBack(launch)
            }
            Phase::GiveBack(launch) => {
                self.kernel("FreeMemHbm_", launch, "memory_kernel.cc:407", "FreeHbmMem", line)
                    .text("[MEM]Free memory at stream 0, address ")
                    .address(tensor(launch).0);
                match launch + 1 {
                    next if next == LAUNCHES * STEPS => Phase::Free,
                    next if next % LAUNCHES == 0 => Phase::PoolBlock(next),
                    next => Phase::Take(next),
                }
            }
            Phase::PoolBlock(launch) => {
                let (address, size) = tensor(launch);
                line.header("INFO", "GE", pid)
                    .text("[scalable_allocator.cc:511]")
                    .number(pid)
                    .text(" [allocator_3] Alloc:Malloc block device_id:")
                    .number(self.device)
                    .text(" size:")
                    .number(size - 512)
                    .text(" allocate_size:")
                    .number(size)
                    .text(" mem_addr:")
                    .address(address)
                    .text(". span addr ")
                    .address(0xfffd_0801_2340);
                Phase::Take(launch)
            }
            Phase::Free => {
                self.held = self.held.saturating_sub(self.size());
                line.ge(pid, pid, "graph_mem_allocator.cc:84", "FreeMemory")
                    .text("MemoryAllocator::FreeMemory device_id = ")
                    .number(self.device)
                    .text(".");
                Phase::RuntimeFree
            }
            Phase::RuntimeFree => {
                line.runtime(pid, pid, "api_impl.cc:2359", "DevFree")
                    .text("device free mem=")
                    .address(self.feature_map);
                Phase::Begin
            }
        };
        line.end();
        plog
    }

    /// Writes the statistics that the driver prints when the device is closed; the number of lines.
    pub fn exit(&self, out: &mut Vec<u8>, clock: u64) -> u64 {
        let driver = |out: &mut Vec<u8>, nth: u64, file: &str, func: &str, message: &str| {
            let mut line = Line::new(out, clock + nth);
            line.header("INFO", "DRV", self.pid)
                .text("[")
                .text(file)
                .text("][ascend][curpid:")
                .number(self.pid)
                .text(",")
                .number(self.pid)
                .text("][drv][devmm][")
                .text(func)
                .text("]")
                .text(message)
                .end();
        };
        let close = format!("DrvMemDeviceClose. (devid={})", self.device);
        driver(out, 0, "devmm_svm.c:3295", "drvMemDeviceCloseInner", &close);
        let modules = [
            ("RUNTIME", 7, 96 << 20, 14),
            ("GE", 45, self.peak, self.allocations),
            ("HCCL", 3, 400 << 20, 2),
        ];
        for (nth, (name, id, peak, count)) in modules.into_iter().enumerate() {
            let message = format!(
                "MEM_DEV_HUGE_HBM dev{} Mem stats (Bytes). (module_name={name}; module_id={id}; \
                 current_alloced_size=0; allocated_peak_size={peak}; alloc_cnt={count}; free_cnt={count})",
                self.device
            );
            driver(out, 1 + nth as u64, "svm_mem_statistics.c:154", "_svm_mem_stats_show", &message);
        }
        1 + modules.len() as u64
    }

    /// Bytes of the current feature map.
    fn size(&self) -> u64 {
        3 * self.place
    }

    fn hold(&mut self, size: u64) {
        self.held += size;
        self.peak = self.peak.max(self.held);
        self.allocations += 1;
    }

    fn graph_name<'l, 'o>(&self, line: &'l mut Line<'o>) -> &'l mut Line<'o> {
        line.text("bert_base_b32_s128_").number(self.graph)
    }

    fn node_name<'l, 'o>(&self, node: u64, line: &'l mut Line<'o>) -> &'l mut Line<'o> {
        const PARTS: [&str; 8] = [
            "attention/self/query/MatMulV2",
            "attention/self/key/MatMulV2",
            "attention/self/BatchMatMul",
            "attention/self/SoftmaxV2",
            "attention/output/dense/MatMulV2",
            "attention/output/LayerNorm",
            "intermediate/dense/MatMulV2",
            "output/dense/MatMulV2",
        ];
        line.text("encoder/layer_").number(node / 8).text("/").text(PARTS[(node % 8) as usize])
    }

    /// Operator `node` writes place `node mod 3`, which the next operator reads.
    fn block(&self, node: u64, line: &mut Line<'_>, random: &mut Random) {
        let real = if node < 3 { self.place } else { random.between(1, self.place / 32) * 32 };
        line.ge(self.pid, self.pid, "block_mem_assigner.cc:4586", "SetOffsetSize").text("[IMAS]Set ");
        self.graph_name(line).text(" name[");
        self.node_name(node, line)
            .text("] optype[MatMulV2] output[0] offset to [")
            .number(node % 3 * self.place)
            .text("] streamid[0] memtype[2] size[")
            .number(self.place)
            .text("] realsize[")
            .number(real)
            .text("] noalignsize[")
            .number(real - 32)
            .text("] life time begin[")
            .number(node)
            .text("] life time end[")
            .number((node + 1).min(self.nodes - 1))
            .text("] child[")
            .number(node / 3)
            .text(":1:0:0:1] isref[0] batch[], block_type[]");
    }

    /// The input of `node` is the output of the node before.
    fn operator_address(&self, node: u64, output: bool, line: &mut Line<'_>) {
        let (func, io, writer) = match output {
            true => ("GetOutputDataAddrs", "] output[0] offset[", node),
            false => ("GetInputDataAddrs", "] input[0] offset[", node - 1),
        };
        let offset = writer % 3 * self.place;
        line.ge(self.pid, self.pid, "model_utils.cc:669", func)
            .text("[IMAS]graph_")
            .number(self.graph)
            .text(" type[F] name[");
        self.node_name(node, line)
            .text(io)
            .number(offset)
            .text("] size[")
            .number(self.place - 480)
            .text("] memaddr[")
            .address(self.feature_map + offset)
            .text("]");
    }

    fn kernel<'l, 'o>(
        &self,
        kernel: &str,
        launch: u64,
        file: &str,
        func: &str,
        line: &'l mut Line<'o>,
    ) -> &'l mut Line<'o> {
        line.ge(self.pid, self.pid + 3, file, func)
            .text("[KernelTrace][")
            .text(kernel)
            .text("MatMul_")
            .number(launch % LAUNCHES)
            .text("_")
            .number(3 * (launch % LAUNCHES) + 7)
            .text("]")
    }
}

/// Address and size of the tensor that a launch writes: a pool hands out the same few pages again.
fn tensor(launch: u64) -> (u64, u64) {
    (0x12c0_c000_0000 + launch % LAUNCHES % 6 * PAGE, 65_536 * (1 + launch % LAUNCHES % 6))
}
