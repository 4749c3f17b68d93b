//! What can go wrong with an input, and the sentences that say so.
//!
//! Each sentence names what was found or expected and what to do about it.

use super::limits::Breach;

/// What went wrong, or is worth knowing, about one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No such file or folder.
    NotFound,
    /// A pattern that no file matches.
    NoMatch,
    /// A pattern that cannot be read, with the reason.
    BadPattern(String),
    /// The system refused, with its reason.
    Io(String),
    /// A file named by the user holds no text.
    NotText,
    /// A file named by the user holds no byte.
    Empty,
    /// A folder or archive without one source that could be used.
    NothingUsable,
    /// A packed format that is not read, with its name.
    UnreadFormat(&'static str),
    /// Members that need a password.
    Encrypted,
    /// Members packed with a method other than deflate, with its number in the zip format.
    UnreadMethod(u16),
    /// The data ends early; what was whole before is used.
    Cut,
    /// The data is damaged, with the reader's reason; what was whole before is used.
    Damaged(String),
    /// Bytes behind the end of the packed data.
    TrailingBytes,
    /// Members whose names point outside the archive or hold backslashes or control characters; shown
    /// cleaned.
    NameCleaned,
    /// A limit against archive bombs.
    Limit(Breach),
}

impl Trouble {
    /// Whether this only informs: nothing was left out because of it.
    pub fn is_note(&self) -> bool {
        matches!(self, Trouble::TrailingBytes | Trouble::NameCleaned)
    }

    /// Whether the user named something that isn't there or can't be meant: a mistake of the call.
    pub fn is_usage(&self) -> bool {
        matches!(self, Trouble::NotFound | Trouble::NoMatch | Trouble::BadPattern(_))
    }

    /// The sentence in English, without the name of the input.
    pub fn english(&self) -> String {
        match self {
            Trouble::NotFound => "no such file or folder: check the path".into(),
            Trouble::NoMatch => "no file matches this pattern: check it, or name a folder".into(),
            Trouble::BadPattern(why) => {
                format!("not a pattern ({why}): use *, ?, [..] and **, or name a file or folder")
            }
            Trouble::Io(why) => format!("could not be read: {why}"),
            Trouble::NotText => {
                "holds binary data: expected log text, a dump graph, an imas CSV, or a .gz, .tar or .zip of them"
                    .into()
            }
            Trouble::Empty => "is empty: nothing to read".into(),
            Trouble::NothingUsable => {
                "nothing in it looks like a CANN log, a dump graph or an imas CSV: name the log folder \
                 (the one with debug/ and run/), or name the files themselves to have them read all the same"
                    .into()
            }
            Trouble::UnreadFormat(format) => {
                format!("{format} archives are not read: unpack it and name the folder, or pack it as .tar.gz or .zip")
            }
            Trouble::Encrypted => "needs a password: unpack it and name the folder".into(),
            Trouble::UnreadMethod(method) => format!(
                "packed with zip method {method}, only store and deflate are read: unpack it and name the folder"
            ),
            Trouble::Cut => {
                "ends too early, as after a broken copy: what was whole was read; copy it again for the rest".into()
            }
            Trouble::Damaged(why) => {
                format!("is damaged ({why}): what was whole before was read; copy it again for the rest")
            }
            Trouble::TrailingBytes => "bytes behind the end of the packed data were left out".into(),
            Trouble::NameCleaned => {
                "its name points outside the archive or holds backslashes or control characters: shown \
                 cleaned; nothing is written to disk"
                    .into()
            }
            Trouble::Limit(breach) => english_limit(*breach),
        }
    }

    /// The sentence in Simplified Chinese, without the name of the input.
    pub fn chinese(&self) -> String {
        match self {
            Trouble::NotFound => "没有这个文件或目录：请检查路径".into(),
            Trouble::NoMatch => "没有文件符合该通配符：请检查，或直接给出目录".into(),
            Trouble::BadPattern(why) => {
                format!("通配符不合法（{why}）：可用 *、?、[..] 和 **，或直接给出文件或目录")
            }
            Trouble::Io(why) => format!("无法读取：{why}"),
            Trouble::NotText => {
                "是二进制内容：应为日志文本、dump 图、imas CSV，或由它们打成的 .gz、.tar、.zip".into()
            }
            Trouble::Empty => "是空的：没有可读内容".into(),
            Trouble::NothingUsable => {
                "其中没有 CANN 日志、dump 图或 imas CSV：请给出日志目录（含 debug/ 和 run/ 的那一级），\
                 或直接点名文件以强制读取"
                    .into()
            }
            Trouble::UnreadFormat(format) => {
                format!("不支持 {format} 压缩格式：请解压后给出目录，或改打成 .tar.gz 或 .zip")
            }
            Trouble::Encrypted => "需要密码：请解压后给出目录".into(),
            Trouble::UnreadMethod(method) => {
                format!("使用了 zip 压缩方法 {method}，只支持 store 和 deflate：请解压后给出目录")
            }
            Trouble::Cut => "提前结束（可能没有拷贝完整）：完整的部分已读取；其余请重新拷贝".into(),
            Trouble::Damaged(why) => {
                format!("数据损坏（{why}）：损坏之前完整的部分已读取；其余请重新拷贝")
            }
            Trouble::TrailingBytes => "压缩数据结尾之后还有字节，已忽略".into(),
            Trouble::NameCleaned => {
                "成员名指向压缩包之外，或含反斜杠、控制字符：显示时已清理；不会向磁盘写任何内容".into()
            }
            Trouble::Limit(breach) => chinese_limit(*breach),
        }
    }
}

fn english_limit(breach: Breach) -> String {
    let (what, rest) = match breach {
        Breach::Layers(most) => {
            (format!("more than {most} archives inside one another"), "it was not opened")
        }
        Breach::Unpacked(most) => {
            (format!("unpacks to more than {}", size(most)), "reading of this archive stopped here")
        }
        Breach::Ratio(most) => (
            format!("unpacks to more than {most} times its size, as archive bombs do"),
            "reading of this archive stopped here",
        ),
        Breach::Members(most) => {
            (format!("holds more than {most} members"), "reading of this archive stopped here")
        }
        Breach::ZipInMemory(most) => (
            format!("a zip inside another archive or from a pipe may have {} at most", size(most)),
            "it was not opened",
        ),
    };
    format!("refused: {what}; {rest}. If you trust it, unpack it and name the folder")
}

fn chinese_limit(breach: Breach) -> String {
    let (what, rest) = match breach {
        Breach::Layers(most) => (format!("压缩包嵌套超过 {most} 层"), "未打开"),
        Breach::Unpacked(most) => (format!("解压后超过 {}", size(most)), "该压缩包读到此处为止"),
        Breach::Ratio(most) => {
            (format!("解压后超过自身大小的 {most} 倍，疑似压缩炸弹"), "该压缩包读到此处为止")
        }
        Breach::Members(most) => (format!("成员超过 {most} 个"), "该压缩包读到此处为止"),
        Breach::ZipInMemory(most) => (format!("压缩包内或管道中的 zip 不得超过 {}", size(most)), "未打开"),
    };
    format!("已拒绝：{what}；{rest}。若确认可信，请解压后给出目录")
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) {
        format!("{} GiB", bytes >> 30)
    } else if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else {
        format!("{bytes} bytes")
    }
}
