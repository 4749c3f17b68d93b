//! The rules as a table.

use super::table::{Cell, Table};
use crate::check;
use crate::say::Lang;
use crate::say::label::Label;

/// All rules by code, each with what it finds.
pub fn table(lang: Lang) -> Table {
    let columns = [
        ("code", Label::Code),
        ("severity", Label::Severity),
        ("by_design", Label::ByDesign),
        ("rule", Label::Rule),
        ("finds", Label::Finds),
    ];
    let mut table = Table::new("rules", Label::Rules.text(lang), &columns);
    let mut rules: alloc::vec::Vec<_> = check::rules().collect();
    rules.sort_by_key(|rule| rule.code);
    for rule in rules {
        let by_design = if rule.by_design { Label::ByDesign.text(lang) } else { "" };
        table.row(
            None,
            [
                Cell::text(rule.code),
                Cell::text(rule.severity.key()),
                Cell::text(by_design),
                Cell::text(rule.name),
                Cell::text(rule.title(lang)),
            ],
        );
    }
    table
}
