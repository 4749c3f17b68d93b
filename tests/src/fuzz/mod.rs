//! Fuzz targets as plain functions: any bytes may come in, none may stop the program, and some laws
//! hold for all of them. Driven for seconds by `tests/tests/fuzz.rs`, for hours by `tests/fuzz`.

pub mod mutate;

use std::sync::LazyLock;

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
    if let Some(at) = header::find_glued(line) {
        assert!(at > 0 && header::parse(&line[at..]).is_some(), "a glued record can be read");
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
    let whole = picture(&analysis(bytes, usize::MAX));
    let size = 1 + bytes.first().map_or(0, |byte| usize::from(*byte) % 97);
    let in_chunks = picture(&analysis(bytes, size));
    assert!(whole == in_chunks, "chunks of {size} bytes change the result\n{whole}\n{in_chunks}");
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
