//! The binary `gemlens`.

fn main() {}
