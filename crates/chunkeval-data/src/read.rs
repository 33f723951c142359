//! What every reader can do.

use std::path::Path;

use chunkeval_core::Result;

use crate::Sentence;

/// A reader of labelled sentences, one in memory at a time.
///
/// Every reader of this crate is also an iterator of `Result<Sentence>`; `read_into` is the same
/// without a new sentence each time. Reading ends at the first error: after it there are no more
/// sentences.
pub trait ReadSentences {
    /// Reads the next sentence in place of the old content; `false` at the end, with the sentence
    /// empty.
    ///
    /// # Errors
    /// [`Parse`](chunkeval_core::ErrorKind::Parse) with file, line and column for what cannot be
    /// read, [`Io`](chunkeval_core::ErrorKind::Io) if the file cannot; the sentence is empty then.
    fn read_into(&mut self, sentence: &mut Sentence) -> Result<bool>;

    /// The file that errors about tags should name.
    fn path(&self) -> &Path;
}

/// Whether tags are read, or tokens alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tags {
    Read,
    LeftOut,
}

/// One step of an iterator over a reader.
pub(crate) fn next(reader: &mut impl ReadSentences) -> Option<Result<Sentence>> {
    let mut sentence = Sentence::new();
    match reader.read_into(&mut sentence) {
        Ok(true) => Some(Ok(sentence)),
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    }
}

/// Runs one read: keeps the promises about errors and the end.
pub(crate) fn guarded(
    done: &mut bool,
    sentence: &mut Sentence,
    read: impl FnOnce(&mut Sentence) -> Result<bool>,
) -> Result<bool> {
    sentence.clear();
    if *done {
        return Ok(false);
    }
    let result = read(sentence);
    if !matches!(result, Ok(true)) {
        *done = true;
        sentence.clear();
    }
    result
}
