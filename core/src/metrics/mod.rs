//! Figures: pure functions of the model. No text, no verdict.

pub mod address;
pub mod class;
pub mod component;
pub mod failure;
pub mod growth;
pub mod neighbour;
pub mod occupancy;
pub mod operator_table;
pub mod pool;
pub mod static_graph;
