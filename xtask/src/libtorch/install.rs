//! From nothing to a libtorch: download, unpack, one library of our own.
//!
//! Each wheel leaves a stamp when all of it is unpacked, so an interrupted installation goes on
//! with the first wheel that is not.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::unpack;
use super::wheels::{KEPT, VERSION, WHEELS, Wheel};
use crate::shell::{self, Result};
use crate::workspace::Workspace;

/// The wheels are built for these systems, older ones included: any Linux with glibc 2.28.
const PLATFORMS: [&str; 3] =
    ["manylinux_2_28_x86_64", "manylinux_2_25_x86_64", "manylinux2014_x86_64"];

/// Makes `folder` hold a libtorch, unless it does.
pub(super) fn ready(workspace: &Workspace, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    // Of two at once, the second waits and finds everything there.
    let lock = File::create(folder.join(".lock"))?;
    lock.lock()?;
    let missing: Vec<&Wheel> = WHEELS.iter().filter(|wheel| !is_unpacked(wheel, folder)).collect();
    let shell_library = folder.join("torch/lib/libtorch.so");
    if missing.is_empty() && shell_library.exists() {
        println!("libtorch {VERSION} in {} is up to date", folder.display());
        return Ok(());
    }
    let python = workspace.python("venv-pip", "xtask/pip.txt")?;
    check_space(&python, folder, &missing)?;
    let downloads = folder.join("downloads");
    for wheel in missing {
        let file = download(&python, wheel, &downloads)?;
        println!("unpacking {}", wheel.name);
        unpack::unpack(&python, &file, folder, wheel.parts)?;
        fs::write(stamp(wheel, folder), wheel.requirement())?;
        fs::remove_file(file)?;
    }
    let _gone_already = fs::remove_dir_all(downloads);
    // torch-sys compares this with the version that it was made for.
    fs::write(folder.join("torch/build-version"), VERSION)?;
    link_shell_library(&folder.join("torch/lib"), &shell_library)
}

fn stamp(wheel: &Wheel, folder: &Path) -> PathBuf {
    folder.join(format!("{}.unpacked", wheel.name))
}

/// Whether the wheel was unpacked and its libraries are still there.
fn is_unpacked(wheel: &Wheel, folder: &Path) -> bool {
    let made_from = fs::read_to_string(stamp(wheel, folder));
    made_from.is_ok_and(|made_from| made_from == wheel.requirement())
        && wheel.parts.iter().all(|part| folder.join(part).exists())
}

/// The file of a wheel, whole and with the right hash, or an error of pip's.
fn download(python: &Path, wheel: &Wheel, to: &Path) -> Result<PathBuf> {
    let Wheel { name, version, size, .. } = wheel;
    println!("downloading {name} {version}: {} MB", size / 1_000_000);
    fs::create_dir_all(to)?;
    let requirements = to.join(format!("{name}.txt"));
    fs::write(&requirements, wheel.requirement())?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]);
    // Any Python will do: only what is written in C++ is used.
    pip.args(["--disable-pip-version-check", "--python-version", "3.11"]);
    // A connection that breaks goes on where it broke.
    pip.args(["--resume-retries", "20"]);
    pip.args(PLATFORMS.iter().flat_map(|platform| ["--platform", platform]));
    shell::run(pip.arg("--dest").arg(to).arg("--requirement").arg(requirements))?;
    let prefix = format!("{}-", name.replace('-', "_"));
    let files = fs::read_dir(to)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let of_wheel = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&prefix) && name.ends_with(".whl")
    };
    files.into_iter().find(of_wheel).ok_or_else(|| format!("pip left no {prefix}*.whl").into())
}

/// That the disk has room for what is missing.
fn check_space(python: &Path, folder: &Path, missing: &[&Wheel]) -> Result<()> {
    let largest = missing.iter().map(|wheel| wheel.size).max().unwrap_or(0);
    let needed = if largest > 0 { KEPT + largest } else { 0 };
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
