//! Rows of the report files, written as they come and handed on in pieces: a log has hundreds of
//! thousands of rows, and their text is longer than the facts behind it. Knows nothing of what a row
//! says.

use alloc::format;
use alloc::vec::Vec;
use core::fmt::Display;

use super::csv::needs_quotes;
use crate::digits::{push_decimal, push_hexadecimal};
use crate::units::{Address, Bytes, Offset};

/// Bytes after which the text is handed on.
const PIECE: usize = 64 << 10;

/// A file being written.
pub(super) struct Rows<'o, E> {
    out: &'o mut dyn FnMut(&[u8]) -> Result<(), E>,
    /// Not handed on yet.
    text: Vec<u8>,
    /// The row at hand has a field already.
    begun: bool,
    rows: u64,
}

/// A number with digits of its own: faster than the library's by the width, sign and fill it lacks.
pub(super) trait Number {
    /// Appends the number.
    fn push(self, out: &mut Vec<u8>);
}

impl Number for u64 {
    fn push(self, out: &mut Vec<u8>) {
        push_decimal(out, self);
    }
}

impl Number for u32 {
    fn push(self, out: &mut Vec<u8>) {
        push_decimal(out, self.into());
    }
}

impl Number for i64 {
    fn push(self, out: &mut Vec<u8>) {
        if self < 0 {
            out.push(b'-');
        }
        push_decimal(out, self.unsigned_abs());
    }
}

impl Number for Bytes {
    fn push(self, out: &mut Vec<u8>) {
        push_decimal(out, self.0);
    }
}

impl Number for Offset {
    fn push(self, out: &mut Vec<u8>) {
        self.0.push(out);
    }
}

impl Number for Address {
    fn push(self, out: &mut Vec<u8>) {
        push_hexadecimal(out, self.0);
    }
}

/// What is not printed is empty.
impl<T: Number> Number for Option<T> {
    fn push(self, out: &mut Vec<u8>) {
        if let Some(number) = self {
            number.push(out);
        }
    }
}

impl<'o, E> Rows<'o, E> {
    /// No rows yet.
    pub(super) fn new(out: &'o mut dyn FnMut(&[u8]) -> Result<(), E>) -> Rows<'o, E> {
        Rows { out, text: Vec::with_capacity(PIECE + PIECE / 8), begun: false, rows: 0 }
    }

    /// A field that is a word without commas and quotes.
    pub(super) fn word(&mut self, word: &str) -> &mut Self {
        self.separate();
        self.text.extend_from_slice(word.as_bytes());
        self
    }

    /// A field of any text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.joined(|out| out.extend_from_slice(text.as_bytes()))
    }

    /// A field that is a number.
    pub(super) fn number(&mut self, number: impl Number) -> &mut Self {
        self.separate();
        number.push(&mut self.text);
        self
    }

    /// A field that is put together, of any text.
    pub(super) fn joined(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        self.separate();
        let start = self.text.len();
        write(&mut self.text);
        if needs_quotes(&self.text[start..]) {
            let text = self.text.split_off(start);
            self.text.push(b'"');
            for byte in text {
                self.text.extend_from_slice(if byte == b'"' {
                    b"\"\""
                } else {
                    core::slice::from_ref(&byte)
                });
            }
            self.text.push(b'"');
        }
        self
    }

    /// A field that prints itself.
    pub(super) fn value(&mut self, value: impl Display) -> &mut Self {
        self.text(&format!("{value}"))
    }

    fn separate(&mut self) {
        if core::mem::replace(&mut self.begun, true) {
            self.text.push(b',');
        }
    }

    /// Ends the row.
    pub(super) fn end(&mut self) -> Result<(), E> {
        self.text.push(b'\n');
        self.begun = false;
        self.rows += 1;
        if self.text.len() < PIECE {
            return Ok(());
        }
        (self.out)(&self.text)?;
        self.text.clear();
        Ok(())
    }

    /// Hands the rest on; the number of rows.
    pub(super) fn finish(self) -> Result<u64, E> {
        (self.out)(&self.text)?;
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use core::convert::Infallible;

    fn written(write: impl FnOnce(&mut Rows<'_, Infallible>)) -> (u64, String) {
        let mut out = Vec::new();
        let mut take = |piece: &[u8]| {
            out.extend_from_slice(piece);
            Ok(())
        };
        let mut rows = Rows::new(&mut take);
        write(&mut rows);
        let Ok(count) = rows.finish();
        (count, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let (count, text) = written(|rows| {
            rows.word("size")
                .number(Bytes(512))
                .number(Offset(-1))
                .number(None::<u32>)
                .number(Address(0x12c0));
            rows.text("a,b").joined(|text| text.extend_from_slice(b"say \"a\"")).value(7);
            let Ok(()) = rows.end();
            let Ok(()) = rows.word("x").end();
        });
        assert_eq!(text, "size,512,-1,,0x12c0,\"a,b\",\"say \"\"a\"\"\",7\nx\n");
        assert_eq!(count, 2);
    }

    #[test]
    fn long_files_come_in_pieces() {
        let (count, text) = written(|rows| {
            for number in 0..40_000u64 {
                let Ok(()) = rows.number(number).end();
            }
            assert!(rows.text.len() < PIECE);
        });
        assert_eq!((count, text.lines().count(), text.lines().last()), (40_000, 40_000, Some("39999")));
    }

    #[test]
    fn a_failure_ends_the_file() {
        let mut fail = |_: &[u8]| Err("disk full");
        let mut rows = Rows::new(&mut fail);
        assert_eq!(rows.word("x").end(), Ok(()));
        assert_eq!(rows.finish(), Err("disk full"));
    }
}
