//! Fuzz targets as plain functions: any bytes may come in, none may stop the program, and some laws
//! hold for all of them. Driven for seconds by `tests/tests/fuzz.rs`, for hours by `tests/fuzz`.

pub mod mutate;

use std::sync::LazyLock;

use gemlens::input::{Limits, SourceInfo, Verdict, Visitor, walk_stream};
use gemlens_core::plog::header;
use gemlens_core::plog::kinds::Matcher;
use gemlens_core::plog::pattern::Scratch;
use gemlens_core::session::{Analysis, Session};

/// The front of a line.
pub fn header(line: &[u8]) {
    if let Some((_, message)) = header::parse(line) {
        assert!(line.ends_with(message), "a message is the end of its line");
        assert!(header::may_start(line), "the quick look must not miss a header");
    }
    if let Some(at) = header::find(line) {
        assert!(header::parse(&line[at..]).is_some(), "a header that was found can be read");
    }
}

/// A message against the templates of all kinds.
pub fn kinds(message: &[u8]) {
    static MATCHER: LazyLock<Matcher> = LazyLock::new(Matcher::new);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let found = MATCHER.find(None, message, &mut first, &mut Scratch::default());
    let again = MATCHER.find(None, message, &mut second, &mut Scratch::default());
    assert_eq!(found.map(|f| (f.kind.id, f.fit)), again.map(|f| (f.kind.id, f.fit)));
    assert_eq!(first, second, "the same message reads the same");
}

/// Whole sources. Where the chunks end must not matter.
pub fn session(bytes: &[u8]) {
    session_in_chunks(bytes, 1 + bytes.len() % 97);
}

/// The same for chunks of one size.
pub fn session_in_chunks(bytes: &[u8], size: usize) {
    let whole = picture(&analysis(bytes, usize::MAX));
    let in_chunks = picture(&analysis(bytes, size));
    let place = whole.bytes().zip(in_chunks.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| {
        let part = text.as_bytes().get(place.saturating_sub(200)..(place + 200).min(text.len()));
        String::from_utf8_lossy(part.unwrap_or_default()).into_owned()
    };
    let text = String::from_utf8_lossy(bytes);
    assert!(
        whole == in_chunks,
        "chunks of {size} bytes change the result\nwhole: {}\ncut: {}\ntext: {text:?}",
        near(&whole),
        near(&in_chunks)
    );
}

/// The bytes as one source and, as happens when a folder is given twice, as a second one.
fn analysis(bytes: &[u8], chunk: usize) -> Analysis {
    let mut session = Session::new();
    for name in ["first", "second"] {
        let source = session.add_source(name, "");
        for chunk in bytes.chunks(chunk.min(bytes.len().max(1))) {
            session.feed(source, chunk);
        }
        session.end_source(source);
    }
    session.finish()
}

fn picture(analysis: &Analysis) -> String {
    format!("{:?}\n{:?}", analysis.sources, analysis.processes)
}

/// A stream of bytes that may be an archive, at any depth.
pub fn archives(bytes: &[u8]) {
    let limits = Limits {
        unpacked_bytes: 1 << 20,
        ratio_after_bytes: 1 << 16,
        members: 200,
        zip_in_memory_bytes: 1 << 18,
        ..Limits::default()
    };
    let mut count = Count::default();
    walk_stream("input", bytes, &limits, &mut count);
    assert!(!count.is_open, "a source that began has ended");
    // What is held back to tell text from other things may come on top.
    assert!(count.bytes <= (2 << 20) + bytes.len() as u64, "{} bytes passed the limit", count.bytes);
}

/// Counts what comes in.
#[derive(Default)]
struct Count {
    bytes: u64,
    is_open: bool,
}

impl Visitor for Count {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        assert!(!self.is_open, "one source at a time");
        assert!(!source.name.split(['/', '!']).any(|part| part == ".."), "{} leads out", source.name);
        self.is_open = true;
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.bytes += bytes.len() as u64;
        Verdict::Read
    }

    fn end(&mut self, _whole: bool) {
        self.is_open = false;
    }
}
