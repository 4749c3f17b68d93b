//! Real dump graphs of 2020 and 2023, where the shared corpus is there: all are read or named.

use std::path::{Path, PathBuf};

use gemlens_core::graph;
use gemlens_core::span::SourceId;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "txt" || kind == "pbtxt") {
            found.push(path);
        }
    }
}

#[test]
fn the_corpus_is_read_or_named() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("GEMLENS_SHARED").map_or(beside, PathBuf::from);
    let mut paths = Vec::new();
    files(&shared.join("corpus/dump-graphs"), &mut paths);
    paths.sort();
    if paths.is_empty() {
        println!("the corpus is not there: nothing was read");
    }
    for path in paths {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match graph::read(&bytes, SourceId(0)) {
            Ok(model) => {
                let ops: usize = model.graphs.iter().map(|graph| graph.ops.len()).sum();
                println!("{name}: {} graphs, {ops} operators, {:?}", model.graphs.len(), model.problems);
                assert!(model.problems.is_empty(), "{name}: {:?}", model.problems);
                assert!(ops > 0, "{name}");
            }
            Err(other) => {
                println!("{name}: {other:?}");
                let is_whole_dump = name.starts_with("ge_proto_0") || name.starts_with("ge_onnx_0");
                assert!(!is_whole_dump, "{name} was taken for {other:?}");
            }
        }
    }
}
