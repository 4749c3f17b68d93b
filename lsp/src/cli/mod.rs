//! The commands of the terminal: arguments in, the core's answer laid out, an exit code.
//!
//! Computes nothing: every number comes from `gemlens_core`.

mod answer;
mod command;
mod compare;
mod dump;
mod dump_options;
mod explain;
mod feed;
mod lines;
mod locale;
mod progress;
mod render;
mod table;
mod text;
mod usage;
mod verbs;
mod words;
mod wrap;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use gemlens_core::report::rules;

use command::{Parsed, Request, Verb};

/// What a run comes to; the numbers are documented in `docs/cli.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The question was answered.
    Fine = 0,
    /// A finding of level error, where that counts.
    Hit = 1,
    /// The call can't be meant, or its output can't be written.
    Usage = 2,
    /// The input lacks what the question needs.
    Lacking = 3,
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let outcome = match command::parse(std::env::args_os().collect()) {
        Parsed::Request(request) => {
            request.color.write_global();
            answered(&request)
        }
        Parsed::Said(outcome) => outcome,
    };
    ExitCode::from(outcome as u8)
}

fn answered(request: &Request) -> Outcome {
    let mut out = io::BufWriter::with_capacity(1 << 16, anstream::stdout());
    let answer = match request.verb {
        Verb::Explain => explain::answer(request, &mut out),
        Verb::Compare => compare::answer(request, &mut out),
        Verb::Graph | Verb::Replay | Verb::Tune => dump::answer(request, &mut out),
        Verb::Rules => {
            render::alone(request, &rules::table(request.query.lang), &mut out).map(|()| Outcome::Fine)
        }
        _ => answer::answer(request, &mut out),
    };
    let flushed = answer.and_then(|outcome| out.flush().map(|()| outcome));
    // What is still in the buffer after a failure would only fail again.
    let _ = out.into_parts();
    match flushed {
        Ok(outcome) => outcome,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::Fine,
        Err(error) => {
            words::complain(&words::not_written(&error, request.query.lang));
            Outcome::Usage
        }
    }
}
