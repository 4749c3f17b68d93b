//! Walks the raw bytes of one source, in chunks of any size, and says what each line is.
//!
//! Most lines take the short way: a header, a message, at most one kind. Lines without a header
//! (wrapped records, cut-off headers, text of other tools) are gathered behind the line before
//! them and looked at together. Chunk borders never change the result. Knows nothing of what the
//! records add up to.

use alloc::vec::Vec;

use memchr::{memchr, memchr_iter, memmem};

use super::header::{self, Header, Layout};
use super::kinds::{Found, Matcher};
use super::pattern::{Fit, Scratch};
use super::pieces::Pieces;
use super::skim::{Skim, Skimmed};
use super::value::{Field, Value};
use crate::intern::{Interner, Name};
use crate::span::{SourceId, Span};
use crate::units::{Address, Bytes};

/// A longer line is cut here; real ones end at 1022 bytes (plog grammar 1.3).
const LINE_LIMIT: usize = 1 << 20;
/// Bytes of a chunk that are first put behind what was left of the one before.
const JOINED_FIRST: usize = 8 << 10;
/// Lines without a header that are looked at together.
const GROUP_LINES: usize = 64;
/// Lines that one wrapped record may span.
const WRAP_LINES: usize = 12;
/// Length of a line that the logger cut, without its line end (plog grammar 1.3).
const CUT_LENGTH: usize = 1022;

/// One line, or one record over several lines, and what it was understood as.
#[derive(Clone, Debug)]
pub struct Reading<'r> {
    /// Where it stands.
    pub span: Span,
    /// Its text without the line end. A wrapped record is joined, stars of a document removed.
    pub text: &'r [u8],
    /// The front of the line, where there is one.
    pub header: Option<&'r Header<'r>>,
    /// The text behind the header and the location part.
    pub message: &'r [u8],
    /// The kind, where one was recognised.
    pub found: Option<Found>,
    /// The fields of that kind.
    pub fields: &'r [Field<'r>],
    /// The line ends where the logger cuts, or its fields do.
    pub cut: bool,
}

impl Reading<'_> {
    /// The id of what the line is: a kind, or `hdr.slog`, `hdr.trunc`, `hdr.cont` for a line that
    /// is no known kind (plog grammar, index).
    pub fn kind_id(&self) -> &'static str {
        match (self.found, self.header) {
            (Some(found), _) => found.kind.id,
            (None, Some(_)) if self.cut => "hdr.trunc",
            (None, Some(_)) => "hdr.slog",
            (None, None) => "hdr.cont",
        }
    }

    /// A value of this record.
    pub fn field(&self, name: &str) -> Option<Value<'_>> {
        // Most names differ in length or in the first letter already.
        let is_it = |known: &str| {
            known.len() == name.len() && known.as_bytes().first() == name.as_bytes().first() && known == name
        };
        self.fields.iter().find(|field| is_it(field.name)).map(|field| field.value)
    }

    /// A whole number that is not negative.
    pub fn u64(&self, name: &str) -> Option<u64> {
        self.field(name)?.as_u64()
    }

    /// A whole number.
    pub fn i64(&self, name: &str) -> Option<i64> {
        self.field(name)?.as_i64()
    }

    /// A size.
    pub fn bytes(&self, name: &str) -> Option<Bytes> {
        self.u64(name).map(Bytes)
    }

    /// A device or host address.
    pub fn address(&self, name: &str) -> Option<Address> {
        self.u64(name).map(Address)
    }

    /// A text.
    pub fn bytes_of(&self, name: &str) -> Option<&[u8]> {
        self.field(name)?.as_text()
    }

    /// A text, kept; the empty name where the field is absent.
    pub fn name(&self, name: &str, names: &mut Interner) -> Name {
        self.bytes_of(name).map_or(Name::EMPTY, |text| names.intern_bytes(text))
    }
}

