//! The time stamp of a line: local time of the writing machine, to the microsecond.

use core::fmt;

use crate::digits::{decimal, leading};

/// Microseconds since 1970-01-01 00:00 in the writer's local time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

const DAY: i64 = 86_400_000_000;

impl Time {
    /// Reads `YYYY-MM-DD-HH:MM:SS.mmm.uuu`, with the fraction whole, partly there or missing.
    ///
    /// A stamp with a broken clock part (`19:2856.519.792`) has no time.
    pub fn parse(text: &[u8]) -> Option<Time> {
        if let Some(stamp) = whole_stamp(text) {
            let number = |at: usize| i64::from(stamp[at] & 15) * 10 + i64::from(stamp[at + 1] & 15);
            let micros = (number(20) * 10 + i64::from(stamp[22] & 15)) * 1000
                + number(24) * 10
                + i64::from(stamp[26] & 15);
            let date = (number(0) * 100 + number(2), number(5), number(8));
            return Time::of(date, (number(11), number(14), number(17)), micros);
        }
        let digits = |from: usize, to: usize| {
            let part = text.get(from..to)?;
            part.iter().all(u8::is_ascii_digit).then(|| decimal(part) as i64)
        };
        let mark = |at: usize, byte: u8| (text.get(at) == Some(&byte)).then_some(());
        let date = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
        mark(4, b'-').and(mark(7, b'-')).and(mark(10, b'-'))?;
        let clock = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
        mark(13, b':').and(mark(16, b':'))?;
        let mut micros = 0;
        let mut unit = 100_000;
        for &byte in text.get(19..).unwrap_or(&[]) {
            match byte {
                b'0'..=b'9' => {
                    micros += i64::from(byte - b'0') * unit;
                    unit /= 10;
                }
                b'.' => {}
                _ => break,
            }
        }
        Time::of(date, clock, micros)
    }

    fn of((year, month, day): (i64, i64, i64), clock: (i64, i64, i64), micros: i64) -> Option<Time> {
        let (hour, minute, second) = clock;
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let seconds = (hour * 60 + minute) * 60 + second;
        Some(Time(days(year, month, day) * DAY + seconds * 1_000_000 + micros))
    }

    /// The microseconds from `earlier` to this time; negative when the clock ran back.
    pub fn since(self, earlier: Time) -> i64 {
        self.0 - earlier.0
    }
}

/// A whole stamp, `2026-08-21-10:04:07.000.137`.
pub(crate) type Stamp = [u8; 27];

/// Sixteen bytes of a stamp as a number: they are checked all at once, and clocks compare as numbers.
pub(crate) type Sixteen = u128;

/// Bytes of a stamp in front of its last sixteen, the clock.
pub(crate) const DATE: usize = "0000-00-00-".len();

/// Whether the bytes have digits where `like` has `0`, and are `like` elsewhere.
const fn is_like(bytes: Sixteen, like: &[u8; 16]) -> bool {
    let like = Sixteen::from_be_bytes(*like);
    // A byte of `like` is a digit where its upper half is 3 and it is no colon.
    let mut at_digits = 0;
    let mut byte = 0;
    while byte < 16 {
        if (like >> (8 * byte)) & 0xff == b'0' as Sixteen {
            at_digits |= 0xff << (8 * byte);
        }
        byte += 1;
    }
    let upper = at_digits & Sixteen::from_be_bytes([0xf0; 16]);
    let sixes = at_digits & Sixteen::from_be_bytes([6; 16]);
    // A digit's upper half is 3, and still is when 6 is added to it.
    bytes & !at_digits == like & !at_digits
        && bytes & upper == like & upper
        && bytes.wrapping_add(sixes) & upper == like & upper
}

/// Whether the bytes are a clock, `10:04:07.000.137`.
pub(crate) fn is_clock(clock: Sixteen) -> bool {
    is_like(clock, b"00:00:00.000.000")
}

/// The text as a whole stamp.
pub(crate) fn whole_stamp(text: &[u8]) -> Option<&Stamp> {
    let stamp: &Stamp = text.try_into().ok()?;
    let date = Sixteen::from_be_bytes(*stamp.first_chunk()?);
    (is_like(date, b"0000-00-00-00:00") && is_clock(clock(stamp))).then_some(stamp)
}

/// The clock of a stamp.
fn clock(stamp: &Stamp) -> Sixteen {
    stamp.last_chunk().map_or(0, |clock| Sixteen::from_be_bytes(*clock))
}

/// The earliest and the latest of many whole stamps, compared as texts and read only in the end:
/// it is asked of every line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    range: Option<(Stamp, Stamp)>,
}

