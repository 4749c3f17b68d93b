//! The `[IMAS]` lines that a replay writes against those in the real logs, letter by letter.

use gemlens_core::replay::Replayer;
use gemlens_core::report::imas_log;
use gemlens_tests::oracle;

/// The logger cuts a line's text here; a line that long is compared as far as it goes.
const LONGEST_LINE: usize = 1023;

/// What stands behind the location part, if it is a line of this graph's layout.
fn layout_text<'a>(line: &'a str, graph: &str) -> Option<&'a str> {
    let marks = ["[ContinuousMem][IMAS]", "[AtomicClean][IMAS]", "[IMAS]"];
    let start = marks.iter().find_map(|mark| line.find(mark))?;
    let text = &line[start..];
    text.split(' ').any(|word| word == graph).then_some(text)
}

#[test]
fn written_lines_are_those_of_the_real_logs() {
    let root = oracle::shipped();
    let mut compared = 0;
    for case in oracle::cases(&root).into_iter().chain(oracle::full().iter().flat_map(|r| oracle::cases(r))) {
        if case.log_runs().is_empty() {
            continue;
        }
        let model = case.model();
        let Ok(replayer) = Replayer::new(&model) else { continue };
        let graph = format!("{}_1", model.names.get(model.graphs[0].name));
        for run in case.runs(&model) {
            let Some(log) = case.log(&run.name) else { continue };
            let mut written = imas_log::lines(&replayer.run(&run.options), &graph);
            let real: Vec<&str> = log.lines().filter_map(|line| layout_text(line, &graph)).collect();
            if run.status != "ok" {
                written.truncate(real.len());
            }
            for (real, written) in real.iter().zip(&written) {
                let is_cut = || log.lines().any(|line| line.ends_with(real) && line.len() >= LONGEST_LINE);
                assert!(
                    *real == written || (written.starts_with(real) && is_cut()),
                    "{} {}:\n  real    {real}\n  written {written}",
                    case.name,
                    run.name
                );
            }
            assert_eq!(real.len(), written.len(), "{} {}", case.name, run.name);
            compared += real.len();
        }
    }
    println!("{compared} lines compared");
    assert!(compared > 0);
}
