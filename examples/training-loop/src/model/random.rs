//! Random numbers that depend on a seed and a stream number only.
//!
//! The generators of tensor libraries cannot be set back to a step. Here every use names its
//! stream, so a run resumed at step `n` draws what the uninterrupted run would have drawn; and
//! networks of different libraries draw the same numbers.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random streams kept apart per training step: ids, embeddings and each layer
/// (at most [`MAX_LAYERS`](crate::bigru::MAX_LAYERS)).
const STREAMS_PER_STEP: u64 = 16;

/// Whether the network is being trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Dropout is on; what is dropped depends on seed and step only.
    Train {
        /// The run's seed.
        seed: u64,
        /// The number of the training step.
        step: u64,
    },
    /// Nothing is random.
    Eval,
}

/// The generator of one stream of a seed.
///
/// ```
/// use training_loop::model::random::stream;
/// use rand_chacha::rand_core::Rng;
///
/// assert_eq!(stream(7, 1).next_u32(), stream(7, 1).next_u32());
/// assert_ne!(stream(7, 1).next_u32(), stream(7, 2).next_u32());
/// ```
pub fn stream(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// The first numbers of the variable that is created as number `index`: uniform in
/// `[-bound, bound)`.
pub fn initial(seed: u64, index: u64, count: usize, bound: f32) -> Vec<f32> {
    let mut rng = stream(seed, index);
    (0..count).map(|_| (unit(rng.next_u32()) * 2.0 - 1.0) * bound).collect()
}

/// Puts `unknown` in place of ids with probability `rate`, in training.
pub fn drop_ids(ids: &mut [u32], rate: f32, unknown: u32, mode: Mode) {
    if let Mode::Train { seed, step } = mode {
        let below = threshold(rate);
        let mut rng = stream(seed, stream_of(step, 0));
        for id in ids {
            *id = if rng.next_u32() < below { unknown } else { *id };
        }
    }
}

/// For each of `count` numbers what dropout multiplies it with: 0 with probability `rate` (to 1 in
/// 65536), otherwise `1 / (1 - rate)`, so that the mean stays. `None` if nothing is dropped.
///
/// Site 1 is behind the embeddings, 2 and above are behind the layers.
pub fn dropout(count: usize, rate: f32, mode: Mode, site: u64) -> Option<Vec<f32>> {
    let Mode::Train { seed, step } = mode else { return None };
    let below = (rate * 65536.0).round() as u16;
    if below == 0 {
        return None;
    }
    let mut random = vec![0u8; 2 * count];
    stream(seed, stream_of(step, site)).fill_bytes(&mut random);
    let scale = 1.0 / (1.0 - f32::from(below) / 65536.0);
    let pairs = random.chunks_exact(2);
    // A product, not a branch: the outcome is random, no predictor helps.
    let factor = |pair: &[u8]| {
        let keep = u16::from_le_bytes([pair[0], pair[1]]) >= below;
        f32::from(u8::from(keep)) * scale
    };
    Some(pairs.map(factor).collect())
}

/// The stream of one use of random numbers in one step; those of the initial values come before.
fn stream_of(step: u64, site: u64) -> u64 {
    step.wrapping_mul(STREAMS_PER_STEP).wrapping_add((1 << 32) + site)
}

/// The `u32` below which a draw happens with probability `rate`.
fn threshold(rate: f32) -> u32 {
    (f64::from(rate) * f64::from(u32::MAX)) as u32
}

/// The upper 24 bits as a number in `[0, 1)`.
fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_numbers_stay_in_their_bound() {
        let values = initial(1, 0, 1000, 0.25);
        assert!(values.iter().all(|v| (-0.25..0.25).contains(v)));
        assert!(values.iter().any(|v| *v > 0.2) && values.iter().any(|v| *v < -0.2));
    }

    #[test]
    fn dropout_keeps_its_rate_and_the_mean() {
        let mode = Mode::Train { seed: 1, step: 2 };
        let factors = dropout(10_000, 0.25, mode, 1).unwrap();
        let zeros = factors.iter().filter(|factor| **factor == 0.0).count();
        assert!((2300..2700).contains(&zeros), "{zeros}");
        assert!(factors.iter().all(|factor| *factor == 0.0 || *factor == 1.0 / 0.75));
        assert_ne!(dropout(10_000, 0.25, mode, 2).unwrap(), factors);
        assert_eq!(dropout(5, 0.0, mode, 1), None);
        assert_eq!(dropout(5, 0.5, Mode::Eval, 1), None);
    }
}
