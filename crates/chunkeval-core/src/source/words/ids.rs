//! Which word each token of some rows belongs to, as tokenizers say it.

use super::spread::Spread;
use super::{Pieces, Windows};
use crate::{ErrorKind, Result, TagSet};

/// Which word each token of a batch belongs to, and how the pieces of a word speak for it.
///
/// A tokenizer for sub-words says for each token the index of its word, and nothing for special
/// tokens and padding: `Encoding::get_word_ids` of the crate tokenizers, `word_ids()` in Python.
/// Push those of one row after the other, in the order of the predictions.
///
/// A document that was cut into several overlapping rows (overflow with a stride) is pushed window
/// by window under one number; each of its words is counted once. All windows of a document belong
/// into one batch.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, WordIds, WordTags};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// //         [CLS]  Ada      Love     ##lace   slept    [SEP]
/// let row = [None, Some(0), Some(1), Some(1), Some(2), None];
/// let gold = [vec![1, 2, 0]];
/// let predicted = [0, 1, 2, 0, 0, 0];
///
/// let mut words = WordIds::new(Pieces::First);
/// words.push(0, &row)?;
/// let tags = WordTags::ids(&gold, &predicted, 6, &words)?;
/// metric.update(tags.load(&mut TagBuffer::default())?)?;
/// assert_eq!(metric.accumulate().overall.f1, 1.0);
/// assert_eq!(metric.accumulate().diagnostics.tokens, 3); // words
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct WordIds {
    pub(super) pieces: Pieces,
    pub(super) windows: Windows,
    pub(super) spread: Option<Spread>,
    /// How many tokens each row has.
    widths: Vec<usize>,
    /// The words of all rows, and one entry without a word for each row.
    pub(super) words: Vec<Word>,
}

/// A word of a document in one of its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(super) document: usize,
    /// Its index. `None` stands for the row itself, so that documents without words are found.
    pub(super) word: Option<usize>,
    pub(super) row: usize,
    /// The columns of its pieces.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many pieces of other words the row has before or after it, whichever are fewer.
    pub(super) context: usize,
    /// Whether all of its labels are ignored.
    pub(super) blank: bool,
}

impl WordIds {
    /// No rows yet.
    pub fn new(pieces: Pieces) -> Self {
        Self { pieces, ..Self::default() }
    }

    /// Which window speaks for a word that several show; [`Windows::First`] if not said.
    pub fn windows(self, windows: Windows) -> Self {
        Self { windows, ..self }
    }

