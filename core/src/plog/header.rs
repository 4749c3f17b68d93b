//! The front of a line: level, module, process, time, and each component's location part.
//!
//! Reads every layout of plog grammar chapter 1 and the broken ones of real pastes by hand: no
//! regular expression. Knows nothing of messages.

use alloc::vec::Vec;

use memchr::memchr;

use super::value::{Field, Value};
use crate::digits::{decimal, leading, near};
use crate::time::{Time, stamp_length};

/// Which location layout a line has (plog grammar 1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// No location part was recognised; the message is all that follows the header.
    #[default]
    None,
    /// `[file:line][ascend][curpid:P,T][drv][submodule][func]msg`
    Drv,
    /// `[ascend][curpid: P, T][drv][submodule][func line]msg`
    DrvOld,
    /// `[file:line] [tid]msg`
    Hccl,
    /// `[file:line][func][tid:N] msg`
    Tsd,
    /// `[file:line](tid:N) msg`
    Atrace,
    /// `[INFO][file:line]tid msg`
    CExecutor,
    /// `[file:line]tid [allocator_N] Func:msg`
    Pool,
    /// `[file:line]tid Func:msg`, also RUNTIME, ASCENDCL and the physical page allocator.
    Ge,
    /// `[file:line]msg`
    File,
}

impl Layout {
    /// The layout's name in the plog grammar.
    pub fn name(self) -> &'static str {
        match self {
            Layout::None => "none",
            Layout::Drv => "loc.drv",
            Layout::DrvOld => "loc.drv.old",
            Layout::Hccl => "loc.hccl",
            Layout::Tsd => "loc.tsd",
            Layout::Atrace => "loc.atrace",
            Layout::CExecutor => "loc.c",
            Layout::Pool => "loc.pool",
            Layout::Ge => "loc.ge",
            Layout::File => "loc.file",
        }
    }
}

/// Everything in front of the message. Texts are slices of the line, empty where absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Header<'a> {
    /// `INFO`, `ERROR`, `EVENT` …, or a bare number out of the table.
    pub level: &'a [u8],
    /// `GE`, `RUNTIME`, `DRV` …, or a number.
    pub module: &'a [u8],
    /// Process id of the writer.
    pub pid: i64,
    /// Program name.
    pub proc: &'a [u8],
    /// The time stamp as printed.
    pub stamp: &'a [u8],
    /// GE status word (`INIT`, `RUNNING`, `STOP`).
    pub status: &'a [u8],
    /// Second level of the C executor's layout.
    pub level2: &'a [u8],
    /// Source file.
    pub file: &'a [u8],
    /// Line in the source file.
    pub file_line: Option<u64>,
    /// Thread id.
    pub tid: Option<i64>,
    /// Function.
    pub func: &'a [u8],
    /// Allocator id of a pool line, with its brackets.
    pub allocator: &'a [u8],
    /// GE error code.
    pub errno: Option<i64>,
    /// Text for the error code.
    pub errdesc: &'a [u8],
    /// Process id in the driver's own part.
    pub cpid: Option<i64>,
    /// Driver submodule.
    pub submod: &'a [u8],
    /// How the location part is laid out.
    pub layout: Layout,
}

impl<'a> Header<'a> {
    /// The time of the line, where its clock is whole.
    pub fn time(&self) -> Option<Time> {
        Time::parse(self.stamp)
    }

    /// What the line printed, by the names of plog grammar 1.2; absent parts are left out.
    pub fn fields(&self) -> Vec<Field<'a>> {
        let text = |name, text: &'a [u8]| (!text.is_empty()).then_some((name, Value::Text(text)));
        let signed = |name, number: Option<i64>| number.map(|n| (name, Value::Signed(n)));
        let layout = if self.layout == Layout::None { "" } else { self.layout.name() };
        [
            text("level", self.level),
            text("module", self.module),
            signed("pid", Some(self.pid)),
            text("proc", self.proc),
            text("ts", self.stamp),
            text("status", self.status),
            text("level2", self.level2),
            text("file", self.file),
            self.file_line.map(|line| ("fline", Value::Number(line))),
            signed("tid", self.tid),
            text("func", self.func),
            text("allocator", self.allocator),
            signed("errno", self.errno),
            text("errdesc", self.errdesc),
            signed("cpid", self.cpid),
            text("submod", self.submod),
            text("layout", layout.as_bytes()),
        ]
        .into_iter()
        .flatten()
        .map(|(name, value)| Field { name, value })
        .collect()
    }
}

