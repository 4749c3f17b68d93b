//! Puts `[KernelTrace]` messages together that GE itself split over several lines.
//!
//! Each piece is a complete line of the same thread that repeats `[KernelTrace][kernel]`; lists
//! are torn anywhere, so the pieces join without a separator (plog grammar 1.3 and chapter 11).

use alloc::vec::Vec;

use super::header::Header;
use super::kinds::Found;
use super::pattern::Fit;
use crate::span::Span;

/// A message of at least this many bytes may have been split.
const SPLIT_FROM: usize = 600;
/// The length at which GE splits: the buffer of 1024 bytes less 150 (plog grammar 1.3). A list
/// torn between two items looks whole, one torn behind the `0x` of an address like nothing known.
const SPLIT_AT: usize = 874;
/// Threads with an unfinished message at one time; the oldest gives way.
const WAITING_LIMIT: usize = 64;
/// Bytes after which a message is taken as it is.
const SIZE_LIMIT: usize = 1 << 20;

/// A record and where its first piece stands.
pub(super) type Joined = (Span, Vec<u8>);

/// The unfinished messages of all threads of one source.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    pid: i64,
    tid: Option<i64>,
    /// `[KernelTrace][kernel]`
    front: Vec<u8>,
    /// Length of the first piece: all others but the last have it too.
    piece: usize,
    /// The last piece was a full one, so another one may follow.
    is_full: bool,
    /// The whole record so far, header included.
    text: Vec<u8>,
    span: Span,
    /// The piece that came last.
    last: Span,
}

impl Pieces {
    /// Offers a line. Returns the records that are finished now; asks for nothing when the line
    /// has no part in this.
    ///
    /// After a call, [`Pieces::is_waiting`] tells whether the line itself was taken.
    pub(super) fn take(
        &mut self,
        header: &Header<'_>,
        message: &[u8],
        text: &[u8],
        found: Option<Found>,
        span: Span,
    ) -> Option<Vec<Joined>> {
        let is_trace = message.starts_with(b"[KernelTrace][");
        if !is_trace && self.waiting.is_empty() {
            return None;
        }
        let same_thread = |w: &Waiting| w.pid == header.pid && w.tid == header.tid;
        let place = self.waiting.iter().position(same_thread);
        if !is_trace {
            let done = self.waiting.remove(place?);
            return Some(Vec::from([(done.span, done.text)]));
        }
        let mut finished = Vec::new();
        if let Some(place) = place {
            let open = &mut self.waiting[place];
            let goes_on = open.is_full
                && message.starts_with(&open.front)
                && is_middle(&message[open.front.len()..], found)
                && open.text.len() < SIZE_LIMIT;
            if goes_on {
                open.is_full = message.len() == open.piece;
                open.text.extend_from_slice(&message[open.front.len()..]);
                open.last = span;
                return Some(finished);
            }
            let done = self.waiting.remove(place);
            finished.push((done.span, done.text));
        }
        let is_torn = found.is_some_and(|f| f.fit == Fit::Cut) && message.len() >= SPLIT_FROM;
        let may_go_on = is_torn || message.len() == SPLIT_AT;
        if may_go_on {
            if self.waiting.len() == WAITING_LIMIT {
                let oldest = self.waiting.remove(0);
                finished.push((oldest.span, oldest.text));
            }
            let close = message.iter().skip(14).position(|b| *b == b']').map_or(14, |at| 15 + at);
            self.waiting.push(Waiting {
                pid: header.pid,
                tid: header.tid,
                front: Vec::from(&message[..close]),
                piece: message.len(),
                is_full: true,
                text: Vec::from(text),
                span,
                last: span,
            });
        }
        (may_go_on || !finished.is_empty()).then_some(finished)
    }

    /// Whether no message is unfinished.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the line at `span` is part of an unfinished message.
    pub(super) fn is_waiting(&self, span: Span) -> bool {
        self.waiting.iter().any(|w| w.last == span)
    }

    /// Where the first piece of any unfinished message starts.
    pub(super) fn earliest(&self) -> Option<u64> {
        self.waiting.iter().map(|w| w.span.start).min()
    }

    /// All unfinished messages; the source has ended.
    pub(super) fn drain(&mut self) -> Vec<Joined> {
        self.waiting.drain(..).map(|w| (w.span, w.text)).collect()
    }
}

/// Whether the text behind `[KernelTrace][kernel]` can be the middle of a list. A rest of numbers
/// only looks like a dump of arguments; all other messages of a launch begin with a word.
fn is_middle(text: &[u8], found: Option<Found>) -> bool {
    let text = text.trim_ascii_start();
    let begins_as_word = text.first().is_some_and(u8::is_ascii_uppercase) || text.starts_with(b"stream_id=");
    found.is_none_or(|found| found.kind.id == "kt.launch.other" && !begins_as_word)
}
