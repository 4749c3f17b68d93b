use gemlens_core::replay::*;
use gemlens_tests::oracle;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let root = oracle::full().expect("the full set");
    for case in oracle::cases(&root).iter().filter(|case| case.name.contains(&args[1])) {
        let text = case.text();
        for _ in 0..2 {
        let t = Instant::now();
        let model = gemlens_core::graph::read(text.as_bytes(), Default::default()).unwrap();
        let read = t.elapsed();
        let replayer = Replayer::new(&model).unwrap();
        let linked = t.elapsed();
        let mut each = vec![];
        for mp in [false, true] {
            for topo in [Topo::Bfs, Topo::Dfs, Topo::Rdfs, Topo::StableRdfs] {
                let t = Instant::now();
                replayer.run(&Options { topo, memory_priority: mp, ..Options::default() });
                each.push(t.elapsed().as_millis());
            }
        }
        println!("{} {} bytes, read {:?}, linked {:?}, all {:?} {:?}", case.name, text.len(), read, linked, t.elapsed(), each);
        }
    }
}
