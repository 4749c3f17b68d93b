//! Figures: pure functions of the model. No text, no verdict.

pub mod address;
pub mod class;
pub mod component;
pub mod growth;
pub mod operator_table;
pub mod pool;
pub mod static_graph;
