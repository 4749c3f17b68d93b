//! A line on standard error that says how far the reading has come, once it takes over a second.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use gemlens_core::say::size;
use gemlens_core::units::Bytes;

/// Readings shorter than this show nothing.
const SILENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of one walk.
#[derive(Debug)]
pub(super) struct Progress {
    start: Instant,
    shown: Option<Instant>,
    is_wanted: bool,
}

impl Progress {
    /// Shows itself only where standard error is a terminal.
    pub(super) fn new() -> Progress {
        Progress { start: Instant::now(), shown: None, is_wanted: io::stderr().is_terminal() }
    }

    /// Tells how far the reading is.
    pub(super) fn tell(&mut self, read_bytes: u64, total_bytes: Option<u64>) {
        if !self.is_wanted || self.start.elapsed() < SILENCE {
            return;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < INTERVAL) {
            return;
        }
        self.shown = Some(Instant::now());
        // A progress line that can't be written is no reason to stop.
        let _ = write!(io::stderr(), "\r\x1b[K{}", line(read_bytes, total_bytes, self.start.elapsed()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `[##########----------]  50%  512.00M / 1.00G  256.00M/s`
fn line(read_bytes: u64, total_bytes: Option<u64>, elapsed: Duration) -> String {
    const WIDTH: usize = 24;
    let speed = (read_bytes as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    let (read, speed) = (size::human(Bytes(read_bytes)), size::human(Bytes(speed)));
    match total_bytes.filter(|total| *total > 0) {
        Some(total) => {
            let share = (read_bytes as f64 / total as f64).min(1.0);
            let done = (share * WIDTH as f64) as usize;
            let total = size::human(Bytes(total));
            let percent = (share * 100.0) as u8;
            let (done, left) = ("#".repeat(done), "-".repeat(WIDTH - done));
            format!("[{done}{left}] {percent:3}%  {read} / {total}  {speed}/s")
        }
        None => format!("{read}  {speed}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        let text = line(512 << 20, Some(1 << 30), Duration::from_secs(2));
        assert_eq!(text, "[############------------]  50%  512.00M / 1.00G  256.00M/s");
        assert_eq!(line(2 << 20, None, Duration::from_secs(1)), "2.00M  2.00M/s");
        assert!(line(3, Some(2), Duration::ZERO).contains("100%"));
    }
}
