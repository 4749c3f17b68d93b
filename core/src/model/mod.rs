//! What was understood, as plain data: no parsing, no figures that are not in the input.

pub mod allocation;
pub mod args_table;
pub mod component;
pub mod fault;
pub mod host_leak;
pub mod launch;
pub mod option;
pub mod pool;
pub mod process;
pub mod region;
pub mod static_graph;
pub mod variable;
