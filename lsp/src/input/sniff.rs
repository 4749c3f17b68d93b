//! What a source is, told by its first bytes.
//!
//! Looks at content only; names, sizes and places are not its business.

use memchr::memmem;

/// What the text of a source looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// CANN log lines: plog files, console pastes, device logs.
    Plog,
    /// A GE dump graph, protobuf text of GE's own schema (dump-graph 4).
    GeProto,
    /// A GE dump graph, protobuf text of the onnx schema (dump-graph 10).
    GeOnnx,
    /// A GE dump graph in GE's readable layout (dump-graph 11).
    GeReadable,
    /// A CSV report of imas (analysis-rules, outputs).
    ImasCsv,
    /// Text of another kind.
    Text,
    /// No text.
    Binary,
}

/// What a source's bytes are packed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Gzip,
    Tar,
    Zip,
    /// A format that is known by name and not read.
    Unread(&'static str),
}

const MAGICS: &[(&[u8], Container)] = &[
    (b"\x1f\x8b\x08", Container::Gzip),
    (b"PK\x03\x04", Container::Zip),
    (b"PK\x05\x06", Container::Zip),
    (b"\xfd7zXZ\0", Container::Unread("xz")),
    (b"\x28\xb5\x2f\xfd", Container::Unread("zstd")),
    (b"7z\xbc\xaf\x27\x1c", Container::Unread("7z")),
    (b"Rar!\x1a\x07", Container::Unread("rar")),
    (b"\x04\x22\x4d\x18", Container::Unread("lz4")),
];

/// The archive format of `head`, if it is one.
pub(super) fn container(head: &[u8]) -> Option<Container> {
    if let Some((_, found)) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(*found);
    }
    if head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY") {
        return Some(Container::Unread("bzip2"));
    }
    is_tar(head).then_some(Container::Tar)
}

/// A tar header is known by its checksum, so that tars without the `ustar` mark count too.
fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.get(..512) else { return false };
    let stored = header[148..156]
        .iter()
        .skip_while(|byte| **byte == b' ')
        .take_while(|byte| (b'0'..=b'7').contains(byte))
        .fold(0u32, |sum, digit| (sum << 3) | u32::from(digit - b'0'));
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { u32::from(b' ') } else { u32::from(*byte) })
        .sum();
    stored == sum && header[0] != 0
}

/// Words of CANN log lines that stand in no header (grammar 1 to 4; error trailers of GE; the short
/// line of the framework adapter).
const PLOG_MARKS: &[&[u8]] = &[
    b"[IMAS]",
    b"KernelTrace",
    b"svm_mem_stats_show",
    b"[devmm]",
    b"][ascend]",
    b"[ascend][",
    b"MallocMemory",
    b"[FUNC:",
    b"RankID:",
    b"EL0004",
];

/// The kind of a source that begins with `head` (UTF-8 or any ASCII superset).
pub fn kind(head: &[u8]) -> Kind {
    let controls = controls(head);
    if head.starts_with(b"\x7fELF") || controls * 10 > head.len() {
        return Kind::Binary;
    }
    if has_plog_header(head) {
        return Kind::Plog;
    }
    if controls * 50 > head.len() || head.contains(&0) {
        return Kind::Binary;
    }
    let first = first_line_of_content(head);
    let has = |needle: &[u8]| memmem::find(head, needle).is_some();
    if first.starts_with(b"graph(\"") {
        return Kind::GeReadable;
    }
    if is_imas_row(first) {
        return Kind::ImasCsv;
    }
    if first.starts_with(b"ir_version:") || first.starts_with(b"producer_name:") {
        if has(b"graph {") {
            return Kind::GeOnnx;
        }
    } else if first.starts_with(b"graph {") || first.starts_with(b"name:") || first.starts_with(b"op {") {
        let op = memmem::find(head, b"op {");
        let node = memmem::find(head, b"node {");
        match (op, node) {
            (Some(op), Some(node)) if node < op => return Kind::GeOnnx,
            (Some(_), _) => return Kind::GeProto,
            (None, Some(_)) if first.starts_with(b"graph {") => return Kind::GeOnnx,
            (None, _) => {}
        }
    }
    if PLOG_MARKS.iter().any(|mark| has(mark)) { Kind::Plog } else { Kind::Text }
}

