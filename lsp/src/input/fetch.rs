//! The bytes of a source's ranges once more, after the walk: the lines behind a statement.
//!
//! A plain file is searched; an archive is streamed through once for all ranges asked from it.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use gemlens_core::span::Span;

use super::limits::Limits;
use super::reopen::{Given, Reopen};
use super::survey::{Input, SourceInfo, Survey};
use super::walk::{Verdict, Visitor, file_again, given_again};

impl Survey {
    /// The bytes that each span covers, in the order asked. `None` where they can't be had: standard
    /// input, a source that is gone, or one that has become shorter since the walk.
    pub fn fetch(&self, spans: &[Span], limits: &Limits) -> Vec<Option<Vec<u8>>> {
        self.fetch_given(spans, limits, &[])
    }

    /// The same where the walk was over `given`, which must be what it was then.
    pub fn fetch_given(&self, spans: &[Span], limits: &Limits, given: &[Given<'_>]) -> Vec<Option<Vec<u8>>> {
        let mut found: Vec<Option<Vec<u8>>> = vec![None; spans.len()];
        let mut by_input: BTreeMap<usize, Vec<Wanted>> = BTreeMap::new();
        for (index, span) in spans.iter().enumerate() {
            let source = usize::try_from(span.source.0).ok().and_then(|at| self.sources.get(at));
            let Some(SourceInfo { place, .. }) = source else { continue };
            by_input.entry(place.input).or_default().push(Wanted {
                ordinal: place.ordinal,
                offset_in_file: place.offset_in_file,
                start: span.start,
                end: span.end(),
                index,
                bytes: Vec::new(),
            });
        }
        for (input, mut wanted) in by_input {
            let again: (&dyn Reopen, Box<Again<'_>>) = match self.inputs.get(input) {
                Some(Input::File { path, named }) => {
                    (path, Box::new(|visitor| file_again(path, *named, limits, visitor)))
                }
                Some(Input::Given(number)) => match given.get(*number) {
                    Some(input) => (input.bytes, Box::new(|visitor| given_again(input, limits, visitor))),
                    None => continue,
                },
                Some(Input::Stream) | None => continue,
            };
            let (bytes, walk_again) = again;
            if wanted.iter().all(|wanted| wanted.offset_in_file.is_some()) {
                // A file that can't be read any more leaves its ranges unfilled.
                let _ = read_in_place(bytes, &mut wanted);
            } else {
                wanted.sort_by_key(|wanted| (wanted.ordinal, wanted.start));
                let mut collector = Collector { wanted, ordinal: 0, first: 0, position: 0 };
                walk_again(&mut collector);
                wanted = collector.wanted;
            }
            for Wanted { index, start, end, bytes, .. } in wanted {
                if let Some(slot) = found.get_mut(index).filter(|_| bytes.len() as u64 == end - start) {
                    *slot = Some(bytes);
                }
            }
        }
        found
    }
}

struct Wanted {
    ordinal: u64,
    offset_in_file: Option<u64>,
    start: u64,
    end: u64,
    index: usize,
    bytes: Vec<u8>,
}

/// Walks once more over one input.
type Again<'a> = dyn Fn(&mut dyn Visitor) + 'a;

fn read_in_place(bytes: &dyn Reopen, wanted: &mut [Wanted]) -> io::Result<()> {
    let mut file = bytes.open()?;
    for Wanted { offset_in_file, start, end, bytes, .. } in wanted {
        file.seek(SeekFrom::Start(start.saturating_add(offset_in_file.unwrap_or(0))))?;
        (&mut file).take(*end - *start).read_to_end(bytes)?;
    }
    Ok(())
}

/// Picks the wanted ranges out of the walk. They are in order of source and start.
struct Collector {
    wanted: Vec<Wanted>,
    /// The source at hand.
    ordinal: u64,
    /// The first range that is not behind.
    first: usize,
    /// Offset of the next chunk in the source.
    position: u64,
}

impl Collector {
    /// Passes the ranges that are behind; tells whether the source at hand has more.
    fn settle(&mut self) -> Verdict {
        let is_behind =
            |wanted: &Wanted, at: &Self| (wanted.ordinal, wanted.end) <= (at.ordinal, at.position);
        while self.wanted.get(self.first).is_some_and(|wanted| is_behind(wanted, self)) {
            self.first += 1;
        }
        match self.wanted.get(self.first) {
            None => Verdict::Stop,
            Some(wanted) if wanted.ordinal > self.ordinal => Verdict::Skip,
            Some(_) => Verdict::Read,
        }
    }
}

impl Visitor for Collector {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        self.ordinal = source.place.ordinal;
        self.position = 0;
        while self.wanted.get(self.first).is_some_and(|wanted| wanted.ordinal < self.ordinal) {
            self.first += 1;
        }
        self.settle()
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        let end = self.position + bytes.len() as u64;
        for wanted in self.wanted.iter_mut().skip(self.first) {
            if wanted.ordinal != self.ordinal || wanted.start >= end {
                break;
            }
            let from = wanted.start.max(self.position) - self.position;
            let until = wanted.end.min(end).saturating_sub(self.position);
            let range = usize::try_from(from).unwrap_or(usize::MAX)..usize::try_from(until).unwrap_or(0);
            wanted.bytes.extend_from_slice(bytes.get(range).unwrap_or_default());
        }
        self.position = end;
        self.settle()
    }

    fn end(&mut self, _whole: bool) {}
}
