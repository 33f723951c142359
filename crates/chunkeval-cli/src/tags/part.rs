//! [`Part`]: a block of one side of a pair, scanned.

use super::interner::Interner;
use super::line::{Line, Wrong};
use super::rows::{Rows, Texts, Token};
use super::sink::{Field, Fields, Sink};
use crate::input::Block;
use crate::unusable::Fault;

/// A block of gold tags alone, or of predicted ones, as rows.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) block: Block,
    /// The tags of the side as if they were gold; there are no predicted ones.
    pub(super) rows: Rows,
    /// Where each token stands in the block; its tag, if there are tags alone.
    pub(super) tokens: Vec<Field>,
    /// Whether there are tags alone.
    pub(super) bare: bool,
    /// Rows with a tag that cannot be read, each with its first one.
    pub(super) spoilt: Vec<(usize, Fault)>,
    /// What stands behind the rows and ends everything, since nobody knows which row comes next.
    pub(super) fault: Option<(File, Fault)>,
}

/// Where a fault is, in a side of two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    Tokens,
    Tags,
}

/// The id of a tag that cannot be read, in a row that is left out.
const UNREAD: i32 = 0;

impl Part {
    /// An empty one in the memory of an old one.
    pub(super) fn of(block: Block, old: Self) -> Self {
        let Self { mut rows, mut tokens, mut spoilt, .. } = old;
        rows.clear();
        tokens.clear();
        spoilt.clear();
        Self { block, rows, tokens, bare: false, spoilt, fault: None }
    }

    /// Takes a token with its tag.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        line: Line<'_>,
        token: Field,
        tag: Field,
        tags: &mut Interner<'_>,
    ) {
        self.push_tag(line, tag, tags);
        self.tokens.push(token);
    }

    /// Takes the tag of a token.
    #[inline(always)]
    pub(super) fn push_tag(&mut self, line: Line<'_>, tag: Field, tags: &mut Interner<'_>) {
        let id = tags.id(line.text, tag.0, tag.1);
        let id = id.unwrap_or_else(|(reason, hint)| {
            let row = self.rows.ends.len();
            if self.spoilt.last().is_none_or(|(last, _)| *last != row) {
                self.spoilt.push((row, line.fault(tag.0, reason, hint)));
            }
            UNREAD
        });
        self.rows.gold.push(id);
    }

    /// The tokens of a row, as places among all of them.
    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        let start = row.checked_sub(1).and_then(|before| self.rows.ends.get(before));
        start.copied().unwrap_or(0)..self.rows.ends.get(row).copied().unwrap_or(0)
    }

    /// A token, by its place among all of them.
    #[inline(always)]
    pub(super) fn token(&self, at: usize) -> &[u8] {
        let (start, end) = self.tokens.get(at).copied().unwrap_or_default();
        self.block.bytes.get(start..end).unwrap_or_default()
    }

    /// Line and column where a token stands.
    pub(super) fn place(&self, at: usize) -> (u64, u64) {
        let start = self.tokens.get(at).map_or(0, |field| field.0);
        let before = self.block.bytes.get(..start).unwrap_or_default();
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let before = String::from_utf8_lossy(before.get(begin..).unwrap_or_default());
        (self.block.line + line, 1 + before.chars().count() as u64)
    }
}

impl Sink for Part {
    #[inline(always)]
    fn rows(&mut self) -> &mut Rows {
        &mut self.rows
    }

    #[inline(always)]
    fn take(
        &mut self,
        line: Line<'_>,
        Fields { token, gold, .. }: Fields,
        tags: &mut Interner<'_>,
    ) -> Result<(), Wrong> {
        self.push(line, token, gold, tags);
        Ok(())
    }

    fn fault(&mut self, fault: Fault) -> bool {
        self.fault = Some((File::Tags, fault));
        false
    }
}

/// A part knows the tokens of its rows.
impl Texts for Part {
    fn tokens(&self, row: usize) -> Vec<Token> {
        let range = self.range(row);
        let mut line = self.place(range.start).0;
        let mut from = self.tokens.get(range.start).map_or(0, |field| field.0);
        let tokens = range.map(|at| {
            let start = self.tokens.get(at).map_or(from, |field| field.0);
            let between = self.block.bytes.get(from..start).unwrap_or_default();
            line += between.iter().filter(|&&byte| byte == b'\n').count() as u64;
            from = start;
            Token { text: String::from_utf8_lossy(self.token(at)).into_owned(), line }
        });
        tokens.collect()
    }
}
