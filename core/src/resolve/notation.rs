//! How people write addresses: hexadecimal with or without `0x`, decimal, `base+offset`.

use crate::model::region::Area;
use crate::time::Time;
use crate::units::Address;

/// An address as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notation {
    /// A number.
    Address(Address),
    /// Only digits, so it can be decimal or hexadecimal: decimal first, then hexadecimal.
    Either(Address, Address),
    /// A place in an area of loaded models, `F+0x200`; of one graph, `1:F+0x200`.
    InArea {
        /// The area.
        area: Area,
        /// Its graph, where written.
        graph: Option<u64>,
        /// Place in the area.
        offset: u64,
    },
}

/// Reads an address.
pub fn parse(text: &str) -> Option<Notation> {
    let text = text.trim();
    let Some((base, offset)) = text.split_once('+') else { return number(text) };
    let offset = match number(offset.trim())? {
        Notation::Address(n) | Notation::Either(n, _) => n.0,
        Notation::InArea { .. } => return None,
    };
    let base = base.trim();
    let (graph, letter) = match base.rsplit_once(':') {
        Some((graph, letter)) => {
            let id = graph.rsplit_once('_').map_or(graph, |(_, id)| id);
            (Some(id.parse().ok()?), letter)
        }
        None => (None, base),
    };
    // `F` and `C` are digits too; as the base of an offset they are areas.
    match (Area::from_letter(letter.to_ascii_uppercase().as_bytes()), number(base)) {
        (Area::Other, Some(Notation::Address(base) | Notation::Either(base, _))) => {
            base.0.checked_add(offset).map(|n| Notation::Address(Address(n)))
        }
        (Area::Other, _) => None,
        (area, _) => Some(Notation::InArea { area, graph, offset }),
    }
}

fn number(text: &str) -> Option<Notation> {
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
    let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok().filter(|_| is_hex(text)).map(Address);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return hexadecimal(digits).map(Notation::Address);
    }
    let is_decimal = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match (is_decimal.then(|| text.parse().ok().map(Address)).flatten(), hexadecimal(text)) {
        (Some(decimal), Some(hex)) if decimal != hex => Some(Notation::Either(decimal, hex)),
        (Some(decimal), _) => Some(Notation::Address(decimal)),
        (None, hex) => hex.map(Notation::Address),
    }
}

/// A moment: a time of day or of a date, or the number of a step or round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A time with its date.
    Time(Time),
    /// Microseconds since midnight, of whatever day the log is.
    TimeOfDay(i64),
    /// Step of a dynamic graph, or round of a static model, from 0.
    Step(u32),
}

impl At {
    /// Reads `12`, `10:04:07.029`, `2026-08-21-10:04:07.029.044` or the same with a blank.
    pub fn parse(text: &str) -> Option<At> {
        let text = text.trim();
        if let Ok(step) = text.parse() {
            return Some(At::Step(step));
        }
        if let Some(time) = Time::parse(text.replacen([' ', 'T'], "-", 1).as_bytes()) {
            return Some(At::Time(time));
        }
        let of_day = Time::parse(alloc::format!("1970-01-01-{text}").as_bytes())?;
        Some(At::TimeOfDay(of_day.0))
    }

    /// Whether `time` is not after this moment; `None` where that can't be told.
    pub fn is_past(self, time: Option<Time>) -> Option<bool> {
        const DAY: i64 = 86_400_000_000;
        match self {
            At::Time(at) => Some(time? <= at),
            At::TimeOfDay(at) => Some(time?.0.rem_euclid(DAY) <= at),
            At::Step(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_of_one_address() {
        let at = Notation::Address(Address(0x12c0_8020_0400));
        for text in [
            "0x12c080200400",
            "12c080200400",
            "12C080200400",
            "0x12c080000000+0x200400",
            " 0x12c080200000+1024 ",
        ] {
            assert_eq!(parse(text), Some(at), "{text}");
        }
        assert_eq!(
            parse("20617992602624"),
            Some(Notation::Either(Address(0x12c0_8020_0400), Address(0x0020_6179_9260_2624)))
        );
        assert_eq!(parse("5"), Some(Notation::Address(Address(5))));
    }

    #[test]
    fn places_in_areas() {
        let place = |area, graph, offset| Some(Notation::InArea { area, graph, offset });
        assert_eq!(parse("F+0x200"), place(Area::FeatureMap, None, 0x200));
        assert_eq!(parse("f + 512"), place(Area::FeatureMap, None, 512));
        assert_eq!(parse("graph_3:W+0x10"), place(Area::Weight, Some(3), 16));
        assert_eq!(parse("3:V+ff"), place(Area::Variable, Some(3), 255));
        for text in ["", "+", "Z+1", "0x", "x:F+1", "F+", "0xffffffffffffffff+1", "hello"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(At::parse("3"), Some(At::Step(3)));
        let time = Time::parse(b"2026-08-21-10:04:07.029.044").expect("time");
        assert_eq!(At::parse("2026-08-21 10:04:07.029.044"), Some(At::Time(time)));
        let day = At::parse("10:04:07.029").expect("time of day");
        assert_eq!(day.is_past(Some(time)), Some(false));
        assert_eq!(At::parse("10:04:08").and_then(|at| at.is_past(Some(time))), Some(true));
        assert_eq!(At::parse("soon"), None);
    }
}
