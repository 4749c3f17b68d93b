//! A short run of every fuzz target. `GEMLENS_FUZZ_SECONDS` sets how long each runs (default 3),
//! `GEMLENS_FUZZ_SEED` where it starts (default 1). What a run finds becomes a test of its own.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use gemlens_tests::fuzz::mutate::Mutator;
use gemlens_tests::fuzz::{archives, header, kinds, session, session_in_chunks};
use gemlens_tests::repository::{file, root};

/// An input of a few lines must be done within this time.
const TOO_LONG: Duration = Duration::from_secs(5);

type Target = fn(&[u8]);

/// Chunks of every size that the session target may try.
fn in_all_chunks(bytes: &[u8]) {
    (1..=97).for_each(|size| session_in_chunks(bytes, size));
}

/// What earlier runs found: a folder for each target, a file for each input.
#[test]
fn what_was_found_stays_found() {
    let targets: [(&str, Target); 4] =
        [("header", header), ("kinds", kinds), ("session", in_all_chunks), ("archives", archives)];
    for (name, target) in targets {
        let folder = root().join("tests/data/fuzz").join(name);
        for found in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            println!("{}", found.path().display());
            target(&std::fs::read(found.path()).expect("readable"));
        }
    }
}

#[test]
fn headers() {
    drive(header, &all_lines(), budget());
}

#[test]
fn messages_of_every_family() {
    let families = families();
    let each = budget() / u32::try_from(families.len()).unwrap_or(1);
    for lines in families.values() {
        let messages: Vec<Vec<u8>> = lines
            .iter()
            .map(|line| gemlens_core::plog::header::parse(line).map_or(line.clone(), |(_, m)| m.to_vec()))
            .collect();
        drive(kinds, &messages, each);
    }
}

#[test]
fn sessions() {
    drive(session, &all_lines(), budget());
}

#[test]
fn archives_at_any_depth() {
    let log = all_lines()[..40].join(&b'\n');
    let packed = [gz(&log), tar(&log), zip(&log), gz(&tar(&log)), zip(&gz(&tar(&log))), gz(&tar(&zip(&log)))];
    drive(archives, &packed, budget());
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

fn tar(bytes: &[u8]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for name in ["log/debug/plog/plog-1_2.log", "inner.zip"] {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).expect("in memory");
    }
    builder.into_inner().expect("in memory")
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["log/run/plog/plog-1_2.log", "inner.tar.gz"] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("in memory");
        writer.write_all(bytes).expect("in memory");
    }
    writer.finish().expect("in memory").into_inner()
}

/// Runs the target on new inputs until the time is over; at least a hundred.
fn drive(target: Target, known: &[Vec<u8>], budget: Duration) {
    assert!(!known.is_empty());
    let mut mutator = Mutator::new(number("GEMLENS_FUZZ_SEED", 1));
    let end = Instant::now() + budget;
    let mut count = 0u64;
    while count < 100 || Instant::now() < end {
        let culprit = Culprit(mutator.input(known));
        let start = Instant::now();
        target(&culprit.0);
        assert!(start.elapsed() < TOO_LONG, "took {:?}", start.elapsed());
        count += 1;
    }
    println!("{count} inputs");
}

/// Prints the input when a target panics on it.
struct Culprit(Vec<u8>);

impl Drop for Culprit {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("input: b\"{}\"", self.0.escape_ascii());
        }
    }
}

fn budget() -> Duration {
    Duration::from_secs(number("GEMLENS_FUZZ_SECONDS", 3))
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn all_lines() -> Vec<Vec<u8>> {
    families().into_values().flatten().collect()
}

/// The golden lines by the first part of their kind's name.
fn families() -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut families: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for example in file("tests/data/plog-examples.jsonl").lines() {
        let example: serde_json::Value = serde_json::from_str(example).unwrap_or_default();
        let (Some(kind), Some(line)) = (example["kind"].as_str(), example["line"].as_str()) else { continue };
        let family = kind.split('.').next().unwrap_or(kind);
        families.entry(String::from(family)).or_default().push(line.as_bytes().to_vec());
    }
    families
}
