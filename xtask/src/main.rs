//! Recurring work of this repository.
fn main() {}
