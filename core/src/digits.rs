//! Decimal digits in raw bytes.

/// The number of leading bytes that satisfy `wanted`.
pub(crate) fn leading(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&b| !wanted(b)).unwrap_or(text.len())
}

/// Decimal digits as a number; saturates at the largest.
pub(crate) fn decimal(digits: &[u8]) -> u64 {
    digits.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d.wrapping_sub(b'0') & 15)))
}
