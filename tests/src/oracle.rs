//! The truth tables of the real allocator: where they are, how a run of them is read and compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use gemlens_core::graph::{self, Model};
use gemlens_core::intern::Interner;
use gemlens_core::model::static_graph::{Block, Placement, Summary};
use gemlens_core::replay::{Options, Replayed, Replayer, Topo};
use gemlens_core::span::SourceId;

/// The shipped subset.
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/oracle")
}

/// The full set, if it is there: `$GEMLENS_SHARED/oracle` or `../shared/oracle` beside the repository.
pub fn full() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("GEMLENS_SHARED").map_or(beside, PathBuf::from);
    Some(shared.join("oracle")).filter(|path| path.is_dir())
}

/// The text of a gzip file.
pub fn gunzip(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// A tab-separated table with a header line.
pub struct Table {
    columns: BTreeMap<String, usize>,
    /// The lines, cut into fields.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table.
    pub fn parse(text: &str) -> Table {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let columns = header.split('\t').enumerate().map(|(n, name)| (name.to_string(), n)).collect();
        let rows = lines.map(|line| line.split('\t').map(str::to_string).collect()).collect();
        Table { columns, rows }
    }

    /// One field of a row; empty where the row is short.
    pub fn get<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        self.columns.get(column).and_then(|&n| row.get(n)).map_or("", String::as_str)
    }
}

/// One run of one graph: options and what the allocator printed.
pub struct Run {
    /// Its name, such as `topo1_mp`.
    pub name: String,
    /// The options.
    pub options: Options,
    /// `ok`, `expected_failure` or `load_failed`.
    pub status: String,
    /// The rows, as text, in log order; without variables.
    pub rows: Vec<String>,
    /// The summary lines, as text.
    pub summaries: Vec<String>,
    /// Candidates and their costs.
    pub candidates: String,
    /// Range ceilings.
    pub ceilings: String,
    /// Lines of offsets: node, outputs, inputs, workspaces.
    pub offsets: Vec<String>,
}

/// One graph with all its runs.
pub struct Case {
    /// Path below the oracle's folder.
    pub name: String,
    /// `graphs` or the random family.
    pub family: String,
    folder: PathBuf,
    summary: Vec<BTreeMap<String, String>>,
}

