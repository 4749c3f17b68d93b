//! What was understood, written down: log lines, tables, reports.

pub mod imas_log;
