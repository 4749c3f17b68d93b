//! Questions without a log: the answer is what to collect, never a conclusion.

use gemlens_core::check::triage::{answer, triage};
use gemlens_core::say::Lang;
use gemlens_core::say::codes::{Key, TABLE};
use gemlens_core::say::collect::{Job, job, steps};

#[track_caller]
fn check(question: &str, has: &[&str], has_not: &[&str]) {
    for lang in [Lang::En, Lang::Zh] {
        let answer = answer(question, lang);
        for part in has {
            assert!(answer.contains(part), "`{part}` is not in:\n{answer}");
        }
        for part in has_not {
            assert!(!answer.contains(part), "`{part}` is in:\n{answer}");
        }
    }
}

#[test]
fn memory_too_high_asks_which_memory_and_says_what_to_collect() {
    check("the memory is too high", &["npu-smi", "RSS", "ASCEND_GLOBAL_LOG_LEVEL=1", "valgrind"], &[]);
    check("内存占用太高", &["npu-smi", "RSS", "ASCEND_GLOBAL_LOG_LEVEL=1"], &[]);
    assert_eq!(triage("the memory is too high").job, None);
    assert!(answer("the memory is too high", Lang::En).contains("Device memory or host memory?"));
}

#[test]
fn host_growth_gets_host_tools_and_no_driver_statistics() {
    let host_only = ["devmm", "svm_mem_stats_show", "npu-smi", "ASCEND_GLOBAL_LOG_LEVEL", "HCCL"];
    check("RSS in top grows with every request", &["TMT", "AddressSanitizer", "valgrind"], &host_only);
    check("主机内存一直增长", &["TMT", "AddressSanitizer", "valgrind"], &host_only);
}

#[test]
fn a_leak_that_is_only_claimed_is_not_confirmed() {
    check("there is a leak", &["npu-smi", "ASCEND_GLOBAL_LOG_LEVEL=1"], &[]);
    assert!(answer("there is a device leak", Lang::En).starts_with("Nothing here proves a leak"));
    assert!(answer("设备内存泄漏", Lang::Zh).starts_with("目前没有任何依据证明存在泄漏"));
    assert!(!answer("device memory is high", Lang::En).contains("leak"));
}

#[test]
fn addresses_need_both_switches() {
    check("which address did Add_1 get", &["GE_DAVINCI_MODEL_PROFILING=2", "ASCEND_GLOBAL_LOG_LEVEL=1"], &[]);
}

#[test]
fn every_job_has_its_steps_in_both_languages() {
    for of in Job::ALL {
        let (english, chinese) = (steps(*of, Lang::En), steps(*of, Lang::Zh));
        assert_eq!(english.len(), chinese.len());
        assert_ne!(job(*of, Lang::En), job(*of, Lang::Zh));
        for (en, zh) in english.iter().zip(&chinese) {
            assert_eq!(en.command, zh.command);
            assert!(en.what.is_ascii() && zh.what.chars().any(|c| c > '\u{2e7f}') || en.what == zh.what);
        }
    }
}

#[test]
fn every_code_is_explained_once() {
    for (number, entry) in TABLE.iter().enumerate() {
        assert!(TABLE.iter().skip(number + 1).all(|other| other.key != entry.key), "{:?}", entry.key);
        assert!(!entry.text(Lang::En).is_empty() && !entry.text(Lang::Zh).is_empty());
    }
    let named = |code| TABLE.iter().any(|entry| entry.key == Key::Named(code));
    for code in ["EL0003", "EL0004", "EL0005", "EL0018", "EL0019", "EE1001", "E19999", "E19022"] {
        assert!(named(code), "{code}");
    }
}
