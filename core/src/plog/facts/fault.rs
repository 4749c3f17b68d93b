//! Errors: of the known kinds, and of any line at level ERROR whose text or code is known.

use alloc::boxed::Box;

use memchr::memmem;

use super::Fact;
use super::error_text::{self, number_behind};
use crate::intern::{Interner, Name};
use crate::model::fault::{CachingPool, Code, Fault, FreeMemory, Layer, Nature, Place, Report};
use crate::plog::scan::Reading;
use crate::time::Time;
use crate::units::Bytes;

/// A fault with what every line has: layer, thread, time, function.
fn start(line: &Reading<'_>, nature: Nature, names: &mut Interner) -> Fault {
    let header = line.header;
    let layer = match header.map_or(&b""[..], |h| h.module) {
        b"DRV" | b"DEVMM" => Layer::Driver,
        b"RUNTIME" => Layer::Runtime,
        b"ASCENDCL" => Layer::AscendCl,
        b"GE" => Layer::Ge,
        b"HCCL" => Layer::Hccl,
        b"KERNEL" => Layer::DeviceSystem,
        _ => Layer::Console,
    };
    let api = line.bytes_of("api").or(header.map(|h| h.func)).unwrap_or_default();
    // These print what others report.
    let api = if matches!(api, b"FuncErrorReason" | b"ReportCallError") { b"" } else { api };
    Fault {
        tries_again: header.is_some_and(|h| h.level != b"ERROR"),
        api: names.intern_bytes(api),
        tid: header.and_then(|h| h.tid),
        time: header.and_then(|h| h.time()).or_else(|| line.bytes_of("time").and_then(Time::parse)),
        ..Fault::new(nature, layer, line.span)
    }
}

fn say(fault: Fault, give: &mut dyn FnMut(Fact)) {
    give(Fact::Fault(Report::Fault(Box::new(fault))));
}

/// Where the memory lies when neither text nor code says it: by the function's name.
fn place_by(api: &[u8], otherwise: Place) -> Nature {
    let is_host = memmem::find(api, b"Host").is_some();
    Nature::OutOfMemory(if is_host { Place::Host } else { otherwise })
}

/// A size as printed; a negative one is kept as the large number that it is in unsigned form.
fn size_of(line: &Reading<'_>, name: &str) -> Option<Bytes> {
    line.bytes(name).or_else(|| line.i64(name).map(|n| Bytes(n.cast_unsigned())))
}

pub(super) fn ge(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let code = line.i64("ret");
    let nature = match code.and_then(error_text::of_runtime_code) {
        None | Some(Nature::OutOfMemory(_)) => Nature::OutOfMemory(Place::Device),
        Some(other) => other,
    };
    let mut fault = start(line, nature, names);
    fault.tries_again |= memmem::find(line.message, b"Failed to apply for memory").is_some();
    fault.size = size_of(line, "size");
    fault.device = line.i64("device");
    fault.code = code.map(Code::Runtime);
    fault.subject = match line.bytes_of("kernel").or(line.bytes_of("what")) {
        Some(subject) => names.intern_bytes(subject),
        None => Name::EMPTY,
    };
    say(fault, give);
}

pub(super) fn limit(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let mut fault = start(line, Nature::GraphLimit, names);
    fault.size = line.bytes("total").map(|total| total + line.bytes("var").unwrap_or_default());
    fault.limit = line.bytes("max");
    fault.subject = line.name("graph", names);
    say(fault, give);
}

pub(super) fn runtime(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let rest = line.bytes_of("rest").unwrap_or_default();
    let number = |field: &str, keys: &[&str]| {
        line.i64(field).or_else(|| keys.iter().find_map(|key| number_behind(rest, key)))
    };
    let code = number("ret", &["drvRetCode="]);
    // Behind `ret=` of a retry stands an inner code of the runtime, which is no driver code.
    let is_driver_code = memmem::find(line.message, b"drvRetCode=").is_some();
    let func = line.header.map_or(&b""[..], |h| h.func);
    let nature = match code.filter(|_| is_driver_code) {
        None | Some(6) => place_by(func, Place::Device),
        Some(other) => error_text::of_driver_code(other)
            .or_else(|| error_text::meaning(b"RUNTIME", line.message).map(|m| m.nature))
            .unwrap_or(Nature::Internal),
    };
    let mut fault = start(line, nature, names);
    fault.tries_again |= memmem::find(line.message, b"first try not successful").is_some();
    fault.size = number("size", &["size="]).map(|n| Bytes(n.cast_unsigned()));
    fault.device = number("device", &["drvDevId=", "device_id="]);
    fault.module_id = number("module_id", &["moduleId="]).and_then(|n| u64::try_from(n).ok());
    fault.code = code.filter(|_| is_driver_code).map(Code::Driver);
    say(fault, give);
}

