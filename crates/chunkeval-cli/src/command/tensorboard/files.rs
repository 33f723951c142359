//! The files of checkpoints, by their names.

use std::fs::{self, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::command::kind::Kind;
use crate::input::Input;
use crate::{Error, Result};

/// The result of a checkpoint, still in its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Checkpoint {
    pub(super) split: String,
    pub(super) step: u64,
    pub(super) path: PathBuf,
    /// When it was written.
    pub(super) time: SystemTime,
}

/// What is in the file of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Text with tags.
    Tags,
    /// JSON Lines with answers.
    Answers,
    /// A state, of tags or of answers.
    State,
}

/// The largest step: event files have signed numbers.
const MOST: u64 = i64::MAX.cast_unsigned();

/// The names of what is no checkpoint.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Files without a step.
    pub(super) no_step: Vec<String>,
    /// Files and folders whose step is more than TensorBoard can count to.
    pub(super) too_large: Vec<String>,
    /// Folders of a step in which there is no result.
    pub(super) no_result: Vec<String>,
}

/// The checkpoints of a folder, sorted by split and step, and what is none. They are its files with
/// a step in their names; if there are none, or a file is named, they are the results in its folders
/// with a step at the end of their names, `checkpoint-100/pred.tsv`. Hidden files are none.
///
/// # Errors
/// The folder is none, cannot be read or has no checkpoint, a folder of a step has several files of
/// which none is named, or two files are of one split and step.
pub(super) fn find(
    folder: &Path,
    split: Option<&str>,
    file: Option<&Path>,
) -> Result<(Vec<Checkpoint>, Others)> {
    let hint = "a checkpoint's file has its step in its name: dev-100.tsv, dev-200.tsv; or its \
                folder: checkpoint-100/pred.tsv";
    if folder.is_file() {
        let reason = "a file; the folder of the checkpoints is wanted";
        return Err(Error::content(folder, reason).with_hint(hint));
    }
    let entries = entries(folder)?;
    let (mut found, mut others) = (Vec::new(), Others::default());
    let mut push = |name: &str, path: &Path, facts: &Metadata, others: &mut Others| {
        let (before, step) = match read(name) {
            None => return others.no_step.push(name.to_owned()),
            Some((_, None)) => return others.too_large.push(name.to_owned()),
            Some((before, Some(step))) => (before, step),
        };
        let split = split.unwrap_or(if before.is_empty() { "dev" } else { before }).to_owned();
        let time = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        found.push(Checkpoint { split, step, path: path.to_owned(), time });
    };
    let mut in_folders = true;
    for Entry { name, path, facts } in &entries {
        if file.is_none() && facts.is_file() {
            push(name, path, facts, &mut others);
            in_folders &= !matches!(read(name), Some((_, Some(_))));
        }
    }
    for Entry { name, path, facts } in entries.iter().filter(|_| in_folders) {
        if facts.is_dir() && name.ends_with(|c: char| c.is_ascii_digit()) {
            match result(path, file)? {
                Some((path, facts)) => push(name, &path, &facts, &mut others),
                None => others.no_result.push(name.clone()),
            }
        }
    }
    found.sort();
    others.no_step.sort();
    others.too_large.sort();
    others.no_result.sort();
    if found.is_empty() {
        let reason = match (others.too_large.first(), file) {
            (Some(name), _) => {
                format!("there is no checkpoint in it: the step of {name} is too large")
            }
            (None, Some(file)) => {
                format!("there is no checkpoint in it: no folder of a step has {}", file.display())
            }
            (None, None) => "there is no checkpoint in it".to_owned(),
        };
        return Err(Error::content(folder, reason).with_hint(hint));
    }
    for pair in found.windows(2) {
        if let [a, b] = pair
            && (&a.split, a.step) == (&b.split, b.step)
        {
            let (a_path, b) = (a.path.display(), b.path.display());
            let reason = format!("{a_path} and {b} are both step {} of {}", a.step, a.split);
            return Err(Error::content(folder, reason).with_hint(hint));
        }
    }
    Ok((found, others))
}

