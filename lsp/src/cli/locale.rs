//! The language to speak, before anything else is known of the command line.

use std::ffi::OsString;

use gemlens_core::say::Lang;

/// The language that `--lang` asks for, else that of the locale, else English.
///
/// Looked up by hand because the help texts and the complaints about a faulty command line have to
/// be in that language too.
pub(super) fn language(args: &[OsString], variable: impl Fn(&str) -> Option<String>) -> Lang {
    let mut args = args.iter().skip(1).map(|arg| arg.to_string_lossy()).take_while(|arg| arg != "--");
    let asked = args.find_map(|arg| match arg.strip_prefix("--lang") {
        Some("") => Some(None),
        Some(rest) => rest.strip_prefix('=').map(|value| Some(value.to_owned())),
        None => None,
    });
    let asked = match asked {
        Some(None) => args.next().map(|value| value.into_owned()),
        Some(value) => value,
        None => None,
    };
    let of_locale = || {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(&variable)
            .find(|value| !value.is_empty())?;
        Some(Lang::from_locale(&name))
    };
    match asked.as_deref() {
        Some("en") => Lang::En,
        Some("zh") => Lang::Zh,
        _ => of_locale().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], variables: &[(&str, &str)], expected: Lang) {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let found = language(&args, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        assert_eq!(found, expected, "{args:?} {variables:?}");
    }

    #[test]
    fn the_option_wins_over_the_locale() {
        check(&["gemlens", "total", "--lang", "zh"], &[("LANG", "en_US.UTF-8")], Lang::Zh);
        check(&["gemlens", "--lang=en", "total"], &[("LANG", "zh_CN.UTF-8")], Lang::En);
        check(&["gemlens", "total", "--", "--lang=zh"], &[], Lang::En);
        check(&["gemlens", "--lang"], &[("LC_ALL", "zh_CN")], Lang::Zh);
    }

    #[test]
    fn the_first_variable_that_says_something_counts() {
        check(&[], &[("LC_ALL", ""), ("LC_MESSAGES", "zh_CN"), ("LANG", "C")], Lang::Zh);
        check(&[], &[("LC_ALL", "C"), ("LANG", "zh_CN.UTF-8")], Lang::En);
        check(&[], &[], Lang::En);
    }
}
