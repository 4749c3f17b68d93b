//! Writes plogs of any size in the shapes that real ones have, the same bytes for the same seed.
//!
//! Several processes compile graphs, load them and execute; about one line in ten is of interest,
//! the rest is the talk of GE and its neighbours. What the lines say fits together: blocks that
//! live at one time do not overlap, addresses lie in their areas, statistics come at the end.

mod line;
mod noise;
mod process;
mod random;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::run::Failure;
use line::{Line, stamp_text};
use process::{Plog, Process};
use random::Random;

/// A plog is closed at this size (plog grammar 1.6).
const ROTATE_AT: u64 = 20 << 20;
/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 20;
/// Lines of talk for each line of interest.
const TALK: u64 = 9;

/// What to write.
#[derive(Debug)]
pub struct Options {
    out: PathBuf,
    size: u64,
    seed: u64,
    processes: u64,
    tree: bool,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Made {
    pub bytes: u64,
    pub lines: u64,
    pub of_interest: u64,
}

impl Options {
    /// One file of about `size` bytes.
    pub fn single_file(out: PathBuf, size: u64) -> Options {
        Options { out, size, seed: 1, processes: 4, tree: false }
    }

    /// From the command line.
    pub fn parse(mut arguments: lexopt::Parser) -> Result<Options, Failure> {
        use lexopt::prelude::*;
        let mut options = Options::single_file(PathBuf::new(), 1 << 30);
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("out") => options.out = arguments.value()?.into(),
                Long("size") => options.size = size(&arguments.value()?.string()?)?,
                Long("seed") => options.seed = arguments.value()?.parse()?,
                Long("processes") => options.processes = arguments.value()?.parse()?,
                Long("tree") => options.tree = true,
                other => return Err(other.unexpected().into()),
            }
        }
        if options.out.as_os_str().is_empty() {
            return Err(Failure(String::from("gen-log needs --out PATH")));
        }
        options.processes = options.processes.clamp(1, 64);
        Ok(options)
    }
}

/// A number of bytes, with `KiB`, `MiB` or `GiB` behind it or nothing.
pub fn size(text: &str) -> Result<u64, Failure> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim() {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return Err(Failure(format!("no size: {text} (for example 200MiB)"))),
    };
    let number: u64 = digits.parse().map_err(|_| Failure(format!("no size: {text}")))?;
    number
        .checked_shl(shift)
        .filter(|bytes| bytes >> shift == number)
        .ok_or_else(|| Failure(format!("too large: {text}")))
}

/// Writes the log.
pub fn gen_log(options: &Options) -> Result<Made, Failure> {
    let start = Instant::now();
    let mut random = Random::new(options.seed);
    let mut processes: Vec<Process> = (0..options.processes).map(|n| Process::new(n, options.tree)).collect();
    let mut files = Files::new(options)?;
    let mut made = Made::default();
    let mut clock = 0;
    let mut text = Vec::with_capacity(4096);

    while files.written < options.size {
        // A few lines of one process, then of another: the logger flushes in bursts.
        let number = random.below(options.processes);
        let process = &mut processes[number as usize];
        for _ in 0..random.between(4, 48) {
            clock += random.between(2, 60);
            text.clear();
            let mut plog = Plog::Debug;
            if random.below(TALK + 1) == 0 {
                plog = process.step(&mut Line::new(&mut text, clock), &mut random);
                made.of_interest += 1;
            } else {
                noise::talk(process, &mut Line::new(&mut text, clock), &mut random);
            }
            made.lines += 1;
            files.put(number, plog, clock, &text)?;
            if plog == Plog::Both {
                made.lines += u64::from(options.tree);
            }
        }
    }
    for (number, process) in processes.iter().enumerate() {
        text.clear();
        clock += 1000;
        let count = process.exit(&mut text, clock);
        made.lines += count;
        made.of_interest += count;
        files.put(number as u64, Plog::Run, clock, &text)?;
    }
    made.bytes = files.finish()?;
    eprintln!(
        "{}: {} bytes, {} lines, {} of interest, {:.1} s",
        options.out.display(),
        made.bytes,
        made.lines,
        made.of_interest,
        start.elapsed().as_secs_f64()
    );
    Ok(made)
}

/// Where the lines go: one file, or a tree with a debug and a run plog for each process.
struct Files {
    root: PathBuf,
    tree: bool,
    /// One, or two for each process: debug, run.
    open: Vec<Open>,
    written: u64,
}

struct Open {
    file: Option<File>,
    buffer: Vec<u8>,
    size: u64,
}

impl Files {
    fn new(options: &Options) -> Result<Files, Failure> {
        let count = if options.tree { 2 * options.processes } else { 1 };
        let mut open: Vec<Open> =
            (0..count).map(|_| Open { file: None, buffer: Vec::with_capacity(BUFFER), size: 0 }).collect();
        if options.tree {
            fs::create_dir_all(options.out.join("debug/plog"))?;
            fs::create_dir_all(options.out.join("run/plog"))?;
        } else {
            open[0].file = Some(File::create(&options.out)?);
        }
        Ok(Files { root: options.out.clone(), tree: options.tree, open, written: 0 })
    }

    /// Adds whole lines of process `number`.
    fn put(&mut self, number: u64, plog: Plog, clock: u64, text: &[u8]) -> Result<(), Failure> {
        if !self.tree {
            return self.append(0, number, clock, text);
        }
        if plog != Plog::Run {
            self.append(2 * number as usize, number, clock, text)?;
        }
        if plog != Plog::Debug {
            self.append(2 * number as usize + 1, number, clock, text)?;
        }
        Ok(())
    }

    fn append(&mut self, place: usize, number: u64, clock: u64, text: &[u8]) -> Result<(), Failure> {
        let open = &mut self.open[place];
        if self.tree && open.size + text.len() as u64 > ROTATE_AT {
            flush(open)?;
            open.file = None;
        }
        if open.file.is_none() {
            open.file = Some(File::create(plog_path(&self.root, place % 2 == 1, number, clock))?);
            open.size = 0;
        }
        open.buffer.extend_from_slice(text);
        open.size += text.len() as u64;
        self.written += text.len() as u64;
        if open.buffer.len() >= BUFFER { flush(open) } else { Ok(()) }
    }

    fn finish(mut self) -> Result<u64, Failure> {
        for open in &mut self.open {
            flush(open)?;
        }
        Ok(self.written)
    }
}

fn flush(open: &mut Open) -> Result<(), Failure> {
    if let Some(file) = &mut open.file {
        file.write_all(&open.buffer)?;
    }
    open.buffer.clear();
    Ok(())
}

/// `plog-<pid>_<yyyymmddHHMMSSmmm>.log` (plog grammar 1.6).
fn plog_path(root: &Path, run: bool, number: u64, clock: u64) -> PathBuf {
    let kind = if run { "run" } else { "debug" };
    let digits: String = stamp_text(clock).chars().filter(char::is_ascii_digit).collect();
    root.join(kind).join("plog").join(format!("plog-{}_{}.log", process::pid(number), &digits[..17]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        assert_eq!(size("1GiB").ok(), Some(1 << 30));
        assert_eq!(size("12").ok(), Some(12));
        assert!(size("1GB").is_err());
        assert!(size("99999999999GiB").is_err());
    }
}
