//! candle as a [`TensorLibrary`].

use candle_core::{CpuStorage, D, DType, Device, IndexOp, Storage, Tensor};
use chunkeval_core::adapter::{ElementType, Elements, TensorLibrary, View};
use chunkeval_core::{Error, Result};

/// How candle tensors are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candle;

impl TensorLibrary for Candle {
    type Tensor = Tensor;

    const INTEGERS: &'static str = "u8, u32, i16, i32, i64";
    const FLOATS: &'static str = "f16, bf16, f32, f64";

    fn dims<const N: usize>(tensor: &Tensor) -> Option<[usize; N]> {
        tensor.dims().try_into().ok()
    }

    fn shape(tensor: &Tensor) -> Vec<usize> {
        tensor.dims().to_vec()
    }

    fn element_type(tensor: &Tensor) -> Result<ElementType, String> {
        match tensor.dtype() {
            DType::U8 => Ok(ElementType::U8),
            DType::U32 => Ok(ElementType::U32),
            DType::I16 => Ok(ElementType::I16),
            DType::I32 => Ok(ElementType::I32),
            DType::I64 => Ok(ElementType::I64),
            DType::F16 => Ok(ElementType::F16),
            DType::BF16 => Ok(ElementType::BF16),
            DType::F32 => Ok(ElementType::F32),
            DType::F64 => Ok(ElementType::F64),
            other => Err(other.as_str().to_owned()),
        }
    }

    fn is_near(tensor: &Tensor) -> bool {
        tensor.device().is_cpu()
    }

    /// Holds the lock of the tensor's storage while the function runs, so that the elements can be
    /// borrowed without a copy.
    fn read<R>(
        what: &'static str,
        tensor: &Tensor,
        then: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R> {
        let copy = if Self::is_near(tensor) { None } else { Some(fetch(what, tensor)?) };
        let (storage, layout) = copy.as_ref().unwrap_or(tensor).storage_and_layout();
        let start = layout.start_offset();
        let elements = match &*storage {
            Storage::Cpu(CpuStorage::U8(data)) => Elements::U8(from(data, start)),
            Storage::Cpu(CpuStorage::U32(data)) => Elements::U32(from(data, start)),
            Storage::Cpu(CpuStorage::I16(data)) => Elements::I16(from(data, start)),
            Storage::Cpu(CpuStorage::I32(data)) => Elements::I32(from(data, start)),
            Storage::Cpu(CpuStorage::I64(data)) => Elements::I64(from(data, start)),
            Storage::Cpu(CpuStorage::F16(data)) => Elements::F16(from(data, start)),
            Storage::Cpu(CpuStorage::BF16(data)) => Elements::BF16(from(data, start)),
            Storage::Cpu(CpuStorage::F32(data)) => Elements::F32(from(data, start)),
            Storage::Cpu(CpuStorage::F64(data)) => Elements::F64(from(data, start)),
            _ => return Err(Error::config(what, "the tensor's memory cannot be read")),
        };
        then(View { elements, dims: layout.dims(), strides: layout.stride() })
    }

    fn classes_and_doubts(logits: &Tensor) -> Result<Vec<f32>> {
        classes_and_sums(&logits.detach()).map_err(|e| Error::backend("arg-max on the device", e))
    }

    fn logits_at(logits: &Tensor, row: usize, column: usize) -> Result<Vec<f64>> {
        let backend = |e| Error::backend("logits", e);
        let logits = fetch("logits", &logits.i((row, column)).map_err(backend)?)?;
        logits.to_dtype(DType::F64).and_then(|l| l.to_vec1()).map_err(backend)
    }
}

/// What lies from the view's first element on.
fn from<T>(data: &[T], start: usize) -> &[T] {
    data.get(start..).unwrap_or_default()
}

/// A copy in the memory of the CPU, of just the elements the tensor shows: a narrow view of a
/// large tensor is gathered on the device first.
fn fetch(what: &'static str, tensor: &Tensor) -> Result<Tensor> {
    let copy = || tensor.detach().force_contiguous()?.to_device(&Device::Cpu);
    match tensor.elem_count() {
        0 => Tensor::zeros(tensor.shape(), tensor.dtype(), &Device::Cpu),
        _ => copy(),
    }
    .map_err(|e| Error::backend(what, e))
}

/// All classes, then the sums of all logits, in one copy from the device. A sum is NaN where one
/// of the logits is, and where infinities cancel out.
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

#[cfg(test)]
#[path = "../../../tests/back_ends/device.rs"]
mod device;

#[cfg(test)]
mod tests {
    use super::*;

    impl device::Device for Candle {
        fn floats(values: &[f64], shape: &[usize], element_type: &str) -> Tensor {
            let tensor = Tensor::from_slice(values, shape, &Device::Cpu).unwrap();
            tensor.to_dtype(element_type.parse().unwrap()).unwrap()
        }

        fn integers(values: &[i64], shape: &[usize]) -> Tensor {
            Tensor::from_slice(values, shape, &Device::Cpu).unwrap()
        }

        fn permute(tensor: &Tensor, order: &[usize]) -> Tensor {
            tensor.permute(order).unwrap()
        }

        fn narrow(tensor: &Tensor, dim: usize, start: usize, length: usize) -> Tensor {
            tensor.narrow(dim, start, length).unwrap()
        }

        fn fetch(what: &'static str, tensor: &Tensor) -> Result<Tensor> {
            fetch(what, tensor)
        }
    }

    device::suite!(Candle);
}
