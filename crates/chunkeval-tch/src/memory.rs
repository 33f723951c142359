//! Tensors read where they are: the one place that trusts a pointer of libtorch's.
//!
//! # Safety
//! [`read`] makes a slice of the elements that a tensor shows and of what lies between them. This
//! is sound because
//! - the pointer is that of a tensor on the CPU with strides (libtorch refuses it for others), not
//!   null, and aligned, all of which is looked at before;
//! - from it on, up to the last element by dimensions and strides, everything lies in the tensor's
//!   storage: libtorch checks that whenever a view is made;
//! - the element type is the one libtorch names, and every bit pattern is a value of it (`bool` is
//!   read as `u8`);
//! - the storage lives as long as the tensor, which is borrowed while the slice lives;
//! - nobody writes to it meanwhile: the slice is seen by the function given to [`read`] only,
//!   which is that of [`TensorTags`](chunkeval_core::adapter::TensorTags), and that calls nothing
//!   but this crate's reading functions. A write through another handle in another thread would be
//!   a data race in libtorch's own functions just as well.

use std::slice;

use chunkeval_core::adapter::{Elements, View};
use half::{bf16, f16};
use tch::{Device, Kind, Tensor};

/// The dimensions, if there are `N`.
pub(crate) fn dims<const N: usize>(tensor: &Tensor) -> Option<[usize; N]> {
    of_rank(tensor, torch_sys::at_shape)
}

fn strides<const N: usize>(tensor: &Tensor) -> Option<[usize; N]> {
    of_rank(tensor, torch_sys::at_stride)
}

/// What a function of libtorch writes for each dimension. tch's own functions allocate, and panic
/// on a tensor without strides.
fn of_rank<const N: usize>(
    tensor: &Tensor,
    function: unsafe extern "C" fn(*mut torch_sys::C_tensor, *mut i64),
) -> Option<[usize; N]> {
    if !tensor.defined() || tensor.dim() != N {
        return None;
    }
    let mut numbers = [0i64; N];
    // SAFETY: the tensor is alive, the function only looks at it, and it writes one number for
    // each of the tensor's dimensions, which are as many as there is room for.
    unsafe { function(tensor.as_ptr().cast_mut(), numbers.as_mut_ptr()) };
    if failed() {
        return None;
    }
    let mut found = [0; N];
    for (found, number) in found.iter_mut().zip(numbers) {
        *found = usize::try_from(number).ok()?;
    }
    Some(found)
}

/// Whether the last call threw an exception; it is forgotten, so that nobody takes it for the next
/// call's.
fn failed() -> bool {
    // SAFETY: gives a string of C that is the caller's from then on, or null.
    let message = unsafe { torch_sys::get_and_reset_last_err() };
    if message.is_null() {
        return false;
    }
    // SAFETY: libtorch's wrapper made the string with `strdup`, and nobody else has it.
    unsafe { libc::free(message.cast()) };
    true
}

/// Shows the elements of a tensor of up to three dimensions where they are. Gives the function
/// back if that cannot be done: the tensor is elsewhere, or has no memory of the usual kind.
pub(crate) fn read<R, F: FnOnce(View<'_>) -> R>(tensor: &Tensor, then: F) -> Result<R, F> {
    match tensor.dim() {
        1 => read_rank::<1, R, F>(tensor, then),
        2 => read_rank::<2, R, F>(tensor, then),
        3 => read_rank::<3, R, F>(tensor, then),
        _ => Err(then),
    }
}

fn read_rank<const N: usize, R, F: FnOnce(View<'_>) -> R>(
    tensor: &Tensor,
    then: F,
) -> Result<R, F> {
    let (Some(dims), Some(strides)) = (dims::<N>(tensor), strides::<N>(tensor)) else {
        return Err(then);
    };
    let is_plain = tensor.device() == Device::Cpu
        // The memory of a tensor that was negated lazily holds the opposite numbers.
        && tensor.f_is_neg().is_ok_and(|negative| !negative);
    if !is_plain {
        return Err(then);
    }
    let Some(elements) = elements(tensor, &dims, &strides) else { return Err(then) };
    Ok(then(View { elements, dims: &dims, strides: &strides }))
}

