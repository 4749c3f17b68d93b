//! Who may use whom. An edge that is not in these tables is a decision: change the table in the
//! commit that needs it, and ARCHITECTURE.md with it.

use std::collections::BTreeMap;
use std::fs;

use gemlens_tests::repository::{file, files_with, root, without_unit_tests};

/// What every room may use: numbers, places, names, clocks.
const GROUND: &[&str] = &["digits", "intern", "span", "time", "units"];

/// Rooms of `core/src` and the rooms each may use besides the ground and itself. A room stands
/// behind all it uses, so there are no circles.
const ROOMS: &[(&str, &[&str])] = &[
    ("digits", &[]),
    ("intern", &[]),
    ("span", &[]),
    ("time", &[]),
    ("units", &[]),
    ("model", &[]),
    ("plog::value", &[]),
    ("plog::header", &["plog::value"]),
    ("plog::pattern", &["plog::value"]),
    ("plog::kinds", &["plog::header", "plog::pattern", "plog::value"]),
    ("plog::pieces", &["plog::header", "plog::kinds", "plog::pattern"]),
    ("plog::skim", &["plog::header", "plog::kinds"]),
    (
        "plog::scan",
        &["plog::header", "plog::kinds", "plog::pattern", "plog::pieces", "plog::skim", "plog::value"],
    ),
    ("plog::facts", &["model", "plog::scan"]),
    ("plog::stitch", &["model", "plog::facts", "plog::skim"]),
    ("plog::rounds", &["model", "plog::facts"]),
    ("plog::launches", &["model", "plog::facts"]),
    ("plog::pools", &["model", "plog::facts"]),
    (
        "plog::assemble",
        &["model", "plog::facts", "plog::launches", "plog::pools", "plog::rounds", "plog::stitch"],
    ),
    ("metrics", &["model"]),
    ("graph", &[]),
    ("replay", &["graph", "metrics", "model"]),
    ("resolve", &["metrics", "model"]),
    (
        "session",
        &[
            "graph",
            "model",
            "plog::assemble",
            "plog::facts",
            "plog::header",
            "plog::kinds",
            "plog::scan",
            "plog::skim",
            "plog::stitch",
        ],
    ),
    ("say", &["metrics", "model", "session"]),
    ("check", &["metrics", "model", "resolve", "say", "session"]),
    ("report", &["check", "metrics", "model", "replay", "resolve", "say", "session"]),
];

/// Crates of the workspace and the ones each may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("lsp", &["gemlens-core"]),
    ("tests", &["gemlens", "gemlens-core"]),
    ("wasm", &["gemlens", "gemlens-core"]),
    ("xtask", &[]),
];

#[test]
fn the_rooms_of_the_core_keep_their_borders() {
    let rooms: BTreeMap<_, _> = ROOMS.iter().copied().collect();
    let mut hits = Vec::new();
    for source in files_with(".rs") {
        let Some(path) = source.path.strip_prefix("core/src/").filter(|path| *path != "lib.rs") else {
            continue;
        };
        if path.ends_with("tests.rs") {
            continue;
        }
        let module = module_of(path);
        let Some(room) = room_of(&module) else { continue };
        let Some(allowed) = rooms.get(room.as_str()) else {
            hits.push(format!("{}: {room} is no room of the table", source.path));
            continue;
        };
        for used in uses(without_unit_tests(&source.text), &module) {
            let Some(other) = room_of(&used) else { continue };
            if other != room && !GROUND.contains(&other.as_str()) && !allowed.contains(&other.as_str()) {
                hits.push(format!("{}: {room} must not use {other}", source.path));
            }
        }
    }
    assert!(hits.is_empty(), "borders crossed:\n  {}", hits.join("\n  "));
}

#[test]
fn no_room_uses_one_that_stands_behind_it() {
    for (place, (room, allowed)) in ROOMS.iter().enumerate() {
        for other in *allowed {
            assert!(ROOMS[..place].iter().any(|(earlier, _)| earlier == other), "{room} uses {other}");
        }
    }
}

#[test]
fn crates_depend_inwards_only() {
    for (folder, allowed) in CRATES {
        let manifest = file(&format!("{folder}/Cargo.toml"));
        for line in manifest.lines().filter(|line| line.starts_with("gemlens") || line.starts_with("xtask")) {
            let name = line.split([' ', '.', '=']).next().unwrap_or_default();
            assert!(allowed.contains(&name), "{folder} must not depend on {name}");
        }
    }
}

#[test]
fn every_crate_is_in_the_table() {
    for entry in fs::read_dir(root()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join("Cargo.toml").is_file() {
            assert!(CRATES.iter().any(|(folder, _)| *folder == name), "{name} is no crate of the table");
        }
    }
}

/// `plog/kinds/devmm.rs` → `plog kinds devmm`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').map(String::from).collect()
}

/// The room of a path: its first name, and in `plog` its second. `None` for a path that names no
/// room (`plog` itself only lists its parts).
fn room_of(path: &[String]) -> Option<String> {
    match path {
        [first, second, ..] if first == "plog" => Some(format!("plog::{second}")),
        [first, ..] if first != "plog" => Some(first.clone()),
        _ => None,
    }
}

/// Every path from `crate::` or `super::` in `code`, counted from the crate's root. Of a list in
/// braces, each item's path.
fn uses(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        paths(&code[at + "crate::".len()..], Vec::new(), &mut found);
    }
    for (at, _) in code.match_indices("super::") {
        if code[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &code[at..];
        let mut base = module.to_vec();
        while let Some(behind) = rest.strip_prefix("super::") {
            base.pop();
            rest = behind;
        }
        paths(rest, base, &mut found);
    }
    found
}

/// The paths that start at `text`, behind `base`.
fn paths(text: &str, base: Vec<String>, found: &mut Vec<Vec<String>>) {
    let text = text.trim_start();
    if let Some(list) = text.strip_prefix('{') {
        let mut depth = 0;
        let mut start = 0;
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    paths(&list[start..at], base.clone(), found);
                    start = at + 1;
                    if c == '}' {
                        return;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if end == 0 {
        return;
    }
    let mut path = base;
    path.push(String::from(&text[..end]));
    match text[end..].strip_prefix("::") {
        Some(rest) if path.len() < 2 => paths(rest, path, found),
        _ => found.push(path),
    }
}

#[test]
fn paths_are_read_whatever_their_form() {
    let module = module_of("plog/kinds/devmm.rs");
    let code = "use crate::{model::region::Area, units};\nuse super::Kind;\nuse super::super::value::{Field, Value};\ncrate::plog::{scan::Reading, facts}";
    let found: Vec<String> = uses(code, &module).iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        ["model::region", "units", "plog::scan", "plog::facts", "plog::kinds::Kind", "plog::value"]
    );
}
