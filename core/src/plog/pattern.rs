//! Templates of messages and the matcher for them. Knows nothing of headers or of what a kind means.
//!
//! A template is the message as GE prints it, with fields in braces:
//!
//! | in a template | reads |
//! |---|---|
//! | `{name}` | text, as short as what follows allows |
//! | `{name:reader}` | a value: `u i f b hex bytes rounded offset addr addr10 addr16 word name list rest` |
//! | `{}`, `{:reader}` | the same, not kept |
//! | `{name=a\|b}`, `{=a\|b}` | one of the words, kept or not |
//! | `{~}` | any number of blanks, none too |
//! | `⟨…⟩` | a part that may be missing; nests |
//!
//! Everything else stands for itself. The whole message must match; blanks behind it do not count.
//! A regular expression per line would be 30 to 70 times slower.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr;

use super::value::{Field, Reader, Value};

/// Attempts after which a hostile message counts as unread.
const STEP_LIMIT: u32 = 20_000;

/// Prefixes a pattern has at most.
const PREFIX_LIMIT: usize = 16;

/// A compiled template.
#[derive(Debug)]
pub struct Pattern {
    ops: Vec<Op>,
}

#[derive(Debug)]
enum Op {
    Literal(&'static str),
    Field {
        name: &'static str,
        reader: Reader,
    },
    OneOf {
        name: &'static str,
        words: Vec<&'static str>,
    },
    Blanks,
    /// The ops up to the given index may be left out.
    Optional {
        end: usize,
    },
}

/// How a message fits a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Wholly.
    Whole,
    /// The message ended too early; the fields are those before the cut, at least one.
    Cut,
    /// The pattern ended first, behind four fields or more: a later version prints more.
    Longer,
    /// Not at all.
    Not,
}

/// Buffers that one match after the other uses.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Choices to come back to, newest last.
    choices: Vec<Choice>,
    /// Room for fields, given out and taken back.
    fields: Vec<Field<'static>>,
}

impl Scratch {
    /// An empty list with the room of the list that came back last.
    pub fn lend<'a>(&mut self) -> Vec<Field<'a>> {
        emptied(core::mem::take(&mut self.fields))
    }

    /// Takes a list back for the next match.
    pub fn take_back(&mut self, fields: Vec<Field<'_>>) {
        self.fields = emptied(fields);
    }
}

/// The list without its fields but with its room, for fields of any other line.
fn emptied<'a>(mut fields: Vec<Field<'_>>) -> Vec<Field<'a>> {
    fields.clear();
    fields.into_iter().map(|field| Field { name: field.name, value: Value::Flag(false) }).collect()
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    op: usize,
    at: usize,
    fields: usize,
    /// For a text field: where it starts; `at` is then the earliest end still to be tried.
    text_from: Option<usize>,
}

impl Pattern {
    /// Compiles a template; `Err` says what is wrong with it.
    pub fn new(template: &'static str) -> Result<Pattern, &'static str> {
        let mut ops = Vec::new();
        let mut open = Vec::new();
        let mut rest = template;
        while let Some(next) = rest.chars().next() {
            match next {
                '⟨' => {
                    open.push(ops.len());
                    ops.push(Op::Optional { end: 0 });
                    rest = &rest['⟨'.len_utf8()..];
                }
                '⟩' => {
                    let start = open.pop().ok_or("⟩ without ⟨")?;
                    ops[start] = Op::Optional { end: ops.len() };
                    rest = &rest['⟩'.len_utf8()..];
                }
                '{' => {
                    let (inside, behind) = rest[1..].split_once('}').ok_or("{ without }")?;
                    ops.push(field(inside)?);
                    rest = behind;
                }
                _ => {
                    let end = rest.find(['⟨', '⟩', '{']).unwrap_or(rest.len());
                    ops.push(Op::Literal(&rest[..end]));
                    rest = &rest[end..];
                }
            }
        }
        if open.is_empty() { Ok(Pattern { ops }) } else { Err("⟨ without ⟩") }
    }

    /// The texts one of which every matching message starts with; an empty one means "anything".
    ///
    /// They go on over words and optional parts, as long as there are not too many of them.
    pub fn prefixes(&self) -> Vec<String> {
        let mut open = Vec::from([String::new()]);
        let mut closed = Vec::new();
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            let inside = match op {
                Op::Optional { end } => {
                    let inside = self.ops.get(at..*end).unwrap_or(&[]);
                    at = *end;
                    inside
                }
                op => {
                    if !extend(&mut open, op) {
                        break;
                    }
                    continue;
                }
            };
            let mut taken = open.clone();
            let whole = inside.iter().all(|op| extend(&mut taken, op));
            if open.len() + taken.len() + closed.len() > PREFIX_LIMIT {
                break;
            }
            if whole { &mut open } else { &mut closed }.append(&mut taken);
        }
        closed.append(&mut open);
        closed
    }