/// Splits a line that starts with a header: the header and the message.
pub fn parse(line: &[u8]) -> Option<(Header<'_>, &[u8])> {
    let (mut header, rest) = envelope(line)?;
    let message = location(rest, &mut header);
    Some((header, message))
}

/// Whether a header starts here, by its first bytes only; cheap, and wrong now and then.
pub fn may_start(line: &[u8]) -> bool {
    matches!(line, [b'[', b'A'..=b'Z' | b'0'..=b'9' | b'-', ..])
}

/// The place of the first header inside a line, behind another tool's prefix or another record.
pub fn find(line: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(open) = memchr(b'[', line.get(from..)?) {
        let at = from + open;
        if may_start(&line[at..]) && envelope(&line[at..]).is_some() {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// The end of every header's process part and the first digits of its year.
const GLUED_MARK: &[u8] = b"):20";

/// The first place of [`GLUED_MARK`] from `from` on. Looked for in every line: few messages have
/// even the bracket, so a search for that one byte is the fastest.
fn glued_mark(line: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let rest = line.get(from..)?;
        let at = memchr(b')', rest)?;
        if rest.get(at..)?.starts_with(GLUED_MARK) {
            return Some(from + at);
        }
        from += at + 1;
    }
}

/// Whether no record is glued behind a message; `false` says nothing.
pub(super) fn is_single(message: &[u8]) -> bool {
    glued_mark(message, 0).is_none()
}

/// The place of a second record glued behind the first, without a line end between them.
pub fn find_glued(line: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(close) = glued_mark(line, from) {
        let front = line.get(close.saturating_sub(300)..close).unwrap_or(&[]);
        let open = front
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, b)| **b == b'[')
            .map(|(at, _)| close - front.len() + at)
            .find(|&at| envelope(&line[at..]).is_some());
        if let Some(at) = open.filter(|&at| at > 0) {
            return Some(at);
        }
        from = close + 1;
    }
    None
}

