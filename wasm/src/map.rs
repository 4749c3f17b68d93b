//! A map as flat arrays, ready to be drawn.

use gemlens_core::metrics::{map, static_graph};
use gemlens_core::model::static_graph::Placement;

use crate::lens::Lens;

/// Bits of [`Geometry::flags`].
const ZERO_COPY: u8 = 1;
const PERMANENT: u8 = 2;
const CHILD: u8 = 4;
const REUSED: u8 = 8;
const CLEARED: u8 = 16;

/// One memory type of a graph. All arrays but `load` have one entry a block.
#[derive(Default)]
pub struct Geometry {
    /// First bytes.
    pub from: Vec<f64>,
    /// Sizes.
    pub size: Vec<f64>,
    /// Asked sizes: the rest of a block is rounding.
    pub real: Vec<f64>,
    /// First moments.
    pub begin: Vec<u32>,
    /// Last moments.
    pub end: Vec<u32>,
    /// 1 zero copy, 2 permanent, 4 child of another block, 8 may be reused, 16 cleared before use.
    pub flags: Vec<u8>,
    /// Streams; -1 for none.
    pub stream: Vec<i32>,
    /// Bytes in use at each moment.
    pub load: Vec<f64>,
    /// `name\ttype`, one line a block.
    pub labels: String,
    /// Bytes of the area.
    pub extent: f64,
    /// GE's theory minimum; 0 where it is not known.
    pub theory_min: f64,
    /// Bytes in use at the peak.
    pub peak: f64,
    /// The moment of the peak.
    pub peak_at: u32,
}

impl Lens {
    /// The geometry of one memory type; empty where there is none.
    pub fn geometry(&self, process: usize, graph: usize, memory_type: f64) -> Geometry {
        let mut geometry = Geometry::default();
        let (Some(analysis), Some(graph)) = (&self.analysis, self.graph(process, graph)) else {
            return geometry;
        };
        let picture = map::map(graph, memory_type as u64);
        for rect in &picture.rects {
            let Some(block) = graph.blocks.get(rect.block) else { continue };
            geometry.from.push(rect.from as f64);
            geometry.size.push(rect.size.0 as f64);
            geometry.real.push(rect.real.0 as f64);
            geometry.begin.push(rect.begin);
            geometry.end.push(rect.end);
            let cleared = matches!(
                block.placement,
                Placement::AtomicOutput | Placement::AtomicWorkspace | Placement::AtomicFusionWorkspace
            );
            let child = block.flags.child_level > 0 || block.is_ref;
            let flags = [
                (block.flags.zero_copy, ZERO_COPY),
                (rect.permanent, PERMANENT),
                (child, CHILD),
                (block.flags.reuse, REUSED),
                (cleared, CLEARED),
            ];
            geometry.flags.push(flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum());
            geometry.stream.push(block.stream.and_then(|stream| i32::try_from(stream).ok()).unwrap_or(-1));
            geometry.labels += &analysis.names.get(block.node).replace(['\t', '\n'], " ");
            geometry.labels.push('\t');
            geometry.labels += &analysis.names.get(block.op_type).replace(['\t', '\n'], " ");
            geometry.labels.push('\n');
        }
        geometry.load = picture.load.iter().map(|load| load.0 as f64).collect();
        geometry.extent = picture.extent.0 as f64;
        if let Some((at, load)) = picture.peak() {
            (geometry.peak_at, geometry.peak) = (at, load.0 as f64);
        }
        let figures = static_graph::figures(graph);
        let own = figures.iter().find(|figures| figures.memory_type == picture.memory_type);
        geometry.theory_min = own.and_then(|figures| figures.theory_min).map_or(0.0, |size| size.0 as f64);
        geometry
    }
}
