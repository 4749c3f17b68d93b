//! The packing engine against brute force, its own laws, and the public instances.
//!
//! Budgets are in steps, so nothing here depends on how fast the machine is.

use std::ops::ControlFlow;

use gemlens_core::replay::bound::minimalloc::{self, HeaderError, RowProblemKind};
use gemlens_core::replay::bound::problem::{Item, Problem, ProblemError};
use gemlens_core::replay::bound::validate::{Flaw, validate};
use gemlens_core::replay::bound::{Budget, End, Packing, pack};
use gemlens_core::units::{Bytes, Offset};
use proptest::prelude::*;

#[track_caller]
fn packed(problem: &Problem, steps: u64) -> Packing {
    pack(problem, Budget { steps }, &mut |_| ControlFlow::Continue(())).expect("a valid plan")
}

fn item(lower: i64, upper: i64, size: u64) -> Item {
    Item::new(lower, upper, Bytes(size))
}

#[track_caller]
fn problem(items: &[Item]) -> Problem {
    Problem::new(items.to_vec()).expect("a problem")
}

/// Every pair, by the definition.
fn is_valid(items: &[Item], offsets: &[Offset]) -> bool {
    let lives = |a: &Item| a.lower < a.upper && a.size.0 > 0;
    let start = |i: usize| i128::from(offsets[i].0);
    let end = |i: usize| start(i) + i128::from(items[i].size.0);
    let alone = |i: usize| {
        !lives(&items[i])
            || start(i) >= 0
                && items[i].fixed.is_none_or(|fixed| fixed == offsets[i])
                && start(i) % i128::from(items[i].alignment.max(1)) == 0
    };
    let apart = |i: usize, j: usize| {
        let (a, b) = (&items[i], &items[j]);
        !lives(a)
            || !lives(b)
            || a.upper <= b.lower
            || b.upper <= a.lower
            || end(i) <= start(j)
            || end(j) <= start(i)
    };
    (0..items.len()).all(|i| alone(i) && (0..i).all(|j| apart(i, j)))
}

/// The lowest height of all plans: in some order, each item rests on those before it.
fn least_height(items: &[Item]) -> Option<u64> {
    fn go(items: &[Item], placed: &mut Vec<(usize, u64)>, top: u64, least: &mut Option<u64>) {
        if least.is_some_and(|least| top >= least) {
            return;
        }
        if placed.len() == items.len() {
            *least = Some(top);
        }
        for i in 0..items.len() {
            if placed.iter().any(|(j, _)| *j == i) {
                continue;
            }
            let below = placed.iter().filter(|(j, _)| items[*j].meets(&items[i]));
            let ground = below.map(|(j, offset)| offset + items[*j].size.0).max().unwrap_or(0);
            let offset = match items[i].fixed {
                Some(fixed) if (fixed.0 as u64) < ground => continue,
                Some(fixed) => fixed.0 as u64,
                None => ground.next_multiple_of(items[i].alignment),
            };
            placed.push((i, offset));
            go(items, placed, top.max(offset + items[i].size.0), least);
            placed.pop();
        }
    }
    let living: Vec<Item> =
        items.iter().copied().filter(|item| item.lower < item.upper && item.size.0 > 0).collect();
    let mut least = None;
    go(&living, &mut Vec::new(), 0, &mut least);
    least
}

fn any_item(times: i64, sizes: u64) -> impl Strategy<Value = Item> {
    (0..times, 0..times / 2, 0..sizes).prop_map(|(lower, life, size)| item(lower, lower + life, size))
}

fn any_items(most: usize, times: i64, sizes: u64) -> impl Strategy<Value = Vec<Item>> {
    prop::collection::vec(any_item(times, sizes), 0..most)
}

