//! What a walk over the inputs found: what was read, what was left out and why.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gemlens_core::span::SourceId;

use super::sniff::Kind;
use super::trouble::Trouble;

/// Names kept for each reason to skip.
const SKIP_EXAMPLES: usize = 5;
/// Problems looked back at for an equal one.
const SAME_TROUBLE_WINDOW: usize = 16;

/// One source: a file, a member of an archive, standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceInfo {
    /// Its number: sources that the visitor accepts count up from 0.
    pub id: SourceId,
    /// Its name, such as `log.tar.gz!/log/debug/plog/plog-7_20260821100407001.log`.
    pub name: String,
    /// The root of its log tree (see `log_root`).
    pub root: String,
    /// Bytes it will have, where the file or archive says so.
    pub size_bytes: Option<u64>,
    /// What it looks like.
    pub kind: Kind,
    /// Whether the user named this very file, rather than a folder or archive around it.
    pub named: bool,
    pub(super) place: Place,
}

/// Where the bytes of a source can be had again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Index into `Survey::inputs`.
    pub(super) input: usize,
    /// Which of the sources offered from that input it is.
    pub(super) ordinal: u64,
    /// For a plain file whose bytes pass as they are: offset of the source's first byte in the file.
    pub(super) offset_in_file: Option<u64>,
}

/// One thing opened from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    File {
        path: PathBuf,
        named: bool,
    },
    /// Its place among the inputs given to the walk.
    Given(usize),
    Stream,
}

/// Why a source was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// It holds no byte.
    Empty,
    /// It holds no text.
    Binary,
    /// In a folder or archive: text without a mark of CANN and not named like a log, or a document or
    /// program that only quotes log lines.
    OtherText,
    /// The same file was already taken under another name.
    Duplicate,
    /// A device, pipe, link, or sparse member.
    NoPlainFile,
    /// The visitor did not want it.
    Unwanted,
}

/// Sources skipped for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skips {
    /// How many.
    pub count: u64,
    /// The names of the first few.
    pub first: Vec<String>,
}

/// Something that went wrong or is worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The input or member it is about; the first one where several in a row have the same trouble.
    pub name: String,
    /// What it is.
    pub trouble: Trouble,
    /// How many members of the same archive have it, this one included.
    pub count: u64,
}

impl Problem {
    /// One line in English: name, trouble, and how many more have it.
    pub fn english(&self) -> String {
        let more = match self.count {
            0 | 1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        format!("{}{more}: {}", self.name, self.trouble.english())
    }

    /// The same in Simplified Chinese.
    pub fn chinese(&self) -> String {
        let more = match self.count {
            0 | 1 => String::new(),
            count => format!("（等 {count} 个）"),
        };
        format!("{}{more}：{}", self.name, self.trouble.chinese())
    }
}

/// The outcome of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The sources that were read; a source's number is its index.
    pub sources: Vec<SourceInfo>,
    /// What was left out.
    pub skipped: BTreeMap<SkipReason, Skips>,
    /// What went wrong, in the order it was met.
    pub problems: Vec<Problem>,
    /// Bytes handed to the visitor.
    pub delivered_bytes: u64,
    /// Packed bytes read from outside.
    pub read_bytes: u64,
    pub(super) inputs: Vec<Input>,
}

impl Survey {
    pub(super) fn skip(&mut self, reason: SkipReason, name: &str) {
        let skips = self.skipped.entry(reason).or_default();
        skips.count += 1;
        if skips.first.len() < SKIP_EXAMPLES {
            skips.first.push(name.to_owned());
        }
    }

    /// Notes a trouble; equal ones of one archive, met one after the other, become one problem.
    pub(super) fn note(&mut self, name: &str, trouble: Trouble) {
        let recent = self.problems.iter_mut().rev().take(SAME_TROUBLE_WINDOW);
        if let Some(last) = { recent }.find(|problem| problem.trouble == trouble) {
            let archive = |name: &str| name.rfind("!/").map(|at| name[..at].to_owned());
            if archive(name).is_some() && archive(name) == archive(&last.name) {
                last.count += 1;
                return;
            }
        }
        self.problems.push(Problem { name: name.to_owned(), trouble, count: 1 });
    }
}
