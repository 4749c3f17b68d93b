//! The onnx form of a dump graph: `ge.onnx.ModelProto` as text (dump graphs chapter 10).
//!
//! Operator fields and descriptors are attributes here; graph attributes, data types and, by default,
//! strings are not in it.

use alloc::vec::Vec;

use crate::graph::ge_proto::link;
use crate::graph::model::{Attr, AttrValue, Form, Graph, Model, Op, Tensor};
use crate::graph::text::{Event, Field, Problem, ProblemKind, Reader, Value};
use crate::intern::{Interner, Name};
use crate::span::SourceId;

/// Strings longer than this are passed over.
const LONGEST_TEXT: usize = 4096;
/// Graphs in graphs: the writer nests one level only.
const DEEPEST_GRAPH: u32 = 3;

/// Reads the onnx form. Operators that are not whole are left out, with a problem that says where.
pub fn read(text: &[u8], source: SourceId) -> Model {
    let mut builder = Builder {
        reader: Reader::new(text, source),
        names: Interner::new(),
        problems: Vec::new(),
        graphs: Vec::new(),
    };
    while let Ok(item) = builder.item() {
        let Item::Message(field) = item else { continue };
        let done = match field.name {
            b"graph" => builder.graph(field, 0).map(|_| ()),
            _ => builder.skip().map(|_| ()),
        };
        if done.is_err() {
            break;
        }
    }
    // The root is finished last but stands first.
    builder.graphs.reverse();
    if let Some(rest) = builder.graphs.get_mut(1..) {
        rest.reverse();
    }
    Model { form: Form::GeOnnx, names: builder.names, graphs: builder.graphs, problems: builder.problems }
}

/// The text ended inside a message.
struct Cut;

enum Item<'a> {
    Scalar(Field<'a>, Value<'a>),
    Message(Field<'a>),
    Close(usize),
}

struct Builder<'a> {
    reader: Reader<'a>,
    names: Interner,
    problems: Vec<Problem>,
    graphs: Vec<Graph>,
}

