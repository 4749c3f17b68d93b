//! What must hold before a change goes in.

use crate::deliver;
use crate::run::{Failure, cargo, is_on_path, run};

/// The quick look: format, lints, unit tests, rules of the house.
pub fn check() -> Result<(), Failure> {
    lints()?;
    run(&mut cargo(&["test", "--locked", "--workspace", "--lib", "--bins"]))?;
    run(&mut cargo(&[
        "test",
        "--locked",
        "--package",
        "gemlens-tests",
        "--test",
        "tidy",
        "--test",
        "layers",
        "--test",
        "documents",
        "--test",
        "licences",
    ]))
}

/// Everything.
pub fn test() -> Result<(), Failure> {
    lints()?;
    run(&mut cargo(&["test", "--locked", "--workspace"]))?;
    run(cargo(&["doc", "--locked", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    deliver::wasm()?;
    deliver::readme_commands()
}

fn lints() -> Result<(), Failure> {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    if is_on_path("cargo-deny") {
        run(&mut cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"]))?;
    }
    Ok(())
}
