//! Golden lines of every kind: `tests/data/plog-examples.jsonl` against the templates.

use std::collections::BTreeMap;

use gemlens_core::plog::header::{self, Header};
use gemlens_core::plog::kinds::{self, Matcher};
use gemlens_core::plog::pattern::{Fit, Pattern, Scratch};
use gemlens_core::plog::value::{Field, Value};
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
        .collect()
}

/// The examples of message kinds; the others are about what stands in front of a message.
fn messages() -> Vec<Example> {
    examples().into_iter().filter(|example| !is_front(&example.kind)).collect()
}

fn is_front(kind: &str) -> bool {
    kind.starts_with("hdr.") || kind.starts_with("loc.")
}

/// The header and the message; a line without a header is all message.
fn split(line: &[u8]) -> (Option<Header<'_>>, &[u8]) {
    match header::parse(line) {
        Some((header, message)) => (Some(header), message),
        None => (None, line),
    }
}

fn same(value: Value<'_>, json: &Json) -> bool {
    match (value, json) {
        (Value::Text(text) | Value::Address(_, text), Json::String(s)) => text == s.as_bytes(),
        (Value::Address(..), Json::Number(_)) => false,
        (Value::Decimal(d), Json::Number(n)) => n.as_f64() == Some(d),
        (value, Json::Number(n)) => {
            (n.is_u64() && value.as_u64() == n.as_u64()) || (n.is_i64() && value.as_i64() == n.as_i64())
        }
        _ => false,
    }
}

fn shown(value: Value<'_>) -> String {
    match value {
        Value::Text(text) | Value::Address(_, text) | Value::DecimalAddress(_, text) => {
            String::from_utf8_lossy(text).into_owned()
        }
        other => format!("{other:?}"),
    }
}

/// Notes every difference between the fields read and those of the example.
fn compare(example: &Example, fields: &[Field<'_>], wrong: &mut Vec<String>) {
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
    for Field { name, value } in fields {
        if !example.fields.contains_key(*name) {
            wrong.push(format!("{}: {name}={} is too much", example.kind, shown(*value)));
        }
    }
}

#[test]
fn every_front_of_a_line_is_read_with_all_its_fields() {
    let mut wrong = Vec::new();
    let examples = examples();
    for example in examples.iter().filter(|example| is_front(&example.kind)) {
        let line = example.line.as_bytes();
        let fields = match header::parse(line) {
            Some((header, message)) => {
                let mut fields = header.fields();
                fields.push(Field { name: "msg", value: Value::Text(message) });
                fields
            }
            None => vec![Field { name: "text", value: Value::Text(line) }],
        };
        compare(example, &fields, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_example_is_read_whole_with_all_its_fields() {
    let examples = messages();
    let matcher = Matcher::new();
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    let mut wrong = Vec::new();
    for example in &examples {
        let (header, message) = split(example.line.as_bytes());
        let Some(found) = matcher.find(header.as_ref(), message, &mut fields, &mut scratch) else {
            wrong.push(format!("{}: not found: {}", example.kind, example.line));
            continue;
        };
        if found.kind.id != example.kind || found.fit != Fit::Whole {
            wrong
                .push(format!("{}: found {} {:?}: {}", example.kind, found.kind.id, found.fit, example.line));
            continue;
        }
        compare(example, &fields, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_example_fits_two_kinds() {
    let examples = messages();
    let patterns: Vec<(&kinds::Kind, Pattern)> = kinds::all()
        .flat_map(|kind| kind.templates.iter().map(move |t| (kind, Pattern::new(t).expect("template"))))
        .collect();
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    for example in &examples {
        let (header, message) = split(example.line.as_bytes());
        let message = message.strip_prefix(b"[INIT][DEFAULT]").unwrap_or(message);
        let mut fitting: Vec<&str> = patterns
            .iter()
            .filter(|(kind, _)| header.is_none() == kind.id.starts_with("console."))
            .filter(|(_, p)| p.fit(message.trim_ascii_start(), &mut fields, &mut scratch) == Fit::Whole)
            .map(|(kind, _)| kind.id)
            .collect();
        fitting.dedup();
        assert_eq!(fitting, [example.kind.as_str()], "{}", example.line);
    }
}

#[test]
fn every_kind_has_an_example() {
    let examples = messages();
    for kind in kinds::all() {
        assert!(examples.iter().any(|e| e.kind == kind.id), "{} has no example", kind.id);
    }
}

#[test]
fn a_long_example_is_never_another_kind_wherever_it_is_cut() {
    let examples = messages();
    let matcher = Matcher::new();
    let (mut fields, mut scratch) = (Vec::new(), Scratch::default());
    for example in &examples {
        let (header, message) = split(example.line.as_bytes());
        for end in 120..message.len() {
            let found = matcher.find(header.as_ref(), &message[..end], &mut fields, &mut scratch);
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
