//! The one entry for every face: add sources, feed chunks, finish, ask.

use alloc::string::String;
use alloc::vec::Vec;

use crate::intern::{Interner, Name};
use crate::model::process::{LineCounts, Process, ProcessId};
use crate::plog::assemble::assemble;
use crate::plog::facts::{self, Dated, Facts, Read};
use crate::plog::kinds::{self, Matcher};
use crate::plog::scan::{Reading, Scanner, Sink};
use crate::plog::skim::{Skimmed, digest};
use crate::plog::stitch::{Strand, stitch};
use crate::span::SourceId;

/// An analysis being fed.
#[derive(Debug)]
pub struct Session {
    matcher: Matcher,
    /// Fact readers by the number of the kind.
    readers: Vec<Option<Read>>,
    names: Interner,
    sources: Vec<OpenSource>,
    strands: Vec<Strand>,
}

#[derive(Debug)]
struct OpenSource {
    source: Source,
    root: Name,
    /// `None` once the source has ended.
    scanner: Option<Scanner>,
    /// Strands of this source.
    strands: Vec<usize>,
    /// Processes by what a framework calls them in front of its lines: the number there, the strand.
    framework: Vec<(i64, usize)>,
    /// The strand of the line before.
    current: Option<usize>,
    /// Facts of text before the first line of any process.
    held: Facts,
}

/// One input, and what was read of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that the face gave it.
    pub name: String,
    /// Bytes fed.
    pub size: u64,
    /// Lines seen, empty ones too.
    pub line_count: u32,
    /// What was read.
    pub lines: LineCounts,
    /// The source with the same content, in whose place this one does not count.
    pub repeats: Option<SourceId>,
}

/// What was understood.
#[derive(Debug)]
pub struct Analysis {
    /// Names that the model refers to.
    pub names: Interner,
    /// All sources, by their id.
    pub sources: Vec<Source>,
    /// Processes, ordered by log tree and process id.
    pub processes: Vec<Process>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session without sources.
    pub fn new() -> Session {
        Session {
            matcher: Matcher::new(),
            readers: kinds::all().map(|kind| facts::reader(kind.id)).collect(),
            names: Interner::new(),
            sources: Vec::new(),
            strands: Vec::new(),
        }
    }

    /// Adds a source. `name` is what messages call it; `root` tells log trees of different
    /// machines apart and is empty for a paste.
    pub fn add_source(&mut self, name: &str, root: &str) -> SourceId {
        let id = SourceId(self.sources.len() as u32);
        self.sources.push(OpenSource {
            source: Source {
                name: String::from(name),
                size: 0,
                line_count: 0,
                lines: LineCounts::default(),
                repeats: None,
            },
            root: self.names.intern(root),
            scanner: Some(Scanner::new(id)),
            strands: Vec::new(),
            framework: Vec::new(),
            current: None,
            held: Facts::default(),
        });
        id
    }

    /// Feeds the next bytes of a source. Chunks may be of any size.
    pub fn feed(&mut self, source: SourceId, chunk: &[u8]) {
        self.drive(source, |scanner, matcher, sink| scanner.feed(matcher, chunk, sink));
        if let Some(open) = self.sources.get_mut(source.0 as usize) {
            open.source.size += chunk.len() as u64;
        }
    }

    /// Says that a source has ended. Sources still open are ended by [`Session::finish`].
    pub fn end_source(&mut self, source: SourceId) {
        self.drive(source, |scanner, matcher, sink| scanner.finish(matcher, sink));
        self.place_held(source);
        if let Some(open) = self.sources.get_mut(source.0 as usize)
            && let Some(scanner) = open.scanner.take()
        {
            open.source.line_count = scanner.lines();
        }
    }

