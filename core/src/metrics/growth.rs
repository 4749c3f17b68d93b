//! Growth of components between statistics of one process (analysis rules, R1 and R6).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::model::component::{Components, Counted, Statistic};

/// How a series of figures develops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// Every figure is at least the one before, and the last is above the first.
    Rising,
    /// It rose, then stayed: the last third brought nothing.
    Plateau,
    /// It fell at least once and ended above the first.
    UpAndDown,
    /// It ended at or below the first.
    NotRising,
}

/// One component at two moments or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// What is counted.
    pub counted: Counted,
    /// Its lines, in order; at least two.
    pub series: Vec<Statistic>,
    /// How `current` develops.
    pub trend: Trend,
}

impl Growth {
    /// What is held at the last line beyond the first; negative when less.
    pub fn bytes(&self) -> i64 {
        let (Some(first), Some(last)) = (self.series.first(), self.series.last()) else { return 0 };
        (last.current.0 as i64).wrapping_sub(first.current.0 as i64)
    }
}

/// Components that were printed more than once, largest growth first.
pub fn between_statistics(components: &Components) -> Vec<Growth> {
    let mut series: BTreeMap<Counted, Vec<Statistic>> = BTreeMap::new();
    for &statistic in &components.statistics {
        series.entry(statistic.counted).or_default().push(statistic);
    }
    let mut growth: Vec<Growth> = series
        .into_iter()
        .filter(|(_, series)| series.len() > 1)
        .map(|(counted, series)| {
            let trend = trend(&series.iter().map(|s| s.current.0).collect::<Vec<_>>());
            Growth { counted, series, trend }
        })
        .collect();
    growth.sort_by_key(|g| core::cmp::Reverse(g.bytes()));
    growth
}

/// How a series of byte counts develops.
pub fn trend(series: &[u64]) -> Trend {
    let (Some(first), Some(last)) = (series.first(), series.last()) else { return Trend::NotRising };
    if last <= first {
        return Trend::NotRising;
    }
    if series.windows(2).any(|pair| pair[1] < pair[0]) {
        return Trend::UpAndDown;
    }
    let late = &series[series.len() - series.len() / 3..];
    let flat = late.len() >= 2 && late.iter().all(|n| n == last);
    if flat { Trend::Plateau } else { Trend::Rising }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends() {
        for (series, expected) in [
            (&[1u64, 2][..], Trend::Rising),
            (&[1, 2, 3, 4, 5, 6], Trend::Rising),
            (&[1, 3, 5, 5, 5, 5], Trend::Plateau),
            (&[1, 5, 3, 4], Trend::UpAndDown),
            (&[5, 5], Trend::NotRising),
            (&[5, 7, 2], Trend::NotRising),
            (&[], Trend::NotRising),
        ] {
            assert_eq!(trend(series), expected, "{series:?}");
        }
    }
}
