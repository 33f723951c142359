//! That two files of answers have the same gold entities.

use std::io::BufRead;
use std::path::Path;

use chunkeval_llm::{Entities, JsonLines, Record, RecordFormat, RecordParser};

use super::fault;
use super::said::Texts;
use crate::input::Input;
use crate::{Error, Result, interrupt};

/// The records of a file.
struct Records<'p> {
    path: &'p Path,
    lines: JsonLines<Box<dyn BufRead + Send>>,
    parser: RecordParser,
}

/// Whether there is a line, and it is none that can be used.
fn cannot_be_used(read: &Result<Option<Record>>) -> bool {
    matches!(read, Err(Error::Place { line: 1.., .. }))
}

/// Checks that two files have the same gold entities, line by line; blank lines do not count, nor
/// does the order of entities. With `keep_going` lines that cannot be used in one of them are passed
/// over in both. It is slow and says where they differ; that they do is seen in what was scored.
///
/// # Errors
/// They have not, and the first place where they differ is named; or one cannot be read.
pub(crate) fn same_gold(
    first: &Path,
    second: &Path,
    format: &RecordFormat,
    texts: Texts,
    keep_going: bool,
) -> Result<()> {
    let (mut first, mut second) = (Records::open(first, format)?, Records::open(second, format)?);
    loop {
        if interrupt::asked() {
            return Err(Error::Interrupted);
        }
        let (one, other) = (first.next(), second.next());
        if keep_going && (cannot_be_used(&one) || cannot_be_used(&other)) {
            match (one, other) {
                (Ok(None), _) | (_, Ok(None)) => return Ok(()), // there is nothing to hold it against
                _ => continue,
            }
        }
        match (one?, other?) {
            (None, None) => return Ok(()),
            (Some(record), None) => return Err(ended(&first, &record, &second)),
            (None, Some(record)) => return Err(ended(&second, &record, &first)),
            (Some(one), Some(other)) => {
                let places = [first.place(&one), second.place(&other)];
                same_entities(&one.gold, &other.gold, &places)?;
                let both = one.text.as_ref().zip(other.text.as_ref());
                if texts == Texts::Same && both.is_some_and(|(one, other)| one != other) {
                    let [first, second] = places;
                    return Err(differ(format!("{second}: another text than at {first}")));
                }
            }
        }
    }
}

impl<'p> Records<'p> {
    fn open(path: &'p Path, format: &RecordFormat) -> Result<Self> {
        let (source, name) = Input::open(path)?.buffered();
        let (lines, parser) = (JsonLines::new(source, name), RecordParser::new(format.clone()));
        Ok(Self { path, lines, parser })
    }

    fn next(&mut self) -> Result<Option<Record>> {
        let line =
            self.lines.next_line_lossy().map_err(|error| fault::of_file(error).at(self.path))?;
        let Some(line) = line else { return Ok(None) };
        let record = self.parser.parse(line).map(Some);
        record.map_err(|error| fault::of_line(error, line.text).at(self.path))
    }

    /// `FILE:LINE` of a record.
    fn place(&self, record: &Record) -> String {
        format!("{}:{}", self.path.display(), record.id.line)
    }
}

fn same_entities(one: &Entities, other: &Entities, [first, second]: &[String; 2]) -> Result<()> {
    if one == other {
        return Ok(());
    }
    let sorted = |entities: &Entities| {
        let lists = entities.iter();
        let pairs =
            lists.flat_map(|(name, list)| list.iter().map(|e| (name.to_owned(), e.clone())));
        let mut pairs: Vec<(String, String)> = pairs.collect();
        pairs.sort_unstable();
        pairs
    };
    let (one, other) = (sorted(one), sorted(other));
    let at = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let named = |pair: &(String, String)| format!("{} {:?}", pair.0, pair.1);
    // The smaller one of two sorted lists is what the other list lacks.
    let (place, pair, without) = match (one.get(at), other.get(at)) {
        (None, None) => return Ok(()),
        (Some(pair), None) => (first, pair, second),
        (Some(pair), Some(theirs)) if pair < theirs => (first, pair, second),
        (_, Some(pair)) => (second, pair, first),
    };
    let lesser = if place == first { &other } else { &one };
    let is_there = match lesser.contains(pair) {
        true => "stands there more often than at",
        false => "is not at",
    };
    Err(differ(format!("{place}: the gold entity {} {is_there} {without}", named(pair))))
}

fn ended(longer: &Records<'_>, record: &Record, shorter: &Records<'_>) -> Error {
    let (at, shorter) = (longer.place(record), shorter.path.display());
    differ(format!("{at}: {shorter} ends before this answer"))
}

fn differ(reason: String) -> Error {
    let hint = "two systems can be compared on the same gold standard only: the same lines with the \
                same gold entities";
    Error::Mismatch { reason, hint: Some(hint.to_owned()) }
}
