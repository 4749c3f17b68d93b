//! Recurring work of this repository: `cargo xtask <task>`. Knows how to build and measure, and
//! nothing of memory: what the product does is asked of the binary.

mod bench;
mod check;
mod deliver;
mod gen_log;
mod run;

use std::process::ExitCode;

use run::Failure;

const USAGE: &str = "\
cargo xtask <task>

  check      format, lints, unit tests, rules of the house (under two minutes)
  test       everything: check, all suites, short fuzzing, docs, the wasm build, the README's commands
  demo       builds the binary and shows it on the shipped sample
  dist       collects what is delivered in dist/
  bench      speed and memory beside ripgrep and wc   [--size 1GiB] [--runs 3]
  gen-log    writes a plog of any size                --out PATH [--size 1GiB] [--seed 1] [--processes 4] [--tree]
             with --tree, PATH becomes a folder: debug and run plogs, rotated at 20 MiB
";

fn main() -> ExitCode {
    match task() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn task() -> Result<(), Failure> {
    let mut arguments = lexopt::Parser::from_env();
    let task = match arguments.next()? {
        Some(lexopt::Arg::Value(task)) => task.to_string_lossy().into_owned(),
        _ => String::from("help"),
    };
    match task.as_str() {
        "check" => none_left(arguments).and_then(|()| check::check()),
        "test" => none_left(arguments).and_then(|()| check::test()),
        "demo" => none_left(arguments).and_then(|()| deliver::demo()),
        "dist" => none_left(arguments).and_then(|()| deliver::dist()),
        "bench" => bench::bench(bench::Options::parse(arguments)?),
        "gen-log" => gen_log::gen_log(&gen_log::Options::parse(arguments)?).map(|_| ()),
        "help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Failure(format!("no task is called {other}\n\n{USAGE}"))),
    }
}

fn none_left(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    match arguments.next()? {
        None => Ok(()),
        Some(argument) => Err(argument.unexpected().into()),
    }
}
