//! CoNLL columns: one token a line, a blank line between sentences.

mod reader;
mod splitter;

pub use reader::ConllReader;

use chunkeval_core::{Error, Result};

/// Which column, counted from 1 from the left or from the right.
///
/// Where a layout has both, those from the left must stand before those from the right: a line too
/// short for that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// `FromLeft(1)` is the first.
    FromLeft(usize),
    /// `FromRight(1)` is the last.
    FromRight(usize),
}

const LOSES_TOKENS: &str = "hash would lose tokens that begin with #; use between";

/// What stands between columns. Other white space than these, such as U+3000 or U+00A0, is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// Any number of spaces and tabs; those at the ends of a line do not count.
    Whitespace,
    /// One tab: two make an empty column, and a token can hold spaces.
    Tab,
    /// One space: two make an empty column. Those at the end of a line do not count, as in
    /// conlleval.
    Space,
}

/// Which lines are comments.
///
/// A word can itself be `#`, so no setting guesses: the first loses no token because no token
/// stands first, the second says where it could.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comments {
    /// None: a line `# O` is the token `#`.
    None,
    /// Every line that begins with `#`, as in IOB2 and CoNLL-U files. Refused when the token is
    /// the first column.
    Hash,
    /// Lines before a sentence that begin with `#` and a space, or are `#` alone. Elsewhere `#`
    /// begins a token. With spaces as delimiters a sentence whose first token is `#` looks like
    /// such a comment and is taken for one.
    Between,
}

/// What to do with a line whose first column is `-DOCSTART-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocStart {
    /// It ends a sentence, as a blank line does, and is no token.
    Boundary,
    /// It is left out, and a sentence goes on across it.
    Skip,
    /// It is a token like any other, as in conlleval.
    Keep,
}

/// How a file of columns is laid out.
///
/// Always read, whatever the settings: `\r\n`, a byte order mark, blank lines of spaces and tabs,
/// several blank lines, a last line without a line end, an empty file (no sentences). Never
/// guessed: all token lines of a file must have the same number of columns.
///
/// ```
/// use chunkeval_data::{Column, Conll, ConllReader};
///
/// let text = "1\tAda\tB-PER\n2\tsleeps\tO\n";
/// let layout = Conll { token: Column::FromLeft(2), ..Conll::default() };
/// let sentences: Vec<_> = ConllReader::new(text.as_bytes(), "ada.conll", &layout)?
///     .collect::<Result<_, _>>()?;
/// assert_eq!(sentences[0].tokens().iter().collect::<Vec<_>>(), ["Ada", "sleeps"]);
/// assert_eq!(sentences[0].gold().iter().collect::<Vec<_>>(), ["B-PER", "O"]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conll {
    /// The column of the token.
    pub token: Column,
    /// The column of the gold tag; in a file of predictions only, of these.
    pub gold: Column,
    /// The column of the predicted tag, if there is one.
    pub predicted: Option<Column>,
    /// What stands between columns.
    pub delimiter: Delimiter,
    /// Which lines are comments.
    pub comments: Comments,
    /// What to do with `-DOCSTART-`.
    pub docstart: DocStart,
}

impl Default for Conll {
    /// The files of CoNLL-2003: token first, tag last, white space between them, no comments,
    /// `-DOCSTART-` between documents.
    fn default() -> Self {
        Self {
            token: Column::FromLeft(1),
            gold: Column::FromRight(1),
            predicted: None,
            delimiter: Delimiter::Whitespace,
            comments: Comments::None,
            docstart: DocStart::Boundary,
        }
    }
}

impl Conll {
    /// Token TAB tag, as in WNUT-17 and the NCBI disease corpus.
    #[must_use]
    pub fn two_columns() -> Self {
        Self {
            gold: Column::FromLeft(2),
            delimiter: Delimiter::Tab,
            docstart: DocStart::Keep,
            ..Self::default()
        }
    }

    /// Number TAB token TAB tag and more columns, with comments, as in Universal NER.
    #[must_use]
    pub fn iob2() -> Self {
        Self {
            token: Column::FromLeft(2),
            gold: Column::FromLeft(3),
            comments: Comments::Hash,
            ..Self::two_columns()
        }
    }

    /// What conlleval reads: single spaces, the gold tag last but one, the predicted tag last.
    #[must_use]
    pub fn conlleval() -> Self {
        Self {
            gold: Column::FromRight(2),
            predicted: Some(Column::FromRight(1)),
            delimiter: Delimiter::Space,
            docstart: DocStart::Keep,
            ..Self::default()
        }
    }

    /// Token TAB gold TAB predicted: what [`PredictionWriter`](crate::PredictionWriter) writes.
    #[must_use]
    pub fn predictions() -> Self {
        Self { predicted: Some(Column::FromLeft(3)), ..Self::two_columns() }
    }

    /// Checks what can be known without a file.
    pub(crate) fn check(&self) -> Result<()> {
        let columns = [Some(self.token), Some(self.gold), self.predicted];
        for (i, column) in columns.iter().enumerate() {
            let Some(column) = column else { continue };
            if matches!(column, Column::FromLeft(0) | Column::FromRight(0)) {
                return Err(Error::config("columns", "columns count from 1, there is no column 0"));
            }
            if columns.iter().take(i).any(|c| c.as_ref() == Some(column)) {
                return Err(Error::config("columns", "token and tags must be different columns"));
            }
        }
        if self.comments == Comments::Hash && self.token == Column::FromLeft(1) {
            let reason = format!("{LOSES_TOKENS} (the token is the first column)");
            return Err(Error::config("comments", reason));
        }
        Ok(())
    }

    /// The least number of columns that has all that are asked for.
    pub(crate) fn fewest(&self) -> usize {
        let columns = [Some(self.token), Some(self.gold), self.predicted];
        let last = |from_left: bool| {
            let of = columns.iter().flatten().filter_map(move |column| match column {
                Column::FromLeft(n) if from_left => Some(*n),
                Column::FromRight(n) if !from_left => Some(*n),
                _ => None,
            });
            of.max().unwrap_or(0)
        };
        // Counted from both ends they must not meet: the token cannot be its own tag.
        last(true).saturating_add(last(false))
    }
}

impl Column {
    /// The least number of columns that has it.
    pub(crate) fn least(self) -> usize {
        match self {
            Self::FromLeft(n) | Self::FromRight(n) => n,
        }
    }

    /// The index from 0 in a line of `columns` columns.
    pub(crate) fn index(self, columns: usize) -> Option<usize> {
        match self {
            Self::FromLeft(n) => n.checked_sub(1),
            Self::FromRight(n) => columns.checked_sub(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_cannot_be_is_refused() {
        let message = |layout: Conll| layout.check().unwrap_err().to_string();
        let zero = Conll { gold: Column::FromRight(0), ..Conll::default() };
        assert_eq!(message(zero), "columns: columns count from 1, there is no column 0");
        let same = Conll { gold: Column::FromLeft(1), ..Conll::default() };
        assert_eq!(message(same), "columns: token and tags must be different columns");
        let lossy = Conll { comments: Comments::Hash, ..Conll::default() };
        assert!(message(lossy).starts_with("comments: hash would lose tokens"));
    }

    #[test]
    fn the_presets_are_sound() {
        let presets = [
            Conll::default(),
            Conll::two_columns(),
            Conll::iob2(),
            Conll::conlleval(),
            Conll::predictions(),
        ];
        assert_eq!(presets.each_ref().map(Conll::fewest), [2, 2, 3, 3, 3]);
        assert!(presets.iter().all(|layout| layout.check().is_ok()));
    }
}