/// Control characters that no text holds: some are the scars of a crash, many are a binary file.
fn controls(head: &[u8]) -> usize {
    head.iter().filter(|byte| matches!(byte, 0..=6 | 14..=26 | 28..=31 | 127)).count()
}

fn first_line_of_content(head: &[u8]) -> &[u8] {
    head.split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .unwrap_or_default()
}

fn is_imas_row(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"Process_") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest.get(digits) == Some(&b',')
}

/// `[LEVEL] MODULE(pid,`, also without the blank (grammar 1.1).
fn has_plog_header(head: &[u8]) -> bool {
    const LEVELS: &[&[u8]] =
        &[b"ERROR]", b"INFO]", b"WARNING]", b"DEBUG]", b"EVENT]", b"TRACE]", b"OPLOG]", b"NULL]"];
    memchr::memchr_iter(b'[', head).any(|at| {
        let rest = &head[at + 1..];
        let Some(level) = LEVELS.iter().find(|level| rest.starts_with(level)) else { return false };
        let rest = rest[level.len()..].trim_ascii_start();
        let module = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let Some(rest) = rest[module..].strip_prefix(b"(") else { return false };
        module > 0 && rest.trim_ascii_start().first().is_some_and(|b| b.is_ascii_digit() || *b == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, expected: Kind) {
        assert_eq!(kind(head.as_bytes()), expected);
    }

    #[test]
    fn plogs_are_known_by_a_header_or_a_mark() {
        check("[INFO] GE(41876,python3):2026-08-21-10:04:07.000.137 [a.cc:764]1 F:x\n", Kind::Plog);
        check("banner\n[ERROR]RUNTIME(7,x):...", Kind::Plog);
        check("[Decode]: [IMAS]AfterAssignMemory : g memoffset[1]", Kind::Plog);
        check("kern: [ascend] [devmm][x]DEV_MEM", Kind::Plog);
        check("[INFO] starting (really)\n", Kind::Text);
    }

    #[test]
    fn graphs_are_known_by_their_first_fields() {
        check("graph {\n  name: \"g\"\n  op {\n", Kind::GeProto);
        check("name: \"g\"\nop {\n  name: \"x\"\n", Kind::GeProto);
        check("ir_version: 6\nproducer_name: \"GE\"\ngraph {\n  node {\n", Kind::GeOnnx);
        check("graph {\n  node {\n    op_type: \"ge:Add\"\n", Kind::GeOnnx);
        check("\ngraph(\"g\"):\n  %input_0 : [#users=1]", Kind::GeReadable);
        check("name: \"net\"\nlayer {\n  name: \"data\"\n", Kind::Text);
        check("node {\n  name: \"x\"\n  op: \"y\"\n}\n", Kind::Text);
    }

    #[test]
    fn reports_other_text_and_binaries() {
        check("Process_12,g,optype,T\n", Kind::ImasCsv);
        check("Process_x,g\n", Kind::Text);
        check("日志 café\t\x1b[31mred\x1b[0m\r\n", Kind::Text);
        check("", Kind::Text);
        assert_eq!(kind(b"\x7fELF [IMAS]"), Kind::Binary);
        assert_eq!(kind(&[0; 4096]), Kind::Binary);
        assert_eq!(kind(b"\0\0[INFO] GE(1,p):2026 a line behind the hole of a crash\n"), Kind::Plog);
    }

    #[test]
    fn containers_are_known_by_content() {
        assert_eq!(container(b"\x1f\x8b\x08\0"), Some(Container::Gzip));
        assert_eq!(container(b"PK\x03\x04"), Some(Container::Zip));
        assert_eq!(container(b"BZh91AY&SY"), Some(Container::Unread("bzip2")));
        assert_eq!(container(b"BZh, said the log"), None);
        assert_eq!(container(b"PK"), None);
        assert_eq!(container(&[0; 1024]), None);
    }
}
