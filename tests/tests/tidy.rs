//! Rules that every file keeps. A rule that a linter can hold is not here.

use gemlens_tests::repository::{RepositoryFile, files, files_with, without_unit_tests};

/// Fails with every place that a rule names.
#[track_caller]
fn none(rule: &str, hits: Vec<String>) {
    assert!(hits.is_empty(), "{rule}:\n  {}", hits.join("\n  "));
}

/// Places of lines that `is_hit`, outside of comments.
fn lines<'f>(file: &'f RepositoryFile, text: &'f str, is_hit: impl Fn(&str) -> bool) -> Vec<String> {
    let hit = |(number, line): (usize, &str)| {
        let code = line.trim_start();
        (!code.starts_with("//") && is_hit(code)).then(|| format!("{}:{}: {code}", file.path, number + 1))
    };
    text.lines().enumerate().filter_map(hit).collect()
}

#[test]
fn the_core_has_no_std_and_no_unsafe() {
    let mut hits = Vec::new();
    for file in files_with(".rs").iter().filter(|file| file.path.starts_with("core/src/")) {
        if file.path.ends_with("/tests.rs") {
            continue;
        }
        let code = without_unit_tests(&file.text);
        hits.extend(lines(file, code, |line| has_word(line, "std::") || has_word(line, "extern crate std")));
        hits.extend(lines(file, code, |line| has_word(line, "unsafe ") || has_word(line, "unsafe{")));
    }
    none("core/ is no_std without unsafe", hits);
}

#[test]
fn the_core_never_gives_up() {
    let mut hits = Vec::new();
    for file in files_with(".rs").iter().filter(|file| file.path.starts_with("core/src/")) {
        if file.path.ends_with("/tests.rs") {
            continue;
        }
        let code = without_unit_tests(&file.text);
        let gives_up = [".unwrap()", ".expect(", "panic!(", "unreachable!("];
        hits.extend(lines(file, code, |line| gives_up.iter().any(|word| line.contains(word))));
    }
    none("no input may stop the core", hits);
}

#[test]
fn every_source_file_says_what_it_is() {
    let silent = |file: &RepositoryFile| !file.text.trim_start().starts_with("//!");
    let hits = files_with(".rs").iter().filter(|file| silent(file)).map(|file| file.path.clone()).collect();
    none("a source file starts with //! and what it is", hits);
}

#[test]
fn no_source_file_is_too_long() {
    let sources = files().into_iter().filter(|file| {
        [".rs", ".ts", ".tsx", ".js", ".mjs", ".sh"].iter().any(|ending| file.path.ends_with(ending))
    });
    let long = |file: RepositoryFile| {
        let count = file.text.lines().count();
        (count > 700).then(|| format!("{}: {count} lines", file.path))
    };
    none("over 700 lines: split by subject", sources.filter_map(long).collect());
}

#[test]
fn nothing_is_left_unfinished() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("to", "do!"),
        concat!("unimple", "mented!("),
        concat!("allow(dead", "_code)"),
        concat!("#[ig", "nore]"),
        concat!(".only", "("),
        concat!("@ts-", "ignore"),
    ];
    let mut hits = Vec::new();
    for file in files().iter().filter(|file| is_code(&file.path)) {
        let is_hit = |line: &str| words.iter().any(|word| has_word(line, word));
        let hit = |(number, line): (usize, &str)| {
            is_hit(line).then(|| format!("{}:{}: {}", file.path, number + 1, line.trim()))
        };
        hits.extend(file.text.lines().enumerate().filter_map(hit));
    }
    none("finish it, or file an issue", hits);
}

#[test]
fn no_file_names_a_machine() {
    let words = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/tm", "p/"),
        concat!("/ho", "me/"),
        concat!("crates", ".io"),
        concat!("npmjs", ".org"),
        concat!("npmjs", ".com"),
        concat!("pypi", ".org"),
        concat!("debian", ".org"),
    ];
    let mut hits = Vec::new();
    for file in files() {
        let hit = |(number, line): (usize, &str)| {
            let named = words.iter().any(|word| has_word(line, word));
            named.then(|| format!("{}:{}: {}", file.path, number + 1, line.trim()))
        };
        hits.extend(file.text.lines().enumerate().filter_map(hit));
    }
    none("the repository knows no machine, user or registry host", hits);
}

fn is_code(path: &str) -> bool {
    [".rs", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".sh", ".toml", ".yml", "/run"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// Whether the word stands there and is not the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | ':'))
    })
}
