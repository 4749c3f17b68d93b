//! Help, version and complaints about a faulty command line.

use std::io::Write;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use gemlens_core::say::Lang;

use super::Outcome;

/// Prints what parsing ended with.
pub(super) fn say(error: &Error, lang: Lang) -> Outcome {
    let text = match lang {
        Lang::Zh => chinese(error),
        Lang::En => None,
    };
    // Nobody is left to tell when even this can't be written.
    let _ = match text {
        Some(text) => writeln!(anstream::stderr(), "{text}"),
        None => error.print(),
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Outcome::Fine,
        _ => Outcome::Usage,
    }
}

/// The complaint in Chinese; `None` for help and version, which are in the right language already.
fn chinese(error: &Error) -> Option<String> {
    let part = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join("、")),
        _ => None,
    };
    let argument = part(ContextKind::InvalidArg).unwrap_or_default();
    let value = part(ContextKind::InvalidValue).unwrap_or_default();
    let mut text = String::from("错误：");
    text += &match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::UnknownArgument => format!("不认识的参数 {argument}"),
        ErrorKind::InvalidSubcommand => {
            format!("不认识的命令 {}", part(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingSubcommand => "缺少命令".to_owned(),
        ErrorKind::MissingRequiredArgument => format!("缺少参数 {argument}"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} 缺少取值"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => format!("{argument} 的取值 {value} 不合法"),
        ErrorKind::ArgumentConflict => format!("{argument} 重复或冲突"),
        _ => format!("{argument} 用法不正确"),
    };
    if let Some(values) = part(ContextKind::ValidValue).filter(|values| !values.is_empty()) {
        text += &format!("；可取：{values}");
    }
    let similar = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    if let Some(similar) = similar.into_iter().find_map(part) {
        text += &format!("；是否要用 {similar}？");
    }
    text += "\n\n更多信息请用 --help 查看。";
    Some(text)
}