/// All cases below a folder, sorted by name.
pub fn cases(root: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut groups = vec![("graphs".to_string(), root.join("graphs"))];
    groups.extend(folders(&root.join("random")).into_iter().map(|path| (name_of(&path), path)));
    for (family, folder) in groups {
        let Ok(text) = fs::read_to_string(folder.join("summary.tsv")) else { continue };
        let table = Table::parse(&text);
        let mut by_graph: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
        for row in &table.rows {
            let fields =
                table.columns.keys().map(|name| (name.clone(), table.get(row, name).to_string())).collect();
            by_graph.entry(table.get(row, "graph").to_string()).or_default().push(fields);
        }
        for (graph, summary) in by_graph {
            let graph = graph.rsplit('/').next().unwrap_or_default().to_string();
            let folder = folder.join(&graph);
            if folder.is_dir() {
                cases.push(Case {
                    name: format!("{family}/{graph}"),
                    family: family.clone(),
                    folder,
                    summary,
                });
            }
        }
    }
    cases
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|p| p.is_dir()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Case {
    /// The dump.
    pub fn text(&self) -> String {
        gunzip(&self.folder.join("graph.txt.gz"))
    }

    /// The dump, read.
    pub fn model(&self) -> Model {
        let text = self.text();
        let model = graph::read(text.as_bytes(), SourceId(0)).expect("a dump graph");
        assert!(model.problems.is_empty(), "{}: {:?}", self.name, model.problems);
        model
    }

    /// Names of the runs whose whole log is there.
    pub fn log_runs(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.join("logs")) else { return Vec::new() };
        let names = entries.flatten().map(|entry| name_of(&entry.path()));
        let mut runs: Vec<String> =
            names.filter_map(|name| Some(name.strip_suffix(".log.gz")?.to_string())).collect();
        runs.sort();
        runs
    }

    /// The log of a run, if it is there.
    pub fn log(&self, run: &str) -> Option<String> {
        let path = self.folder.join("logs").join(format!("{run}.log.gz"));
        path.is_file().then(|| gunzip(&path))
    }

    /// All runs, in the order of the summary table.
    pub fn runs(&self, model: &Model) -> Vec<Run> {
        let blocks = Table::parse(&gunzip(&self.folder.join("blocks.tsv.gz")));
        let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in &blocks.rows {
            if blocks.get(row, "kind") != "var" {
                rows.entry(blocks.get(row, "run").to_string()).or_default().push(truth_row(&blocks, row));
            }
        }
        let mut offsets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let table = Table::parse(&gunzip(&self.folder.join("offsets.tsv.gz")));
        for row in &table.rows {
            let fields = ["graph", "id", "node", "stream", "output_i", "input_i", "workspace"];
            let line: Vec<&str> = fields.iter().map(|field| table.get(row, field)).collect();
            offsets.entry(table.get(row, "run").to_string()).or_default().push(line.join("\t"));
        }
        let mut runs: Vec<Run> = Vec::new();
        for line in &self.summary {
            let field = |name: &str| line.get(name).map_or("", String::as_str);
            let name = field("run").to_string();
            if runs.last().is_none_or(|run| run.name != name) {
                runs.push(Run {
                    options: options(model, &field),
                    status: field("status").to_string(),
                    rows: rows.remove(&name).unwrap_or_default(),
                    summaries: Vec::new(),
                    candidates: field("candidates").to_string(),
                    ceilings: field("range_ceils").trim_matches(['[', ']']).to_string(),
                    offsets: offsets.remove(&name).unwrap_or_default(),
                    name,
                });
            }
            if let Some(run) = runs.last_mut().filter(|_| !field("memoffset").is_empty()) {
                let fields = [
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
                let text: Vec<&str> = fields.iter().map(|name| field(name)).collect();
                run.summaries.push(text.join(" "));
            }
        }
        runs
    }
}

fn options<'a>(model: &Model, field: &dyn Fn(&str) -> &'a str) -> Options {
    let mut options = Options {
        topo: match (field("sort"), field("topo")) {
            ("0", _) => Topo::Dumped,
            (_, "0") => Topo::Bfs,
            (_, "2") => Topo::Rdfs,
            (_, "3") => Topo::StableRdfs,
            _ => Topo::Dfs,
        },
        memory_priority: field("mop") == "MemoryPriority",
        ..Options::default()
    };
    for option in field("option").split(';') {
        match option.split_once('=') {
            Some(("io_reuse", _)) => {
                let count = model.graphs.first().map_or(0, |graph| graph.ops.len()) as u32;
                options.input_reuse = Some((0..count).collect());
                options.output_reuse = Some((0..count).collect());
            }
            Some(("ge.exec.atomicCleanPolicy", value)) => options.separate_clean = value == "1",
            Some(("ge.exec.disableReuseMemory", value)) => options.disable_reuse = value == "1",
            Some(("ge.exec.staticMemoryPolicy", value)) => {
                options.static_memory_policy = value.parse().unwrap_or(0)
            }
            Some(("ge.featureBaseRefreshable", value)) => options.feature_base_refreshable = value == "1",
            Some(("ge.exec.graphIOMemAllocMode", value)) => options.io_alloc_by_ge = value == "ByGE",
            Some(("ge.enableSingleStream", value)) => options.single_stream = value == "true",
            _ => {}
        }
    }
    options
}

const ROW_FIELDS: [&str; 21] = [
    "kind",
    "node",
    "optype",
    "what",
    "index",
    "offset",
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
    "block_type",
];

fn truth_row(table: &Table, row: &[String]) -> String {
    let mut text = String::new();
    for field in ROW_FIELDS {
        let _ = write!(text, "{} ", table.get(row, field).trim_end());
    }
    let _ = write!(text, "{}", table.get(row, "nopadding"));
    text
}

/// The truth has the line's number, which is the end of an ordinary atomic workspace.
fn shown_offset(block: &Block) -> gemlens_core::units::Offset {
    match block.placement {
        Placement::AtomicWorkspace => block.offset.end(block.size),
        _ => block.offset,
    }
}

