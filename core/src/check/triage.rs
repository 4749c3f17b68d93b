//! Which of the jobs a question is about, when no log says it (analysis rules, R0.1).

use alloc::string::String;

use crate::say::Lang;
use crate::say::collect::{self, Job};

/// What a question says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triage {
    /// The job; `None` where the question leaves open whether it is about device or host memory.
    pub job: Option<Job>,
    /// It claims a leak, which no question proves.
    pub claims_leak: bool,
}

/// Words of each job, the most particular job first.
const WORDS: &[(Job, &[&str])] = &[
    (Job::Stomping, &["stomp", "overwrit", "precision", "accuracy", "nan", "踩", "精度", "被改写"]),
    (Job::Addresses, &["address", "user_addr", "logical_addr", "zero copy", "zero-copy", "地址", "零拷贝"]),
    (Job::HostMemory, &["host", "rss", "top", "malloc", "valgrind", "asan", "主机", "内存条", "进程内存"]),
    (Job::DynamicPool, &["dynamic", "pool", "fragment", "rt2", "动态", "内存池", "碎片"]),
    (Job::DeviceMemory, &["device", "npu", "hbm", "npu-smi", "card", "devmm", "设备", "显存", "卡"]),
];

/// Reads a question by its words.
pub fn triage(question: &str) -> Triage {
    let question = question.to_lowercase();
    let job =
        WORDS.iter().find(|(_, words)| words.iter().any(|word| has(&question, word))).map(|(job, _)| *job);
    let claims_leak = ["leak", "泄漏", "泄露"].iter().any(|word| question.contains(word));
    Triage { job, claims_leak }
}

/// Whether the text has the word; an English word must start where a word starts, and a short one
/// must end there too.
fn has(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return text.contains(word);
    }
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut from = 0;
    while let Some(hit) = text.get(from..).and_then(|rest| rest.find(word)) {
        let at = from + hit;
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|t| t.chars().next());
        if !is_letter(before) && (word.len() > 4 || !is_letter(behind)) {
            return true;
        }
        from = at + word.len();
    }
    false
}

/// What to answer to a question without a log, in full.
pub fn answer(question: &str, lang: Lang) -> String {
    let triage = triage(question);
    collect::answer(triage.job, triage.claims_leak, lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, job: Option<Job>, claims_leak: bool) {
        assert_eq!(triage(question), Triage { job, claims_leak });
    }

    #[test]
    fn a_question_names_its_job_or_leaves_it_open() {
        check("memory is too high", None, false);
        check("内存太高了", None, false);
        check("npu-smi shows 60 GB of HBM", Some(Job::DeviceMemory), false);
        check("RSS in top grows with every step", Some(Job::HostMemory), false);
        check("host 内存一直增长，是不是泄漏", Some(Job::HostMemory), true);
        check("we have a leak", None, true);
        check("precision changes when reuse is off", Some(Job::Stomping), false);
        check("which address did the operator get", Some(Job::Addresses), false);
        check("动态 shape 的内存池", Some(Job::DynamicPool), false);
    }

    #[test]
    fn a_word_inside_another_does_not_count() {
        check("stop using so much memory", None, false);
        check("a ghost in the discard pile", None, false);
    }
}