    /// Text that no process claimed belongs to one without a number.
    fn place_held(&mut self, id: SourceId) {
        let Some(open) = self.sources.get_mut(id.0 as usize) else { return };
        if open.held.is_empty() {
            return;
        }
        let mut strand = Strand::new(ProcessId { root: open.root, pid: None }, id, Name::EMPTY);
        strand.facts = core::mem::take(&mut open.held);
        strand.lines = open.source.lines;
        self.strands.push(strand);
    }

    fn drive(&mut self, id: SourceId, go: impl FnOnce(&mut Scanner, &Matcher, &mut dyn Sink)) {
        let Some(open) = self.sources.get_mut(id.0 as usize) else { return };
        let Some(mut scanner) = open.scanner.take() else { return };
        let mut collect =
            Collect { id, open, readers: &self.readers, names: &mut self.names, strands: &mut self.strands };
        go(&mut scanner, &self.matcher, &mut collect);
        open.scanner = Some(scanner);
    }

    /// Ends all sources and puts the picture together.
    pub fn finish(mut self) -> Analysis {
        for number in 0..self.sources.len() {
            self.end_source(SourceId(number as u32));
        }
        let mut sources: Vec<Source> = self.sources.into_iter().map(|open| open.source).collect();
        let mut strands = self.strands;
        strands.iter_mut().for_each(Strand::close);
        let names = self.names;
        strands.sort_by(|a, b| {
            (names.get(a.process.root), a.process.pid).cmp(&(names.get(b.process.root), b.process.pid))
        });
        let mut processes = Vec::new();
        let mut rest = strands.into_iter().peekable();
        while let Some(first) = rest.next() {
            let id = first.process;
            let mut of_process = Vec::from([first]);
            while let Some(next) = rest.next_if(|strand| strand.process == id) {
                of_process.push(next);
            }
            let stitched = stitch(of_process);
            for &(left_out, kept) in &stitched.repeated {
                if let Some(source) = sources.get_mut(left_out.0 as usize) {
                    source.repeats = Some(kept);
                }
            }
            processes.push(assemble(id, stitched));
        }
        Analysis { names, sources, processes }
    }
}

/// Takes the readings of one source into the strands of its processes.
struct Collect<'s> {
    id: SourceId,
    open: &'s mut OpenSource,
    readers: &'s [Option<Read>],
    names: &'s mut Interner,
    strands: &'s mut Vec<Strand>,
}

impl Sink for Collect<'_> {
    fn reading(&mut self, reading: &Reading<'_>) {
        let counts = count(reading);
        self.open.source.lines += counts;
        let place = self.strand(reading);
        if let Some(place) = place {
            let strand = &mut self.strands[place];
            strand.lines += counts;
            strand.note(reading.header.map_or(&[], |h| h.stamp), digest(u64::from(reading.span.len)));
        }
        let read = match reading.found {
            Some(found) => self.readers.get(usize::from(found.number)).copied().flatten(),
            None if facts::may_be_error(reading) => Some(facts::unread as Read),
            None => return,
        };
        let time = reading.header.and_then(|h| h.time());
        let Some(read) = read else { return };
        let facts = match place {
            Some(place) => &mut self.strands[place].facts,
            None => &mut self.open.held,
        };
        let time = time.or_else(|| facts.last_time());
        let is_twice = reading.found.is_some_and(|found| found.kind.twice);
        let mut nth = 0;
        read(reading, self.names, &mut |fact| {
            nth += 1;
            let twin = if is_twice { twin_number(reading, nth) } else { 0 };
            facts.push(Dated { time, twin, fact });
        });
    }

    fn may_skim(&self) -> bool {
        true
    }

    fn skimmed(&mut self, skimmed: &Skimmed<'_>) {
        let header = skimmed.header;
        let counts = LineCounts {
            unread: skimmed.lines,
            ge_info: if header.module == b"GE" { skimmed.lines } else { 0 },
            ..LineCounts::default()
        };
        self.open.source.lines += counts;
        let before = self.open.current;
        let place = self.of_process(Some(header.pid), header.proc);
        if !skimmed.is_line_before {
            self.open.current = before;
        }
        let strand = &mut self.strands[place];
        strand.lines += counts;
        strand.note_skimmed(skimmed);
    }
}

