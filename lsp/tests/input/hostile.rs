//! Inputs as nobody wants them: bombs, bad names, cut and damaged archives, any bytes at all.

use std::io::{self, Read};

use crate::support::{LINE, Recorder, gz, names, read, said, tar, tar_header, zip};
use flate2::Compression;
use flate2::read::GzEncoder;
use gemlens::input::{Breach, Limits, SkipReason, Trouble, walk_stream};
use proptest::prelude::*;

fn small() -> Limits {
    Limits {
        ratio_after_bytes: 1 << 20,
        unpacked_bytes: 8 << 20,
        ratio: 200,
        members: 50,
        zip_in_memory_bytes: 64 << 10,
        ..Limits::default()
    }
}

/// `count` megabytes of one line.
fn monotone(count: usize) -> Vec<u8> {
    let mut bytes = LINE.as_bytes().to_vec();
    bytes.resize(count << 20, b'\n');
    bytes
}

#[track_caller]
fn check_refused(bytes: &[u8], at: &str, breach: Breach) {
    let (_, survey) = read(bytes, &small());
    let refusals: Vec<_> = survey.problems.iter().filter(|p| !p.trouble.is_note()).collect();
    assert_eq!(refusals.len(), 1, "{survey:?}");
    assert_eq!((refusals[0].name.as_str(), &refusals[0].trouble), (at, &Trouble::Limit(breach)));
    assert!(survey.delivered_bytes < 16 << 20);
}

#[test]
fn bombs_are_refused_by_ratio() {
    let bomb = monotone(4);
    check_refused(&gz(&bomb), "x", Breach::Ratio(200));
    check_refused(&gz(&gz(&bomb)), "x", Breach::Ratio(200));
    check_refused(&zip(&[("a.log", &bomb)]), "x!/a.log", Breach::Ratio(200));
    check_refused(&gz(&tar(&[("a.log", &bomb)])), "x!/a.log", Breach::Ratio(200));
    check_refused(&tar(&[("a.log", &gz(&bomb))]), "x!/a.log", Breach::Ratio(200));
    // Not one member is suspicious, all of them are.
    let parts: Vec<(String, Vec<u8>)> = (0..4).map(|n| (format!("{n}.log"), monotone(1))).collect();
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    check_refused(&zip(&parts), "x!/1.log", Breach::Ratio(200));
}

#[test]
fn bombs_are_refused_by_what_they_unpack_to() {
    let mut state = 1u32;
    let noise: String = (0..9 << 20)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (state >> 28) as u8)
        })
        .collect();
    let text = format!("{LINE}{noise}");
    check_refused(&gz(text.as_bytes()), "x", Breach::Unpacked(8 << 20));
}

#[test]
fn a_refusal_keeps_what_came_before() {
    let bomb = monotone(4);
    let (got, survey) =
        read(&tar(&[("a.log", LINE.as_bytes()), ("b.log", &gz(&bomb)), ("c.log", b"x\n")]), &small());
    assert_eq!(names(&got), ["x!/a.log", "x!/b.log"]);
    assert!(got[0].whole && !got[1].whole);
    assert_eq!(
        said(&survey),
        ["x!/b.log: refused: unpacks to more than 200 times its size, as archive bombs do; reading of this \
          archive stopped here. If you trust it, unpack it and name the folder"]
    );
}

#[test]
fn too_many_members_and_layers_are_refused() {
    let many: Vec<(String, &[u8])> = (0..60).map(|n| (format!("{n}.log"), LINE.as_bytes())).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    check_refused(&tar(&many), "x", Breach::Members(50));
    check_refused(&zip(&many), "x", Breach::Members(50));
    let (got, _) = read(&tar(&many), &small());
    assert_eq!(got.len(), 50);

    let mut deep = LINE.as_bytes().to_vec();
    for _ in 0..6 {
        deep = gz(&deep);
    }
    assert_eq!(read(&deep, &small()).0.len(), 1);
    check_refused(&gz(&deep), "x", Breach::Layers(6));
    let (got, survey) = read(&tar(&[("deep.gz", &deep), ("a.log", LINE.as_bytes())]), &small());
    assert_eq!(names(&got), ["x!/a.log"]);
    assert_eq!(survey.problems[0].trouble, Trouble::Limit(Breach::Layers(6)));
}

#[test]
fn a_zip_that_cannot_be_held_is_refused_alone() {
    let mut big = zip(&[("a.log", LINE.as_bytes())]);
    big.resize(70 << 10, 0);
    let (got, survey) = read(&tar(&[("big.zip", &big), ("b.log", LINE.as_bytes())]), &small());
    assert_eq!(names(&got), ["x!/b.log"]);
    assert_eq!(survey.problems[0].trouble, Trouble::Limit(Breach::ZipInMemory(64 << 10)));
}

