//! Sums of doubles in numpy's order, so that averages equal numpy's to the last bit.

/// The most values that numpy sums in one loop; more are halved first.
const BLOCK: usize = 128;
/// Running sums in that loop.
const LANES: usize = 8;

/// The sum of some values as `numpy.sum` adds them up (pairwise summation, numpy 1.9 and later).
///
/// Fewer than eight values are added from left to right; up to 128 go into eight running sums,
/// which are joined in pairs; more are halved at a multiple of eight.
pub(crate) fn sum(values: &[f64]) -> f64 {
    if values.len() > BLOCK {
        let half = values.len() / 2;
        let (left, right) = values.split_at(half - half % LANES);
        return sum(left) + sum(right);
    }
    let (lanes, rest) = values.as_chunks::<LANES>();
    let joined = lanes.split_first().map_or(0.0, |(first, more)| {
        let mut r = *first;
        for lane in more {
            for (r, value) in r.iter_mut().zip(lane) {
                *r += value;
            }
        }
        ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
    });
    rest.iter().fold(joined, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers whose sum shows the order: 1/3, 1/4, … rounded.
    fn thirds(n: usize) -> Vec<f64> {
        (3..n + 3).map(|i| 1.0 / i as f64).collect()
    }

    #[test]
    fn sums_equal_numpys() {
        // numpy 2.4.6: np.sum([1 / i for i in range(3, n + 3)])
        for (n, expected) in NUMPY {
            assert_eq!(sum(&thirds(n)), expected, "{n} values");
        }
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn the_order_shows() {
        let plain = |n| thirds(n).iter().sum::<f64>();
        assert!(NUMPY.iter().any(|&(n, expected)| n >= 8 && plain(n) != expected));
    }

    const NUMPY: [(usize, f64); 9] = [
        (1, 0.3333333333333333),
        (7, 1.328968253968254),
        (8, 1.4289682539682538),
        (13, 1.8182289932289928),
        (100, 3.707082429307257),
        (128, 3.948591338265976),
        (129, 3.956224926052236),
        (260, 4.647467351617994),
        (1000, 5.987467865541362),
    ];
}