/// Few items, with alignments and, where that makes a problem, fixed places.
fn any_awkward_items() -> impl Strategy<Value = Vec<Item>> {
    let awkward = (any_item(8, 7), prop::sample::select(vec![0u64, 1, 1, 2, 3, 4]), 0i64..40).prop_map(
        |(mut item, alignment, fixed)| {
            item.alignment = alignment.max(1);
            if fixed < 10 {
                item.fixed = Some(Offset(fixed / item.alignment as i64 * item.alignment as i64));
            }
            item
        },
    );
    prop::collection::vec(awkward, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn plans_are_valid_and_no_lower_than_the_load(
        items in any_items(60, 40, 50), steps in prop::sample::select(vec![0u64, 1000, 200_000])
    ) {
        let problem = problem(&items);
        let packing = packed(&problem, steps);
        prop_assert!(is_valid(&items, &packing.offsets));
        prop_assert_eq!(validate(&problem, &packing.offsets), Ok(packing.height));
        prop_assert!(packing.height >= packing.load);
        prop_assert_eq!(packing.load, problem.load());
        prop_assert_eq!(packing.is_optimal(), packing.end == End::AtBound);
        prop_assert_eq!(&packing, &packed(&problem, steps));
    }

    #[test]
    fn what_is_called_least_is_least(items in any_items(8, 8, 9)) {
        let packing = packed(&problem(&items), 50_000_000);
        prop_assert!(matches!(packing.end, End::AtBound | End::Exhausted));
        prop_assert_eq!(Some(packing.height.0), least_height(&items));
    }

    #[test]
    fn alignment_and_fixed_places_are_kept(items in any_awkward_items()) {
        let Ok(problem) = Problem::new(items.clone()) else { return Ok(()) };
        let packing = packed(&problem, 50_000_000);
        prop_assert!(is_valid(&items, &packing.offsets));
        prop_assert!(packing.height >= packing.bound && packing.bound >= packing.load);
        prop_assert!(matches!(packing.end, End::AtBound | End::Exhausted));
        prop_assert_eq!(Some(packing.height.0), least_height(&items));
    }

    #[test]
    fn pieces_can_be_packed_apart(items in any_items(40, 200, 50)) {
        let whole = problem(&items);
        let pieces = whole.pieces();
        let mut offsets = vec![Offset(0); items.len()];
        let mut height = Bytes(0);
        for piece in &pieces {
            let members: Vec<Item> = piece.iter().map(|index| items[*index]).collect();
            let packing = packed(&problem(&members), 100_000);
            height = height.max(packing.height);
            for (index, offset) in piece.iter().zip(packing.offsets) {
                offsets[*index] = offset;
            }
        }
        prop_assert_eq!(validate(&whole, &offsets), Ok(height));
        let mut named: Vec<usize> = pieces.concat();
        named.sort_unstable();
        let living = (0..items.len()).filter(|i| items[*i].lower < items[*i].upper && items[*i].size.0 > 0);
        prop_assert_eq!(named, living.collect::<Vec<_>>());
    }

    #[test]
    fn the_validator_agrees_with_the_definition(
        placed in prop::collection::vec((any_item(12, 6), -1i64..30, 1u64..3), 0..7)
    ) {
        let items: Vec<Item> =
            placed.iter().map(|(item, _, alignment)| Item { alignment: *alignment, ..*item }).collect();
        let offsets: Vec<Offset> = placed.iter().map(|(_, offset, _)| Offset(*offset)).collect();
        prop_assert_eq!(validate(&problem(&items), &offsets).is_ok(), is_valid(&items, &offsets));
    }

    #[test]
    fn a_printed_table_reads_back(items in any_items(20, 1000, 1 << 40)) {
        let mut text = String::from("id,lower,upper,size\n");
        for (index, item) in items.iter().enumerate() {
            text += &format!("{index},{},{},{}\n", item.lower, item.upper, item.size);
        }
        let table = minimalloc::read(&text).expect("a table");
        prop_assert!(table.problems.is_empty());
        prop_assert_eq!(table.rows.iter().map(|row| row.item).collect::<Vec<_>>(), items);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(id,lower,upper,size\n)?[0-9a-z,\\-\n\r\" ]{0,80}") {
        if let Ok(table) = minimalloc::read(&text) {
            prop_assert!(table.rows.len() + table.problems.len() <= text.lines().count());
        }
    }
}

#[test]
fn an_empty_problem_has_height_zero() {
    let packing = packed(&problem(&[item(3, 3, 100), item(0, 9, 0)]), 0);
    assert_eq!((packing.height, packing.end), (Bytes(0), End::AtBound));
}

#[test]
fn what_always_lives_needs_no_search() {
    let items = [item(0, 9, 7), item(0, 9, 5), item(1, 3, 4), item(3, 6, 4), item(5, 9, 1)];
    let packing = packed(&problem(&items), 0);
    assert_eq!((packing.height, packing.end), (Bytes(17), End::AtBound));
}

#[test]
fn problems_that_contradict_themselves_are_refused() {
    let fixed = |lower, offset| Item { fixed: Some(Offset(offset)), ..item(lower, lower + 2, 4) };
    let check = |items: &[Item]| Problem::new(items.to_vec()).map(|_| ());
    assert_eq!(check(&[fixed(0, -1)]), Err(ProblemError::NegativeOffset(0)));
    assert_eq!(check(&[fixed(0, 0), fixed(1, 3)]), Err(ProblemError::FixedOverlap(0, 1)));
    assert_eq!(check(&[fixed(0, 0), fixed(2, 3)]), Ok(()));
    assert_eq!(check(&[Item { alignment: 2, ..fixed(0, 3) }]), Err(ProblemError::Misaligned(0)));
    assert_eq!(check(&[item(0, 1, u64::MAX), item(0, 1, 9)]), Err(ProblemError::TooLarge));
}

#[test]
fn the_validator_says_what_is_wrong() {
    let aligned = Item { alignment: 512, ..item(0, 5, 512) };
    let check = |offsets: &[i64]| {
        let offsets: Vec<Offset> = offsets.iter().copied().map(Offset).collect();
        validate(&problem(&[aligned, item(4, 9, 10)]), &offsets)
    };
    assert_eq!(check(&[0]), Err(Flaw::Count { items: 2, offsets: 1 }));
    assert_eq!(check(&[0, -1]), Err(Flaw::Outside(1)));
    assert_eq!(check(&[10, 0]), Err(Flaw::Misaligned(0)));
    assert_eq!(check(&[0, 511]), Err(Flaw::Overlap(0, 1)));
    assert_eq!(check(&[512, 0]), Ok(Bytes(1024)));
}

#[test]
fn a_packing_can_be_broken_off() {
    let problem = instance("J.1048576.csv");
    let mut heights = Vec::new();
    let packing = pack(&problem, Budget::THOROUGH, &mut |progress| {
        heights.push(progress.height);
        if heights.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .expect("a valid plan");
    assert_eq!((heights.len(), packing.end), (3, End::Cancelled));
    assert!(heights.is_sorted_by(|a, b| a >= b));
    assert_eq!(heights.last(), Some(&packing.height));
    assert_eq!(validate(&problem, &packing.offsets), Ok(packing.height));
}

#[test]
fn tables_come_in_many_forms() {
    let text = "\u{feff}\"buffer_id\", begin ,end,gaps,alignment,size,offset\r\n\r\nx,0,3,,64,10,128\r\n,5,4,,,7,\r\n";
    let table = minimalloc::read(text).expect("a table");
    assert_eq!(table.problems, []);
    assert_eq!(table.rows[0].id, "x");
    assert_eq!(table.rows[0].item, Item { alignment: 64, ..item(0, 4, 10) });
    assert_eq!(table.rows[0].offset, Some(Offset(128)));
    assert_eq!(
        (table.rows[1].id.as_str(), table.rows[1].item, table.rows[1].offset),
        ("1", item(5, 5, 7), None)
    );
}

#[test]
fn lines_that_are_no_items_are_named() {
    let table =
        minimalloc::read("id,lower,upper,size\na,0,4\nb,0,4,many\nc,0,4,-1\nd,0,4,1\n").expect("a table");
    let kinds: Vec<_> = table.problems.iter().map(|problem| (problem.line, problem.kind)).collect();
    let expected = [
        (2, RowProblemKind::Missing("size")),
        (3, RowProblemKind::NotANumber("size")),
        (4, RowProblemKind::NotANumber("size")),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(table.rows.len(), 1);
    assert_eq!(minimalloc::read("\n \n"), Err(HeaderError::Empty));
    assert_eq!(minimalloc::read("id,lower,upper\n"), Err(HeaderError::NoColumn("size")));
    assert_eq!(minimalloc::read("lower,begin,upper,size"), Err(HeaderError::TwoColumns("lower")));
    assert!(minimalloc::is_minimalloc("id,lower,upper,size\n"));
    assert!(!minimalloc::is_minimalloc("node { name: \"a\" }\n"));
}

/// File, load, the best height a heuristic is known to reach in thousandths of the load, and the
/// height to reach with how many million steps. All in `data/minimalloc/README.md`.
const INSTANCES: [(&str, u64, u64, u64, u64); 9] = [
    ("input.12.csv", 12, 1000, 12, 1),
    ("B.1048576.csv", 1_048_576, 1140, 1_048_576, 100),
    ("C.1048576.csv", 1_039_360, 1170, 1_039_360, 100),
    ("D.1048576.csv", 986_112, 1210, 986_112, 400),
    ("E.1048576.csv", 1_048_576, 1171, 1_048_576, 100),
    ("G.1048576.csv", 1_048_576, 1138, 1_048_576, 100),
    ("H.1048576.csv", 1_048_576, 1130, 1_048_576, 100),
    ("J.1048576.csv", 989_184, 1236, 1_048_576, 1000),
    ("K.1048576.csv", 1_048_576, 1248, 1_048_576, 400),
];

#[track_caller]
fn instance(file: &str) -> Problem {
    let path = format!("{}/data/minimalloc/{file}", env!("CARGO_MANIFEST_DIR"));
    let table = minimalloc::read(&std::fs::read_to_string(path).expect("a file")).expect("a table");
    assert_eq!(table.problems, []);
    Problem::new(table.rows.into_iter().map(|row| row.item).collect()).expect("a problem")
}

#[test]
fn a_quick_answer_beats_every_known_heuristic() {
    for (file, load, heuristic, _, _) in INSTANCES {
        let problem = instance(file);
        let packing = packed(&problem, Budget::QUICK.steps);
        assert_eq!(packing.load, Bytes(load), "{file}");
        assert!(packing.height.0 * 1000 <= load * heuristic, "{file}: {}", packing.height);
    }
}

#[test]
fn the_best_known_heights_are_reached() {
    for (file, load, _, height, steps) in INSTANCES {
        let packing = packed(&instance(file), steps * 1_000_000);
        assert!(packing.height.0 <= height, "{file}: {}", packing.height);
        assert_eq!(packing.is_optimal(), packing.height.0 == load, "{file}");
    }
}