#[test]
fn an_endless_stream_ends_at_a_limit() {
    let endless = GzEncoder::new(LINE.as_bytes().chain(io::repeat(b'\n')), Compression::best());
    let mut recorder = Recorder::default();
    let survey = walk_stream("x", endless, &small(), &mut recorder);
    assert!(matches!(survey.problems[0].trouble, Trouble::Limit(_)));
    // Endless zeros are not text: left at the first look.
    let endless = GzEncoder::new(io::repeat(0), Compression::best());
    let survey = walk_stream("x", endless, &Limits::default(), &mut recorder);
    assert_eq!(survey.problems[0].trouble, Trouble::NotText);
    assert!(survey.read_bytes < 1 << 20);
}

#[test]
fn endless_tar_headers_and_sparse_members_fill_no_memory() {
    let mut header = tar_header("././@LongLink", 1 << 40);
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_cksum();
    let endless = header.as_bytes().chain(io::repeat(b'a'));
    let survey = walk_stream("x", endless, &Limits::default(), &mut Recorder::default());
    assert!(matches!(survey.problems[0].trouble, Trouble::Damaged(_)), "{survey:?}");

    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.set_path("sparse.log").unwrap();
    header.set_size(0);
    let gnu = header.as_gnu_mut().unwrap();
    gnu.realsize.copy_from_slice(b"777777777777");
    header.set_cksum();
    let bytes = [header.as_bytes().as_slice(), &tar(&[("a.log", LINE.as_bytes())])].concat();
    let (got, survey) = read(&bytes, &Limits::default());
    assert!(got.len() <= 1 && survey.delivered_bytes <= LINE.len() as u64);
}

#[test]
fn names_that_lead_out_are_cleaned_with_one_note() {
    let line = LINE.as_bytes();
    let bad = [("../../etc/passwd", line), ("/data/a.log", line), ("C:\\logs\\b.log", line)];
    for bytes in [tar(&bad), zip(&bad)] {
        let (got, survey) = read(&bytes, &Limits::default());
        assert_eq!(names(&got), ["x!/etc/passwd", "x!/data/a.log", "x!/logs/b.log"]);
        assert_eq!(survey.problems.len(), 1);
        assert_eq!((&survey.problems[0].trouble, survey.problems[0].count), (&Trouble::NameCleaned, 3));
    }
}

#[test]
fn links_and_devices_in_a_tar_are_not_followed() {
    let mut builder = tar::Builder::new(Vec::new());
    for form in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Char, tar::EntryType::Fifo] {
        let mut header = tar_header("a.log", 0);
        header.set_entry_type(form);
        header.set_link_name("/etc/passwd").unwrap();
        header.set_cksum();
        builder.append(&header, io::empty()).unwrap();
    }
    let (got, survey) = read(&builder.into_inner().unwrap(), &Limits::default());
    assert!(got.is_empty());
    assert_eq!(survey.skipped[&SkipReason::NoPlainFile].count, 4);
}

#[test]
fn a_cut_gzip_gives_what_was_whole() {
    let text: String = (0..50_000).map(|n| format!("{n} {LINE}")).collect();
    for (packed, name) in [(gz(text.as_bytes()), "x"), (gz(&tar(&[("a.log", text.as_bytes())])), "x!/a.log")]
    {
        let (got, survey) = read(&packed[..packed.len() / 2], &Limits::default());
        assert_eq!(names(&got), [name]);
        assert!(!got[0].whole && got[0].bytes.len() > text.len() / 4, "{}", got[0].bytes.len());
        assert!(text.as_bytes().starts_with(&got[0].bytes));
        assert_eq!(survey.problems.len(), 1);
        assert_eq!((survey.problems[0].name.as_str(), &survey.problems[0].trouble), (name, &Trouble::Cut));
    }
    let packed = gz(text.as_bytes());
    let (got, survey) = read(&packed[..packed.len() - 4], &Limits::default());
    assert!(got[0].bytes == text.as_bytes() && !got[0].whole);
    assert_eq!(survey.problems[0].trouble, Trouble::Cut);
    let (_, survey) = read(&packed[..7], &Limits::default());
    assert_eq!(survey.problems[0].trouble, Trouble::Cut);
}

#[test]
fn damage_in_one_member_spares_the_others() {
    let text: String = (0..50_000).map(|n| format!("{n} {LINE}")).collect();
    let mut broken = gz(text.as_bytes());
    let middle = broken.len() / 2;
    broken[middle..middle + 64].fill(0xAA);
    let members = [("a.log", LINE.as_bytes()), ("b.log.gz", &broken), ("c.log", LINE.as_bytes())];
    for bytes in [tar(&members), gz(&tar(&members)), zip(&members)] {
        let (got, survey) = read(&bytes, &Limits::default());
        assert_eq!(names(&got), ["x!/a.log", "x!/b.log.gz", "x!/c.log"]);
        assert_eq!([got[0].whole, got[1].whole, got[2].whole], [true, false, true]);
        assert_eq!(survey.problems.len(), 1, "{survey:?}");
        assert!(matches!(survey.problems[0].trouble, Trouble::Damaged(_)), "{survey:?}");
    }
}

