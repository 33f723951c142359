//! From predictions of pieces to rows of words.

use std::ops::{Deref, Range};

use super::super::assemble::{Predict, check_shapes};
use super::super::ids::{Grid, TagId, check_width};
use super::{Pieces, Word, WordIds};
use crate::tagging::RowBuffer;
use crate::{Error, ErrorKind, MISSING_PREDICTION, Result, TagBatch};

/// Fills `rows` with one row for each gold row, the tags of a document's words, and shows them as
/// a batch. Gold words without a piece are there with [`MISSING_PREDICTION`].
///
/// Later errors name the document and the word. Nothing is allocated once `rows` is large enough.
///
/// # Errors
/// The word ids have another shape than the predictions, or name a document or a word that gold
/// does not have; a gold id does not fit 32 bits, or a logit of a piece that counts is NaN; gold
/// has to be spread over pieces and [`WordIds::tag_set`] was not called.
pub fn assemble_words<'b, G, I>(
    rows: &'b mut RowBuffer,
    gold: &[G],
    predicted: &dyn Predict,
    words: &WordIds,
    ignore_index: Option<i64>,
) -> Result<TagBatch<'b>>
where
    G: Deref<Target = [I]>,
    I: TagId,
{
    words.check_shape(predicted.shape())?;
    check_words(words, gold)?;
    if words.pieces == Pieces::All && words.spread.is_none() {
        let reason = "to spread gold tags of words the label list is needed: WordIds::tag_set";
        return Err(Error::config("Pieces::All", reason));
    }
    rows.clear(predicted.classes());
    let mut chosen = std::mem::take(&mut rows.words);
    chosen.clear();
    chosen.extend_from_slice(&words.words);
    words.windows.choose(&mut chosen);

    let mut speak = Speakers::new(words.pieces, predicted);
    let mut next = chosen.iter().filter(|word| word.word.is_some()).peekable();
    for (document, tags) in gold.iter().enumerate() {
        let mut dropped = 0;
        for (word, &id) in tags.iter().enumerate() {
            let found = next.next_if(|found| found.place() == (document, Some(word)));
            if ignore_index.is_some_and(|ignored| id.is(ignored)) {
                dropped += 1;
                continue;
            }
            check_width(document, word, id)?;
            let tokens = match found {
                Some(found) => speak.for_word(found, &mut rows.predicted)?,
                None => speak.for_nothing(&mut rows.predicted)?,
            };
            match &words.spread {
                Some(spread) => spread.push(id.tag_id(), tokens, &mut rows.gold),
                None => rows.gold.push(id.tag_id()),
            }
            (0..tokens).for_each(|_| rows.note_columns(word..word + 1));
        }
        rows.end_row(Some(dropped));
    }
    speak.flush(&mut rows.predicted)?;
    rows.words = chosen;
    Ok(rows.batch())
}

/// That all words are words of gold.
fn check_words<G: Deref<Target = [I]>, I>(words: &WordIds, gold: &[G]) -> Result<()> {
    for word in &words.words {
        let Some(tags) = gold.get(word.document) else {
            let what = "gold rows by word, for the document of this row";
            let expected = word.document.saturating_add(1);
            let (row, found) = (Some(word.row), gold.len());
            return Err(ErrorKind::Length { what, row, expected, found }.into());
        };
        if let Some(index) = word.word.filter(|&index| index >= tags.len()) {
            let (row, column, words) = (word.row, word.start, tags.len());
            return Err(ErrorKind::UnknownWord { row, column, word: index, words }.into());
        }
    }
    Ok(())
}

