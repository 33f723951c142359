//! The correction for bias and skewness.

use statrs::distribution::{ContinuousCDF as _, Normal};

use crate::resampling::TOLERANCE;

/// Power sums of the scores with one unit left out, as differences from the score of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jackknife {
    count: f64,
    sum: f64,
    squares: f64,
    cubes: f64,
    /// Units without which the score is undefined.
    pub(super) undefined: u32,
}

impl Jackknife {
    /// Adds a score with one unit left out. An undefined one says nothing about skewness.
    pub(super) fn push(&mut self, value: Option<f64>, point: Option<f64>) {
        let Some(point) = point else { return };
        self.undefined += u32::from(value.is_none());
        if let Some(value) = value {
            let difference = point - value;
            self.count += 1.0;
            self.sum += difference;
            self.squares += difference * difference;
            self.cubes += difference * difference * difference;
        }
    }

    /// The acceleration Σ(θ̄ - θᵢ)³ / (6 (Σ(θ̄ - θᵢ)²)^1.5), 0 if the scores do not vary.
    fn acceleration(&self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        let mean = self.sum / self.count;
        // About the mean of the left-out scores.
        let squares = self.squares - self.sum * mean;
        let cubes = self.cubes - 3.0 * mean * self.squares + 2.0 * self.sum * mean * mean;
        let acceleration = cubes / (6.0 * squares.max(0.0).powf(1.5));
        if acceleration.is_finite() { acceleration } else { 0.0 }
    }

    /// Where to take the quantile that would be at `p` without bias and skewness:
    /// Φ(z₀ + (z₀ + z) / (1 - a (z₀ + z))), with z the normal quantile at `p`, z₀ that at the
    /// share of resampled scores below the point (half of those equal to it included), and a the
    /// acceleration.
    pub(super) fn adjust(&self, p: f64, sorted: &[f64], point: f64) -> f64 {
        // Equal scores of other counts may differ in their last bits, and ties are many.
        let tolerance = TOLERANCE * point.abs().max(1.0);
        let below = sorted.partition_point(|&value| value < point - tolerance);
        let not_above = sorted.partition_point(|&value| value <= point + tolerance);
        let count = sorted.len() as f64;
        let share = (below + not_above) as f64 / 2.0;
        // Kept half a resample away from none and all, whose normal quantiles are infinite.
        let share = share.clamp(0.5, (count - 0.5).max(0.5)) / count.max(1.0);
        let normal = Normal::standard();
        let (bias, z) = (normal.inverse_cdf(share), normal.inverse_cdf(p));
        if z.is_infinite() {
            return p; // a level so close to 1 that nothing is left of the tail
        }
        let moved = bias + z;
        let stretch = 1.0 - self.acceleration() * moved;
        match stretch > 0.0 {
            true => normal.cdf(bias + moved / stretch),
            // Beyond the pole of the correction: all the way out.
            false if moved > 0.0 => 1.0,
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jackknife(values: &[f64], point: f64) -> Jackknife {
        let mut jackknife = Jackknife::default();
        values.iter().for_each(|&value| jackknife.push(Some(value), Some(point)));
        jackknife
    }

    #[test]
    fn acceleration_by_hand() {
        let values = [0.1, 0.2, 0.25, 0.5];
        let mean = values.iter().sum::<f64>() / 4.0;
        let power = |n| values.iter().map(|v: &f64| (mean - v).powi(n)).sum::<f64>();
        let expected = power(3) / (6.0 * power(2).powf(1.5));
        for point in [0.0, 0.3, 1.0] {
            let found = jackknife(&values, point).acceleration();
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(jackknife(&[0.5; 4], 0.5).acceleration(), 0.0);
        assert_eq!(Jackknife::default().acceleration(), 0.0);
    }

    #[test]
    fn without_bias_and_skewness_nothing_moves() {
        let symmetric: Vec<f64> = (0..=100).map(f64::from).collect();
        let moved = jackknife(&[1.0, 2.0, 3.0], 2.0).adjust(0.025, &symmetric, 50.0);
        assert!((moved - 0.025).abs() < 1e-9);
        // All resamples are equal to the point.
        let moved = Jackknife::default().adjust(0.975, &[0.5; 10], 0.5);
        assert!((moved - 0.975).abs() < 1e-9);
        // A tail that is lost in rounding.
        for skewed in [[1.0, 2.0, 9.0], [-1.0, -2.0, -9.0]] {
            let skewed = jackknife(&skewed, 2.0);
            assert_eq!([0.0, 1.0].map(|p| skewed.adjust(p, &symmetric, 50.0)), [0.0, 1.0]);
        }
        // All lie above it: to the lowest of them.
        assert!(Jackknife::default().adjust(0.975, &[0.5; 10], 0.1) < 0.1);
    }
}
