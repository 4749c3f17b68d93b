//! Makes new inputs out of known ones, the same ones for the same seed.

/// Texts at which parsers break.
const WORDS: &[&[u8]] = &[
    b"[IMAS]",
    b"[KernelTrace][",
    b"[INFO] GE(1,a):2026-11-29-20:00:54.744.226 ",
    b"):20",
    b"[",
    b"]",
    b"(",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff\xfe",
    b"**",
    b"0x",
    b"-",
    b"--",
    b"-1",
    b"(nil)",
    b"4294967295",
    b"9223372036854775808",
    b"18446744073709551615",
    b"99999999999999999999999999",
    b" size[",
    b"memaddr[0x",
];

/// A source of inputs.
#[derive(Debug)]
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// A source that depends on nothing but the seed.
    pub fn new(seed: u64) -> Mutator {
        Mutator { state: seed }
    }

    /// A new input out of `known` ones: some of them one behind the other, changed here and there.
    /// Now and then it is noise.
    pub fn input(&mut self, known: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        if known.is_empty() || self.below(50) == 0 {
            for _ in 0..self.below(400) {
                bytes.push(self.below(256) as u8);
            }
            return bytes;
        }
        for _ in 0..=self.below(6) {
            bytes.extend_from_slice(&known[self.below(known.len())]);
            if self.below(8) > 0 {
                bytes.push(b'\n');
            }
        }
        for _ in 0..self.below(8) {
            self.change(&mut bytes);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(24)).min(bytes.len());
        match self.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part.repeat(1 + self.below(4)));
            }
            3 => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            4 => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..end, word.iter().copied());
            }
            5 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.below(8);
                }
            }
            _ => {
                let other = self.below(bytes.len() + 1);
                if at < bytes.len() && other < bytes.len() {
                    bytes.swap(at, other);
                }
            }
        }
    }

    /// A number under `limit`, which is not 0 (SplitMix64).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
