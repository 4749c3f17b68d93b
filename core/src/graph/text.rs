//! The protobuf text format as a stream of fields, each with its place.
//!
//! Walks the whole language that writers, editors and tests produce (dump graphs chapter 13), reports
//! damage with line and column and goes on. Knows no schema: what a field means is the caller's matter.
//! Nesting is a stack on the heap, strings are passed over with `memchr` and decoded only on demand.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memchr2};

use crate::span::{SourceId, Span};

/// A field name as written: an identifier, a bare number or `[extension.name]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name's bytes, brackets included.
    pub name: &'a [u8],
    /// Byte offset of the name.
    pub start: usize,
    /// Line of the name, counted from 1.
    pub line: u32,
}

/// A scalar as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// Everything from the first to the last byte of the value, quotes included.
    pub raw: &'a [u8],
    /// Whether it is a string (one or several joined parts) or a bare word or number.
    pub quoted: bool,
    /// Byte offset of the first byte of `raw`.
    pub start: usize,
}

/// What stands next in the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// `name: value`.
    Scalar(Field<'a>, Value<'a>),
    /// `name {`: a message begins.
    Open(Field<'a>),
    /// The message opened last ends; the offset is that of the byte behind it.
    Close(usize),
    /// Something that is no text format; reading goes on behind it.
    Problem(Problem),
    /// The end of the text.
    End,
}

/// Damage in a text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in bytes, counted from 1.
    pub column: u32,
}

/// The kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The text ends inside so many open messages: a cut file.
    CutInMessage(u32),
    /// The text or line ends inside a string.
    CutInString,
    /// A field name was expected.
    NoFieldName,
    /// A value was expected.
    NoValue,
    /// A closing brace without an open message.
    StrayClose,
    /// A tensor descriptor is JSON in a string (onnx form, 20 descriptors and more) and was not read.
    DescriptorAsJson,
    /// An `op {` or `node {` at the top indentation of a graph, inside an unfinished one.
    UnclosedBefore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame<'a> {
    Message,
    List(Field<'a>),
}

