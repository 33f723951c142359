//! Quantiles of sorted values.

/// The quantile at `p` of sorted values, interpolated linearly between the two nearest (type 7 of
/// Hyndman and Fan 1996, numpy's default); `None` if there are no values.
pub(super) fn of(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = p.clamp(0.0, 1.0) * last as f64;
    let below = (at.floor() as usize).min(last);
    let (low, high) = (sorted.get(below)?, sorted.get((below + 1).min(last))?);
    Some(low + (high - low) * (at - below as f64))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn as_numpy() {
        // numpy.quantile([1, 2, 4, 8], [0, 0.1, 0.5, 0.9, 1])
        let values = [1.0, 2.0, 4.0, 8.0];
        for (p, expected) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
            assert!((of(&values, p).unwrap() - expected).abs() < 1e-12);
        }
        assert_eq!(of(&[5.0], 0.3), Some(5.0));
        assert_eq!(of(&[], 0.3), None);
    }
}
