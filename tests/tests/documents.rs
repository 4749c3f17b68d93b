//! Documents stay true: links lead somewhere, the two READMEs say the same, commands exist.

use gemlens_tests::repository::{file, files_with, root};

#[test]
fn every_link_to_a_file_leads_somewhere() {
    let mut dead = Vec::new();
    for document in files_with(".md") {
        let folder = document.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, line) in prose(&document.text) {
            for target in links(line) {
                let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
                let place = root().join(folder).join(path);
                let text = if path.is_empty() { Some(document.text.clone()) } else { None };
                let text = text.or_else(|| std::fs::read_to_string(&place).ok());
                let heading = fragment.is_empty()
                    || text.is_some_and(|text| headings(&text).any(|(_, title)| anchor(title) == fragment));
                if !(path.is_empty() || place.exists()) || !heading {
                    dead.push(format!("{}:{number}: {target}", document.path));
                }
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n  {}", dead.join("\n  "));
}

#[test]
fn the_two_readmes_are_alike() {
    let (english, chinese) = (file("README.md"), file("README.zh-CN.md"));
    let levels = |text: &str| headings(text).map(|(level, _)| level).collect::<Vec<_>>();
    assert_eq!(levels(&english), levels(&chinese), "levels of the headings");
    let blocks = |text: &str| code_lines(text).map(without_remark).collect::<Vec<_>>();
    assert_eq!(blocks(&english), blocks(&chinese), "code blocks");
    let targets = |text: &str| {
        let of_line = |(_, line)| links(line).map(|link| link.replace(".zh-CN", "")).collect::<Vec<_>>();
        let mut all: Vec<String> = prose(text).flat_map(of_line).collect();
        all.sort();
        all
    };
    assert_eq!(targets(&english), targets(&chinese), "links");
}

#[test]
fn every_task_named_in_a_document_exists() {
    let listed = file("xtask/src/main.rs");
    for document in files_with(".md") {
        for (number, line) in document.text.lines().enumerate() {
            for (at, found) in line.match_indices("cargo xtask ") {
                let rest = &line[at + found.len()..];
                let name: &str =
                    rest.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().unwrap_or("");
                let exists = name.is_empty() || listed.contains(&format!("\n  {name} "));
                assert!(exists, "{}:{}: cargo xtask {name}", document.path, number + 1);
            }
        }
    }
}

#[test]
fn every_verb_named_in_the_readme_is_documented() {
    let manual = file("docs/cli.md");
    let readme = file("README.md");
    let mut count = 0;
    for line in code_lines(&readme) {
        let Some(verb) = line.strip_prefix("gemlens ").and_then(|rest| rest.split_whitespace().next()) else {
            continue;
        };
        assert!(manual.contains(&format!("\n### `gemlens {verb}")), "docs/cli.md has no chapter on {verb}");
        count += 1;
    }
    assert!(count >= 3, "the README shows {count} commands");
}

/// Lines outside of fenced code, with their numbers.
fn prose(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    markdown.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        (!inside && !fence).then_some((number + 1, line))
    })
}

/// Lines inside of fenced code.
fn code_lines(markdown: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    markdown.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        inside && !fence
    })
}

/// A code line without its remark, which is translated.
fn without_remark(line: &str) -> String {
    String::from(line.split(" #").next().unwrap_or(line).trim_end())
}

/// Targets of links to files of the repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', ' ']).next()?;
        let elsewhere = target.contains("://") || target.starts_with("mailto:") || target.is_empty();
        (!elsewhere).then_some(target)
    })
}

/// Level and title of every heading.
fn headings(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(markdown).filter_map(|(_, line)| {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let title = line[level..].strip_prefix(' ')?;
        (level > 0).then_some((level, title.trim()))
    })
}

/// The fragment by which a heading is linked.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
