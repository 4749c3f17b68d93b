//! Lines of kernel launches (plog grammar chapter 5, `kt.launch.*`, `kt.aicpu.io`, `kt.mark`).
//!
//! A launch prints up to ten lines; [`crate::plog::launches`] puts them together.

use alloc::vec::Vec;

use super::Fact;
use crate::digits::{decimal, leading, leading_hexadecimal};
use crate::intern::{Interner, Name};
use crate::plog::scan::Reading;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Kernel as printed.
    pub kernel: Name,
    /// Thread.
    pub tid: i64,
    /// Time of the line.
    pub time: Option<Time>,
    /// Printed as an error.
    pub failed: bool,
    /// The line.
    pub span: Span,
    /// What it says.
    pub says: Says,
}

/// What a line says.
#[derive(Clone, Debug)]
pub enum Says {
    /// The call, with its block dim.
    Call(u64),
    /// Runtime stream and task.
    Task(u64, u64),
    /// Pointers of inputs and outputs, and the size of the arguments.
    Split { inputs: u32, outputs: u32, args_size: Bytes },
    /// Inputs and outputs.
    Pointers { addresses: Vec<Address>, sizes: Vec<u64>, on_aicpu: bool },
    /// Workspaces.
    Workspaces(Vec<Address>),
    /// Bytes of tiling data.
    Tiling(Bytes),
    /// A round of execution starts (`true`) or ends.
    Mark(bool),
}

fn say(line: &Reading<'_>, names: &mut Interner, says: Says) -> Fact {
    let header = line.header;
    Fact::Launch(Line {
        kernel: line.name("kernel", names),
        tid: header.and_then(|h| h.tid).unwrap_or(0),
        time: header.and_then(|h| h.time()),
        failed: header.is_some_and(|h| h.level == b"ERROR"),
        span: line.span,
        says,
    })
}

fn words<'l>(line: &'l Reading<'_>, name: &str) -> impl Iterator<Item = &'l [u8]> {
    line.bytes_of(name).unwrap_or(&[]).split(|&b| b == b' ').filter(|word| !word.is_empty())
}

/// `0x…`, `(nil)`, or `0` for null.
fn address(word: &[u8]) -> Address {
    Address(word.strip_prefix(b"0x").and_then(hexadecimal).unwrap_or(0))
}

fn hexadecimal(word: &[u8]) -> Option<u64> {
    let (number, digits) = leading_hexadecimal(word);
    (digits == word.len() && (1..=16).contains(&digits)).then_some(number)
}

pub(super) fn pointers(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let addresses = words(line, "addrs").map(address).collect();
    let sizes = words(line, "sizes").map(decimal).collect();
    // A line that ends among the addresses has no sizes; the last of a torn list may be wrong.
    give(say(line, names, Says::Pointers { addresses, sizes, on_aicpu: false }));
}

pub(super) fn aicpu_pointers(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let addresses = words(line, "addrs").map(address).collect();
    // Hexadecimal here (plog grammar, trap 11).
    let sizes = words(line, "sizes").filter_map(hexadecimal).collect();
    give(say(line, names, Says::Pointers { addresses, sizes, on_aicpu: true }));
}

/// `ArgsInputsAddr(address/length): 0x…/16, `: the length is eight times the number of pointers.
pub(super) fn split(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(parts) = line.bytes_of("parts") else { return };
    let count = |name: &[u8]| {
        let behind = &parts[memchr::memmem::find(parts, name)? + name.len()..];
        let number = &behind[memchr::memchr(b'/', behind)? + 1..];
        let digits = number.get(..leading(number, |b| b.is_ascii_digit()))?;
        // Without the comma behind it, the number may be torn.
        let is_whole = number.get(digits.len()) == Some(&b',') && !digits.is_empty();
        u32::try_from(decimal(digits) / 8).ok().filter(|_| is_whole)
    };
    let (Some(inputs), Some(outputs)) =
        (count(b"ArgsInputsAddr(address/length): "), count(b"ArgsOutputsAddr(address/length): "))
    else {
        return;
    };
    let args_size = line.bytes("args_size").unwrap_or_default();
    give(say(line, names, Says::Split { inputs, outputs, args_size }));
}

pub(super) fn other(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let says = if let Some(block_dim) = line.u64("block_dim") {
        Says::Call(block_dim)
    } else if let (Some(stream), Some(task)) = (line.u64("stream_id"), line.u64("task_id")) {
        Says::Task(stream, task)
    } else if let Some(size) = line.bytes("tiling_size") {
        Says::Tiling(size)
    } else if line.bytes_of("workspaces").is_some() {
        Says::Workspaces(words(line, "workspaces").map(address).collect())
    } else {
        match line.bytes_of("none") {
            Some(b"No workspaces") => Says::Workspaces(Vec::new()),
            Some(b"No tiling data") => Says::Tiling(Bytes::ZERO),
            _ => return,
        }
    };
    give(say(line, names, says));
}

pub(super) fn mark(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let starts = line.bytes_of("what") == Some(b"Start");
    give(say(line, names, Says::Mark(starts)));
}
