//! How much an archive may unpack to, and the account kept while it does.
//!
//! Knows no archive format: whoever unpacks says how many bytes went in and came out.

use std::cell::Cell;
use std::io::{self, Read};

/// What one input (a file or standard input, with everything nested in it) may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Archive layers inside one another; `.tar.gz` is two.
    pub layers: u32,
    /// Bytes that all layers together may unpack to.
    pub unpacked_bytes: u64,
    /// Unpacked bytes for one packed byte, looked at once `ratio_after_bytes` came out. Text logs pack
    /// about 10 to 100 to 1; the format's own end is 1032 to 1.
    pub ratio: u64,
    /// Unpacked bytes below which no ratio is suspicious.
    pub ratio_after_bytes: u64,
    /// Members of all layers together.
    pub members: u64,
    /// Bytes of a zip archive that cannot be read in place (inside another archive, or from a pipe)
    /// and is held in memory.
    pub zip_in_memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            layers: 6,
            unpacked_bytes: 64 << 30,
            ratio: 1000,
            ratio_after_bytes: 100 << 20,
            members: 200_000,
            zip_in_memory_bytes: 256 << 20,
        }
    }
}

/// The limit that was hit, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// More layers than this.
    Layers(u32),
    /// More unpacked bytes than this.
    Unpacked(u64),
    /// More unpacked bytes for one packed byte than this.
    Ratio(u64),
    /// More members than this.
    Members(u64),
    /// A zip archive that must be held in memory is larger than this.
    ZipInMemory(u64),
}

/// The account of one input.
pub(super) struct Budget<'a> {
    limits: &'a Limits,
    read_bytes: Cell<u64>,
    unpacked_bytes: Cell<u64>,
    members: Cell<u64>,
    breach: Cell<Option<Breach>>,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Budget {
            limits,
            read_bytes: Cell::new(0),
            unpacked_bytes: Cell::new(0),
            members: Cell::new(0),
            breach: Cell::new(None),
        }
    }

    pub(super) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Packed bytes read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes.get()
    }

    /// The limit that ended this input, if one did.
    pub(super) fn breach(&self) -> Option<Breach> {
        self.breach.get()
    }

    /// Books one more member; false when it is one too many.
    pub(super) fn admit_member(&self) -> bool {
        self.members.set(self.members.get() + 1);
        let within = self.members.get() <= self.limits.members;
        if !within {
            self.breach.set(Some(Breach::Members(self.limits.members)));
        }
        within
    }

    /// Books `fresh` bytes that a layer gave; `packed` and `unpacked` are that layer's totals.
    pub(super) fn unpack(&self, fresh: usize, packed: u64, unpacked: u64) -> io::Result<()> {
        let all = self.unpacked_bytes.get().saturating_add(fresh as u64);
        self.unpacked_bytes.set(all);
        let breach = if all > self.limits.unpacked_bytes {
            Some(Breach::Unpacked(self.limits.unpacked_bytes))
        } else if self.is_suspicious(packed, unpacked) || self.is_suspicious(self.read_bytes.get(), all) {
            Some(Breach::Ratio(self.limits.ratio))
        } else {
            None
        };
        match breach {
            Some(_) => {
                self.breach.set(breach);
                Err(io::Error::other("limit on unpacked bytes"))
            }
            None => Ok(()),
        }
    }

    fn is_suspicious(&self, packed: u64, unpacked: u64) -> bool {
        unpacked > self.limits.ratio_after_bytes && unpacked / packed.max(1) >= self.limits.ratio
    }
}

/// Counts the packed bytes that are read from the outside.
pub(super) struct Counted<'b, R> {
    pub(super) inner: R,
    pub(super) budget: &'b Budget<'b>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.budget.read_bytes.set(self.budget.read_bytes.get() + count as u64);
        Ok(count)
    }
}

impl<R: io::Seek> io::Seek for Counted<'_, R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
