//! Helpers that several suites share: where the data is and how a table of it is read.

pub mod fuzz;
pub mod oracle;
pub mod repository;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The data that the repository ships.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The full sets, where they are beside the checkout or where `GEMLENS_SHARED` says.
///
/// Says on stderr when they are absent, so that a count of tests can't be misread.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("GEMLENS_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"));
    let folder = root.join(part);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("the full set `{part}` is not here: only the shipped subset was tried");
    None
}

/// The content of a file, unpacked if its name ends in `.gz`.
pub fn content(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_some_and(|e| e == "gz") {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_end(&mut unpacked)
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return unpacked;
    }
    bytes
}

/// All files below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// A tab-separated table with a header line.
pub struct Tsv {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Tsv {
    /// Reads a table.
    pub fn read(path: &Path) -> Tsv {
        let text = String::from_utf8_lossy(&content(path)).into_owned();
        let mut lines = text.lines().map(|line| line.split('\t').map(String::from).collect::<Vec<_>>());
        let columns = lines.next().unwrap_or_default().into_iter().enumerate().map(|(n, c)| (c, n)).collect();
        Tsv { columns, rows: lines.collect() }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }
}

/// One row of a table.
#[derive(Clone, Copy)]
pub struct Row<'t> {
    columns: &'t HashMap<String, usize>,
    cells: &'t [String],
}

impl<'t> Row<'t> {
    /// The cell of a column; empty where there is none.
    pub fn get(&self, column: &str) -> &'t str {
        self.columns.get(column).and_then(|&n| self.cells.get(n)).map_or("", String::as_str)
    }
}
