//! Tables as CSV (RFC 4180), with stable column names and exact numbers.

use alloc::string::String;

use super::table::Table;

/// A table as CSV, headings first.
pub fn table(table: &Table) -> String {
    let mut out = String::new();
    line(&mut out, table.columns.iter().map(|column| String::from(column.key)));
    for row in &table.rows {
        line(&mut out, row.cells.iter().map(|cell| cell.for_programs()));
    }
    out
}

/// Writes one line of fields.
fn line(out: &mut String, fields: impl Iterator<Item = String>) {
    for (number, text) in fields.enumerate() {
        if number > 0 {
            out.push(',');
        }
        field(out, &text);
    }
    out.push('\n');
}

/// Writes one field, quoted where it must be.
pub(super) fn field(out: &mut String, text: &str) {
    if needs_quotes(text.as_bytes()) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

/// Whether a field must be quoted.
pub(super) fn needs_quotes(text: &[u8]) -> bool {
    // All of it, without a branch for each byte: hardly any text needs them.
    text.iter().fold(false, |needs, byte| needs | matches!(byte, b',' | b'"' | b'\n' | b'\r'))
}
