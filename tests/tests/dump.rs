//! Dump graphs through the entry for faces: written lines read back as the same model, comparisons name
//! the first cause first, refusals say what to dump.

use gemlens_core::dump::against::{self, Kind};
use gemlens_core::dump::{Dump, analysis};
use gemlens_core::replay::{Options, Refusal};
use gemlens_core::report::imas_log;
use gemlens_core::say::{Lang, dump as say};
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::SourceId;
use gemlens_core::units::Bytes;
use gemlens_tests::oracle;

fn dump(case: &oracle::Case) -> Dump {
    let name = "ge_proto_00000000_graph_1_Build.txt";
    Dump::read(name, case.text().as_bytes(), SourceId(0)).expect("a dump graph")
}

fn read_back(log: &str) -> Analysis {
    let mut session = Session::new();
    let source = session.add_source("replay.log", "");
    session.feed(source, log.as_bytes());
    session.finish()
}

#[test]
fn written_lines_read_back_as_the_same_layout() {
    let mut rows = 0;
    for case in oracle::cases(&oracle::shipped()) {
        let dump = dump(&case);
        for memory_priority in [false, true] {
            let options = Options { memory_priority, ..Options::default() };
            let Ok(replayed) = dump.replay(&options) else { continue };
            let log = read_back(&imas_log::lines(&replayed, &dump.log_name()).join("\n"));
            let Some(logged) = against::find(&dump, &log, None) else {
                assert!(replayed.layout.blocks.is_empty(), "{}: no graph read back", case.name);
                continue;
            };
            let found = against::compare(&replayed.layout, &replayed.names, logged, &log.names);
            assert!(
                found.is_equal(),
                "{}: {:?} {:?}",
                case.name,
                found.differences.first(),
                found.summaries.first()
            );
            assert_eq!(found.equal, replayed.layout.blocks.len(), "{}", case.name);
            rows += found.equal;
        }
    }
    println!("{rows} rows read back");
    assert!(rows > 1000);
}

#[test]
fn the_first_cause_of_a_difference_comes_first() {
    let cases = oracle::cases(&oracle::shipped());
    let case = cases.iter().find(|case| case.name == "graphs/mlp_small").expect("the case");
    let dump = dump(case);
    let replayed = dump.replay(&Options::default()).expect("a static graph");
    let names = &replayed.names;
    let mut other = replayed.layout.clone();
    let grown = other.blocks.iter().position(|row| row.life_begin > Some(3)).expect("a row");
    // One tensor is larger, so everything behind it moves.
    other.blocks[grown].real_size = Bytes(other.blocks[grown].real_size.0 + 4096);
    for row in other.blocks.iter_mut().filter(|row| row.offset.0 > 0) {
        row.offset.0 += 4096;
    }
    let found = against::compare(&replayed.layout, names, &other, names);
    assert_eq!((found.differences[0].kind, found.differences[0].here), (Kind::Fact, Some(grown)));
    assert!(found.count(&[Kind::Place]) > 0);

    let gone = other.blocks.remove(grown + 1);
    let found = against::compare(&replayed.layout, names, &other, names);
    assert_eq!((found.differences[0].kind, found.differences[0].here), (Kind::OnlyHere, Some(grown + 1)));
    assert_eq!(replayed.layout.blocks[grown + 1].node, gone.node);
    assert!(against::compare(&other, names, &other, names).is_equal());
}

#[test]
fn rows_of_a_replay_stand_in_the_dump() {
    let cases = oracle::cases(&oracle::shipped());
    let case = cases.iter().find(|case| case.name == "graphs/mlp_small").expect("the case");
    let (dump, text) = (dump(case), case.text());
    let replayed = dump.replay(&Options::default()).expect("a static graph");
    let analysis = analysis(&dump, &replayed.names, replayed.layout.clone());
    for row in &analysis.processes[0].graphs[0].blocks {
        let line = text.lines().nth(row.span.line as usize - 1).expect("a line");
        assert!(line.contains(&format!("\"{}\"", analysis.names.get(row.node))), "{line}");
    }
}

#[test]
fn what_can_not_be_replayed_says_what_to_dump() {
    let early = "graph {\n  name: \"g\"\n  op {\n    name: \"a\"\n    type: \"Add\"\n    output_desc {\n    }\n  }\n}\n";
    let dump = Dump::read("ge_proto_3_graph_1_AfterInfershape.txt", early.as_bytes(), SourceId(0))
        .expect("a dump graph");
    let refusal = dump.replayer().map(|_| ()).expect_err("no engines");
    assert_eq!(refusal, Refusal::NoEngines);
    for lang in [Lang::En, Lang::Zh] {
        let text = say::refusal(&dump, refusal, lang);
        assert!(text.contains("AfterInfershape") && text.contains("PreRunAfterBuild"), "{text}");
    }
}
