//! Every sentence a user reads, in English and Simplified Chinese, keyed by typed messages.
//!
//! Log terms, option names and figures stay as they are in both languages.

pub mod address;
pub mod class;
pub mod codes;
pub mod collect;
pub mod completeness;
pub mod component;
pub mod dump;
pub mod echo;
pub mod editor;
pub mod first_cause;
pub mod host_leak;
pub mod label;
pub mod layout;
pub mod overview;
pub mod pool;
pub mod size;
pub mod static_graph;
pub mod whose;
pub mod zero_copy;

use alloc::string::String;
use alloc::vec::Vec;

use crate::intern::Interner;

/// A language of the product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The language for a locale name such as `zh_CN.UTF-8` or `en-GB`; English for any other.
    pub fn from_locale(locale: &str) -> Lang {
        if locale.to_ascii_lowercase().starts_with("zh") { Lang::Zh } else { Lang::En }
    }

    /// The text of this language.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }
}

/// The named absence of lines.
pub fn absence(text: &str, lines: u64, lang: Lang) -> String {
    match lang {
        Lang::En => alloc::format!("no line with `{text}` among {lines} lines read"),
        Lang::Zh => alloc::format!("在读入的 {lines} 行中没有包含 `{text}` 的行"),
    }
}

/// What a rule has to say about one hit.
pub trait Say {
    /// One sentence: what is so, with the numbers.
    fn sentence(&self, names: &Interner, lang: Lang) -> String;
    /// What it means.
    fn meaning(&self, lang: Lang) -> &'static str;
    /// The formula with the numbers put in; the same in every language.
    fn formula(&self) -> Option<String> {
        None
    }
    /// What to do, most useful first. Options carry their official names.
    fn remedies(&self, lang: Lang) -> Vec<String>;
}
