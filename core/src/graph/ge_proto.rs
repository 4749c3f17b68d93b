//! The proto form of a dump graph: `ge.proto.ModelDef` as text (dump graphs chapter 4).
//!
//! Keeps what memory depends on and the places of the rest; kernel binaries and weights are passed over.

use alloc::vec::Vec;

use crate::graph::model::{Attr, AttrValue, Form, Graph, Link, Model, Op, Tensor, UnknownField};
use crate::graph::text::{Event, Field, Problem, Reader, Value};
use crate::intern::{Interner, Name};
use crate::span::SourceId;

/// Strings longer than this are passed over, not kept: no attribute that matters for memory is longer.
const LONGEST_TEXT: usize = 4096;
/// Attributes nest (`func` in `list` in `func` …); what lies deeper is passed over.
const DEEPEST_VALUE: u32 = 6;

/// Reads the proto form. Operators that are not whole are left out, with a problem that says where.
pub fn read(text: &[u8], source: SourceId) -> Model {
    let mut builder = Builder {
        reader: Reader::new(text, source),
        names: Interner::new(),
        problems: Vec::new(),
        graphs: Vec::new(),
    };
    builder.model();
    Model { form: Form::GeProto, names: builder.names, graphs: builder.graphs, problems: builder.problems }
}

/// The text ended inside a message.
struct Cut;

struct Builder<'a> {
    reader: Reader<'a>,
    names: Interner,
    problems: Vec<Problem>,
    graphs: Vec<Graph>,
}