impl Stamps {
    /// Takes note of a stamp; `false` where it is not whole.
    pub(crate) fn see(&mut self, stamp: &[u8]) -> bool {
        let Some(stamp) = whole_stamp(stamp) else { return false };
        match &mut self.range {
            Some((first, last)) if first[..DATE] == stamp[..DATE] && last[..DATE] == stamp[..DATE] => {
                if clock(stamp) < clock(first) {
                    *first = *stamp;
                } else if clock(stamp) > clock(last) {
                    *last = *stamp;
                }
            }
            Some((first, last)) => {
                *first = *stamp.min(first);
                *last = *stamp.max(last);
            }
            None => self.range = Some((*stamp, *stamp)),
        }
        true
    }

    /// The times of the two.
    pub(crate) fn times(&self) -> [Option<Time>; 2] {
        match self.range {
            Some((first, last)) => [Time::parse(&first), Time::parse(&last)],
            None => [None, None],
        }
    }
}

/// Length of the time stamp at the start of `text`, 0 when there is none: a date and whatever
/// digits, colons and dots follow it.
pub(crate) fn stamp_length(text: &[u8]) -> usize {
    if let Some((stamp, rest)) = text.split_first_chunk::<27>()
        && rest.first() == Some(&b' ')
        && whole_stamp(stamp).is_some()
    {
        return stamp.len();
    }
    let date = |at: usize| match at {
        4 | 7 => b'-',
        _ => b'0',
    };
    for at in 0..10 {
        match (text.get(at), date(at)) {
            (Some(b'-'), b'-') => {}
            (Some(b'0'..=b'9'), b'0') => {}
            _ => return 0,
        }
    }
    if text.get(10) != Some(&b'-') {
        return 10;
    }
    let clock = leading(&text[11..], |b| b.is_ascii_digit() || b == b':' || b == b'.');
    let clock = &text[..11 + clock];
    clock.len() - clock.iter().rev().take_while(|b| matches!(b, b':' | b'.')).count()
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl fmt::Display for Time {
    /// `2026-08-21 10:04:07.000822`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, of_day) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        let (seconds, micros) = (of_day / 1_000_000, of_day % 1_000_000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(Time::parse(text.as_bytes()).map(|t| t.to_string()).as_deref(), expected);
    }

    #[test]
    fn stamps_of_every_precision() {
        check("2026-08-21-10:04:07.000.822", Some("2026-08-21 10:04:07.000822"));
        check("2023-03-14-14:15:54", Some("2023-03-14 14:15:54.000000"));
        check("2026-08-27-10:00:00.010", Some("2026-08-27 10:00:00.010000"));
        check("2024-02-29-23:59:59.999.999", Some("2024-02-29 23:59:59.999999"));
        check("2024-01-29-19:2856.519.792", None);
        check("2024-13-29-19:28:56", None);
        check("", None);
    }

    #[test]
    fn a_whole_stamp_is_told_by_all_its_bytes() {
        for (text, is) in [
            (&b"2026-08-21-10:04:07.000.137"[..], true),
            (b"9999-99-99-99:99:99.999.999", true),
            (b"2026-08-21-10:04:07.000 137", false),
            (b"2026-08-21-1a:04:07.000.137", false),
            (b"2026-08-21-10:04:0;.000.137", false),
            (b"2026-08-21-10:04:07:000.137", false),
            (b"2026-08-21-1\xff:04:07.000.137", false),
            (b"2026-08-21-1/:04:07.000.137", false),
            (b"2026-0:-21-10:04:07.000.137", false),
            (b"2026-08/21-10:04:07.000.137", false),
            (b"202\xf6-08-21-10:04:07.000.137", false),
            (b"2026-08-21-10:04:07.000.13", false),
        ] {
            assert_eq!(whole_stamp(text).is_some(), is, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn the_earliest_and_the_latest_stamp_are_kept() {
        let mut stamps = Stamps::default();
        for day in [21, 20, 22] {
            for clock in ["10:04:07.000.137", "09:04:07.000.137", "23:04:07.000.137"] {
                assert!(stamps.see(alloc::format!("2026-08-{day}-{clock}").as_bytes()));
            }
        }
        assert!(!stamps.see(b"2026-08-23"));
        let times = stamps.times().map(|time| time.map(|t| t.to_string()));
        let expected = ["2026-08-20 09:04:07.000137", "2026-08-22 23:04:07.000137"];
        assert_eq!(times, expected.map(|text| Some(text.to_string())));
    }

    #[test]
    fn a_stamp_ends_before_the_sentence_goes_on() {
        assert_eq!(stamp_length(b"2024-01-29-19:2856.519.792 [x"), 26);
        assert_eq!(stamp_length(b"2023-03-14-14:15:54[m"), 19);
        assert_eq!(stamp_length(b"2023-03-14-14:15:54: x"), 19);
        assert_eq!(stamp_length(b"2023-03-1"), 0);
    }
}
