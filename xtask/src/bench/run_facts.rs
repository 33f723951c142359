//! When and on what the benches ran.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Result, output};

pub(crate) struct Facts {
    pub(crate) date: String,
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) commit: String,
    pub(crate) rustc: String,
}

pub(crate) fn gather(root: &Path, python: &Path) -> Result<Facts> {
    let git = |arguments: &[&str]| output(Command::new("git").args(arguments).current_dir(root));
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let with_changes = if changed.trim().is_empty() { "" } else { " with uncommitted changes" };
    let today = "import datetime; print(datetime.date.today())";
    Ok(Facts {
        date: output(Command::new(python).args(["-c", today]))?.trim().to_owned(),
        processor: processor(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        commit: git(&["rev-parse", "--short", "HEAD"])?.trim().to_owned() + with_changes,
        rustc: output(Command::new("rustc").arg("--version"))?.trim().to_owned(),
    })
}

/// The name the processor gives itself, where the system tells.
fn processor() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let names = about.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(": "));
    names.map(|(_, name)| name.to_owned()).next().unwrap_or_else(|| "unknown processor".into())
}
