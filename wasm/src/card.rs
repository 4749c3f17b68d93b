//! One block of a map, what lies around it, and what is in use at a moment.

use gemlens_core::metrics::map::{self, Map};
use gemlens_core::model::static_graph::StaticGraph;
use gemlens_core::report::graph::{flags_text, io_text, life_text};
use gemlens_core::say::label::Label;
use gemlens_core::say::size;
use gemlens_core::units::Bytes;

use crate::lens::Lens;
use crate::wire;

/// Blocks named in a list; the rest is counted.
const NAMED: usize = 12;

impl Lens {
    pub(crate) fn graph(&self, process: usize, graph: usize) -> Option<&StaticGraph> {
        self.analysis.as_ref()?.processes.get(process)?.graphs.get(graph)
    }

    fn block_name(&self, graph: &StaticGraph, map: &Map, rect: usize) -> Option<wire::BlockName> {
        let names = &self.analysis.as_ref()?.names;
        let block = graph.blocks.get(map.rects.get(rect)?.block)?;
        let name = format!("{} {}", names.get(block.node), io_text(block));
        Some(wire::BlockName { rect, name, size: size::human(block.size) })
    }

    pub(crate) fn card(
        &self,
        process: usize,
        graph: usize,
        memory_type: f64,
        rect: usize,
    ) -> Option<wire::Card> {
        let names = &self.analysis.as_ref()?.names;
        let graph = self.graph(process, graph)?;
        let map = map::map(graph, memory_type as u64);
        let own = map.rects.get(rect)?;
        let block = graph.blocks.get(own.block)?;
        let around = map::around(graph, &map, rect);
        let maybe = |number: Option<i64>| number.map_or_else(|| String::from("–"), |n| n.to_string());
        let facts = [
            (Label::Offset, block.offset.to_string()),
            (Label::Bytes, size::exact(block.size)),
            (Label::RealSize, size::exact(block.real_size)),
            (Label::Life, life_text(gemlens_core::metrics::static_graph::life(block))),
            (Label::OpType, names.get(block.op_type).to_owned()),
            (Label::Streams, maybe(block.stream)),
            (Label::MemoryType, block.memory_type.to_string()),
            (Label::ReuseFlags, flags_text(block.flags)),
            (Label::Batch, names.get(block.batch).to_owned()),
        ];
        let facts = facts.into_iter().filter(|fact| !fact.1.is_empty());
        let lists = [
            ("sharers", around.sharers),
            ("before", around.before.into_iter().collect()),
            ("after", around.after.into_iter().collect()),
            ("below", around.below.into_iter().collect()),
            ("above", around.above.into_iter().collect()),
        ];
        Some(wire::Card {
            title: format!("{} {}", names.get(block.node), io_text(block)),
            facts: facts
                .map(|(label, value)| wire::Fact { label: label.text(self.lang).to_owned(), value })
                .collect(),
            around: lists
                .into_iter()
                .filter(|list| !list.1.is_empty())
                .map(|(kind, rects)| wire::Neighbours {
                    kind: kind.to_owned(),
                    count: rects.len(),
                    blocks: rects
                        .iter()
                        .take(NAMED)
                        .filter_map(|&n| self.block_name(graph, &map, n))
                        .collect(),
                })
                .collect(),
            place: self.place(block.span),
        })
    }

    pub(crate) fn alive(
        &self,
        process: usize,
        graph: usize,
        memory_type: f64,
        at: u32,
    ) -> Option<wire::Alive> {
        let graph = self.graph(process, graph)?;
        let map = map::map(graph, memory_type as u64);
        let alive = map.alive(at);
        let load = map.load.get(at as usize).copied().unwrap_or(Bytes::ZERO);
        Some(wire::Alive {
            at,
            load: size::exact(load),
            count: alive.len(),
            blocks: alive.iter().take(NAMED).filter_map(|&n| self.block_name(graph, &map, n)).collect(),
        })
    }
}
