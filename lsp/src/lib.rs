//! The outermost crate: files, terminals, protocols. Everything about memory is in `gemlens-core`.

#[cfg(not(target_family = "wasm"))]
pub mod input;
