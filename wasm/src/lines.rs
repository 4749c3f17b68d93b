//! The raw lines around a place, read again, each with what it was understood as.

use gemlens_core::plog::kinds::Matcher;
use gemlens_core::plog::scan::{Reading, Scanner};
use gemlens_core::plog::value::{Field, Value};
use gemlens_core::span::{SourceId, Span};

use crate::lens::Lens;
use crate::wire;

/// Bytes shown in front of the line and behind it.
const AROUND_BYTES: u64 = 8 << 10;

impl Lens {
    pub(crate) fn lines(&self, source: u32, start: u64, len: u32, line: u32) -> Option<Vec<wire::LogLine>> {
        let id = SourceId(source);
        let size = self.analysis.as_ref()?.sources.get(source as usize)?.size;
        let from = start.saturating_sub(AROUND_BYTES);
        let to = (start + u64::from(len) + AROUND_BYTES).min(size);
        let length = u32::try_from(to.checked_sub(from)?).ok()?;
        let bytes = self.fetch(Span { source: id, line, start: from, len: length })?;
        // The first line is whole only at the start of the source.
        let skipped = match from {
            0 => 0,
            _ => bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1),
        };
        let bytes = bytes.get(skipped..)?;
        let before = usize::try_from(start - from).ok()?.saturating_sub(skipped);
        let in_front = bytes.get(..before)?.iter().filter(|byte| **byte == b'\n').count() as u32;
        let first = line.saturating_sub(in_front);
        let mut lines = Vec::new();
        let mut scanner = Scanner::new(id);
        let matcher = Matcher::new();
        let mut take = |reading: &Reading<'_>| {
            let number = first + reading.span.line.saturating_sub(1);
            lines.push(wire::LogLine {
                line: number,
                text: String::from_utf8_lossy(reading.text).into_owned(),
                understood: reading.found.map_or_else(String::new, |found| found.kind.id.to_owned()),
                fields: reading.fields.iter().map(fact).collect(),
                is_asked: number == line,
            });
        };
        scanner.feed(&matcher, bytes, &mut take);
        scanner.finish(&matcher, &mut take);
        lines.sort_by_key(|line| line.line);
        Some(lines)
    }
}

fn fact(field: &Field<'_>) -> wire::Fact {
    let value = match field.value {
        Value::Text(text) | Value::Address(_, text) | Value::DecimalAddress(_, text) => {
            String::from_utf8_lossy(text).into_owned()
        }
        Value::Decimal(number) => number.to_string(),
        Value::Flag(flag) => u8::from(flag).to_string(),
        Value::Number(number) => number.to_string(),
        Value::Bytes(size) => size.to_string(),
        Value::Signed(number) => number.to_string(),
        Value::Offset(offset) => offset.to_string(),
    };
    wire::Fact { label: field.name.to_owned(), value }
}
