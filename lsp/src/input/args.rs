//! From path arguments to the list of files to open.
//!
//! Looks at names and folders only; no file is opened here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::names;
use super::survey::{SkipReason, Survey};
use super::trouble::Trouble;

/// One argument that names inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathArg {
    /// Standard input, written `-`.
    Stdin,
    /// A file, a folder, or a pattern with `*`, `?`, `[..]` or `**`.
    Path(PathBuf),
}

impl From<OsString> for PathArg {
    fn from(arg: OsString) -> Self {
        if arg == OsStr::new("-") { PathArg::Stdin } else { PathArg::Path(arg.into()) }
    }
}

impl From<&str> for PathArg {
    fn from(arg: &str) -> Self {
        OsString::from(arg).into()
    }
}

impl From<PathBuf> for PathArg {
    fn from(path: PathBuf) -> Self {
        path.into_os_string().into()
    }
}

/// What is to be opened, in order.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    /// For each argument, whether something was already said or skipped for it.
    pub(super) settled: Vec<bool>,
}

/// One thing to open.
#[derive(Debug)]
pub(super) struct Item {
    /// `None` is standard input.
    pub(super) path: Option<PathBuf>,
    /// Whether the user named this file itself.
    pub(super) named: bool,
    /// Its size on disk, 0 where it has none.
    pub(super) size_bytes: u64,
    /// The argument it comes from.
    pub(super) arg: usize,
}

impl Plan {
    /// Bytes on disk, or none where standard input takes part.
    pub(super) fn total_bytes(&self) -> Option<u64> {
        self.items.iter().map(|item| item.path.as_ref().map(|_| item.size_bytes)).sum()
    }
}

/// Expands the arguments; what can't be is noted in `survey`.
pub(super) fn plan(args: &[PathArg], survey: &mut Survey) -> Plan {
    let mut planner = Planner { plan: Plan::default(), seen: BTreeMap::new(), survey };
    for (arg, path) in args.iter().enumerate() {
        let before = planner.said();
        match path {
            PathArg::Stdin => planner.stdin(arg),
            PathArg::Path(path) if path.exists() => planner.path(path, arg),
            PathArg::Path(path) => planner.pattern(path, arg),
        }
        let settled = planner.said() != before;
        planner.plan.settled.push(settled);
    }
    planner.plan
}

struct Planner<'s> {
    plan: Plan,
    /// Real path of each planned file, and its place in the plan.
    seen: BTreeMap<PathBuf, usize>,
    survey: &'s mut Survey,
}

impl Planner<'_> {
    /// Troubles noted and duplicates met so far.
    fn said(&self) -> (usize, u64) {
        let duplicates = self.survey.skipped.get(&SkipReason::Duplicate).map_or(0, |skips| skips.count);
        (self.survey.problems.len(), duplicates)
    }

    fn stdin(&mut self, arg: usize) {
        if self.plan.items.iter().any(|item| item.path.is_none()) {
            self.survey.skip(SkipReason::Duplicate, "-");
        } else {
            self.plan.items.push(Item { path: None, named: true, size_bytes: 0, arg });
        }
    }

    fn pattern(&mut self, path: &Path, arg: usize) {
        let shown = names::path(path);
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
        let Some(pattern) = pattern else { return self.survey.note(&shown, Trouble::NotFound) };
        let matches = match glob::glob(pattern) {
            Ok(matches) => matches,
            Err(error) => return self.survey.note(&shown, Trouble::BadPattern(error.msg.to_owned())),
        };
        let mut any = false;
        for found in matches {
            any = true;
            match found {
                Ok(path) => self.path(&path, arg),
                Err(error) => {
                    let name = names::path(error.path());
                    self.survey.note(&name, Trouble::Io(error.error().to_string()));
                }
            }
        }
        if !any {
            self.survey.note(&shown, Trouble::NoMatch);
        }
    }

    fn path(&mut self, path: &Path, arg: usize) {
        if path.is_dir() {
            self.folder(path, arg);
        } else {
            let size_bytes = fs::metadata(path).map_or(0, |meta| meta.len());
            self.file(path, true, size_bytes, arg);
        }
    }

    fn folder(&mut self, folder: &Path, arg: usize) {
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.loop_ancestor().is_some() => {
                    let name = error.path().map(names::path).unwrap_or_default();
                    self.survey.skip(SkipReason::Duplicate, &name);
                    continue;
                }
                Err(error) => {
                    let path = error.path().unwrap_or(folder);
                    let is_dead_link = path.is_symlink();
                    let name = names::path(path);
                    if is_dead_link {
                        self.survey.skip(SkipReason::NoPlainFile, &name);
                    } else {
                        let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                        self.survey.note(&name, Trouble::Io(why));
                    }
                    continue;
                }
            };
            let kind = entry.file_type();
            if kind.is_file() {
                let size_bytes = entry.metadata().map_or(0, |meta| meta.len());
                self.file(entry.path(), false, size_bytes, arg);
            } else if !kind.is_dir() {
                self.survey.skip(SkipReason::NoPlainFile, &names::path(entry.path()));
            }
        }
    }

    /// A file reached twice is read once; that the user named it himself counts whenever it happens.
    fn file(&mut self, path: &Path, named: bool, size_bytes: u64, arg: usize) {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(item) = self.seen.get(&real).and_then(|at| self.plan.items.get_mut(*at)) {
            item.named |= named;
            self.survey.skip(SkipReason::Duplicate, &names::path(path));
            return;
        }
        self.seen.insert(real, self.plan.items.len());
        self.plan.items.push(Item { path: Some(path.to_owned()), named, size_bytes, arg });
    }
}
