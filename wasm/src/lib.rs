//! The core for a browser: files in, answers out. Computes nothing and lays nothing out.
//!
//! `lens` holds what was read and answers; `wire` has the shapes that cross, from which the page's
//! types are made; `bindings` is the only part that knows JavaScript.

mod ask;
pub mod bindings;
mod card;
mod lens;
mod lines;
mod map;
mod overview;
mod tables;
pub mod wire;

pub use lens::Lens;