/// `[LEVEL] MODULE(pid,process):stamp `, tolerant of missing and additional blanks and of a
/// closing bracket behind the stamp.
fn envelope(line: &[u8]) -> Option<(Header<'_>, &[u8])> {
    let rest = line.strip_prefix(b"[")?;
    let level_len = leading(rest, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let (level, rest) = rest.split_at(level_len);
    let rest = blanks(rest.strip_prefix(b"]").filter(|_| (1..=16).contains(&level_len))?);
    let (module, rest) =
        rest.split_at(leading(rest, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_'));
    let rest = blanks(rest.strip_prefix(b"(").filter(|_| !module.is_empty())?);
    let (pid, rest) = number(rest)?;
    let mut rest = blanks(rest).strip_prefix(b",")?;
    rest = blanks(rest);
    let (proc, rest) = program_and_stamp(rest)?;
    let (stamp, rest) = rest.split_at(stamp_length(rest));
    let rest = rest.strip_prefix(b")").unwrap_or(rest);
    let mut header = Header { level, module, pid, proc, stamp, ..Header::default() };
    let mut rest = blanks(rest);
    if let Some((status, behind)) = bracket(rest, b"[status:") {
        header.status = status;
        rest = blanks(behind);
    }
    Some((header, rest))
}

/// The program name, and the text from the time stamp on. A name may contain almost anything, so
/// the end is a bracket, a colon or both directly in front of a date.
fn program_and_stamp(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let window = rest.get(..rest.len().min(300))?;
    let mut from = 0;
    while let Some(hit) = memchr(b':', window.get(from..)?) {
        let colon = from + hit;
        if stamp_length(&rest[colon + 1..]) > 0 {
            let proc = rest[..colon].trim_ascii_end();
            let proc = proc.strip_suffix(b")").unwrap_or(proc);
            return Some((proc.trim_ascii_end(), &rest[colon + 1..]));
        }
        from = colon + 1;
    }
    None
}

/// Reads the location part into `header`; what is left is the message.
pub(super) fn location<'a>(rest: &'a [u8], header: &mut Header<'a>) -> &'a [u8] {
    if let Some(message) = driver_old(rest, header) {
        return message;
    }
    let (rest, level2) = match bracket(rest, b"[") {
        Some((word, behind))
            if behind.first() == Some(&b'[')
                && matches!(word, b"DEBUG" | b"INFO" | b"WARNING" | b"ERROR" | b"Event") =>
        {
            (behind, word)
        }
        _ => (rest, &[][..]),
    };
    let Some((file, line, behind)) = file_and_line(rest) else { return rest };
    header.file = file;
    header.file_line = Some(line);
    if !level2.is_empty() {
        header.level2 = level2;
        if let Some((tid, message)) = number(behind)
            && let Some(b' ' | b':') = message.first()
        {
            header.tid = Some(tid);
            header.layout = Layout::CExecutor;
            return &message[1..];
        }
    }
    let message = match behind.first() {
        // By far the most frequent.
        Some(b'0'..=b'9') => ge(behind, header),
        _ => driver(behind, header)
            .or_else(|| hccl(behind, header))
            .or_else(|| tsd(behind, header))
            .or_else(|| atrace(behind, header))
            .or_else(|| ge(behind, header)),
    };
    message.unwrap_or_else(|| {
        header.layout = Layout::File;
        behind
    })
}

fn driver<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let (ids, rest) = bracket(rest.strip_prefix(b"[ascend]")?, b"[curpid:")?;
    let (submod, rest) = bracket(rest.strip_prefix(b"[drv]")?, b"[")?;
    let (func, message) = bracket(rest, b"[")?;
    (header.cpid, header.tid) = pair(ids);
    header.submod = submod;
    header.func = func;
    header.layout = Layout::Drv;
    Some(message)
}

fn driver_old<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let (ids, rest) = bracket(rest.strip_prefix(b"[ascend]")?, b"[curpid:")?;
    let (submod, rest) = bracket(rest.strip_prefix(b"[drv]")?, b"[")?;
    let (func, message) = bracket(rest, b"[")?;
    let blank = func.iter().rposition(|b| *b == b' ')?;
    (header.cpid, header.tid) = pair(ids);
    header.submod = submod;
    header.func = &func[..blank];
    header.file_line = Some(decimal(&func[blank + 1..]));
    header.layout = Layout::DrvOld;
    Some(message)
}

fn hccl<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let (tid, message) = bracket(blanks(rest), b"[")?;
    let (tid, []) = number(tid)? else { return None };
    header.tid = Some(tid);
    header.layout = Layout::Hccl;
    Some(message)
}

fn tsd<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let (func, behind) = match bracket(rest, b"[tid:") {
        Some(_) => (&[][..], rest),
        None => bracket(rest, b"[")?,
    };
    let (tid, message) = bracket(behind, b"[tid:")?;
    let (tid, []) = number(tid)? else { return None };
    header.func = func;
    header.tid = Some(tid);
    header.layout = Layout::Tsd;
    Some(message.strip_prefix(b" ").unwrap_or(message))
}

fn atrace<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let rest = blanks(rest);
    let rest = rest.strip_prefix(b">>> ").unwrap_or(rest);
    let (tid, message) = number(rest.strip_prefix(b"(tid:")?)?;
    header.tid = Some(tid);
    header.layout = Layout::Atrace;
    let message = message.strip_prefix(b")")?;
    Some(message.strip_prefix(b" ").unwrap_or(message))
}

