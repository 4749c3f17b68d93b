//! The replay against the truth of the real allocator: every row, summary and candidate of every run.

use gemlens_tests::oracle::{self, Score};

fn report(score: &Score) {
    let (mut equal, mut all) = (0, 0);
    for (family, (good, runs)) in &score.families {
        println!("{family:20} {good:5} of {runs:5}");
        equal += good;
        all += runs;
    }
    println!("{:20} {equal:5} of {all:5}: {} rows, {} nodes", "together", score.rows, score.nodes);
    let shown = std::env::var("GEMLENS_SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let mut last = "";
    let mut firsts = score.failures.iter().filter(|failure| {
        let case = failure.split(' ').next().unwrap_or_default();
        core::mem::replace(&mut last, case) != case
    });
    for failure in firsts.by_ref().take(shown) {
        println!("{failure}");
    }
}

#[test]
fn the_shipped_set() {
    let score = oracle::score(&oracle::shipped(), "");
    report(&score);
    assert!(score.rows > 50_000, "the shipped truth is incomplete");
    assert!(score.failures.is_empty(), "{} runs differ", score.failures.len());
}

/// `GEMLENS_FILTER` narrows it to cases whose name contains the text.
#[test]
fn the_full_set() {
    let Some(root) = oracle::full() else {
        println!("the full set is not there: only the shipped part was compared");
        return;
    };
    let score = oracle::score(&root, &std::env::var("GEMLENS_FILTER").unwrap_or_default());
    report(&score);
    assert!(score.failures.is_empty(), "{} runs differ", score.failures.len());
}