    /// For a pattern that starts with one word and goes on with fixed text: that text.
    pub fn behind_first_word(&self) -> Option<&'static str> {
        match self.ops.as_slice() {
            [Op::Field { reader: Reader::Word, .. }, Op::Literal(text), ..] if text.starts_with(' ') => {
                Some(text)
            }
            _ => None,
        }
    }

    /// The longest text that every matching message contains.
    pub fn anchor(&self) -> &'static str {
        let mut anchor = "";
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match op {
                Op::Literal(text) if text.len() > anchor.len() => anchor = text,
                Op::Optional { end } => at = *end,
                _ => {}
            }
        }
        anchor
    }

    /// Matches a message. `fields` is cleared first and holds what was read.
    pub fn fit<'a>(&self, message: &'a [u8], fields: &mut Vec<Field<'a>>, scratch: &mut Scratch) -> Fit {
        fields.clear();
        fields.reserve(self.ops.len() / 2);
        let mut run = Run { ops: &self.ops, text: message, fields, choices: &mut scratch.choices };
        run.fit()
    }
}

/// Appends what the op reads to each of the texts; false where it is no fixed text.
fn extend(texts: &mut Vec<String>, op: &Op) -> bool {
    match op {
        Op::Literal(text) => texts.iter_mut().for_each(|t| t.push_str(text)),
        Op::OneOf { words, .. } if texts.len() * words.len() <= PREFIX_LIMIT => {
            *texts = texts.iter().flat_map(|t| words.iter().map(move |w| t.clone() + w)).collect();
        }
        _ => return false,
    }
    true
}

fn field(inside: &'static str) -> Result<Op, &'static str> {
    if inside == "~" {
        return Ok(Op::Blanks);
    }
    if let Some((name, words)) = inside.split_once('=') {
        return Ok(Op::OneOf { name, words: words.split('|').collect() });
    }
    let (name, word) = inside.split_once(':').unwrap_or((inside, ""));
    let reader = Reader::from_word(word).ok_or("unknown reader behind the colon")?;
    Ok(Op::Field { name, reader })
}

/// Whether the text begins like this; the literals of templates are too short for a call.
fn begins(text: &[u8], literal: &[u8]) -> bool {
    let Some(text) = text.get(..literal.len()) else { return false };
    let ((words, rest), (like_words, like_rest)) = (text.as_chunks::<8>(), literal.as_chunks::<8>());
    let word = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_ne_bytes(*a) == u64::from_ne_bytes(*b);
    words.iter().zip(like_words).all(word) && rest.iter().zip(like_rest).all(|(a, b)| a == b)
}

/// Where `needle` first stands in `text`. Faster than a prepared search: most needles begin with a
/// bracket, and most are found within a name's length.
fn place_of(needle: &[u8], text: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let at = memchr(first, rest)?;
        if rest.get(at..)?.starts_with(needle) {
            return Some(from + at);
        }
        from += at + 1;
    }
}

/// One match in progress: a depth-first walk with the open choices on a stack of its own.
struct Run<'r, 'a> {
    ops: &'r [Op],
    text: &'a [u8],
    fields: &'r mut Vec<Field<'a>>,
    choices: &'r mut Vec<Choice>,
}

