//! Which address an operator really got, and whom an address belongs to (analysis rules, R9).
//!
//! Three routes: the static map of load lines and compile-time offsets, the args tables of static
//! models, and the launches of dynamic graphs. Reads the model only; never a line.

pub mod args_table;
pub mod launch;
pub mod notation;
pub mod static_map;
pub mod whose;
