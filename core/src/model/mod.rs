//! What was understood, as plain data: no parsing, no figures that are not in the input.

pub mod static_graph;