/// A replayed row in the shape of the truth's.
pub fn shown_row(names: &Interner, block: &Block) -> String {
    let number = |value: Option<u32>| value.map_or(String::new(), |n| n.to_string());
    let placed_by = match block.placement {
        Placement::Set if block.life_ends.as_slice() == [0] && !block.flags.same_stream => "buffer_pool",
        Placement::Set => "block",
        Placement::ContinuousInput => "cont_in",
        Placement::ContinuousOutput => "cont_out",
        Placement::AtomicOutput => "atomic_out",
        Placement::AtomicWorkspace => "atomic_ws",
        Placement::AtomicFusionWorkspace => "atomic_fusion_ws",
    };
    let stream = match (block.stream, block.stream_of_op) {
        (Some(stream), Some(raw)) => format!("{stream}--{raw}"),
        (stream, _) => stream.map_or(String::new(), |n| n.to_string()),
    };
    let begin = match block.life_begin_node {
        Some(node) => format!("{}--{node}", number(block.life_begin)),
        None => number(block.life_begin),
    };
    let ends: Vec<String> = block.life_ends.as_slice().iter().map(u32::to_string).collect();
    let flags = if placed_by == "block" {
        let f = block.flags;
        let bit = u8::from;
        format!(
            "{} {} {} {} {} {}",
            f.child_level,
            bit(f.reuse),
            bit(f.continuous),
            bit(f.zero_copy),
            bit(f.same_stream),
            bit(block.is_ref)
        )
    } else if placed_by == "buffer_pool" {
        "0 0 0 0 0 0".to_string()
    } else {
        "     ".to_string()
    };
    format!(
        "{placed_by} {} {} {} {} {} {stream} {} {} {} {} {begin} {} {flags} {} {} {}",
        names.get(block.node),
        names.get(block.op_type),
        block.io.word(),
        block.index,
        shown_offset(block),
        block.memory_type,
        block.size,
        block.real_size,
        block.no_align_size.map_or(String::new(), |n| n.to_string()),
        ends.join("--"),
        names.get(block.batch),
        names.get(block.block_type).trim_end(),
        block.no_padding.map_or(String::new(), |n| n.to_string()),
    )
}

/// All rows of a replay, the ranges of clean nodes last.
pub fn shown_rows(replayed: &Replayed) -> Vec<String> {
    let mut rows: Vec<String> =
        replayed.layout.blocks.iter().map(|block| shown_row(&replayed.names, block)).collect();
    for row in &mut rows[replayed.group_rows.clone()] {
        *row = row.replacen("cont_in", "cont_mem", 1);
    }
    for clean in &replayed.cleaned {
        let offsets: Vec<String> = clean.ranges.iter().map(|(offset, _)| offset.to_string()).collect();
        let sizes: Vec<String> = clean.ranges.iter().map(|(_, size)| size.to_string()).collect();
        rows.push(format!(
            "memset {} {} workspace 0 {} {}  {}             ",
            replayed.names.get(clean.node),
            replayed.names.get(clean.op_type),
            offsets.join(" "),
            clean.stream,
            sizes.join(" "),
        ));
    }
    rows
}

/// The final offsets of all nodes in the shape of the truth's.
fn offset_lines(model: &Model, replayed: &Replayed) -> Vec<String> {
    let ops: Vec<_> = model
        .graphs
        .iter()
        .flat_map(|graph| graph.ops.iter().map(move |op| (model.names.get(graph.name), op)))
        .collect();
    let list = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    replayed
        .order
        .iter()
        .map(|&node| {
            let (graph, op) = ops[node];
            format!(
                "{graph}\t{}\t{}\t{}\t{}\t{}\t{}",
                replayed.ids[node],
                model.names.get(op.name),
                op.stream_id,
                list(&replayed.offsets.outputs[node]),
                list(&replayed.offsets.inputs[node]),
                list(&replayed.offsets.workspaces[node]),
            )
        })
        .collect()
}

