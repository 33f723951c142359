//! A file as conlleval.pl sees it: one row, in which an `O` stands for each blank line.
//!
//! Nothing but an open match outlives such an `O`, and nearly every row closes what is open at its
//! end. Behind such a row the file is cut; what stands between two cuts is counted as one row.

use chunkeval_core::{Metric as _, SideBySide, TagBatch};

use super::rows::Rows;
use super::{Reading, Style};
use crate::Result;

/// The id of `O`, which is the first one where files are counted as a whole.
const OUTSIDE: i32 = 0;

/// Rows that may belong to those before or behind their block.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The first line of the block.
    pub(super) line: u64,
    gold: Vec<i32>,
    predicted: Vec<i32>,
    /// Whether no match is open behind them.
    closed: bool,
}

/// Counts the rows of a block between its cuts; those before the first and behind the last one are
/// returned. `closes` has for each label whether its chunk ends before an `O`.
pub(super) fn count(
    rows: &Rows,
    line: u64,
    closes: &[bool],
    metric: &mut SideBySide,
) -> Result<Vec<Piece>> {
    let ends = |id: i32| usize::try_from(id).ok().and_then(|id| closes.get(id)) == Some(&true);
    let (mut pieces, mut part) = (Vec::new(), Piece { line, ..Piece::default() });
    let (mut cut, mut start) = (0, 0);
    let mut row_ends = Vec::new();
    for (at, &end) in rows.ends.iter().enumerate() {
        let gold = rows.gold.get(start..end).unwrap_or_default();
        let predicted = rows.predicted.get(start..end).unwrap_or_default();
        start = end;
        let mut pairs = gold.iter().zip(predicted).rev();
        let Some(last) = pairs.find(|&pair| pair != (&OUTSIDE, &OUTSIDE)) else {
            continue; // as if it were not there
        };
        part.gold.extend_from_slice(gold);
        part.predicted.extend_from_slice(predicted);
        if !(rows.unended && at + 1 == rows.ends.len()) {
            part.gold.push(OUTSIDE);
            part.predicted.push(OUTSIDE);
        }
        if !ends(*last.0) && !ends(*last.1) {
            continue;
        }
        if pieces.is_empty() {
            let next = Piece { line, ..Piece::default() };
            pieces.push(Piece { closed: true, ..std::mem::replace(&mut part, next) });
        } else {
            cut = part.gold.len();
            row_ends.push(cut);
        }
    }
    let tail = [part.gold.split_off(cut), part.predicted.split_off(cut)];
    metric.update(TagBatch::new(&part.gold, &part.predicted, &row_ends)?)?;
    let [gold, predicted] = tail;
    if !gold.is_empty() {
        pieces.push(Piece { line, gold, predicted, closed: false });
    }
    Ok(pieces)
}

/// Counts the pieces of all blocks, in their order.
pub(super) fn join(pieces: impl IntoIterator<Item = Piece>, metric: &mut SideBySide) -> Result<()> {
    let (mut gold, mut predicted) = (Vec::new(), Vec::new());
    let mut count = |gold: &[i32], predicted: &[i32]| {
        metric.update(TagBatch::new(gold, predicted, &[gold.len()])?)
    };
    for piece in pieces {
        gold.extend(piece.gold);
        predicted.extend(piece.predicted);
        if piece.closed {
            count(&gold, &predicted)?;
            gold.clear();
            predicted.clear();
        }
    }
    if !gold.is_empty() {
        count(&gold, &predicted)?;
    }
    Ok(())
}

impl Reading {
    /// The label that conlleval.pl takes a label for, where its reading is asked for: without a type,
    /// or of the type `0`, it is the letter alone.
    pub(super) fn same_as<'l>(&self, label: &'l str) -> &'l str {
        if !self.is_conlleval() {
            return label;
        }
        match self.parts(label) {
            (letter, "" | "0") => letter,
            _ => label,
        }
    }

    /// For each label, whether its chunk ends before an `O`.
    pub(super) fn closes(&self, labels: &[String]) -> Vec<bool> {
        let closes = |label: &String| match self.parts(label) {
            ("B" | "I" | "E" | "[" | "]", _) => true,
            ("O" | ".", _) | (_, "" | "0") => false,
            _ => true,
        };
        labels.iter().map(closes).collect()
    }

    /// The letter and the type, as conlleval.pl parts them.
    fn parts<'l>(&self, label: &'l str) -> (&'l str, &'l str) {
        let parts = match self.style {
            Style::Prefix => label.split_once('-'),
            Style::Suffix => label.rsplit_once('-').map(|(of, letter)| (letter, of)),
        };
        parts.unwrap_or((label, ""))
    }
}
