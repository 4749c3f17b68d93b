//! Text in terminal columns: how wide it is, where it may break, where it is cut.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text takes; East Asian wide characters take two.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text in lines of at most `most` columns. Breaks at blanks, and between wide characters; a
/// longer word stands alone, whole.
pub(super) fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for piece in pieces(text) {
        let visible = width(piece.trim_end());
        if used > 0 && used + visible > most {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            *line += piece;
        }
        used += width(piece);
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// The text, cut to `most` columns with an ellipsis where it is longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= most
    });
    kept.chain(['…']).collect()
}

/// The parts of a text that may not be broken, each with the blanks behind it.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices().peekable();
        let end = loop {
            let Some((at, c)) = chars.next() else { break rest.len() };
            let behind = at + c.len_utf8();
            match chars.peek() {
                None => break behind,
                Some((_, next)) if c == ' ' && *next != ' ' => break behind,
                Some((_, next)) if is_wide(c) && *next != ' ' && !is_closing(*next) => break behind,
                Some((_, next)) if c != ' ' && is_wide(*next) && !is_closing(*next) => break behind,
                _ => {}
            }
        };
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

fn is_wide(c: char) -> bool {
    c.width() == Some(2) && !matches!(c, '（' | '《' | '“' | '「')
}

/// Punctuation that never starts a line.
fn is_closing(c: char) -> bool {
    matches!(c, '，' | '。' | '；' | '：' | '、' | '）' | '》' | '”' | '！' | '？' | '」')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_between_wide_characters() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a-very-long-word b", 5), ["a-very-long-word", "b"]);
        assert_eq!(lines("设备内存，由组件占用", 10), ["设备内存，", "由组件占用"]);
        assert_eq!(lines("内存（GE 占用）", 6), ["内存", "（GE", "占用）"]);
        assert_eq!(lines("", 5), [""]);
    }

    #[test]
    fn a_cut_text_is_as_wide_as_asked() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("设备内存", 6), "设备…");
    }
}
