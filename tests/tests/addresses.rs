//! Args tables, zero copy and launches that the real classes printed: every slot, round and launch
//! must come out as it was driven.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gemlens_core::resolve::args_table::{self, Role};
use gemlens_core::resolve::launch;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::units::{Address, Bytes};
use gemlens_tests::{content, data, files, shared};
use serde_json::Value as Json;

fn analyse(log: &Path, chunk: usize) -> Analysis {
    let mut session = Session::new();
    let source = session.add_source(&log.display().to_string(), "");
    for part in content(log).chunks(chunk) {
        session.feed(source, part);
    }
    session.finish()
}

fn truth(path: &Path) -> Vec<Json> {
    let text = String::from_utf8(content(path)).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("truth line")).collect()
}

fn word(json: &Json) -> &str {
    json.as_str().expect("text")
}

fn count(json: &Json) -> u64 {
    json.as_u64().expect("number")
}

fn rows_of(json: &Json) -> &Vec<Json> {
    json.as_array().expect("list")
}

fn hex(json: &Json) -> u64 {
    u64::from_str_radix(word(json).trim_start_matches("0x"), 16).expect("hex")
}

/// Logs of a folder with their truth.
fn pairs(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let all = files(folder);
    let of = |log: &PathBuf| {
        let name = log.file_name()?.to_str()?.strip_suffix(".log.gz")?.to_string();
        let is_truth = |p: &&PathBuf| {
            p.file_name().and_then(|n| n.to_str()).is_some_and(|n| {
                n.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(".truth.jsonl"))
            })
        };
        Some((log.clone(), all.iter().find(is_truth)?.clone()))
    };
    all.iter().filter_map(of).collect()
}

#[derive(Debug, Default, PartialEq)]
struct Compared {
    slots: usize,
    values: usize,
    rounds: usize,
    differences: usize,
}

