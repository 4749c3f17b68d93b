//! What is said about addresses: findings, tables and `whose`, on logs of the real classes and on
//! lines composed from the grammar.

use gemlens_core::check;
use gemlens_core::report::{Document, Query, args, launches, markdown, whose};
use gemlens_core::resolve::launch;
use gemlens_core::resolve::notation::{At, parse};
use gemlens_core::resolve::whose::{What, When, whose as look_up};
use gemlens_core::say::Lang;
use gemlens_core::session::{Analysis, Session};
use gemlens_core::span::Span;
use gemlens_tests::{content, data};

fn analyse(text: &[u8]) -> Analysis {
    let mut session = Session::new();
    let source = session.add_source("a.log", "");
    session.feed(source, text);
    session.finish()
}

fn log(name: &str) -> String {
    let bytes = content(&data().join("addresses").join(name));
    String::from_utf8(bytes).expect("text")
}

/// Codes of findings about dispatched addresses, and their sentences.
fn findings(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let all = check::run(analysis);
    for finding in &all {
        assert!(!finding.evidence.is_empty(), "{finding:?}");
    }
    all.iter()
        .filter(|f| f.rule.code.starts_with("GEM041"))
        .map(|f| (f.rule.code, f.sentence(&analysis.names, Lang::En)))
        .collect()
}

fn text(document: &Document, lang: Lang) -> String {
    markdown::document(document, lang, &|_: Span| String::new(), &|_: Span| None)
}

