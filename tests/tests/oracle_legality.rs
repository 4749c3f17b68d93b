//! Replayed layouts of accepted runs are sound: the independent check finds no clash.

use gemlens_core::replay::{Replayer, legality};
use gemlens_tests::oracle;

/// Layouts of GE itself that are unsound although its own check accepts them. In `batch` a block keeps the
/// label of its last placed member, so a reference of another label in it is overlooked; in `mixed` a
/// sub-graph's Data begins later than the memory it refers to ends outside, and a block slips in between.
const UNSOUND_IN_GE: [&str; 4] = ["batch/019", "batch/024", "batch/029", "mixed/024"];

#[test]
fn no_two_live_buffers_share_bytes() {
    let root = oracle::full().unwrap_or_else(oracle::shipped);
    let (mut checked, mut failures) = (0, Vec::new());
    for case in oracle::cases(&root) {
        let model = case.model();
        let Ok(replayer) = Replayer::new(&model) else { continue };
        for run in case.runs(&model).iter().filter(|run| run.status == "ok") {
            let clashes = legality::clashes(&replayer, &run.options, &replayer.run(&run.options));
            checked += 1;
            if let Some(clash) = clashes.first().filter(|_| !UNSOUND_IN_GE.contains(&case.name.as_str())) {
                let ops: Vec<_> = model.graphs.iter().flat_map(|graph| &graph.ops).collect();
                let name = |node: usize| model.names.get(ops[node].name);
                failures.push(format!(
                    "{} {}: {} clashes, {} {clash:?} {}",
                    case.name,
                    run.name,
                    clashes.len(),
                    name(clash.first.node),
                    name(clash.second.node)
                ));
            }
        }
    }
    println!("{checked} layouts checked");
    let mut last = String::new();
    for failure in &failures {
        let case = failure.split(' ').next().unwrap_or_default().to_string();
        if last != case {
            println!("{failure}");
            last = case;
        }
    }
    assert!(failures.is_empty(), "{} layouts with clashes", failures.len());
}