/// Whoever wants the readings.
pub trait Sink {
    /// Takes the next reading, in the order of the source.
    fn reading(&mut self, reading: &Reading<'_>);

    /// Whether lines of no interest may come as a count instead of one by one.
    fn may_skim(&self) -> bool {
        false
    }

    /// Takes lines of no interest; called only where [`Sink::may_skim`] says so.
    fn skimmed(&mut self, _skimmed: &Skimmed<'_>) {}
}

impl<F: FnMut(&Reading<'_>)> Sink for F {
    fn reading(&mut self, reading: &Reading<'_>) {
        self(reading);
    }
}

/// The walk over one source.
#[derive(Debug)]
pub struct Scanner {
    source: SourceId,
    /// Bytes not yet walked: at most an unfinished group.
    rest: Vec<u8>,
    /// Place of `rest` in the source.
    offset: u64,
    /// Line number of the first line in `rest`.
    line: u32,
    /// Inside a line that was over the limit: skip to its end.
    skipping: bool,
    tools: Tools,
    pieces: Pieces,
}

/// What reading a line needs besides the line, made once for a source.
#[derive(Debug)]
struct Tools {
    scratch: Scratch,
    skim: Skim,
}

impl Scanner {
    /// A walk that starts at the first byte of `source`.
    pub fn new(source: SourceId) -> Scanner {
        Scanner {
            source,
            rest: Vec::new(),
            offset: 0,
            line: 1,
            skipping: false,
            tools: Tools { scratch: Scratch::default(), skim: Skim::default() },
            pieces: Pieces::default(),
        }
    }

    /// Walks the next bytes of the source.
    pub fn feed(&mut self, matcher: &Matcher, chunk: &[u8], sink: &mut dyn Sink) {
        let mut bytes = core::mem::take(&mut self.rest);
        let mut chunk = chunk;
        if !bytes.is_empty() {
            // The beginning of the chunk is mostly enough to end what was left, so that the rest of
            // it need not be copied.
            let (front, behind) = chunk.split_at(chunk.len().min(JOINED_FIRST));
            let left = bytes.len();
            bytes.extend_from_slice(front);
            let walked = self.walk(matcher, &bytes, false, sink);
            if walked >= left {
                chunk = &chunk[walked - left..];
                bytes.clear();
            } else {
                bytes.extend_from_slice(behind);
                let more = self.walk(matcher, &bytes[walked..], false, sink);
                bytes.drain(..walked + more);
                chunk = &[];
            }
        }
        let walked = self.walk(matcher, chunk, false, sink);
        bytes.extend_from_slice(&chunk[walked..]);
        self.rest = bytes;
        self.tools.skim.end(&mut |skimmed| sink.skimmed(skimmed));
    }

    /// Walks what is left; the source has ended.
    pub fn finish(&mut self, matcher: &Matcher, sink: &mut dyn Sink) {
        let bytes = core::mem::take(&mut self.rest);
        self.walk(matcher, &bytes, true, sink);
        self.tools.skim.end(&mut |skimmed| sink.skimmed(skimmed));
        for (span, text) in self.pieces.drain() {
            let mut emit = Emit { matcher, tools: &mut self.tools, pieces: None, stars: true, sink };
            emit.text(&text, span);
        }
    }

    /// Where the earliest record starts that is not whole yet; readings behind it have come already.
    pub fn waiting_from(&self) -> Option<u64> {
        self.pieces.earliest()
    }

    /// Lines seen so far.
    pub fn lines(&self) -> u32 {
        self.line - 1
    }

    /// Walks whole groups of `bytes`; the number of bytes walked.
    fn walk(&mut self, matcher: &Matcher, bytes: &[u8], ended: bool, sink: &mut dyn Sink) -> usize {
        let stars = has_stars(bytes);
        let may_skim = sink.may_skim() && !stars;
        let mut at = 0;
        let mut group: Vec<Line> = Vec::new();
        loop {
            if may_skim && !self.skipping && self.pieces.is_empty() {
                at = self.pass_over(matcher, bytes, at);
            }
            let Some((first, mut next)) = self.line_at(bytes, at, ended) else { break };
            let Some(mut border) = starts_record(bytes, next, ended) else { break };
            if self.skipping || first.over_limit {
                if !self.skipping {
                    // What stands at the front of such a line may still be of use.
                    let span = Span {
                        source: self.source,
                        line: self.line,
                        start: self.offset,
                        len: CUT_LENGTH as u32,
                    };
                    let mut emit = Emit { matcher, tools: &mut self.tools, pieces: None, stars: true, sink };
                    emit.text(&bytes[first.start..first.start + CUT_LENGTH], span);
                }
                self.skipping = first.over_limit;
                self.advance(next - at, u32::from(!first.over_limit));
                at = next;
                continue;
            }
            let mut emit =
                Emit { matcher, tools: &mut self.tools, pieces: Some(&mut self.pieces), stars, sink };
            if border && header::may_start(&bytes[first.start..]) {
                let span = Span {
                    source: self.source,
                    line: self.line,
                    start: self.offset,
                    len: (first.end - first.start) as u32,
                };
                emit.text(&bytes[first.start..first.end], span);
                self.advance(next - at, 1);
                at = next;
                continue;
            }
            group.clear();
            group.push(first);
            while !border && group.len() < GROUP_LINES {
                let Some((line, behind)) = self.line_at(bytes, next, ended) else { return at };
                let Some(b) = starts_record(bytes, behind, ended) else { return at };
                if line.over_limit {
                    break;
                }
                group.push(line);
                (next, border) = (behind, b);
            }
            let place = Span { source: self.source, line: self.line, start: self.offset, len: 0 };
            let mut emit =
                Emit { matcher, tools: &mut self.tools, pieces: Some(&mut self.pieces), stars, sink };
            emit.group(bytes, &group, place);
            self.advance(next - at, group.len() as u32);
            at = next;
        }
        at
    }

    /// Passes over the lines from `at` on that are of no interest; the place of the first other one.
    /// Each must end and another record begin behind it.
    fn pass_over(&mut self, matcher: &Matcher, bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        let mut lines = 0;
        while let Some(rest) = bytes.get(at..)
            && let Some(end) = memchr(b'\n', &rest[..rest.len().min(LINE_LIMIT)])
            && let (line, next) = rest.split_at(end)
            && next.get(1..).is_some_and(header::may_start)
            && let line = line.strip_suffix(b"\r").unwrap_or(line)
            && line.len() != CUT_LENGTH
            && self.tools.skim.pass(matcher, line)
        {
            at += end + 1;
            lines += 1;
        }
        self.advance(at - from, lines);
        at
    }

    /// The line that starts at `at` and the start of the next one; `None` until it is whole.
    fn line_at(&self, bytes: &[u8], at: usize, ended: bool) -> Option<(Line, usize)> {
        let rest = bytes.get(at..)?;
        let (end, next) = match memchr(b'\n', &rest[..rest.len().min(LINE_LIMIT)]) {
            Some(end) => (at + end, at + end + 1),
            None if rest.len() >= LINE_LIMIT => {
                let end = at + LINE_LIMIT;
                return Some((Line { start: at, end, over_limit: true }, end));
            }
            None if ended && !rest.is_empty() => (bytes.len(), bytes.len()),
            None => return None,
        };
        let carriage = usize::from(end > at && bytes[end - 1] == b'\r');
        Some((Line { start: at, end: end - carriage, over_limit: false }, next))
    }

    fn advance(&mut self, bytes: usize, lines: u32) {
        self.offset += bytes as u64;
        self.line = self.line.saturating_add(lines);
    }
}

/// Whether the line at `at` starts a record of its own; `None` while that can't be told yet.
fn starts_record(bytes: &[u8], at: usize, ended: bool) -> Option<bool> {
    let next = &bytes[at..];
    if next.len() >= 2 || (next.len() == 1 && next[0] != b'[') {
        return Some(header::may_start(next));
    }
    ended.then_some(true)
}

/// A line as a range of the bytes at hand, without its line end.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: usize,
    end: usize,
    over_limit: bool,
}

/// How far a text is a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A header and nothing behind it.
    Bare,
    /// A kind that ends too early.
    Cut,
    /// A kind with all its fields.
    Whole,
    /// No known kind.
    Other,
}

