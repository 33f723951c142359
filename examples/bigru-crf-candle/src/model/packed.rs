//! Rows of different length, laid out so that each time step is one contiguous block.

use candle_core::{Result, bail};

/// Which end of its row a direction starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the first token to the last.
    Forward,
    /// From the row's own last token to the first.
    Backward,
}

/// The order in which the tokens of a padded batch `[B, T]` are visited.
///
/// Rows are sorted by falling length (equal lengths keep their order), so the rows still running
/// at a step are a prefix. Packed position `offsets[s] + i` is step `s` of the `i`-th longest row.
#[derive(Debug)]
pub(super) struct Packed {
    order: Vec<usize>,
    lengths: Vec<usize>,
    width: usize,
    offsets: Vec<usize>,
}

impl Packed {
    /// Packs `lengths` of a batch that is `width` tokens wide.
    pub(super) fn new(lengths: &[usize], width: usize) -> Result<Self> {
        for (row, &length) in lengths.iter().enumerate() {
            if length > width {
                bail!("row {row}: length {length} exceeds the batch's width {width}");
            }
        }
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by_key(|&row| std::cmp::Reverse(lengths[row]));
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut offsets = Vec::with_capacity(longest + 1);
        offsets.push(0);
        let mut running = order.len();
        let mut end = 0;
        for step in 0..longest {
            while lengths[order[running - 1]] <= step {
                running -= 1;
            }
            end += running;
            offsets.push(end);
        }
        Ok(Self { order, lengths: lengths.to_vec(), width, offsets })
    }

    /// Number of tokens without padding.
    pub(super) fn tokens(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Number of rows, padding rows included.
    pub(super) fn rows(&self) -> usize {
        self.order.len()
    }

    /// Tokens of a row with padding.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The packed ranges of all time steps, first step first.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = std::ops::Range<usize>> + '_ {
        self.offsets.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// For each packed position, the token `row * width + column` that it visits.
    pub(super) fn places(&self, direction: Direction) -> Vec<usize> {
        let mut places = Vec::with_capacity(self.tokens());
        for (step, range) in self.steps().enumerate() {
            places.extend(self.order[..range.len()].iter().map(|&row| {
                let column = match direction {
                    Direction::Forward => step,
                    Direction::Backward => self.lengths[row] - 1 - step,
                };
                row * self.width + column
            }));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_each_token_once_in_order() {
        let packed = Packed::new(&[2, 0, 3], 4).unwrap();
        assert_eq!(packed.tokens(), 5);
        assert_eq!(packed.steps().collect::<Vec<_>>(), [0..2, 2..4, 4..5]);
        assert_eq!(packed.places(Direction::Forward), [8, 0, 9, 1, 10]);
        assert_eq!(packed.places(Direction::Backward), [10, 1, 9, 0, 8]);
    }

    #[test]
    fn empty_batches_have_no_steps() {
        for lengths in [&[][..], &[0, 0]] {
            let packed = Packed::new(lengths, 3).unwrap();
            assert_eq!((packed.tokens(), packed.steps().count()), (0, 0));
        }
    }

    #[test]
    fn a_length_beyond_the_width_names_its_row() {
        let error = Packed::new(&[1, 5], 4).unwrap_err().to_string();
        assert!(error.contains("row 1") && error.contains('5'), "{error}");
    }
}