/// A reader over one text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a [u8],
    source: SourceId,
    at: usize,
    line: u32,
    line_start: usize,
    stack: Vec<Frame<'a>>,
    messages: u32,
    damaged: bool,
    unwind: u32,
    reported_end: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`; a byte order mark is passed over.
    pub fn new(text: &'a [u8], source: SourceId) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Reader {
            text,
            source,
            at,
            line: 1,
            line_start: 0,
            stack: Vec::new(),
            messages: 0,
            damaged: false,
            unwind: 0,
            reported_end: false,
        }
    }

    /// How many messages are open.
    pub fn depth(&self) -> u32 {
        self.messages
    }

    /// Byte offset of the next byte to read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The span from a field's name to the byte offset `end`.
    pub fn span(&self, field: Field<'a>, end: usize) -> Span {
        Span {
            source: self.source,
            line: field.line,
            start: field.start as u64,
            len: u32::try_from(end.saturating_sub(field.start)).unwrap_or(u32::MAX),
        }
    }

    /// Passes over the message opened last, whatever is in it; gives the offset behind it.
    ///
    /// `None` when the text ends first.
    pub fn skip_message(&mut self) -> Option<usize> {
        let outer = self.messages.saturating_sub(1);
        loop {
            match self.next_event() {
                Event::Close(end) if self.messages <= outer => return Some(end),
                Event::End => return None,
                _ => {}
            }
        }
    }

    /// The next event. After [`Event::End`] only that follows.
    pub fn next_event(&mut self) -> Event<'a> {
        if self.unwind > 0 {
            self.unwind -= 1;
            return self.close(self.at);
        }
        loop {
            self.skip_blank(matches!(self.stack.last(), Some(Frame::List(_))));
            let Some(&byte) = self.text.get(self.at) else { return self.end() };
            if self.unwind > 0 {
                return self.problem(ProblemKind::UnclosedBefore);
            }
            if let Some(&Frame::List(field)) = self.stack.last() {
                match byte {
                    b']' => {
                        self.at += 1;
                        self.stack.pop();
                        continue;
                    }
                    b'{' | b'<' => return self.open(field),
                    _ => return self.scalar(field),
                }
            }
            match byte {
                b'}' | b'>' => {
                    self.at += 1;
                    if self.messages == 0 {
                        return self.problem(ProblemKind::StrayClose);
                    }
                    return self.close(self.at);
                }
                0 => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let Some(field) = self.field_name() else {
                let problem = self.problem(ProblemKind::NoFieldName);
                self.skip_line();
                return problem;
            };
            self.skip_blank(false);
            let mut colon = false;
            if self.text.get(self.at) == Some(&b':') {
                colon = true;
                self.at += 1;
                self.skip_blank(false);
            }
            match self.text.get(self.at) {
                Some(b'{' | b'<') => return self.open(field),
                Some(b'[') if colon => {
                    self.at += 1;
                    self.stack.push(Frame::List(field));
                }
                Some(_) if colon => return self.scalar(field),
                None => return self.end(),
                Some(_) => {
                    let problem = self.problem(ProblemKind::NoValue);
                    self.skip_line();
                    return problem;
                }
            }
        }
    }

    fn open(&mut self, field: Field<'a>) -> Event<'a> {
        self.at += 1;
        self.stack.push(Frame::Message);
        self.messages += 1;
        Event::Open(field)
    }

    fn close(&mut self, end: usize) -> Event<'a> {
        while let Some(Frame::List(_)) = self.stack.last() {
            self.stack.pop();
        }
        self.stack.pop();
        self.messages = self.messages.saturating_sub(1);
        Event::Close(end)
    }

    fn end(&mut self) -> Event<'a> {
        if self.messages > 0 && !self.reported_end {
            self.reported_end = true;
            return self.problem(ProblemKind::CutInMessage(self.messages));
        }
        Event::End
    }

    fn problem(&mut self, kind: ProblemKind) -> Event<'a> {
        self.damaged = true;
        Event::Problem(Problem {
            kind,
            line: self.line,
            column: u32::try_from(self.at.saturating_sub(self.line_start) + 1).unwrap_or(u32::MAX),
        })
    }

    /// Passes over blanks, line ends, comments and separators.
    fn skip_blank(&mut self, in_list: bool) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at;
                    if self.damaged && !in_list {
                        self.look_for_restart();
                    }
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b',' | b';' => self.at += 1,
                b'#' => self.at = self.line_end(),
                _ => return,
            }
        }
    }

    /// After damage: an `op {` at a graph's own indentation starts afresh, whatever is still open.
    fn look_for_restart(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if self.messages > 1 && (rest.starts_with(b"  op {\n") || rest.starts_with(b"  node {\n")) {
            self.unwind = self.messages - 1;
        }
    }

    fn line_end(&self) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        memchr(b'\n', rest).map_or(self.text.len(), |n| self.at + n)
    }

    fn skip_line(&mut self) {
        self.at = self.line_end();
    }

    fn field_name(&mut self) -> Option<Field<'a>> {
        let start = self.at;
        let mut end = start;
        if self.text.get(start) == Some(&b'[') {
            let line_end = self.line_end();
            let close = memchr(b']', self.text.get(start..line_end)?)?;
            end = start + close + 1;
        } else {
            while self.text.get(end).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_') {
                end += 1;
            }
        }
        if end == start {
            return None;
        }
        self.at = end;
        Some(Field { name: self.text.get(start..end)?, start, line: self.line })
    }

    fn scalar(&mut self, field: Field<'a>) -> Event<'a> {
        let start = self.at;
        match self.text.get(start) {
            Some(&(b'"' | b'\'')) => self.string(field),
            Some(_) => {
                while self
                    .text
                    .get(self.at)
                    .is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'+' | b'-'))
                {
                    self.at += 1;
                }
                if self.text.get(start..self.at) == Some(b"-") {
                    self.skip_blank(false);
                    while self.text.get(self.at).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'.') {
                        self.at += 1;
                    }
                }
                if self.at == start {
                    let problem = self.problem(ProblemKind::NoValue);
                    self.skip_line();
                    return problem;
                }
                Event::Scalar(
                    field,
                    Value { raw: self.text.get(start..self.at).unwrap_or_default(), quoted: false, start },
                )
            }
            None => self.end(),
        }
    }

    /// One or several string parts that join.
    fn string(&mut self, field: Field<'a>) -> Event<'a> {
        let start = self.at;
        let mut end = start;
        let in_list = matches!(self.stack.last(), Some(Frame::List(_)));
        while let Some(&quote @ (b'"' | b'\'')) = self.text.get(self.at) {
            let Some(behind) = string_end(self.text, self.at, quote) else {
                let problem = self.problem(ProblemKind::CutInString);
                self.skip_line();
                return problem;
            };
            end = behind;
            self.at = behind;
            let (line, line_start) = (self.line, self.line_start);
            if in_list && memchr(b',', self.text.get(behind..behind + 1).unwrap_or_default()).is_some() {
                break;
            }
            self.skip_to_next_part();
            if !matches!(self.text.get(self.at), Some(b'"' | b'\'')) {
                (self.at, self.line, self.line_start) = (behind, line, line_start);
                break;
            }
        }
        Event::Scalar(
            field,
            Value { raw: self.text.get(start..end).unwrap_or_default(), quoted: true, start },
        )
    }

    fn skip_to_next_part(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                _ => return,
            }
        }
    }
}

/// The offset behind the closing quote of the string that starts at `start`.
fn string_end(text: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        let found = at + memchr2(quote, b'\n', text.get(at..)?)?;
        if text.get(found) == Some(&b'\n') {
            return None;
        }
        let escapes = text.get(start + 1..found)?.iter().rev().take_while(|&&byte| byte == b'\\').count();
        at = found + 1;
        if escapes % 2 == 0 {
            return Some(at);
        }
    }
}

impl<'a> Value<'a> {
    /// The bytes of a string, escapes resolved and parts joined; the word itself when it is bare.
    pub fn bytes(&self) -> Vec<u8> {
        if !self.quoted {
            return self.raw.to_vec();
        }
        let mut decoded = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let [quote @ (b'"' | b'\''), ..] = rest {
            let Some(end) = string_end(rest, 0, *quote) else { break };
            unescape(rest.get(1..end - 1).unwrap_or_default(), &mut decoded);
            rest = rest.get(end..).unwrap_or_default();
            while let [b' ' | b'\t' | b'\r' | b'\n', tail @ ..] = rest {
                rest = tail;
            }
        }
        decoded
    }

    /// The string as it stands when it has one part and no escapes: the usual name.
    pub fn plain(&self) -> Option<&'a [u8]> {
        let inner = self.raw.get(1..self.raw.len().saturating_sub(1))?;
        let quote = self.raw.first()?;
        (self.quoted && memchr2(b'\\', *quote, inner).is_none()).then_some(inner)
    }

    /// The text of a string; bytes that are no UTF-8 become U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// A whole number: decimal, `0x…` or octal, with an optional sign. Beyond the range it saturates.
    pub fn int(&self) -> Option<i64> {
        let (negative, digits) = match self.raw {
            [b'-', rest @ ..] => (true, rest.trim_ascii_start()),
            rest => (false, rest),
        };
        let (radix, digits) = match digits {
            [b'0', b'x' | b'X', rest @ ..] => (16, rest),
            [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => (8, rest),
            rest => (10, rest),
        };
        if digits.is_empty() {
            return None;
        }
        let mut magnitude: u64 = 0;
        for &digit in digits {
            let digit = (digit as char).to_digit(radix)?;
            magnitude = magnitude.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit));
        }
        Some(if negative {
            0i64.saturating_sub_unsigned(magnitude)
        } else {
            i64::try_from(magnitude).unwrap_or(i64::MAX)
        })
    }

    /// A floating-point number in any of the accepted spellings.
    pub fn float(&self) -> Option<f64> {
        let word = core::str::from_utf8(self.raw).ok()?;
        word.parse().ok().or_else(|| word.strip_suffix(['f', 'F'])?.parse().ok())
    }

    /// A truth value in any of the accepted spellings.
    pub fn bool(&self) -> Option<bool> {
        match self.raw {
            b"true" | b"True" | b"t" | b"1" => Some(true),
            b"false" | b"False" | b"f" | b"0" => Some(false),
            _ => None,
        }
    }
}

fn unescape(mut raw: &[u8], decoded: &mut Vec<u8>) {
    while let Some(at) = memchr(b'\\', raw) {
        let (before, rest) = raw.split_at(at);
        decoded.extend_from_slice(before);
        raw = unescape_one(rest.get(1..).unwrap_or_default(), decoded);
    }
    decoded.extend_from_slice(raw);
}

/// Decodes what stands behind a backslash and gives the rest.
fn unescape_one<'a>(raw: &'a [u8], decoded: &mut Vec<u8>) -> &'a [u8] {
    let Some((&code, rest)) = raw.split_first() else { return raw };
    let (radix, most, digits) = match code {
        b'0'..=b'7' => (8, 3, raw),
        b'x' | b'X' => (16, 2, rest),
        b'u' => (16, 4, rest),
        b'U' => (16, 8, rest),
        _ => {
            decoded.push(match code {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                other => other,
            });
            return rest;
        }
    };
    let mut value = 0u32;
    let mut used = 0;
    for digit in digits.iter().take(most).map_while(|&b| (b as char).to_digit(radix)) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        used += 1;
    }
    if matches!(code, b'u' | b'U') {
        let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        decoded.push(value as u8);
    }
    digits.get(used..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn events(text: &str) -> String {
        let mut reader = Reader::new(text.as_bytes(), SourceId(0));
        let mut shown = String::new();
        loop {
            match reader.next_event() {
                Event::Scalar(field, value) => {
                    shown += &format!("{}={} ", String::from_utf8_lossy(field.name), value.text())
                }
                Event::Open(field) => shown += &format!("{}{{ ", String::from_utf8_lossy(field.name)),
                Event::Close(_) => shown += "} ",
                Event::Problem(p) => shown += &format!("!{:?}@{}:{} ", p.kind, p.line, p.column),
                Event::End => return shown.trim_end().to_string(),
            }
        }
    }

    #[test]
    fn the_language_beyond_what_the_writer_makes() {
        assert_eq!(events("graph {\n  name: \"a\"\n}\n"), "graph{ name=a }");
        assert_eq!(events("shape: < dim: [1, 2] dim: 3; >"), "shape{ dim=1 dim=2 dim=3 }");
        assert_eq!(events("op: [{id: 1}, {}] # tail { \n x: 'q' \"r\"\n \"s\""), "op{ id=1 } op{ } x=qrs");
        assert_eq!(events("1234: 0x10 [a.b]: -1 i: - 2"), "1234=0x10 [a.b]=-1 i=- 2");
        assert_eq!(events("s: [\"a\", \"b\"]"), "s=a s=b");
    }

    #[test]
    fn escapes_become_bytes() {
        let decoded = |text: &'static str| Value { raw: text.as_bytes(), quoted: true, start: 0 }.text();
        assert_eq!(decoded(r#""\350\275\254\n\x41\"\\""#), "转\nA\"\\");
        assert_eq!(decoded(r#""\u8f6c" '\U00008f6c'"#), "转转");
    }

    #[test]
    fn numbers_in_all_spellings() {
        let int = |text: &'static str| Value { raw: text.as_bytes(), quoted: false, start: 0 }.int();
        assert_eq!(int("-1"), Some(-1));
        assert_eq!(int("- 1"), Some(-1));
        assert_eq!(int("0x1f"), Some(31));
        assert_eq!(int("017"), Some(15));
        assert_eq!(int("18446744073709551615"), Some(i64::MAX));
        assert_eq!(int("1.5"), None);
        assert_eq!(Value { raw: b"1.5f", quoted: false, start: 0 }.float(), Some(1.5));
    }

    #[test]
    fn damage_is_named_and_passed() {
        assert_eq!(events("a: \"cut"), "!CutInString@1:4");
        assert_eq!(events("g {\n  b {\n"), "g{ b{ !CutInMessage(2)@3:1");
        assert_eq!(events("}\na: 1"), "!StrayClose@1:2 a=1");
        assert_eq!(
            events("graph {\n  op {\n    ?\n    name: \"x\"\n  op {\n    name: \"y\"\n  }\n}\n"),
            "graph{ op{ !NoFieldName@3:5 name=x !UnclosedBefore@5:3 } op{ name=y } }"
        );
    }
}
