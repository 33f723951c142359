//! Some files of a zip archive, by way of Python, which is needed for pip anyway.

use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};

/// Arguments: archive, folder, then names of files, or of folders that end in `/`. A name without
/// a file is an error. Checksums of the files are checked while they are read.
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

pub(super) fn unpack(python: &Path, archive: &Path, folder: &Path, parts: &[&str]) -> Result<()> {
    let mut command = Command::new(python);
    shell::output(command.args(["-c", SCRIPT]).arg(archive).arg(folder).args(parts)).map(drop)
}
