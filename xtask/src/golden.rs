//! `cargo xtask golden`: reference values that are computed by others' programs and committed.

use std::process::Command;

use crate::shell::{self, Result};
use crate::workspace::Workspace;

/// A set of values: its name, and where its script writes to.
///
/// The script is `xtask/golden/NAME.py`, what it needs is in `xtask/golden/NAME.txt`.
const SETS: [(&str, &str); 1] = [("encoder", "examples/ernie-candle/tests/golden")];

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [name] = arguments else { return Err(usage().into()) };
    let set = SETS.iter().find(|(known, _)| known == name);
    let (name, folder) = *set.ok_or_else(usage)?;
    let workspace = Workspace::load()?;
    let requirements = format!("xtask/golden/{name}.txt");
    // PyTorch for Linux comes with CUDA, several gigabytes of it.
    println!("a Python environment with {requirements}; the first time takes minutes");
    let python = workspace.python(&format!("venv-golden-{name}"), requirements)?;
    let script = workspace.root.join(format!("xtask/golden/{name}.py"));
    shell::run(Command::new(python).arg(script).arg(workspace.root.join(folder)))
}

fn usage() -> String {
    let names: Vec<&str> = SETS.iter().map(|(name, _)| *name).collect();
    format!("`cargo xtask golden` wants the name of a set of values: {}", names.join(", "))
}
