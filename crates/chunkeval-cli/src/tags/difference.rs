//! In what two files differ that do not have the same tokens and gold tags.

use std::io::{BufRead as _, BufReader, Read as _, repeat};
use std::path::Path;

use chunkeval_data::{Cells, ConllReader, ReadSentences, Sentence};

use super::blanked::Blanked;
use super::layout::{ColumnLayout, first_line};
use super::scored::columns;
use super::{Layout, Source};
use crate::input::Input;
use crate::{Error, Result, interrupt};

/// Where the same sentence of two files should stand; nothing where a file has ended.
pub(crate) type Lines = [Option<u64>; 2];

/// In what two sentences differ that begin on these lines of their files: the first token or gold tag
/// that is another one, or that one file has ended. Nothing is known of sources with a gold file of
/// their own. Lines that begin with `document_start`, if that is not empty, part sentences as blank
/// ones do.
pub(crate) fn difference(
    first: &Source,
    second: &Source,
    lines: Lines,
    document_start: &str,
) -> Option<Error> {
    let (Source::File { path: a, layout: of_a }, Source::File { path: b, layout: of_b }) =
        (first, second)
    else {
        return None;
    };
    let place = |path: &Path, line: u64| format!("{}:{line}", path.display());
    let ended = |longer: String, shorter: &Path| {
        differ(format!("{longer}: {} ends before this sentence", shorter.display()))
    };
    match lines {
        [None, None] => None,
        [Some(line), None] => Some(ended(place(a, line), b)),
        [None, Some(line)] => Some(ended(place(b, line), a)),
        [Some(of_first), Some(of_second)] => {
            let read = |path, layout, line| sentence(path, layout, line, document_start);
            let sentences =
                read(a, of_a, of_first).and_then(|a| Ok((a, read(b, of_b, of_second)?)));
            let compared = sentences.and_then(|(one, other)| {
                same("token", (one.tokens(), a), (other.tokens(), b))?;
                same("gold tag", (one.gold(), a), (other.gold(), b))
            });
            let (first, second) = (place(a, of_first), place(b, of_second));
            let another = || differ(format!("{second}: another sentence than at {first}"));
            Some(match compared {
                Err(error @ (Error::Mismatch { .. } | Error::Interrupted)) => error,
                Ok(()) | Err(_) => another(), // the file is another one now, or read in another way
            })
        }
    }
}

/// The sentence that begins on a line.
fn sentence(path: &Path, layout: &Layout, line: u64, document_start: &str) -> Result<Sentence> {
    let layout: ColumnLayout = columns(path, layout)?;
    let (mut source, name) = Input::open(path)?.buffered();
    let mut before = Vec::new();
    for _ in 1..line {
        if interrupt::asked() {
            return Err(Error::Interrupted);
        }
        before.clear();
        source.read_until(b'\n', &mut before).map_err(|e| Error::read(&name, e))?;
    }
    let layout = layout.of(&first_line(&mut *source).map_err(|e| Error::read(&name, e))?);
    // Blank lines stand for those before, so that the reader counts lines as they are.
    let source = repeat(b'\n').take(line.saturating_sub(1)).chain(source);
    let source = Blanked::new(BufReader::new(source), document_start);
    let mut sentence = Sentence::new();
    ConllReader::new(source, name, &layout)?.read_into(&mut sentence)?;
    Ok(sentence)
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

fn differ(reason: String) -> Error {
    let hint = "two systems can be compared on the same gold standard only: same sentences, same \
                tokens, same gold tags";
    Error::Mismatch { reason, hint: Some(hint.to_owned()) }
}

/// `FILE:LINE` of a cell.
fn place((cells, path): (Cells<'_>, &Path), at: usize) -> String {
    match cells.position(at) {
        Some(place) => format!("{}:{}", path.display(), place.line),
        None => path.display().to_string(),
    }
}
