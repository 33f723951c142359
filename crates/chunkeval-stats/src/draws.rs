//! Random draws that depend on the seed and the number of the resample alone.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// The random numbers of one resample: a stream of their own, on whatever thread they are drawn.
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    /// ChaCha with 8 rounds; the key is the seed in its first 8 bytes (little endian) and 0 in the
    /// others, the stream is the number of the resample.
    pub(crate) fn new(seed: u64, resample: u32) -> Self {
        let mut key = [0; 32];
        if let Some(start) = key.first_chunk_mut() {
            *start = seed.to_le_bytes();
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(u64::from(resample));
        Self(generator)
    }

    /// Draws as many units as there are, with replacement: how often each was drawn.
    ///
    /// Each draw takes 32 bits by Lemire's method ("Fast random integer generation in an
    /// interval", 2019): the high half of their product with the number of units, drawn again
    /// where the low half says that it would come too often.
    pub(crate) fn resample(&mut self, times: &mut [u32]) {
        times.fill(0);
        let Ok(units) = u32::try_from(times.len()) else { return };
        if units == 0 {
            return;
        }
        let biased = units.wrapping_neg() % units;
        let mut drawn = 0;
        while drawn < units {
            let product = u64::from(self.0.next_u32()) * u64::from(units);
            if product as u32 >= biased {
                times[(product >> 32) as usize] += 1; // below `units`
                drawn += 1;
            }
        }
    }

    /// Flips a coin for each unit: 1 where the systems are swapped. A coin is a bit, lowest first.
    pub(crate) fn flip(&mut self, swapped: &mut [u32]) {
        for units in swapped.chunks_mut(32) {
            let bits = self.0.next_u32();
            for (bit, swapped) in units.iter_mut().enumerate() {
                *swapped = bits >> bit & 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The draws are a promise: a published interval must come out again. The numbers come from
    /// ChaCha8 written anew in Python.
    #[test]
    fn draws_are_what_they_were() {
        let mut times = [0; 8];
        Draws::new(0, 0).resample(&mut times);
        assert_eq!(times, [1, 2, 0, 0, 1, 1, 2, 1]);
        Draws::new(7, 3).resample(&mut times);
        assert_eq!(times, [2, 0, 0, 0, 1, 4, 1, 0]);
        Draws::new(7, 3).resample(&mut times[..6]);
        assert_eq!(times[..6], [0, 0, 0, 2, 4, 0]);
        Draws::new(7, 3).flip(&mut times);
        assert_eq!(times, [0, 1, 1, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn every_unit_is_drawn_equally_often() {
        let mut times = vec![0; 1000];
        let mut all = vec![0u32; 1000];
        for resample in 0..1000 {
            Draws::new(1, resample).resample(&mut times);
            assert_eq!(times.iter().sum::<u32>(), 1000);
            all.iter_mut().zip(&times).for_each(|(sum, n)| *sum += n);
        }
        // Binomial(10⁶, 1/1000): deviation 31.6; none of 1000 is beyond 5 of them.
        assert!(all.iter().all(|&n| n.abs_diff(1000) < 158), "{all:?}");
    }

    #[test]
    fn coins_are_fair() {
        let mut swapped = vec![0; 100];
        let mut all = vec![0u32; 100];
        for resample in 0..1000 {
            Draws::new(1, resample).flip(&mut swapped);
            all.iter_mut().zip(&swapped).for_each(|(sum, n)| *sum += n);
        }
        // Binomial(1000, 1/2): deviation 15.8.
        assert!(all.iter().all(|&n| n.abs_diff(500) < 79), "{all:?}");
    }
}