/// What the fields of a message are, after problems were put aside.
enum Item<'a> {
    Scalar(Field<'a>, Value<'a>),
    Message(Field<'a>),
    Close(usize),
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

    fn unknown(&mut self, field: Field<'a>, end: usize) -> UnknownField {
        UnknownField { name: self.names.intern_bytes(field.name), span: self.reader.span(field, end) }
    }

    fn model(&mut self) {
        while let Ok(item) = self.item() {
            match item {
                Item::Message(field) if field.name == b"graph" => {
                    let mut graph = Graph::default();
                    let end = self.graph(&mut graph);
                    graph.span = self.reader.span(field, *end.as_ref().unwrap_or(&self.reader.position()));
                    self.graphs.push(graph);
                    if end.is_err() {
                        return;
                    }
                }
                Item::Message(_) => {
                    if self.skip().is_err() {
                        return;
                    }
                }
                Item::Scalar(..) | Item::Close(_) => {}
            }
        }
    }

    fn graph(&mut self, graph: &mut Graph) -> Result<usize, Cut> {
        loop {
            match self.item()? {
                Item::Close(end) => return Ok(end),
                Item::Message(field) => match field.name {
                    b"op" => {
                        let op = self.op(field)?;
                        graph.ops.push(op);
                    }
                    b"attr" => {
                        let attr = self.attr(field)?;
                        graph.attrs.push(attr);
                    }
                    _ => {
                        let end = self.skip()?;
                        let unknown = self.unknown(field, end);
                        graph.unknown.push(unknown);
                    }
                },
                Item::Scalar(field, value) => match field.name {
                    b"name" => graph.name = self.name(&value),
                    b"input" | b"output" => {}
                    _ => {
                        let unknown = self.unknown(field, value.start + value.raw.len());
                        graph.unknown.push(unknown);
                    }
                },
            }
        }
    }

    fn op(&mut self, opened: Field<'a>) -> Result<Op, Cut> {
        let mut op = Op::default();
        loop {
            match self.item()? {
                Item::Close(end) => {
                    op.span = self.reader.span(opened, end);
                    return Ok(op);
                }
                Item::Message(field) => match field.name {
                    b"attr" => {
                        let attr = self.attr(field)?;
                        op.attrs.push(attr);
                    }
                    b"input_desc" => {
                        let tensor = self.tensor(field)?;
                        op.input_desc.push(tensor);
                    }
                    b"output_desc" => {
                        let tensor = self.tensor(field)?;
                        op.output_desc.push(tensor);
                    }
                    _ => {
                        let end = self.skip()?;
                        let unknown = self.unknown(field, end);
                        op.unknown.push(unknown);
                    }
                },
                Item::Scalar(field, value) => self.op_scalar(&mut op, field, value),
            }
        }
    }

    fn op_scalar(&mut self, op: &mut Op, field: Field<'a>, value: Value<'a>) {
        let end = value.start + value.raw.len();
        let int = || value.int().unwrap_or(0);
        match field.name {
            b"name" => {
                op.name = self.name(&value);
                op.name_span = self.reader.span(field, end);
            }
            b"type" => op.op_type = self.name(&value),
            b"id" => op.id = int(),
            b"stream_id" => op.stream_id = int(),
            b"input" => {
                let mut link = match value.plain() {
                    Some(plain) => link(plain, &mut self.names),
                    None => link(&value.bytes(), &mut self.names),
                };
                link.span = self.reader.span(field, end);
                op.inputs.push(link);
            }
            b"input_i" => op.input_i.push(int()),
            b"output_i" => op.output_i.push(int()),
            b"workspace" => op.workspace.push(int()),
            b"workspace_bytes" => op.workspace_bytes.push(int()),
            b"subgraph_name" => {
                let name = self.name(&value);
                op.subgraphs.push(name);
            }
            b"has_out_attr" | b"input_name" | b"src_name" | b"src_index" | b"dst_name" | b"dst_index"
            | b"is_input_const" => {}
            _ => {
                let unknown = self.unknown(field, end);
                op.unknown.push(unknown);
            }
        }
    }

    fn tensor(&mut self, opened: Field<'a>) -> Result<Tensor, Cut> {
        let mut tensor = Tensor::default();
        loop {
            match self.item()? {
                Item::Close(end) => {
                    tensor.span = self.reader.span(opened, end);
                    return Ok(tensor);
                }
                Item::Message(field) => match field.name {
                    b"shape" => self.ints(b"dim", &mut tensor.dims)?,
                    b"attr" => {
                        let attr = self.attr(field)?;
                        tensor.attrs.push(attr);
                    }
                    _ => {
                        self.skip()?;
                    }
                },
                Item::Scalar(field, value) => match field.name {
                    b"dtype" => tensor.dtype = self.names.intern_bytes(value.raw),
                    b"layout" => tensor.layout = self.name(&value),
                    b"size" => tensor.size = value.int(),
                    b"reuse_input" => tensor.reuse_input = value.bool().unwrap_or(false),
                    b"reuse_input_index" => tensor.reuse_input_index = value.int().unwrap_or(0),
                    b"data_offset" => tensor.data_offset = value.int().unwrap_or(0),
                    _ => {}
                },
            }
        }
    }

    /// All numbers of one name in the message just opened.
    fn ints(&mut self, name: &[u8], into: &mut Vec<i64>) -> Result<(), Cut> {
        loop {
            match self.item()? {
                Item::Close(_) => return Ok(()),
                Item::Scalar(field, value) if field.name == name => into.push(value.int().unwrap_or(0)),
                Item::Scalar(..) => {}
                Item::Message(_) => {
                    self.skip()?;
                }
            }
        }
    }

    fn attr(&mut self, opened: Field<'a>) -> Result<Attr, Cut> {
        let (key, value, end) = self.entry(0)?;
        Ok(Attr { key, value, span: self.reader.span(opened, end) })
    }

    /// A map entry: `key` and `value`.
    fn entry(&mut self, depth: u32) -> Result<(Name, AttrValue, usize), Cut> {
        let mut key = Name::EMPTY;
        let mut value = AttrValue::Opaque;
        loop {
            match self.item()? {
                Item::Close(end) => return Ok((key, value, end)),
                Item::Scalar(field, text) if field.name == b"key" => key = self.name(&text),
                Item::Message(field) if field.name == b"value" => value = self.value(depth)?,
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(..) => {}
            }
        }
    }

    fn value(&mut self, depth: u32) -> Result<AttrValue, Cut> {
        let mut result = AttrValue::Opaque;
        loop {
            match self.item()? {
                Item::Close(_) => return Ok(result),
                Item::Scalar(field, value) => match field.name {
                    b"s" if value.raw.len() <= LONGEST_TEXT => result = AttrValue::Text(self.name(&value)),
                    b"i" => result = AttrValue::Int(value.int().unwrap_or(0)),
                    b"f" => result = AttrValue::Float(value.float().unwrap_or(0.0)),
                    b"b" => result = AttrValue::Bool(value.bool().unwrap_or(false)),
                    b"dt" => result = AttrValue::DataType(value.int().unwrap_or(0)),
                    _ => {}
                },
                Item::Message(field) => match field.name {
                    b"list" => result = self.list()?,
                    b"list_list_int" => result = self.int_lists()?,
                    b"func" if depth < DEEPEST_VALUE => result = self.named(depth + 1)?,
                    _ => {
                        self.skip()?;
                    }
                },
            }
        }
    }

    fn list(&mut self) -> Result<AttrValue, Cut> {
        let (mut ints, mut floats, mut bools, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut other = false;
        loop {
            match self.item()? {
                Item::Close(_) => break,
                Item::Scalar(field, value) => match field.name {
                    b"s" if value.raw.len() <= LONGEST_TEXT => texts.push(self.name(&value)),
                    b"i" | b"dt" => ints.push(value.int().unwrap_or(0)),
                    b"f" => floats.push(value.float().unwrap_or(0.0)),
                    b"b" => bools.push(value.bool().unwrap_or(false)),
                    b"val_type" => {}
                    _ => other = true,
                },
                Item::Message(_) => {
                    other = true;
                    self.skip()?;
                }
            }
        }
        Ok(if !ints.is_empty() {
            AttrValue::Ints(ints)
        } else if !texts.is_empty() {
            AttrValue::Texts(texts)
        } else if !bools.is_empty() {
            AttrValue::Bools(bools)
        } else if !floats.is_empty() {
            AttrValue::Floats(floats)
        } else if other {
            AttrValue::Opaque
        } else {
            AttrValue::EmptyList
        })
    }

    fn int_lists(&mut self) -> Result<AttrValue, Cut> {
        let mut lists = Vec::new();
        loop {
            match self.item()? {
                Item::Close(_) => return Ok(AttrValue::IntLists(lists)),
                Item::Message(field) if field.name == b"list_list_i" => {
                    let mut list = Vec::new();
                    self.ints(b"list_i", &mut list)?;
                    lists.push(list);
                }
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(..) => {}
            }
        }
    }

    fn named(&mut self, depth: u32) -> Result<AttrValue, Cut> {
        let mut entries = Vec::new();
        loop {
            match self.item()? {
                Item::Close(_) => return Ok(AttrValue::Named(entries)),
                Item::Message(field) if field.name == b"attr" => {
                    let (key, value, _) = self.entry(depth)?;
                    entries.push((key, value));
                }
                Item::Message(_) => {
                    self.skip()?;
                }
                Item::Scalar(..) => {}
            }
        }
    }
}

/// The edge that an `input` text names: split at the last colon (dump graphs chapter 5).
pub(crate) fn link(text: &[u8], names: &mut Interner) -> Link {
    let Some(colon) = memchr::memrchr(b':', text) else {
        return Link { producer: names.intern_bytes(text), ..Link::default() };
    };
    let output = text
        .get(colon + 1..)
        .and_then(|digits| core::str::from_utf8(digits).ok())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0);
    Link { producer: names.intern_bytes(text.get(..colon).unwrap_or_default()), output, ..Link::default() }
}
