//! From readings to facts of the model: one file a family, like the kinds.
//!
//! A kind without a fact here is understood (and explained) but adds nothing to the picture.

mod allocation;
pub(crate) mod args;
mod devmm;
mod error_text;
mod fault;
mod host_leak;
mod imas_build;
mod imas_load;
pub(crate) mod launch;
mod options;
pub(crate) mod pool;
mod store;

use alloc::boxed::Box;

use super::scan::Reading;
use crate::intern::{Interner, Name};
use crate::model::allocation::{CommunicationBuffer, Event, ModelMetrics, PhysicalPages};
use crate::model::args_table::{GraphModel, TooSmall};
use crate::model::component::{Cached, DeviceProcess, Statistic};
use crate::model::option::{OptionValue, Switch};
use crate::model::region::{FeatureMapNeed, OperatorAddress, Region, Unresolved};
use crate::model::static_graph::{Block, Summary};
use crate::model::variable::Variable;
use crate::span::Span;
use crate::time::Time;
use crate::units::Bytes;

/// One thing that a line says. What a log has hundreds of thousands of is kept in lists
/// ([`Facts`]); of the others, the large ones are boxed.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A component's statistics.
    Component(Box<Statistic>),
    /// Driver cache.
    Cached(Box<Cached>),
    /// A helper process on the device.
    DeviceProcess(Box<DeviceProcess>),
    /// A device was closed in the normal way.
    DeviceClose(i64, Span),
    /// A block of a static graph.
    Block(Name, Block),
    /// A summary of a static graph.
    Summary(Name, Box<Summary>),
    /// A variable.
    Variable(Box<Variable>),
    /// An area of a loaded model.
    Region(Box<Region>),
    /// An operator's address.
    Address(OperatorAddress),
    /// An address that could not be resolved.
    Unresolved(Box<Unresolved>),
    /// What of a feature map was allocated.
    Need(Box<FeatureMapNeed>),
    /// Device memory taken or given back.
    Allocation(Box<Event>),
    /// Physical pages.
    Pages(Box<PhysicalPages>),
    /// A communication buffer.
    Buffer(Box<CommunicationBuffer>),
    /// Device capacity.
    DeviceTotal(Bytes, Span),
    /// A per-model total.
    Metrics(Box<ModelMetrics>),
    /// A line of an args table.
    Args(Box<args::Line>),
    /// A slot of a printed args table.
    ArgsValue(args::Entry),
    /// What a slot is made of.
    ArgsMap(args::Entry),
    /// Graph id and model id that belong together.
    GraphModel(Box<GraphModel>),
    /// A buffer of the user that is too small.
    TooSmall(Box<TooSmall>),
    /// A line of a kernel launch.
    Launch(launch::Line),
    /// A line of a pool of dynamic graphs.
    Pool(pool::Line),
    /// An option as read.
    Option(Box<OptionValue>),
    /// A switch in force.
    Switch(Switch, Span),
    /// An error, or what belongs to one.
    Fault(crate::model::fault::Report),
    /// A line of a leak checker of the host.
    HostLeak(Box<crate::model::host_leak::Report>),
}

/// A fact with what ordering needs.
#[derive(Clone, Debug)]
pub struct Dated {
    /// Time of the line; lines without one keep their place behind the line before.
    pub time: Option<Time>,
    /// For a line that is printed into the run plog and the debug plog: a number that is equal for
    /// the two and different for all others; 0 for every other line.
    pub twin: u64,
    /// The fact.
    pub fact: Fact,
}

