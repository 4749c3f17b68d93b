//! A value read out of a log line, with its unit in the type.

use crate::digits::{decimal, leading, leading_decimal, leading_hexadecimal};
use crate::units::{Address, Bytes, Offset};

/// One named value of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<'a> {
    /// The field's name in the plog grammar.
    pub name: &'static str,
    /// What stood there.
    pub value: Value<'a>,
}

/// A value as the line printed it, converted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Text. Not necessarily UTF-8.
    Text(&'a [u8]),
    /// An unsigned number without a unit: an id, an index, a count.
    Number(u64),
    /// A number that may be negative.
    Signed(i64),
    /// A number with a decimal point.
    Decimal(f64),
    /// 0 or 1.
    Flag(bool),
    /// A count of bytes.
    Bytes(Bytes),
    /// A place in a memory area.
    Offset(Offset),
    /// A pointer: the address, and the text as printed (`(nil)` and `0` are null).
    Address(Address, &'a [u8]),
    /// A pointer printed as a decimal number, and that number's text.
    DecimalAddress(Address, &'a [u8]),
}

impl<'a> Value<'a> {
    /// The number, for every value that is a non-negative whole number.
    pub fn as_u64(self) -> Option<u64> {
        match self {
            Value::Number(n) => Some(n),
            Value::Signed(n) => u64::try_from(n).ok(),
            Value::Flag(b) => Some(u64::from(b)),
            Value::Bytes(b) => Some(b.0),
            Value::Offset(o) => u64::try_from(o.0).ok(),
            Value::Address(a, _) | Value::DecimalAddress(a, _) => Some(a.0),
            Value::Text(_) | Value::Decimal(_) => None,
        }
    }

    /// The number, for every value that is a whole number; saturates.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Value::Signed(n) => Some(n),
            Value::Offset(o) => Some(o.0),
            other => other.as_u64().map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
        }
    }

    /// The text, for a text value.
    pub fn as_text(self) -> Option<&'a [u8]> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// How a template reads a field; the letter stands behind the field's name (`{size:bytes}`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// Text up to whatever follows in the template, as short as possible. The default.
    Text,
    /// `word`: one or more bytes that are no blank.
    Word,
    /// `name`: letters, digits and underscores.
    Identifier,
    /// `rest`: everything up to the end of the message.
    Rest,
    /// `list`: pointers or numbers with one blank behind each.
    List,
    /// `u`: decimal digits.
    Number,
    /// `i`: decimal digits, a minus sign allowed.
    Signed,
    /// `f`: decimal digits with a point.
    Decimal,
    /// `hex`: hexadecimal digits without 0x.
    Hex,
    /// `b`: 0 or 1.
    Flag,
    /// `bytes`: a size, decimal.
    Bytes,
    /// `offset`: a place in a memory area, decimal, a minus sign allowed.
    Offset,
    /// `addr`: a pointer, `0x…`, `(nil)` or `0`.
    Address,
    /// `addr10`: a pointer printed as a decimal number, with a minus sign in the upper half.
    DecimalAddress,
    /// `addr16`: a pointer printed as hexadecimal digits without 0x, or `(nil)`.
    BareAddress,
    /// `rounded`: a size with a unit behind a blank, such as `2.00 GiB`.
    Rounded,
}

impl Reader {
    /// The reader for the word behind the colon of a template field.
    pub(super) fn from_word(word: &str) -> Option<Reader> {
        Some(match word {
            "" => Reader::Text,
            "word" => Reader::Word,
            "name" => Reader::Identifier,
            "rest" => Reader::Rest,
            "list" => Reader::List,
            "u" => Reader::Number,
            "i" => Reader::Signed,
            "f" => Reader::Decimal,
            "hex" => Reader::Hex,
            "b" => Reader::Flag,
            "bytes" => Reader::Bytes,
            "offset" => Reader::Offset,
            "addr" => Reader::Address,
            "addr10" => Reader::DecimalAddress,
            "addr16" => Reader::BareAddress,
            "rounded" => Reader::Rounded,
            _ => return None,
        })
    }

    /// Reads at the start of `text`: the value and how many bytes it took.
    ///
    /// [`Reader::Text`] is not read here: how far it goes depends on what follows.
    pub(super) fn read<'a>(self, text: &'a [u8]) -> Option<(Value<'a>, usize)> {
        let (value, taken) = match self {
            Reader::Text => return None,
            Reader::Rest => (Value::Text(text), text.len()),
            Reader::List => words(text, list(text)),
            Reader::Word => words(text, leading(text, |b| !b.is_ascii_whitespace())),
            Reader::Identifier => words(text, leading(text, |b| b.is_ascii_alphanumeric() || b == b'_')),
            Reader::Number => {
                let (number, taken) = leading_decimal(text);
                (Value::Number(number), taken)
            }
            Reader::Bytes => {
                let (number, taken) = leading_decimal(text);
                (Value::Bytes(Bytes(number)), taken)
            }
            Reader::Signed => {
                let (number, taken) = signed(text);
                (Value::Signed(number), taken)
            }
            Reader::Offset => {
                let (number, taken) = signed(text);
                (Value::Offset(Offset(number)), taken)
            }
            Reader::Decimal => {
                let taken = leading(text, |b| b.is_ascii_digit() || b == b'.');
                let part = core::str::from_utf8(text.get(..taken)?).ok()?;
                (Value::Decimal(part.parse().ok()?), taken)
            }
            Reader::Hex => {
                let (number, taken) = leading_hexadecimal(text);
                (Value::Number(number), taken)
            }
            Reader::Flag => {
                let flag = text.first().filter(|b| matches!(b, b'0' | b'1'))?;
                (Value::Flag(*flag == b'1'), 1)
            }
            Reader::Address => {
                let (address, taken) = pointer(text);
                (Value::Address(address, text.get(..taken)?), taken)
            }
            Reader::DecimalAddress => {
                let (number, taken) = match text.first() {
                    Some(b'-') => {
                        let (number, taken) = signed(text);
                        (number.cast_unsigned(), taken)
                    }
                    _ => leading_decimal(text),
                };
                (Value::DecimalAddress(Address(number), text.get(..taken)?), taken)
            }
            Reader::BareAddress if text.starts_with(NIL) => (Value::Address(Address(0), NIL), NIL.len()),
            Reader::BareAddress => {
                let (number, taken) = leading_hexadecimal(text);
                (Value::Address(Address(number), text.get(..taken)?), taken)
            }
            Reader::Rounded => return rounded(text),
        };
        (taken > 0 || matches!(self, Reader::Rest | Reader::List)).then_some((value, taken))
    }
}

