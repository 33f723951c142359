//! Random zeros as one candle operation.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use training_loop::model::random::{self, Mode};

use crate::slices;

/// Drops numbers in training; see [`random::dropout`].
///
/// # Errors
/// The tensor is not on the CPU or not of `f32`.
pub fn dropout(tensor: &Tensor, rate: f32, mode: Mode, site: u64) -> Result<Tensor> {
    match random::dropout(tensor.elem_count(), rate, mode, site) {
        Some(factors) => tensor.contiguous()?.apply_op1(Dropout { factors }),
        None => Ok(tensor.clone()),
    }
}

/// Multiplication by constants. candle's own would also compute the constants' gradient.
struct Dropout {
    factors: Vec<f32>,
}

impl Dropout {
    fn apply(&self, values: &[f32]) -> Vec<f32> {
        let pairs = values.iter().zip(&self.factors);
        pairs.map(|(value, factor)| value * factor).collect()
    }
}

impl CustomOp1 for Dropout {
    fn name(&self) -> &'static str {
        "dropout"
    }

    fn cpu_fwd(&self, values: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let values = slices::of_storage(self.name(), values, layout)?;
        let shape = layout.shape().clone();
        Ok((CpuStorage::F32(self.apply(values)), shape))
    }

    fn bwd(&self, values: &Tensor, _out: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let grad = slices::with(grad, |grad| Ok(self.apply(grad)))?;
        Ok(Some(Tensor::from_vec(grad, values.shape(), &Device::Cpu)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Var};

    #[test]
    fn passes_the_same_mask_back() {
        let ones = Var::ones((100, 100), DType::F32, &Device::Cpu).unwrap();
        let out = dropout(&ones, 0.25, Mode::Train { seed: 1, step: 2 }, 1).unwrap();
        let values = out.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert!(values.contains(&0.0) && values.contains(&(1.0 / 0.75)));
        let gradients = out.sum_all().unwrap().backward().unwrap();
        let gradient = gradients.get(&ones).unwrap().flatten_all().unwrap();
        assert_eq!(gradient.to_vec1::<f32>().unwrap(), values);
    }
}