fn ge<'a>(rest: &'a [u8], header: &mut Header<'a>) -> Option<&'a [u8]> {
    let mut rest = rest;
    if let Some((status, behind)) = bracket(rest, b"[status:") {
        header.status = status;
        rest = behind;
    } else if let Some(behind) = rest.strip_prefix(b"[EVENT]") {
        rest = behind;
    }
    let (tid, rest) = number(blanks(rest))?;
    let rest = rest.strip_prefix(b" ")?;
    if let Some((id, behind)) = allocator(rest)
        && let Some((func, behind)) = function(behind)
    {
        header.tid = Some(tid);
        header.allocator = id;
        header.func = func;
        header.layout = Layout::Pool;
        return Some(error_number(behind, header));
    }
    let (func, behind) = function(rest)?;
    header.tid = Some(tid);
    header.func = func;
    header.layout = Layout::Ge;
    let message = error_number(behind, header);
    Some(message.strip_prefix(b" ").unwrap_or(message))
}

/// ` ErrorNo: code(text)`, with one blank behind it up to 2022.
fn error_number<'a>(rest: &'a [u8], header: &mut Header<'a>) -> &'a [u8] {
    let read = |rest: &'a [u8]| {
        let (code, rest) = number(rest.strip_prefix(b" ErrorNo: ")?)?;
        let close = memchr(b')', rest.strip_prefix(b"(")?)?;
        Some((code, &rest[1..=close], &rest[close + 2..]))
    };
    match read(rest) {
        Some((code, text, message)) => {
            header.errno = Some(code);
            header.errdesc = text;
            message
        }
        None => rest,
    }
}

/// `[allocator_3] `, `[rts_allocator_1] `, `[ffts_allocator_2] `
fn allocator(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (id, behind) = bracket(rest, b"[")?;
    let digits = id.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let name = &id[..id.len() - digits];
    let known = digits > 0 && name.ends_with(b"allocator_");
    known.then_some((&rest[..id.len() + 2], behind.strip_prefix(b" ")?))
}

/// A function name, class-qualified or not, up to its colon.
fn function(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let window = &rest[..rest.len().min(200)];
    let mut end = leading(window, is_function_byte);
    while window.get(end..end + 2) == Some(b"::") {
        end += 2 + leading(&window[end + 2..], is_function_byte);
    }
    (end > 0 && rest.get(end) == Some(&b':')).then(|| (&rest[..end], &rest[end + 1..]))
}

fn is_function_byte(byte: u8) -> bool {
    const TABLE: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let letter = byte as u8;
            table[byte] = letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'~' | b'(' | b')');
            byte += 1;
        }
        table
    };
    TABLE[usize::from(byte)]
}

/// `[file:line]`
fn file_and_line(rest: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let (inside, behind) = bracket(rest, b"[")?;
    let colon = inside.iter().rposition(|b| *b == b':')?;
    let (file, line) = (&inside[..colon], &inside[colon + 1..]);
    let whole = !file.is_empty() && !line.is_empty() && line.iter().all(u8::is_ascii_digit);
    whole.then(|| (file, decimal(line), behind))
}

/// The text between `open` and the next `]`, and what follows.
fn bracket<'a>(rest: &'a [u8], open: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let rest = rest.strip_prefix(open)?;
    let close = near(b']', rest)?;
    Some((&rest[..close], &rest[close + 1..]))
}

fn pair(ids: &[u8]) -> (Option<i64>, Option<i64>) {
    let mut numbers = ids.split(|b| *b == b',').map(|id| number(id.trim_ascii()).map(|(n, _)| n));
    (numbers.next().flatten(), numbers.next().flatten())
}

/// A decimal number with an optional minus sign, and what follows.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (digits, rest) = digits.split_at(leading(digits, |b| b.is_ascii_digit()));
    let value = i64::try_from(decimal(digits)).ok().filter(|_| !digits.is_empty())?;
    Some((if text.first() == Some(&b'-') { -value } else { value }, rest))
}

fn blanks(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}
