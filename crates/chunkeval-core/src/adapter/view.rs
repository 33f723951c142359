//! The memory behind a tensor.

use super::{Grid, Keep, Logit, Logits, Predict};
use crate::{ErrorKind, Result};

/// Elements of a tensor, from its first one on.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Elements<'a> {
    /// Also those of type bool, 0 for false.
    U8(&'a [u8]),
    U32(&'a [u32]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    F16(&'a [half::f16]),
    BF16(&'a [half::bf16]),
    F32(&'a [f32]),
    F64(&'a [f64]),
}

/// A tensor in the memory of the CPU: element `[i, j, …]` is the one at
/// `i * strides[0] + j * strides[1] + …`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The elements, and whatever lies between them.
    pub elements: Elements<'a>,
    /// The dimensions.
    pub dims: &'a [usize],
    /// How many elements further the next one of each dimension is.
    pub strides: &'a [usize],
}

/// Runs `$then` with a slice of integers.
macro_rules! with_integers {
    ($what:expr, $view:expr, $data:ident => $then:expr) => {
        match $view.elements {
            Elements::U8($data) => $then,
            Elements::U32($data) => $then,
            Elements::I16($data) => $then,
            Elements::I32($data) => $then,
            Elements::I64($data) => $then,
            _ => $view.other_elements($what, "integers"),
        }
    };
}
pub(super) use with_integers;

impl<'a> View<'a> {
    /// Shows predicted ids `[rows, width]`.
    pub(super) fn ids<R>(
        &self,
        what: &'static str,
        then: impl FnOnce(&dyn Predict) -> Result<R>,
    ) -> Result<R> {
        with_integers!(what, self, data => then(&self.grid(what, data)?))
    }

    /// Shows logits `[rows, width, classes]`.
    pub(super) fn logits<R>(
        &self,
        what: &'static str,
        then: impl FnOnce(&dyn Predict) -> Result<R>,
    ) -> Result<R> {
        match self.elements {
            Elements::F16(data) => then(&self.scores(what, data)?),
            Elements::BF16(data) => then(&self.scores(what, data)?),
            Elements::F32(data) => then(&self.scores(what, data)?),
            Elements::F64(data) => then(&self.scores(what, data)?),
            _ => self.other_elements(what, "floating-point numbers"),
        }
    }

    /// Shows a mask `[rows, width]`.
    pub(super) fn mask<R>(
        &self,
        what: &'static str,
        then: impl FnOnce(Keep<'_>) -> Result<R>,
    ) -> Result<R> {
        with_integers!(what, self, data => {
            let mask = self.grid(what, data)?;
            then(Keep::Mask(&|row, column| mask.get(row, column) != 0))
        })
    }

    /// Reads row lengths `[rows]`.
    pub(super) fn lengths(&self, what: &'static str, to: &mut Vec<usize>) -> Result<()> {
        let ([rows], [stride]) = (self.dims(what)?, self.strides(what)?);
        to.clear();
        with_integers!(what, self, data => {
            let lengths = Grid::strided(what, data, [rows, 1], [stride, 1])?;
            for row in 0..rows {
                to.push(length(row, lengths.get(row, 0))?);
            }
            Ok(())
        })
    }

    /// The elements as `[rows, width]`.
    pub(super) fn grid<T: Copy>(&self, what: &'static str, data: &'a [T]) -> Result<Grid<'a, T>> {
        Grid::strided(what, data, self.dims(what)?, self.strides(what)?)
    }

    fn scores<L: Logit>(&self, what: &'static str, data: &'a [L]) -> Result<Logits<'a, L>> {
        Logits::strided(data, self.dims(what)?, self.strides(what)?)
    }

    fn dims<const N: usize>(&self, what: &'static str) -> Result<[usize; N]> {
        exactly(what, self.dims)
    }

    fn strides<const N: usize>(&self, what: &'static str) -> Result<[usize; N]> {
        exactly(what, self.strides)
    }

    /// A library that shows other elements than it said.
    pub(super) fn other_elements<R>(
        &self,
        what: &'static str,
        expected: &'static str,
    ) -> Result<R> {
        let found = match self.elements {
            Elements::U8(_) => "u8",
            Elements::U32(_) => "u32",
            Elements::I16(_) => "i16",
            Elements::I32(_) => "i32",
            Elements::I64(_) => "i64",
            Elements::F16(_) => "f16",
            Elements::BF16(_) => "bf16",
            Elements::F32(_) => "f32",
            Elements::F64(_) => "f64",
        };
        Err(ErrorKind::Dtype { what, found: found.to_owned(), expected }.into())
    }
}

fn exactly<const N: usize>(what: &'static str, of: &[usize]) -> Result<[usize; N]> {
    of.try_into().map_err(|_| {
        let (expected, found) = (N, of.len());
        ErrorKind::Length { what, row: None, expected, found }.into()
    })
}

fn length(row: usize, length: impl Into<i64>) -> Result<usize> {
    let length = length.into();
    usize::try_from(length).map_err(|_| {
        let found = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
        let what = "how far the row length lies below 0";
        ErrorKind::Length { what, row: Some(row), expected: 0, found }.into()
    })
}
