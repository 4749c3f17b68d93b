//! Buffered bytes: a stream whose beginning can be looked at before it is read, and a file that is read
//! here and there.
//!
//! Knows nothing of what the bytes mean.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// Bytes that decide what a source is.
pub(super) const HEAD_BYTES: usize = 64 << 10;
/// Bytes handed on at a time.
const CHUNK_BYTES: usize = 256 << 10;
const SMALLEST_CHUNK_BYTES: usize = 4 << 10;

pub(super) struct Stream<'a> {
    inner: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    consumed: u64,
    over: bool,
    failure: Option<io::Error>,
}

impl<'a> Stream<'a> {
    /// `size` is what the container says of the length; it only chooses the buffer.
    pub(super) fn new(inner: Box<dyn Read + 'a>, size: Option<u64>) -> Self {
        let wanted = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(CHUNK_BYTES);
        let capacity = wanted.clamp(SMALLEST_CHUNK_BYTES, CHUNK_BYTES);
        Stream { inner, buffer: vec![0; capacity], start: 0, end: 0, consumed: 0, over: false, failure: None }
    }

    /// Up to `wanted` bytes (`HEAD_BYTES` at most) from the current place, without consuming them.
    /// Fewer only at the end of the stream or before an error, which the next read then reports.
    pub(super) fn head(&mut self, wanted: usize) -> &[u8] {
        let wanted = wanted.min(HEAD_BYTES);
        if self.buffer.len() - self.start < wanted {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < wanted && !self.over {
            if self.end == self.buffer.len() {
                self.buffer.resize(CHUNK_BYTES, 0);
            }
            self.read_once();
        }
        let until = self.end.min(self.start + wanted);
        &self.buffer[self.start..until]
    }

    /// Bytes consumed so far.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Whether nothing but what `head` shows is left, and no error.
    pub(super) fn is_over(&self) -> bool {
        self.over && self.failure.is_none()
    }

    fn read_once(&mut self) {
        match self.inner.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.over = true,
            Ok(count) => self.end += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                self.over = true;
                self.failure = Some(error);
            }
        }
    }
}

impl BufRead for Stream<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            while self.end == 0 && !self.over {
                self.read_once();
            }
            if self.end == 0
                && let Some(failure) = self.failure.take()
            {
                return Err(failure);
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.consumed += count as u64;
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// A file in which short jumps keep what is buffered.
pub(super) struct Searched<R> {
    inner: BufReader<R>,
    position: u64,
}

impl<R: Read + Seek> Searched<R> {
    pub(super) fn new(inner: R) -> Self {
        Searched { inner: BufReader::with_capacity(HEAD_BYTES, inner), position: 0 }
    }
}

impl<R: Read> Read for Searched<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for Searched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let jump = match to {
            SeekFrom::Start(at) => i64::try_from(at).ok().zip(i64::try_from(self.position).ok()),
            SeekFrom::Current(jump) => Some((jump, 0)),
            SeekFrom::End(_) => None,
        };
        self.position = match jump.and_then(|(at, from)| at.checked_sub(from)) {
            Some(jump) => {
                self.inner.seek_relative(jump)?;
                self.position.saturating_add_signed(jump)
            }
            None => self.inner.seek(to)?,
        };
        Ok(self.position)
    }
}
