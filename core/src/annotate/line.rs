//! One record of a plog with the places of its values in the text. Knows no other line.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem;

use crate::plog::kinds::Matcher;
use crate::plog::scan::{Reading, Scanner};
use crate::plog::value::Value;
use crate::span::SourceId;
use crate::units::{Address, Bytes};

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Name in the plog grammar.
    pub name: &'static str,
    /// The text as printed.
    pub text: String,
    /// What kind of number it is.
    pub number: Number,
    /// First byte in the text that was read.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// Bytes.
    Size(Bytes),
    /// An address.
    Address(Address),
    /// A place in an area.
    Offset(i64),
    /// Anything else, or a text.
    Other,
}

/// A record as an editor sees it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The kind's id.
    pub kind: &'static str,
    /// First byte in the text that was read.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// Values, in order.
    pub fields: Vec<Found>,
}

/// Reads the records of `text`; places count from its first byte.
pub(super) fn read(matcher: &Matcher, text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut take = |reading: &Reading<'_>| {
        if reading.found.is_none() {
            return;
        }
        let start = reading.span.start as usize;
        let end = (start + reading.span.len as usize).min(text.len());
        let printed = text.get(start..end).unwrap_or_default();
        let header = printed.len().saturating_sub(reading.message.len());
        // Of a record over several lines the places are those of the first line's values only.
        let mut from = if reading.text.len() == printed.len() { header } else { 0 };
        let mut fields = Vec::new();
        for field in reading.fields {
            let (text, number) = printed_value(field.value);
            if text.is_empty() {
                continue;
            }
            let place = find(printed, from, text.as_bytes());
            if let Some(at) = place {
                from = at + text.len();
            }
            let at = place.unwrap_or(0);
            let width = place.map_or(0, |_| text.len());
            fields.push(Found { name: field.name, text, number, start: start + at, end: start + at + width });
        }
        lines.push(Line { kind: reading.kind_id(), start, end, fields });
    };
    let mut scanner = Scanner::new(SourceId::default());
    scanner.feed(matcher, text, &mut take);
    scanner.finish(matcher, &mut take);
    lines
}

/// The text of a value as the line printed it.
fn printed_value(value: Value<'_>) -> (String, Number) {
    let decimal = |n: i128| alloc::format!("{n}");
    match value {
        Value::Text(text) => (String::from_utf8_lossy(text).into_owned(), Number::Other),
        Value::Number(n) => (decimal(i128::from(n)), Number::Other),
        Value::Signed(n) => (decimal(i128::from(n)), Number::Other),
        Value::Decimal(n) => (alloc::format!("{n}"), Number::Other),
        Value::Flag(flag) => (decimal(i128::from(flag)), Number::Other),
        Value::Bytes(size) => (decimal(i128::from(size.0)), Number::Size(size)),
        Value::Offset(offset) => (decimal(i128::from(offset.0)), Number::Offset(offset.0)),
        Value::Address(address, text) | Value::DecimalAddress(address, text) => {
            (String::from_utf8_lossy(text).into_owned(), Number::Address(address))
        }
    }
}

/// Where `wanted` stands as a word of its own, from `from` on.
fn find(text: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let mut at = from;
    while let Some(distance) = memmem::find(text.get(at..)?, wanted) {
        let place = at + distance;
        let before = place.checked_sub(1).and_then(|before| text.get(before));
        if !is_word(before) && !is_word(text.get(place + wanted.len())) {
            return Some(place);
        }
        at = place + 1;
    }
    None
}
