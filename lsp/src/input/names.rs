//! Names as a person reads them: paths, archive members, the root of a log tree.
//!
//! A name made here is only ever shown and compared: no file is opened by it, so a member's name can
//! lead nowhere.

use std::path::Path;

/// Longest member name that is shown whole; a longer one is cut.
const LONGEST_NAME_CHARS: usize = 1024;

/// A path as the user gave it, with `/` between its parts.
pub(super) fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let text = printable(&text).0;
    text.strip_prefix("./").filter(|rest| !rest.is_empty()).map_or(text.clone(), str::to_owned)
}

/// A name that came from outside, safe to show.
pub(super) fn shown(name: &str) -> String {
    printable(name).0
}

/// The name of an archive's member.
pub(super) struct Member {
    /// Relative, with `/`, without `..`, drive or control characters.
    pub(super) text: String,
    /// Whether the archive's name was anything else (apart from a leading `./`).
    pub(super) altered: bool,
}

/// Reads a member's name: UTF-8, or GB18030 as Chinese Windows writes it.
pub(super) fn member(raw: &[u8]) -> Member {
    let decoded = decode(raw);
    let (text, mut altered) = printable(&decoded);
    altered |= text.contains('\\') || text.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split(['/', '\\']) {
        let is_drive = parts.is_empty() && part.len() == 2 && part.ends_with(':');
        match part {
            "" | "." => {}
            ".." => altered = true,
            _ if is_drive => altered = true,
            _ => parts.push(part),
        }
    }
    let mut text = parts.join("/");
    if let Some((cut, _)) = text.char_indices().nth(LONGEST_NAME_CHARS) {
        text.truncate(cut);
        text.push('…');
        altered = true;
    }
    if text.is_empty() {
        text.push_str("unnamed");
        altered = true;
    }
    Member { text, altered }
}

/// `archive!/member`.
pub(super) fn inside(archive: &str, member: &str) -> String {
    format!("{archive}!/{member}")
}

/// The root of the log tree a source stands in: what precedes `debug/plog`, `run/device-0` and their
/// like (grammar 1.6), else the folder or archive that holds it. Sources of one host share it; two
/// hosts with equal process ids do not.
pub fn log_root(name: &str) -> String {
    let folders: Vec<&str> = match name.rsplit_once('/') {
        Some((folder, _)) => folder.split('/').collect(),
        None => return String::new(),
    };
    let is_tree = |pair: &[&str]| matches!(pair, [level, ring] if is_level(level) && is_ring(ring));
    let kept = match folders.windows(2).rposition(is_tree) {
        Some(at) => &folders[..at],
        None => match folders.as_slice() {
            [rest @ .., last] if is_ring(last) || is_level(last) => rest,
            all => all,
        },
    };
    let root = kept.join("/");
    root.strip_suffix('!').map_or(root.clone(), str::to_owned)
}

fn is_level(folder: &str) -> bool {
    matches!(folder, "debug" | "run" | "security")
}

fn is_ring(folder: &str) -> bool {
    folder == "plog"
        || folder
            .strip_prefix("device-")
            .is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

fn decode(raw: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(raw) {
        return text.to_owned();
    }
    match encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(raw) {
        Some(text) => text.into_owned(),
        None => String::from_utf8_lossy(raw).into_owned(),
    }
}

/// Replaces control characters, which could drive a terminal.
fn printable(text: &str) -> (String, bool) {
    if !text.chars().any(char::is_control) {
        return (text.to_owned(), false);
    }
    (text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_names_lead_nowhere() {
        for (raw, shown, altered) in [
            (&b"./log/debug/plog/a.log"[..], "log/debug/plog/a.log", false),
            (b"../../etc/passwd", "etc/passwd", true),
            (b"/etc/passwd", "etc/passwd", true),
            (b"C:\\logs\\..\\plog.log", "logs/plog.log", true),
            (b"log\\plog-1.log", "log/plog-1.log", true),
            (b"..", "unnamed", true),
            (b"", "unnamed", true),
            (b"a\x1b[31m.log", "a\u{fffd}[31m.log", true),
            (b"\xc8\xd5\xd6\xbe.log", "日志.log", false),
        ] {
            let member = member(raw);
            assert_eq!((member.text.as_str(), member.altered), (shown, altered), "{raw:?}");
        }
        assert_eq!(member(&[b'x'; 5000]).text.chars().count(), LONGEST_NAME_CHARS + 1);
    }

    #[test]
    fn debug_and_run_files_of_one_host_share_a_root() {
        for (name, root) in [
            ("log/debug/plog/plog-1_2.log", "log"),
            ("log/run/plog/plog-1_2.log", "log"),
            ("log/run/device-0/device-1_2.log", "log"),
            ("/data/ascend/log/debug/plog/plog-1_2.log", "/data/ascend/log"),
            ("log.tar.gz!/log/debug/plog/plog-1_2.log", "log.tar.gz!/log"),
            ("log.tar.gz!/debug/plog/plog-1_2.log", "log.tar.gz"),
            ("log/debug/plog/old.tar.gz!/plog-1_2.log", "log"),
            ("hosts/a.zip!/plog-1_2.log", "hosts/a.zip"),
            ("x/plog/plog-1_2.log", "x"),
            ("x/run/plog-1_2.log", "x"),
            ("debug/plog/plog-1_2.log", ""),
            ("plog-1_2.log", ""),
            ("device-x/plog-1_2.log", "device-x"),
        ] {
            assert_eq!(log_root(name), root, "{name}");
        }
    }
}
