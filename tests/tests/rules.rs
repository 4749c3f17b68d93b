//! The rules: each has a title, a section in `docs/rules.md`, a composed log that shows it and a near miss.
//!
//! Marks in the logs of `tests/data/rules`: `//` a remark, `//- name` the next file, `//? CODE: a | b`
//! a finding that says all of this, `//! CODE` a finding that must not be there.

use std::fmt::Write;

use gemlens_core::check::{self, Evidence, Finding};
use gemlens_core::report::overview;
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::Span;
use gemlens_tests::repository::root;
use gemlens_tests::{content, data, files};

/// One log with its marks.
struct Case {
    name: String,
    sources: Vec<(String, String)>,
    expected: Vec<(String, Vec<String>)>,
    unwanted: Vec<String>,
}

fn cases() -> Vec<Case> {
    files(&data().join("rules")).iter().map(|path| case(path)).collect()
}

fn case(path: &std::path::Path) -> Case {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut case = Case { name, sources: Vec::new(), expected: Vec::new(), unwanted: Vec::new() };
    case.sources.push((String::from("log"), String::new()));
    for line in String::from_utf8_lossy(&content(path)).lines() {
        if let Some(expected) = line.strip_prefix("//? ") {
            let (code, parts) = expected.split_once(": ").expect("a code and parts");
            case.expected.push((code.into(), parts.split(" | ").map(String::from).collect()));
        } else if let Some(code) = line.strip_prefix("//! ") {
            case.unwanted.push(code.into());
        } else if let Some(file) = line.strip_prefix("//- ") {
            case.sources.push((file.into(), String::new()));
        } else if !line.starts_with("// ")
            && let Some((_, text)) = case.sources.last_mut()
        {
            let _ = writeln!(text, "{line}");
        }
    }
    case.sources.retain(|(_, text)| !text.is_empty());
    case
}

fn analyse<'s>(sources: impl Iterator<Item = &'s (String, String)>) -> (Analysis, Vec<Finding>) {
    let mut session = Session::new();
    for (name, text) in sources {
        let source = session.add_source(name, "");
        session.feed(source, text.as_bytes());
    }
    let analysis = session.finish();
    let findings = check::run(&analysis);
    (analysis, findings)
}

fn shown(analysis: &Analysis, findings: &[Finding], lang: Lang) -> Vec<(String, String)> {
    findings.iter().map(|f| (f.rule.code.into(), f.sentence(&analysis.names, lang))).collect()
}

#[test]
fn every_case_says_what_it_must_and_no_more() {
    let mut wrong = String::new();
    for case in cases() {
        let (analysis, findings) = analyse(case.sources.iter());
        let said = shown(&analysis, &findings, Lang::En);
        let mut failed = false;
        for (code, parts) in &case.expected {
            let hit = said.iter().any(|(c, s)| c == code && parts.iter().all(|part| s.contains(part)));
            if !hit {
                let _ = writeln!(wrong, "{}: {code} does not say {parts:?}", case.name);
                failed = true;
            }
        }
        for code in &case.unwanted {
            if said.iter().any(|(c, _)| c == code) {
                let _ = writeln!(wrong, "{}: {code} must not be there", case.name);
                failed = true;
            }
        }
        if failed {
            for (code, sentence) in &said {
                let _ = writeln!(wrong, "    {code} {sentence}");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_has_a_case_and_a_near_miss() {
    let cases = cases();
    for rule in check::rules() {
        let shows = |case: &Case| case.expected.iter().any(|(code, _)| code == rule.code);
        let misses = |case: &Case| case.unwanted.iter().any(|code| code == rule.code);
        let near = format!("{}.near", rule.code);
        assert!(cases.iter().any(|c| c.name == rule.code && shows(c)), "{}: no case", rule.code);
        let has_near = cases.iter().any(|c| c.name == near) && cases.iter().any(misses);
        assert!(has_near, "{}: no near miss", rule.code);
    }
}

#[test]
fn the_order_of_the_files_changes_nothing() {
    for case in cases().into_iter().filter(|case| case.sources.len() > 1) {
        let (analysis, findings) = analyse(case.sources.iter());
        let (back, found) = analyse(case.sources.iter().rev());
        let forwards = shown(&analysis, &findings, Lang::En);
        assert_eq!(shown(&back, &found, Lang::En), forwards, "{}", case.name);
    }
}

#[test]
fn every_finding_has_evidence_and_speaks_both_languages() {
    for case in cases() {
        let (analysis, findings) = analyse(case.sources.iter());
        for finding in &findings {
            assert!(!finding.evidence.is_empty(), "{}: {}", case.name, finding.rule.code);
            for lang in [Lang::En, Lang::Zh] {
                let texts = [finding.sentence(&analysis.names, lang), finding.message.meaning(lang).into()];
                let is_chinese = |text: &String| text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c));
                for text in texts.iter().chain(&finding.message.remedies(lang)) {
                    let right = is_chinese(text) == (lang == Lang::Zh) && !text.is_empty();
                    assert!(right, "{}: {} {lang:?}: {text}", case.name, finding.rule.code);
                }
            }
        }
    }
}

#[test]
fn every_rule_has_a_code_a_name_and_a_title_of_its_own() {
    let rules: Vec<_> = check::rules().collect();
    for (number, rule) in rules.iter().enumerate() {
        for lang in [Lang::En, Lang::Zh] {
            let title = rule.title(lang);
            assert_ne!(title, rule.name, "{}: no title", rule.code);
            let is_chinese = title.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c));
            assert_eq!(is_chinese, lang == Lang::Zh, "{}: {title}", rule.code);
        }
        assert!(
            rules.iter().skip(number + 1).all(|r| r.code != rule.code && r.name != rule.name),
            "{}",
            rule.code
        );
    }
}