#[test]
fn a_cut_tar_and_a_cut_zip_give_their_whole_members() {
    let text: String = (0..5_000).map(|n| format!("{n} {LINE}")).collect();
    let members = [("a.log", LINE.as_bytes()), ("b.log", text.as_bytes())];
    let tarred = tar(&members);
    let (got, survey) = read(&tarred[..tarred.len() / 2], &Limits::default());
    assert_eq!([got[0].whole, got[1].whole], [true, false]);
    assert_eq!(survey.problems.len(), 1);
    assert_eq!(survey.problems[0].trouble, Trouble::Cut);
    // Cut between two members.
    let (got, survey) = read(&tarred[..1024 + 100], &Limits::default());
    assert!(got[0].whole);
    assert_eq!((got.len(), &survey.problems[0].trouble), (1, &Trouble::Cut));

    let zipped = zip(&members);
    let (got, survey) = read(&zipped[..zipped.len() / 2], &Limits::default());
    assert_eq!([got[0].whole, got[1].whole], [true, false]);
    assert!(survey.problems.iter().all(|p| p.trouble == Trouble::Cut), "{survey:?}");
    assert_eq!(survey.problems.last().unwrap().name, "x");
}

#[test]
fn encrypted_members_and_other_methods_are_named() {
    let mut zipped = zip(&[("a.log", LINE.as_bytes()), ("b.log", LINE.as_bytes())]);
    // Bit 0 of the flags, in each local (offset 6) and central (offset 8) header, says encrypted.
    for at in 0..zipped.len() - 4 {
        match &zipped[at..at + 4] {
            b"PK\x03\x04" => zipped[at + 6] |= 1,
            b"PK\x01\x02" => zipped[at + 8] |= 1,
            _ => {}
        }
    }
    let (got, survey) = read(&zipped, &Limits::default());
    assert!(got.is_empty());
    assert_eq!(said(&survey), ["x!/a.log (and 1 more): needs a password: unpack it and name the folder"]);
    assert_eq!(survey.problems[0].chinese(), "x!/a.log（等 2 个）：需要密码：请解压后给出目录");

    let mut zipped = zip(&[("a.log", LINE.as_bytes())]);
    for at in 0..zipped.len() - 4 {
        match &zipped[at..at + 4] {
            b"PK\x03\x04" => zipped[at + 8] = 14,
            b"PK\x01\x02" => zipped[at + 10] = 14,
            _ => {}
        }
    }
    let (_, survey) = read(&zipped, &Limits::default());
    assert_eq!(survey.problems[0].trouble, Trouble::UnreadMethod(14));
    let (_, survey) = read(b"\xfd7zXZ\0\0", &Limits::default());
    assert_eq!(survey.problems[0].trouble, Trouble::UnreadFormat("xz"));
}

/// An archive of some form around `text`.
fn archive(form: u8, text: &[u8]) -> Vec<u8> {
    match form % 5 {
        0 => gz(text),
        1 => tar(&[("a.log", text), ("b.log", LINE.as_bytes())]),
        2 => zip(&[("a.log", text), ("b.log", LINE.as_bytes())]),
        3 => gz(&tar(&[("a.zip", &zip(&[("c.log", text)]))])),
        _ => zip(&[("a.tgz", &gz(&tar(&[("c.log", text)])))]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..4096), magic in 0u8..8) {
        let magics: [&[u8]; 8] = [
            b"", b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"PK\x03\x04", b"PK\x05\x06", b"\xff\xfe", b"\xfe\xff",
            b"\xef\xbb\xbf", b"[IMAS]",
        ];
        let bytes = [magics[magic as usize], &bytes].concat();
        let (got, survey) = read(&bytes, &small());
        prop_assert_eq!(got.len(), survey.sources.len());
    }

    #[test]
    fn any_damage_does_no_harm(
        form in any::<u8>(),
        lines in 0usize..60,
        cut in any::<prop::sample::Index>(),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = archive(form, LINE.repeat(lines).as_bytes());
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let (got, survey) = read(&bytes, &small());
        prop_assert_eq!(got.len(), survey.sources.len());
        prop_assert!(survey.delivered_bytes < 16 << 20);
    }

    #[test]
    fn an_undamaged_archive_gives_its_text(form in any::<u8>(), lines in 1usize..3000) {
        let text = LINE.repeat(lines);
        let (got, survey) = read(&archive(form, text.as_bytes()), &Limits::default());
        prop_assert!(got[0].bytes == text.as_bytes() && got[0].whole);
        prop_assert!(survey.problems.is_empty());
    }
}
