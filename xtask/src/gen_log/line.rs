//! Puts the text of a line together, fast: headers, numbers, addresses.

/// The first second of every generated log.
const DAY: &str = "2026-08-21-";
/// Seconds of that day at clock 0: 06:00:00.
const START_SECOND: u64 = 6 * 3600;

/// A line that is being written.
pub struct Line<'o> {
    out: &'o mut Vec<u8>,
    clock: u64,
}

impl<'o> Line<'o> {
    /// A line at `clock` microseconds after the start of the log.
    pub fn new(out: &'o mut Vec<u8>, clock: u64) -> Line<'o> {
        Line { out, clock }
    }

    /// `[LEVEL] MODULE(pid,python3):stamp `
    pub fn header(&mut self, level: &str, module: &str, pid: u64) -> &mut Self {
        let clock = self.clock;
        self.text("[").text(level).text("] ").text(module).text("(").number(pid).text(",python3):");
        stamp(self.out, clock);
        self.text(" ")
    }

    /// A GE line up to its message: `[file:line]tid Func:`.
    pub fn ge(&mut self, pid: u64, tid: u64, file: &str, func: &str) -> &mut Self {
        self.header("INFO", "GE", pid)
            .text("[")
            .text(file)
            .text("]")
            .number(tid)
            .text(" ")
            .text(func)
            .text(":")
    }

    /// A RUNTIME line up to its message.
    pub fn runtime(&mut self, pid: u64, tid: u64, file: &str, func: &str) -> &mut Self {
        self.header("INFO", "RUNTIME", pid)
            .text("[")
            .text(file)
            .text("] ")
            .number(tid)
            .text(" ")
            .text(func)
            .text(": ")
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.out.extend_from_slice(text.as_bytes());
        self
    }

    pub fn number(&mut self, mut number: u64) -> &mut Self {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.out.extend_from_slice(&digits[at..]);
        self
    }

    /// `0x` and lower-case digits.
    pub fn address(&mut self, mut address: u64) -> &mut Self {
        let mut digits = [0; 16];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b"0123456789abcdef"[(address & 15) as usize];
            address >>= 4;
            if address == 0 {
                break;
            }
        }
        self.out.extend_from_slice(b"0x");
        self.out.extend_from_slice(&digits[at..]);
        self
    }

    pub fn end(&mut self) {
        self.out.push(b'\n');
    }
}

/// `YYYY-MM-DD-HH:MM:SS.mmm.uuu`; a log of more than 18 hours stays in its last hour.
fn stamp(out: &mut Vec<u8>, clock: u64) {
    let second = START_SECOND + clock / 1_000_000;
    let micro = clock % 1_000_000;
    let digit = |n: u64| b'0' + (n % 10) as u8;
    let (hour, minute) = ((second / 3600).min(23), second / 60 % 60);
    out.extend_from_slice(DAY.as_bytes());
    out.extend_from_slice(&[digit(hour / 10), digit(hour), b':', digit(minute / 10), digit(minute), b':']);
    out.extend_from_slice(&[digit(second % 60 / 10), digit(second % 60), b'.']);
    for (n, divisor) in [100_000, 10_000, 1000, 100, 10, 1].into_iter().enumerate() {
        if n == 3 {
            out.push(b'.');
        }
        out.push(digit(micro / divisor));
    }
}

/// The stamp as text.
pub fn stamp_text(clock: u64) -> String {
    let mut out = Vec::new();
    stamp(&mut out, clock);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_and_numbers_are_printed_as_the_logger_does() {
        assert_eq!(stamp_text(3_661_000_042), "2026-08-21-07:01:01.000.042");
        let mut out = Vec::new();
        Line::new(&mut out, 0).number(0).text(" ").number(u64::MAX).text(" ").address(0x12c0_8000_0000).end();
        assert_eq!(String::from_utf8_lossy(&out), "0 18446744073709551615 0x12c080000000\n");
    }
}
