//! From nothing to a libtorch: download, unpack, one library of our own.
//!
//! An interrupted installation goes on with the first wheel that is not unpacked, and with the part
//! of it that is there.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use super::wheels::{KEPT, VERSION, WHEELS};
use crate::shell::{self, Result};
use crate::wheel::Wheel;
use crate::workspace::Workspace;

/// Makes `folder` hold a libtorch, unless it does.
pub(super) fn ready(workspace: &Workspace, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    // Of two at once, the second waits and finds everything there.
    let lock = File::create(folder.join(".lock"))?;
    lock.lock()?;
    let missing: Vec<&Wheel> = WHEELS.iter().filter(|wheel| !wheel.is_unpacked(folder)).collect();
    let shell_library = folder.join("torch/lib/libtorch.so");
    if missing.is_empty() && shell_library.exists() {
        println!("libtorch {VERSION} in {} is up to date", folder.display());
        return Ok(());
    }
    let python = workspace.python("venv-pip", "xtask/pip.txt")?;
    check_space(&python, folder, &missing)?;
    missing.iter().try_for_each(|wheel| wheel.unpack(&python, folder))?;
    // torch-sys compares this with the version that it was made for.
    fs::write(folder.join("torch/build-version"), VERSION)?;
    link_shell_library(&folder.join("torch/lib"), &shell_library)
}

/// That the disk has room for what is missing.
fn check_space(python: &Path, folder: &Path, missing: &[&Wheel]) -> Result<()> {
    let largest = missing.iter().map(|wheel| wheel.to_download(folder)).max();
    let needed = largest.map_or(0, |largest| KEPT + largest);
    let ask = "import shutil, sys; print(shutil.disk_usage(sys.argv[1]).free)";
    let free: u64 =
        shell::output(Command::new(python).args(["-c", ask]).arg(folder))?.trim().parse()?;
    if free < needed {
        let (needed, free) = (needed / 1_000_000, free / 1_000_000);
        let folder = folder.display();
        return Err(format!("{folder} needs {needed} MB of free disk, there are {free} MB").into());
    }
    Ok(())
}

/// torch-sys links to libtorch.so. That of the wheel holds nothing and drags the libraries for
/// GPUs along; ours holds nothing and stands for those of the CPU.
fn link_shell_library(lib: &Path, to: &Path) -> Result<()> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut link = Command::new(compiler);
    link.args(["-shared", "-fPIC", "-x", "c", "-", "-o"]).arg(to).arg("-L").arg(lib);
    link.args(["-Wl,-soname,libtorch.so", "-Wl,--no-as-needed"]);
    link.args(["-l:libtorch_cpu.so", "-l:libc10.so"]);
    link.args(["-Wl,--allow-shlib-undefined", "-Wl,-rpath,$ORIGIN"]);
    shell::run(link.stdin(Stdio::null())).map_err(|e| {
        format!("{e}\nA C compiler is needed (Debian: install build-essential)").into()
    })
}