#[test]
fn the_users_address_is_dispatched_and_the_logical_one_is_a_placeholder() {
    let analysis = analyse(log("args/mlp_prof2.log.gz").as_bytes());
    let got = findings(&analysis);
    let codes: Vec<&str> = got.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["GEM0412", "GEM0415", "GEM0416"], "{got:?}");
    assert_eq!(
        got[0].1,
        "In round 7 the device had 0x12c300000000 for slot 48 (cast_in input[0]), the host 0x12c360000000."
    );
    // The last round's value on the device, where the read-back shows that the refresh was missed.
    assert_eq!(
        got[2].1,
        "2 slots are zero copy: slot 48 (cast_in input[0]) got the user's 0x12c300000000; its logical address 0x12c080502800 is a placeholder without memory."
    );
    let document = args::document(&analysis, &check::run(&analysis), &Query::default());
    let page = text(&document, Lang::En);
    for part in [
        "| 1 | 48 | cast_in | input_0 | 0x12c300000000 0x12c310000000 0x12c320000000 |",
        "0x12c080502800 | unbacked | INPUT 1+0x0 | 1 | [Input] index:0 = 0x12c360000000",
        "1 differ on the device",
        "no_need_update",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[test]
fn a_placeholder_among_dispatched_values_is_an_error() {
    let whole = log("args/mlp_prof2.log.gz");
    let good = "args index is:48, model args host tensor data addr is:0x12c310000000";
    let bad = "args index is:48, model args host tensor data addr is:0x12c080502800";
    assert!(whole.contains(good));
    let got = findings(&analyse(whole.replacen(good, bad, 1).as_bytes()));
    assert_eq!(got[0].0, "GEM0411", "{got:?}");
    assert!(
        got[0].1.starts_with("Round 2 dispatched 0x12c080502800 for slot 48 (cast_in input[0])"),
        "{got:?}"
    );
    // The user may really have memory there: then his line says so.
    let users = whole.replace("0x12c310000000", "0x12c080502800");
    assert!(findings(&analyse(users.as_bytes())).iter().all(|(code, _)| *code != "GEM0411"));
}

#[test]
fn memory_behind_the_logical_address_makes_it_no_placeholder() {
    let whole = log("args/mlp_prof2.log.gz");
    let line = |need: &str| {
        format!(
            "[INFO] GE(18836,python3):2026-11-29-21:15:59.899.000 [davinci_model.cc:618]18836 InitFeatureMapAndP2PMem:Model 1 need {need}/6056448 for feature-map without zero-copyable memory\n{whole}"
        )
    };
    let has = |text: &str| findings(&analyse(text.as_bytes())).iter().any(|(code, _)| *code == "GEM0416");
    assert!(has(&line("4228608")));
    assert!(!has(&line("6056448")));
}

#[test]
fn a_switch_that_was_off_is_named_and_nothing_is_made_up() {
    let analysis = analyse(log("args/mlp_prof0.log.gz").as_bytes());
    let all = check::run(&analysis);
    let off = all.iter().find(|f| f.rule.code == "GEM0414").expect("finding");
    for lang in [Lang::En, Lang::Zh] {
        let remedy = off.message.remedies(lang).join(" ");
        assert!(
            remedy.contains("GE_DAVINCI_MODEL_PROFILING=2") && remedy.contains("ASCEND_GLOBAL_LOG_LEVEL=1")
        );
    }
    assert!(off.message.meaning(Lang::En).contains("can't be completed afterwards"));
    let on = findings(&analyse(log("args/mlp_prof2_h2d_no_refresh_kernel.log.gz").as_bytes()));
    assert!(on.iter().any(|(code, _)| *code == "GEM0418"), "{on:?}");
    assert!(on.iter().all(|(code, _)| *code != "GEM0414"));
}

#[test]
fn a_buffer_that_is_too_small() {
    let line = "Check output size failed, index 0, user size 1024064, op size 2048000.[FUNC:CheckIoReuse][FILE:davinci_model.cc][LINE:4242]";
    let got = findings(&analyse(line.as_bytes()));
    assert_eq!(got.len(), 1, "{got:?}");
    assert_eq!(got[0].0, "GEM0413");
}

#[test]
fn launches_without_the_pointer_counts_are_not_split() {
    let whole = log("launch/decoder.log.gz");
    let kept: Vec<&str> = whole.lines().filter(|line| !line.contains("Launch args-args")).collect();
    let analysis = analyse(kept.join("\n").as_bytes());
    let all = &analysis.processes[0].launches;
    assert_eq!((all.launches.len(), all.steps.len()), (198, 6));
    let arguments = launch::arguments(&all.launches[0]);
    assert_eq!(arguments.len(), 3);
    assert!(arguments.iter().all(|a| matches!(a.role, launch::Role::Unsplit(_))));
    assert!(launch::steps(all).iter().all(|view| view.gear.is_some() && view.largest_output.is_none()));
    let got = findings(&analysis);
    assert_eq!(got.len(), 1);
    assert_eq!(got[0].0, "GEM0417");
    let page = text(&launches::document(&analysis, &Query { top: Some(3), ..Query::default() }), Lang::En);
    assert!(page.contains("in/out_0 | 0x12c0a1a10000") && !page.contains("input_0"), "{page}");
}

#[test]
fn an_operator_seen_again_starts_a_step_where_no_mark_does() {
    let whole = log("launch/decoder.log.gz");
    let kept: Vec<&str> = whole.lines().filter(|line| !line.contains("model tracing")).collect();
    let analysis = analyse(kept.join("\n").as_bytes());
    let launches = &analysis.processes[0].launches;
    assert_eq!(launches.steps.len(), 6);
    assert!(launch::steps(launches).iter().all(|view| view.launches.len() == 33));
}

/// A list that GE splits, wherever the border falls, is the list in one line.
#[test]
fn long_lists_are_put_together_wherever_they_are_torn() {
    for count in [40, 41, 55, 60, 90] {
        for shift in 0..24 {
            let front = format!("[KernelTrace][LaunchKernelWithHandle_{}_3]", "a".repeat(1 + shift));
            let addresses: String = (0..count).map(|n| format!("0x12c0{:08x} ", n * 0x1_0203)).collect();
            let sizes: String = (0..count).map(|n| format!("{} ", 512 + n * 77)).collect();
            let body = format!("Input/Output addresses: {addresses}, Input/Output sizes: {sizes}");
            let head = "[INFO] GE(1,p):2026-11-29-21:05:50.932.425 [executor_tracer.cc:74]1 OnExecuteEvent:";
            let mut text = String::new();
            for piece in body.as_bytes().chunks(874 - front.len()) {
                text += &format!("{head}{front}{}\n", std::str::from_utf8(piece).expect("ascii"));
            }
            text += &format!("{head}{front}No workspaces\n{head}{front}0x12c000 0 0x34\n");
            let analysis = analyse(text.as_bytes());
            let all = &analysis.processes[0].launches.launches;
            assert_eq!(all.len(), 1, "{count} {shift}");
            let got: Vec<(u64, u64)> =
                all[0].pointers.iter().flatten().map(|p| (p.address.0, p.size.expect("size").0)).collect();
            let wanted: Vec<(u64, u64)> =
                (0..count).map(|n| (0x12c0_0000_0000 + n * 0x1_0203, 512 + n * 77)).collect();
            assert_eq!(got, wanted, "{count} {shift}");
        }
    }
}

#[test]
fn whose_knows_operators_slots_and_users() {
    let analysis = analyse(log("args/mlp_prof2.log.gz").as_bytes());
    let ask = |text: &str, at: Option<&str>| {
        let at = at.map(|at| At::parse(at).expect("moment"));
        look_up(&analysis.processes, &analysis.names, parse(text).expect("address"), at)
    };
    let names = &analysis.names;
    // A byte of the feature map: every operator that used it, in the order of their lives.
    for text in ["0x12c080200400", "12c080200400", "20617992602624", "F+0x200400", "0x12c080000000+0x200400"]
    {
        let found = ask(text, None);
        assert_eq!(found.len(), 1, "{text}");
        let ops: Vec<&str> = found[0]
            .tenants
            .iter()
            .filter_map(|t| match t.piece.what {
                What::Block { op, .. } => Some(names.get(op)),
                _ => None,
            })
            .collect();
        assert_eq!(ops, ["cast_in", "fc1/Gelu", "fc2/Gelu", "fc4/MatMulV2"], "{text}");
    }
    let found = ask("F+0x200400", None);
    let below = found[0].tenants[0].below.expect("neighbour");
    assert!(
        matches!(below.piece.what, What::Block { op, .. } if names.get(op) == "fc1/MatMulV2"),
        "{below:?}"
    );
    // A slot of the args table itself.
    let found = ask("0x12c180000180", None);
    let is_slot =
        |what: &What| matches!(what, What::Slot { slot: 48, op, .. } if names.get(*op) == "cast_in");
    assert!(found[0].holders.iter().any(|piece| is_slot(&piece.what)), "{found:?}");
    // Memory of the user, in its rounds.
    let rounds = |at| {
        let found = ask("0x12c310000010", at);
        found.iter().flat_map(|f| &f.holders).find_map(|piece| match piece.what {
            What::User { rounds, .. } => Some(rounds),
            _ => None,
        })
    };
    assert_eq!(rounds(None), Some((2, 3)));
    assert_eq!(rounds(Some("3")), Some((3, 3)));
    assert_eq!(rounds(Some("4")), None);
    // A placeholder is said to be one.
    let page = |asked: &str, lang| {
        text(&whose::document(&analysis, asked, None, &Query { lang, ..Query::default() }), lang)
    };
    assert!(page("0x12c080502800", Lang::En).contains("a placeholder without memory"));
    assert!(page("0x12c080502800", Lang::Zh).contains("占位"));
    assert!(page("0x1", Lang::En).starts_with("No line gives 0x1 to anybody"));
    assert!(page("foo", Lang::En).contains("is no address"));
}

#[test]
fn whose_tells_tenants_of_steps_apart() {
    let analysis = analyse(log("launch/decoder.log.gz").as_bytes());
    let ask = |at: &str| {
        let asked = parse("0x12c0c0500210").expect("address");
        look_up(&analysis.processes, &analysis.names, asked, At::parse(at))
    };
    let found = ask("1");
    let of = |when| found[0].tenants.iter().filter(|t| t.when == Some(when)).count();
    assert!(
        of(When::Then) > 0 && of(When::Then) + of(When::Earlier) + of(When::Later) == found[0].tenants.len()
    );
    assert!(found[0].tenants.iter().all(|t| t.below.is_some() && t.above.is_some()));
    let late = ask("23:59:59");
    assert!(late[0].tenants.iter().all(|t| t.when.is_some()));
}

/// Two blocks one after the other at one address, each behind a launch.
#[test]
fn a_launch_shows_the_pool_block_that_was_handed_out_then() {
    let pool = |rest: &str| {
        format!(
            "[INFO] GE(1,p):2026-08-21-10:04:07.024.386 [scalable_allocator.cc:511]7 [allocator_3] {rest}\n"
        )
    };
    let taken = |size: u32| {
        let size = format!("size:{size} allocate_size:65536 mem_addr:0x12c0c0000000");
        pool(&format!("Alloc:Malloc block device_id:0 {size}. span addr 0xfffd08012340"))
    };
    let back = pool(
        "Free:Free block device_id:0 theory_size_:0 theory_min_size_:65536 allock_size:65536 mem_addr:0x12c0c0000000.",
    );
    let launched = |op: &str, address: &str| {
        let head = "[INFO] GE(1,p):2026-08-21-10:04:07.028.770 [executor_tracer.cc:73]7 OnExecuteEvent:";
        format!(
            "{head}[KernelTrace][LaunchKernelWithHandle_{op}_3]Input/Output addresses: {address} , Input/Output sizes: 512 \n"
        )
    };
    let lines = [
        taken(544),
        launched("A", "0x12c0c0000200"),
        back.clone(),
        launched("B", "0x12c0c0000200"),
        taken(1024),
        launched("C", "0x12c0c0000000"),
    ]
    .concat();
    let analysis = analyse(lines.as_bytes());
    let process = &analysis.processes[0];
    let blocks = launch::pool_blocks(&process.launches, &process.pools);
    let asked: Vec<Option<u64>> = blocks.iter().map(|b| b[0].map(|b| b.block.asked.0)).collect();
    assert_eq!(asked, [Some(544), None, Some(1024)]);
    let page = text_of_launches(&analysis);
    assert!(page.contains("ge_3 0x12c0c0000000+0x200"), "{page}");
    let found =
        look_up(&analysis.processes, &analysis.names, parse("0x12c0c0000210").expect("address"), None);
    let owners = found[0].tenants.iter().filter(|t| matches!(t.piece.what, What::PoolBlock { .. })).count();
    assert_eq!(owners, 2, "{found:?}");
}

fn text_of_launches(analysis: &Analysis) -> String {
    text(&launches::document(analysis, &Query::default()), Lang::En)
}
