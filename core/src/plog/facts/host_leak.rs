//! Leak records of the host.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Fact;
use crate::digits::decimal;
use crate::intern::Interner;
use crate::model::host_leak::{Frame, Leak, Loss, Report, Tool};
use crate::plog::scan::Reading;
use crate::units::Bytes;

fn say(report: Report, give: &mut dyn FnMut(Fact)) {
    give(Fact::HostLeak(Box::new(report)));
}

pub(super) fn sanitizer(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(size), Some(blocks)) = (line.bytes("size"), line.u64("blocks")) else { return };
    let loss = if line.bytes_of("loss") == Some(b"Direct") { Loss::Definite } else { Loss::Indirect };
    let leak = Leak { tool: Tool::LeakSanitizer, loss, size, blocks, frames: Vec::new(), span: line.span };
    say(Report::Leak(leak), give);
}

pub(super) fn sanitizer_sum(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(size) = line.bytes("size") {
        say(Report::Sum(Tool::LeakSanitizer, size, line.span), give);
    }
}

pub(super) fn frame(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let frame = Frame { function: line.name("func", names), place: line.name("place", names) };
    say(Report::Frame(frame, line.span), give);
}

pub(super) fn valgrind(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let (Some(size), Some(blocks)) = (grouped(line, "size"), grouped(line, "blocks")) else { return };
    let loss = match line.bytes_of("loss") {
        Some(b"definitely lost") => Loss::Definite,
        Some(b"indirectly lost") => Loss::Indirect,
        Some(b"possibly lost") => Loss::Possible,
        _ => Loss::Reachable,
    };
    let leak =
        Leak { tool: Tool::Valgrind, loss, size: Bytes(size), blocks, frames: Vec::new(), span: line.span };
    say(Report::Leak(leak), give);
}

pub(super) fn valgrind_sum(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if let Some(size) = grouped(line, "size") {
        say(Report::Sum(Tool::Valgrind, Bytes(size), line.span), give);
    }
}

pub(super) fn valgrind_clean(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    say(Report::Clean(Tool::Valgrind, line.span), give);
}

/// `1,024`
fn grouped(line: &Reading<'_>, name: &str) -> Option<u64> {
    let text = line.bytes_of(name)?;
    let digits: Vec<u8> = text.iter().copied().filter(|b| *b != b',').collect();
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then(|| decimal(&digits))
}
