//! The JSON form: every name in it is in its page, and its numbers are those of the tables.

use gemlens_core::check;
use gemlens_core::report::{Query, json};
use gemlens_core::session::{Analysis, Session};
use gemlens_tests::repository::file;
use gemlens_tests::{content, data, files};
use serde_json::Value;

fn sample(folders: &[&str]) -> Analysis {
    let mut session = Session::new();
    for folder in folders {
        for path in files(&data().join(folder)) {
            if path.to_string_lossy().ends_with(".log.gz") || path.extension().is_some_and(|e| e == "log") {
                let source = session.add_source(&path.display().to_string(), "");
                session.feed(source, &content(&path));
                session.end_source(source);
            }
        }
    }
    session.finish()
}

fn document(analysis: &Analysis) -> Value {
    let findings = check::run(analysis);
    let text = json::analysis(analysis, &findings, &Query::default(), &|_| Some(String::from("the line")));
    serde_json::from_str(&text).expect("well-formed JSON")
}

fn names(value: &Value, take: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                take(name);
                names(value, take);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, take)),
        _ => {}
    }
}

#[test]
fn every_name_is_in_its_page() {
    let page = file("docs/json.md");
    let mut seen = std::collections::BTreeSet::new();
    names(&document(&sample(&["oracle/graphs/mlp_small", "pool", "rules"])), &mut |name| {
        seen.insert(name.to_string());
    });
    assert!(seen.len() > 60, "{}", seen.len());
    for name in seen {
        assert!(page.contains(&format!("`{name}`")) || page.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn the_version_stands_first_and_every_finding_has_evidence() {
    let analysis = sample(&["rules"]);
    let value = document(&analysis);
    assert_eq!(value.as_object().and_then(|o| o.keys().next()).map(String::as_str), Some("gemlens"));
    for process in value["processes"].as_array().expect("processes") {
        for finding in process["findings"].as_array().expect("findings") {
            assert!(!finding["evidence"].as_array().expect("evidence").is_empty(), "{finding}");
        }
    }
}