/// Makes the facts of a reading; a reading may say more than one thing.
pub type Read = fn(&Reading<'_>, &mut Interner, &mut dyn FnMut(Fact));

pub use fault::{may_be_error, unread};
pub use store::{Drain, Facts};

/// The reader for a kind, where its lines say something about the picture.
pub fn reader(kind_id: &str) -> Option<Read> {
    Some(match kind_id {
        "devmm.stat" | "devmm.stat.kernel" => devmm::statistic,
        "devmm.cached" => devmm::cached,
        "devmm.proc" => devmm::device_process,
        "devmm.close" => devmm::close,
        "imas.set" => imas_build::set,
        "imas.after" => imas_build::summary,
        "imas.cont_in" => imas_build::continuous_input,
        "imas.cont_out" => imas_build::continuous_output,
        "imas.atomic_out" => imas_build::atomic_output,
        "imas.atomic_ws" => imas_build::atomic_workspace,
        "imas.atomic_fws" => imas_build::atomic_fusion_workspace,
        "imas.var" => imas_load::variable,
        "imas.load.base" | "imas.load.ex" | "console.imas_base" => imas_load::region,
        "imas.addr" | "imas.addr.in" => imas_load::address,
        "imas.addr.fail" => imas_load::unresolved,
        "model.need" => imas_load::need,
        "malloc.dyn" => allocation::ge,
        "malloc.alloc" => allocation::ge_plain,
        "free.alloc" => allocation::ge_free,
        "rt.malloc" => allocation::runtime,
        "rt.free" => allocation::runtime_free,
        "pa.malloc" | "pa.free" => allocation::pages,
        "hccl.buf" => allocation::buffer,
        "mem.device_total" => allocation::device_total,
        "model.metrics" => allocation::metrics,
        "dfx.memalloc" => args::allocation,
        "dfx.args1" => args::address,
        "dfx.args2" => args::place,
        "dfx.args_alloc" => args::table,
        "dfx.launch" => args::launch,
        "dfx.updater" => args::updater,
        "dfx.table" => args::table_slot,
        "dfx.slot" => args::map,
        "dfx.diff" => args::difference,
        "dfx.active" => args::base,
        "dfx.io" => args::user,
        "dfx.policy" => args::policy,
        "dfx.zcpy" => args::zero_copy,
        "id.load" => args::loaded,
        "id.graph_model" => args::graph_model,
        "kt.launch.io" => launch::pointers,
        "kt.launch.args" => launch::split,
        "kt.launch.other" => launch::other,
        "kt.aicpu.io" => launch::aicpu_pointers,
        "rt2.create" => pool::created,
        "rt2.block.malloc" => pool::handed_out,
        "rt2.block.free" => pool::taken_back,
        "rt2.block.misc" => pool::over_limit,
        "rt2.l1" => pool::level,
        "rt2.l2pool" => pool::stream_pool,
        "rt2.dev" => pool::device,
        "rt2.detail.dev" => pool::summary,
        "rt2.detail.alloc" => pool::counters,
        "rt2.detail.use" => pool::spans,
        "pa.va_done" => pool::backed,
        "pa.map" => pool::released,
        "pa.recycle" => pool::page_size,
        "kt.alloc" => pool::kernel_alloc,
        "kt.free" => pool::kernel_free,
        "kt.recycle" => pool::recycled,
        "kt.mark" => mark,
        "opt.smp" => options::static_policy,
        "opt.kv" => options::key_value,
        "dfx.flag" => options::debug_flags,
        "fault.reuse_off" => options::reuse,
        "hccl.buffsize" => options::hccl_buffer_size,
        // A pool's history needs the refusal beside its own lines.
        "fault.ge_oom" => |line, names, give| {
            pool::refused(line, names, give);
            fault::ge(line, names, give);
        },
        "fault.limit" => fault::limit,
        "fault.rt_oom" => fault::runtime,
        "fault.rt_code" => fault::result,
        "fault.acl" | "console.acl" => fault::acl,
        "fault.drv" => fault::driver,
        "fault.hccl" => fault::hccl,
        "fault.vapa" | "fault.pa_using" => fault::page_conflict,
        "fault.aic" => fault::operator,
        "console.copy" => fault::copy,
        "console.code" => fault::named_code,
        "console.output_size" => |line, names, give| {
            args::too_small(line, names, give);
            fault::output_size(line, names, give);
        },
        "console.pta" => fault::framework,
        "console.torch_oom" => fault::caching_pool,
        "rt.meminfo" => fault::free_memory,
        "console.leak.asan" => host_leak::sanitizer,
        "console.leak.asan.sum" => host_leak::sanitizer_sum,
        "console.leak.asan.frame" | "console.leak.valgrind.frame" => host_leak::frame,
        "console.leak.valgrind" => host_leak::valgrind,
        "console.leak.valgrind.sum" => host_leak::valgrind_sum,
        "console.leak.valgrind.clean" => host_leak::valgrind_clean,
        _ => return None,
    })
}

/// A mark bounds a round of execution for pools and for launches.
fn mark(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    pool::mark(line, names, give);
    launch::mark(line, names, give);
}
