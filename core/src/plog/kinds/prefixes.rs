//! From the first bytes of a message to the patterns that start like it. Asked of every line, and
//! nearly always without a hit: the first eight bytes decide at one look into a table.
//!
//! Knows nothing of patterns: they are numbers here.

use alloc::vec::Vec;
use core::ops::Range;

/// Bytes of a text that choose its group.
const KEY: usize = 8;
/// Slots of the table: many times the number of groups.
const SLOTS: usize = 1 << 12;
/// A slot that no group has.
const FREE: u16 = u16::MAX;

/// Texts, each with the patterns that start with it.
#[derive(Debug)]
pub(super) struct Prefixes {
    /// In order, so that texts with the same first bytes stand together, the longest last.
    texts: Vec<Prefix>,
    groups: Vec<Group>,
    /// The group by a number made of the first bytes, or one of the slots behind.
    slots: Vec<u16>,
    /// Texts too short for a group, in order.
    short: Vec<Short>,
    /// Their first bytes.
    short_starts: [bool; 256],
}

/// A text of fewer than eight bytes, to be compared at once.
#[derive(Debug)]
struct Short {
    /// The text, with zeros behind it.
    head: u64,
    /// The bits of its bytes.
    mask: u64,
    prefix: Prefix,
}

#[derive(Debug)]
struct Prefix {
    text: Vec<u8>,
    entries: Vec<u16>,
}

/// Texts that start with the same eight bytes.
#[derive(Debug)]
struct Group {
    key: u64,
    texts: Range<u16>,
}

impl Prefixes {
    /// From texts, each with the number of a pattern that starts with it.
    pub(super) fn new(mut all: Vec<(Vec<u8>, u16)>) -> Prefixes {
        all.sort();
        let mut known: Vec<Prefix> = Vec::new();
        for (text, entry) in all {
            match known.last_mut() {
                Some(last) if last.text == text => {
                    if !last.entries.contains(&entry) {
                        last.entries.push(entry);
                    }
                }
                _ => known.push(Prefix { text, entries: Vec::from([entry]) }),
            }
        }
        let (texts, short): (Vec<_>, Vec<_>) = known.into_iter().partition(|prefix| prefix.text.len() >= KEY);
        let mut short_starts = [false; 256];
        let short = short.into_iter().map(|prefix| {
            let mut head = [0; KEY];
            let mut mask = [0; KEY];
            for ((head, mask), byte) in head.iter_mut().zip(&mut mask).zip(&prefix.text) {
                (*head, *mask) = (*byte, 0xff);
            }
            short_starts[usize::from(head[0])] = true;
            Short { head: u64::from_le_bytes(head), mask: u64::from_le_bytes(mask), prefix }
        });
        let short = short.collect();
        let mut groups: Vec<Group> = Vec::new();
        for (place, prefix) in (0..).zip(&texts) {
            let Some(key) = key(&prefix.text) else { continue };
            match groups.last_mut() {
                Some(last) if last.key == key => last.texts.end = place + 1,
                _ => groups.push(Group { key, texts: place..place + 1 }),
            }
        }
        let mut slots = alloc::vec![FREE; SLOTS];
        for (number, group) in (0..).zip(&groups) {
            let mut slot = slot(group.key);
            while slots[slot] != FREE {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = number;
        }
        Prefixes { texts, groups, slots, short, short_starts }
    }

    /// Whether some text is the start of the message.
    pub(super) fn may_start(&self, message: &[u8]) -> bool {
        self.group(message).iter().any(|prefix| message.starts_with(&prefix.text))
            || self.short(message).next().is_some()
    }

    /// The patterns of every text that the message starts with, those of the longest text first.
    pub(super) fn of(&self, message: &[u8]) -> impl Iterator<Item = u16> {
        let group = self.group(message).iter().rev().filter(|prefix| message.starts_with(&prefix.text));
        group.chain(self.short(message)).flat_map(|prefix| &prefix.entries).copied()
    }

    /// The short texts that the message starts with, the longest first.
    fn short(&self, message: &[u8]) -> impl Iterator<Item = &Prefix> {
        let some = message.first().is_some_and(|byte| self.short_starts[usize::from(*byte)]);
        let head = if some { head(message) } else { 0 };
        let short = if some { self.short.as_slice() } else { &[] };
        short.iter().rev().filter(move |short| head & short.mask == short.head).map(|short| &short.prefix)
    }

    /// The texts whose first eight bytes are those of the message.
    fn group(&self, message: &[u8]) -> &[Prefix] {
        let Some(key) = key(message) else { return &[] };
        let mut slot = slot(key);
        while let Some(group) = self.slots.get(slot).and_then(|number| self.groups.get(usize::from(*number)))
        {
            if group.key == key {
                let texts = usize::from(group.texts.start)..usize::from(group.texts.end);
                return self.texts.get(texts).unwrap_or_default();
            }
            slot = (slot + 1) % SLOTS;
        }
        &[]
    }
}

fn key(text: &[u8]) -> Option<u64> {
    text.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The first eight bytes of a text, with zeros behind a shorter one.
fn head(text: &[u8]) -> u64 {
    key(text).unwrap_or_else(|| {
        let mut head = [0; KEY];
        head.iter_mut().zip(text).for_each(|(head, byte)| *head = *byte);
        u64::from_le_bytes(head)
    })
}

fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_with_a_longer_start_come_first() {
        let texts = ["[", "[IMAS]", "[IMAS]Set ", "[IMAS]get", "Set", "[IMAS]", "[IMAS]Set x", "[IMAS]So"];
        let numbered = (0..).zip(texts).map(|(number, text)| (text.as_bytes().to_vec(), number));
        let prefixes = Prefixes::new(numbered.collect());
        let of = |text: &str| prefixes.of(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(of("[IMAS]Set x"), [6, 2, 1, 5, 0]);
        assert_eq!(of("[IMAS]Set y"), [2, 1, 5, 0]);
        assert_eq!(of("[IMAS]Se"), [1, 5, 0]);
        assert_eq!(of("[IMAS]So"), [7, 1, 5, 0]);
        assert_eq!(of("[IMAS]zzz"), [1, 5, 0]);
        assert_eq!(of("[x"), [0]);
        assert!(of("Se").is_empty() && of("").is_empty() && of("\u{ff}").is_empty());
        assert!(prefixes.may_start(b"Settle") && !prefixes.may_start(b"Se"));
    }
}