/// A null `%p`.
const NIL: &[u8] = b"(nil)";

fn words(text: &[u8], taken: usize) -> (Value<'_>, usize) {
    (Value::Text(text.get(..taken).unwrap_or_default()), taken)
}

/// A size with a unit, as torch_npu prints it: two digits behind the point, so up to half a
/// hundredth of the unit off.
fn rounded<'a>(text: &'a [u8]) -> Option<(Value<'a>, usize)> {
    let whole = leading(text, |b| b.is_ascii_digit());
    let behind = text.get(whole..)?;
    let fraction = match behind.strip_prefix(b".") {
        Some(digits) => digits.get(..leading(digits, |b| b.is_ascii_digit()))?,
        None => b"",
    };
    let point = usize::from(behind.first() == Some(&b'.'));
    let unit = behind.get(point + fraction.len()..)?;
    let (word, shift) = [("bytes", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)]
        .into_iter()
        .find(|(word, _)| unit.strip_prefix(b" ").is_some_and(|u| u.starts_with(word.as_bytes())))?;
    if whole == 0 || fraction.len() > 6 {
        return None;
    }
    let one = 1u64 << shift;
    let part = decimal(fraction).saturating_mul(one) / 10u64.pow(fraction.len() as u32);
    let bytes = decimal(text.get(..whole)?).saturating_mul(one).saturating_add(part);
    Some((Value::Bytes(Bytes(bytes)), whole + point + fraction.len() + 1 + word.len()))
}

