//! Prints the rows of one run of one case: the truth's to `real.txt`, the replay's to `replay.txt`.
use gemlens_core::replay::Replayer;
use gemlens_tests::oracle;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let root = oracle::full().expect("the full set");
    for case in oracle::cases(&root).iter().filter(|case| case.name == args[1]) {
        let model = case.model();
        let replayer = Replayer::new(&model).expect("replayable");
        for run in case.runs(&model).iter().filter(|run| run.name == args[2]) {
            let replayed = replayer.run(&run.options);
            std::fs::write("/tmp/real.txt", run.rows.join("\n")).unwrap();
            std::fs::write("/tmp/replay.txt", oracle::shown_rows(&replayed).join("\n")).unwrap();
            println!("{:?}\n{:?}", replayed.candidates, run.candidates);
        }
    }
}
