//! Errors about labels and comments: the place in the file, and the option that helps.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use chunkeval::ErrorKind;
use chunkeval::data::{Cells, Format, Sentence};

use super::Split;
use crate::error::Error;
use crate::settings::{Style, WAYBILL};

/// So many labels at most are named; a text that was taken for labels has thousands.
const NAMED: usize = 8;

const COMMENT: &str = "; a line that begins with # is a comment with comments=between in --format";

/// Labels that cannot be read; `other` is the style in which they could.
pub(super) fn unreadable(splits: &[&Split], labels: &[String], other: Option<Style>) -> Error {
    let bad: HashSet<&str> = labels.iter().map(String::as_str).collect();
    let found: Vec<Found<'_>> = places(splits, |label| bad.contains(label)).collect();
    let hint = match other {
        Some(Style::Prefix) => "; all labels can be read with --prefix",
        Some(Style::Suffix) => "; all labels can be read with --suffix",
        None => {
            "; a label is O, or a position (B I E S, M W, L U) with a type, as in B-PER or PER-B. \
             Are labels elsewhere? --format says in which column, as in conll:gold=2"
        }
    };
    let reason = format!("cannot read the label{}{hint}", quoted(&names(&found)));
    match found.first() {
        Some(first) => first.error(&reason),
        None => Error::Usage(reason),
    }
}

/// Labels of a run that cannot be read or are there twice; `file` is where they stand.
pub(super) fn stored(error: &chunkeval::Error, file: &Path) -> Error {
    let reason = match error.kind() {
        ErrorKind::UnreadableLabels { labels, .. } => {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            format!("cannot read the label{}", quoted(&labels))
        }
        _ => error.to_string(),
    };
    let hint = "the labels of a run stay as they were in training";
    Error::content(file, format!("{reason}; {hint}"))
}

/// Labels of a split that are not known; `None` if all of them are.
pub(super) fn lacking(split: &Split, is_known: impl Fn(&str) -> bool, hint: &str) -> Option<Error> {
    let found: Vec<Found<'_>> = places(&[split], |label| !is_known(label)).collect();
    let first = found.first()?;
    let (name, labels) = (split.name, quoted(&names(&found)));
    let reason = format!(
        "the {name} set has the label{labels}, which the labels of the training set lack{hint}"
    );
    Some(first.error(&reason))
}

/// A file that cannot be read. If it can once comments are told from tokens, the error says so, at
/// the line that begins with `#`. If it is no file of waybills, the user may not know that another
/// format has to be named.
pub(super) fn unread(error: chunkeval::Error, format: &str, path: &Path) -> Error {
    if let (WAYBILL, ErrorKind::Parse { line: 1, column: 1, reason, .. }) = (format, error.kind()) {
        let reason = format!("{reason}, for the files are waybills unless --format says otherwise");
        return parse_error(path, 1, 1, reason);
    }
    match comment(&error, format, path) {
        Some((line, help)) => {
            let reason = match error.kind() {
                ErrorKind::Parse { line: wrong, reason, .. } if *wrong == line => reason.clone(),
                _ => format!("this line was read as a token, and then: {error}"),
            };
            let reason = format!("{reason}; if it is a comment, say so with --format {help}");
            parse_error(path, line, 1, reason)
        }
        None => error.into(),
    }
}

fn parse_error(path: &Path, line: u64, column: u64, reason: String) -> Error {
    chunkeval::Error::from(ErrorKind::Parse { path: path.to_owned(), line, column, reason }).into()
}

/// The line that begins with `#` and the format in which it is a comment and no longer in the way.
fn comment(error: &chunkeval::Error, format: &str, path: &Path) -> Option<(u64, String)> {
    let ErrorKind::Parse { line, .. } = error.kind() else { return None };
    let joint = if format.contains(':') { ',' } else { ':' };
    let formats = ["between", "hash"].map(|which| format!("{format}{joint}comments={which}"));
    let gets_further = |format: &String| {
        let Ok(format) = format.parse::<Format>() else { return false };
        let read =
            format.open(path).and_then(Iterator::collect::<chunkeval::Result<Vec<Sentence>>>);
        match read.as_ref().map_err(chunkeval::Error::kind) {
            Ok(_) => true,
            Err(ErrorKind::Parse { line: now, .. }) => now > line,
            Err(_) => false,
        }
    };
    let help = formats.into_iter().find(gets_further)?;
    let text = fs::read_to_string(path).ok()?;
    let hash = |(_, text): &(u64, &str)| text.starts_with('#');
    let lines = (1..=*line).zip(text.lines());
    let (first, last) = (lines.clone().find(hash)?.0, lines.last()?);
    Some((if hash(&last) { last.0 } else { first }, help))
}

/// A label, and where it stands first.
struct Found<'a> {
    label: &'a str,
    split: &'a Split,
    sentence: &'a Sentence,
    index: usize,
}

impl Found<'_> {
    fn error(&self, reason: &str) -> Error {
        let cells: Cells<'_> = self.sentence.gold();
        let token = self.sentence.tokens().get(self.index).unwrap_or_default();
        let comment = if token.starts_with('#') { COMMENT } else { "" };
        cells.error(self.index, &self.split.path, format!("{reason}{comment}")).into()
    }
}

/// The labels of splits that are to be found, each where it stands first.
fn places<'a>(
    splits: &[&'a Split],
    wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Found<'a>> {
    let mut seen = HashSet::new();
    let sentences = splits.iter().flat_map(|split| split.sentences.iter().map(|s| (*split, s)));
    let all = sentences.flat_map(|(split, sentence)| {
        let labels = sentence.gold().iter().enumerate();
        labels.map(move |(index, label)| Found { label, split, sentence, index })
    });
    all.filter(move |found| wanted(found.label) && seen.insert(found.label))
}

fn names<'a>(found: &[Found<'a>]) -> Vec<&'a str> {
    found.iter().map(|found| found.label).collect()
}

/// ` "A"` or `s "A", "B" and 5 more`.
fn quoted(labels: &[&str]) -> String {
    let plural = if labels.len() == 1 { "" } else { "s" };
    let named: Vec<String> = labels.iter().take(NAMED).map(|label| format!("{label:?}")).collect();
    let more = match labels.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{plural} {}{more}", named.join(", "))
}
