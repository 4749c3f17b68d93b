//! Which process, and which graph, of one side is which of the other. Knows no figures.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Side;
use crate::intern::Interner;
use crate::model::static_graph::StaticGraph;

/// Places of the two that belong together; one of them may be missing.
pub(super) type Places = (Option<usize>, Option<usize>);

/// Processes by program and device, then by program, then by order.
pub(super) fn processes(a: Side<'_>, b: Side<'_>) -> Vec<Places> {
    let keys = |side: Side<'_>| -> Vec<[String; 3]> {
        side.processes
            .iter()
            .map(|process| {
                let program = side.names.get(process.program).to_string();
                let device = process.components.statistics.iter().filter_map(|s| s.counted.device).min();
                let with_device = device.map_or(String::new(), |device| alloc::format!("{program} {device}"));
                [with_device, program, String::from("any")]
            })
            .collect()
    };
    join(&keys(a), &keys(b))
}

/// Graphs by name and compilation, then by the name without its number, then by order if one is left
/// on each side.
pub(super) fn graphs(a: (&Interner, &[StaticGraph]), b: (&Interner, &[StaticGraph])) -> Vec<Places> {
    let is_alone = a.1.len() == 1 && b.1.len() == 1;
    let keys = |(names, graphs): (&Interner, &[StaticGraph])| -> Vec<[String; 3]> {
        graphs
            .iter()
            .map(|graph| {
                let name = names.get(graph.name);
                let last = if is_alone { String::from("the only one") } else { String::new() };
                [alloc::format!("{name} {}", graph.round), stem(name).to_string(), last]
            })
            .collect()
    };
    join(&keys(a), &keys(b))
}

/// A graph's name without the graph id that GE appends.
fn stem(name: &str) -> &str {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    match name.len().checked_sub(digits + 1) {
        Some(end) if digits > 0 && end > 0 && name.as_bytes().get(end) == Some(&b'_') => {
            name.get(..end).unwrap_or(name)
        }
        _ => name,
    }
}

/// Joins by the first key that two have in common, in order; an empty key joins nothing.
fn join<const KEYS: usize>(a: &[[String; KEYS]], b: &[[String; KEYS]]) -> Vec<Places> {
    let mut of_a: Vec<Option<usize>> = alloc::vec![None; a.len()];
    let mut is_taken = alloc::vec![false; b.len()];
    for key in 0..KEYS {
        let mut free: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, keys) in b.iter().enumerate().rev() {
            if !is_taken[place] && !keys[key].is_empty() {
                free.entry(keys[key].as_str()).or_default().push(place);
            }
        }
        for (keys, other) in a.iter().zip(&mut of_a).filter(|(_, other)| other.is_none()) {
            *other = free.get_mut(keys[key].as_str()).and_then(Vec::pop);
            if let Some(taken) = other.and_then(|place| is_taken.get_mut(place)) {
                *taken = true;
            }
        }
    }
    let alone =
        is_taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(place, _)| (None, Some(place)));
    of_a.iter().enumerate().map(|(place, other)| (Some(place), *other)).chain(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_id_is_no_part_of_the_name() {
        for (name, expected) in
            [("ge_default_11", "ge_default"), ("model", "model"), ("_7", "_7"), ("net2", "net2"), ("", "")]
        {
            assert_eq!(stem(name), expected);
        }
    }

    #[test]
    fn the_first_common_key_joins_in_order() {
        let key = |first: &str, second: &str| [first.to_string(), second.to_string()];
        let a = [key("x", "p"), key("y", "p"), key("", "q")];
        let b = [key("y", "p"), key("z", "p"), key("", "r")];
        assert_eq!(join(&a, &b), [(Some(0), Some(1)), (Some(1), Some(0)), (Some(2), None), (None, Some(2))]);
    }
}