fn shown_summary(names: &Interner, summary: &Summary) -> String {
    let bytes = |value: Option<gemlens_core::units::Bytes>| value.map_or(String::new(), |n| n.to_string());
    let (input, output) = summary.io_reuse.unwrap_or_default();
    format!(
        "{} {} {} {} {} {} {} {} {} {input}:{output} {} {}",
        summary.memory_type,
        bytes(summary.after_reuse),
        bytes(summary.theory_min),
        bytes(summary.zero_copy),
        bytes(summary.total),
        bytes(summary.no_reuse),
        summary.streams.unwrap_or(0),
        names.get(summary.topo_mode),
        names.get(summary.memory_policy),
        names.get(summary.alloc_mode),
        names.get(summary.static_policy),
    )
}

/// Where a replay first differs from the truth; `None` when all is equal.
pub fn difference(model: &Model, run: &Run, replayed: &Replayed) -> Option<String> {
    let rows = shown_rows(replayed);
    let at = run.rows.iter().zip(&rows).position(|(real, shown)| real != shown);
    if let Some(at) = at {
        return Some(format!("row {at}\n  real   {}\n  replay {}", run.rows[at], rows[at]));
    }
    if run.rows.len() != rows.len() {
        let at = run.rows.len().min(rows.len());
        return Some(format!(
            "{} rows against {}\n  real   {:?}\n  replay {:?}",
            run.rows.len(),
            rows.len(),
            run.rows.get(at),
            rows.get(at)
        ));
    }
    if !run.ceilings.is_empty() {
        let ceilings: Vec<String> = replayed.range_ceilings.iter().map(u64::to_string).collect();
        if ceilings.join(",") != run.ceilings {
            return Some(format!("ceilings\n  real   {}\n  replay {}", run.ceilings, ceilings.join(",")));
        }
    }
    let costs: BTreeMap<&str, u64> = replayed.candidates.iter().map(|c| (c.name, c.cost)).collect();
    for candidate in run.candidates.split(',').filter(|text| !text.is_empty()) {
        let Some((name, cost)) = candidate.rsplit_once(':') else { continue };
        if costs.get(name).map(u64::to_string).as_deref() != Some(cost) {
            return Some(format!("candidate {name}\n  real   {cost}\n  replay {:?}", costs.get(name)));
        }
    }
    let mut real = run.offsets.clone();
    let mut lines = offset_lines(model, replayed);
    real.sort();
    lines.sort();
    if !real.is_empty() && real != lines {
        let at = real.iter().zip(&lines).position(|(a, b)| a != b).unwrap_or(real.len().min(lines.len()));
        return Some(format!("offsets\n  real   {:?}\n  replay {:?}", real.get(at), lines.get(at)));
    }
    let shown: Vec<String> =
        replayed.layout.summaries.iter().map(|summary| shown_summary(&replayed.names, summary)).collect();
    if !run.summaries.is_empty() && shown != run.summaries {
        return Some(format!(
            "summary\n  real   {}\n  replay {}",
            run.summaries.join(" | "),
            shown.join(" | ")
        ));
    }
    None
}

/// How many runs of each family are equal.
#[derive(Default)]
pub struct Score {
    /// (equal, all) by family.
    pub families: BTreeMap<String, (usize, usize)>,
    /// The first difference of each run that differs.
    pub failures: Vec<String>,
    /// Rows compared in equal runs.
    pub rows: usize,
    /// Nodes whose final offsets were compared in equal runs.
    pub nodes: usize,
}

/// Replays and compares all runs of the cases whose name contains `filter`.
pub fn score(root: &Path, filter: &str) -> Score {
    let mut score = Score::default();
    for case in cases(root).iter().filter(|case| case.name.contains(filter)) {
        let model = case.model();
        let replayer = Replayer::new(&model);
        for run in case.runs(&model) {
            let family = score.families.entry(case.family.clone()).or_default();
            family.1 += 1;
            let found = match &replayer {
                Ok(replayer) => difference(&model, &run, &replayer.run(&run.options)),
                Err(_) if run.status == "load_failed" => None,
                Err(refusal) => Some(format!("{refusal:?}")),
            };
            match found {
                None => {
                    family.0 += 1;
                    score.rows += run.rows.len();
                    score.nodes += run.offsets.len();
                }
                Some(text) => score.failures.push(format!("{} {}: {text}", case.name, run.name)),
            }
        }
    }
    score
}
