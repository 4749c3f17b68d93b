//! `graph`, `replay` and `tune` as a user runs them.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;
use tempfile::TempDir;

const DUMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/oracle/graphs/mlp_small/graph.txt.gz");

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gemlens"));
    command.args(args).stdin(Stdio::null());
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "CLICOLOR_FORCE", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command.output().expect("the binary runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(args: &[&str]) -> Json {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_replay_is_equal_to_its_own_lines_and_differs_from_another_order() {
    let folder = TempDir::new().expect("a folder");
    let log = folder.path().join("replay.log");
    let lines = said(&run(&["replay", DUMP, "--topo", "2", "--format", "log"]));
    assert!(lines.starts_with("[IMAS]Set "), "{lines}");
    fs::write(&log, &lines).expect("a file");
    let log = log.to_str().expect("a name");
    let same = run(&["replay", DUMP, "--topo", "2", "--against", log, "--strict"]);
    assert_eq!(same.status.code(), Some(0), "{}", said(&same));
    assert!(said(&same).contains(" 0 different"), "{}", said(&same));
    let broken = lines.replacen("realsize[", "realsize[9", 1);
    fs::write(log, broken).expect("a file");
    let different = run(&["replay", DUMP, "--topo", "2", "--against", log, "--strict"]);
    assert_eq!(different.status.code(), Some(1));
    assert!(said(&different).contains(" 1 different"), "{}", said(&different));
    let chinese = said(&run(&["replay", DUMP, "--topo", "2", "--against", log, "--lang", "zh"]));
    assert!(chinese.contains("不同 1 行"), "{chinese}");
}

#[test]
fn the_best_combination_replays_to_its_figure() {
    let tuned = json(&["tune", DUMP, "--format", "json"]);
    let combinations = tuned["combinations"].as_array().expect("a list");
    assert_eq!(combinations.len(), 8);
    let after = |of: &Json| of["after_reuse_bytes"].as_u64().expect("a number");
    assert!(combinations.is_sorted_by_key(after));
    for of in combinations {
        let topo = of["topo"].to_string();
        let policy = if of["mop"] == "" { "default" } else { "MemoryPriority" };
        let replayed = json(&["replay", DUMP, "--topo", &topo, "--policy", policy, "--format", "json"]);
        assert_eq!(replayed["graph"]["figures"][0]["after_reuse_bytes"], of["after_reuse_bytes"]);
    }
    let text = said(&run(&["tune", DUMP]));
    assert!(text.contains(&format!("Best: {}", tuned["best"].as_str().expect("text"))), "{text}");
    assert!(text.contains("recompilation must confirm"), "{text}");
    assert_eq!(
        json(&["tune", DUMP, "--all", "-f", "json"])["combinations"].as_array().map(Vec::len),
        Some(16)
    );
}

#[test]
fn a_graph_is_described_in_both_languages() {
    let described = json(&["graph", DUMP, "--format", "json"]);
    assert_eq!(described["can_replay"], true);
    let nodes = described["nodes"].to_string();
    assert!(said(&run(&["graph", DUMP])).contains(&format!("{nodes} nodes")));
    assert!(said(&run(&["graph", DUMP, "--lang", "zh"])).contains(&format!("节点 {nodes}")));
}

#[test]
fn what_is_no_dump_is_named_and_damage_has_its_place() {
    let folder = TempDir::new().expect("a folder");
    let check = |name: &str, text: &str, verb: &str, code: i32, words: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let output = run(&[verb, path.to_str().expect("a name")]);
        let all = said(&output) + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{all}");
        assert!(all.contains(words), "{all}");
    };
    check("caffe.txt", "name: \"net\"\nlayer {\n  name: \"data\"\n}\n", "graph", 3, "Caffe");
    check(
        "cut.txt",
        "graph {\n  name: \"g\"\n  op {\n    name: \"x\"\n",
        "graph",
        0,
        "cut.txt:5:1: the file ends",
    );
    let dynamic = "graph {\n  op {\n    name: \"x\"\n    type: \"Unique\"\n    output_desc {\n      shape {\n        dim: -1\n      }\n    }\n  }\n}\n";
    check("dynamic.txt", dynamic, "replay", 3, "dynamic graph: x");
    check("plog.log", "[INFO] GE(7,atc):2026-08-21-10:04:07.000.001 [a.cc:1]7 Run:x\n", "tune", 3, "a log");
}
