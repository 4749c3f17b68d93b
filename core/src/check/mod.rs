//! Rules: each looks at what was understood and yields findings. One file a rule family.
//!
//! Evidence or silence: a finding carries the lines it rests on, or says by name what is absent.

mod class;
mod completeness;
mod component;
mod first_cause;
mod host_leak;
mod layout;
mod pool;
mod static_graph;
mod stomp;
pub mod triage;
mod zero_copy;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::intern::Interner;
use crate::model::process::Process;
use crate::say::{self, Lang, Say};
use crate::session::Analysis;
use crate::span::Span;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something is probably wrong or wasteful.
    Warning,
    /// Worth knowing, often the answer itself.
    Info,
    /// Something is missing or could be better known.
    Hint,
}

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable code, `GEM0101`.
    pub code: &'static str,
    /// Stable name, `component-held`.
    pub name: &'static str,
    /// How much a hit matters at most.
    pub severity: Severity,
    /// What it reports is by design, never a fault.
    pub by_design: bool,
}

impl Rule {
    const fn new(code: &'static str, name: &'static str, severity: Severity) -> Rule {
        Rule { code, name, severity, by_design: false }
    }

    /// A rule that reports what is by design: worth knowing, never a fault.
    const fn by_design(code: &'static str, name: &'static str) -> Rule {
        Rule { code, name, severity: Severity::Info, by_design: true }
    }

    /// What the rule finds, in one sentence.
    pub fn title(&self, lang: Lang) -> &'static str {
        say::rules::title(self.code, lang).unwrap_or(self.name)
    }

    /// The section on the rule in `docs/rules.md`: the fragment of a link to it.
    pub fn anchor(&self) -> String {
        self.code.to_ascii_lowercase()
    }
}

impl Severity {
    /// The word in every form of output for programs.
    pub fn key(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// What a finding rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A line.
    Line(Span),
    /// The named absence of lines: the text looked for, and in how many lines.
    Absent {
        /// The text that a line would contain.
        text: &'static str,
        /// Lines of the process that were read.
        lines: u64,
    },
}

/// One hit of a rule.
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How much it matters.
    pub severity: Severity,
    /// The process it is about: its place in [`Analysis::processes`].
    pub process: usize,
    /// What to say.
    pub message: Box<dyn Say>,
    /// What it rests on; never empty.
    pub evidence: Vec<Evidence>,
}

impl core::fmt::Debug for Finding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Finding")
            .field("rule", &self.rule.code)
            .field("severity", &self.severity)
            .field("evidence", &self.evidence)
            .finish_non_exhaustive()
    }
}

impl Finding {
    /// The finding's sentence.
    pub fn sentence(&self, names: &Interner, lang: Lang) -> String {
        self.message.sentence(names, lang)
    }
}

/// What a rule is given: one process and the names.
pub(crate) struct Subject<'a> {
    pub(crate) number: usize,
    pub(crate) process: &'a Process,
    pub(crate) names: &'a Interner,
}

impl Subject<'_> {
    fn finding(
        &self,
        rule: &'static Rule,
        severity: Severity,
        message: impl Say + 'static,
        evidence: impl IntoIterator<Item = Evidence>,
    ) -> Finding {
        Finding {
            rule,
            severity,
            process: self.number,
            message: Box::new(message),
            evidence: evidence.into_iter().collect(),
        }
    }

    /// The named absence of `text` in this process.
    fn absent(&self, text: &'static str) -> Evidence {
        Evidence::Absent { text, lines: self.process.lines.all() }
    }
}

type Check = fn(&Subject<'_>, &mut Vec<Finding>);

/// All rule families: their rules and the function that runs them.
const FAMILIES: &[(&[Rule], Check)] = &[
    (completeness::RULES, completeness::check),
    (component::RULES, component::check),
    (class::RULES, class::check),
    (static_graph::RULES, static_graph::check),
    (layout::RULES, layout::check),
    (zero_copy::RULES, zero_copy::check),
    (pool::RULES, pool::check),
    (stomp::RULES, stomp::check),
    (host_leak::RULES, host_leak::check),
];

type WholeCheck = fn(&Analysis, &mut Vec<Finding>);

/// Rule families that look at all processes together.
const WHOLE_FAMILIES: &[(&[Rule], WholeCheck)] = &[(first_cause::RULES, first_cause::check)];

/// All rules, family by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let single = FAMILIES.iter().map(|(rules, _)| *rules);
    single.chain(WHOLE_FAMILIES.iter().map(|(rules, _)| *rules)).flatten()
}

/// Runs every rule; the findings in the order in which to look at them: by severity, then by rule.
pub fn run(analysis: &Analysis) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, process) in analysis.processes.iter().enumerate() {
        let subject = Subject { number, process, names: &analysis.names };
        for (_, check) in FAMILIES {
            check(&subject, &mut findings);
        }
    }
    for (_, check) in WHOLE_FAMILIES {
        check(analysis, &mut findings);
    }
    findings.sort_by_key(|f| (f.severity, f.process, f.rule.code));
    findings
}

/// Runs the rules on tables alone: addresses and blocks that can't be right (`gemlens check`).
pub fn tables(analysis: &Analysis) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, process) in analysis.processes.iter().enumerate() {
        let subject = Subject { number, process, names: &analysis.names };
        layout::check(&subject, &mut findings);
        stomp::check(&subject, &mut findings);
    }
    findings
}

/// Runs the rules on stomping alone (`gemlens stomp`).
pub fn stomping(analysis: &Analysis) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, process) in analysis.processes.iter().enumerate() {
        stomp::check(&Subject { number, process, names: &analysis.names }, &mut findings);
    }
    findings
}