/// Something in a folder.
struct Entry {
    name: String,
    path: PathBuf,
    facts: Metadata,
}

/// What is in a folder and not hidden.
///
/// # Errors
/// It cannot be read.
fn entries(folder: &Path) -> Result<Vec<Entry>> {
    let failed = |e| Error::read(folder, e);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            let facts = fs::metadata(&path).map_err(|e| Error::read(&path, e))?;
            found.push(Entry { name, path, facts });
        }
    }
    Ok(found)
}

/// The result in the folder of a checkpoint: the file of that name, or the only one.
///
/// # Errors
/// There are several and none is named, or the folder cannot be read.
fn result(folder: &Path, file: Option<&Path>) -> Result<Option<(PathBuf, Metadata)>> {
    if let Some(file) = file {
        let path = folder.join(file);
        let facts = fs::metadata(&path).ok().filter(Metadata::is_file);
        return Ok(facts.map(|facts| (path, facts)));
    }
    let mut files = entries(folder)?;
    files.retain(|entry| entry.facts.is_file());
    files.sort_by(|a, b| a.name.cmp(&b.name));
    if let [first, second, rest @ ..] = &*files {
        let more = if rest.is_empty() { "" } else { ", …" };
        let reason = format!("several files: {}, {}{more}", first.name, second.name);
        let hint = "--file NAME says which of them is the result: --file pred.tsv, for example";
        return Err(Error::content(folder, reason).with_hint(hint));
    }
    Ok(files.pop().map(|entry| (entry.path, entry.facts)))
}

/// What stands before the last number of a name, and that number: `dev` and `100` of `dev-100.tsv`.
/// Endings are not looked at. A number that is no step, since it is too large, is `None`.
fn read(name: &str) -> Option<(&str, Option<u64>)> {
    let packed = [".gz", ".zst"].into_iter().find_map(|ending| name.strip_suffix(ending));
    let name = packed.unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |halves| halves.0);
    let end = stem.rfind(|c: char| c.is_ascii_digit())? + 1;
    let number = stem.get(..end)?;
    let start = number.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |before| {
        before + number.get(before..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let step = number.get(start..)?.parse().ok().filter(|step| *step <= MOST);
    let before = number.get(..start)?.trim_end_matches(['-', '_', '.', ' ']);
    let before = ["step", "checkpoint", "ckpt"].into_iter().fold(before, |before, word| {
        before.strip_suffix(word).unwrap_or(before).trim_end_matches(['-', '_', '.', ' '])
    });
    Some((before, step))
}

impl Checkpoint {
    /// What is in the file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn holds(&self) -> Result<Holds> {
        const START: &[u8] = b"{\"format\":\"chunkeval ";
        let mut start = Vec::new();
        let input = Input::open(&self.path)?;
        let read = input.source.take(START.len() as u64).read_to_end(&mut start);
        read.map_err(|e| Error::read(&self.path, e))?;
        Ok(match Kind::of(&self.path)? {
            _ if start == START => Holds::State,
            Some(Kind::Answers) => Holds::Answers,
            Some(Kind::Tags) | None => Holds::Tags,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_split_and_step() {
        assert_eq!(read("dev-100.tsv"), Some(("dev", Some(100))));
        assert_eq!(read("100.tsv.gz"), Some(("", Some(100))));
        assert_eq!(read("dev_step_7.json"), Some(("dev", Some(7))));
        assert_eq!(read("checkpoint-0012"), Some(("", Some(12))));
        assert_eq!(read("fold2-验证300.conll"), Some(("fold2-验证", Some(300))));
        assert_eq!(read("dev-2-best.tsv"), Some(("dev", Some(2))));
        assert_eq!(read("notes.txt"), None);
        assert_eq!(read("dev-9223372036854775807.tsv"), Some(("dev", Some(MOST))));
        assert_eq!(read("dev-9223372036854775808.tsv"), Some(("dev", None)));
        assert_eq!(read("dev-99999999999999999999.tsv"), Some(("dev", None)));
    }
}
