//! Rows of the report files, written as they come and handed on in pieces: a log has hundreds of
//! thousands of rows, and their text is longer than the facts behind it. Knows nothing of what a row
//! says.

use alloc::string::String;
use core::fmt::{self, Display, Write as _};

use super::csv::{field, needs_quotes};
use crate::digits::{push_decimal, push_hexadecimal};
use crate::units::{Address, Bytes, Offset};

/// Bytes after which the text is handed on.
const PIECE: usize = 64 << 10;

/// A file being written.
pub(super) struct Rows<'o> {
    out: &'o mut dyn fmt::Write,
    /// Not handed on yet.
    text: String,
    /// The row at hand has a field already.
    begun: bool,
    rows: u64,
}

/// A number with digits of its own: faster than the library's by the width, sign and fill it lacks.
pub(super) trait Number {
    /// Appends the number.
    fn push(self, out: &mut String);
}

impl Number for u64 {
    fn push(self, out: &mut String) {
        push_decimal(out, self);
    }
}

impl Number for u32 {
    fn push(self, out: &mut String) {
        push_decimal(out, self.into());
    }
}

impl Number for i64 {
    fn push(self, out: &mut String) {
        if self < 0 {
            out.push('-');
        }
        push_decimal(out, self.unsigned_abs());
    }
}

impl Number for Bytes {
    fn push(self, out: &mut String) {
        push_decimal(out, self.0);
    }
}

impl Number for Offset {
    fn push(self, out: &mut String) {
        self.0.push(out);
    }
}

impl Number for Address {
    fn push(self, out: &mut String) {
        push_hexadecimal(out, self.0);
    }
}

/// What is not printed is empty.
impl<T: Number> Number for Option<T> {
    fn push(self, out: &mut String) {
        if let Some(number) = self {
            number.push(out);
        }
    }
}

impl<'o> Rows<'o> {
    /// No rows yet.
    pub(super) fn new(out: &'o mut dyn fmt::Write) -> Rows<'o> {
        Rows { out, text: String::with_capacity(PIECE + PIECE / 8), begun: false, rows: 0 }
    }

    /// A field that is a word without commas and quotes.
    pub(super) fn word(&mut self, word: &str) -> &mut Self {
        self.separate();
        self.text.push_str(word);
        self
    }

    /// A field of any text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.separate();
        field(&mut self.text, text);
        self
    }

    /// A field that is a number.
    pub(super) fn number(&mut self, number: impl Number) -> &mut Self {
        self.separate();
        number.push(&mut self.text);
        self
    }

    /// A field that is put together, of any text.
    pub(super) fn joined(&mut self, write: impl FnOnce(&mut String)) -> &mut Self {
        self.separate();
        let start = self.text.len();
        write(&mut self.text);
        if needs_quotes(&self.text[start..]) {
            let text = self.text.split_off(start);
            field(&mut self.text, &text);
        }
        self
    }

    /// A field that prints itself.
    pub(super) fn value(&mut self, value: impl Display) -> &mut Self {
        self.joined(|text| {
            // Writing into a string can't fail.
            let _ = write!(text, "{value}");
        })
    }

    fn separate(&mut self) {
        if core::mem::replace(&mut self.begun, true) {
            self.text.push(',');
        }
    }

    /// Ends the row.
    pub(super) fn end(&mut self) -> fmt::Result {
        self.text.push('\n');
        self.begun = false;
        self.rows += 1;
        if self.text.len() < PIECE {
            return Ok(());
        }
        self.out.write_str(&self.text)?;
        self.text.clear();
        Ok(())
    }

    /// Hands the rest on; the number of rows.
    pub(super) fn finish(self) -> Result<u64, fmt::Error> {
        self.out.write_str(&self.text)?;
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut out = String::new();
        let mut rows = Rows::new(&mut out);
        rows.word("size").number(Bytes(512)).number(Offset(-1)).number(None::<u32>).number(Address(0x12c0));
        rows.text("a,b").joined(|text| text.push_str("say \"a\"")).value(7);
        rows.end().expect("text");
        rows.word("x").end().expect("text");
        assert_eq!(rows.finish(), Ok(2));
        assert_eq!(out, "size,512,-1,,0x12c0,\"a,b\",\"say \"\"a\"\"\",7\nx\n");
    }

    #[test]
    fn long_files_come_in_pieces() {
        let mut out = String::new();
        let mut rows = Rows::new(&mut out);
        for number in 0..40_000u64 {
            rows.number(number).end().expect("text");
        }
        assert!(rows.text.len() < PIECE);
        assert_eq!(rows.finish(), Ok(40_000));
        assert_eq!(out.lines().last(), Some("39999"));
        assert_eq!(out.lines().count(), 40_000);
    }
}
