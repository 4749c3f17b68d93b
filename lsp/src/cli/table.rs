//! A table in columns for a terminal. Nothing is wrapped or cut: node names stay whole.

use gemlens_core::report::table::{Cell, Table};
use gemlens_core::say::Lang;

use super::wrap::width;

/// Blanks between two columns.
const GAP: usize = 2;

/// The lines of a table: the headings first, then the rows. Columns of numbers are set flush right.
pub(super) fn lines(table: &Table, lang: Lang) -> Vec<String> {
    let headings = table.headings(lang).into_iter().map(str::to_owned).collect();
    let rows = table.rows.iter().map(|row| {
        row.cells
            .iter()
            .enumerate()
            .map(|(n, cell)| {
                let indent = if n == 0 { usize::from(row.depth) * 2 } else { 0 };
                " ".repeat(indent) + &one_line(&cell.for_people())
            })
            .collect()
    });
    let grid: Vec<Vec<String>> = std::iter::once(headings).chain(rows).collect();
    let columns: Vec<(usize, bool)> = (0..table.columns.len())
        .map(|n| {
            let widest = grid.iter().filter_map(|row| row.get(n)).map(|text| width(text)).max().unwrap_or(0);
            (widest, is_number(table, n))
        })
        .collect();
    grid.iter().map(|row| line(row, &columns)).collect()
}

fn line(row: &[String], columns: &[(usize, bool)]) -> String {
    let mut out = String::new();
    for (n, (text, (widest, is_number))) in row.iter().zip(columns).enumerate() {
        if n > 0 {
            out += &" ".repeat(GAP);
        }
        let padding = " ".repeat(widest.saturating_sub(width(text)));
        if *is_number {
            out += &padding;
        }
        out += text;
        if !is_number {
            out += &padding;
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a column holds numbers and nothing else.
fn is_number(table: &Table, column: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.cells.get(column)).filter(|c| **c != Cell::Empty);
    let some = cells.clone().next().is_some();
    some && cells.all(Cell::is_number)
}

/// Text out of a log in a cell, made safe for a terminal.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use gemlens_core::report::table::Row;
    use gemlens_core::say::label::Label;
    use gemlens_core::units::Bytes;

    use super::*;

    fn table() -> Table {
        let mut table = Table::new(
            "t",
            "",
            &[("class", Label::Class), ("peak", Label::Peak), ("remarks", Label::Remarks)],
        );
        let cells = |name: &str, size, remark: &str| {
            [Cell::text(name), Cell::maybe(size, |size| Cell::Size(Bytes(size))), Cell::text(remark)]
        };
        table.row(None, cells("GE", Some(2_097_152), "图\x1b[31m"));
        table.rows.push(Row { cells: cells("静态图", Some(512), "").into(), depth: 1, span: None });
        table.row(None, cells("一个很长的名字/with/path", None, "最后"));
        table
    }

    #[track_caller]
    fn check(lang: Lang, expected: expect_test::Expect) {
        expected.assert_eq(&(lines(&table(), lang).join("\n") + "\n"));
    }

    #[test]
    fn columns_align_with_chinese_text_too() {
        check(
            Lang::Zh,
            expect![[r#"
            分类                                 峰值  备注
            GE                        2097152 (2.00M)  图�[31m
              静态图                              512  –
            一个很长的名字/with/path                –  最后
        "#]],
        );
        check(
            Lang::En,
            expect![[r#"
            class                                peak  remarks
            GE                        2097152 (2.00M)  图�[31m
              静态图                              512  –
            一个很长的名字/with/path                –  最后
        "#]],
        );
    }
}
