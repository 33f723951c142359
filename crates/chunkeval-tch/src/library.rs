//! tch as a [`TensorLibrary`].

use chunkeval_core::adapter::{ElementType, TensorLibrary, View};
use chunkeval_core::{Error, Result};
use tch::{Device, Kind, TchError, Tensor};

use crate::memory;

/// How tch tensors are looked at. Private: who could call [`read`](TensorLibrary::read) with a
/// function of their own could also change the tensor in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tch;

impl TensorLibrary for Tch {
    type Tensor = Tensor;

    const INTEGERS: &'static str = "u8, i16, i32, i64";
    const FLOATS: &'static str = "f16, bf16, f32, f64";

    fn dims<const N: usize>(tensor: &Tensor) -> Option<[usize; N]> {
        memory::dims(tensor)
    }

    fn shape(tensor: &Tensor) -> Vec<usize> {
        if !tensor.defined() {
            return Vec::new();
        }
        tensor.size().iter().map(|&n| usize::try_from(n).unwrap_or_default()).collect()
    }

    fn element_type(tensor: &Tensor) -> Result<ElementType, String> {
        if !tensor.defined() {
            return Err("undefined".to_owned());
        }
        match tensor.f_kind().map_err(|e| e.to_string())? {
            Kind::Bool => Ok(ElementType::Bool),
            Kind::Uint8 => Ok(ElementType::U8),
            Kind::Int16 => Ok(ElementType::I16),
            Kind::Int => Ok(ElementType::I32),
            Kind::Int64 => Ok(ElementType::I64),
            Kind::Half => Ok(ElementType::F16),
            Kind::BFloat16 => Ok(ElementType::BF16),
            Kind::Float => Ok(ElementType::F32),
            Kind::Double => Ok(ElementType::F64),
            other => Err(format!("{other:?}").to_lowercase()),
        }
    }

    fn is_near(tensor: &Tensor) -> bool {
        tensor.device() == Device::Cpu
    }

    fn read<R>(
        what: &'static str,
        tensor: &Tensor,
        then: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R> {
        match memory::read(tensor, then) {
            Ok(result) => result,
            Err(then) => {
                let copy = fetch(tensor).map_err(|e| failed(what, e))?;
                let unreadable = |_| Error::config(what, "the tensor's memory cannot be read");
                memory::read(&copy, then).map_err(unreadable)?
            }
        }
    }

    /// libtorch's arg-max gives the first of equal classes, on GPUs too; the highest logit is NaN
    /// if any is.
    fn classes_and_doubts(logits: &Tensor) -> Result<Vec<f32>> {
        let found = || {
            let logits = logits.f_detach()?;
            let classes = logits.f_argmax(-1, false)?.f_to_kind(Kind::Float)?;
            let highest = logits.f_amax([-1].as_slice(), false)?.f_to_kind(Kind::Float)?;
            let both = Tensor::f_stack(&[classes, highest], 0)?;
            Vec::<f32>::try_from(both.f_to_device(Device::Cpu)?.f_view(-1)?)
        };
        found().map_err(|e| failed("arg-max on the device", e))
    }

    fn logits_at(logits: &Tensor, row: usize, column: usize) -> Result<Vec<f64>> {
        let found = || {
            let logits = logits.f_detach()?.f_select(0, row as i64)?.f_select(0, column as i64)?;
            Vec::<f64>::try_from(fetch(&logits)?.f_to_kind(Kind::Double)?)
        };
        found().map_err(|e| failed("logits", e))
    }
}

/// A plain copy in the memory of the CPU, of just the elements the tensor shows: a narrow view of
/// a large tensor is gathered on the device first.
fn fetch(tensor: &Tensor) -> std::result::Result<Tensor, TchError> {
    let plain = tensor.f_detach()?.f_to_dense(None, false)?.f_resolve_neg()?.f_contiguous()?;
    plain.f_to_device(Device::Cpu)
}

/// An error of libtorch. Its own message goes on with a list of stack frames.
fn failed(what: &'static str, error: TchError) -> Error {
    match error {
        TchError::Torch(message) => {
            let first = message.lines().next().unwrap_or_default().to_owned();
            Error::backend(what, TchError::Torch(first))
        }
        error => Error::backend(what, error),
    }
}

#[cfg(test)]
#[path = "../../../tests/back_ends/device.rs"]
mod device;

#[cfg(test)]
mod tests {
    use chunkeval_core::adapter::TensorTags;
    use chunkeval_core::{Source, TagBuffer};

    use super::*;

    impl device::Device for Tch {
        fn floats(values: &[f64], shape: &[usize], element_type: &str) -> Tensor {
            let kind = match element_type {
                "f16" => Kind::Half,
                "bf16" => Kind::BFloat16,
                "f32" => Kind::Float,
                _ => Kind::Double,
            };
            Tensor::from_slice(values).view(&dims(shape)[..]).to_kind(kind)
        }

        fn integers(values: &[i64], shape: &[usize]) -> Tensor {
            Tensor::from_slice(values).view(&dims(shape)[..])
        }

        fn permute(tensor: &Tensor, order: &[usize]) -> Tensor {
            tensor.permute(&dims(order)[..])
        }

        fn narrow(tensor: &Tensor, dim: usize, start: usize, length: usize) -> Tensor {
            tensor.narrow(dim as i64, start as i64, length as i64)
        }

        fn fetch(what: &'static str, tensor: &Tensor) -> Result<Tensor> {
            fetch(tensor).map_err(|e| failed(what, e))
        }
    }

    fn dims(shape: &[usize]) -> Vec<i64> {
        shape.iter().map(|&n| n as i64).collect()
    }

    device::suite!(Tch);

    #[test]
    fn an_exception_is_an_error_of_one_line() {
        let options = (Kind::Float, Device::Cpu);
        let tensor = Tensor::zeros([2], options);
        let e = failed("logits", tensor.f_select(3, 0).unwrap_err());
        let message = e.to_string();
        assert!(message.starts_with("logits: Internal torch error: Dimension out of range"));
        assert_eq!(message.lines().count(), 1);
        // No exception is left behind.
        let labels = Tensor::zeros([2, 3], (Kind::Int64, Device::Cpu));
        let tags = TensorTags::<Tch>::ids(&labels, &labels);
        assert!(tags.load(&mut TagBuffer::default()).is_ok());
    }
}