/// A number that may be negative, and its length, 0 for none; saturates.
fn signed(text: &[u8]) -> (i64, usize) {
    match text.strip_prefix(b"-") {
        Some(digits) => match leading_decimal(digits) {
            (_, 0) => (0, 0),
            (number, taken) => (0i64.saturating_sub_unsigned(number), 1 + taken),
        },
        None => {
            let (number, taken) = leading_decimal(text);
            (i64::try_from(number).unwrap_or(i64::MAX), taken)
        }
    }
}

/// A pointer and the length of its text, 0 for none: `0x` and digits, `(nil)` for a null `%p`, `0`
/// for a null stream.
fn pointer(text: &[u8]) -> (Address, usize) {
    if let Some(digits) = text.strip_prefix(b"0x") {
        return match leading_hexadecimal(digits) {
            (_, 0) => (Address(0), 0),
            (number, taken) => (Address(number), 2 + taken),
        };
    }
    let null = if text.starts_with(NIL) { NIL.len() } else { usize::from(text.first() == Some(&b'0')) };
    (Address(0), null)
}

/// The length of a list: pointers or numbers, one blank behind each; the last may lack its blank
/// at the end of the message.
fn list(text: &[u8]) -> usize {
    let mut taken = 0;
    loop {
        let rest = text.get(taken..).unwrap_or(&[]);
        let item = match pointer(rest).1.max(leading(rest, |b| b.is_ascii_hexdigit())) {
            0 => return taken,
            item => item,
        };
        match rest.get(item) {
            Some(b' ') => taken += item + 1,
            None => return taken + item,
            Some(_) => return taken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reader: Reader, text: &str, value: Value<'_>, taken: usize) {
        assert_eq!(reader.read(text.as_bytes()), Some((value, taken)));
    }

    #[test]
    fn numbers_saturate_and_stop_at_the_first_other_byte() {
        check(Reader::Bytes, "512]", Value::Bytes(Bytes(512)), 3);
        check(Reader::Number, "18446744073709551615", Value::Number(u64::MAX), 20);
        check(Reader::Number, "99999999999999999999999", Value::Number(u64::MAX), 23);
        check(Reader::Offset, "-1]", Value::Offset(Offset(-1)), 2);
        check(Reader::Hex, "1f,", Value::Number(31), 2);
        assert_eq!(Reader::Signed.read(b"-x"), None);
    }

    #[test]
    fn a_null_pointer_has_three_spellings() {
        check(Reader::Address, "0x12c0 ", Value::Address(Address(0x12c0), b"0x12c0"), 6);
        check(Reader::Address, "(nil),", Value::Address(Address(0), b"(nil)"), 5);
        check(Reader::Address, "0, ", Value::Address(Address(0), b"0"), 1);
        assert_eq!(Reader::Address.read(b"0x"), None);
    }

    #[test]
    fn some_pointers_are_printed_without_their_prefix_or_in_decimal() {
        check(Reader::BareAddress, "12c0, ", Value::Address(Address(0x12c0), b"12c0"), 4);
        check(Reader::BareAddress, "(nil)", Value::Address(Address(0), b"(nil)"), 5);
        check(Reader::DecimalAddress, "4096.", Value::DecimalAddress(Address(4096), b"4096"), 4);
        check(Reader::DecimalAddress, "-1", Value::DecimalAddress(Address(u64::MAX), b"-1"), 2);
    }

    #[test]
    fn a_rounded_size_has_a_unit() {
        check(Reader::Rounded, "2.00 GiB (NPU", Value::Bytes(Bytes(2 << 30)), 8);
        check(Reader::Rounded, "1.50 KiB;", Value::Bytes(Bytes(1536)), 8);
        check(Reader::Rounded, "512 bytes", Value::Bytes(Bytes(512)), 9);
        assert_eq!(Reader::Rounded.read(b"2.00 apples"), None);
        assert_eq!(Reader::Rounded.read(b"2.00"), None);
        assert!(Reader::Rounded.read(b"99999999999999999999.9 TiB").is_some());
    }

    #[test]
    fn a_list_ends_where_the_next_item_is_no_item() {
        check(Reader::List, "0x1 0x2 , Input", Value::Text(b"0x1 0x2 "), 8);
        check(Reader::List, "16 32", Value::Text(b"16 32"), 5);
        check(Reader::List, ", none", Value::Text(b""), 0);
    }
}