fn elements<'t>(tensor: &'t Tensor, dims: &[usize], strides: &[usize]) -> Option<Elements<'t>> {
    let length = extent(dims, strides)?;
    Some(match tensor.f_kind().ok()? {
        Kind::Bool | Kind::Uint8 => Elements::U8(from_first::<u8>(tensor, length)?),
        Kind::Int16 => Elements::I16(from_first::<i16>(tensor, length)?),
        Kind::Int => Elements::I32(from_first::<i32>(tensor, length)?),
        Kind::Int64 => Elements::I64(from_first::<i64>(tensor, length)?),
        Kind::Half => Elements::F16(from_first::<f16>(tensor, length)?),
        Kind::BFloat16 => Elements::BF16(from_first::<bf16>(tensor, length)?),
        Kind::Float => Elements::F32(from_first::<f32>(tensor, length)?),
        Kind::Double => Elements::F64(from_first::<f64>(tensor, length)?),
        _ => return None,
    })
}

/// How many elements from the first to the last one.
fn extent(dims: &[usize], strides: &[usize]) -> Option<usize> {
    if dims.contains(&0) {
        return Some(0);
    }
    let last = dims.iter().zip(strides).try_fold(0usize, |last, (&n, &stride)| {
        (n - 1).checked_mul(stride).and_then(|x| last.checked_add(x))
    });
    last?.checked_add(1)
}

/// `length` elements from the tensor's first one on; `T` is its element type, and all of them lie
/// in its storage.
fn from_first<T>(tensor: &Tensor, length: usize) -> Option<&[T]> {
    if length == 0 {
        return Some(&[]);
    }
    // SAFETY: the tensor is alive; the function gives the address of its first element, or throws.
    let first = unsafe { torch_sys::at_data_ptr(tensor.as_ptr().cast_mut()) };
    let first = first.cast_const().cast::<T>();
    if failed() || first.is_null() || !first.is_aligned() {
        return None;
    }
    length.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok())?;
    // SAFETY: see the module.
    Some(unsafe { slice::from_raw_parts(first, length) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers and strides that are seen, if any are.
    fn seen(tensor: &Tensor) -> Option<(Vec<i64>, Vec<usize>)> {
        let see = |view: View<'_>| {
            let Elements::I64(data) = view.elements else { return Vec::new() };
            data.to_vec()
        };
        let strides = |view: View<'_>| view.strides.to_vec();
        Some((read(tensor, see).ok()?, read(tensor, strides).ok()?))
    }

    #[test]
    fn a_view_sees_its_elements_and_what_lies_between() {
        let numbers = Tensor::arange(12, (Kind::Int64, Device::Cpu)).view([3, 4]);
        assert_eq!(seen(&numbers), Some(((0..12).collect(), vec![4, 1])));
        assert_eq!(seen(&numbers.tr()), Some(((0..12).collect(), vec![1, 4])));
        let inner = numbers.narrow(0, 1, 2).narrow(1, 1, 2);
        assert_eq!(seen(&inner), Some(((5..11).collect(), vec![4, 1])));
        let stepped = numbers.slice(1, 1, 4, 2);
        assert_eq!(seen(&stepped), Some(((1..12).collect(), vec![4, 2])));
        let one = numbers.narrow(0, 2, 1).narrow(1, 3, 1).expand([5, 7], false);
        assert_eq!(seen(&one), Some((vec![11], vec![0, 0])));
        let none = numbers.narrow(1, 2, 0);
        assert_eq!(seen(&none), Some((Vec::new(), vec![4, 1])));
    }

    #[test]
    fn what_has_no_plain_memory_is_not_read() {
        let options = (Kind::Float, Device::Cpu);
        let plain = Tensor::ones([2, 2], options);
        let sparse = plain.to_sparse_sparse_dim(2);
        let rows = plain.to_sparse_csr(0);
        let negated = Tensor::complex(&plain, &plain).conj().imag();
        assert!(negated.f_is_neg().unwrap());
        for tensor in [sparse, rows, negated, Tensor::new(), Tensor::ones([1; 4], options)] {
            assert!(read(&tensor, |_| ()).is_err());
            // No exception is left behind for the next call.
            assert_eq!(plain.f_sum(Kind::Float).unwrap().double_value(&[]), 4.0);
        }
        assert_eq!(dims::<2>(&Tensor::new()), None);
    }
}
