//! The delivered binary: showing it on the sample and collecting it in `dist/`.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{self, Failure, cargo, output, root, run};

/// The sample that the README and the demo speak of.
const SAMPLE: &str = "tests/data/sample";

/// Builds the release binary; where it is.
pub fn binary() -> Result<PathBuf, Failure> {
    run(&mut cargo(&["build", "--release", "--locked", "--package", "gemlens"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release").join(format!("gemlens{EXE_SUFFIX}")))
}

/// The main job on the shipped sample.
pub fn demo() -> Result<(), Failure> {
    let binary = binary()?;
    run(Command::new(binary).args(["analyze", "log.tar.gz"]).current_dir(root().join(SAMPLE)))
}

/// Everything that is delivered, in `dist/`.
pub fn dist() -> Result<(), Failure> {
    let binary = binary()?;
    let dist = root().join("dist");
    fs::create_dir_all(&dist)?;
    let name = format!("gemlens{EXE_SUFFIX}");
    let size = fs::copy(binary, dist.join(&name))?;
    println!("dist/{name}  {size} bytes");
    Ok(())
}

/// Runs every `gemlens …` line of the README's code blocks on the sample: each must succeed and say
/// something.
pub fn readme_commands() -> Result<(), Failure> {
    let binary = binary()?;
    let readme = fs::read_to_string(root().join("README.md"))?;
    let mut count = 0;
    for line in code_lines(&readme) {
        let Some(arguments) = line.strip_prefix("gemlens ") else { continue };
        let arguments = arguments.split(" #").next().unwrap_or_default().split_whitespace();
        let mut command = Command::new(&binary);
        command.args(arguments).current_dir(root().join(SAMPLE));
        if output(&mut command)?.trim().is_empty() {
            return Err(Failure(format!("`{line}` of README.md prints nothing on the sample")));
        }
        count += 1;
    }
    if count == 0 {
        return Err(Failure(String::from("README.md shows no `gemlens …` command")));
    }
    eprintln!("{count} commands of README.md work on the sample");
    Ok(())
}

/// The lines inside fenced code blocks.
fn code_lines(markdown: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    markdown.lines().filter(move |line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        inside && !fence
    })
}

/// Builds the core for the browser's target, with whatever toolchain can.
pub fn wasm() -> Result<(), Failure> {
    let script = root().join("xtask/setup-wasm.sh");
    let toolchain = output(&mut run::program("bash", &[&script.to_string_lossy()]))?;
    // A folder of its own: another compiler must not throw away what the native builds made.
    run(cargo(&[
        "build",
        "--locked",
        "--package",
        "gemlens-core",
        "--target",
        "wasm32-unknown-unknown",
        "--target-dir",
        "target/wasm",
    ])
    .env("RUSTUP_TOOLCHAIN", toolchain.trim()))
}
