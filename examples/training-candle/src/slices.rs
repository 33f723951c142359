//! Tensors as borrowed slices: what hand-written operations need on both sides of the pass.

use candle_core::{CpuStorage, Layout, Result, Storage, Tensor, bail};

/// The numbers of a contiguous CPU tensor inside a custom operation's forward pass.
///
/// # Errors
/// The tensor is not contiguous, or not of `f32`.
pub fn of_storage<'a>(op: &str, storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice::<f32>()?[start..end]),
        None => bail!("{op}: expects contiguous tensors"),
    }
}

/// Calls `f` with the numbers of a CPU `f32` tensor, copying only if it is not contiguous.
///
/// # Errors
/// The tensor is elsewhere or not of `f32`, or `f` fails.
pub fn with<R>(tensor: &Tensor, f: impl FnOnce(&[f32]) -> Result<R>) -> Result<R> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(cpu) => f(of_storage("slice", cpu, layout)?),
        _ => bail!("this model runs on the CPU, the tensor is elsewhere"),
    }
}

/// Whether all numbers of a tensor are numbers: one NaN would make all of them NaN.
///
/// # Errors
/// As [`with`].
pub fn is_finite(tensor: &Tensor) -> Result<bool> {
    with(tensor, |values| Ok(values.iter().all(|value| value.is_finite())))
}

/// Fails with a clear message when a tensor is not on the CPU.
///
/// # Errors
/// It is not; the message names `op`.
pub fn require_cpu(op: &str, tensor: &Tensor) -> Result<()> {
    if tensor.device().is_cpu() {
        return Ok(());
    }
    bail!("{op} runs on the CPU, the input is on {:?}", tensor.device().location())
}
