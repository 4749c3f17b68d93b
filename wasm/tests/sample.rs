//! A session as the page has it, on the shipped sample: every answer is there and agrees with the core.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its input has failed")]

use std::io::{self, Cursor};

use gemlens::input::{Reopen, Seekable};
use gemlens_wasm::Lens;
use gemlens_wasm::wire::{Answer, Evidence, Request};

struct Held(Vec<u8>);

impl Reopen for Held {
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(Cursor::new(self.0.as_slice())))
    }
}

fn sample() -> Lens {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/sample/log.tar.gz");
    let bytes = std::fs::read(path).unwrap();
    let size = bytes.len() as u64;
    let mut lens = Lens::new();
    let mut told = 0;
    lens.add("log.tar.gz", true, size, Box::new(Held(bytes)), &mut |bytes| told = bytes);
    assert_eq!(told, size);
    lens.finish();
    lens
}

#[test]
fn every_answer_is_there() {
    let mut lens = sample();
    let Answer::Overview(overview) = lens.ask(Request::Overview) else { panic!("no overview") };
    assert_eq!(overview.processes.len(), 2);
    assert!(overview.problems.is_empty());
    for process in &overview.processes {
        assert!(!process.findings.is_empty() && !process.bars.is_empty() && !process.graphs.is_empty());
    }
    let mut evidence = overview.processes.iter().flat_map(|p| &p.findings).flat_map(|f| &f.evidence);
    let place = evidence.find_map(|e| match e {
        Evidence::Line { place } => Some(place.clone()),
        Evidence::Absent { .. } => None,
    });
    let place = place.unwrap();
    let question =
        Request::Lines { source: place.source, start: place.start, len: place.len, line: place.line };
    let Answer::Lines(lines) = lens.ask(question) else { panic!("no lines") };
    let asked: Vec<_> = lines.iter().filter(|line| line.is_asked).collect();
    assert_eq!(asked.len(), 1);
    assert!(!asked[0].understood.is_empty(), "evidence is an understood line");

    let Answer::Files(files) = lens.ask(Request::Files) else { panic!("no files") };
    assert_eq!(files.len(), 6);
    assert!(files.iter().any(|file| file.name == "report.json" && file.content.starts_with('{')));
    assert!(matches!(lens.ask(Request::Collect), Answer::Collect(jobs) if !jobs.is_empty()));
}

#[test]
fn rows_are_sorted_filtered_and_windowed() {
    let mut lens = sample();
    let Answer::Tables(tables) = lens.ask(Request::Tables) else { panic!("no tables") };
    let table = tables.iter().position(|table| table.key == "operators").unwrap();
    let ask = |lens: &mut Lens, descending, filter: &str, from, count| {
        let sort = Some(3);
        let filter = filter.to_owned();
        match lens.ask(Request::Rows { table, sort, descending, filter, from, count }) {
            Answer::Rows(rows) => rows,
            _ => panic!("no rows"),
        }
    };
    let bytes = |cell: &str| cell.split(' ').next().unwrap().parse::<u64>().unwrap();
    let all = ask(&mut lens, true, "", 0, 10_000);
    assert_eq!(all.total, tables[table].rows);
    let sizes: Vec<u64> = all.rows.iter().map(|row| bytes(&row.cells[3])).collect();
    assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]));
    assert!(ask(&mut lens, false, "", 0, 1).rows[0].cells[3] != all.rows[0].cells[3]);
    assert_eq!(ask(&mut lens, true, "", 5, 3).rows[0].cells, all.rows[5].cells);
    assert_eq!(ask(&mut lens, true, "no operator is called so", 0, 9).total, 0);
    assert!(matches!(lens.ask(Request::TableText { table: 10_000, csv: true }), Answer::Nothing));
}

#[test]
fn a_map_has_every_block_and_its_card() {
    let mut lens = sample();
    let Answer::Overview(overview) = lens.ask(Request::Overview) else { panic!("no overview") };
    let memory_type = overview.processes[0].graphs[0].memory_types[0];
    let map = lens.geometry(0, 0, memory_type);
    assert!(!map.from.is_empty() && map.from.len() == map.labels.lines().count());
    assert_eq!(map.load[map.peak_at as usize], map.peak);
    assert!(map.peak <= map.extent);
    let question = Request::Card { process: 0, graph: 0, memory_type, rect: 0 };
    assert!(matches!(lens.ask(question), Answer::Card(card) if card.facts.len() > 5));
    let question = Request::Alive { process: 0, graph: 0, memory_type, at: map.peak_at };
    assert!(matches!(lens.ask(question), Answer::Alive(alive) if alive.count > 0));
    assert!(lens.geometry(9, 9, 2.0).from.is_empty());
}
