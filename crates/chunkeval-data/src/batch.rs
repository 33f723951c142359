//! Which sentences go into one batch.

use chunkeval_core::{Error, ErrorKind, Result};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Groups sentences of like length into batches. A batch is a list of indices of sentences.
///
/// Every sentence is in exactly one batch. Nothing is ever cut: a sentence longer than the limit
/// is an error, so whoever sets a limit decides what to do with longer ones.
///
/// ```
/// use chunkeval_data::Batching;
///
/// let batching = Batching::new(2)?;
/// assert_eq!(batching.by_length(&[3, 9, 4, 8, 1])?, [vec![4, 0], vec![2, 3], vec![1]]);
/// let first = batching.shuffled(&[3, 9, 4, 8, 1], 0)?;
/// assert_eq!(first, batching.shuffled(&[3, 9, 4, 8, 1], 0)?);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    rows: usize,
    pool: usize,
    longest: Option<usize>,
    seed: u64,
}

impl Batching {
    /// Batches of `rows` sentences (the last of a pool may have fewer), seed 0, pools of 64
    /// batches, no limit on the length.
    ///
    /// # Errors
    /// [`ErrorKind::Config`] if `rows` is 0.
    pub fn new(rows: usize) -> Result<Self> {
        if rows == 0 {
            return Err(Error::config("rows", "a batch needs at least one sentence"));
        }
        Ok(Self { rows, pool: 64, longest: None, seed: 0 })
    }

    /// The seed of [`shuffled`](Self::shuffled).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The number of batches that [`shuffled`](Self::shuffled) sorts by length at a time. More
    /// means less padding, fewer more chance in what meets in a batch; with 1 (and 0) the batches
    /// are as random as can be. When all sentences fit into one pool, chance decides only which of
    /// equally long ones meet.
    #[must_use]
    pub fn pool(mut self, batches: usize) -> Self {
        self.pool = batches.max(1);
        self
    }

    /// The longest sentence that may come, in tokens.
    #[must_use]
    pub fn longest(mut self, tokens: usize) -> Self {
        self.longest = Some(tokens);
        self
    }

    /// Batches for training: the sentences are shuffled, cut into pools, each pool is sorted by
    /// length and cut into batches, and the batches are shuffled. Depends only on lengths, seed
    /// and `epoch`.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] with the index of a sentence that has no tokens or more than the
    /// limit.
    pub fn shuffled(&self, lengths: &[usize], epoch: u64) -> Result<Vec<Vec<usize>>> {
        self.check(lengths)?;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(epoch);
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.shuffle(&mut random);
        let pools = order.chunks_mut(self.rows.saturating_mul(self.pool));
        let mut batches: Vec<_> = pools.flat_map(|pool| self.cut(pool, lengths)).collect();
        batches.shuffle(&mut random);
        Ok(batches)
    }

    /// Batches for evaluation: all sentences sorted by length, those of one length in their order.
    ///
    /// # Errors
    /// As [`shuffled`](Self::shuffled).
    pub fn by_length(&self, lengths: &[usize]) -> Result<Vec<Vec<usize>>> {
        self.check(lengths)?;
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        Ok(self.cut(&mut order, lengths))
    }

    fn cut(&self, order: &mut [usize], lengths: &[usize]) -> Vec<Vec<usize>> {
        order.sort_by_key(|&i| lengths.get(i).copied());
        order.chunks(self.rows).map(<[usize]>::to_vec).collect()
    }

    fn check(&self, lengths: &[usize]) -> Result<()> {
        let limit = self.longest.unwrap_or(usize::MAX);
        for (row, &found) in lengths.iter().enumerate() {
            if found == 0 || found > limit {
                let (what, expected) =
                    if found == 0 { ("tokens", 1) } else { ("tokens within the limit", limit) };
                return Err(ErrorKind::Length { what, row: Some(row), expected, found }.into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_beyond_the_limit_is_never_cut() {
        let batching = Batching::new(4).unwrap().longest(5);
        let message = |lengths: &[usize]| batching.shuffled(lengths, 0).unwrap_err().to_string();
        assert_eq!(message(&[1, 6]), "row 1: tokens within the limit: expected 5, found 6");
        assert_eq!(message(&[0]), "row 0: tokens: expected 1, found 0");
        assert_eq!(batching.by_length(&[5, 1]).unwrap(), [vec![1, 0]]);
        assert!(batching.by_length(&[]).unwrap().is_empty());
        assert!(Batching::new(0).is_err());
    }

    #[test]
    fn the_order_is_that_of_seed_and_epoch() {
        let lengths: Vec<_> = (1..=100).map(|i| i % 17 + 1).collect();
        let at = |seed, epoch| {
            Batching::new(8).unwrap().seed(seed).pool(2).shuffled(&lengths, epoch).unwrap()
        };
        assert_eq!(at(1, 1), at(1, 1));
        assert_ne!(at(1, 1), at(1, 2));
        assert_ne!(at(1, 1), at(2, 1));
    }

    #[test]
    fn runs_can_be_repeated_after_an_upgrade() {
        // A change of these numbers means that old runs cannot be continued as they were.
        let batches = Batching::new(2).unwrap().seed(7).pool(2).shuffled(&[5, 1, 4, 2, 3], 3);
        assert_eq!(batches.unwrap(), [vec![1, 3], vec![4], vec![2, 0]]);
    }
}