#[test]
fn no_finding_is_graver_than_its_rule_says() {
    for case in cases() {
        let (_, findings) = analyse(case.sources.iter());
        for finding in findings {
            assert!(finding.severity >= finding.rule.severity, "{}: {}", case.name, finding.rule.code);
        }
    }
}

/// The page of the rules; `UPDATE=1 cargo test -p gemlens-tests --test rules` writes it.
#[test]
fn the_page_of_the_rules_is_up_to_date() {
    let page = page();
    let path = root().join("docs/rules.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("docs/rules.md can be written");
    }
    let kept = String::from_utf8_lossy(&content(&path)).into_owned();
    assert!(kept == page, "docs/rules.md is out of date: UPDATE=1 cargo test -p gemlens-tests --test rules");
    for rule in check::rules() {
        assert!(page.contains(&format!("\n### {}\n", rule.code)), "{}: no section", rule.code);
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Rules\n\nWritten by a test from the code and the composed logs in `tests/data/rules`; don't edit. `gemlens rules` prints \
         the list.\n\nSeverity is the highest that a rule gives: `error` (something is wrong), `warning` (probably wrong or \
         wasteful),\n`info` (worth knowing, often the answer itself), `hint` (something is missing). What is by design is never a \
         fault.\n\n| code | severity | rule | finds |\n| --- | --- | --- | --- |\n",
    );
    let mut rules: Vec<_> = check::rules().collect();
    rules.sort_by_key(|rule| rule.code);
    for rule in &rules {
        let design = if rule.by_design { ", by design" } else { "" };
        let (code, anchor, severity) = (rule.code, rule.anchor(), rule.severity.key());
        let _ = writeln!(
            page,
            "| [{code}](#{anchor}) | {severity}{design} | {} | {} |",
            rule.name,
            rule.title(Lang::En)
        );
    }
    page.push_str("\n## What each one says\n\nThe example is what the rule says of its composed log.\n");
    let cases = cases();
    for rule in &rules {
        let _ = writeln!(
            page,
            "\n### {}\n\n**{}** {} {}",
            rule.code,
            rule.name,
            rule.title(Lang::En),
            rule.title(Lang::Zh)
        );
        let Some(case) = cases.iter().find(|case| case.name == rule.code) else { continue };
        let (analysis, findings) = analyse(case.sources.iter());
        let Some(finding) = findings.iter().find(|f| f.rule.code == rule.code) else { continue };
        let view = overview::view(&analysis, finding, Lang::En);
        let _ = writeln!(page, "\n> {}\n\n{}\n", view.sentence, view.meaning);
        if let Some(formula) = &view.formula {
            let _ = writeln!(page, "- Formula: `{formula}`");
        }
        for remedy in &view.remedies {
            let _ = writeln!(page, "- {remedy}");
        }
        for evidence in view.evidence.iter().take(2) {
            match evidence {
                Evidence::Absent { text, .. } => {
                    let _ = writeln!(page, "- Evidence: no line with `{text}`");
                }
                Evidence::Line(span) => {
                    let words = words(case, *span);
                    let _ = writeln!(page, "- Evidence: `{}`", words.replace('`', "'"));
                }
            }
        }
    }
    page
}

/// The first line of a record of a composed log.
fn words(case: &Case, span: Span) -> String {
    let text = case.sources.get(span.source.0 as usize).map_or("", |(_, text)| text.as_str());
    let range = usize::try_from(span.start).unwrap_or(0)..usize::try_from(span.end()).unwrap_or(0);
    let words = text.get(range).unwrap_or_default();
    words.lines().next().unwrap_or_default().to_string()
}
