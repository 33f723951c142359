//! The same values behind other strides and offsets.

use super::BackEnd;

/// How the values of a tensor lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    Contiguous,
    /// The first dimension fastest.
    Transposed,
    /// A part of a larger tensor in each dimension.
    Narrowed,
}

impl Layout {
    pub(crate) const ALL: [Self; 3] = [Self::Contiguous, Self::Transposed, Self::Narrowed];

    /// Floating-point numbers, around which there may be NaN.
    pub(crate) fn floats<B: BackEnd>(
        self,
        values: &[f64],
        shape: &[usize],
        element_type: &str,
    ) -> B::Tensor {
        let make = |values: &[f64], shape: &[usize]| B::floats(values, shape, element_type);
        self.tensor::<B, _>(values, shape, f64::NAN, make)
    }

    /// Integers, around which there may be others.
    pub(crate) fn integers<B: BackEnd>(
        self,
        values: &[i64],
        shape: &[usize],
        element_type: &str,
    ) -> B::Tensor {
        let make = |values: &[i64], shape: &[usize]| B::integers(values, shape, element_type);
        self.tensor::<B, _>(values, shape, 77, make)
    }

    fn tensor<B: BackEnd, T: Copy>(
        self,
        values: &[T],
        shape: &[usize],
        filler: T,
        make: impl Fn(&[T], &[usize]) -> B::Tensor,
    ) -> B::Tensor {
        let reversed: Vec<usize> = (0..shape.len()).rev().collect();
        match self {
            Self::Contiguous => make(values, shape),
            Self::Transposed => {
                let stored: Vec<usize> = reversed.iter().map(|&dim| shape[dim]).collect();
                let mut moved = vec![filler; values.len()];
                for (i, &value) in values.iter().enumerate() {
                    moved[transposed(i, shape)] = value;
                }
                B::permute(&make(&moved, &stored), &reversed)
            }
            Self::Narrowed => {
                let stored: Vec<usize> = shape.iter().map(|n| n + 3).collect();
                let mut wide = vec![filler; stored.iter().product()];
                for (i, &value) in values.iter().enumerate() {
                    wide[inside(i, shape)] = value;
                }
                let wide = make(&wide, &stored);
                let dims = shape.iter().enumerate();
                dims.fold(wide, |tensor, (dim, &n)| B::narrow(&tensor, dim, 1, n))
            }
        }
    }
}

/// Where the `i`-th value of `shape` lies when the first dimension is the fastest.
fn transposed(mut i: usize, shape: &[usize]) -> usize {
    let mut place = 0;
    let mut stride = shape.iter().product::<usize>();
    for &n in shape.iter().rev() {
        stride /= n;
        place += i % n * stride;
        i /= n;
    }
    place
}

/// Where it lies with one value before and two behind it in each dimension.
fn inside(mut i: usize, shape: &[usize]) -> usize {
    let (mut place, mut stride) = (0, 1);
    for &n in shape.iter().rev() {
        place += (i % n + 1) * stride;
        stride *= n + 3;
        i /= n;
    }
    place
}