/// Fills `rows` with one row for each document from gold labels of pieces, and shows them as a
/// batch. A word without a label that counts is left out; what was cut off before has no labels
/// and is not known here.
///
/// Later errors name the row and the column of the label. Nothing is allocated once `rows` is
/// large enough.
///
/// # Errors
/// The shapes of labels, predictions and word ids differ; a label that counts does not fit 32
/// bits, or a logit of a piece that counts is NaN.
pub fn assemble_pieces<'b, G: TagId>(
    rows: &'b mut RowBuffer,
    gold: Grid<'_, G>,
    predicted: &dyn Predict,
    words: &WordIds,
    ignore_index: Option<i64>,
) -> Result<TagBatch<'b>> {
    check_shapes(&gold, predicted)?;
    words.check_shape(gold.shape())?;
    rows.clear(predicted.classes());
    let label = |row, column| -> G { gold.get(row, column) };
    let counts =
        |row, column: &usize| ignore_index.is_none_or(|ignored| !label(row, *column).is(ignored));
    let mut chosen = std::mem::take(&mut rows.words);
    chosen.clear();
    chosen.extend(words.words.iter().map(|&word| {
        let blank = !(word.start..word.end).any(|column| counts(word.row, &column));
        Word { blank, ..word }
    }));
    words.windows.choose(&mut chosen);

    let mut speak = Speakers::new(words.pieces, predicted);
    for document in chosen.chunk_by(|a, b| a.document == b.document) {
        let mut dropped = 0;
        for word in document.iter().filter(|word| word.word.is_some()) {
            let row = word.row;
            let labelled = (word.start..word.end).filter(|column| counts(row, column));
            if words.pieces == Pieces::All {
                dropped += word.end - word.start;
                for column in labelled {
                    push_label(rows, &gold, row, column)?;
                    speak.for_piece(row, column, &mut rows.predicted)?;
                    dropped -= 1;
                }
                continue;
            }
            match words.pieces.speaker(labelled, |column| label(row, column).value()) {
                Some(column) => {
                    push_label(rows, &gold, row, column)?;
                    speak.for_word(word, &mut rows.predicted)?;
                }
                None => dropped += 1,
            }
        }
        rows.end_row(Some(dropped));
    }
    speak.flush(&mut rows.predicted)?;
    rows.words = chosen;
    Ok(rows.batch())
}

fn push_label<G: TagId>(
    rows: &mut RowBuffer,
    gold: &Grid<'_, G>,
    row: usize,
    column: usize,
) -> Result<()> {
    let label = gold.get(row, column);
    check_width(row, column, label)?;
    rows.gold.push(label.tag_id());
    rows.note_place(row, column);
    Ok(())
}

/// Appends predicted ids. Pieces that speak and stand side by side are predicted in one go, which
/// arg-max likes.
struct Speakers<'p> {
    pieces: Pieces,
    predicted: &'p dyn Predict,
    /// Asked for, but not appended yet.
    row: usize,
    columns: Range<usize>,
}

impl<'p> Speakers<'p> {
    fn new(pieces: Pieces, predicted: &'p dyn Predict) -> Self {
        Self { pieces, predicted, row: 0, columns: 0..0 }
    }

    /// Says how many tokens the word is.
    fn for_word(&mut self, word: &Word, to: &mut Vec<i32>) -> Result<usize> {
        let Word { row, start, end, .. } = *word;
        match self.pieces {
            Pieces::First => self.for_piece(row, start, to)?,
            Pieces::Last => self.for_piece(row, end - 1, to)?,
            Pieces::Majority if end - start == 1 => self.for_piece(row, start, to)?,
            Pieces::Majority => {
                self.flush(to)?;
                let from = to.len();
                self.predicted.predict(row, start..end, to)?;
                let speaker = self.pieces.speaker(from..to.len(), |piece| i64::from(to[piece]));
                let id = speaker.and_then(|piece| to.get(piece).copied());
                to.truncate(from);
                to.push(id.unwrap_or(MISSING_PREDICTION));
            }
            Pieces::All => {
                (start..end).try_for_each(|column| self.for_piece(row, column, to))?;
                return Ok(end - start);
            }
        }
        Ok(1)
    }

    /// A word without a piece is one token.
    fn for_nothing(&mut self, to: &mut Vec<i32>) -> Result<usize> {
        self.flush(to)?;
        to.push(MISSING_PREDICTION);
        Ok(1)
    }

    fn for_piece(&mut self, row: usize, column: usize, to: &mut Vec<i32>) -> Result<()> {
        if row != self.row || column != self.columns.end {
            self.flush(to)?;
            (self.row, self.columns) = (row, column..column);
        }
        self.columns.end = column + 1;
        Ok(())
    }

    fn flush(&mut self, to: &mut Vec<i32>) -> Result<()> {
        let columns = std::mem::take(&mut self.columns);
        if columns.is_empty() { Ok(()) } else { self.predicted.predict(self.row, columns, to) }
    }
}
