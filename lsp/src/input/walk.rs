//! The walk: opens each input, looks through its layers and hands text to the visitor.
//!
//! Decides what is read; how an archive is taken apart is in `archives`.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::PathBuf;

use gemlens_core::span::SourceId;

#[cfg(feature = "cli")]
use super::args::{self, Item, PathArg};
use super::encoding::Encoding;
use super::limits::{Budget, Counted, Limits};
use super::names;
use super::reopen::{Given, Reopen};
use super::sniff::{self, Container, Kind};
use super::stream::{HEAD_BYTES, Stream};
use super::survey::{Input, Place, SkipReason, SourceInfo, Survey};
use super::trouble::Trouble;

/// What the visitor wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go on with this source.
    Read,
    /// Leave the rest of this source out.
    Skip,
    /// End the whole walk.
    Stop,
}

/// Who takes the sources.
pub trait Visitor {
    /// A source begins. One that is not answered with `Read` gets no number and no `end`.
    fn begin(&mut self, source: &SourceInfo) -> Verdict;
    /// The next bytes of the source; chunk borders mean nothing.
    fn chunk(&mut self, bytes: &[u8]) -> Verdict;
    /// The source is over; `whole` unless it was cut, damaged, refused or left by the visitor.
    fn end(&mut self, whole: bool);
    /// Packed bytes read so far, and how many there are where that is known.
    fn progress(&mut self, _read_bytes: u64, _total_bytes: Option<u64>) {}
}

/// Walks over everything the arguments name. Trouble with one input never stops the others.
#[cfg(feature = "cli")]
pub fn walk(args: &[PathArg], limits: &Limits, visitor: &mut dyn Visitor) -> Survey {
    let mut survey = Survey::default();
    let plan = args::plan(args, &mut survey);
    let mut walker = Walker::new(limits, visitor, survey, plan.total_bytes());
    let mut settled = plan.settled;
    for Item { path, named, arg, .. } in plan.items {
        let before = (walker.offered, walker.survey.problems.len());
        let flow = match path {
            Some(path) => walker.file(&path, named),
            None => walker.stream("<stdin>", Box::new(io::stdin().lock())),
        };
        if flow == Flow::Stop {
            return walker.survey;
        }
        if let Some(settled) = settled.get_mut(arg) {
            *settled |= before != (walker.offered, walker.survey.problems.len());
        }
    }
    for (arg, _) in args.iter().zip(settled).filter(|(_, settled)| !settled) {
        let name = match arg {
            PathArg::Stdin => "<stdin>".to_owned(),
            PathArg::Path(path) => names::path(path),
        };
        walker.survey.note(&name, Trouble::NothingUsable);
    }
    walker.survey
}

/// Walks over one stream of bytes, as if the user had named it.
pub fn walk_stream<'r>(
    name: &str,
    bytes: impl Read + 'r,
    limits: &Limits,
    visitor: &mut dyn Visitor,
) -> Survey {
    let mut walker = Walker::new(limits, visitor, Survey::default(), None);
    let flow = walker.stream(name, Box::new(bytes));
    if flow != Flow::Stop && walker.offered == 0 && walker.survey.problems.is_empty() {
        walker.survey.note(name, Trouble::NothingUsable);
    }
    walker.survey
}

/// Walks over inputs that come from no path, such as the files of a browser's drop.
pub fn walk_given(inputs: &[Given<'_>], limits: &Limits, visitor: &mut dyn Visitor) -> Survey {
    let total_bytes = inputs.iter().map(|input| input.size_bytes).sum();
    let mut walker = Walker::new(limits, visitor, Survey::default(), Some(total_bytes));
    for (number, input) in inputs.iter().enumerate() {
        if walker.given(number, input) == Flow::Stop {
            return walker.survey;
        }
    }
    if let Some(first) = inputs.first()
        && walker.offered == 0
        && walker.survey.problems.is_empty()
    {
        walker.survey.note(&first.name, Trouble::NothingUsable);
    }
    walker.survey
}

/// Walks once more over a file, to fetch from it.
pub(super) fn file_again(path: &PathBuf, named: bool, limits: &Limits, visitor: &mut dyn Visitor) {
    Walker::new(limits, visitor, Survey::default(), None).file(path, named);
}

/// Walks once more over a given input, to fetch from it.
pub(super) fn given_again(input: &Given<'_>, limits: &Limits, visitor: &mut dyn Visitor) {
    Walker::new(limits, visitor, Survey::default(), None).given(0, input);
}

/// How the walk goes on after a source or an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// With the next one.
    On,
    /// The stream failed, which has been noted; an archive around it may be fine.
    Broken,
    /// A limit was hit, which has been noted: with the next input.
    Leave,
    /// Not at all.
    Stop,
}

