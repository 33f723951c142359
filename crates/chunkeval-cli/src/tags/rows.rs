//! Rows of ids, and where they came from.

use chunkeval_core::TagBatch;

use crate::alignment::LeftOut;
use crate::{Error, Result};

/// Some sentences as ids, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) gold: Vec<i32>,
    pub(super) predicted: Vec<i32>,
    pub(super) ends: Vec<usize>,
    /// For each row, where its text begins: a byte of the block, or the index of a sentence.
    pub(super) texts: Vec<usize>,
    /// Where documents begin, perhaps behind all rows.
    pub(super) documents: Vec<Begin>,
    /// A hash of the tokens and gold tags of each row, if it is wanted.
    pub(super) said: Vec<u64>,
    /// The sentences that were left out.
    pub(super) left_out: Vec<LeftOut>,
    /// Whether the file ends with the last row, with no blank line behind it.
    pub(super) unended: bool,
}

/// Where a document begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begin {
    /// With which row; the number of rows if it is behind them.
    pub(crate) row: usize,
    /// The line that says so.
    pub(crate) line: u64,
}

/// A token of a row.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: u64,
}

/// Knows the tokens of rows.
pub(super) trait Texts {
    /// The tokens of the row whose text begins there.
    fn tokens(&self, text: usize) -> Vec<Token>;

    /// The lines of the rows whose texts begin there, one behind the other; none where rows are
    /// made of two files.
    fn lines(&self, _texts: &[usize]) -> Vec<u64> {
        Vec::new()
    }
}

impl Rows {
    pub(super) fn clear(&mut self) {
        let Self { gold, predicted, ends, texts, documents, said, left_out, unended } = self;
        gold.clear();
        predicted.clear();
        ends.clear();
        texts.clear();
        documents.clear();
        said.clear();
        left_out.clear();
        *unended = false;
    }

    /// Ends the row that was begun, if it has tokens.
    pub(super) fn end(&mut self, text: usize) {
        if self.gold.len() > self.begun() {
            self.ends.push(self.gold.len());
            self.texts.push(text);
        }
    }

    /// A document begins with the row that is begun, or with the next one; a line says so.
    pub(super) fn begin_document(&mut self, line: u64) {
        let row = self.ends.len();
        if self.documents.last().is_none_or(|last| last.row != row) {
            self.documents.push(Begin { row, line });
        }
    }

    /// Whether no row is begun.
    pub(super) fn between(&self) -> bool {
        self.gold.len() == self.begun()
    }

    /// Takes back the row that was begun.
    pub(super) fn take_back(&mut self) {
        let begun = self.begun();
        self.gold.truncate(begun);
        self.predicted.truncate(begun);
    }

    /// Where the row that was begun starts.
    pub(super) fn begun(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// How many labels there must be for all ids.
    pub(super) fn labels(&self) -> usize {
        let most = self.gold.iter().chain(&self.predicted).max();
        most.map_or(0, |&id| id as usize + 1)
    }

    pub(super) fn batch(&self) -> Result<TagBatch<'_>> {
        TagBatch::new(&self.gold, &self.predicted, &self.ends).map_err(Error::Core)
    }
}
