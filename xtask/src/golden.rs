//! `cargo xtask golden`: reference values that are computed by others' programs and committed.

mod written;

use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};
use crate::workspace::Workspace;

/// A set of values. Its script is `xtask/golden/NAME.py`, what it needs is in
/// `xtask/golden/NAME.txt`.
struct Set {
    name: &'static str,
    /// Where the script writes to.
    folder: &'static str,
    /// What else others' programs are asked, with the Python of the set.
    check: fn(&Workspace, &Path) -> Result<()>,
}

const SETS: [Set; 1] =
    [Set { name: "encoder", folder: "examples/ernie-candle/tests/golden", check: written::check }];

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [name] = arguments else { return Err(usage().into()) };
    let Set { name, folder, check } = SETS.iter().find(|set| set.name == name).ok_or_else(usage)?;
    let workspace = Workspace::load()?;
    let requirements = format!("xtask/golden/{name}.txt");
    // PyTorch for Linux comes with CUDA, several gigabytes of it.
    println!("a Python environment with {requirements}; the first time takes minutes");
    let python = workspace.python(&format!("venv-golden-{name}"), requirements)?;
    let script = workspace.root.join(format!("xtask/golden/{name}.py"));
    shell::run(Command::new(&python).arg(script).arg(workspace.root.join(folder)))?;
    check(&workspace, &python)
}

fn usage() -> String {
    let names: Vec<&str> = SETS.iter().map(|set| set.name).collect();
    format!("`cargo xtask golden` wants the name of a set of values: {}", names.join(", "))
}
