//! Digits: numbers in raw bytes, and numbers as text. Asked of every field of every line, and written
//! for every field of every row, so both ways are by hand.

use alloc::vec::Vec;

/// Decimal digits of which every number fits.
const SAFE_DECIMAL: usize = 19;

/// The number of leading bytes that satisfy `wanted`.
pub(crate) fn leading(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&b| !wanted(b)).unwrap_or(text.len())
}

/// The place of `byte` in a text where it stands near the front: eight bytes at a time, without the
/// cost of a call.
pub(crate) fn near(byte: u8, text: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = LOW << 7;
    let pattern = LOW * u64::from(byte);
    let (words, rest) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        // Zero where the byte is; the lowest zero byte has its high bit set, and nothing below it.
        let other = u64::from_le_bytes(*word) ^ pattern;
        let hits = other.wrapping_sub(LOW) & !other & HIGH;
        if hits != 0 {
            return Some(8 * number + hits.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&b| b == byte).map(|at| text.len() - rest.len() + at)
}

/// The decimal digits at the start of a text as a number, and how many there are; saturates.
pub(crate) fn leading_decimal(text: &[u8]) -> (u64, usize) {
    let mut number: u64 = 0;
    for (at, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (number, at);
        }
        if at == SAFE_DECIMAL {
            break;
        }
        number = number * 10 + u64::from(digit);
    }
    let digits = leading(text, |b| b.is_ascii_digit());
    (decimal(text.get(..digits).unwrap_or_default()), digits)
}

/// The hexadecimal digits at the start of a text as a number, and how many there are; saturates.
pub(crate) fn leading_hexadecimal(text: &[u8]) -> (u64, usize) {
    const OTHER: u8 = 0xff;
    const DIGITS: [u8; 256] = {
        let mut digits = [OTHER; 256];
        let mut digit = 0;
        while digit < 16 {
            digits[b"0123456789abcdef"[digit] as usize] = digit as u8;
            digits[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
            digit += 1;
        }
        digits
    };
    let mut number: u64 = 0;
    let mut taken = 0;
    for byte in text {
        let digit = DIGITS[usize::from(*byte)];
        if digit == OTHER {
            break;
        }
        number = if number >> 60 == 0 { (number << 4) | u64::from(digit) } else { u64::MAX };
        taken += 1;
    }
    (number, taken)
}

/// Decimal digits as a number; saturates at the largest.
pub(crate) fn decimal(digits: &[u8]) -> u64 {
    let digit = |d: &u8| u64::from(d.wrapping_sub(b'0') & 15);
    if digits.len() <= SAFE_DECIMAL {
        return digits.iter().fold(0, |n, d| n * 10 + digit(d));
    }
    digits.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(digit(d)))
}

/// Appends a number as decimal digits.
pub(crate) fn push_decimal(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] += (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a number as `0x` and lower-case hexadecimal digits.
pub(crate) fn push_hexadecimal(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 18];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(number & 15) as usize];
        number >>= 4;
        if number == 0 {
            break;
        }
    }
    digits[at - 2..at].copy_from_slice(b"0x");
    out.extend_from_slice(&digits[at - 2..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn numbers_are_written_as_the_library_does() {
        for number in [0, 9, 10, 255, 4096, 12_345_678_901, u64::MAX] {
            let (mut ten, mut sixteen) = (Vec::new(), Vec::new());
            push_decimal(&mut ten, number);
            push_hexadecimal(&mut sixteen, number);
            assert_eq!(
                (ten, sixteen),
                (format!("{number}").into_bytes(), format!("{number:#x}").into_bytes())
            );
        }
    }

    #[test]
    fn a_byte_is_found_wherever_it_stands() {
        for length in 0..20 {
            for place in 0..length {
                let mut text = alloc::vec![b'9'; length];
                text[place] = b':';
                assert_eq!(near(b':', &text), Some(place));
                text[length - 1] = b':';
                assert_eq!(near(b':', &text), Some(place));
            }
            assert_eq!(near(b':', &alloc::vec![b';'; length]), None);
            assert_eq!(near(b':', &alloc::vec![0xba; length]), None);
        }
    }

    #[test]
    fn numbers_are_read_up_to_the_first_other_byte() {
        assert_eq!(leading_decimal(b"512]"), (512, 3));
        assert_eq!(leading_decimal(b"]"), (0, 0));
        assert_eq!(leading_decimal(b"9999999999999999999"), (9_999_999_999_999_999_999, 19));
        assert_eq!(leading_decimal(b"18446744073709551615."), (u64::MAX, 20));
        assert_eq!(leading_decimal(b"99999999999999999999999,"), (u64::MAX, 23));
        assert_eq!(leading_hexadecimal(b"12C0x"), (0x12c0, 4));
        assert_eq!(leading_hexadecimal(b"x"), (0, 0));
    }

    #[test]
    fn numbers_are_read_up_to_the_largest() {
        assert_eq!(decimal(b"9999999999999999999"), 9_999_999_999_999_999_999);
        assert_eq!(decimal(b"18446744073709551615"), u64::MAX);
        assert_eq!(decimal(b"18446744073709551616"), u64::MAX);
        assert_eq!(decimal(b""), 0);
        let hexadecimal = |text: &[u8]| leading_hexadecimal(text).0;
        assert_eq!(hexadecimal(b"12c0FfaB"), 0x12c0_ffab);
        assert_eq!(hexadecimal(b"ffffffffffffffff"), u64::MAX);
        assert_eq!(hexadecimal(b"00ffffffffffffffff"), u64::MAX);
        assert_eq!(hexadecimal(b"1ffffffffffffffff"), u64::MAX);
    }
}
