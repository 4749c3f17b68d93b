//! Who held the device memory when a request was refused (analysis rules, R7).

use crate::intern::{Interner, Name};
use crate::metrics::component::{Pool, pool_of};
use crate::model::component::Statistic;
use crate::model::process::Process;
use crate::span::Span;
use crate::time::Time;
use crate::units::Bytes;

/// The driver prints a failing process's statistics within this time.
const AT_FAILURE: i64 = 2_000_000;

/// A component and what it held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holder {
    /// Module.
    pub module: Name,
    /// Bytes.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// What the driver's statistics show of one process at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Bytes of all components on the device.
    pub size: Bytes,
    /// The largest component.
    pub largest: Holder,
}

/// What a process held on a device around `time`; `None` where no statistics stand there.
pub fn held_at(process: &Process, device: Option<i64>, time: Option<Time>, names: &Interner) -> Option<Held> {
    let time = time?;
    let near = |s: &&Statistic| s.time.is_some_and(|t| t.since(time).abs() <= AT_FAILURE);
    held(process, device, names, near)
}

/// What a process held on a device by its last statistics before `time`.
pub fn held_before(
    process: &Process,
    device: Option<i64>,
    time: Option<Time>,
    names: &Interner,
) -> Option<Held> {
    let upto = |s: &&Statistic| time.is_none_or(|time| s.time.is_none_or(|t| t <= time));
    let last = process.components.statistics.iter().filter(upto).filter_map(|s| s.time).max();
    held(process, device, names, |s| {
        upto(s) && s.time.zip(last).is_none_or(|(t, last)| last.since(t) <= AT_FAILURE)
    })
}

fn held(
    process: &Process,
    device: Option<i64>,
    names: &Interner,
    wanted: impl Fn(&&Statistic) -> bool,
) -> Option<Held> {
    let on_device = |s: &&Statistic| {
        let pool = pool_of(names.get(s.counted.memory_kind));
        let here = device.is_none() || s.counted.device.is_none() || s.counted.device == device;
        here && matches!(pool, Pool::Hbm | Pool::Device | Pool::PeerToPeer)
    };
    let statistics = || process.components.statistics.iter().filter(on_device).filter(&wanted);
    // A group repeats with every failure: the last row of each component counts.
    let is_last =
        |number: usize, s: &Statistic| !statistics().skip(number + 1).any(|later| later.counted == s.counted);
    let mut size = Bytes::ZERO;
    let mut largest: Option<Holder> = None;
    for (number, statistic) in statistics().enumerate() {
        if !is_last(number, statistic) {
            continue;
        }
        size += statistic.current;
        if largest.is_none_or(|known| statistic.current > known.size) {
            let (module, span) = (statistic.counted.module, statistic.span);
            largest = Some(Holder { module, size: statistic.current, span });
        }
    }
    Some(Held { size, largest: largest? })
}
