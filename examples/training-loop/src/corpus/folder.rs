//! Which files of a folder are train, dev and test.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The three splits of a folder: what is called `train`, `dev` (or `devel`, `valid`, `validation`)
/// and `test`, a file with any ending or a folder of parallel files.
///
/// # Errors
/// The folder cannot be read, or a split is missing or there twice.
pub fn find(folder: &Path) -> Result<[PathBuf; 3]> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        entries.push(entry.map_err(|e| Error::io(folder, e))?.path());
    }
    entries.sort();
    let one = |names: &[&str]| {
        let is_named = |path: &&PathBuf| {
            path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|s| names.contains(&s))
        };
        let found: Vec<&PathBuf> = entries.iter().filter(is_named).collect();
        match found[..] {
            [path] => Ok(path.clone()),
            [] => Err(Error::content(folder, format!("there is no {}.*", names.join(".*, ")))),
            [first, second, ..] => Err(Error::content(
                folder,
                format!(
                    "{} and {} could both be the {} set; name one with --{}",
                    first.display(),
                    second.display(),
                    names[0],
                    names[0]
                ),
            )),
        }
    };
    Ok([one(&["train"])?, one(&["dev", "devel", "valid", "validation"])?, one(&["test"])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_any_ending_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("train.conll"), "").unwrap();
        fs::write(path.join("devel.tsv"), "").unwrap();
        fs::write(path.join("training.txt"), "").unwrap();
        let error = find(path).unwrap_err().to_string();
        assert!(error.ends_with("there is no test.*"), "{error}");

        fs::create_dir(path.join("test")).unwrap();
        let expected = ["train.conll", "devel.tsv", "test"].map(|name| path.join(name));
        assert_eq!(find(path).unwrap(), expected);

        fs::write(path.join("valid.tsv"), "").unwrap();
        let error = find(path).unwrap_err().to_string();
        assert!(error.contains("devel.tsv") && error.contains("valid.tsv"), "{error}");
    }
}
