//! The compile-time allocator over a graph: what a layout would cost, and how small one could be.

pub mod bound;
