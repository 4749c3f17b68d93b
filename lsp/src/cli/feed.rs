//! From path arguments to an analysis: hands every log to the session and notes the rest.

use std::collections::BTreeMap;

use gemlens::input::{self, Kind, Limits, PathArg, SourceInfo, Survey, Verdict, Visitor};
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::SourceId;

use super::progress::Progress;

/// Standard input can't be read a second time: up to this much of it is kept, for evidence.
const KEPT_BYTES: usize = 64 << 20;

/// What came of the arguments.
pub(super) struct Fed {
    pub(super) analysis: Analysis,
    pub(super) survey: Survey,
    /// The bytes of sources that can't be opened again.
    pub(super) kept: BTreeMap<SourceId, Vec<u8>>,
    /// Sources that are no logs: dump graphs and reports.
    pub(super) others: Vec<(String, Kind)>,
}

/// Reads everything the arguments name.
pub(super) fn feed(paths: &[PathArg]) -> Fed {
    let mut feeder = Feeder {
        session: Session::new(),
        current: SourceId(0),
        keeps: false,
        kept: BTreeMap::new(),
        others: Vec::new(),
        progress: Progress::new(),
    };
    let survey = input::walk(paths, &Limits::default(), &mut feeder);
    let Feeder { session, kept, others, .. } = feeder;
    Fed { analysis: session.finish(), survey, kept, others }
}

struct Feeder {
    session: Session,
    current: SourceId,
    /// The source at hand is one to be kept.
    keeps: bool,
    kept: BTreeMap<SourceId, Vec<u8>>,
    others: Vec<(String, Kind)>,
    progress: Progress,
}

impl Visitor for Feeder {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        if !is_log(source.kind) {
            self.others.push((source.name.clone(), source.kind));
            return Verdict::Skip;
        }
        self.current = self.session.add_source(&source.name, &source.root);
        self.keeps = source.name.starts_with("<stdin>");
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.session.feed(self.current, bytes);
        if self.keeps {
            let kept_bytes: usize = self.kept.values().map(Vec::len).sum();
            if kept_bytes + bytes.len() > KEPT_BYTES {
                self.kept.clear();
                self.keeps = false;
            } else {
                self.kept.entry(self.current).or_default().extend_from_slice(bytes);
            }
        }
        Verdict::Read
    }

    fn end(&mut self, _whole: bool) {
        self.session.end_source(self.current);
    }

    fn progress(&mut self, read_bytes: u64, total_bytes: Option<u64>) {
        self.progress.tell(read_bytes, total_bytes);
    }
}

/// Whether a source holds log lines, as far as its first bytes tell.
pub(super) fn is_log(kind: Kind) -> bool {
    matches!(kind, Kind::Plog | Kind::Text)
}
