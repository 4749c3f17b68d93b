//! Two runs side by side, of composed logs.

use std::fmt::Write;

use gemlens_core::metrics::compare::{Pair, Way, What};
use gemlens_core::report::{Query, compare, json};
use gemlens_core::say::compare::what;
use gemlens_core::session::{Analysis, Session};

/// A graph with two blocks and its summary, and the driver's statistics.
fn log(pid: u32, graph: &str, conv: (u64, u64), relu: (&str, u64), ge_peak: u64) -> Analysis {
    let mut text = String::new();
    for (name, offset, size) in [("conv", conv.0, conv.1), (relu.0, relu.1, 1024)] {
        let _ = writeln!(
            text,
            "[INFO] GE({pid},python3):2026-08-21-10:04:07.005.891 [block_mem_assigner.cc:2914]{pid} SetOffsetSize:[IMAS]Set {graph} name[{name}] optype[Relu] output[0] offset to [{offset}] streamid[0] memtype[2] size[{size}] realsize[{size}] noalignsize[{size}] life time begin[2] life time end[3] child[0:1:0:0:1] isref[0] batch[], block_type[]"
        );
    }
    let _ = writeln!(
        text,
        "[INFO] DRV({pid},python3):2026-08-21-10:05:00.003.425 [svm_mem_statistics.c:154][ascend][curpid:{pid},{pid}][drv][devmm][_svm_mem_stats_show]MEM_DEV_HUGE_HBM Mem stats (Bytes). (module_name=GE; module_id=45; current_alloced_size=0; allocated_peak_size={ge_peak}; alloc_cnt=3; free_cnt=3)"
    );
    let mut session = Session::new();
    let source = session.add_source("plog.log", "");
    session.feed(source, text.as_bytes());
    session.finish()
}

fn way(pair: &Pair, name: &str) -> Option<(Way, i64)> {
    let of = |changes: &[gemlens_core::metrics::compare::Change]| {
        changes.iter().find(|c| what(&c.what) == name).map(|c| (c.way(), c.bytes()))
    };
    of(&pair.components).or_else(|| of(&pair.graphs)).or_else(|| of(&pair.blocks))
}

#[test]
fn what_grew_moved_came_and_went_is_told() {
    let a = log(7, "net_1", (0, 4096), ("relu", 4096), 1 << 30);
    let b = log(9, "net_4", (0, 8192), ("relu", 8192), 2 << 30);
    let pairs = compare::pairs(&a, &b, &Query::default());
    let [pair] = pairs.as_slice() else { panic!("{} pairs", pairs.len()) };
    // Graph ids differ from run to run; the graph is the same.
    assert_eq!(way(pair, "conv output[0]"), Some((Way::Grew, 4096)));
    assert_eq!(way(pair, "relu output[0]"), Some((Way::Moved, 0)));
    assert_eq!(way(pair, "net_4 after_reuse"), Some((Way::Grew, 4096)));
    assert_eq!(pair.blocks.first().map(|c| c.way()), Some(Way::Grew), "largest change first");

    let c = log(9, "net_4", (0, 2048), ("tanh", 4096), 1 << 30);
    let pairs = compare::pairs(&a, &c, &Query::default());
    let [pair] = pairs.as_slice() else { panic!("{} pairs", pairs.len()) };
    assert_eq!(way(pair, "conv output[0]"), Some((Way::Shrank, -2048)));
    assert_eq!(way(pair, "relu output[0]"), Some((Way::Gone, -1024)));
    assert_eq!(way(pair, "tanh output[0]"), Some((Way::New, 1024)));
}

#[test]
fn a_run_against_itself_differs_in_nothing() {
    let a = log(7, "net_1", (0, 4096), ("relu", 4096), 1 << 30);
    let pairs = compare::pairs(&a, &a, &Query::default());
    let [pair] = pairs.as_slice() else { panic!("{} pairs", pairs.len()) };
    assert!(pair.blocks.is_empty() && pair.same_blocks == 2);
    let all = pair.components.iter().chain(&pair.classes).chain(&pair.graphs).chain(&pair.pools);
    assert!(all.clone().count() > 0 && all.clone().all(|c| c.way() == Way::Same));
}

#[test]
fn figures_carry_the_lines_of_both_sides() {
    let a = log(7, "net_1", (0, 4096), ("relu", 4096), 1 << 30);
    let b = log(9, "net_1", (0, 8192), ("relu", 8192), 2 << 30);
    let query = Query::default();
    let pairs = compare::pairs(&a, &b, &query);
    let text = json::comparison(&a, &b, &pairs, &query);
    let value: serde_json::Value = serde_json::from_str(&text).expect("well-formed JSON");
    let block = &value["pairs"][0]["blocks"][0];
    assert_eq!(block["node"], "conv");
    assert_eq!((&block["way"], &block["change_bytes"]), (&"grew".into(), &4096.into()));
    assert_eq!((&block["a"]["evidence"]["line"], &block["b"]["size_bytes"]), (&1.into(), &8192.into()));
    let component = &value["pairs"][0]["components"][0];
    assert_eq!((&component["component"], &component["change_bytes"]), (&"GE".into(), &(1u64 << 30).into()));
    let is_block = |c: &gemlens_core::metrics::compare::Change| matches!(c.what, What::Block { .. });
    assert!(pairs[0].blocks.iter().all(is_block));
}
