//! The core of GE Memory Lens: bytes in, a memory picture out.
//!
//! Data flows one way: `plog` turns bytes into records, `model` holds what was understood,
//! `metrics` computes figures from it, `resolve` follows addresses, `report` prints it. Nothing here does IO, reads a clock,
//! starts a thread or knows who is asking.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod annotate;
pub mod check;
mod digits;
pub mod graph;
pub mod intern;
pub mod metrics;
pub mod model;
pub mod plog;
pub mod replay;
pub mod report;
pub mod resolve;
pub mod say;
pub mod session;
pub mod span;
pub mod time;
pub mod units;
