//! Names kept once: node names, operator types, graph names and the like repeat thousands of times.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A kept name; cheap to copy and to compare. Belongs to the [`Interner`] that gave it out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// The empty name, in every interner.
    pub const EMPTY: Name = Name(0);
}

/// All names of one analysis.
#[derive(Clone, Debug)]
pub struct Interner {
    text: String,
    /// `text[ends[n - 1]..ends[n]]` is name `n`.
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows the empty name only.
    pub fn new() -> Self {
        let mut interner = Interner {
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        };
        interner.intern("");
        interner
    }

    /// The name of `text`, kept if it is new.
    ///
    /// Once 4 GiB of distinct names are kept, further ones become the empty name.
    pub fn intern(&mut self, text: &str) -> Name {
        let hash = self.hasher.hash_one(text.as_bytes());
        self.known(hash, text.as_bytes()).unwrap_or_else(|| self.keep(hash, text))
    }

    /// The name of bytes out of a log; bytes that are not UTF-8 become U+FFFD.
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> Name {
        let hash = self.hasher.hash_one(bytes);
        if let Some(known) = self.known(hash, bytes) {
            return known;
        }
        match core::str::from_utf8(bytes) {
            Ok(text) => self.keep(hash, text),
            Err(_) => self.intern(&String::from_utf8_lossy(bytes)),
        }
    }

    fn known(&self, hash: u64, bytes: &[u8]) -> Option<Name> {
        let is_it = |&number: &u32| slice(&self.text, &self.ends, number).as_bytes() == bytes;
        self.table.find(hash, is_it).map(|&number| Name(number))
    }

    fn keep(&mut self, hash: u64, text: &str) -> Name {
        let (Ok(number), Ok(end)) =
            (u32::try_from(self.ends.len()), u32::try_from(self.text.len() + text.len()))
        else {
            return Name::EMPTY;
        };
        self.text.push_str(text);
        self.ends.push(end);
        let Interner { text: all, ends, table, hasher } = self;
        table.insert_unique(hash, number, |&n| hasher.hash_one(slice(all, ends, n).as_bytes()));
        Name(number)
    }

    /// The text of a name; empty for a name that another interner gave out.
    pub fn get(&self, name: Name) -> &str {
        slice(&self.text, &self.ends, name.0)
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], number: u32) -> &'a str {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends.get(number - 1).map_or(0, |&end| end as usize) };
    let end = ends.get(number).map_or(start, |&end| end as usize);
    text.get(start..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once() {
        let mut names = Interner::new();
        let conv = names.intern("conv1");
        assert_eq!(names.intern("conv1"), conv);
        assert_ne!(names.intern("conv2"), conv);
        assert_eq!(names.get(conv), "conv1");
        assert_eq!(names.intern(""), Name::EMPTY);
        assert_eq!(names.get(Name::EMPTY), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_kept_readable() {
        let mut names = Interner::new();
        let name = names.intern_bytes(b"a\xffb");
        assert_eq!(names.get(name), "a\u{fffd}b");
    }
}
