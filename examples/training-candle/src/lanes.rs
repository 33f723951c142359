//! Sums in a fixed order that the compiler vectorises.

use rayon::prelude::*;

/// Rows of a matrix that are one task for a thread. Partial sums over rows are made per task and
/// added in order, so they do not depend on the number of threads.
pub const TASK_ROWS: usize = 32;

const LANES: usize = 8;

/// The sum of what `f` makes of each pair.
#[inline(always)]
pub fn sum_of(left: &[f32], right: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (lefts, rights) = (left.chunks_exact(LANES), right.chunks_exact(LANES));
    let rest: f32 = lefts.remainder().iter().zip(rights.remainder()).map(|(&l, &r)| f(l, r)).sum();
    for (left, right) in lefts.zip(rights) {
        for ((lane, &l), &r) in lanes.iter_mut().zip(left).zip(right) {
            *lane += f(l, r);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// The sum of all values.
#[inline]
pub fn sum(values: &[f32]) -> f32 {
    sum_of(values, values, |value, _| value)
}

/// The largest value; not-a-number is passed over.
#[inline]
pub fn maximum(values: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = values.chunks_exact(LANES);
    let larger = |most: f32, value: f32| if value > most { value } else { most };
    let rest = chunks.remainder().iter().copied().fold(f32::NEG_INFINITY, larger);
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *value);
        }
    }
    lanes.into_iter().fold(rest, larger)
}

/// Adds `more` to `total`, number by number.
#[inline]
pub fn add(total: &mut [f32], more: &[f32]) {
    for (total, more) in total.iter_mut().zip(more) {
        *total += more;
    }
}

/// The sums of the columns of a matrix `[_, width]`.
pub fn column_sums(values: &[f32], width: usize) -> Vec<f32> {
    let parts: Vec<Vec<f32>> = values
        .par_chunks(TASK_ROWS * width)
        .map(|rows| {
            let mut sums = vec![0.0; width];
            rows.chunks_exact(width).for_each(|row| add(&mut sums, row));
            sums
        })
        .collect();
    total(&parts, width)
}

/// The sum of vectors of `width` numbers, in order.
pub fn total(parts: &[Vec<f32>], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    parts.iter().for_each(|part| add(&mut sums, part));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_maxima_of_any_length() {
        for length in [0, 1, 7, 8, 9, 40] {
            let values: Vec<f32> = (0..length).map(|i| (i % 5) as f32 - 2.0).collect();
            assert_eq!(sum(&values), values.iter().sum::<f32>(), "{length}");
            let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(maximum(&values), most, "{length}");
        }
        let ones = vec![1.0; 3 * 100];
        assert_eq!(column_sums(&ones, 3), [100.0; 3]);
    }
}