fn check_args(log: &Path, truth_file: &Path) -> Compared {
    let name = log.display().to_string();
    let analysis = analyse(log, usize::MAX);
    let names = &analysis.names;
    let tables: Vec<_> =
        analysis.processes.iter().flat_map(|process| args_table::tables(process, names)).collect();
    assert_eq!(tables.len(), 1, "{name}");
    let table = &tables[0];
    let mut rounds: BTreeMap<u32, args_table::RoundState<'_>> = BTreeMap::new();
    table.each_round(&mut |state| {
        if let Some(number) = state.number {
            rounds.insert(number, state.clone());
        }
    });
    let truth = truth(truth_file);
    let mut compared = Compared::default();
    let head = &truth[0];
    assert_eq!(table.args.model, head["model_id"].as_u64());
    assert_eq!(names.get(table.args.name), word(&head["graph"]));
    let args_table = table.args.table().expect("args table");
    assert_eq!(args_table.base.0, hex(&head["args_table_dev"]));
    assert!(args_table.size.is_some_and(|size| size.0 <= count(&head["args_table_len"])), "{name}");
    let truth_slots: Vec<&Json> = truth.iter().filter(|row| row.get("slot").is_some()).collect();
    for row in truth.iter().filter(|row| row.get("alloc_id").is_some()) {
        let id = count(&row["alloc_id"]);
        let known = table.args.allocations.iter().find(|a| u64::from(a.id) == id).expect("allocation");
        let got = (known.kind.word(), known.index, known.logical.0, known.size.0);
        let wanted =
            (word(&row["type"]), count(&row["index_in_type"]), hex(&row["logical"]), count(&row["size"]));
        assert_eq!(got, wanted, "{name} allocation {id}");
    }
    for row in &truth_slots {
        let number = count(&row["slot"]) as u32;
        let slot = table.slots.iter().find(|s| s.number == Some(number)).expect("slot");
        let role = match slot.role {
            Role::Io(io, index) => format!("{}{index}", io.word()),
            other => format!("{other:?}"),
        };
        let got =
            (names.get(slot.op), names.get(slot.op_type), role.as_str(), slot.logical, slot.id, slot.offset);
        let wanted = (
            word(&row["op"]),
            word(&row["type"]),
            word(&row["io"]),
            Some(Address(hex(&row["logical"]))),
            count(&row["id"]) as u32,
            hex(&row["offset"]),
        );
        assert_eq!(got, wanted, "{name} slot {number}");
        let got = (slot.allocation.map(|a| a.kind.word()), slot.refreshable, slot.is_backed());
        let wanted = (
            row["in_allocation"].as_str(),
            row["refreshable"].as_u64().map(|n| n == 1),
            row["backed"].as_bool(),
        );
        assert_eq!(got, wanted, "{name} slot {number}");
        compared.slots += 1;
    }
    assert_eq!(table.slots.iter().filter(|s| s.role != Role::Other).count(), truth_slots.len(), "{name}");
    let truth_rounds: Vec<&Json> = truth.iter().filter(|row| row.get("round").is_some()).collect();
    assert_eq!(rounds.len(), truth_rounds.len(), "{name}");
    for row in truth_rounds {
        let number = count(&row["round"]) as u32;
        let state = &rounds[&number];
        assert_eq!(names.get(state.round.policy), word(&row["policy"]), "{name} round {number}");
        let user = |is_input| state.round.users.iter().filter(move |u| u.is_input == is_input);
        if !state.round.users.is_empty() {
            let got: Vec<_> = user(true).map(|u| (u.user.0, u64::from(u.copy_host))).collect();
            let wanted: Vec<_> =
                rows_of(&row["inputs"]).iter().map(|i| (hex(&i["user"]), count(&i["host"]))).collect();
            assert_eq!(got, wanted, "{name} round {number} inputs");
            let got: Vec<_> = user(false).map(|u| u.user.0).collect();
            let is_copied = |n: usize| table.args.copied_outputs.iter().any(|c| c.index == n as u64);
            let outputs = rows_of(&row["outputs"]).iter().enumerate();
            let wanted: Vec<_> =
                outputs.filter(|(n, _)| !is_copied(*n)).map(|(_, o)| hex(&o["user"])).collect();
            assert_eq!(got, wanted, "{name} round {number} outputs");
        } else {
            let has_user_memory = table.args.allocations.iter().any(|a| a.kind.is_user_memory());
            assert!(!has_user_memory, "{name} round {number}: no user lines");
        }
        let bases: Vec<u64> = rows_of(&row["active_bases"]).iter().map(hex).collect();
        for (id, base) in bases.iter().enumerate() {
            assert_eq!(state.base(id as u32), Some(Address(*base)), "{name} round {number} id {id}");
        }
        let skipped = row["skipped_slot"].as_i64().expect("in the truth");
        for slot in &truth_slots {
            let number_of_slot = count(&slot["slot"]);
            let wanted = Address(bases[count(&slot["id"]) as usize] + hex(&slot["offset"]));
            let resolved =
                table.slots.iter().find(|s| s.number == Some(number_of_slot as u32)).expect("in the truth");
            let value = state.value(resolved).expect("value");
            assert_eq!(value.host, wanted, "{name} round {number} slot {number_of_slot}");
            // Only a table that was read back can show that the device has another value.
            let is_seen = skipped == number_of_slot as i64 && state.round.printed > 0;
            assert_eq!(value.device != value.host, is_seen, "{name} round {number} slot {number_of_slot}");
            compared.differences += usize::from(is_seen);
            compared.values += 1;
        }
        compared.rounds += 1;
    }
    compared
}

