//! [`Sentences`]: what was counted and what was left out, to hold two files against each other.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::interner::Interner;
use super::line::{Line, Wrong};
use super::rows::Rows;
use super::sink::{Both, Fields, Sink};
use crate::unusable::Fault;

/// The sentences of a file in their order.
#[derive(Debug, Default)]
pub(crate) struct Sentences {
    /// How many were counted.
    counted: usize,
    /// A hash of the tokens and gold tags of each of these; none of files that have gold tags in a
    /// file of their own.
    said: Vec<u64>,
    /// Of each that was left out, how many were counted before it.
    left_out: Vec<usize>,
}

/// One of them: its row, or nothing if it was left out.
type Sentence = Option<usize>;

impl Sentences {
    /// Those of some rows.
    pub(super) fn of(rows: &Rows) -> Self {
        let Rows { ends, said, left_out, .. } = rows;
        Self { counted: ends.len(), said: said.clone(), left_out: left_out.clone() }
    }

    /// Those that come next.
    pub(super) fn append(&mut self, next: Self) {
        self.left_out.extend(next.left_out.iter().map(|before| self.counted + before));
        self.said.extend(next.said);
        self.counted += next.counted;
    }

    /// How many were left out.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// The rows of each file that the other one has left out.
    ///
    /// # Errors
    /// A sentence, by its place from 0, is not the same in both.
    pub(crate) fn rows_of_one(&self, other: &Self) -> Result<[Vec<usize>; 2], usize> {
        let mut found = [Vec::new(), Vec::new()];
        let (mut first, mut second) = (self.iter(), other.iter());
        for place in 0.. {
            match (first.next(), second.next()) {
                (None, None) => break,
                (None, _) | (_, None) => return Err(place),
                (Some(Some(row)), Some(None)) => found[0].push(row),
                (Some(None), Some(Some(row))) => found[1].push(row),
                (Some(None), Some(None)) => {}
                (Some(Some(row)), Some(Some(same))) => {
                    if self.said.get(row) != other.said.get(same) {
                        return Err(place);
                    }
                }
            }
        }
        Ok(found)
    }

    fn iter(&self) -> impl Iterator<Item = Sentence> + '_ {
        let (mut row, mut left_out) = (0, self.left_out.iter().peekable());
        std::iter::from_fn(move || {
            if left_out.next_if(|before| **before == row).is_some() {
                return Some(None);
            }
            row += 1;
            (row <= self.counted).then(|| Some(row - 1))
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(said: &[u64], left_out: &[usize]) -> Sentences {
        Sentences { counted: said.len(), said: said.to_vec(), left_out: left_out.to_vec() }
    }

    #[test]
    fn rows_that_one_file_lacks_are_found() {
        // The first lacks b and e, the second b and c.
        let first = sentences(&[1, 3, 4], &[1, 3]);
        let second = sentences(&[1, 4, 5], &[1, 1]);
        assert_eq!(first.rows_of_one(&second), Ok([vec![1], vec![2]]));
        assert_eq!(second.rows_of_one(&first), Ok([vec![2], vec![1]]));
        assert_eq!(first.rows_of_one(&sentences(&[1, 3, 9], &[1, 3])), Err(3));
        assert_eq!(first.rows_of_one(&sentences(&[1, 3, 4], &[1])), Err(4));
        assert_eq!(sentences(&[], &[]).rows_of_one(&sentences(&[], &[0])), Err(0));
    }

    #[test]
    fn parts_are_put_together() {
        let mut all = sentences(&[1], &[1]);
        all.append(sentences(&[2, 3], &[0, 2]));
        assert_eq!((all.counted, &*all.said, &*all.left_out), (3, &[1, 2, 3][..], &[1, 1, 3][..]));
        assert_eq!(all.left_out(), 3);
    }
}
