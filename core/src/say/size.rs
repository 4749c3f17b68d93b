//! How numbers are written. Memory sizes are binary: 1 K = 1024 bytes, as the tools of the field do.

use alloc::format;
use alloc::string::{String, ToString};

use crate::units::Bytes;

/// `6.43M`; below 1 KiB the bytes themselves, `512B`.
pub fn human(size: Bytes) -> String {
    const UNITS: [&str; 5] = ["K", "M", "G", "T", "P"];
    if size.0 < 1024 {
        return format!("{}B", size.0);
    }
    let mut value = size.0 as f64 / 1024.0;
    let mut unit = 0;
    // 1023.995 would print as 1024.00.
    while value >= 1023.995 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.2}{}", UNITS[unit])
}

/// `6742016 (6.43M)`; below 1 KiB the bytes alone.
pub fn exact(size: Bytes) -> String {
    if size.0 < 1024 { size.0.to_string() } else { format!("{} ({})", size.0, human(size)) }
}

/// A change as `+6742016 (+6.43M)`; none is `0`.
pub fn change(bytes: i64) -> String {
    let sign = match bytes {
        0 => "",
        1.. => "+",
        _ => "-",
    };
    let size = Bytes(bytes.unsigned_abs());
    if size.0 < 1024 {
        format!("{sign}{}", size.0)
    } else {
        format!("{sign}{} ({sign}{})", size.0, human(size))
    }
}

/// A share as `97.12%`. What is below 1 never prints as 100 %, what is above 0 never as 0 %.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if share < 1.0 && percent >= 99.995 {
        String::from("99.99%")
    } else if share > 0.0 && percent < 0.005 {
        String::from("<0.01%")
    } else {
        format!("{percent:.2}%")
    }
}

/// `part` of `whole` as a percentage; a dash where there is no whole.
pub fn share(part: Bytes, whole: Bytes) -> String {
    if whole == Bytes::ZERO { String::from("–") } else { percent(part.0 as f64 / whole.0 as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_change_unit_before_they_print_as_1024() {
        for (bytes, text) in [
            (0, "0B"),
            (1023, "1023B"),
            (1024, "1.00K"),
            (1_048_575, "1.00M"),
            (6_742_016, "6.43M"),
            (65_452_113_920, "60.96G"),
            (u64::MAX, "16384.00P"),
        ] {
            assert_eq!(human(Bytes(bytes)), text);
        }
    }
}
