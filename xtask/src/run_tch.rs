//! `cargo xtask run-tch`: the training program in tch, with the libtorch that it needs.

use crate::libtorch::Libtorch;
use crate::shell::{self, Result};
use crate::workspace::Workspace;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::load()?;
    let libtorch = Libtorch::ready(&workspace)?;
    let mut program = workspace.cargo(["run", "--release", "--package", "bigru-crf-tch"]);
    libtorch.set_for(&mut program);
    shell::run(program.arg("--").args(arguments).current_dir(std::env::current_dir()?))
}
