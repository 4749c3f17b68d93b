//! How a source is cut into chunks, and whether lines of no interest are passed over or read, never
//! changes what is understood.

use std::fmt::Write as _;

use gemlens_core::plog::kinds::Matcher;
use gemlens_core::plog::scan::{Reading, Scanner};
use gemlens_core::session::Session;
use gemlens_core::span::SourceId;
use gemlens_tests::data;
use proptest::prelude::*;

/// Everything that an analysis holds, as text.
fn picture(chunks: &[&[u8]]) -> String {
    let mut session = Session::new();
    let source = session.add_source("a.log", "");
    for chunk in chunks {
        session.feed(source, chunk);
    }
    let analysis = session.finish();
    let mut text = String::new();
    for source in &analysis.sources {
        let _ = writeln!(text, "{} {} {:?}", source.size, source.line_count, source.lines);
    }
    for process in &analysis.processes {
        let _ = writeln!(text, "{process:?}");
    }
    text
}

/// Golden lines among lines of no interest, wrapped ones, glued ones and other text.
fn mixed() -> Vec<String> {
    let examples = std::fs::read_to_string(data().join("plog-examples.jsonl")).expect("golden lines");
    let plain = "[INFO] GE(41876,python3):2026-08-21-10:04:07.000.137 [model_manager.cc:764]41990 Say:nothing of note";
    let mut lines = Vec::new();
    for (number, line) in examples.lines().enumerate() {
        let example: serde_json::Value = serde_json::from_str(line).expect("a golden line");
        let line = example["line"].as_str().expect("its text").to_string();
        lines.push(match number % 7 {
            0 => format!("path/plog-1.log:{number}:{line}"),
            1 if line.len() > 80 && line.is_char_boundary(70) => format!("{}\n{}", &line[..70], &line[70..]),
            2 => format!("{plain}{line}"),
            3 => format!("{line}\r"),
            _ => line,
        });
        lines.push(plain.to_string());
        lines.push(plain.replace("GE(", "RUNTIME(").replace("07.000.137", "07.900.137"));
        if number % 11 == 0 {
            lines.push(String::from("    a line of another tool: MallocMemory, func="));
        }
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunk_borders_never_change_the_picture(
        sizes in prop::collection::vec(1usize..3000, 1..200),
        from in 0usize..300,
    ) {
        let lines = mixed();
        let text = lines[from.min(lines.len())..].join("\n");
        let whole = picture(&[text.as_bytes()]);
        let mut chunks = Vec::new();
        let mut rest = text.as_bytes();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, behind) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = behind;
        }
        let (cut, whole) = (picture(&chunks), whole);
        let place = cut.bytes().zip(whole.bytes()).position(|(a, b)| a != b).unwrap_or(cut.len().min(whole.len()));
        let near = |text: &str| text.get(place.saturating_sub(60)..(place + 60).min(text.len())).map(String::from);
        prop_assert!(cut == whole, "cut: {:?}\nwhole: {:?}", near(&cut), near(&whole));
    }
}

#[test]
fn passing_over_lines_counts_as_reading_them_does() {
    let text = mixed().join("\n");
    let (mut known, mut unread, mut foreign) = (0, 0, 0);
    let mut count = |reading: &Reading<'_>| match (reading.found, reading.header) {
        (Some(_), _) => known += 1,
        (None, Some(_)) => unread += 1,
        (None, None) => foreign += 1,
    };
    let matcher = Matcher::new();
    let mut scanner = Scanner::new(SourceId(0));
    scanner.feed(&matcher, text.as_bytes(), &mut count);
    scanner.finish(&matcher, &mut count);
    let mut session = Session::new();
    let source = session.add_source("a.log", "");
    session.feed(source, text.as_bytes());
    let counts = session.finish().sources[0].lines;
    assert_eq!((counts.known, counts.unread, counts.foreign), (known, unread, foreign));
    assert!(unread > 700, "{unread}");
}
