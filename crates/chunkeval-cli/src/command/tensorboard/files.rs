//! The files of checkpoints, by their names.

use std::fs;
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
    /// A state, of tags or of answers.
    State,
}

/// The largest step: event files have signed numbers.
const MOST: u64 = i64::MAX.cast_unsigned();

/// The names of files that are no checkpoints.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Those without a step.
    pub(super) no_step: Vec<String>,
    /// Those whose step is more than TensorBoard can count to.
    pub(super) too_large: Vec<String>,
}

/// The checkpoints of a folder, sorted by split and step, and the other files. Folders and hidden
/// files are none.
///
/// # Errors
/// The folder is none, cannot be read or has no checkpoint, or two files are of one split and step.
pub(super) fn find(folder: &Path, split: Option<&str>) -> Result<(Vec<Checkpoint>, Others)> {
    let hint = "a checkpoint's file has its step in its name: dev-100.tsv, dev-200.tsv";
    if folder.is_file() {
        let reason = "a file; the folder of the checkpoints is wanted";
        return Err(Error::content(folder, reason).with_hint(hint));
    }
    let failed = |e| Error::read(folder, e);
    let (mut found, mut others) = (Vec::new(), Others::default());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let facts = fs::metadata(&path).map_err(|e| Error::read(&path, e))?;
        if name.starts_with('.') || !facts.is_file() {
            continue;
        }
        let Some((before, step)) = read(&name) else {
            others.no_step.push(name);
            continue;
        };
        let Some(step) = step else {
            others.too_large.push(name);
            continue;
        };
        let split = split.unwrap_or(if before.is_empty() { "dev" } else { before }).to_owned();
        let time = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        found.push(Checkpoint { split, step, path, time });
    }
    found.sort();
    others.no_step.sort();
    others.too_large.sort();
    if found.is_empty() {
        let reason = match others.too_large.first() {
            Some(name) => format!("there is no checkpoint in it: the step of {name} is too large"),
            None => "there is no checkpoint in it".to_owned(),
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
    /// It cannot be read, or is neither.
    pub(super) fn holds(&self) -> Result<Holds> {
        const START: &[u8] = b"{\"format\":";
        let mut start = Vec::new();
        let input = Input::open(&self.path)?;
        let read = input.source.take(START.len() as u64).read_to_end(&mut start);
        read.map_err(|e| Error::read(&self.path, e))?;
        if start == START {
            return Ok(Holds::State);
        }
        if Kind::of(&self.path)? == Some(Kind::Answers) {
            let words = Kind::Answers.words();
            let reason = format!("{words}; a checkpoint is a file of tags, or a saved state");
            let hint = "of a file of answers, chunkeval llm FILE --save-state STATE makes a state";
            return Err(Error::content(&self.path, reason).with_hint(hint));
        }
        Ok(Holds::Tags)
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
