//! Gzip, also of several members one behind the other.
//!
//! Reads through; what the bytes mean is not its business.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::limits::Budget;
use super::stream::Stream;

/// The unpacked bytes of all members.
pub(super) struct Gunzip<'a> {
    decoder: Option<GzDecoder<Stream<'a>>>,
    unpacked: u64,
    budget: &'a Budget<'a>,
    /// Set when bytes that are no gzip member (and not padding) follow the last one.
    trailing: &'a Cell<bool>,
}

impl<'a> Gunzip<'a> {
    pub(super) fn new(packed: Stream<'a>, budget: &'a Budget<'a>, trailing: &'a Cell<bool>) -> Self {
        Gunzip { decoder: Some(GzDecoder::new(packed)), unpacked: 0, budget, trailing }
    }
}

impl Read for Gunzip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(into)?;
            if count > 0 || into.is_empty() {
                self.unpacked += count as u64;
                self.budget.unpack(count, decoder.get_ref().consumed(), self.unpacked)?;
                return Ok(count);
            }
            let Some(mut packed) = self.decoder.take().map(GzDecoder::into_inner) else { break };
            if packed.head(2) == b"\x1f\x8b" {
                self.decoder = Some(GzDecoder::new(packed));
                continue;
            }
            let rest = packed.fill_buf()?;
            self.trailing.set(rest.iter().any(|byte| *byte != 0));
        }
        Ok(0)
    }
}
