//! Laws that hold for any graph: replays of graphs made here are sound and repeatable, tuning sorts, and
//! damaged dumps never break anything.

use std::fmt::Write as _;

use gemlens_core::graph::{self, Model};
use gemlens_core::replay::{Options, Replayer, Topo, legality, tune};
use gemlens_core::span::SourceId;
use gemlens_tests::oracle;

/// xorshift64: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A dump of a random graph: one Data, operators with up to three inputs and two outputs on up to three
/// streams, workspaces, and a NetOutput.
fn dump(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (count, streams) = (5 + random.below(60), 1 + random.below(3));
    let mut text = String::from("graph {\n  name: \"random\"\n");
    let mut outputs: Vec<String> = Vec::new();
    for id in 0..count {
        let (kind, engine) = match id {
            0 => ("Data", "DNN_VM_GE_LOCAL_OP_STORE"),
            _ => ("Add", "AIcoreEngine"),
        };
        let _ = writeln!(text, "  op {{\n    name: \"n{id}\"\n    type: \"{kind}\"");
        if id > 0 {
            for _ in 0..=random.below(3) {
                let from = outputs.len() as u64 - 1 - random.below(outputs.len().min(12) as u64);
                let _ = writeln!(text, "    input: \"{}\"", outputs[from as usize]);
            }
        }
        let _ = writeln!(
            text,
            "    attr {{ key: \"_ge_attr_op_kernel_lib_name\" value {{ s: \"{engine}\" }} }}\n    id: {id}\n    \
             stream_id: {}",
            random.below(streams)
        );
        if id > 0 && random.below(3) == 0 {
            let _ = writeln!(text, "    workspace_bytes: {}", 1 + random.below(1 << 16));
        }
        for index in 0..=random.below(2) {
            let magnitude = 4 + random.below(16);
            let bytes = 1 + random.below(1 << magnitude);
            let _ = writeln!(
                text,
                "    output_desc {{ dtype: DT_INT8 shape {{ dim: {bytes} }} size: {} }}",
                bytes.div_ceil(32) * 32 + 32
            );
            outputs.push(format!("n{id}:{index}"));
        }
        text += "  }\n";
    }
    let last = outputs.last().expect("an output");
    let _ = writeln!(
        text,
        "  op {{\n    name: \"out\"\n    type: \"NetOutput\"\n    input: \"{last}\"\n    id: {count}\n  }}\n}}"
    );
    text
}

fn read(text: &str) -> Model {
    graph::read(text.as_bytes(), SourceId(0)).expect("a dump graph")
}

#[test]
fn layouts_are_sound_and_repeatable() {
    for seed in 1..=150 {
        let text = dump(seed);
        let model = read(&text);
        let replayer = Replayer::new(&model).expect("a static graph");
        for topo in [Topo::Bfs, Topo::Dfs, Topo::Rdfs, Topo::StableRdfs, Topo::Dumped] {
            for memory_priority in [false, true] {
                let options = Options { topo, memory_priority, ..Options::default() };
                let replayed = replayer.run(&options);
                let clashes = legality::clashes(&replayer, &options, &replayed);
                assert_eq!(clashes, [], "seed {seed}, {topo:?}, {memory_priority}");
                assert_eq!(replayed.layout.blocks, replayer.run(&options).layout.blocks, "seed {seed}");
                for block in &replayed.layout.blocks {
                    assert!(block.real_size <= block.size && block.offset.0 % 512 == 0, "seed {seed}");
                }
            }
        }
    }
}

#[test]
fn tuning_puts_the_smallest_first() {
    let model = read(&dump(7));
    let replayer = Replayer::new(&model).expect("a static graph");
    let tried = tune::combinations(&replayer, &Options::default());
    assert_eq!(tried.len(), 8);
    assert!(tried.is_sorted_by_key(|combination| combination.after_reuse));
    let (best, worst) = (&tried[0], &tried[7]);
    let (best, worst) = (replayer.run(&best.options), replayer.run(&worst.options));
    let difference: i64 =
        tune::explain(&best, &worst).iter().map(|d| d.second.0 as i64 - d.first.0 as i64).sum();
    assert_eq!(difference, (tried[7].after_reuse.0 - tried[0].after_reuse.0) as i64);
}

#[test]
fn cut_dumps_are_read_and_replayed_as_far_as_they_go() {
    let case = oracle::cases(&oracle::shipped()).into_iter().find(|case| case.name == "graphs/mlp_small");
    let text = case.expect("the shipped case").text();
    for end in (0..text.len()).step_by(997) {
        let Ok(model) = graph::read(&text.as_bytes()[..end], SourceId(0)) else { continue };
        let Ok(replayer) = Replayer::new(&model) else { continue };
        replayer.run(&Options::default());
    }
}
