//! Starts programs in the repository's root and says which.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a task ended early.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure(error.to_string())
    }
}

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// `cargo` with these arguments, in the root.
pub fn cargo(arguments: &[&str]) -> Command {
    program("cargo", arguments)
}

/// A program with these arguments, in the root.
pub fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root());
    command
}

/// Runs it to its end; a failure when it fails.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    announce(command);
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(Failure(format!("{} ended with {status}", shown(command)))) }
}

/// Runs it to its end; what it printed on standard output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    announce(command);
    let done = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !done.status.success() {
        return Err(Failure(format!("{} ended with {}", shown(command), done.status)));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Whether a program can be started by this name.
pub fn is_on_path(name: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

fn announce(command: &Command) {
    eprintln!("\n$ {}", shown(command));
}

fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure(format!("{} can't be started: {error}", command.get_program().to_string_lossy()))
}
