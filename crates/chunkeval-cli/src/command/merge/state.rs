//! States in files.

use std::fs;
use std::path::{Path, PathBuf};

use chunkeval_stats::Resampling;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{AnswersState, TagsState};
use crate::command::tell::Unit;
use crate::output::{OutputArgs, Page};
use crate::unusable::Unusable;
use crate::{Error, Exit, Result};

/// What a subcommand has counted, with everything that it depends on.
pub(crate) trait State: Serialize + DeserializeOwned {
    /// What the report of a sum does not have, in a sentence.
    const LACKS: &str;

    /// What the file calls itself; another number where a file of before cannot be read any more.
    const FORMAT: &str;

    /// That it can have been counted.
    ///
    /// # Errors
    /// It cannot.
    fn check(&self) -> Result<()>;

    /// In what two were scored differently.
    fn difference(&self, other: &Self) -> Option<String>;

    /// The sum of two that were scored in the same way; and the names of their files.
    ///
    /// # Errors
    /// Counts overflow.
    fn plus(&self, other: &Self, names: [&str; 2]) -> Result<Self>;

    /// What there is to say of it, under a title, with intervals if they are asked for.
    ///
    /// # Errors
    /// As for [`plus`](State::plus), or it has not what intervals need.
    fn page(&self, title: &str, how: &OutputArgs, intervals: Option<Resampling>) -> Result<Page>;

    /// What it does not cover, and whether it was interrupted.
    fn gap(&self) -> (Unusable, Unit, bool);
}

/// Reads a state.
///
/// # Errors
/// The file cannot be read, or is no such state.
pub(crate) fn load<S: State>(path: &Path) -> Result<S> {
    let value = read(path)?;
    match format(&value) {
        Some(found) if found == S::FORMAT => {}
        Some(found) if [TagsState::FORMAT, AnswersState::FORMAT].contains(&found) => {
            let reason = format!("{}: a {found}, where a {} is wanted", path.display(), S::FORMAT);
            let hint = "what tags and llm have counted does not go together";
            return Err(Error::Mismatch { reason, hint: Some(hint.to_owned()) });
        }
        Some(other) => {
            let reason = format!("the format is {other:?}, not {:?}", S::FORMAT);
            let error = refused(path, reason);
            return Err(match kind(other) == kind(S::FORMAT) {
                true => {
                    error.with_hint("another version wrote it: score the file again with this one")
                }
                false => error,
            });
        }
        None => return Err(refused(path, "no state: it has no format".to_owned())),
    }
    let damaged = |reason: String| refused(path, format!("a damaged state: {reason}"));
    let state: S = serde_json::from_value(value).map_err(|e| damaged(e.to_string()))?;
    state.check().map_err(|error| match error.exit() {
        Exit::Mismatch => error,
        _ => damaged(error.to_string()),
    })?;
    Ok(state)
}

/// What a file calls itself.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn is<S: State>(path: &Path) -> Result<bool> {
    Ok(format(&read(path)?).is_some_and(|format| kind(format) == kind(S::FORMAT)))
}

/// A format without its number.
fn kind(format: &str) -> &str {
    format.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The sum of the states in files.
///
/// # Errors
/// One cannot be read, or was made in another way than the first one; the difference is named.
pub(super) fn merge<S: State>(paths: &[PathBuf]) -> Result<S> {
    let mut sum: Option<(&PathBuf, S)> = None;
    for path in paths {
        let next = load::<S>(path)?;
        sum = Some(match sum {
            None => (path, next),
            Some((first, sum)) => {
                if let Some(difference) = sum.difference(&next) {
                    let (first, path) = (first.display(), path.display());
                    let reason =
                        format!("{first} and {path} were scored in different ways: {difference}");
                    let hint = Some("score both with the same options".to_owned());
                    return Err(Error::Mismatch { reason, hint });
                }
                let names = [first, path].map(|path| path.display().to_string());
                (first, sum.plus(&next, [&names[0], &names[1]])?)
            }
        });
    }
    sum.map(|(_, sum)| sum).ok_or_else(|| Error::Usage("name a state".to_owned()))
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read(path).map_err(|e| Error::read(path, e))?;
    serde_json::from_slice(&text).map_err(|e| refused(path, format!("no state: {e}")))
}

fn format(state: &Value) -> Option<&str> {
    state.get("format")?.as_str()
}

fn refused(path: &Path, reason: String) -> Error {
    let hint = "--save-state FILE of chunkeval tags and llm writes such files";
    Error::content(path, reason).with_hint(hint)
}