/// One thing to read: a file, or a member at any depth.
pub(super) struct Candidate<'p> {
    pub(super) name: String,
    pub(super) named: bool,
    /// Archive layers around it.
    pub(super) layers: u32,
    pub(super) size_bytes: Option<u64>,
    /// The file itself, if it can be opened again and searched.
    pub(super) file: Option<&'p dyn Reopen>,
}

pub(super) struct Walker<'v> {
    pub(super) survey: Survey,
    limits: &'v Limits,
    visitor: &'v mut dyn Visitor,
    /// Sources offered to the visitor, from all inputs and from this one.
    offered: u64,
    ordinal: u64,
    finished_bytes: u64,
    /// Size of the input at hand: a zip may be read more than once in places.
    input_bytes: Option<u64>,
    total_bytes: Option<u64>,
}

impl<'v> Walker<'v> {
    fn new(
        limits: &'v Limits,
        visitor: &'v mut dyn Visitor,
        survey: Survey,
        total_bytes: Option<u64>,
    ) -> Self {
        Walker {
            survey,
            limits,
            visitor,
            offered: 0,
            ordinal: 0,
            finished_bytes: 0,
            input_bytes: None,
            total_bytes,
        }
    }

    fn given(&mut self, number: usize, input: &Given<'_>) -> Flow {
        self.survey.inputs.push(Input::Given(number));
        let bytes = match input.bytes.open() {
            Ok(bytes) => bytes,
            Err(error) => {
                self.survey.note(&input.name, Trouble::Io(error.to_string()));
                return Flow::On;
            }
        };
        let candidate = Candidate {
            name: names::shown(&input.name),
            named: input.named,
            layers: 0,
            size_bytes: Some(input.size_bytes),
            file: Some(input.bytes),
        };
        self.input(candidate, Box::new(bytes))
    }

