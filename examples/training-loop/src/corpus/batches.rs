//! Which rows come at which step.

use chunkeval::data::Batching;

use crate::error::Result;

/// A split, as a network reads it and with gold labels.
#[derive(Clone, Debug)]
pub struct Rows<I> {
    /// The sentences as the network reads them.
    pub inputs: I,
    /// Label ids, one for each token of each sentence.
    pub labels: Vec<Vec<u32>>,
}

/// Some of the rows of a split.
#[derive(Debug)]
pub struct Batch<'a, I> {
    /// The split.
    pub data: &'a Rows<I>,
    /// The indices of the sentences; in training, those of the rows that
    /// [`Inputs::rows`](crate::network::Inputs::rows) counts.
    pub rows: &'a [usize],
}

impl<'a, I> Batch<'a, I> {
    /// Label ids of each sentence.
    pub fn labels(&self) -> Vec<&'a [u32]> {
        self.rows.iter().map(|&row| &self.data.labels[row][..]).collect()
    }

    /// The number of tokens of each sentence.
    pub fn lengths(&self) -> Vec<usize> {
        self.rows.iter().map(|&row| self.data.labels[row].len()).collect()
    }
}

/// The training batches, in an order that depends on seed and step only: nothing has to be
/// stored to go on from any step.
#[derive(Clone, Debug)]
pub struct Batches {
    batching: Batching,
    lengths: Vec<usize>,
    per_epoch: u64,
    /// The epoch whose batches these are.
    epoch: Option<u64>,
    batches: Vec<Vec<usize>>,
}

impl Batches {
    /// Batches of at most `rows` of the rows with these lengths.
    ///
    /// # Errors
    /// `rows` is 0.
    pub fn new(lengths: &[usize], rows: usize, seed: u64) -> Result<Self> {
        Ok(Self {
            batching: Batching::new(rows)?.seed(seed),
            lengths: lengths.to_vec(),
            // Pools are whole numbers of batches, so only the last batch can be smaller.
            per_epoch: lengths.len().div_ceil(rows) as u64,
            epoch: None,
            batches: Vec::new(),
        })
    }

    /// The number of batches in one round over all rows.
    pub fn per_epoch(&self) -> u64 {
        self.per_epoch
    }

    /// The rows of the batch of a step, counted from 0.
    ///
    /// # Errors
    /// A row has no tokens.
    pub fn at(&mut self, step: u64) -> Result<&[usize]> {
        let epoch = step / self.per_epoch;
        if self.epoch != Some(epoch) {
            self.batches = self.batching.shuffled(&self.lengths, epoch)?;
            self.epoch = Some(epoch);
        }
        Ok(&self.batches[(step % self.per_epoch) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_once_an_epoch_from_any_step() {
        let lengths: Vec<usize> = (0..333).map(|i| 1 + i % 7).collect();
        let mut batches = Batches::new(&lengths, 2, 5).unwrap();
        assert_eq!(batches.per_epoch(), 167);
        for epoch in 0..2 {
            let steps = epoch * 167..(epoch + 1) * 167;
            let mut seen: Vec<usize> =
                steps.flat_map(|step| batches.at(step).unwrap().to_vec()).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..333));
        }
        let expected = batches.at(200).unwrap().to_vec();
        let mut resumed = Batches::new(&lengths, 2, 5).unwrap();
        assert_eq!(resumed.at(200).unwrap(), expected);
    }
}
