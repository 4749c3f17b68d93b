//! A dump graph as plain data, whatever form it was read from.
//!
//! Numbers are as in the file; nothing is derived here. Facts: dump graphs chapters 4 to 8.

use alloc::vec::Vec;

use crate::graph::text::Problem;
use crate::intern::{Interner, Name};
use crate::span::Span;

/// Which kind of file it was (dump graphs chapters 4, 10 to 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `ge_proto_*.txt`: complete but for large constants.
    GeProto,
    /// `ge_onnx_*.pbtxt`: without graph attributes, data types and, by default, strings.
    GeOnnx,
}

/// All graphs of one dump file.
#[derive(Clone, Debug)]
pub struct Model {
    /// The form it was read from.
    pub form: Form,
    /// Every name in it.
    pub names: Interner,
    /// The dumped graph first, then its sub-graphs at any depth, in file order.
    pub graphs: Vec<Graph>,
    /// Damage met while reading; what was whole is kept.
    pub problems: Vec<Problem>,
}

/// One graph: operators in list order.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its name.
    pub name: Name,
    /// Operators in file order, which is the graph's own node order.
    pub ops: Vec<Op>,
    /// Attributes of the graph.
    pub attrs: Vec<Attr>,
    /// Fields of no known meaning.
    pub unknown: Vec<UnknownField>,
    /// From `graph` to the byte behind its closing brace.
    pub span: Span,
}

/// One operator.
#[derive(Clone, Debug, Default)]
pub struct Op {
    /// Name, unique within its graph.
    pub name: Name,
    /// Operator type.
    pub op_type: Name,
    /// Topological number; 0 when absent.
    pub id: i64,
    /// Stream; 0 when absent, -1 for none.
    pub stream_id: i64,
    /// Data inputs in anchor order, then control inputs.
    pub inputs: Vec<Link>,
    /// Attributes in file order; of a key that is there twice the last counts.
    pub attrs: Vec<Attr>,
    /// Offset of each connected input.
    pub input_i: Vec<i64>,
    /// Offset of each output.
    pub output_i: Vec<i64>,
    /// Offset of each workspace.
    pub workspace: Vec<i64>,
    /// Size of each workspace.
    pub workspace_bytes: Vec<i64>,
    /// Descriptors of the inputs.
    pub input_desc: Vec<Tensor>,
    /// Descriptors of the outputs.
    pub output_desc: Vec<Tensor>,
    /// Names of its sub-graphs, in order.
    pub subgraphs: Vec<Name>,
    /// Fields of no known meaning.
    pub unknown: Vec<UnknownField>,
    /// From `op` to the byte behind its closing brace.
    pub span: Span,
    /// The `name` field.
    pub name_span: Span,
}

/// One `input` line: an edge from a producer, or an input that is not connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The producer; empty for an input that is not connected.
    pub producer: Name,
    /// Its output; -1 for a control edge.
    pub output: i32,
    /// The `input` field.
    pub span: Span,
}

impl Link {
    /// Whether this is a data input anchor, connected or not.
    pub fn is_data(&self) -> bool {
        self.producer == Name::EMPTY || self.output >= 0
    }
}

/// A tensor descriptor.
#[derive(Clone, Debug, Default)]
pub struct Tensor {
    /// Data type as named in the file (`DT_FLOAT16`), empty when undefined.
    pub dtype: Name,
    /// Dimensions as stored.
    pub dims: Vec<i64>,
    /// Storage format.
    pub layout: Name,
    /// Stored size in bytes; `None` when the field is absent (which also means 0).
    pub size: Option<i64>,
    /// Whether this output is one of the inputs.
    pub reuse_input: bool,
    /// Which input that is.
    pub reuse_input_index: i64,
    /// Place in the weights, for inputs fed by a constant.
    pub data_offset: i64,
    /// Attributes in file order.
    pub attrs: Vec<Attr>,
    /// From `input_desc` or `output_desc` to the byte behind its closing brace.
    pub span: Span,
}

/// An attribute of a graph, operator, tensor or named list.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    /// Its key.
    pub key: Name,
    /// Its value.
    pub value: AttrValue,
    /// The whole entry.
    pub span: Span,
}

/// A field that the schema does not name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// The name as written.
    pub name: Name,
    /// The whole field.
    pub span: Span,
}

/// The value of an attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AttrValue {
    /// Present but empty, or of a kind that is not decoded (tensors, graphs, bytes, long strings).
    #[default]
    Opaque,
    /// A string.
    Text(Name),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A data type, by its number in GE's own enumeration.
    DataType(i64),
    /// A list of whole numbers.
    Ints(Vec<i64>),
    /// A list of floating-point numbers.
    Floats(Vec<f64>),
    /// A list of truth values.
    Bools(Vec<bool>),
    /// A list of strings.
    Texts(Vec<Name>),
    /// A list of lists of whole numbers.
    IntLists(Vec<Vec<i64>>),
    /// Named attributes, one level deep.
    Named(Vec<(Name, AttrValue)>),
    /// An empty list of any kind.
    EmptyList,
}

impl AttrValue {
    /// The number in it, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            AttrValue::Int(value) | AttrValue::DataType(value) => Some(*value),
            AttrValue::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The truth value in it; a number counts as true unless it is 0 (onnx form).
    pub fn bool(&self) -> Option<bool> {
        match self {
            AttrValue::Bool(value) => Some(*value),
            AttrValue::Int(value) => Some(*value != 0),
            _ => None,
        }
    }

    /// The numbers in it; empty when it is no list of numbers.
    pub fn ints(&self) -> &[i64] {
        match self {
            AttrValue::Ints(values) => values,
            _ => &[],
        }
    }

    /// The string in it, if it is one.
    pub fn text(&self) -> Option<Name> {
        match self {
            AttrValue::Text(value) => Some(*value),
            _ => None,
        }
    }
}

/// The value of `key` among `attrs`: the last entry of that key.
pub fn attr<'a>(attrs: &'a [Attr], names: &Interner, key: &str) -> Option<&'a AttrValue> {
    attrs.iter().rev().find(|attr| names.get(attr.key) == key).map(|attr| &attr.value)
}
