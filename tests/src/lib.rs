//! Helpers that several suites share: where the shipped data is and how a table of it is read.

pub mod oracle;
