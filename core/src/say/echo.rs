//! What followed from a first cause, what was harmless, and text that can't be trusted (analysis
//! rules, R7).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::codes;
use super::first_cause::nature;
use super::{Lang, Say};
use crate::intern::Interner;
use crate::model::fault::{Code, Nature};
use crate::units::Bytes;

/// One later error.
#[derive(Clone, Debug, PartialEq)]
pub struct Echo {
    /// What it is.
    pub nature: Nature,
    /// Whose.
    pub pid: Option<i64>,
    /// Microseconds behind the cause; `None` without a time.
    pub after: Option<i64>,
    /// Its code.
    pub code: Option<Code>,
    /// Bytes it speaks of.
    pub size: Option<Bytes>,
}

/// The errors that follow from the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Echoes {
    /// The first of each kind and process, in the order of their time.
    pub chain: Vec<Echo>,
    /// All of them.
    pub count: usize,
}

impl Say for Echoes {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        let step = |echo: &Echo| {
            let mut text = String::new();
            if let Some(after) = echo.after {
                text += &format!("{:+.3} s ", after as f64 / 1e6);
            }
            text += nature(echo.nature, lang);
            if let Some(code) = echo.code {
                text += &format!(" {}", codes::shown(code, names, lang));
            }
            if let Some(size) = echo.size {
                text += &format!(" {size} B");
            }
            if let Some(pid) = echo.pid {
                text += &format!(" [{pid}]");
            }
            text
        };
        let chain: Vec<String> = self.chain.iter().map(step).collect();
        let chain = chain.join(" → ");
        match lang {
            Lang::En => format!(
                "{} later {} its {}: {chain}.",
                self.count,
                if self.count == 1 { "error is" } else { "errors are" },
                if self.count == 1 { "echo" } else { "echoes" }
            ),
            Lang::Zh => format!("之后的 {} 条错误都是它的后果：{chain}。", self.count),
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        lang.pick(
            "They say how the failure spread, not why it began.",
            "它们说明故障如何扩散，而不是为何发生。",
        )
    }

    fn remedies(&self, _: Lang) -> Vec<String> {
        Vec::new()
    }
}

/// First tries that failed and were made good.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// How many.
    pub times: usize,
}

impl Say for Recovered {
    fn sentence(&self, _: &Interner, lang: Lang) -> String {
        let times = self.times;
        match lang {
            Lang::En => format!("{times} refused first tries were made good after recycling: harmless."),
            Lang::Zh => format!("{times} 次首次申请失败后经回收重试成功：无害。"),
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        lang.pick(
            "By design: a pool asks the device first, gives cached memory back when it is refused, and asks again.",
            "设计行为：内存池先向设备申请，失败后归还缓存并再次申请。",
        )
    }

    fn remedies(&self, _: Lang) -> Vec<String> {
        Vec::new()
    }
}

/// Lines recognised from a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Damaged {
    /// How many.
    pub lines: usize,
}

impl Say for Damaged {
    fn sentence(&self, _: &Interner, lang: Lang) -> String {
        let lines = self.lines;
        match lang {
            Lang::En => format!("The text is damaged: {lines} lines have a letter O where a digit must be."),
            Lang::Zh => format!("文本已损坏：{lines} 行在应为数字处出现字母 O。"),
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        lang.pick(
            "It was recognised from a picture. Process ids and numbers in it may be wrong; processes that only such ids name are not counted.",
            "文本由图片识别而来，其中的进程号与数字可能有误；仅由此类进程号出现的进程不计入。",
        )
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        Vec::from([String::from(
            lang.pick("Give the log file instead of a screenshot.", "请提供日志文件而不是截图。"),
        )])
    }
}
