//! A linear layer as one candle operation.
//!
//! candle's own way, a product with a transposed matrix and a broadcast sum, has a backward pass
//! that adds up transposed copies number by number; it takes longer than the products.

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;
use training_candle::slices;

use training_candle::lanes::{TASK_ROWS, add, column_sums};

/// Inputs `[N, I]`, weight `[O, I]` and bias `[O]` to `x Wᵀ + b`, `[N, O]`.
pub(super) struct Linear;

impl CustomOp3 for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn cpu_fwd(
        &self,
        inputs: &CpuStorage,
        inputs_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, from) = inputs_layout.shape().dims2()?;
        let (to, _) = weight_layout.shape().dims2()?;
        let transposed = weight_layout.transpose(0, 1)?;
        let product = inputs.matmul(weight, (1, rows, to, from), inputs_layout, &transposed)?;
        let CpuStorage::F32(mut product) = product else {
            bail!("{}: expects tensors of type f32", self.name());
        };
        let bias = slices::of_storage(self.name(), bias, bias_layout)?;
        product.par_chunks_mut(TASK_ROWS * to).for_each(|rows| {
            rows.chunks_exact_mut(to).for_each(|row| add(row, bias));
        });
        Ok((CpuStorage::F32(product), (rows, to).into()))
    }

    fn bwd(
        &self,
        inputs: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _outputs: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let grad = grad.contiguous()?;
        let (to, _) = weight.dims2()?;
        // Detached, since a backward pass of the backward pass is not wanted.
        let product = |wanted: &Tensor, left: &Tensor, right: &Tensor| {
            wanted.track_op().then(|| left.matmul(&right.detach())).transpose()
        };
        let to_inputs = product(inputs, &grad, weight)?;
        let to_weight = product(weight, &grad.t()?, inputs)?;
        let to_bias = match bias.track_op() {
            true => {
                let sums = slices::with(&grad, |grad| Ok(column_sums(grad, to)))?;
                Some(Tensor::from_vec(sums, to, &Device::Cpu)?)
            }
            false => None,
        };
        Ok((to_inputs, to_weight, to_bias))
    }
}
