//! Inputs as people have them: files, folders, patterns, archives in archives.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::support::{LINE, Recorder, gz, names, read, said, tar, zip};
use gemlens::input::{Kind, Limits, PathArg, SkipReason, SourceInfo, Trouble, Verdict, Visitor, walk};
use gemlens_core::span::{SourceId, Span};

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn arg(folder: &Path, name: &str) -> PathArg {
    folder.join(name).into()
}

/// Names without the folder of the test.
fn local<'g>(folder: &Path, recorder: &'g Recorder) -> Vec<&'g str> {
    let folder = format!("{}/", folder.display());
    recorder.got.iter().map(|got| got.name.strip_prefix(&folder).unwrap()).collect()
}

#[test]
fn a_folder_gives_what_looks_like_ours_by_path() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    write(at, "log/run/plog/plog-7_2.log", LINE.as_bytes());
    write(at, "log/debug/plog/plog-7_1.log", LINE.as_bytes());
    write(at, "log/debug/plog/old.tar.gz", &gz(&tar(&[("plog-7_0.log", LINE.as_bytes())])));
    write(at, "dump/graph.weird", b"graph {\n  name: \"g\"\n  op {\n    name: \"a\"\n");
    write(at, "report.csv", b"Process_7,g,optype,Add\n");
    write(at, "console", format!("banner\n{LINE}").as_bytes());
    write(at, "train.log", b"a console log whose CANN lines come late\n");
    write(at, "notes.md", format!("It printed\n{LINE}").as_bytes());
    write(at, "notes", b"nothing of CANN\n");
    write(at, "weights.bin", &[0u8, 1, 2, 3, 200]);
    write(at, "empty.log", b"");
    let mut recorder = Recorder::default();
    let survey = walk(&[at.to_owned().into()], &Limits::default(), &mut recorder);
    assert_eq!(
        local(at, &recorder),
        [
            "console",
            "dump/graph.weird",
            "log/debug/plog/old.tar.gz!/plog-7_0.log",
            "log/debug/plog/plog-7_1.log",
            "log/run/plog/plog-7_2.log",
            "report.csv",
            "train.log",
        ]
    );
    let kinds: Vec<Kind> = recorder.got.iter().map(|got| got.kind).collect();
    use Kind::*;
    assert_eq!(kinds, [Plog, GeProto, Plog, Plog, Plog, ImasCsv, Text]);
    let roots: Vec<&str> = recorder.got[2..5].iter().map(|got| got.root.as_str()).collect();
    assert_eq!(roots, [format!("{}/log", at.display()).as_str(); 3]);
    assert!(recorder.got.iter().all(|got| got.whole));
    assert_eq!(said(&survey), [""; 0]);
    let skipped: Vec<(SkipReason, u64)> =
        survey.skipped.iter().map(|(reason, skips)| (*reason, skips.count)).collect();
    assert_eq!(skipped, [(SkipReason::Empty, 1), (SkipReason::Binary, 1), (SkipReason::OtherText, 2)]);
    let last = recorder.progress.last().unwrap();
    assert_eq!(Some(last.0), last.1, "progress ends at the whole");
    assert!(recorder.progress.is_sorted());
}

#[test]
fn a_named_file_is_read_whatever_its_text() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    write(at, "notes.md", b"# notes\n");
    write(at, "prog", b"\x7fELF\0\0\0");
    write(at, "empty", b"");
    let args = ["notes.md", "prog", "empty", "gone", "no*match", "bad[", "notes.md"].map(|n| arg(at, n));
    let mut recorder = Recorder::default();
    let survey = walk(&args, &Limits::default(), &mut recorder);
    assert_eq!(local(at, &recorder), ["notes.md"]);
    let troubles: Vec<&Trouble> = survey.problems.iter().map(|problem| &problem.trouble).collect();
    assert!(
        matches!(
            troubles.as_slice(),
            [Trouble::NotFound, Trouble::NoMatch, Trouble::BadPattern(_), Trouble::NotText, Trouble::Empty]
        ),
        "{troubles:?}"
    );
    assert_eq!(survey.skipped[&SkipReason::Duplicate].count, 1);
}

#[test]
fn a_pattern_is_expanded_and_its_folders_walked() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    for name in ["a/plog-1.log", "b/plog-2.log", "b/deep/plog-3.log", "c.txt"] {
        write(at, name, LINE.as_bytes());
    }
    for (pattern, expected) in [
        ("*/plog-*.log", &["a/plog-1.log", "b/plog-2.log"][..]),
        ("**/plog-?.log", &["a/plog-1.log", "b/deep/plog-3.log", "b/plog-2.log"]),
        ("[bc]*", &["b/deep/plog-3.log", "b/plog-2.log", "c.txt"]),
    ] {
        let mut recorder = Recorder::default();
        walk(&[arg(at, pattern)], &Limits::default(), &mut recorder);
        assert_eq!(local(at, &recorder), expected, "{pattern}");
    }
}

