//! Where the real corpora are.

use std::path::{Path, PathBuf};

/// The folder of real corpora: `CHUNKEVAL_DATA` if set, else `../shared/data` beside the workspace.
///
/// `None`, and a line that says so, if there is none.
///
/// # Panics
/// If there is none and `CI` is set: there a check that did not run must not look like one that
/// passed.
pub(crate) fn corpora() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    let beside = root.unwrap_or(package).join("../shared/data");
    let folder = std::env::var_os("CHUNKEVAL_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("NO CORPORA: {} is no folder; set CHUNKEVAL_DATA", folder.display()));
    None
}

/// Says that a check had nothing to check.
///
/// # Panics
/// If `CI` is set.
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    eprintln!("{why}: SKIPPED");
}
