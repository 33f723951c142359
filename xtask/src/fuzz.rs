//! `cargo xtask fuzz`: libFuzzer looks for inputs that break a check, two minutes a target.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result};
use crate::steps::Steps;
use crate::workspace::Workspace;

const TARGETS: &[&str] = &["labels", "conll", "decoding", "llm_answers"];

/// Two minutes a target, unless an argument says how many seconds.
const SECONDS: u64 = 120;

const CARGO_FUZZ: &str = "0.13.2";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = match arguments {
        [] => SECONDS,
        [seconds] => seconds.parse().map_err(|_| format!("{seconds:?} is no number of seconds"))?,
        _ => return Err("one argument at most: seconds a target".into()),
    };
    let workspace = Workspace::load()?;
    let mut steps = Steps::default();
    let program = steps.step("cargo-fuzz", || cargo_fuzz(&workspace))?;
    for target in TARGETS {
        steps.step(&format!("fuzz {target}"), || {
            let mut fuzz = Command::new(&program);
            // Without sanitizers it runs on stable Rust, and safe code needs none.
            fuzz.args(["fuzz", "run", "--sanitizer", "none", target])
                .arg(format!("fuzz/corpus/{target}"))
                .args(["--", "-max_len=512", &format!("-max_total_time={seconds}")])
                .env("CARGO_TARGET_DIR", workspace.target.join("fuzz"))
                .current_dir(&workspace.root);
            shell::run(&mut fuzz)
        })?;
    }
    steps.summary();
    println!(
        "\nNothing broke. Inputs that reached new code are in fuzz/corpus; keep those that matter."
    );
    Ok(())
}

/// cargo-fuzz, installed under `target/` unless it is there.
fn cargo_fuzz(workspace: &Workspace) -> Result<PathBuf> {
    let root = workspace.target.join("tools");
    let program = root.join("bin").join("cargo-fuzz");
    if !Path::new(&program).exists() {
        let install = ["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--locked", "--root"];
        shell::run(workspace.plain_cargo(install).arg(&root))?;
    }
    Ok(program)
}
