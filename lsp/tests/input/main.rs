//! The inputs of the batch commands.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its input has failed")]

mod given;
mod hostile;
mod ordinary;
mod support;
