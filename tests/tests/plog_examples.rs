//! Golden lines of every kind: `tests/data/plog-examples.jsonl` against the templates.

use std::collections::BTreeMap;

use gemlens_core::plog::kinds::{self, Matcher};
use gemlens_core::plog::pattern::{Fit, Pattern, Scratch};
use gemlens_core::plog::value::{Field, Value};
use regex::bytes::Regex;
use serde_json::Value as Json;

/// One golden line.
struct Example {
    kind: String,
    line: String,
    fields: BTreeMap<String, Json>,
}

fn examples() -> Vec<Example> {
    include_str!("../data/plog-examples.jsonl")
        .lines()
        .map(|line| {
            let json: Json = serde_json::from_str(line).expect("golden line");
            let text = |key: &str| json[key].as_str().expect("text").to_owned();
            let fields = json["fields"].as_object().expect("fields");
            Example {
                kind: text("kind"),
                line: text("line"),
                fields: fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
            }
        })
        .filter(|example| !example.kind.starts_with("hdr.") && !example.kind.starts_with("loc."))
        .collect()
}

/// Takes the header and the location part off a line (plog grammar 1.2).
struct Split {
    header: Regex,
    locations: Vec<Regex>,
}

impl Split {
    fn new() -> Split {
        let location = |text: &str| Regex::new(&format!("^(?:{text})(?<msg>(?s-u:.*))$")).expect("location");
        Split {
            header: Regex::new(
                r"^\[(?:[A-Z]+|-?\d+)\] (?<module>[A-Z0-9_]+)\(-?\d+,.*?\):\S+ (?:\[status:[A-Z]+\] )?(?<rest>(?s-u:.*))$",
            )
            .expect("header"),
            locations: [
                r"\[[^\]:]+:\d+\]\[ascend\]\[curpid:-?\d+,-?\d+\]\[drv\]\[[^\]]*\]\[[^\]]*\]",
                r"\[ascend\]\[curpid: ?-?\d+, ?-?\d+\]\[drv\]\[[^\]]*\]\[\S+ \d+\]",
                r"\[[^\]:]+:\d+\] \[\d+\]",
                r"\[[^\]:]+:\d+\]\[[^\]]*\]\[tid:\d+\] ?",
                r"\[[^\]:]+:\d+\]\(tid:\d+\) ",
                r"\[[^\]:]+:\d+\]\d+ \[[a-z_]*allocator_\d+\] [A-Za-z0-9_~]+:(?: ErrorNo: -?\d+\([^)]*\))?",
                r"\[[^\]:]+:\d+\](?:\[status:[A-Z]+\])? ?\d+ (?:[A-Za-z0-9_~]+::)*[A-Za-z0-9_~()]+:(?: ErrorNo: -?\d+\([^)]*\) ?)? ?",
                r"\[[^\]:]+:\d+\]",
            ]
            .map(location)
            .into(),
        }
    }

    /// The module and the message; a line without a header is all message.
    fn split<'l>(&self, line: &'l [u8]) -> (Option<&'l [u8]>, &'l [u8]) {
        let part = |captures: &regex::bytes::Captures<'l>, name| captures.name(name).map(|m| m.as_bytes());
        let Some(header) = self.header.captures(line) else { return (None, line) };
        let rest = part(&header, "rest").unwrap_or(line);
        let location = self.locations.iter().find_map(|l| l.captures(rest));
        (part(&header, "module"), location.and_then(|l| part(&l, "msg")).unwrap_or(rest))
    }
}

fn same(value: Value<'_>, json: &Json) -> bool {
    match (value, json) {
        (Value::Text(text) | Value::Address(_, text), Json::String(s)) => text == s.as_bytes(),
        (Value::Decimal(d), Json::Number(n)) => n.as_f64() == Some(d),
        (value, Json::Number(n)) => {
            (n.is_u64() && value.as_u64() == n.as_u64()) || (n.is_i64() && value.as_i64() == n.as_i64())
        }
        _ => false,
    }
}

fn shown(value: Value<'_>) -> String {
    match value {
        Value::Text(text) | Value::Address(_, text) => String::from_utf8_lossy(text).into_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_example_is_read_whole_with_all_its_fields() {
    let examples = examples();
    let (split, matcher) = (Split::new(), Matcher::new());
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    let mut wrong = Vec::new();
    for example in &examples {
        let (module, message) = split.split(example.line.as_bytes());
        let Some(found) = matcher.find(module, message, &mut fields, &mut scratch) else {
            wrong.push(format!("{}: not found: {}", example.kind, example.line));
            continue;
        };
        if found.kind.id != example.kind || found.fit != Fit::Whole {
            wrong
                .push(format!("{}: found {} {:?}: {}", example.kind, found.kind.id, found.fit, example.line));
            continue;
        }
        let read: BTreeMap<&str, Value<'_>> = fields.iter().map(|f| (f.name, f.value)).collect();
        if read.len() != fields.len() {
            wrong.push(format!("{}: a field twice: {}", example.kind, example.line));
        }
        for (name, json) in &example.fields {
            match read.get(name.as_str()) {
                Some(value) if same(*value, json) => {}
                Some(value) => {
                    wrong.push(format!("{}: {name} is {}, not {json}", example.kind, shown(*value)));
                }
                None => wrong.push(format!("{}: {name} is missing: {}", example.kind, example.line)),
            }
        }
        for Field { name, value } in &fields {
            if !example.fields.contains_key(*name) {
                wrong.push(format!("{}: {name}={} is too much", example.kind, shown(*value)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_example_fits_two_kinds() {
    let examples = examples();
    let split = Split::new();
    let patterns: Vec<(&kinds::Kind, Pattern)> = kinds::all()
        .flat_map(|kind| kind.templates.iter().map(move |t| (kind, Pattern::new(t).expect("template"))))
        .collect();
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    for example in &examples {
        let (module, message) = split.split(example.line.as_bytes());
        let message = message.strip_prefix(b"[INIT][DEFAULT]").unwrap_or(message);
        let mut fitting: Vec<&str> = patterns
            .iter()
            .filter(|(kind, _)| module.is_none() == kind.id.starts_with("console."))
            .filter(|(_, p)| p.fit(message.trim_ascii_start(), &mut fields, &mut scratch) == Fit::Whole)
            .map(|(kind, _)| kind.id)
            .collect();
        fitting.dedup();
        assert_eq!(fitting, [example.kind.as_str()], "{}", example.line);
    }
}

#[test]
fn every_kind_has_an_example() {
    let examples = examples();
    for kind in kinds::all() {
        assert!(examples.iter().any(|e| e.kind == kind.id), "{} has no example", kind.id);
    }
}

#[test]
fn a_long_example_is_never_another_kind_wherever_it_is_cut() {
    let examples = examples();
    let (split, matcher) = (Split::new(), Matcher::new());
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    for example in &examples {
        let (module, message) = split.split(example.line.as_bytes());
        for end in 120..message.len() {
            let found = matcher.find(module, &message[..end], &mut fields, &mut scratch);
            let Some(found) = found else { continue };
            if found.kind.id == "kt.launch.other" {
                continue; // A torn word of hexadecimal letters looks like a torn dump.
            }
            assert_eq!(found.kind.id, example.kind, "{end}: {}", example.line);
            for field in &fields {
                let known = example.fields.contains_key(field.name) || field.name == "tail";
                assert!(known, "{end}: {}: {}", field.name, example.line);
            }
        }
    }
}
