//! Tensors of a GPU: ids are found there, then little is copied.

use candle_core::{D, DType, Device, IndexOp, Tensor};
use chunkeval_core::adapter::{Grid, Predict};
use chunkeval_core::{Error, ErrorKind, Result, argmax};
use std::ops::Range;

/// A copy in the memory of the CPU, of just the elements the tensor shows: a narrow view of a
/// large tensor is gathered on the device first.
pub(crate) fn fetch(what: &'static str, tensor: &Tensor) -> Result<Tensor> {
    let copy = || tensor.detach().force_contiguous()?.to_device(&Device::Cpu);
    match tensor.elem_count() {
        0 => Tensor::zeros(tensor.shape(), tensor.dtype(), &Device::Cpu),
        _ => copy(),
    }
    .map_err(|e| Error::backend(what, e))
}

/// The classes of the highest logits, found on the device.
#[derive(Debug)]
pub(crate) struct DeviceArgmax<'t> {
    logits: &'t Tensor,
    /// `[batch, tokens]`: the class; whole numbers.
    classes: Vec<f32>,
    /// `[batch, tokens]`: the sum of the logits. It is NaN where one of them is, and where
    /// infinities cancel out.
    sums: Vec<f32>,
    shape: [usize; 3],
}

/// Up to here every whole number is an `f32`.
const MOST_CLASSES: usize = 1 << 24;

impl<'t> DeviceArgmax<'t> {
    pub(crate) fn new(logits: &'t Tensor) -> Result<Self> {
        let shape = logits.dims3().map_err(|e| Error::backend("logits", e))?.into();
        let [rows, width, classes] = shape;
        if classes == 0 && rows * width > 0 {
            return Err(Error::config("logits", "the last dimension, the classes, is 0"));
        }
        if classes > MOST_CLASSES {
            let what = "classes of logits outside the CPU's memory, at most";
            let (expected, found) = (MOST_CLASSES, classes);
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let mut found = match rows * width {
            0 => Vec::new(),
            _ => classes_and_sums(&logits.detach())
                .map_err(|e| Error::backend("arg-max on the device", e))?,
        };
        let sums = found.split_off(rows * width);
        Ok(Self { logits, classes: found, sums, shape })
    }

    /// The class at a position whose sum is NaN, from the logits themselves.
    fn look_closer(&self, row: usize, column: usize) -> Result<usize> {
        let backend = |e| Error::backend("logits", e);
        let logits = fetch("logits", &self.logits.i((row, column)).map_err(backend)?)?;
        let logits =
            logits.to_dtype(DType::F64).and_then(|l| l.to_vec1::<f64>()).map_err(backend)?;
        argmax(&logits).ok_or_else(|| ErrorKind::NanLogit { row, column }.into())
    }
}

/// All classes, then all sums, in one copy from the device.
///
/// candle's own arg-max is of no use here: its GPU kernels reduce as a tree and give any of
/// several equal maxima. So each maximum is marked with a number that falls with the class, and
/// the highest mark tells the lowest class. NaN is looked for in sums, not by `x != x`, since
/// shaders compiled with fast mathematics may take the latter for false.
fn classes_and_sums(logits: &Tensor) -> candle_core::Result<Vec<f32>> {
    let classes = logits.dim(D::Minus1)?;
    let device = logits.device();
    let highest = logits.max_keepdim(D::Minus1)?;
    let is_highest = logits.broadcast_eq(&highest)?;
    let marks = Tensor::arange(0f32, classes as f32, device)?.affine(-1., classes as f64)?;
    let marks = marks.broadcast_as(logits.shape())?;
    let no_mark = Tensor::zeros(1, DType::F32, device)?.broadcast_as(logits.shape())?;
    let mark = is_highest.where_cond(&marks, &no_mark)?.max(D::Minus1)?;
    let class = mark.affine(-1., classes as f64)?;
    let sum = logits.sum(D::Minus1)?.to_dtype(DType::F32)?;
    Tensor::stack(&[class, sum], 0)?.flatten_all()?.to_vec1()
}

impl Predict for DeviceArgmax<'_> {
    fn shape(&self) -> [usize; 2] {
        [self.shape[0], self.shape[1]]
    }

    fn classes(&self) -> Option<usize> {
        Some(self.shape[2])
    }

    fn predict(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) -> Result<()> {
        let classes = Grid::new("classes", &self.classes, self.shape())?;
        let sums = Grid::new("sums", &self.sums, self.shape())?;
        for column in columns {
            to.push(match sums.get(row, column).is_nan() {
                true => self.look_closer(row, column)? as i32,
                false => classes.get(row, column) as i32,
            });
        }
        Ok(())
    }
}