impl<'a> Builder<'a> {
    fn item(&mut self) -> Result<Item<'a>, Cut> {
        loop {
            match self.reader.next_event() {
                Event::Scalar(field, value) => return Ok(Item::Scalar(field, value)),
                Event::Open(field) => return Ok(Item::Message(field)),
                Event::Close(end) => return Ok(Item::Close(end)),
                Event::Problem(problem) => self.problems.push(problem),
                Event::End => return Err(Cut),
            }
        }
    }

    fn skip(&mut self) -> Result<usize, Cut> {
        self.reader.skip_message().ok_or(Cut)
    }

    fn name(&mut self, value: &Value<'a>) -> Name {
        match value.plain() {
            Some(plain) => self.names.intern_bytes(plain),
            None => self.names.intern(&value.text()),
        }
    }

    /// Reads a graph and keeps it, also when it is cut.
    fn graph(&mut self, opened: Field<'a>, depth: u32) -> Result<(), Cut> {
        let mut graph = Graph::default();
        let end = self.fill_graph(&mut graph, depth);
        graph.span = self.reader.span(opened, *end.as_ref().unwrap_or(&self.reader.position()));
        self.graphs.push(graph);
        end.map(|_| ())
    }

    fn fill_graph(&mut self, graph: &mut Graph, depth: u32) -> Result<usize, Cut> {
        loop {
            match self.item()? {
                Item::Close(end) => return Ok(end),
                Item::Message(field) if field.name == b"node" => {
                    let op = self.node(field, depth)?;
                    if self.names.get(op.op_type) != "subgraph" {
                        graph.ops.push(op);
                    }
                }
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(field, value) if field.name == b"name" => graph.name = self.name(&value),
                Item::Scalar(..) => {}
            }
        }
    }

    fn node(&mut self, opened: Field<'a>, depth: u32) -> Result<Op, Cut> {
        let mut op = Op::default();
        loop {
            match self.item()? {
                Item::Close(end) => {
                    op.span = self.reader.span(opened, end);
                    return Ok(op);
                }
                Item::Message(field) if field.name == b"attribute" => {
                    self.attribute(field, &mut op, depth)?;
                }
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(field, value) => {
                    let span = self.reader.span(field, value.start + value.raw.len());
                    match field.name {
                        b"name" => {
                            op.name = self.name(&value);
                            op.name_span = span;
                        }
                        b"op_type" => {
                            let text = value.text();
                            op.op_type = self.names.intern(text.strip_prefix("ge:").unwrap_or(&text));
                        }
                        b"input" => {
                            let mut edge = link(&value.bytes(), &mut self.names);
                            edge.span = span;
                            op.inputs.push(edge);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    fn attribute(&mut self, opened: Field<'a>, op: &mut Op, depth: u32) -> Result<(), Cut> {
        let mut key: Vec<u8> = Vec::new();
        let mut value = AttrValue::Opaque;
        let (mut ints, mut floats, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut kind: &[u8] = b"";
        let end = loop {
            match self.item()? {
                Item::Close(end) => break end,
                Item::Message(field) if field.name == b"g" && depth < DEEPEST_GRAPH => {
                    self.graph(field, depth + 1)?;
                }
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(field, text) => match field.name {
                    b"name" => key = text.bytes(),
                    b"i" => value = AttrValue::Int(text.int().unwrap_or(0)),
                    b"f" => value = AttrValue::Float(text.float().unwrap_or(0.0)),
                    b"s" if text.raw.len() <= LONGEST_TEXT => value = AttrValue::Text(self.name(&text)),
                    b"ints" => ints.push(text.int().unwrap_or(0)),
                    b"floats" => floats.push(text.float().unwrap_or(0.0)),
                    b"strings" if text.raw.len() <= LONGEST_TEXT => texts.push(self.name(&text)),
                    b"type" => kind = text.raw,
                    _ => {}
                },
            }
        };
        let value = match kind {
            _ if !ints.is_empty() => AttrValue::Ints(ints),
            _ if !floats.is_empty() => AttrValue::Floats(floats),
            _ if !texts.is_empty() => AttrValue::Texts(texts),
            // Zero is not printed.
            b"INT" if value == AttrValue::Opaque => AttrValue::Int(0),
            b"INTS" | b"FLOATS" | b"STRINGS" => AttrValue::EmptyList,
            _ => value,
        };
        self.place(opened, end, op, &key, value);
        Ok(())
    }

    /// Puts an attribute where it belongs: a field of the operator, a descriptor, or its attributes.
    fn place(&mut self, opened: Field<'a>, end: usize, op: &mut Op, key: &[u8], value: AttrValue) {
        match key {
            b"id" => op.id = value.int().unwrap_or(0),
            b"stream_id" => op.stream_id = value.int().unwrap_or(0),
            b"input_i" => op.input_i = value.ints().to_vec(),
            b"output_i" => op.output_i = value.ints().to_vec(),
            b"workspace" => op.workspace = value.ints().to_vec(),
            b"workspace_bytes" => op.workspace_bytes = value.ints().to_vec(),
            b"input_desc_nums" => grow(&mut op.input_desc, value.int()),
            b"output_desc_nums" => grow(&mut op.output_desc, value.int()),
            _ => {
                let span = self.reader.span(opened, end);
                let (list, rest) = if let Some(rest) = key.strip_prefix(b"input_desc_") {
                    (Some(&mut op.input_desc), rest)
                } else if let Some(rest) = key.strip_prefix(b"output_desc_") {
                    (Some(&mut op.output_desc), rest)
                } else {
                    (None, key)
                };
                let Some(list) = list else {
                    op.attrs.push(Attr { key: self.names.intern_bytes(key), value, span });
                    return;
                };
                if rest.iter().all(u8::is_ascii_digit) {
                    self.problems.push(Problem {
                        kind: ProblemKind::DescriptorAsJson,
                        line: opened.line,
                        column: 1,
                    });
                    return;
                }
                let Some((field, index)) = split_index(rest) else { return };
                grow(list, Some(index + 1));
                let Some(tensor) = usize::try_from(index).ok().and_then(|n| list.get_mut(n)) else { return };
                tensor.span = span;
                match field {
                    b"dtype" => tensor.dtype = value.text().unwrap_or_default(),
                    b"layout" => tensor.layout = value.text().unwrap_or_default(),
                    b"shape" => tensor.dims = value.ints().to_vec(),
                    b"size" => tensor.size = value.int(),
                    b"reuse_input" => tensor.reuse_input = value.bool().unwrap_or(false),
                    b"data_offset" => tensor.data_offset = value.int().unwrap_or(0),
                    _ => {
                        if let Some(key) = field.strip_prefix(b"attr_") {
                            tensor.attrs.push(Attr { key: self.names.intern_bytes(key), value, span });
                        }
                    }
                }
            }
        }
    }
}

/// `field:index`, split at the last colon; a `_row` behind the index is not of interest.
fn split_index(key: &[u8]) -> Option<(&[u8], i64)> {
    let colon = memchr::memrchr(b':', key)?;
    let digits = core::str::from_utf8(key.get(colon + 1..)?).ok()?;
    Some((key.get(..colon)?, digits.parse().ok()?))
}

/// Makes room for so many descriptors; a count that no writer makes is ignored.
fn grow(list: &mut Vec<Tensor>, count: Option<i64>) {
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    if count <= 65_536 && list.len() < count {
        list.resize_with(count, Tensor::default);
    }
}
