//! Dump graphs: what GE writes about a graph while it compiles it.
//!
//! A file is recognised by its content, never by its name. The proto and onnx forms become a
//! [`model::Model`]; everything else is named as what it is.

pub mod form;
pub mod ge_onnx;
pub mod ge_proto;
pub mod model;
pub mod text;

use crate::span::SourceId;

pub use form::{Lookalike, recognise};
pub use model::Model;

/// Reads a dump graph of either form.
///
/// # Errors
/// The text is no dump graph; the answer says what it looks like.
pub fn read(text: &[u8], source: SourceId) -> Result<Model, Lookalike> {
    match recognise(text)? {
        model::Form::GeProto => Ok(ge_proto::read(text, source)),
        model::Form::GeOnnx => Ok(ge_onnx::read(text, source)),
    }
}

#[cfg(test)]
mod tests;
