//! A layout against another of the same graph, row by row: what is equal, what differs, what is
//! missing, and which difference came first.
//!
//! A difference of size or life is a cause; a place that differs mostly follows from one. So rows that
//! only one side has come first, then facts of a row by the time of its operator, then places.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::Dump;
use crate::intern::Interner;
use crate::model::static_graph::{Block, Placement, StaticGraph, Summary};
use crate::session::Analysis;

/// GE cuts node names to this many bytes (plog grammar 3.2).
const LONGEST_NAME: usize = 512;

/// How much of a row is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Only the other layout has the row.
    OnlyThere,
    /// Only the first layout has the row.
    OnlyHere,
    /// A size, life time, stream or memory type differs: what placing starts from.
    Fact,
    /// Only flags or labels differ.
    Flag,
    /// Only the size of the whole block or its place differs: mostly a consequence.
    Place,
}

/// One row that isn't equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In what it differs.
    pub kind: Kind,
    /// Its place in the first layout's rows, if it is there.
    pub here: Option<usize>,
    /// Its place in the other layout's rows, if it is there.
    pub there: Option<usize>,
    /// The fields that differ: name, text here, text there.
    pub fields: Vec<(&'static str, String, String)>,
}

/// What a comparison comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Rows that are equal in every field.
    pub equal: usize,
    /// The others, first causes first.
    pub differences: Vec<Difference>,
    /// Figures of the summaries that differ: memory type, name, text here, text there.
    pub summaries: Vec<(u64, &'static str, String, String)>,
}

impl Comparison {
    /// Whether both layouts are the same.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty() && self.summaries.is_empty()
    }

    /// How many rows differ in this way.
    pub fn count(&self, kinds: &[Kind]) -> usize {
        self.differences.iter().filter(|difference| kinds.contains(&difference.kind)).count()
    }
}

/// Compares two layouts.
pub fn compare(
    here: &StaticGraph,
    here_names: &Interner,
    there: &StaticGraph,
    there_names: &Interner,
) -> Comparison {
    let mut comparison = Comparison::default();
    let mut open: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    for (key, at) in keyed(there, there_names) {
        open.insert(key, at);
    }
    for (key, at) in keyed(here, here_names) {
        let Some(other) = open.remove(&key) else {
            comparison.differences.push(Difference {
                kind: Kind::OnlyHere,
                here: Some(at),
                there: None,
                fields: Vec::new(),
            });
            continue;
        };
        let (a, b) = (&here.blocks[at], &there.blocks[other]);
        match fields(a, here_names, b, there_names) {
            None => comparison.equal += 1,
            Some((kind, fields)) => {
                comparison.differences.push(Difference { kind, here: Some(at), there: Some(other), fields })
            }
        }
    }
    comparison.differences.extend(open.into_values().map(|at| Difference {
        kind: Kind::OnlyThere,
        here: None,
        there: Some(at),
        fields: Vec::new(),
    }));
    let moment = |difference: &Difference| {
        let here = difference.here.and_then(|at| here.blocks.get(at));
        let row = here.or_else(|| difference.there.and_then(|at| there.blocks.get(at)));
        let begin = row.and_then(|row| row.life_begin).unwrap_or(u32::MAX);
        let offset = row.map_or(0, |row| row.offset.0);
        match difference.kind {
            Kind::Place => (offset, u32::MAX),
            _ => (0, begin),
        }
    };
    comparison.differences.sort_by_key(|d| (d.kind, moment(d), d.here, d.there));
    comparison.summaries = summaries(here, here_names, there, there_names);
    comparison
}

type Key<'n> = (Placement, &'n str, crate::model::static_graph::Io, i32, usize);

/// The rows by what they are rows of; rows of one thing are numbered.
fn keyed<'g>(graph: &'g StaticGraph, names: &'g Interner) -> Vec<(Key<'g>, usize)> {
    let mut seen: BTreeMap<(Placement, &str, crate::model::static_graph::Io, i32), usize> = BTreeMap::new();
    let rows = graph.blocks.iter().enumerate();
    rows.map(|(at, block)| {
        let name = cut(names.get(block.node));
        let nth = seen.entry((block.placement, name, block.io, block.index)).or_default();
        *nth += 1;
        ((block.placement, name, block.io, block.index, *nth), at)
    })
    .collect()
}