impl Collect<'_> {
    /// The strand that a line belongs to. A line without a header belongs to the process that its
    /// text names, else to the one that the framework's prefix has stood for, else to the line
    /// before it; foreign text before the first of these belongs to no process yet.
    fn strand(&mut self, reading: &Reading<'_>) -> Option<usize> {
        if let Some(header) = reading.header {
            return Some(self.of_process(Some(header.pid), header.proc));
        }
        let prefix = framework_pid(reading.text);
        if let Some(pid) = reading.i64("pid") {
            let place = self.of_process(Some(pid), b"");
            if let Some(prefix) = prefix {
                self.open.framework.retain(|(known, _)| *known != prefix);
                self.open.framework.push((prefix, place));
            }
            return Some(place);
        }
        if let Some(prefix) = prefix {
            let stood_for = self.open.framework.iter().find(|(known, _)| *known == prefix);
            if let Some(&(_, place)) = stood_for {
                return Some(place);
            }
            if reading.found.is_some_and(|found| found.kind.id == "console.torch_oom") {
                return Some(self.of_process(Some(prefix), b""));
            }
        }
        match (self.open.current, reading.found) {
            (Some(place), _) => Some(place),
            (None, Some(_)) => Some(self.of_process(None, b"")),
            (None, None) => None,
        }
    }

    /// The strand of a process in this source, which becomes the current one.
    fn of_process(&mut self, pid: Option<i64>, program: &[u8]) -> usize {
        if let Some(place) = self.open.current
            && self.strands[place].process.pid == pid
        {
            return place;
        }
        let known = self.open.strands.iter().copied().find(|&s| self.strands[s].process.pid == pid);
        let place = known.unwrap_or_else(|| {
            let program = self.names.intern_bytes(program);
            let process = ProcessId { root: self.open.root, pid };
            let mut strand = Strand::new(process, self.id, program);
            strand.facts = core::mem::take(&mut self.open.held);
            self.strands.push(strand);
            self.open.strands.push(self.strands.len() - 1);
            self.strands.len() - 1
        });
        self.open.current = Some(place);
        place
    }
}

/// The number in `(Worker_TP0 pid=10652) …`, which a framework puts in front of its lines.
fn framework_pid(text: &[u8]) -> Option<i64> {
    let inside = text.strip_prefix(b"(")?;
    let inside = inside.get(..memchr::memchr(b')', inside.get(..inside.len().min(64))?)?)?;
    let at = memchr::memmem::find(inside, b" pid=")?;
    let digits = inside.get(at + 5..)?;
    let whole = (1..=10).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    whole.then(|| crate::digits::decimal(digits) as i64)
}

fn count(reading: &Reading<'_>) -> LineCounts {
    let header = reading.header;
    LineCounts {
        known: u64::from(reading.found.is_some()),
        cut: u64::from(reading.cut),
        unread: u64::from(reading.found.is_none() && header.is_some()),
        foreign: u64::from(reading.found.is_none() && header.is_none()),
        ge_info: u64::from(
            header.is_some_and(|h| h.module == b"GE" && matches!(h.level, b"INFO" | b"DEBUG")),
        ),
        errors: u64::from(header.is_some_and(|h| h.level == b"ERROR")),
    }
}

/// A number for a line that is written twice: its thread, its text, and which of its facts (FNV-1a).
fn twin_number(reading: &Reading<'_>, nth: u64) -> u64 {
    let tid = reading.header.and_then(|h| h.tid).unwrap_or(0) as u64;
    let seed = 0xcbf2_9ce4_8422_2325 ^ tid.rotate_left(32) ^ nth;
    let hash = reading
        .message
        .iter()
        .fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash.max(1)
}
