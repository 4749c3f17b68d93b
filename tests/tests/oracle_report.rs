//! Logs that the real allocator printed: every `[IMAS]…Set` row and every summary must come out
//! with all its fields, and the rates must follow from the formulas.

use std::collections::HashMap;
use std::path::Path;

use gemlens_core::intern::Interner;
use gemlens_core::metrics::static_graph::figures;
use gemlens_core::model::static_graph::{Block, Placement, StaticGraph};
use gemlens_core::session::{Analysis, Session};
use gemlens_tests::{Row, Tsv, content, data, files, shared};

fn analyse(log: &Path) -> Analysis {
    let mut session = Session::new();
    let source = session.add_source(&log.display().to_string(), "");
    session.feed(source, &content(log));
    session.finish()
}

/// A row as the truth writes it, without the columns that a block does not keep.
fn row(names: &Interner, graph: &StaticGraph, block: &Block) -> String {
    let text = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let kind = match block.placement {
        Placement::Set => "block",
        Placement::ContinuousInput => "cont_in",
        Placement::ContinuousOutput => "cont_out",
        Placement::AtomicOutput => "atomic_out",
        Placement::AtomicWorkspace => "atomic_ws",
        Placement::AtomicFusionWorkspace => "atomic_fusion_ws",
    };
    let set = block.placement == Placement::Set;
    let flag = |is: bool| if set { u8::from(is).to_string() } else { String::new() };
    let pair = |first: Option<String>, second: Option<String>| match (first, second) {
        (first, None) => first.unwrap_or_default(),
        (first, Some(second)) => format!("{}--{second}", first.unwrap_or_default()),
    };
    let ends: Vec<String> = block.life_ends.as_slice().iter().map(u32::to_string).collect();
    [
        kind.to_string(),
        names.get(graph.name).to_string(),
        names.get(block.node).to_string(),
        names.get(block.op_type).to_string(),
        block.io.word().to_string(),
        block.index.to_string(),
        block.offset.0.to_string(),
        pair(block.stream.map(|n| n.to_string()), block.stream_of_op.map(|n| n.to_string())),
        block.memory_type.to_string(),
        block.size.0.to_string(),
        block.real_size.0.to_string(),
        text(block.no_align_size.map(|n| n.0)),
        pair(block.life_begin.map(|n| n.to_string()), block.life_begin_node.map(|n| n.to_string())),
        ends.join("--"),
        if set { block.flags.child_level.to_string() } else { String::new() },
        flag(block.flags.reuse),
        flag(block.flags.continuous),
        flag(block.flags.zero_copy),
        flag(block.flags.same_stream),
        flag(block.is_ref),
        names.get(block.batch).to_string(),
        names.get(block.block_type).trim().to_string(),
        text(block.no_padding),
    ]
    .join("|")
}

fn number(text: &str) -> i64 {
    text.parse().expect("a number")
}

fn truth_row(row: Row<'_>) -> Option<String> {
    let cell = |column: &str| row.get(column);
    let kind = match cell("kind") {
        "cont_mem" => "cont_in",
        "buffer_pool" => "block",
        "memset" | "var" => return None,
        kind => kind,
    };
    // The line of an ordinary workspace prints the end of the area (plog grammar, `imas.atomic_ws`).
    let offset = match kind {
        "atomic_ws" => (number(cell("offset")) - number(cell("size"))).to_string(),
        _ => cell("offset").to_string(),
    };
    let columns = ["graph", "node", "optype", "what", "index"].map(cell);
    let behind = [
        "stream",
        "memtype",
        "size",
        "real_size",
        "noalign_size",
        "begin",
        "end",
        "level",
        "reuse",
        "continuous",
        "zero_copy",
        "same_stream",
        "is_ref",
        "batch",
    ]
    .map(cell);
    Some(format!(
        "{kind}|{}|{offset}|{}|{}|{}",
        columns.join("|"),
        behind.join("|"),
        cell("block_type").trim(),
        cell("nopadding")
    ))
}

