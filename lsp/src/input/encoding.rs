//! UTF-16 text to UTF-8; every other byte is passed on as it is.
//!
//! Knows nothing of GB18030 or Latin-1: the core reads bytes and needs only that ASCII stays ASCII.

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};

/// How a source's bytes are handed on, told by its byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As they are, behind a UTF-8 mark of this many bytes (0 or 3).
    Bytes(usize),
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    pub(super) fn of(head: &[u8]) -> Encoding {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Encoding::Bytes(3),
            [0xFF, 0xFE, ..] => Encoding::Utf16Le,
            [0xFE, 0xFF, ..] => Encoding::Utf16Be,
            _ => Encoding::Bytes(0),
        }
    }

    /// A converter for the whole source, or none where bytes pass as they are.
    pub(super) fn to_utf8(self) -> Option<ToUtf8> {
        let encoding = match self {
            Encoding::Bytes(_) => return None,
            Encoding::Utf16Le => UTF_16LE,
            Encoding::Utf16Be => UTF_16BE,
        };
        Some(ToUtf8 { decoder: encoding.new_decoder_with_bom_removal(), text: Vec::new() })
    }
}

/// Converts chunk by chunk; a character cut by a chunk border is kept for the next one.
pub(super) struct ToUtf8 {
    decoder: Decoder,
    text: Vec<u8>,
}

impl ToUtf8 {
    /// The text of `bytes`; `last` also gives out what an odd ending left.
    pub(super) fn push(&mut self, mut bytes: &[u8], last: bool) -> &[u8] {
        let mut filled = 0;
        loop {
            let wanted = self.decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3 + 16);
            if self.text.len() < filled + wanted {
                self.text.resize(filled + wanted, 0);
            }
            let (result, read, written, _) =
                self.decoder.decode_to_utf8(bytes, &mut self.text[filled..], last);
            filled += written;
            bytes = bytes.get(read..).unwrap_or_default();
            if result == CoderResult::InputEmpty {
                return &self.text[..filled];
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail this way")]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_the_same_text_whatever_the_chunks() {
        let text = "[ERROR] GE(1,python3):日志 🙂\r\n";
        let little: Vec<u8> =
            [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            for size in 1..bytes.len() {
                let mut converter = Encoding::of(&bytes).to_utf8().unwrap();
                let mut out = Vec::new();
                for chunk in bytes.chunks(size) {
                    out.extend_from_slice(converter.push(chunk, false));
                }
                out.extend_from_slice(converter.push(&[], true));
                assert_eq!(String::from_utf8(out).unwrap(), text, "chunks of {size}");
            }
        }
    }

    #[test]
    fn an_odd_last_byte_becomes_a_replacement() {
        let mut converter = Encoding::of(&[0xFF, 0xFE]).to_utf8().unwrap();
        assert_eq!(converter.push(&[0xFF, 0xFE, b'a', 0, b'b'], true), "a\u{fffd}".as_bytes());
    }
}
