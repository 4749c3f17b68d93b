//! Puts the ordered facts of one process where they belong in the model.

use hashbrown::{HashMap, HashSet};

use super::facts::Fact;
use super::pools::Building;
use super::stitch::Stitched;
use super::{launches, rounds};
use crate::intern::Name;
use crate::model::fault::Faults;
use crate::model::host_leak::HostLeaks;
use crate::model::option::{Shown, Switch};
use crate::model::process::{Process, ProcessId};
use crate::model::region::OperatorAddress;
use crate::model::static_graph::{Block, Placement, StaticGraph, Summary};
use crate::model::{
    allocation::Allocations, args_table::ArgsTables, component::Components, launch::Launches,
    option::Options, pool::Pools, region::Regions,
};

/// The model of one process.
pub fn assemble(id: ProcessId, stitched: Stitched) -> Process {
    let mut assembly = Assembly {
        process: Process {
            id,
            program: stitched.program,
            sources: stitched.sources.clone(),
            times: stitched.times,
            lines: stitched.lines,
            twins: 0,
            components: Components::default(),
            allocations: Allocations::default(),
            graphs: alloc::vec::Vec::new(),
            variables: alloc::vec::Vec::new(),
            regions: Regions::default(),
            args: ArgsTables::default(),
            launches: Launches::default(),
            pools: Pools::default(),
            options: Options::default(),
            faults: Faults::default(),
            host_leaks: HostLeaks::default(),
        },
        open_graphs: HashMap::new(),
        known_addresses: HashSet::new(),
        rounds: rounds::Building::default(),
        launches: launches::Building::default(),
        pools: Building::default(),
    };
    let twins = stitched.each(&mut |fact| assembly.take(fact));
    assembly.process.twins = twins;
    assembly.process.args = assembly.rounds.finish();
    assembly.process.launches = assembly.launches.finish();
    assembly.process.pools = assembly.pools.finish();
    assembly.process
}

/// One operator address, without what differs between repetitions of its line.
type AddressKey = (u64, Name, crate::model::static_graph::Io, u64, u64);

struct Assembly {
    process: Process,
    /// The latest compilation of each graph name: its place in `process.graphs`.
    open_graphs: HashMap<Name, usize>,
    known_addresses: HashSet<AddressKey>,
    rounds: rounds::Building,
    launches: launches::Building,
    pools: Building,
}

impl Assembly {
    fn take(&mut self, fact: Fact) {
        let process = &mut self.process;
        match fact {
            Fact::Component(statistic) => process.components.statistics.push(*statistic),
            Fact::Cached(cached) => process.components.cached.push(*cached),
            Fact::DeviceProcess(helper) => process.components.device_processes.push(*helper),
            Fact::DeviceClose(device, span) => process.components.closes.push((device, span)),
            Fact::Block(graph, block) => self.block(graph, block),
            Fact::Summary(graph, summary) => self.summary(graph, *summary),
            Fact::Variable(variable) => process.variables.push(*variable),
            Fact::Region(region) => process.regions.regions.push(*region),
            Fact::Address(address) => self.address(address),
            Fact::Unresolved(unresolved) => process.regions.unresolved.push(*unresolved),
            Fact::Need(need) => process.regions.needs.push(*need),
            Fact::Allocation(event) => process.allocations.events.push(*event),
            Fact::Pages(pages) => {
                self.pools.page(&pages);
                process.allocations.pages.push(*pages);
            }
            Fact::Pool(line) => self.pools.line(line),
            Fact::Buffer(buffer) => process.allocations.buffers.push(*buffer),
            Fact::DeviceTotal(total, span) => {
                process.allocations.device_total.get_or_insert((total, span));
            }
            Fact::Metrics(metrics) => process.allocations.metrics.push(*metrics),
            Fact::Args(line) => self.rounds.line(*line),
            Fact::ArgsValue(entry) => self.rounds.value(entry),
            Fact::ArgsMap(entry) => self.rounds.map(entry),
            Fact::GraphModel(pair) => self.rounds.graph(*pair),
            Fact::TooSmall(buffer) => self.rounds.too_small(*buffer),
            Fact::Launch(line) => self.launches.line(line, self.pools.events()),
            Fact::Option(option) => {
                let values = &mut process.options.values;
                if !values.iter().any(|known| known.key == option.key && known.value == option.value) {
                    values.push(*option);
                }
            }
            Fact::Fault(report) => process.faults.take(report),
            Fact::HostLeak(report) => process.host_leaks.take(*report),
            Fact::Switch(switch, span) => switch_shown(&mut process.options, switch, span),
        }
    }

    /// Rows after a summary belong to the next compilation of the same name.
    fn block(&mut self, graph: Name, block: Block) {
        let compiled = |graph: &StaticGraph| !graph.summaries.is_empty();
        let begins = block.placement == Placement::Set;
        let place = self.graph(graph, |current| begins && compiled(current));
        self.process.graphs[place].blocks.push(block);
    }

    fn summary(&mut self, graph: Name, summary: Summary) {
        let again = |current: &StaticGraph| {
            current.summaries.iter().any(|known| known.memory_type == summary.memory_type)
        };
        let place = self.graph(graph, again);
        self.process.graphs[place].summaries.push(summary);
    }

    /// The place of the graph's current compilation; a new one where there is none or the current
    /// one `is_over`.
    fn graph(&mut self, name: Name, is_over: impl Fn(&StaticGraph) -> bool) -> usize {
        let graphs = &mut self.process.graphs;
        let round = match self.open_graphs.get(&name) {
            Some(&place) if !is_over(&graphs[place]) => return place,
            Some(&place) => graphs[place].round + 1,
            None => 0,
        };
        graphs.push(StaticGraph { name, round, ..StaticGraph::default() });
        self.open_graphs.insert(name, graphs.len() - 1);
        graphs.len() - 1
    }

    fn address(&mut self, address: OperatorAddress) {
        let key = (address.graph, address.node, address.io, address.index, address.address.0);
        if self.known_addresses.insert(key) {
            self.process.regions.addresses.push(address);
        }
    }
}

fn switch_shown(options: &mut Options, switch: Switch, span: crate::span::Span) {
    match switch {
        Switch::StaticPolicy(value) => show(&mut options.static_policy, value, span),
        Switch::ArgsTable(value) => show(&mut options.args_table, value, span),
        Switch::Reuse(value) => show(&mut options.reuse, value, span),
        Switch::HcclBufferSize(size, set) => show(&mut options.hccl_buffer_size, (size, set), span),
    }
}

/// The latest value counts, with the first line that gave it.
fn show<T: PartialEq>(shown: &mut Option<Shown<T>>, value: T, span: crate::span::Span) {
    if shown.as_ref().is_none_or(|known| known.value != value) {
        *shown = Some(Shown { value, span });
    }
}
