//! What every reader can do.

use std::path::Path;

use chunkeval_core::Result;

use crate::Sentence;

/// A reader of labelled sentences, one in memory at a time.
///
/// Every reader of this crate is also an iterator of `Result<Sentence>`; `read_into` is the same
/// without a new sentence each time. Reading ends at the first error: after it there are no more
/// sentences.
///
/// ```
/// use chunkeval_data::{Conll, ConllReader, ReadSentences, Result, Sentence, WaybillReader};
///
/// fn longest(mut reader: impl ReadSentences) -> Result<usize> {
///     let (mut sentence, mut longest) = (Sentence::new(), 0);
///     while reader.read_into(&mut sentence)? {
///         longest = longest.max(sentence.len());
///     }
///     Ok(longest)
/// }
///
/// let columns = "Ada\tB-PER\nsleeps\tO\n\nRome\tB-LOC\n".as_bytes();
/// assert_eq!(longest(ConllReader::new(columns, "train.conll", &Conll::two_columns())?)?, 2);
/// let waybill = "text_a\tlabel\n川\u{2}蜀\tA1-B\u{2}A1-I\n".as_bytes();
/// assert_eq!(longest(WaybillReader::new(waybill, "train.txt"))?, 2);
/// # Ok::<(), chunkeval_data::Error>(())
/// ```
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

/// Makes a reader of a type with `done: bool` and `read(&mut self, &mut Sentence) -> Result<bool>`,
/// which reads one sentence into an empty one. What all readers promise about errors and the end
/// is kept here; `path` is the type's own.
macro_rules! reader {
    (impl<$($parameter:ident: $bound:ident),+> $reader:ty { $($path:tt)+ }) => {
        impl<$($parameter: $bound),+> $crate::ReadSentences for $reader {
            fn read_into(&mut self, sentence: &mut $crate::Sentence) -> $crate::Result<bool> {
                sentence.clear();
                if self.done {
                    return Ok(false);
                }
                let result = self.read(sentence);
                if !matches!(result, Ok(true)) {
                    self.done = true;
                    sentence.clear();
                }
                result
            }

            $($path)+
        }

        impl<$($parameter: $bound),+> Iterator for $reader {
            type Item = $crate::Result<$crate::Sentence>;

            fn next(&mut self) -> Option<Self::Item> {
                $crate::read::next(self)
            }
        }
    };
}
pub(crate) use reader;

/// One step of an iterator over a reader.
pub(crate) fn next(reader: &mut impl ReadSentences) -> Option<Result<Sentence>> {
    let mut sentence = Sentence::new();
    match reader.read_into(&mut sentence) {
        Ok(true) => Some(Ok(sentence)),
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    }
}