/// Turns text into readings.
struct Emit<'e> {
    matcher: &'e Matcher,
    tools: &'e mut Tools,
    /// Where messages that GE splits over several lines are put together; `None` while that is
    /// being done.
    pieces: Option<&'e mut Pieces>,
    /// Some line nearby has stars: look for them.
    stars: bool,
    sink: &'e mut dyn Sink,
}

impl Emit<'_> {
    /// A line and the lines without a header behind it. `place` has the position of the first.
    fn group(&mut self, bytes: &[u8], group: &[Line], place: Span) {
        let base = group.first().map_or(0, |line| line.start);
        let mut at = 0;
        let mut joined = Vec::new();
        while let Some(first) = group.get(at) {
            let text = &bytes[first.start..first.end];
            let span = |last: &Line| Span {
                line: place.line + at as u32,
                start: place.start + (first.start - base) as u64,
                len: (last.end - first.start) as u32,
                ..place
            };
            let mut taken = 1;
            let state = self.state(text);
            if matches!(state, State::Bare | State::Cut) {
                for count in 2..=WRAP_LINES.min(group.len() - at) {
                    let parts = &group[at..at + count];
                    let behind = &bytes[parts[count - 1].start..parts[count - 1].end];
                    if header::find(behind).is_some() {
                        break;
                    }
                    let whole = ["", " "].iter().any(|glue| {
                        joined.clear();
                        for (n, part) in parts.iter().enumerate() {
                            if n > 0 {
                                joined.extend_from_slice(glue.as_bytes());
                            }
                            joined.extend_from_slice(&bytes[part.start..part.end]);
                        }
                        match self.state(&joined) {
                            State::Whole => true,
                            State::Other => state == State::Bare,
                            State::Bare | State::Cut => false,
                        }
                    });
                    if whole {
                        taken = count;
                        break;
                    }
                }
            }
            if taken > 1 {
                self.text(&joined, span(&group[at + taken - 1]));
            } else {
                self.text(text, span(first));
            }
            at += taken;
        }
    }

    /// How far the text is a record; a bare or a cut one may go on in the next line.
    fn state(&mut self, text: &[u8]) -> State {
        let mut fields = Vec::new();
        let mut clean = Vec::new();
        let text = without_stars(text, &mut clean);
        let start = header::find(text);
        let (header, message) = match start.and_then(|at| header::parse(&text[at..])) {
            Some((header, message)) => (Some(header), message),
            None => (None, text),
        };
        if message.is_empty() {
            return if start.is_some() { State::Bare } else { State::Other };
        }
        let found = match self.matcher.find(header.as_ref(), message, &mut fields, &mut self.tools.scratch) {
            None if header.is_none() => self.bare(text, &mut fields).map(|(found, _)| found),
            found => found,
        };
        match found {
            // One field, such as a number in front, is no beginning of anything.
            Some(found) if found.fit == Fit::Cut && header.is_none() && fields.len() < 2 => State::Other,
            Some(found) if found.fit == Fit::Cut => State::Cut,
            Some(_) => State::Whole,
            None => State::Other,
        }
    }

    /// One line or one joined record, which may hold several records glued together.
    fn text(&mut self, text: &[u8], span: Span) {
        let mut at = 0;
        // A terminal's own time stamp in brackets looks like a header at first sight.
        let mut parse = |at: usize| self.tools.skim.parse(&text[at..], self.matcher);
        let first = if header::may_start(text) { parse(0) } else { None };
        let first = first.or_else(|| header::find(text).and_then(parse));
        if let Some((header, message)) = first {
            let message_at = text.len() - message.len();
            if let Some(glued) = header::find_glued(message) {
                let end = message_at + glued;
                self.record(&text[..end], &header, &text[message_at..end], part(span, 0, end));
                at = end;
            } else {
                self.record(text, &header, message, span);
                return;
            }
        }
        if at > 0 {
            // Records glued one behind the other: the rest starts with a header.
            let mut rest = &text[at..];
            while let Some((header, message)) = header::parse(rest) {
                let message_at = rest.len() - message.len();
                let end = header::find_glued(message).map_or(rest.len(), |glued| message_at + glued);
                self.record(&rest[..end], &header, &rest[message_at..end], part(span, at, end));
                at += end;
                rest = &text[at..];
            }
            return;
        }
        self.without_header(text, span);
    }

    fn record(&mut self, text: &[u8], header: &Header<'_>, message: &[u8], span: Span) {
        let mut fields = self.tools.scratch.lend();
        let found = self.matcher.find(Some(header), message, &mut fields, &mut self.tools.scratch);
        // Stars in the location part leave it unread, whatever the message was taken for.
        let is_doubtful = found.is_none() || matches!(header.layout, Layout::File | Layout::None);
        if is_doubtful && self.stars && has_stars(text) {
            let mut clean = Vec::new();
            let text = without_stars(text, &mut clean);
            let start = header::find(text).unwrap_or(0);
            if let Some((header, message)) = header::parse(&text[start..]) {
                let mut fields = Vec::new();
                let found = self.matcher.find(Some(&header), message, &mut fields, &mut self.tools.scratch);
                self.emit(text, Some(&header), message, found, &fields, span);
                return;
            }
        }
        if let Some(pieces) = self.pieces.as_deref_mut()
            && let Some(whole) = pieces.take(header, message, text, found, span)
        {
            for (span, text) in whole {
                Emit {
                    matcher: self.matcher,
                    tools: self.tools,
                    pieces: None,
                    stars: self.stars,
                    sink: self.sink,
                }
                .text(&text, span);
            }
            if pieces.is_waiting(span) {
                return;
            }
        }
        self.emit(text, Some(header), message, found, &fields, span);
        self.tools.scratch.take_back(fields);
    }

    fn without_header(&mut self, text: &[u8], span: Span) {
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        // It belongs to the line before it, passed over or not.
        self.tools.skim.end(&mut |skimmed| self.sink.skimmed(skimmed));
        let mut clean = Vec::new();
        let text = without_stars(text, &mut clean);
        let mut fields = Vec::new();
        match self.bare(text, &mut fields) {
            Some((found, at)) => self.emit(text, None, &text[at..], Some(found), &fields, span),
            None => self.emit(text, None, text, None, &[], span),
        }
    }

    /// A message whose header was cut off, anywhere in the text: what it is and where it starts.
    fn bare<'a>(&mut self, text: &'a [u8], fields: &mut Vec<Field<'a>>) -> Option<(Found, usize)> {
        let mut cut: Option<(Found, usize)> = None;
        let mut whole_tries = 0;
        for at in 0..text.len().min(CUT_LENGTH) {
            let starts = at == 0 || matches!(text[at - 1], b' ' | b']' | b':' | b'\t' | b')' | b'\'' | b'"');
            if !starts || matches!(text[at], b' ' | b'\t') {
                continue;
            }
            let message = &text[at..];
            let prefixed = self.matcher.may_start(message);
            if !prefixed {
                // A kind that begins with a variable part: worth a few tries only.
                whole_tries += 1;
                if whole_tries > 16 || !self.matcher.may_hold(message) {
                    continue;
                }
            }
            match self.matcher.find(None, message, fields, &mut self.tools.scratch) {
                Some(found) if found.fit == Fit::Whole => return Some((found, at)),
                Some(found) if found.fit == Fit::Cut && fields.len() >= 2 && cut.is_none() => {
                    cut = Some((found, at));
                }
                _ => {}
            }
        }
        let (_, at) = cut?;
        self.matcher.find(None, &text[at..], fields, &mut self.tools.scratch).map(|found| (found, at))
    }

    fn emit(
        &mut self,
        text: &[u8],
        header: Option<&Header<'_>>,
        message: &[u8],
        found: Option<Found>,
        fields: &[Field<'_>],
        span: Span,
    ) {
        let cut = found.is_some_and(|f| f.fit == Fit::Cut) || (found.is_none() && text.len() == CUT_LENGTH);
        self.sink.reading(&Reading { span, text, header, message, found, fields, cut });
    }
}

fn part(span: Span, from: usize, len: usize) -> Span {
    Span { start: span.start + from as u64, len: len as u32, ..span }
}

/// Whether words have the stars around them that documents put there. One star is rare enough to be
/// looked for alone.
fn has_stars(text: &[u8]) -> bool {
    memchr_iter(b'*', text).any(|at| text.get(at + 1) == Some(&b'*'))
}

/// The text without the `**` that documents put around words of a pasted line.
fn without_stars<'t>(text: &'t [u8], clean: &'t mut Vec<u8>) -> &'t [u8] {
    if memmem::find(text, b"**").is_none() {
        return text;
    }
    clean.clear();
    let mut rest = text;
    while let Some(at) = memmem::find(rest, b"**") {
        clean.extend_from_slice(&rest[..at]);
        rest = &rest[at + 2..];
    }
    clean.extend_from_slice(rest);
    clean
}
