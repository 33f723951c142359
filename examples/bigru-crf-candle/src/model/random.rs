//! Random numbers that depend on a seed and a stream number only.
//!
//! candle's own generator cannot be seeded on the CPU. Here every use names its stream, so a run
//! resumed at step `n` draws what the uninterrupted run would have drawn.

use candle_core::{Device, Result, Shape, Tensor};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The generator of one stream of a seed.
///
/// ```
/// use bigru_crf_candle::model::random::stream;
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

/// A tensor of uniform numbers in `[-bound, bound)`.
pub(super) fn uniform(rng: &mut ChaCha8Rng, shape: impl Into<Shape>, bound: f32) -> Result<Tensor> {
    let shape = shape.into();
    let values: Vec<f32> =
        (0..shape.elem_count()).map(|_| (unit(rng.next_u32()) * 2.0 - 1.0) * bound).collect();
    Tensor::from_vec(values, shape, &Device::Cpu)
}

/// The `u32` below which a draw happens with probability `rate`.
pub(super) fn threshold(rate: f32) -> u32 {
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
    fn uniform_stays_in_its_bound() {
        let values = uniform(&mut stream(1, 0), 1000, 0.25).unwrap();
        let values = values.to_vec1::<f32>().unwrap();
        assert!(values.iter().all(|v| (-0.25..0.25).contains(v)));
        assert!(values.iter().any(|v| *v > 0.2) && values.iter().any(|v| *v < -0.2));
    }
}
