//! Integer ids of any width, in memory of any stride.

use std::ops::Range;

use super::assemble::Predict;
use crate::{ErrorKind, MISSING_PREDICTION, Result};

/// An integer type that can hold tag ids.
pub trait TagId: Copy + Send + Sync {
    /// The id as the kernel takes it. What does not fit is far outside any label list, and a
    /// negative id that was stored in a `u32` is itself again.
    fn tag_id(self) -> i32;

    /// The id as it stands in the data; that of a `u32` as a signed number, see
    /// [`tag_id`](TagId::tag_id).
    fn value(self) -> i64;

    /// Whether this is the ignore index. -100 is also found in a `u32` (as 4294967196).
    fn is(self, ignore_index: i64) -> bool;
}

macro_rules! tag_id {
    ($($int:ty),*) => {$(
        impl TagId for $int {
            #[inline(always)]
            fn tag_id(self) -> i32 {
                i32::try_from(self).unwrap_or(i32::MAX)
            }

            #[inline(always)]
            fn value(self) -> i64 {
                i64::from(self)
            }

            #[inline(always)]
            fn is(self, ignore_index: i64) -> bool {
                i64::from(self) == ignore_index
            }
        }
    )*};
}
tag_id!(u8, i16, i32, i64);

impl TagId for u32 {
    #[inline(always)]
    fn tag_id(self) -> i32 {
        // The one value that would be taken for a missing prediction is outside any list too.
        if self == MISSING_PREDICTION as u32 { i32::MAX } else { self as i32 }
    }

    #[inline(always)]
    fn value(self) -> i64 {
        i64::from(self as i32)
    }

    #[inline(always)]
    fn is(self, ignore_index: i64) -> bool {
        i64::from(self) == ignore_index || i64::from(self as i32) == ignore_index
    }
}

/// A view of `[rows, width]` values with any strides.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a, T> {
    data: &'a [T],
    shape: [usize; 2],
    strides: [usize; 2],
}

impl<'a, T: Copy> Grid<'a, T> {
    /// Rows one behind the other.
    ///
    /// # Errors
    /// `data` has another length than `rows * width`; the error calls it `what`.
    pub fn new(what: &'static str, data: &'a [T], shape: [usize; 2]) -> Result<Self> {
        let [rows, width] = shape;
        if rows.checked_mul(width) != Some(data.len()) {
            let expected = rows.saturating_mul(width);
            return Err(ErrorKind::Length { what, row: None, expected, found: data.len() }.into());
        }
        Ok(Self { data, shape, strides: [width, 1] })
    }

    /// Value `[r, c]` is `data[r * strides[0] + c * strides[1]]`.
    ///
    /// # Errors
    /// A value would lie outside `data`; the error calls it `what`.
    pub fn strided(
        what: &'static str,
        data: &'a [T],
        shape: [usize; 2],
        strides: [usize; 2],
    ) -> Result<Self> {
        let strides = check_strides(what, data.len(), shape, strides)?;
        Ok(Self { data, shape, strides })
    }

    /// `[rows, width]`.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// The value at a row and column inside the shape.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> T {
        self.data[row * self.strides[0] + column * self.strides[1]]
    }

    /// Some columns of a row, if the row lies in one piece.
    fn row(&self, row: usize, columns: Range<usize>) -> Option<&'a [T]> {
        let start = row * self.strides[0];
        let piece = start + columns.start..start + columns.end;
        (self.strides[1] == 1).then(|| self.data.get(piece)).flatten()
    }
}

/// The strides of a view whose last value lies inside its memory. Of a view without values they
/// are 0, so that nobody multiplies them.
pub(super) fn check_strides<const N: usize>(
    what: &'static str,
    length: usize,
    shape: [usize; N],
    strides: [usize; N],
) -> Result<[usize; N]> {
    if shape.contains(&0) {
        return Ok([0; N]);
    }
    let last = shape.iter().zip(&strides).try_fold(0usize, |sum, (&n, &stride)| {
        (n - 1).checked_mul(stride).and_then(|x| sum.checked_add(x))
    });
    match last {
        Some(last) if last < length => Ok(strides),
        last => {
            let expected = last.unwrap_or(usize::MAX).saturating_add(1);
            Err(ErrorKind::Length { what, row: None, expected, found: length }.into())
        }
    }
}

impl<T: TagId> Grid<'_, T> {
    /// That the ids of some columns fit 32 bits; those that do not are in no label list, and the
    /// kernel could not name them.
    pub(super) fn check_width(&self, row: usize, columns: Range<usize>) -> Result<()> {
        columns.into_iter().try_for_each(|c| check_width(row, c, self.get(row, c)))
    }

    /// Appends the ids of some columns of a row.
    pub(super) fn push_ids(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) {
        match self.row(row, columns.clone()) {
            Some(piece) => to.extend(piece.iter().map(|id| id.tag_id())),
            None => to.extend(columns.map(|c| self.get(row, c).tag_id())),
        }
    }
}

/// That a gold id fits 32 bits.
#[inline(always)]
pub(super) fn check_width<T: TagId>(row: usize, column: usize, id: T) -> Result<()> {
    match id.value() {
        value if i32::try_from(value).is_ok() => Ok(()),
        id => Err(ErrorKind::WideGold { row, column, id }.into()),
    }
}

impl<T: TagId> Predict for Grid<'_, T> {
    fn shape(&self) -> [usize; 2] {
        self.shape
    }

    fn classes(&self) -> Option<usize> {
        None
    }

    fn predict(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) -> Result<()> {
        self.push_ids(row, columns, to);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_index_in_every_width() {
        assert!((-100i64).is(-100) && (-100i32).is(-100) && (-100i16).is(-100));
        assert!(4_294_967_196u32.is(-100));
        assert!(7u32.is(7) && 7u8.is(7));
        assert!(!156u8.is(-100), "156 is a label like any other");
        assert_eq!(4_294_967_196u32.tag_id(), -100);
        assert_eq!((1i64 << 40).tag_id(), i32::MAX);
        assert_eq!((1u32 << 31).tag_id(), i32::MAX, "no token is missing here");
    }

    #[test]
    fn strides_are_checked() {
        let data = [1u8, 9, 5, 2, 3, 4];
        let transposed = Grid::strided("ids", &data, [2, 3], [1, 2]).unwrap();
        let mut ids = Vec::new();
        transposed.push_ids(1, 0..3, &mut ids);
        assert_eq!(ids, [9, 2, 4]);
        assert!(Grid::strided("ids", &data, [3, 3], [1, 2]).is_err());
        assert!(Grid::strided("ids", &data, [2, 3], [usize::MAX, 2]).is_err());
        let empty = Grid::<u8>::strided("ids", &[], [3, 0], [usize::MAX, 1]).unwrap();
        empty.push_ids(2, 0..0, &mut ids);
        assert_eq!(ids.len(), 3);
    }
}
