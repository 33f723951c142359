//! Tensors of a GPU: ids are found there, then little is copied.

use std::ops::Range;

use candle_core::{D, DType, Device, IndexOp, Tensor};
use chunkeval_core::adapter::{Grid, Predict};
use chunkeval_core::{Error, ErrorKind, Result, argmax};

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

/// These run on tensors of the CPU what would run on a GPU.
#[cfg(test)]
mod tests {
    use candle_core::{DType, Device, Tensor};
    use chunkeval_core::{Batch, ErrorKind, Place, Source, TagBuffer};

    use crate::CandleTags;

    const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

    type Rows = Vec<(Vec<i32>, Vec<i32>)>;

    /// Rows of gold and predicted ids, or the error, as on the CPU and as on a device.
    fn both(tags: CandleTags<'_>) -> [Result<Rows, String>; 2] {
        let mut buffer = TagBuffer::default();
        let rows = |batch: chunkeval_core::Result<chunkeval_core::TagBatch<'_>>| {
            let rows = batch.map_err(|e| e.to_string())?.iter_rows();
            Ok(rows.map(|(gold, predicted)| (gold.to_vec(), predicted.to_vec())).collect())
        };
        [rows(tags.load(&mut buffer)), rows(tags.load_where(&|_| false, &mut buffer))]
    }

    fn assert_equal(tags: CandleTags<'_>) {
        let [cpu, device] = both(tags);
        assert!(cpu.is_ok(), "{cpu:?}");
        assert_eq!(cpu, device);
    }

    #[test]
    fn ties_infinities_and_strides() {
        let (inf, cpu) = (f64::INFINITY, &Device::Cpu);
        let logits = [
            [[2.0, 2.0, 1.0], [1.0, 3.0, 3.0], [-0.0, 0.0, -1.0]],
            [[-inf, -inf, -inf], [-inf, inf, inf], [-inf, 5.0, inf]],
            [[-inf, 0.0, -1.0], [60000.0, 60000.0, -60000.0], [-5.0, -4.0, -3.0]],
        ];
        let labels = Tensor::new(&[[0u32, 1, 2], [2, 1, 0], [0, 0, 1]], cpu).unwrap();
        let lengths = Tensor::new(&[3i64, 1, 2], cpu).unwrap();
        for dtype in FLOATS {
            let logits = Tensor::new(&logits, cpu).unwrap().to_dtype(dtype).unwrap();
            let views = [
                logits.clone(),
                logits.permute((2, 1, 0)).unwrap(),
                logits.narrow(1, 1, 1).unwrap().broadcast_as((3, 3, 3)).unwrap(),
            ];
            for logits in &views {
                assert_equal(CandleTags::logits(logits, &labels));
                assert_equal(CandleTags::logits(logits, &labels.t().unwrap()));
                assert_equal(CandleTags::logits(logits, &labels).lengths(&lengths));
                assert_equal(CandleTags::logits(logits, &labels).mask(&labels));
                assert_equal(CandleTags::logits(logits, &labels).ignore_index(0));
            }
        }
        assert_equal(CandleTags::ids(
            &labels.narrow(1, 1, 2).unwrap(),
            &labels.narrow(1, 0, 2).unwrap(),
        ));
    }

    #[test]
    fn random_logits_of_all_class_counts() {
        for classes in (1..70).chain([300]) {
            let logits = Tensor::randn(0f32, 1., (3, 5, classes), &Device::Cpu).unwrap();
            // Few different values, so that many are equal.
            let coarse = logits.round().unwrap();
            let labels = Tensor::zeros((3, 5), DType::U8, &Device::Cpu).unwrap();
            assert_equal(CandleTags::logits(&logits, &labels));
            assert_equal(CandleTags::logits(&coarse, &labels));
        }
    }

    #[test]
    fn nan_matters_where_it_counts_and_is_told_from_cancelled_infinities() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let logits = [[[inf, -inf], [-inf, inf], [nan, nan]], [[0.0, 1.0], [inf, nan], [1.0, nan]]];
        for dtype in FLOATS {
            let logits = Tensor::new(&logits, &Device::Cpu).unwrap().to_dtype(dtype).unwrap();
            let labels = Tensor::zeros((2, 3), DType::I64, &Device::Cpu).unwrap();
            let lengths = |l: [u8; 2]| Tensor::new(&l, &Device::Cpu).unwrap();
            let without = lengths([2, 1]);
            let tags = CandleTags::logits(&logits, &labels).lengths(&without);
            assert_equal(tags);
            assert_eq!(both(tags)[1].as_ref().unwrap()[0].1, [0, 1]);

            let with = lengths([2, 2]);
            let tags = CandleTags::logits(&logits, &labels).lengths(&with);
            let [cpu, device] = both(tags);
            assert_eq!(cpu, device);
            let mut buffer = TagBuffer::default();
            let e = tags.load_where(&|_| false, &mut buffer).unwrap_err();
            assert!(matches!(e.kind(), ErrorKind::NanLogit { .. }));
            assert_eq!(e.place(), Some(Place::Cell { row: 1, column: 1 }));
        }
    }

    #[test]
    fn tensors_without_elements() {
        let cpu = &Device::Cpu;
        let zeros = |shape: &[usize], dtype| Tensor::zeros(shape, dtype, cpu).unwrap();
        for (rows, width) in [(0, 4), (3, 0), (0, 0)] {
            let logits = zeros(&[rows, width, 5], DType::F32);
            let labels = zeros(&[rows, width], DType::I64);
            let lengths = zeros(&[rows], DType::U32);
            for tags in [CandleTags::logits(&logits, &labels), CandleTags::ids(&labels, &labels)] {
                for tags in [tags, tags.lengths(&lengths), tags.mask(&labels)] {
                    assert_equal(tags);
                    let mut buffer = TagBuffer::default();
                    assert_eq!(tags.load(&mut buffer).unwrap().len(), rows);
                }
            }
        }
        let logits = zeros(&[2, 3, 0], DType::F32);
        let labels = zeros(&[2, 3], DType::I64);
        let [cpu, device] = both(CandleTags::logits(&logits, &labels));
        assert_eq!(cpu, device);
        assert_eq!(cpu.unwrap_err(), "logits: the last dimension, the classes, is 0");
    }
}
