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
        let digits = |from: usize, to: usize| {
            let part = text.get(from..to)?;
            part.iter().all(u8::is_ascii_digit).then(|| decimal(part) as i64)
        };
        let mark = |at: usize, byte: u8| (text.get(at) == Some(&byte)).then_some(());
        let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
        mark(4, b'-').and(mark(7, b'-')).and(mark(10, b'-'))?;
        let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
        mark(13, b':').and(mark(16, b':'))?;
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
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
        let seconds = (hour * 60 + minute) * 60 + second;
        Some(Time(days(year, month, day) * DAY + seconds * 1_000_000 + micros))
    }

    /// The microseconds from `earlier` to this time; negative when the clock ran back.
    pub fn since(self, earlier: Time) -> i64 {
        self.0 - earlier.0
    }
}

/// The shape of a whole stamp.
const WHOLE: &[u8; 27] = b"0000-00-00-00:00:00.000.000";

/// Whether the text is a whole stamp, `2026-08-21-10:04:07.000.137`.
pub(crate) fn is_whole_stamp(text: &[u8]) -> bool {
    text.len() == WHOLE.len()
        && text.iter().zip(WHOLE).all(|(byte, like)| match like {
            b'0' => byte.is_ascii_digit(),
            mark => byte == mark,
        })
}

/// The earliest and the latest of many whole stamps, compared as texts and read only in the end:
/// it is asked of every line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    range: Option<([u8; 27], [u8; 27])>,
}

impl Stamps {
    /// Takes note of a stamp; `false` where it is not whole.
    pub(crate) fn see(&mut self, stamp: &[u8]) -> bool {
        let Ok(stamp) = <[u8; 27]>::try_from(stamp) else { return false };
        match &mut self.range {
            Some((first, last)) if *first <= stamp && stamp <= *last => true,
            _ if !is_whole_stamp(&stamp) => false,
            Some((first, last)) => {
                *first = stamp.min(*first);
                *last = stamp.max(*last);
                true
            }
            None => {
                self.range = Some((stamp, stamp));
                true
            }
        }
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
    if let Some((stamp, rest)) = text.split_at_checked(WHOLE.len())
        && rest.first() == Some(&b' ')
        && is_whole_stamp(stamp)
    {
        return WHOLE.len();
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
    fn a_stamp_ends_before_the_sentence_goes_on() {
        assert_eq!(stamp_length(b"2024-01-29-19:2856.519.792 [x"), 26);
        assert_eq!(stamp_length(b"2023-03-14-14:15:54[m"), 19);
        assert_eq!(stamp_length(b"2023-03-14-14:15:54: x"), 19);
        assert_eq!(stamp_length(b"2023-03-1"), 0);
    }
}
