//! What becomes of the lines of columns: rows of both sides, or of one.

use super::interner::Interner;
use super::line::{Line, Wrong};
use super::rows::Rows;
use crate::alignment::LeftOut;
use crate::unusable::Fault;

/// Where a field stands in a block.
pub(super) type Field = (usize, usize);

/// What becomes of the lines of a block.
pub(super) trait Sink {
    /// The rows that are made of them.
    fn rows(&mut self) -> &mut Rows;

    /// Takes the line of a token.
    ///
    /// # Errors
    /// It cannot be used.
    fn take(&mut self, line: Line<'_>, token: Fields, tags: &mut Interner<'_>)
    -> Result<(), Wrong>;

    /// Told of a line that cannot be used; whether the rest of the block is scanned.
    fn fault(&mut self, fault: Fault) -> bool;
}

/// The fields of a token, its gold tag and its predicted tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub(super) token: Field,
    pub(super) gold: Field,
    pub(super) predicted: Field,
}

/// Gold and predicted tags of the same lines. A sentence with a line that cannot be used is left
/// out; `fault` gets its first one.
pub(super) struct Both<'r, F> {
    pub(super) rows: &'r mut Rows,
    pub(super) fault: F,
}

impl<F: FnMut(Fault)> Sink for Both<'_, F> {
    #[inline(always)]
    fn rows(&mut self) -> &mut Rows {
        self.rows
    }

    #[inline(always)]
    fn take(
        &mut self,
        line: Line<'_>,
        Fields { gold, predicted, .. }: Fields,
        tags: &mut Interner<'_>,
    ) -> Result<(), Wrong> {
        let mut id = |(start, end): Field| {
            tags.id(line.text, start, end).map_err(|(reason, hint)| (start, reason, hint))
        };
        let (gold, predicted) = (id(gold)?, id(predicted)?);
        self.rows.gold.push(gold);
        self.rows.predicted.push(predicted);
        Ok(())
    }

    fn fault(&mut self, fault: Fault) -> bool {
        self.rows.left_out.push(LeftOut { before: self.rows.ends.len(), line: fault.line });
        (self.fault)(fault);
        true
    }
}
