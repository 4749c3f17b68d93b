//! Which schema a text belongs to, told by its first fields (dump graphs chapter 12).

use crate::graph::model::Form;
use crate::graph::text::{Event, Reader};
use crate::span::SourceId;

/// A file that is no dump graph of a known form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookalike {
    /// GE's readable form: names and edges only, of no use for memory.
    GeReadable,
    /// A `GraphDef` at the top: torchair's graphs before GE.
    TorchairGraph,
    /// A TensorFlow graph.
    TensorFlow,
    /// A Caffe network.
    Caffe,
    /// An ONNX model that GE did not write.
    ForeignOnnx,
    /// The JSON form of a model or dump.
    Json,
    /// A binary file (`.om`, `.pb`, `.air`).
    Binary,
    /// Nothing at all.
    Empty,
    /// Text format of another schema, or other text.
    Unknown,
}

/// How many fields are looked at before giving up.
const FIELDS_LOOKED_AT: usize = 4000;

/// The form of `text`.
///
/// # Errors
/// It is no dump graph that can be read; the answer says what it looks like.
pub fn recognise(text: &[u8]) -> Result<Form, Lookalike> {
    let head = text.get(..text.len().min(1024)).unwrap_or_default();
    let trimmed = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if trimmed.is_empty() {
        return Err(Lookalike::Empty);
    }
    if head.iter().any(|&byte| byte < 0x09) {
        return Err(Lookalike::Binary);
    }
    if trimmed.starts_with(b"graph(\"") {
        return Err(Lookalike::GeReadable);
    }
    if trimmed.starts_with(b"{") || trimmed.starts_with(b"[{") {
        return Err(Lookalike::Json);
    }
    by_fields(text)
}

fn by_fields(text: &[u8]) -> Result<Form, Lookalike> {
    let mut reader = Reader::new(text, SourceId::default());
    let mut onnx = false;
    for _ in 0..FIELDS_LOOKED_AT {
        let (name, depth, value): (&[u8], u32, &[u8]) = match reader.next_event() {
            Event::Scalar(field, value) => (field.name, reader.depth(), value.plain().unwrap_or_default()),
            Event::Open(field) => (field.name, reader.depth() - 1, b""),
            Event::Close(_) => continue,
            Event::Problem(_) => continue,
            Event::End => break,
        };
        match (depth, name) {
            (0, b"op") => return Err(Lookalike::TorchairGraph),
            (0, b"node") => return Err(Lookalike::TensorFlow),
            (0, b"layer" | b"layers") => return Err(Lookalike::Caffe),
            (0, b"ir_version") => onnx = true,
            (0, b"producer_name") if value == b"GE" => return Ok(Form::GeOnnx),
            (0, b"producer_name") => return Err(Lookalike::ForeignOnnx),
            (1, b"op") => return Ok(Form::GeProto),
            (1, b"node") if onnx => {}
            (2, b"op_type") if value.starts_with(b"ge:") => return Ok(Form::GeOnnx),
            (2, b"op_type") => return Err(Lookalike::ForeignOnnx),
            _ => {}
        }
    }
    Err(if onnx { Lookalike::ForeignOnnx } else { Lookalike::Unknown })
}
