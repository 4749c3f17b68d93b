//! Figures of a dump graph: how many nodes, edges, streams, and where the bytes are.
//!
//! Sizes are the stored ones (dump graphs chapter 6); what a dump doesn't store isn't guessed here.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::graph::Model;
use crate::graph::model::{Op, attr};
use crate::intern::Name;
use crate::span::Span;
use crate::units::Bytes;

/// What a dump holds, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Operators in all graphs.
    pub nodes: usize,
    /// Data edges.
    pub edges: usize,
    /// Control edges.
    pub control_edges: usize,
    /// Graphs below the dumped one.
    pub subgraphs: usize,
    /// Streams that operators name; -1 (none) doesn't count.
    pub streams: usize,
    /// Operators that carry the library of their engine.
    pub with_engine: usize,
    /// Output tensors.
    pub tensors: usize,
    /// Of these, the ones with a stored size.
    pub sized_tensors: usize,
    /// Operators with offsets of their outputs.
    pub with_offsets: usize,
    /// Operators with an output of which a dimension is unknown.
    pub dynamic_nodes: usize,
    /// The first of these.
    pub first_dynamic: Option<Name>,
    /// By operator type, the most bytes first.
    pub types: Vec<OfType>,
    /// Output tensors with a stored size, the largest first.
    pub tensors_by_size: Vec<Tensor>,
}

/// All operators of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfType {
    /// The type.
    pub op_type: Name,
    /// How many operators.
    pub count: usize,
    /// Stored sizes of their outputs.
    pub outputs: Bytes,
    /// Sizes of their workspaces.
    pub workspaces: Bytes,
}

/// One output tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its operator.
    pub node: Name,
    /// The operator's type.
    pub op_type: Name,
    /// Which output.
    pub index: usize,
    /// Data type as the file names it.
    pub dtype: Name,
    /// Dimensions as stored.
    pub dims: Vec<i64>,
    /// Stored size.
    pub size: Bytes,
    /// Where it stands.
    pub span: Span,
}

/// Counts a dump.
pub fn figures(model: &Model) -> Figures {
    let mut figures = Figures { subgraphs: model.graphs.len().saturating_sub(1), ..Figures::default() };
    let mut streams = BTreeSet::new();
    let mut types: BTreeMap<Name, OfType> = BTreeMap::new();
    for op in model.graphs.iter().flat_map(|graph| &graph.ops) {
        count(model, op, &mut figures);
        streams.insert(op.stream_id);
        let fresh = OfType { op_type: op.op_type, count: 0, outputs: Bytes::ZERO, workspaces: Bytes::ZERO };
        let of_type = types.entry(op.op_type).or_insert(fresh);
        of_type.count += 1;
        of_type.outputs += op.output_desc.iter().map(|tensor| bytes(tensor.size.unwrap_or(0))).sum();
        of_type.workspaces += op.workspace_bytes.iter().map(|&size| bytes(size)).sum();
    }
    streams.remove(&-1);
    figures.streams = streams.len();
    figures.types = types.into_values().collect();
    let name = |of: Name| model.names.get(of);
    figures.types.sort_by(|a, b| {
        let key = |t: &OfType| core::cmp::Reverse((t.outputs + t.workspaces, t.count));
        key(a).cmp(&key(b)).then_with(|| name(a.op_type).cmp(name(b.op_type)))
    });
    figures.tensors_by_size.sort_by_key(|tensor| core::cmp::Reverse(tensor.size));
    figures
}

fn count(model: &Model, op: &Op, figures: &mut Figures) {
    figures.nodes += 1;
    let linked = |data: bool| {
        op.inputs.iter().filter(|link| link.producer != Name::EMPTY && link.is_data() == data).count()
    };
    figures.edges += linked(true);
    figures.control_edges += linked(false);
    let engine = attr(&op.attrs, &model.names, "_ge_attr_op_kernel_lib_name");
    figures.with_engine += usize::from(engine.is_some());
    figures.with_offsets += usize::from(!op.output_i.is_empty());
    figures.tensors += op.output_desc.len();
    if op.output_desc.iter().any(|tensor| tensor.dims.iter().any(|&dim| dim < 0)) {
        figures.dynamic_nodes += 1;
        figures.first_dynamic = figures.first_dynamic.or(Some(op.name));
    }
    for (index, tensor) in op.output_desc.iter().enumerate() {
        let Some(size) = tensor.size else { continue };
        figures.sized_tensors += 1;
        figures.tensors_by_size.push(Tensor {
            node: op.name,
            op_type: op.op_type,
            index,
            dtype: tensor.dtype,
            dims: tensor.dims.clone(),
            size: bytes(size),
            span: op.name_span,
        });
    }
}

fn bytes(size: i64) -> Bytes {
    Bytes(u64::try_from(size).unwrap_or(0))
}