pub(super) fn result(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let code = line.i64("code");
    let driver = line.i64("drv");
    let named = line.bytes_of("error");
    let desc = line.bytes_of("desc").unwrap_or_default();
    let nature = code
        .and_then(error_text::of_runtime_code)
        .or_else(|| driver.and_then(error_text::of_driver_code))
        .or_else(|| named.and_then(error_text::of_named_code))
        .or_else(|| error_text::meaning(b"RUNTIME", desc).map(|m| m.nature));
    let Some(mut nature) = nature.or((code.is_some()).then_some(Nature::Internal)) else { return };
    if memmem::find(desc, b"not support").is_some() {
        nature = Nature::Unsupported;
    }
    let api = line.bytes_of("api").or(line.header.map(|h| h.func)).unwrap_or_default();
    if let Nature::OutOfMemory(place) = nature {
        nature = place_by(api, place);
    }
    let mut fault = start(line, nature, names);
    fault.module_id = line.u64("module_id");
    fault.code = code
        .map(Code::Runtime)
        .or(driver.map(Code::Driver))
        .or_else(|| named.map(|code| Code::Named(names.intern_bytes(code))));
    say(fault, give);
}

pub(super) fn acl(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(code) = line.i64("code") else { return };
    let what = line.bytes_of("what").unwrap_or_default();
    let Some(mut nature) = error_text::of_runtime_code(code)
        .or_else(|| error_text::meaning(b"ASCENDCL", what).map(|m| m.nature))
    else {
        return;
    };
    let func = line.header.map_or(&b""[..], |h| h.func);
    if let Nature::OutOfMemory(_) = nature {
        let on_host = memmem::find(what, b"host memory").is_some();
        let on_device =
            [&b"device memory"[..], b"physical memory"].iter().any(|word| memmem::find(what, word).is_some());
        nature = match (on_host, on_device) {
            (true, _) => Nature::OutOfMemory(Place::Host),
            (_, true) => Nature::OutOfMemory(Place::Device),
            _ => place_by(func, Place::Unsaid),
        };
    }
    let mut fault = start(line, nature, names);
    fault.code = Some(Code::Runtime(code));
    say(fault, give);
}

pub(super) fn driver(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let what = line.bytes_of("what").unwrap_or_default();
    let rest = line.bytes_of("rest").unwrap_or_default();
    let code = line.i64("ret");
    let nature = if what.starts_with(b"Process status") {
        if line.i64("status") != Some(1) {
            return;
        }
        Nature::OutOfMemory(Place::DeviceSystem)
    } else {
        match code {
            None | Some(6) if line.u64("side") == Some(0) => Nature::OutOfMemory(Place::Host),
            None | Some(6) => Nature::OutOfMemory(Place::Device),
            Some(other) => error_text::of_driver_code(other).unwrap_or(Nature::Internal),
        }
    };
    let mut fault = start(line, nature, names);
    fault.size = line.bytes("size").or_else(|| {
        ["alloc_size=", "size="]
            .iter()
            .find_map(|key| number_behind(rest, key))
            .map(|n| Bytes(n.cast_unsigned()))
    });
    fault.device = line.i64("dev");
    fault.module_id = line.u64("module_id");
    fault.code = code.map(Code::Driver);
    say(fault, give);
}

pub(super) fn hccl(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let code = line.i64("ret");
    let nature = match code.and_then(error_text::of_runtime_code) {
        None | Some(Nature::OutOfMemory(_)) => Nature::OutOfMemory(Place::Device),
        Some(other) => other,
    };
    let mut fault = start(line, nature, names);
    fault.size = size_of(line, "size");
    fault.code = code.map(Code::Runtime);
    say(fault, give);
}

pub(super) fn page_conflict(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    say(start(line, Nature::PageConflict, names), give);
}

pub(super) fn copy(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let mut fault = start(line, Nature::Dma, names);
    fault.size = line.bytes("size");
    say(fault, give);
}

/// An operator that failed on the device; its addresses follow.
pub(super) fn operator(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    if line.field("optype").is_some() {
        let name = line.name("name", names);
        give(Fact::Fault(Report::Operator(name, line.span)));
    }
}

pub(super) fn named_code(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(code) = line.bytes_of("code") else { return };
    let text = line.bytes_of("text").unwrap_or_default();
    let by_text = error_text::meaning(b"", text).map(|m| m.nature);
    let nature = match (error_text::of_named_code(code), by_text) {
        // These codes stand for several matters; the text may name the one.
        (Some(Nature::InvalidValue | Nature::Execution), Some(definite)) => definite,
        (Some(nature), _) => nature,
        (None, Some(nature)) => nature,
        (None, None) => return,
    };
    let mut fault = start(line, nature, names);
    fault.code = Some(Code::Named(names.intern_bytes(code)));
    if nature == Nature::OutputSize {
        let number = |front| number_behind(text, front).map(|n| Bytes(n.cast_unsigned()));
        fault.size = number("op_size=");
        fault.limit = number("utput size=").or(number("nput size="));
    } else {
        fault.size =
            number_behind(text, "size=").or(number_behind(text, "size:")).map(|n| Bytes(n.cast_unsigned()));
    }
    say(fault, give);
}