#[cfg(unix)]
#[test]
fn links_make_no_loop_and_no_second_reading() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    write(at, "a/plog-1.log", LINE.as_bytes());
    symlink(at, at.join("a/loop")).unwrap();
    symlink(at.join("a/plog-1.log"), at.join("a/zlatest")).unwrap();
    symlink(at.join("nowhere"), at.join("a/dead")).unwrap();
    let mut recorder = Recorder::default();
    let survey = walk(&[at.to_owned().into()], &Limits::default(), &mut recorder);
    assert_eq!(local(at, &recorder), ["a/plog-1.log"]);
    assert_eq!(said(&survey), [""; 0]);
    assert_eq!(survey.skipped[&SkipReason::Duplicate].count, 2);
    assert_eq!(survey.skipped[&SkipReason::NoPlainFile].count, 1);
}

#[test]
fn archives_are_read_inside_one_another_whatever_their_names() {
    let line = LINE.as_bytes();
    let inner_zip = zip(&[("deep/plog-1.log", line), ("deep/readme.md", b"# no\n")]);
    let inner_tgz = gz(&tar(&[("./log/debug/plog/plog-2.log", line), ("z.bin", &inner_zip)]));
    let outer = zip(&[("host1/log.dat", &inner_tgz), ("plog-3.log.gz", &gz(line))]);
    let expected = [
        "x!/host1/log.dat!/log/debug/plog/plog-2.log",
        "x!/host1/log.dat!/z.bin!/deep/plog-1.log",
        "x!/plog-3.log.gz",
    ];
    let (got, survey) = read(&outer, &Limits::default());
    assert_eq!(names(&got), expected);
    assert_eq!(got[0].root, "x!/host1/log.dat!/log");
    assert!(got.iter().all(|got| got.bytes == line && got.whole));
    assert_eq!(said(&survey), [""; 0]);

    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "x", &outer);
    let mut recorder = Recorder::default();
    walk(&[arg(dir.path(), "x")], &Limits::default(), &mut recorder);
    assert_eq!(local(dir.path(), &recorder), expected);
    assert!(recorder.got.iter().all(|got| got.bytes == line && got.whole));
}

#[test]
fn a_zip_on_disk_is_read_about_once_however_many_members() {
    let many: Vec<(String, Vec<u8>)> =
        (0..3000).map(|n| (format!("{n}/plog.log"), format!("{n} {LINE}").into_bytes())).collect();
    let members: Vec<(&str, &[u8])> =
        many.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let bytes = zip(&members);
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "x.zip", &bytes);
    let mut recorder = Recorder::default();
    let survey = walk(&[arg(dir.path(), "x.zip")], &Limits::default(), &mut recorder);
    assert!(recorder.got.iter().zip(&many).all(|(got, (_, bytes))| got.bytes == *bytes && got.whole));
    assert_eq!(recorder.got.len(), many.len());
    assert!(survey.read_bytes < 2 * bytes.len() as u64, "{} of {}", survey.read_bytes, bytes.len());
    assert!(recorder.progress.is_sorted());
    assert_eq!(recorder.progress.last(), Some(&(bytes.len() as u64, Some(bytes.len() as u64))));
}

#[test]
fn long_names_and_old_tars_are_known() {
    let long = format!("{}/plog-1.log", "d".repeat(150));
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(LINE.len() as u64);
    builder.append_data(&mut header, &long, LINE.as_bytes()).unwrap();
    let (got, _) = read(&builder.into_inner().unwrap(), &Limits::default());
    assert_eq!(names(&got), [format!("x!/{long}")]);

    let mut header = tar::Header::new_old();
    header.set_path("plog-1.log").unwrap();
    header.set_size(LINE.len() as u64);
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, LINE.as_bytes()).unwrap();
    let (got, _) = read(&builder.into_inner().unwrap(), &Limits::default());
    assert_eq!(names(&got), ["x!/plog-1.log"]);
}

#[test]
fn gzip_members_one_behind_the_other_are_one_source() {
    let mut packed = [gz(b"[INFO] GE(1,p):a\n"), gz(b""), gz(b"b\n")].concat();
    packed.extend_from_slice(&[0; 700]);
    let (got, survey) = read(&packed, &Limits::default());
    assert_eq!(got[0].bytes, b"[INFO] GE(1,p):a\nb\n");
    assert_eq!(said(&survey), [""; 0]);
    packed.extend_from_slice(b"junk");
    let (got, survey) = read(&packed, &Limits::default());
    assert!(got[0].whole);
    assert_eq!(survey.problems[0].trouble, Trouble::TrailingBytes);
    assert!(survey.problems[0].trouble.is_note());
}

#[test]
fn utf16_becomes_utf8_and_other_bytes_stay() {
    let text = format!("{LINE}中文\r\n");
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let (got, _) = read(&utf16, &Limits::default());
    assert_eq!((got[0].kind, &got[0].bytes[..]), (Kind::Plog, text.as_bytes()));
    let (got, _) = read(&tar(&[("a", &utf16)]), &Limits::default());
    assert_eq!((got[0].kind, &got[0].bytes[..]), (Kind::Plog, text.as_bytes()));
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert_eq!(read(&marked, &Limits::default()).0[0].bytes, text.as_bytes());
    let gb18030 = [LINE.as_bytes(), b"\xc4\xda\xb4\xe6\n"].concat();
    assert_eq!(read(&gb18030, &Limits::default()).0[0].bytes, gb18030);
}

