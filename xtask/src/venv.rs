//! Python environments below `target/`, made once and again when their requirements change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result};

/// The Python of the environment in `dir`, which has what `requirements` names.
pub(crate) fn ready(dir: &Path, requirements: &Path) -> Result<PathBuf> {
    let python = dir.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let wanted = fs::read_to_string(requirements)
        .map_err(|error| format!("cannot read {}: {error}", requirements.display()))?;
    let wanted = format!("{wanted}# {}", system_python_version()?);
    let stamp = dir.join("made-from.txt");
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) {
        println!("{} is up to date", dir.display());
        return Ok(python);
    }
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    shell::run(Command::new(SYSTEM_PYTHON).args(["-m", "venv"]).arg(dir)).map_err(|error| {
        format!("{error}\nPython's venv module does not work here (Debian: install python3-venv)")
    })?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    shell::run(Command::new(&python).args(quiet).arg(requirements))?;
    // Written last: an interrupted installation is made again.
    fs::write(stamp, wanted)?;
    Ok(python)
}

/// The Python that makes environments.
pub(crate) const SYSTEM_PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

fn system_python_version() -> Result<String> {
    shell::output(Command::new(SYSTEM_PYTHON).arg("--version"))
        .map_err(|error| format!("{error}\nPython 3 with its venv module is needed").into())
}
