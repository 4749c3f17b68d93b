//! The repository as the rules of the house see it: its root and the files that people wrote.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours: what tools make, and what version control keeps.
const NOT_OURS: &[&str] = &[".git", "target", "dist", "node_modules", "mem_report", "corpus"];

/// A file of the repository.
#[derive(Clone, Debug)]
pub struct RepositoryFile {
    /// Path from the root, with `/` between folders.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Every text file that people wrote, ordered by path. Shipped data (`tests/data`) and lock files
/// are not among them, nor is a file that is no UTF-8.
pub fn files() -> Vec<RepositoryFile> {
    let root = root();
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let relative = relative(&root, &path);
            if NOT_OURS.iter().any(|not| name.to_string_lossy() == *not) || relative == "tests/data" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if !relative.ends_with(".lock")
                && !relative.ends_with("package-lock.json")
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push(RepositoryFile { path: relative, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The files whose path ends so.
pub fn files_with(ending: &str) -> Vec<RepositoryFile> {
    files().into_iter().filter(|file| file.path.ends_with(ending)).collect()
}

/// One file by its path from the root.
///
/// # Panics
/// Where there is no such text file.
pub fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The part of a source file in front of its unit tests.
pub fn without_unit_tests(source: &str) -> &str {
    source.find("#[cfg(test)]\nmod ").map_or(source, |at| &source[..at])
}

fn relative(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}