fn check_launches(log: &Path, truth_file: &Path, chunk: usize) -> usize {
    let name = log.display().to_string();
    let analysis = analyse(log, chunk);
    let names = &analysis.names;
    let launches = &analysis.processes[0].launches;
    let truth = truth(truth_file);
    assert_eq!(launches.launches.len(), truth.len(), "{name}");
    let steps = launch::steps(launches);
    for (number, (got, wanted)) in launches.launches.iter().zip(&truth).enumerate() {
        let kernel = launch::kernel(names.get(got.kernel));
        assert_eq!(names.get(got.kernel), word(&wanted["kernel"]));
        assert_eq!((kernel.op, kernel.kind), (word(&wanted["op"]), word(&wanted["kind"])));
        let step = steps[got.step as usize].step.number;
        assert_eq!(u64::from(step), count(&wanted["step"]), "{name} launch {number}");
        let list = |key: &str| -> Vec<(u64, u64)> {
            let rows = rows_of(&wanted[key]).iter();
            rows.map(|p| (hex(&p["addr"]), count(&p["size"]))).collect()
        };
        let arguments = launch::arguments(got);
        let pick = |is: fn(launch::Role) -> bool| -> Vec<(u64, u64)> {
            let wanted = arguments.iter().filter(|a| is(a.role));
            wanted.map(|a| (a.pointer.address.0, a.pointer.size.unwrap_or_default().0)).collect()
        };
        let inputs = pick(|role| matches!(role, launch::Role::Input(_)));
        let outputs = pick(|role| matches!(role, launch::Role::Output(_)));
        let workspaces: Vec<u64> =
            pick(|role| matches!(role, launch::Role::Workspace(_))).into_iter().map(|p| p.0).collect();
        assert_eq!(inputs, list("inputs"), "{name} launch {number}");
        assert_eq!(outputs, list("outputs"), "{name} launch {number}");
        let wanted_workspaces: Vec<u64> = list("workspaces").into_iter().map(|p| p.0).collect();
        assert_eq!(workspaces, wanted_workspaces, "{name} launch {number}");
        assert_eq!(got.block_dim, wanted["block_dim"].as_u64());
        assert_eq!(got.task.map(|t| t.1), wanted["task_id"].as_u64());
        assert_eq!(got.tiling.map(|t| t.0), wanted["tiling_bytes"].as_u64(), "{name} launch {number}");
        assert_eq!(Some(got.failed), wanted["failed"].as_bool());
    }
    for (view, number) in steps.iter().zip(0u64..) {
        let of_step = || truth.iter().filter(|row| row["step"].as_u64() == Some(number));
        let largest = |keys: &[&str]| {
            of_step()
                .flat_map(|row| keys.iter().flat_map(|key| rows_of(&row[*key])))
                .filter_map(|p| p["size"].as_u64())
                .max()
                .map(Bytes)
        };
        assert_eq!(view.gear, largest(&["inputs", "outputs"]));
        assert_eq!(view.largest_output, largest(&["outputs"]));
        // The producer of an input is the last launch of the step that wrote there.
        for (place, arguments) in launch::step_arguments(launches, view) {
            for argument in arguments.iter().filter(|a| matches!(a.role, launch::Role::Input(_))) {
                let writes = |row: &Json| {
                    rows_of(&row["outputs"]).iter().any(|o| {
                        let begin = hex(&o["addr"]);
                        (begin..begin + count(&o["size"])).contains(&argument.pointer.address.0)
                    })
                };
                let first = view.launches[0];
                let wanted = (first..place).rev().find(|&p| writes(&truth[p]));
                assert_eq!(argument.producer, wanted, "{name} launch {place}");
            }
        }
    }
    truth.len()
}

#[test]
fn shipped_args_tables_are_as_driven() {
    let mut total = Compared::default();
    for (log, truth) in pairs(&data().join("addresses/args")) {
        let compared = check_args(&log, &truth);
        total.slots += compared.slots;
        total.values += compared.values;
        total.rounds += compared.rounds;
        total.differences += compared.differences;
    }
    println!("{total:?}");
    assert!(total.slots > 300 && total.differences == 4, "{total:?}");
}

#[test]
fn all_args_tables_are_as_driven() {
    let Some(folder) = shared("oracle/addresses/args") else { return };
    let mut total = Compared::default();
    for (log, truth) in pairs(&folder) {
        let compared = check_args(&log, &truth);
        total.slots += compared.slots;
        total.values += compared.values;
        total.rounds += compared.rounds;
        total.differences += compared.differences;
    }
    println!("{total:?}");
    assert!(total.slots > 4500, "{total:?}");
}

#[test]
fn launches_are_as_driven() {
    let folder = data().join("addresses/launch");
    let [(log, truth)] = &pairs(&folder)[..] else { panic!("one pair in {}", folder.display()) };
    assert_eq!(check_launches(log, truth, usize::MAX), 198);
    assert_eq!(check_launches(log, truth, 777), 198);
}
