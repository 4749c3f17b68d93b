//! Every dependency is under a permissive licence. `deny.toml` has the same list for `cargo deny`.

use std::process::Command;

use gemlens_tests::repository::{file, root};

/// Licences that let a product be used, changed and sold.
const PERMISSIVE: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "CC0-1.0",
    "BSL-1.0",
    "Unicode-3.0",
];

#[test]
fn every_dependency_is_permissive() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("cargo metadata: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(packages.len() > 3, "cargo metadata lists {} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_permissive(licence), "{name} is under {licence:?}");
    }
}

#[test]
fn cargo_deny_holds_the_same_list() {
    let deny = file("deny.toml");
    let list = deny.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']'));
    let list: Vec<&str> = list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2).collect();
    assert_eq!(list, PERMISSIVE);
}

#[test]
fn expressions_are_read_with_their_operators() {
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-2.0) AND BSD-3-Clause",
        "Apache-2.0 WITH LLVM-exception OR MIT",
    ] {
        assert!(is_permissive(good), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-2.0 OR LGPL-2.1) AND MIT", "MPL-2.0", "(MIT"] {
        assert!(!is_permissive(bad), "{bad}");
    }
}

/// Whether an SPDX expression can be met by permissive licences alone.
fn is_permissive(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words) && words.next().is_none()
}

type Words<'w> = std::iter::Peekable<std::str::SplitWhitespace<'w>>;

fn either(words: &mut Words<'_>) -> bool {
    let mut fine = both(words);
    while words.next_if_eq(&"OR").is_some() {
        fine |= both(words);
    }
    fine
}

fn both(words: &mut Words<'_>) -> bool {
    let mut fine = one(words);
    while words.next_if_eq(&"AND").is_some() {
        fine &= one(words);
    }
    fine
}

fn one(words: &mut Words<'_>) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        return either(words) & (words.next() == Some(")"));
    }
    let exception = words.next_if_eq(&"WITH").and_then(|_| words.next());
    let licence = exception.map_or(String::from(word), |exception| format!("{word} WITH {exception}"));
    PERMISSIVE.contains(&licence.as_str())
}