#[test]
fn chunks_add_up_to_the_file() {
    let text = LINE.repeat(40_000);
    let (got, survey) = read(text.as_bytes(), &Limits::default());
    assert!(got[0].bytes == text.as_bytes() && got[0].whole);
    assert_eq!(survey.delivered_bytes, text.len() as u64);
    let (got, _) = read(&gz(&tar(&[("plog.log", text.as_bytes())])), &Limits::default());
    assert!(got[0].bytes == text.as_bytes() && got[0].whole);
}

#[test]
fn an_archive_with_nothing_of_ours_says_so() {
    for bytes in [
        tar(&[("a.md", b"# a\n")]),
        gz(&tar(&[("lib.so", b"\x7fELF\0\0")])),
        zip(&[]),
        zip(&[("a/b.txt", b"hello\n")]),
    ] {
        let (got, survey) = read(&bytes, &Limits::default());
        assert!(got.is_empty());
        assert_eq!(survey.problems[0].trouble, Trouble::NothingUsable, "{survey:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    let survey = walk(&[dir.path().to_owned().into()], &Limits::default(), &mut Recorder::default());
    assert_eq!(survey.problems[0].trouble, Trouble::NothingUsable);
    for nothing in [vec![], gz(b""), gz(&tar(&[]))] {
        let (_, survey) = read(&nothing, &Limits::default());
        assert_eq!(survey.problems[0].trouble, Trouble::Empty);
    }
}

/// Reads the first chunk of each source, skips one by name, stops at another.
struct Picky(Vec<(String, usize)>);

impl Visitor for Picky {
    fn begin(&mut self, source: &SourceInfo) -> Verdict {
        if source.name.ends_with("skip.log") {
            return Verdict::Skip;
        }
        if source.name.ends_with("stop.log") {
            return Verdict::Stop;
        }
        self.0.push((source.name.clone(), 0));
        Verdict::Read
    }

    fn chunk(&mut self, bytes: &[u8]) -> Verdict {
        self.0.last_mut().unwrap().1 += bytes.len();
        Verdict::Skip
    }

    fn end(&mut self, whole: bool) {
        assert!(!whole);
    }
}

#[test]
fn the_visitor_may_skip_and_stop() {
    let text = LINE.repeat(20_000);
    let members = ["a.log", "skip.log", "b.log", "stop.log", "c.log"].map(|name| (name, text.as_bytes()));
    for bytes in [tar(&members), gz(&tar(&members)), zip(&members)] {
        let mut picky = Picky(Vec::new());
        let survey = gemlens::input::walk_stream("x", bytes.as_slice(), &Limits::default(), &mut picky);
        let read: Vec<&str> = picky.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(read, ["x!/a.log", "x!/b.log"]);
        assert!(picky.0.iter().all(|(_, count)| *count < text.len()));
        assert_eq!(survey.sources.iter().map(|source| source.id.0).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(survey.skipped[&SkipReason::Unwanted].count, 1);
        assert_eq!(said(&survey), [""; 0]);
    }
}

#[test]
fn ranges_are_fetched_again_from_files_and_archives() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let long: String = (0..30_000).map(|n| format!("{LINE}{n}\n")).collect();
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(long.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    write(at, "a.log", &[b"\xef\xbb\xbf", long.as_bytes()].concat());
    write(at, "b.log", &utf16);
    let members = [("1.log", long.as_bytes()), ("skipped.md", b"#\n"), ("2.log", long.as_bytes())];
    write(at, "c.tgz", &gz(&tar(&members)));
    write(at, "d.zip", &zip(&members));
    let mut recorder = Recorder::default();
    let survey = walk(&[at.to_owned().into()], &Limits::default(), &mut recorder);
    assert_eq!(recorder.got.len(), 6);
    let span = |source: usize, start: usize, len: u32| Span {
        source: SourceId(source as u32),
        line: 1,
        start: start as u64,
        len,
    };
    let mut spans: Vec<Span> = (0..6)
        .rev()
        .flat_map(|source| {
            [(2_000_000, 90), (5, 700_000), (0, 1), (262_000, 500), (10, 0), (5, 20)]
                .map(|(start, len)| span(source, start, len))
        })
        .collect();
    spans.push(span(6, 0, 1));
    spans.push(span(2, long.len(), 1));
    spans.push(span(0, long.len() - 2, 3));
    let strict = Limits { ratio_after_bytes: 1 << 10, ..Limits::default() };
    let found = survey.fetch(&spans, &strict);
    for (span, found) in spans.iter().zip(&found) {
        let range = span.start as usize..span.end() as usize;
        let expected = (span.source.0 < 6).then(|| long.as_bytes().get(range)).flatten();
        assert!(found.as_deref() == expected, "{span:?}");
    }
    fs::OpenOptions::new().write(true).truncate(true).open(at.join("a.log")).unwrap().flush().unwrap();
    assert_eq!(survey.fetch(&[span(0, 0, 3)], &Limits::default()), [None]);
}
