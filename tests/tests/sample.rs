//! The shipped sample shows what its README says: components, classes, static graphs and addresses
//! of two processes, and one buffer that is never given back.

use std::fs::File;

use gemlens::input::{Limits, SourceInfo, Verdict, Visitor, walk_stream};
use gemlens_core::check::{self, Severity};
use gemlens_core::metrics::class::{self, Class};
use gemlens_core::metrics::{address, component};
use gemlens_core::model::process::Process;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::SourceId;
use gemlens_tests::data;

struct Feed {
    session: Session,
    open: SourceId,
}

impl Visitor for Feed {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        self.open = self.session.add_source(&source.name, &source.root);
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.session.feed(self.open, bytes);
        Verdict::Read
    }

    fn end(&mut self, _whole: bool) {
        self.session.end_source(self.open);
    }
}

fn sample() -> Analysis {
    let archive = File::open(data().join("sample/log.tar.gz")).expect("the sample");
    let mut feed = Feed { session: Session::new(), open: SourceId(0) };
    let survey = walk_stream("log.tar.gz", archive, &Limits::default(), &mut feed);
    assert!(survey.problems.is_empty());
    feed.session.finish()
}

fn process(analysis: &Analysis, pid: i64) -> &Process {
    analysis.processes.iter().find(|process| process.id.pid == Some(pid)).expect("the process")
}

#[test]
fn two_processes_with_every_block_of_their_graphs() {
    let analysis = sample();
    assert_eq!(analysis.processes.len(), 2);
    for (pid, name, blocks) in [(5512, "bert_base_b32_s128_1", 531), (5544, "resnet50_n8_3", 448)] {
        let process = process(&analysis, pid);
        let [graph] = process.graphs.as_slice() else { panic!("{pid}: {} graphs", process.graphs.len()) };
        assert_eq!(analysis.names.get(graph.name), name);
        assert_eq!((graph.blocks.len(), graph.summaries.len()), (blocks, 1));
        assert!(process.twins >= 4, "{pid}: events stand in both plogs");
        assert_eq!(process.lines.cut, 0);
    }
}

#[test]
fn classes_and_components_agree() {
    let analysis = sample();
    for (pid, ge_peak) in
        [(5512, 218_374_684 + 69_367_808 + 1_310_720), (5544, 51_514_320 + 43_386_880 + 786_432)]
    {
        let process = process(&analysis, pid);
        let total = class::total(&process.allocations, &analysis.names);
        assert_eq!(total.ge().0, ge_peak);
        let classes: Vec<Class> = total.rows.iter().map(|row| row.class).collect();
        for class in [Class::StaticGraph, Class::Variable, Class::ModelLoad, Class::App] {
            assert!(classes.contains(&class), "{pid}: {classes:?}");
        }
        let rows = component::rows(&process.components, &analysis.names);
        assert!(rows.len() >= 6, "{pid}: {} components", rows.len());
    }
}

#[test]
fn every_address_lies_where_the_compiler_put_it() {
    let analysis = sample();
    for process in &analysis.processes {
        let placed = address::placed(&process.regions);
        assert!(placed.len() > 300, "{} addresses", placed.len());
        assert!(placed.iter().all(|placed| placed.agrees() != Some(false)));
    }
}

#[test]
fn one_buffer_is_never_given_back_and_nothing_is_wrong() {
    let analysis = sample();
    let findings = check::run(&analysis);
    assert!(findings.iter().all(|finding| finding.severity != Severity::Error));
    let held: Vec<_> = findings
        .iter()
        .filter(|finding| finding.rule.name == "component-held")
        .map(|finding| analysis.processes[finding.process].id.pid)
        .collect();
    assert_eq!(held, [Some(5544)]);
}