pub(super) fn output_size(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let mut fault = start(line, Nature::OutputSize, names);
    fault.size = line.bytes("op");
    fault.limit = line.bytes("user");
    say(fault, give);
}

pub(super) fn framework(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let Some(code) = line.bytes_of("code").filter(|code| code.starts_with(b"ERR")) else { return };
    let mut fault = start(line, Nature::Execution, names);
    fault.code = Some(Code::Named(names.intern_bytes(code)));
    fault.device = line.i64("device").filter(|device| *device >= 0);
    say(fault, give);
}

pub(super) fn caching_pool(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let mut fault = start(line, Nature::OutOfMemory(Place::Device), names);
    fault.tries_again = false;
    fault.size = line.bytes("size");
    fault.device = line.i64("device");
    if let (Some(total), Some(allocated), Some(free), Some(reserved)) =
        (line.bytes("total"), line.bytes("allocated"), line.bytes("free"), line.bytes("reserved"))
    {
        fault.pool = Some(CachingPool { total, allocated, free, reserved });
    }
    say(fault, give);
}

pub(super) fn free_memory(line: &Reading<'_>, _: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let is_hbm = line.bytes_of("type").is_some_and(|kind| memmem::find(kind, b"HBM").is_some());
    if let (true, Some(free), Some(huge)) = (is_hbm, line.bytes("free"), line.bytes("huge_free")) {
        let time = line.header.and_then(|h| h.time());
        give(Fact::Fault(Report::Free(FreeMemory { size: free + huge, time, span: line.span })));
    }
}

/// Whether a line that is no known kind may be an error: one at level ERROR, or a text without a
/// header that has a word for it. Cheap.
pub fn may_be_error(line: &Reading<'_>) -> bool {
    match line.header {
        Some(header) => header.level == b"ERROR",
        None => error_text::may_be_error(line.text),
    }
}

/// Reads a line that is no known kind and [`may_be_error`].
pub fn unread(line: &Reading<'_>, names: &mut Interner, give: &mut dyn FnMut(Fact)) {
    let module = line.header.map_or(&b""[..], |h| h.module);
    if line.header.is_none() && error_text::is_damaged(line.text) {
        give(Fact::Fault(Report::Damaged(line.span)));
    }
    if let Some(operator) = operator_at_work(line.text) {
        let name = names.intern_bytes(operator);
        give(Fact::Fault(Report::Operator(name, line.span)));
    }
    let Some(meaning) = error_text::meaning(module, line.message) else { return };
    let mut fault = start(line, meaning.nature, names);
    fault.code = meaning.runtime.map(Code::Runtime).or(meaning.driver.map(Code::Driver));
    let number = |fronts: &[&str]| fronts.iter().find_map(|front| number_behind(line.message, front));
    fault.device = number(&["device_id=", "devid=", "drvDevId=", "device_id:"]);
    match meaning.nature {
        Nature::OutOfMemory(_) | Nature::Dma => {
            fault.size = number(&["size=", "size:", "length="]).map(|n| Bytes(n.cast_unsigned()));
            fault.module_id = number(&["moduleId=", "module_id="]).and_then(|n| u64::try_from(n).ok());
        }
        Nature::AiCore => {
            if let Some(kernel) = word_behind(line.message, b"fault kernel_name=") {
                fault.subject = names.intern_bytes(kernel);
            }
        }
        Nature::Execution | Nature::Timeout => {
            if let Some(rank) = number(&["remote rank:["]) {
                fault.subject = names.intern(&alloc::format!("{rank}"));
            }
        }
        _ => {}
    }
    say(fault, give);
}

/// The name in `… current working operator name is X.`
fn operator_at_work(text: &[u8]) -> Option<&[u8]> {
    let word = word_behind(text, b"working operator name is ")?;
    Some(word.strip_suffix(b".").unwrap_or(word))
}

fn word_behind<'a>(text: &'a [u8], front: &[u8]) -> Option<&'a [u8]> {
    let at = memmem::find(text, front)? + front.len();
    let behind = text.get(at..)?;
    let end = behind.iter().position(|b| matches!(b, b' ' | b',' | b'\'')).unwrap_or(behind.len());
    behind.get(..end).filter(|word| !word.is_empty())
}