impl<'a> Run<'_, 'a> {
    fn fit(&mut self) -> Fit {
        self.fields.clear();
        self.choices.clear();
        // The most fields that were read where the message ended too early.
        let mut cut: Vec<Field<'a>> = Vec::new();
        let mut longer = false;
        let (mut op, mut at) = (0, 0);
        for _ in 0..STEP_LIMIT {
            if op == self.ops.len() {
                let rest = self.text.get(at..).unwrap_or(&[]);
                if rest.iter().all(u8::is_ascii_whitespace) {
                    return Fit::Whole;
                }
                longer |= self.fields.len() >= 4 && matches!(rest.first(), Some(b' ' | b',' | b'.' | b';'));
            } else if let Some(next) = self.step(op, at) {
                (op, at) = next;
                continue;
            } else if self.fields.len() > cut.len() && self.ran_out(op, at) {
                cut.clear();
                cut.extend_from_slice(self.whole_fields(at));
            }
            match self.next_choice() {
                Some(next) => (op, at) = next,
                None => break,
            }
        }
        let longer = longer && self.longest_prefix();
        if longer && cut.len() <= self.fields.len() {
            return Fit::Longer;
        }
        self.fields.clear();
        self.fields.extend_from_slice(&cut);
        if cut.is_empty() { Fit::Not } else { Fit::Cut }
    }

    /// Does one op; the next op and place, or `None` where it does not fit.
    #[inline(always)]
    fn step(&mut self, op: usize, at: usize) -> Option<(usize, usize)> {
        let rest = self.text.get(at..)?;
        match self.ops.get(op)? {
            Op::Literal(text) => begins(rest, text.as_bytes()).then_some((op + 1, at + text.len())),
            Op::Blanks => Some((op + 1, at + rest.iter().take_while(|b| b.is_ascii_whitespace()).count())),
            Op::Optional { end } => {
                self.choices.push(Choice { op: *end, at, fields: self.fields.len(), text_from: None });
                Some((op + 1, at))
            }
            Op::OneOf { name, words } => {
                let word = words.iter().filter(|w| rest.starts_with(w.as_bytes())).max_by_key(|w| w.len())?;
                self.keep(name, Value::Text(rest.get(..word.len())?));
                Some((op + 1, at + word.len()))
            }
            Op::Field { reader: Reader::Text, .. } => self.text_field(op, at, at),
            Op::Field { name, reader } => {
                let (value, taken) = reader.read(rest)?;
                self.keep(name, value);
                Some((op + 1, at + taken))
            }
        }
    }

    /// Reads a text field that starts at `from` and ends at `earliest` or behind.
    fn text_field(&mut self, op: usize, from: usize, earliest: usize) -> Option<(usize, usize)> {
        let Some(Op::Field { name, .. }) = self.ops.get(op) else { return None };
        let end = match self.ops.get(op + 1) {
            None => self.text.len(),
            Some(Op::Literal(next)) => earliest + place_of(next.as_bytes(), self.text.get(earliest..)?)?,
            Some(_) => earliest,
        };
        let value = Value::Text(self.text.get(from..end)?);
        if end < self.text.len() {
            let fields = self.fields.len();
            self.choices.push(Choice { op, at: end + 1, fields, text_from: Some(from) });
        }
        self.keep(name, value);
        Some((op + 1, end))
    }

    fn keep(&mut self, name: &'static str, value: Value<'a>) {
        if !name.is_empty() {
            self.fields.push(Field { name, value });
        }
    }

    fn next_choice(&mut self) -> Option<(usize, usize)> {
        while let Some(choice) = self.choices.pop() {
            self.fields.truncate(choice.fields);
            match choice.text_from {
                None => return Some((choice.op, choice.at)),
                Some(from) => {
                    if let Some(next) = self.text_field(choice.op, from, choice.at) {
                        return Some(next);
                    }
                }
            }
        }
        None
    }

    /// Whether the op failed only because the message ended.
    fn ran_out(&self, op: usize, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or(&[]);
        match self.ops.get(op) {
            Some(Op::Literal(text)) => text.as_bytes().starts_with(rest),
            Some(Op::OneOf { words, .. }) => words.iter().any(|w| w.as_bytes().starts_with(rest)),
            Some(Op::Field { reader: Reader::Text, .. }) => true,
            Some(Op::Field { .. }) => rest.is_empty() || rest == b"-" || rest == b"0x",
            _ => false,
        }
    }

    /// The fields read so far, without a number that the cut may have torn.
    fn whole_fields(&self, at: usize) -> &[Field<'a>] {
        let torn = usize::from(at == self.text.len());
        self.fields.get(..self.fields.len().saturating_sub(torn)).unwrap_or_default()
    }

    /// Matches once more, taking the first way on which the pattern ends before the message.
    fn longest_prefix(&mut self) -> bool {
        self.fields.clear();
        self.choices.clear();
        let (mut op, mut at) = (0, 0);
        for _ in 0..STEP_LIMIT {
            if op == self.ops.len() && self.fields.len() >= 4 {
                return true;
            }
            match self.step(op, at).or_else(|| self.next_choice()) {
                Some(next) => (op, at) = next,
                None => break,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[track_caller]
    fn check(template: &'static str, message: &str, expected: &str) {
        let pattern = Pattern::new(template).expect("template");
        let mut fields = Vec::new();
        let fit = pattern.fit(message.as_bytes(), &mut fields, &mut Scratch::default());
        let mut got = format!("{fit:?}");
        for Field { name, value } in fields {
            got += &format!(" {name}=");
            got += &match value {
                Value::Text(t) => String::from_utf8_lossy(t).into_owned(),
                Value::Decimal(d) => format!("{d}"),
                other => format!("{}", other.as_i64().unwrap_or(0)),
            };
        }
        assert_eq!(got, expected);
    }

    const SET: &str = "Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {io=output|output_desc}[{index:i}] size[{size:bytes}]⟨ batch[{batch}]⟩";

    #[test]
    fn optional_parts_may_be_missing() {
        check(
            SET,
            "Set g_1 name[a] output[0] size[512]",
            "Whole graph=g_1 name=a io=output index=0 size=512",
        );
        check(
            SET,
            "Set g name[a] optype[T] output_desc[1] size[0] batch[]",
            "Whole graph=g name=a optype=T io=output_desc index=1 size=0 batch=",
        );
    }

    #[test]
    fn a_name_may_hold_what_follows_it() {
        check(
            SET,
            "Set g name[a] output[9] x] output[0] size[1]",
            "Whole graph=g name=a] output[9] x io=output index=0 size=1",
        );
    }

    #[test]
    fn a_cut_message_gives_the_fields_before_the_cut() {
        check(
            SET,
            "Set g name[a] optype[T] output[0] size[51",
            "Cut graph=g name=a optype=T io=output index=0",
        );
        check(SET, "Set g na", "Cut graph=g");
        check(SET, "Set g name[a] optype[T", "Cut graph=g name=a");
    }

    #[test]
    fn a_later_version_may_print_more() {
        check(
            SET,
            "Set g name[a] output[0] size[512] color[red]",
            "Longer graph=g name=a io=output index=0 size=512",
        );
        check(SET, "Sets g", "Not");
    }

    #[test]
    fn prefixes_go_on_over_words_and_optional_parts() {
        #[track_caller]
        fn check(template: &'static str, expected: &[&str]) {
            assert_eq!(Pattern::new(template).expect("template").prefixes(), expected);
        }
        check("⟨[OM2]⟩[IMAS]graph_{id:u}", &["[IMAS]graph_", "[OM2][IMAS]graph_"]);
        check("{op=Alloc|Free}. (", &["Alloc. (", "Free. ("]);
        check("⟨<{code:u}> ⟩Mem {what}", &["<", "Mem "]);
        check("⟨ ⟩{name} failed", &["", " "]);
        check("{name} failed", &[""]);
    }

    #[test]
    fn a_field_without_a_name_is_read_and_dropped() {
        check("a ({}) b {:u} c {x:u}", "a (1.5M) b 2 c 3", "Whole x=3");
    }

    #[test]
    fn a_hostile_message_ends() {
        let message = format!("Set g name[{}", "a] output[1] ".repeat(5000));
        let pattern = Pattern::new(SET).expect("template");
        let fit = pattern.fit(message.as_bytes(), &mut Vec::new(), &mut Scratch::default());
        assert!(matches!(fit, Fit::Cut | Fit::Not));
    }

    #[test]
    fn faulty_templates_are_refused() {
        assert!(Pattern::new("a⟨b").is_err());
        assert!(Pattern::new("a⟩b").is_err());
        assert!(Pattern::new("{a").is_err());
        assert!(Pattern::new("{a:what}").is_err());
    }
}