/// Compares the logs of one graph with its truth; the number of rows compared.
fn check_graph(folder: &Path) -> usize {
    let logs = folder.join("logs");
    if !logs.is_dir() {
        return 0;
    }
    let mut truth: HashMap<String, Vec<String>> = HashMap::new();
    let blocks = folder.join("blocks.tsv.gz");
    if blocks.is_file() {
        for line in Tsv::read(&blocks).rows() {
            if let Some(row) = truth_row(line) {
                truth.entry(line.get("run").to_string()).or_default().push(row);
            }
        }
    }
    let mut compared = 0;
    for log in files(&logs) {
        let run = log.file_name().unwrap_or_default().to_string_lossy().replace(".log.gz", "");
        let analysis = analyse(&log);
        let mut rows: Vec<(u32, String)> = Vec::new();
        for process in &analysis.processes {
            for graph in &process.graphs {
                rows.extend(graph.blocks.iter().map(|b| (b.span.line, row(&analysis.names, graph, b))));
                for figures in figures(graph) {
                    let (Some(total), Some(after), Some(theory)) =
                        (figures.total, figures.after_reuse, figures.theory_min)
                    else {
                        panic!("{}: a summary without figures", log.display());
                    };
                    if total.0 > 0 {
                        let rate = (total.0 as f64 - after.0 as f64) / total.0 as f64;
                        assert_eq!(figures.reuse_rate(), Some(rate));
                    }
                    if after.0 > 0 {
                        let reach = (theory.0 as f64 / after.0 as f64).min(1.0);
                        assert_eq!(figures.reach_theory_rate(), Some(reach));
                    }
                }
            }
        }
        rows.sort();
        let got: Vec<&String> = rows.iter().map(|(_, row)| row).collect();
        let wanted = truth.remove(&run).unwrap_or_default();
        for (number, row) in wanted.iter().enumerate() {
            assert_eq!(got.get(number), Some(&row), "{} row {number}", log.display());
        }
        assert_eq!(got.len(), wanted.len(), "{}", log.display());
        compared += wanted.len();
    }
    compared
}

/// Compares the summaries of all logs in a set with its summary table.
fn check_summaries(set: &Path) -> usize {
    let table = set.join("summary.tsv");
    if !table.is_file() {
        return 0;
    }
    let columns = [
        "memtype",
        "memoffset",
        "theory_min",
        "zero_copy",
        "total_size",
        "no_reuse",
        "streams",
        "topo_mode",
        "mop_printed",
        "io_reuse",
        "alloc_mode",
        "smp",
    ];
    let mut truth: HashMap<(String, String), Vec<String>> = HashMap::new();
    for row in Tsv::read(&table).rows() {
        let cell = |column: &str| row.get(column);
        if !cell("memoffset").is_empty() {
            let key = (cell("graph").to_string(), cell("run").to_string());
            truth.entry(key).or_default().push(columns.map(cell).join("|"));
        }
    }
    let mut compared = 0;
    for ((graph, run), mut wanted) in truth {
        let name = graph.rsplit('/').next().unwrap_or(&graph);
        let log = set.join(name).join("logs").join(format!("{run}.log.gz"));
        if !log.is_file() {
            continue;
        }
        let analysis = analyse(&log);
        let names = &analysis.names;
        let mut got: Vec<String> = Vec::new();
        for summary in analysis.processes.iter().flat_map(|p| &p.graphs).flat_map(|g| &g.summaries) {
            let bytes = |n: Option<gemlens_core::units::Bytes>| n.map_or(String::new(), |n| n.0.to_string());
            got.push(
                [
                    summary.memory_type.to_string(),
                    bytes(summary.after_reuse),
                    bytes(summary.theory_min),
                    bytes(summary.zero_copy),
                    bytes(summary.total),
                    bytes(summary.no_reuse),
                    summary.streams.map_or(String::new(), |n| n.to_string()),
                    names.get(summary.topo_mode).to_string(),
                    names.get(summary.memory_policy).to_string(),
                    summary.io_reuse.map_or(String::new(), |(a, b)| format!("{a}:{b}")),
                    names.get(summary.alloc_mode).to_string(),
                    names.get(summary.static_policy).to_string(),
                ]
                .join("|"),
            );
        }
        got.sort();
        wanted.sort();
        assert_eq!(got, wanted, "{}", log.display());
        compared += wanted.len();
    }
    compared
}

fn check_set(set: &Path) -> (usize, usize) {
    let mut rows = 0;
    for folder in std::fs::read_dir(set).into_iter().flatten().flatten() {
        rows += check_graph(&folder.path());
    }
    (rows, check_summaries(set))
}

#[test]
fn shipped_logs_give_every_row_and_summary() {
    let (rows, summaries) = check_set(&data().join("oracle/graphs"));
    println!("{rows} rows, {summaries} summaries");
    assert!(rows > 0 && summaries > 0);
}

#[test]
fn all_logs_give_every_row_and_summary() {
    let Some(oracle) = shared("oracle") else { return };
    let mut sets = vec![oracle.join("graphs")];
    sets.extend(std::fs::read_dir(oracle.join("random")).into_iter().flatten().flatten().map(|e| e.path()));
    let (mut rows, mut summaries) = (0, 0);
    for set in sets.iter().filter(|set| set.is_dir()) {
        let (more_rows, more_summaries) = check_set(set);
        rows += more_rows;
        summaries += more_summaries;
    }
    println!("{rows} rows, {summaries} summaries");
    assert!(rows > 80_000, "{rows}");
}
