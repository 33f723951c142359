//! Whether transformers reads the folders that `ernie-candle` writes.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};
use crate::workspace::Workspace;

/// Trains an ERNIE and a BERT for some steps and has transformers load what is written.
pub(crate) fn check(workspace: &Workspace, python: &Path) -> Result<()> {
    let work = workspace.target.join("golden-written");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let script = workspace.root.join("xtask/golden/encoder_written.py");
    let sentences = workspace.root.join("xtask/golden/encoder_written.txt");
    let bert = work.join("start");
    shell::run(Command::new(python).arg(&script).arg("start").arg(&bert))?;
    let from_bert = ["--encoder", path(&bert)?];
    for (name, options) in
        [("ernie", &["--no-crf"][..]), ("ernie-crf", &["--crf"]), ("bert", &from_bert)]
    {
        let run = work.join(name);
        let length = ["--sentences", "200", "--steps", "60", "--every", "30"];
        let program = ["run", "--quiet", "-p", "ernie-candle", "--", "--out", path(&run)?];
        shell::run(workspace.cargo(program).args(length).args(options))?;
        let (folder, logits) = (run.join("encoder"), run.join("logits.jsonl"));
        let example = ["run", "--quiet", "-p", "ernie-candle", "--example", "logits", "--"];
        let mut example = workspace.cargo(example);
        example.arg(&folder).stdin(File::open(&sentences)?).stdout(File::create(&logits)?);
        shell::run(&mut example)?;
        shell::run(Command::new(python).arg(&script).arg("compare").args([folder, logits]))?;
    }
    println!("transformers reads what ernie-candle writes");
    Ok(())
}

fn path(path: &Path) -> Result<&str> {
    Ok(path.to_str().ok_or("a path that is no Unicode")?)
}
