//! `cargo xtask bench`: all benches in one run, their ratios, and `benches/RESULTS.md`.

mod compare;
mod limits;
mod measured;
mod results;
mod run_facts;

use std::fs::{self, File};
use std::process::Command;

use crate::libtorch::Libtorch;
use crate::shell::{self, Result};
use crate::steps::Steps;
use crate::workspace::Workspace;

pub(crate) fn run() -> Result<()> {
    let workspace = Workspace::load()?;
    let mut steps = Steps::default();
    let python = steps.step("Python for the benches", || {
        workspace.python("venv-benches", "benches/requirements.txt")
    })?;

    let criterion = workspace.target.join("criterion");
    if criterion.exists() {
        fs::remove_dir_all(&criterion)?; // ratios come from one run
    }
    let libtorch = steps.step("libtorch", || Libtorch::if_possible(&workspace))?;
    for package in &workspace.packages {
        if package.needs_libtorch() && libtorch.is_none() {
            continue;
        }
        for bench in &package.benches {
            steps.step(&format!("bench {bench} of {}", package.name), || {
                let select = ["bench", "--package", &package.name, "--bench", bench];
                let mut run = workspace.cargo(select);
                if let Some(libtorch) = libtorch.as_ref().filter(|_| package.needs_libtorch()) {
                    libtorch.set_for(&mut run);
                }
                shell::run(&mut run)
            })?;
        }
    }
    let mut measured = measured::read(&criterion)?;

    measured.extend(steps.step("the way of PaddleNLP", || {
        let rows = workspace.target.join("bench-rows.jsonl");
        let print = ["run", "--release", "--package", "chunkeval-benches", "--bin", "bench-rows"];
        shell::run(workspace.cargo(print).stdout(File::create(&rows)?))?;
        let script = workspace.root.join("benches/paddle_way.py");
        measured::read_python(&shell::output(Command::new(&python).arg(script).arg(rows))?)
    })?);
    measured.extend(steps.step("the published loop over answers", || {
        let build = ["build", "--release", "--package", "chunkeval-cli"];
        shell::run(&mut workspace.cargo(build))?;
        let program = workspace.target.join("release/chunkeval");
        let script = workspace.root.join("benches/answers_way.py");
        measured::read_python(&shell::output(Command::new(&python).arg(script).arg(program))?)
    })?);

    let facts = run_facts::gather(&workspace.root, &python)?;
    let results = results::markdown(&facts, &measured);
    let path = workspace.root.join("benches/RESULTS.md");
    fs::write(&path, &results)?;
    steps.summary();
    println!("\n{results}\nWritten to {}", path.display());
    Ok(())
}
