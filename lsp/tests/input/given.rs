//! Inputs that come from no path, as in a browser: read, and read again for the lines behind a finding.

use std::io::{self, Cursor};

use gemlens::input::{Given, Limits, Reopen, Seekable, SourceInfo, Verdict, Visitor, walk_given};
use gemlens_core::span::{SourceId, Span};

use crate::support::{LINE, Recorder, gz, names, said, tar, zip};

struct Held(Vec<u8>);

impl Reopen for Held {
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(Cursor::new(self.0.as_slice())))
    }
}

fn given<'a>(name: &str, bytes: &'a Held) -> Given<'a> {
    Given { name: name.to_owned(), named: true, size_bytes: bytes.0.len() as u64, bytes }
}

#[test]
fn files_and_archives_are_read_and_read_again() {
    let second = LINE.replace("[IMAS]x", "[IMAS]second");
    let plain = Held(LINE.as_bytes().to_vec());
    let packed = Held(gz(&tar(&[
        ("log/debug/plog/a.log", LINE.as_bytes()),
        ("log/debug/plog/b.log", second.as_bytes()),
    ])));
    let zipped = Held(zip(&[("plog-1.log", second.as_bytes())]));
    let inputs = [given("plain.log", &plain), given("log.tar.gz", &packed), given("logs.zip", &zipped)];
    let mut recorder = Recorder::default();
    let survey = walk_given(&inputs, &Limits::default(), &mut recorder);
    assert_eq!(
        names(&recorder.got),
        [
            "plain.log",
            "log.tar.gz!/log/debug/plog/a.log",
            "log.tar.gz!/log/debug/plog/b.log",
            "logs.zip!/plog-1.log"
        ]
    );
    let spans: Vec<Span> = (0..4)
        .map(|source| Span { source: SourceId(source), line: 1, start: 0, len: LINE.len() as u32 - 1 })
        .collect();
    let fetched = survey.fetch_given(&spans, &Limits::default(), &inputs);
    let expected = [LINE, LINE, &second, &second];
    for (bytes, line) in fetched.iter().zip(expected) {
        assert_eq!(bytes.as_deref(), line.as_bytes().get(..LINE.len() - 1));
    }
    assert_eq!(survey.fetch_given(&spans, &Limits::default(), &[]), vec![None; 4]);
    let total: u64 = inputs.iter().map(|input| input.size_bytes).sum();
    assert_eq!(recorder.progress.last(), Some(&(total, Some(total))));
}

#[test]
fn an_input_without_anything_usable_is_named() {
    let picture = Held(vec![0x89, b'P', b'N', b'G', 0, 0, 1, 2]);
    let survey = walk_given(&[given("x.png", &picture)], &Limits::default(), &mut Recorder::default());
    assert_eq!(survey.problems.len(), 1, "{:?}", said(&survey));
}

struct Stops;

impl Visitor for Stops {
    fn begin(&mut self, _source: &SourceInfo) -> Verdict {
        Verdict::Stop
    }

    fn chunk(&mut self, _bytes: &[u8]) -> Verdict {
        Verdict::Stop
    }

    fn end(&mut self, _whole: bool) {}
}

#[test]
fn a_visitor_can_stop_the_walk() {
    let plain = Held(LINE.as_bytes().to_vec());
    let survey = walk_given(&[given("a.log", &plain)], &Limits::default(), &mut Stops);
    assert!(survey.sources.is_empty() && survey.problems.is_empty());
}
