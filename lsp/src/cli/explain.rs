//! `explain`: what each line was understood as, one JSON object a reading, while the input streams by.

use std::io::{self, Write};

use gemlens::input::{self, Kind, Limits, SourceInfo, Verdict, Visitor};
use gemlens_core::plog::header::Header;
use gemlens_core::plog::kinds::Matcher;
use gemlens_core::plog::pattern::Fit;
use gemlens_core::plog::scan::{Reading, Scanner};
use gemlens_core::plog::value::{Field, Value};
use serde_json::{Map, Number, Value as Json};

use super::command::Request;
use super::progress::Progress;
use super::{Outcome, feed, words};

/// Readings held back to keep the order of the source, while a record over several lines is not yet
/// whole. Beyond this the order gives way.
const HELD_BYTES: usize = 32 << 20;

/// Reads the input and writes its readings, in the order of each source.
pub(super) fn answer(request: &Request, out: &mut dyn Write) -> io::Result<Outcome> {
    let lang = request.query.lang;
    let mut explainer = Explainer {
        out,
        matcher: Matcher::new(),
        file: String::new(),
        scanner: None,
        held: Held::default(),
        process: request.query.process,
        pid: None,
        failure: None,
        others: Vec::new(),
        progress: Progress::new(),
    };
    let survey = input::walk(&request.paths, &Limits::default(), &mut explainer);
    let Explainer { failure, others, .. } = explainer;
    if let Some(failure) = failure {
        return Err(failure);
    }
    words::tell(&survey.problems, &others, lang);
    if survey.problems.iter().any(|problem| problem.trouble.is_usage()) {
        return Ok(Outcome::Usage);
    }
    if survey.sources.is_empty() {
        if survey.problems.is_empty() {
            words::complain(words::nothing_read(lang));
        }
        return Ok(Outcome::Lacking);
    }
    Ok(Outcome::Fine)
}

struct Explainer<'o> {
    out: &'o mut dyn Write,
    matcher: Matcher,
    file: String,
    scanner: Option<Scanner>,
    held: Held,
    /// Only readings of this process.
    process: Option<i64>,
    /// The process of the line before: lines without a header belong to it.
    pid: Option<i64>,
    failure: Option<io::Error>,
    others: Vec<(String, Kind)>,
    progress: Progress,
}

/// Readings, written out, that wait for an earlier one.
#[derive(Default)]
struct Held {
    /// The place in the source and the line of output.
    readings: Vec<(u64, String)>,
    bytes: usize,
}

impl Held {
    /// Writes all readings in front of `place`; all there are without one.
    fn release(&mut self, place: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
        let place = place.filter(|_| self.bytes <= HELD_BYTES).unwrap_or(u64::MAX);
        self.readings.sort_by_key(|(start, _)| *start);
        let ready = self.readings.partition_point(|(start, _)| *start < place);
        for (_, line) in self.readings.drain(..ready) {
            self.bytes -= line.len();
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

impl Explainer<'_> {
    fn scan(&mut self, go: impl FnOnce(&mut Scanner, &Matcher, &mut dyn FnMut(&Reading<'_>))) -> Verdict {
        let Some(scanner) = &mut self.scanner else { return Verdict::Skip };
        let Self { held, file, process, pid, .. } = self;
        go(scanner, &self.matcher, &mut |reading| {
            *pid = reading.header.map(|header| header.pid).or_else(|| reading.i64("pid")).or(*pid);
            if process.is_none_or(|wanted| *pid == Some(wanted)) {
                let line = explained(file, reading).to_string() + "\n";
                held.bytes += line.len();
                held.readings.push((reading.span.start, line));
            }
        });
        match self.held.release(scanner.waiting_from(), self.out) {
            Ok(()) => Verdict::Read,
            Err(error) => {
                self.failure = Some(error);
                Verdict::Stop
            }
        }
    }
}

impl Visitor for Explainer<'_> {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        if !feed::is_log(source.kind) {
            self.others.push((source.name.clone(), source.kind));
            return Verdict::Skip;
        }
        self.file.clone_from(&source.name);
        self.pid = None;
        self.scanner = Some(Scanner::new(source.id));
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.scan(|scanner, matcher, mut sink| scanner.feed(matcher, bytes, &mut sink))
    }

    fn end(&mut self, _whole: bool) {
        if self.failure.is_none() {
            self.scan(|scanner, matcher, mut sink| scanner.finish(matcher, &mut sink));
        }
        self.scanner = None;
    }

    fn progress(&mut self, read_bytes: u64, total_bytes: Option<u64>) {
        self.progress.tell(read_bytes, total_bytes);
    }
}

/// A reading as the object that `docs/cli.md` describes.
fn explained(file: &str, reading: &Reading<'_>) -> Json {
    let mut object = Map::new();
    let mut set = |key: &str, value: Json| object.insert(key.to_owned(), value);
    set("file", file.into());
    set("line", reading.span.line.into());
    set("kind", reading.kind_id().into());
    match (reading.found, reading.header) {
        (Some(found), header) => {
            set("fields", fields(reading.fields));
            if let Some(header) = header {
                set("header", fields(&header.fields()));
            }
            if found.fit == Fit::Longer {
                set("fit", "longer".into());
            }
        }
        (None, Some(header)) => {
            set("unread", true.into());
            set("fields", fields(&with_message(header, reading.message)));
        }
        (None, None) => {
            set("fields", fields(&[Field { name: "text", value: Value::Text(reading.text) }]));
        }
    }
    if reading.cut {
        set("cut", true.into());
    }
    Json::Object(object)
}

fn with_message<'a>(header: &Header<'a>, message: &'a [u8]) -> Vec<Field<'a>> {
    let mut fields = header.fields();
    fields.push(Field { name: "msg", value: Value::Text(message) });
    fields
}

fn fields(fields: &[Field<'_>]) -> Json {
    fields.iter().map(|field| (field.name.to_owned(), value(field.value))).collect::<Map<_, _>>().into()
}

/// Numbers stay exact up to 64 bits; a pointer is the text that the line printed.
fn value(value: Value<'_>) -> Json {
    match value {
        Value::Text(text) | Value::Address(_, text) => String::from_utf8_lossy(text).into(),
        Value::DecimalAddress(address, text) if text.starts_with(b"-") => address.0.cast_signed().into(),
        Value::DecimalAddress(address, _) => address.0.into(),
        Value::Decimal(number) => Number::from_f64(number).map_or(Json::Null, Json::Number),
        Value::Flag(flag) => u64::from(flag).into(),
        Value::Number(number) => number.into(),
        Value::Bytes(size) => size.0.into(),
        Value::Signed(number) => number.into(),
        Value::Offset(offset) => offset.0.into(),
    }
}