    fn file(&mut self, path: &PathBuf, named: bool) -> Flow {
        let name = names::path(path);
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (meta, file) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.survey.note(&name, Trouble::Io(error.to_string()));
                return Flow::On;
            }
        };
        let is_plain = meta.is_file();
        self.survey.inputs.push(if is_plain {
            Input::File { path: path.clone(), named }
        } else {
            Input::Stream
        });
        let candidate = Candidate {
            name,
            named,
            layers: 0,
            size_bytes: is_plain.then_some(meta.len()),
            file: is_plain.then_some(path as &dyn Reopen),
        };
        self.input(candidate, Box::new(file))
    }

    fn stream(&mut self, name: &str, bytes: Box<dyn Read + '_>) -> Flow {
        self.survey.inputs.push(Input::Stream);
        let candidate =
            Candidate { name: name.to_owned(), named: true, layers: 0, size_bytes: None, file: None };
        self.input(candidate, bytes)
    }

    fn input(&mut self, candidate: Candidate<'_>, bytes: Box<dyn Read + '_>) -> Flow {
        self.ordinal = 0;
        let budget = Budget::new(self.limits);
        let size_bytes = candidate.size_bytes;
        self.input_bytes = size_bytes;
        let counted = Counted { inner: bytes, budget: &budget };
        let flow = self.read(candidate, Stream::new(Box::new(counted), size_bytes), &budget);
        self.survey.read_bytes += budget.read_bytes();
        self.finished_bytes += size_bytes.unwrap_or(budget.read_bytes());
        self.visitor.progress(self.finished_bytes, self.total_bytes);
        flow
    }

    /// Reads a candidate: text goes to the visitor, an archive is looked through.
    pub(super) fn read(
        &mut self,
        candidate: Candidate<'_>,
        mut stream: Stream<'_>,
        budget: &Budget<'_>,
    ) -> Flow {
        match sniff::container(stream.head(HEAD_BYTES)) {
            None => self.text(candidate, stream, budget),
            Some(Container::Unread(format)) => {
                self.survey.note(&candidate.name, Trouble::UnreadFormat(format));
                Flow::On
            }
            Some(container) => self.open(container, candidate, stream, budget),
        }
    }

    fn text(&mut self, candidate: Candidate<'_>, mut stream: Stream<'_>, budget: &Budget<'_>) -> Flow {
        let Candidate { name, named, layers, size_bytes, file } = candidate;
        let encoding = Encoding::of(stream.head(3));
        let head = stream.head(HEAD_BYTES);
        let kind = sniff::kind(&match encoding.to_utf8() {
            Some(mut converter) => Cow::Owned(converter.push(head, false).to_vec()),
            None => Cow::Borrowed(head),
        });
        let is_void = head.iter().all(|byte| *byte == 0);
        if is_void && stream.is_over() {
            self.survey.skip(SkipReason::Empty, &name);
            if named {
                self.survey.note(&name, Trouble::Empty);
            }
            return Flow::On;
        }
        if stream.head(1).is_empty() {
            let failure = stream.fill_buf().map(|_| ());
            return failure.map_or_else(|error| self.fail(&name, &error, budget), |()| Flow::On);
        }
        if kind == Kind::Binary {
            self.survey.skip(SkipReason::Binary, &name);
            if named {
                self.survey.note(&name, Trouble::NotText);
            }
            return Flow::On;
        }
        let is_other = match kind {
            Kind::Text => !is_named_like_a_log(&name),
            Kind::Plog => is_about_logs(&name),
            _ => false,
        };
        if is_other && !named {
            self.survey.skip(SkipReason::OtherText, &name);
            return Flow::On;
        }

        let mark_bytes = if let Encoding::Bytes(mark_bytes) = encoding { mark_bytes } else { 0 };
        let is_direct = layers == 0 && file.is_some() && matches!(encoding, Encoding::Bytes(_));
        let source = SourceInfo {
            id: SourceId(u32::try_from(self.survey.sources.len()).unwrap_or(u32::MAX)),
            root: names::log_root(&name),
            name,
            size_bytes,
            kind,
            named,
            place: Place {
                input: self.survey.inputs.len() - 1,
                ordinal: self.ordinal,
                offset_in_file: is_direct.then_some(mark_bytes as u64),
            },
        };
        self.offered += 1;
        self.ordinal += 1;
        match self.visitor.begin(&source) {
            Verdict::Read => {}
            Verdict::Skip => {
                self.survey.skip(SkipReason::Unwanted, &source.name);
                return Flow::On;
            }
            Verdict::Stop => return Flow::Stop,
        }
        stream.consume(mark_bytes);
        let (flow, whole) = self.deliver(&source.name, stream, encoding, budget);
        self.visitor.end(whole);
        self.survey.sources.push(source);
        flow
    }

    fn deliver(
        &mut self,
        name: &str,
        mut stream: Stream<'_>,
        encoding: Encoding,
        budget: &Budget<'_>,
    ) -> (Flow, bool) {
        let mut converter = encoding.to_utf8();
        loop {
            let bytes = match stream.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) => return (self.fail(name, &error, budget), false),
            };
            let is_last = bytes.is_empty();
            let count = bytes.len();
            let text = match &mut converter {
                Some(converter) => converter.push(bytes, is_last),
                None => bytes,
            };
            let mut verdict = Verdict::Read;
            if !text.is_empty() {
                self.survey.delivered_bytes += text.len() as u64;
                verdict = self.visitor.chunk(text);
            }
            stream.consume(count);
            self.tell_progress(budget);
            match verdict {
                Verdict::Stop => return (Flow::Stop, false),
                _ if is_last => return (Flow::On, true),
                Verdict::Skip => return (Flow::On, false),
                Verdict::Read => {}
            }
        }
    }

    pub(super) fn tell_progress(&mut self, budget: &Budget<'_>) {
        let read_bytes = budget.read_bytes().min(self.input_bytes.unwrap_or(u64::MAX));
        self.visitor.progress(self.finished_bytes + read_bytes, self.total_bytes);
    }

    /// Notes why a stream ended before its time.
    pub(super) fn fail(&mut self, name: &str, error: &io::Error, budget: &Budget<'_>) -> Flow {
        if let Some(breach) = budget.breach() {
            self.survey.note(name, Trouble::Limit(breach));
            return Flow::Leave;
        }
        let trouble = match error.kind() {
            ErrorKind::UnexpectedEof => Trouble::Cut,
            ErrorKind::InvalidData | ErrorKind::InvalidInput => Trouble::Damaged(error.to_string()),
            _ => Trouble::Io(error.to_string()),
        };
        self.survey.note(name, trouble);
        Flow::Broken
    }
}

/// Text without a mark of CANN in its first bytes is still read where its name promises a log: a
/// program's console output may begin with much of its own.
fn is_named_like_a_log(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let file = file.strip_suffix(".gz").unwrap_or(&file);
    file.contains(".log")
        || file.ends_with("log")
        || file.starts_with("log")
        || file.ends_with(".out")
        || file.ends_with(".err")
        || matches!(file, "stdout" | "stderr")
}

/// Documents and programs quote log lines: they are read only when the user names them.
fn is_about_logs(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md", "rst", "html", "htm", "ipynb", "py", "sh", "c", "cc", "cpp", "h", "hpp", "rs", "ts", "js",
        "java",
    ];
    let ending = name.rsplit('.').next().unwrap_or_default();
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}
