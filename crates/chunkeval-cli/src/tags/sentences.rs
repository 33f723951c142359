//! [`Sentences`]: what was counted and what was left out, to hold two files against each other.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::interner::Interner;
use super::line::{Line, Wrong};
use super::rows::Rows;
use super::sink::{Both, Fields, Sink};
use crate::alignment::Alignment;
use crate::unusable::Fault;

/// The sentences of a file and what they say; nothing, where gold tags stand in a file of their own.
pub(crate) type Sentences = Alignment<Said>;

/// What a sentence says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    /// A hash of its tokens and gold tags.
    hash: u64,
    /// The line of its first token.
    pub(crate) line: u64,
}

impl Said {
    /// Whether two sentences say the same, wherever they stand.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

/// Those of some rows, which begin on these lines.
pub(super) fn sentences(rows: &Rows, lines: &[u64]) -> Sentences {
    let Rows { ends, said, left_out, .. } = rows;
    let said = said.iter().zip(lines).map(|(&hash, &line)| Said { hash, line });
    Sentences::of(ends.len(), said.collect(), left_out.clone())
}

/// Takes what [`Both`] takes, and a hash of the token and gold tag of each line.
pub(super) struct Hashed<'r, F> {
    pub(super) both: Both<'r, F>,
    pub(super) tokens: &'r mut Vec<u64>,
}

impl<F: FnMut(Fault)> Sink for Hashed<'_, F> {
    fn rows(&mut self) -> &mut Rows {
        self.both.rows()
    }

    fn take(
        &mut self,
        line: Line<'_>,
        fields: Fields,
        tags: &mut Interner<'_>,
    ) -> Result<(), Wrong> {
        self.tokens.truncate(self.both.rows.gold.len()); // some may have been taken back
        self.both.take(line, fields, tags)?;
        let mut hasher = FxHasher::default();
        for (start, end) in [fields.token, fields.gold] {
            hasher.write(line.text.get(start..end).unwrap_or_default());
        }
        self.tokens.push(hasher.finish());
        Ok(())
    }

    fn fault(&mut self, fault: Fault) -> bool {
        self.both.fault(fault)
    }
}

impl Rows {
    /// Puts the hashes of lines together to those of rows.
    pub(super) fn say(&mut self, tokens: &[u64]) {
        let mut start = 0;
        for &end in &self.ends {
            let mut hasher = FxHasher::default();
            let of_row = tokens.get(start..end).unwrap_or_default();
            of_row.iter().for_each(|&token| hasher.write_u64(token));
            self.said.push(hasher.finish());
            start = end;
        }
    }
}