    /// The label list by which [`Pieces::All`] spreads gold tags of words over their pieces:
    /// `B-X` over three pieces is `B-X I-X I-X`, `S-X` is `B-X I-X E-X`, `E-X` is `I-X I-X E-X`,
    /// and any other tag is repeated. The chunks stay what they are in [`Mode::Lenient`], and where
    /// tags are well-formed also in the strict schemes (but for seqeval's unfinished IOE1).
    ///
    /// [`Mode::Lenient`]: crate::Mode::Lenient
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, WordIds, WordTags};
    ///
    /// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
    /// let mut words = WordIds::new(Pieces::All).tag_set(metric.tags())?;
    /// words.push(0, &[Some(0), Some(1), Some(1), Some(1)])?;
    /// let gold = [vec![0, 1]]; // read as O, B-PER I-PER I-PER
    /// let tags = WordTags::ids(&gold, &[0, 1, 2, 2], 4, &words)?;
    /// metric.update(tags.load(&mut TagBuffer::default())?)?;
    /// assert_eq!(metric.accumulate().overall.counts.correct, 1);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// A label cannot be spread, since the list lacks another one of its type.
    pub fn tag_set(self, tags: &TagSet) -> Result<Self> {
        Ok(Self { spread: Some(Spread::new(tags)?), ..self })
    }

    /// Adds rows that are a document each; the first is document 0 if nothing was pushed before.
    ///
    /// # Errors
    /// As for [`push`](WordIds::push).
    pub fn rows<W: AsRef<[Option<u32>]>>(
        mut self,
        rows: impl IntoIterator<Item = W>,
    ) -> Result<Self> {
        rows.into_iter().try_for_each(|row| self.push(self.len(), row.as_ref()))?;
        Ok(self)
    }

    /// Adds the next row: a document, or one window of it. Documents are numbered within the
    /// batch, as gold rows by word are.
    ///
    /// # Errors
    /// The words do not rise: the pieces of a word stand together, and the words of a row in the
    /// order of the text. The second text of a pair counts from 0 again; give `None` for the other
    /// one. Nothing is added then.
    pub fn push(&mut self, document: usize, ids: &[Option<u32>]) -> Result<()> {
        let row = self.len();
        let known = self.words.len();
        let empty = Word { document, word: None, row, start: 0, end: 0, context: 0, blank: true };
        self.words.push(empty);
        let mut column = 0;
        let mut previous = None;
        for run in ids.chunk_by(|a, b| a == b) {
            let start = column;
            column += run.len();
            let Some(&Some(word)) = run.first() else { continue };
            if let Some(previous) = previous.filter(|&previous| previous >= word) {
                self.words.truncate(known);
                return Err(ErrorKind::WordOrder { row, column: start, word, previous }.into());
            }
            previous = Some(word);
            let word = Some(word as usize);
            self.words.push(Word { word, start, end: column, blank: false, ..empty });
        }
        let pieces = ids.iter().flatten().count();
        let mut before = 0;
        for word in self.words.iter_mut().skip(known + 1) {
            let own = word.end - word.start;
            word.context = before.min(pieces - before - own);
            before += own;
        }
        self.widths.push(ids.len());
        Ok(())
    }

    /// Forgets the rows, keeps the memory and the settings.
    pub fn clear(&mut self) {
        self.widths.clear();
        self.words.clear();
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.widths.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// How many tokens the longest row has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.widths.iter().copied().max().unwrap_or(0)
    }

    /// That each row has as many tokens as there are predictions.
    pub(super) fn check_shape(&self, [rows, width]: [usize; 2]) -> Result<()> {
        if self.len() != rows {
            let (what, found) = ("rows of word ids", self.len());
            return Err(ErrorKind::Length { what, row: None, expected: rows, found }.into());
        }
        match self.widths.iter().position(|&found| found != width) {
            Some(row) => {
                let what = "word ids, None in padding included";
                let found = self.widths[row];
                Err(ErrorKind::Length { what, row: Some(row), expected: width, found }.into())
            }
            None => Ok(()),
        }
    }
}

impl Word {
    /// Where the word stands in the text.
    pub(super) fn place(&self) -> (usize, Option<usize>) {
        (self.document, self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn words_that_do_not_rise_are_refused_and_nothing_is_added() {
        let mut words = WordIds::default();
        words.push(0, &[None, Some(4), Some(4), Some(9)]).unwrap();
        let before = words.words.len();
        for (row, column, message) in [
            (&[None, Some(2), None, Some(1)][..], 3, "word id 1 after word id 2"),
            (&[Some(0), Some(1), None, Some(1)], 3, "word id 1 after word id 1"),
            (&[Some(0), Some(1), Some(0)], 2, "word id 0 after word id 1"),
        ] {
            let e = words.push(1, row).unwrap_err();
            assert_eq!(e.place(), Some(Place::Cell { row: 1, column }));
            assert!(e.to_string().contains(message), "{e}");
            assert_eq!((words.len(), words.words.len()), (1, before));
        }
        words.push(1, &[]).unwrap();
        assert_eq!((words.len(), words.width()), (2, 4));
        words.clear();
        assert!(words.is_empty() && words.words.is_empty());
    }

    #[test]
    fn context_is_the_distance_to_the_nearer_edge() {
        let mut words = WordIds::default();
        words.push(0, &[None, Some(5), Some(5), Some(6), None, Some(8), Some(9), None]).unwrap();
        let found: Vec<_> =
            words.words.iter().map(|w| (w.word, w.start..w.end, w.context)).collect();
        assert_eq!(
            found,
            [
                (None, 0..0, 0),
                (Some(5), 1..3, 0),
                (Some(6), 3..4, 2),
                (Some(8), 5..6, 1),
                (Some(9), 6..7, 0)
            ]
        );
    }
}
