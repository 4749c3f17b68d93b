//! The outermost crate: files, terminals, protocols. Everything about memory is in `gemlens-core`.

pub mod input;
