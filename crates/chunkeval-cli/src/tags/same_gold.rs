//! That two files have the same tokens and gold tags.

use std::io::BufRead;
use std::path::Path;

use chunkeval_core::{ErrorKind, Place};
use chunkeval_data::{Cells, ConllReader, ReadSentences, Sentence};

use super::blanked::Blanked;
use super::layout::{ColumnLayout, first_line};
use super::scored::columns;
use super::{Layout, Source};
use crate::input::Input;
use crate::unusable::NOT_UTF8;
use crate::{Error, Result, interrupt};

type Reader = ConllReader<Box<dyn BufRead + Send>>;

/// Checks that two sources have the same gold standard. Sources with a gold file of their own have
/// it if the file is the same; their tokens are compared as they are scored. Lines that begin with
/// `document_start`, if that is not empty, part sentences as blank ones do.
///
/// # Errors
/// They have not, and the first place where they differ is named; or one cannot be read.
pub(crate) fn same_gold(first: &Source, second: &Source, document_start: &str) -> Result<()> {
    let (
        Source::File { path: first, layout: first_layout },
        Source::File { path: second, layout: second_layout },
    ) = (first, second)
    else {
        return Ok(());
    };
    let open = |path, layout| open(path, layout, document_start);
    let (mut first, mut second) = (open(first, first_layout)?, open(second, second_layout)?);
    let (mut one, mut other) = (Sentence::new(), Sentence::new());
    loop {
        if interrupt::asked() {
            return Err(Error::Interrupted);
        }
        let more = first.read_into(&mut one).map_err(placed)?;
        match (more, second.read_into(&mut other).map_err(placed)?) {
            (false, false) => return Ok(()),
            (true, false) => return Err(ended(&one, &first, &second)),
            (false, true) => return Err(ended(&other, &second, &first)),
            (true, true) => {
                let (a, b) = ((one.tokens(), first.path()), (other.tokens(), second.path()));
                same("token", a, b)?;
                same("gold tag", (one.gold(), a.1), (other.gold(), b.1))?;
            }
        }
    }
}

fn open(path: &Path, layout: &Layout, document_start: &str) -> Result<Reader> {
    let layout: ColumnLayout = columns(path, layout)?;
    let (source, name) = Input::open(path)?.buffered();
    let mut source: Box<dyn BufRead + Send> = match document_start {
        "" => source,
        start => Box::new(Blanked::new(source, start)),
    };
    let line = first_line(&mut *source).map_err(|e| Error::read(&name, e))?;
    let layout = layout.of(&line);
    Ok(ConllReader::new(source, name, &layout)?)
}

/// Compares two cells of sentences; a sentence that ends is another one, too.
fn same(what: &str, a: (Cells<'_>, &Path), b: (Cells<'_>, &Path)) -> Result<()> {
    let texts = a.0.iter().zip(b.0.iter()).enumerate();
    for (at, (of_first, of_second)) in texts {
        if of_first != of_second {
            let (first, second) = (place(a, at), place(b, at));
            let reason = format!("{second}: {what} {of_second:?}, but {of_first:?} at {first}");
            return Err(differ(reason));
        }
    }
    let (first, second) = (a.0.len(), b.0.len());
    if first == second {
        return Ok(());
    }
    let reason = format!(
        "{}: a sentence of {second} tokens, but of {first} at {}",
        place(b, 0),
        place(a, 0)
    );
    Err(differ(reason))
}

fn ended(sentence: &Sentence, longer: &Reader, shorter: &Reader) -> Error {
    let at = place((sentence.tokens(), longer.path()), 0);
    differ(format!("{at}: {} ends before this sentence", shorter.path().display()))
}

fn differ(reason: String) -> Error {
    let hint = "two systems can be compared on the same gold standard only: same sentences, same \
                tokens, same gold tags";
    Error::Mismatch { reason, hint: Some(hint.to_owned()) }
}

/// An error of a reader with its place, if it has one in a file.
fn placed(error: chunkeval_core::Error) -> Error {
    let place = match error.place() {
        Some(Place::Text { path, line, column }) => Some((path.to_owned(), line, column)),
        _ => None,
    };
    match (place, error.into_kind()) {
        (Some((path, line, column)), ErrorKind::Parse { reason, .. }) => {
            let hint = (reason == "invalid UTF-8").then(|| NOT_UTF8.to_owned());
            Error::Place { path, line, column, reason, hint }
        }
        (_, ErrorKind::Io { path, source }) => Error::Read { path, source },
        (_, kind) => Error::Core(kind.into()),
    }
}

/// `FILE:LINE` of a cell.
fn place((cells, path): (Cells<'_>, &Path), at: usize) -> String {
    match cells.position(at) {
        Some(place) => format!("{}:{}", path.display(), place.line),
        None => path.display().to_string(),
    }
}
