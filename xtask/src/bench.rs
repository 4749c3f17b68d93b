//! Speed and memory of `gemlens report` beside ripgrep and `wc -l`, on one file, in one run.
//!
//! Only ratios are comparable between machines. Each program runs on one core; the best of some
//! runs counts. Peak memory is the high-water mark that Linux keeps of a process.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::deliver;
use crate::gen_log;
use crate::run::{Failure, is_on_path, program, root, run};

/// How to measure.
#[derive(Debug)]
pub struct Options {
    size: u64,
    runs: u32,
}

impl Options {
    /// From the command line.
    pub fn parse(mut arguments: lexopt::Parser) -> Result<Options, Failure> {
        use lexopt::prelude::*;
        let mut options = Options { size: 1 << 30, runs: 3 };
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("size") => options.size = gen_log::size(&arguments.value()?.string()?)?,
                Long("runs") => options.runs = arguments.value()?.parse()?,
                other => return Err(other.unexpected().into()),
            }
        }
        options.runs = options.runs.max(1);
        Ok(options)
    }
}

/// What one program needed, at best.
struct Figure {
    name: &'static str,
    wall: Duration,
    peak_bytes: u64,
}

/// Measures and prints a table.
pub fn bench(options: Options) -> Result<(), Failure> {
    let binary = deliver::binary()?;
    need_ripgrep()?;
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let log = folder.join("log");
    let made = gen_log::gen_log(&gen_log::Options::single_file(log.clone(), options.size))?;
    eprintln!("measuring, {} runs each", options.runs);

    let report = folder.join("mem_report");
    let grep =
        ["-j1", "-c", "-e", "IMAS", "-e", "MallocMemory", "-e", "svm_mem_stats_show", "-e", "KernelTrace"];
    let figures = [
        best("wc -l", options.runs, || {
            let mut command = Command::new("wc");
            command.arg("-l").arg(&log);
            command
        })?,
        best("ripgrep", options.runs, || {
            let mut command = Command::new("rg");
            command.args(grep).arg(&log);
            command
        })?,
        best("gemlens report", options.runs, || {
            let mut command = Command::new(&binary);
            command.arg("report").arg("-o").arg(&report).arg(&log);
            command
        })?,
    ];

    println!("{} bytes, {} lines, {} of interest\n", made.bytes, made.lines, made.of_interest);
    println!("| program | wall | MB/s | × ripgrep | × wc -l | peak memory |");
    println!("|---|---|---|---|---|---|");
    let [wc, ripgrep, _] = &figures;
    for figure in &figures {
        let seconds = figure.wall.as_secs_f64();
        println!(
            "| {} | {seconds:.2} s | {:.0} | {:.2} | {:.2} | {:.0} MB |",
            figure.name,
            made.bytes as f64 / 1e6 / seconds,
            seconds / ripgrep.wall.as_secs_f64(),
            seconds / wc.wall.as_secs_f64(),
            figure.peak_bytes as f64 / 1e6,
        );
    }
    fs::remove_file(&log)?;
    Ok(())
}

fn best(name: &'static str, runs: u32, make: impl Fn() -> Command) -> Result<Figure, Failure> {
    let mut best = Figure { name, wall: Duration::MAX, peak_bytes: 0 };
    for _ in 0..runs {
        let mut command = on_one_core(&make());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn()?;
        let peak_bytes = watch(&mut child)?;
        best.wall = best.wall.min(start.elapsed());
        best.peak_bytes = best.peak_bytes.max(peak_bytes);
        if !child.wait()?.success() {
            return Err(Failure(format!("{name} failed")));
        }
    }
    Ok(best)
}

/// The same command, kept on one core where the machine has `taskset`.
fn on_one_core(command: &Command) -> Command {
    if !is_on_path("taskset") {
        let mut same = Command::new(command.get_program());
        same.args(command.get_args());
        return same;
    }
    let mut pinned = Command::new("taskset");
    pinned.args(["--cpu-list", "0"]).arg(command.get_program()).args(command.get_args());
    pinned
}

/// Waits for the end; the high-water mark of resident memory seen until then.
fn watch(child: &mut Child) -> Result<u64, Failure> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        if let Ok(text) = fs::read_to_string(&status) {
            let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = mark.and_then(|mark| mark.split_whitespace().next()?.parse::<u64>().ok());
            peak = kib.map_or(peak, |kib| peak.max(kib * 1024));
        }
        sleep(Duration::from_millis(2));
    }
    Ok(peak)
}

fn need_ripgrep() -> Result<(), Failure> {
    if is_on_path("rg") {
        return Ok(());
    }
    let missing = "ripgrep (rg) is needed for the comparison: install it with your package manager";
    if !is_on_path("apt-get") {
        return Err(Failure(String::from(missing)));
    }
    run(&mut program("apt-get", &["-qq", "update"]))
        .and_then(|()| run(&mut program("apt-get", &["-qq", "install", "--yes", "ripgrep"])))
        .map_err(|failure| Failure(format!("{missing} ({failure})")))
}
