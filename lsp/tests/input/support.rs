//! A visitor that keeps what it gets, and archives made in memory.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use gemlens::input::{Kind, Limits, Problem, SourceInfo, Survey, Verdict, Visitor, walk_stream};
use zip::write::SimpleFileOptions;

pub const LINE: &str = "[INFO] GE(41876,python3):2026-08-21-10:04:07.000.137 [a.cc:7]1 F:[IMAS]x\n";

#[derive(Debug, PartialEq)]
pub struct Got {
    pub name: String,
    pub root: String,
    pub kind: Kind,
    pub bytes: Vec<u8>,
    pub whole: bool,
}

#[derive(Default)]
pub struct Recorder {
    pub got: Vec<Got>,
    pub progress: Vec<(u64, Option<u64>)>,
}

impl Visitor for Recorder {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        assert_eq!(source.id.0 as usize, self.got.len());
        self.got.push(Got {
            name: source.name.clone(),
            root: source.root.clone(),
            kind: source.kind,
            bytes: Vec::new(),
            whole: false,
        });
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.got.last_mut().unwrap().bytes.extend_from_slice(bytes);
        Verdict::Read
    }

    fn end(&mut self, whole: bool) {
        self.got.last_mut().unwrap().whole = whole;
    }

    fn progress(&mut self, read_bytes: u64, total_bytes: Option<u64>) {
        self.progress.push((read_bytes, total_bytes));
    }
}

/// Walks over bytes as the named input `x`.
pub fn read(bytes: &[u8], limits: &Limits) -> (Vec<Got>, Survey) {
    let mut recorder = Recorder::default();
    let survey = walk_stream("x", bytes, limits, &mut recorder);
    (recorder.got, survey)
}

pub fn names(got: &[Got]) -> Vec<&str> {
    got.iter().map(|got| got.name.as_str()).collect()
}

pub fn said(survey: &Survey) -> Vec<String> {
    survey.problems.iter().map(Problem::english).collect()
}

pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tar whose names are taken as they are, also bad ones.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        builder.append(&tar_header(name, bytes.len() as u64), *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

pub fn tar_header(name: &str, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    header
}

pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
