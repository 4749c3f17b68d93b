//! Real logs of the full set: what their index says of each must be what the core reads.

use std::fmt::Write;

use gemlens_core::check::{self, Finding};
use gemlens_core::model::component::Statistic;
use gemlens_core::model::process::Process;
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_tests::{content, files, shared};

/// One analysed file.
struct Case {
    analysis: Analysis,
    findings: Vec<Finding>,
}

impl Case {
    /// Reads the file whose name starts with `number`; `None` where the full set is not here.
    fn read(number: &str) -> Option<Case> {
        let folder = shared("corpus/plogs")?;
        let path = files(&folder)
            .into_iter()
            .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number)))?;
        Some(Case::of(&content(&path)))
    }

    fn of(bytes: &[u8]) -> Case {
        let mut session = Session::new();
        let source = session.add_source("log", "");
        for chunk in bytes.chunks(4096) {
            session.feed(source, chunk);
        }
        let analysis = session.finish();
        let findings = check::run(&analysis);
        Case { analysis, findings }
    }

    fn pids(&self) -> Vec<i64> {
        self.analysis.processes.iter().filter_map(|p| p.id.pid).collect()
    }

    fn process(&self, pid: i64) -> &Process {
        let found = self.analysis.processes.iter().find(|p| p.id.pid == Some(pid));
        found.unwrap_or_else(|| panic!("no process {pid}\n{}", self.shown()))
    }

    fn statistics(&self, pid: i64, module: &str, memory_kind: &str) -> Vec<Statistic> {
        let names = &self.analysis.names;
        let wanted = |s: &&Statistic| {
            names.get(s.counted.module) == module && names.get(s.counted.memory_kind) == memory_kind
        };
        self.process(pid).components.statistics.iter().filter(wanted).copied().collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.findings.iter().map(|f| f.rule.code).collect()
    }

    /// All findings as text, for a failing assertion.
    fn shown(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let sentence = finding.sentence(&self.analysis.names, Lang::En);
            let _ = writeln!(text, "{} {:?} {sentence}", finding.rule.code, finding.severity);
            for evidence in &finding.evidence {
                let _ = writeln!(text, "      {evidence:?}");
            }
        }
        text
    }

    /// The sentence of the one finding with this code.
    #[track_caller]
    fn sentence(&self, code: &str) -> String {
        let found: Vec<&Finding> = self.findings.iter().filter(|f| f.rule.code == code).collect();
        assert_eq!(found.len(), 1, "{code}\n{}", self.shown());
        found[0].sentence(&self.analysis.names, Lang::En)
    }

    /// The finding says all of this.
    #[track_caller]
    fn says(&self, code: &str, parts: &[&str]) {
        let sentence = self.sentence(code);
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}\n{}", self.shown());
        }
    }

    /// No finding says that memory was refused.
    #[track_caller]
    fn no_refusal(&self) {
        let refused = |code: &&str| ("GEM0701"..="GEM0710").contains(code);
        assert!(!self.codes().iter().any(|code| refused(&code)), "{}", self.shown());
    }
}

#[test]
fn dump() {
    let Some(folder) = shared("corpus/plogs") else { return };
    for path in files(&folder) {
        if path.extension().is_some_and(|e| e == "log") {
            let case = Case::of(&content(&path));
            println!("=== {} pids {:?}\n{}", path.file_name().unwrap().to_string_lossy(), case.pids(), case.shown());
        }
    }
}