fn cut(name: &str) -> &str {
    let mut end = name.len().min(LONGEST_NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

type Fields = Vec<(&'static str, String, String)>;

/// What differs between two rows; a field that one side doesn't say doesn't count.
fn fields(a: &Block, a_names: &Interner, b: &Block, b_names: &Interner) -> Option<(Kind, Fields)> {
    let mut differing: Fields = Vec::new();
    let mut kind = None;
    let mut look = |of: Kind, name, a: Option<String>, b: Option<String>| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            kind = Some(kind.map_or(of, |kind: Kind| kind.min(of)));
            differing.push((name, a, b));
        }
    };
    let number = |value: Option<u64>| value.map(|value| alloc::format!("{value}"));
    let is_set = a.placement == Placement::Set && !b.cut;
    look(Kind::Fact, "realsize", number(Some(a.real_size.0)), number(Some(b.real_size.0)));
    let no_align = |row: &Block| number(row.no_align_size.map(|size| size.0));
    look(Kind::Fact, "noalignsize", no_align(a), no_align(b));
    let begin = |row: &Block| number(row.life_begin.map(u64::from));
    look(Kind::Fact, "life time begin", begin(a), begin(b));
    let end = |row: &Block| {
        let ends = row.life_ends.as_slice();
        let list: Vec<String> = ends.iter().map(|end| alloc::format!("{end}")).collect();
        (!list.is_empty()).then(|| list.join("--"))
    };
    look(Kind::Fact, "life time end", end(a), end(b));
    let stream = |row: &Block| row.stream.map(|stream| alloc::format!("{stream}"));
    look(Kind::Fact, "streamid", stream(a), stream(b));
    look(Kind::Fact, "memtype", number(Some(a.memory_type)), number(Some(b.memory_type)));
    if is_set {
        let flags = |row: &Block| {
            let f = row.flags;
            let bit = u8::from;
            Some(alloc::format!(
                "{}:{}:{}:{}:{}",
                f.child_level,
                bit(f.reuse),
                bit(f.continuous),
                bit(f.zero_copy),
                bit(f.same_stream)
            ))
        };
        look(Kind::Flag, "child", flags(a), flags(b));
        look(Kind::Flag, "isref", number(Some(u64::from(a.is_ref))), number(Some(u64::from(b.is_ref))));
        let text = |names: &Interner, name| Some(String::from(names.get(name).trim()));
        look(Kind::Flag, "batch", text(a_names, a.batch), text(b_names, b.batch));
    }
    look(Kind::Place, "size", number(Some(a.size.0)), number(Some(b.size.0)));
    let offset = |row: &Block| Some(alloc::format!("{}", row.offset));
    look(Kind::Place, "offset", offset(a), offset(b));
    kind.map(|kind| (kind, differing))
}

fn summaries(
    here: &StaticGraph,
    here_names: &Interner,
    there: &StaticGraph,
    there_names: &Interner,
) -> Vec<(u64, &'static str, String, String)> {
    let mut differing = Vec::new();
    for a in &here.summaries {
        let memory_type = a.memory_type;
        let Some(b) = there.summaries.iter().find(|b| b.memory_type == memory_type) else { continue };
        for ((name, a), (_, b)) in said(a, here_names).into_iter().zip(said(b, there_names)) {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                differing.push((memory_type, name, a, b));
            }
        }
    }
    differing
}

fn said(summary: &Summary, names: &Interner) -> [(&'static str, Option<String>); 7] {
    let size = |size: Option<crate::units::Bytes>| size.map(|size| alloc::format!("{size}"));
    [
        ("after_reuse", size(summary.after_reuse)),
        ("theory_min", size(summary.theory_min)),
        ("zero_copy", size(summary.zero_copy)),
        ("total", size(summary.total)),
        ("no_reuse", size(summary.no_reuse)),
        ("topo", Some(String::from(names.get(summary.topo_mode)))),
        ("mop", Some(String::from(names.get(summary.memory_policy)))),
    ]
}

/// The layout of a dump's graph in a log: the last compilation of a graph of its name, which GE ends
/// in `_` and the graph's id. `wanted` is a part of another name to look for.
pub fn find<'a>(dump: &Dump, analysis: &'a Analysis, wanted: Option<&str>) -> Option<&'a StaticGraph> {
    let own = dump.graph_name();
    let is_it = |graph: &&StaticGraph| {
        let name = analysis.names.get(graph.name);
        let has_id = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        match wanted {
            Some(part) => name.contains(part),
            None => {
                name == own
                    || name.strip_prefix(own).and_then(|rest| rest.strip_prefix('_')).is_some_and(has_id)
            }
        }
    };
    let graphs = analysis.processes.iter().flat_map(|process| &process.graphs);
    graphs.filter(|graph| !graph.blocks.is_empty()).filter(is_it).last()
}
