//! Random zeros as one candle operation.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::slices;

/// Zeroes each number with probability `rate` (to 1 in 65536) and scales the others by
/// `1 / (1 - rate)`, so that the mean stays.
pub(super) fn dropout(tensor: &Tensor, rate: f32, rng: &mut ChaCha8Rng) -> Result<Tensor> {
    let below = (rate * 65536.0).round() as u16;
    if below == 0 {
        return Ok(tensor.clone());
    }
    let mut random = vec![0u8; 2 * tensor.elem_count()];
    rng.fill_bytes(&mut random);
    let scale = 1.0 / (1.0 - f32::from(below) / 65536.0);
    let mut factors = vec![0.0f32; tensor.elem_count()];
    for (factor, pair) in factors.iter_mut().zip(random.chunks_exact(2)) {
        // A product, not a branch: the outcome is random, no predictor helps.
        let keep = u16::from_le_bytes([pair[0], pair[1]]) >= below;
        *factor = f32::from(u8::from(keep)) * scale;
    }
    tensor.contiguous()?.apply_op1(Dropout { factors })
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
    use crate::model::random::stream;
    use candle_core::{DType, Var};

    #[test]
    fn keeps_its_rate_and_passes_the_same_mask_back() {
        let ones = Var::ones((100, 100), DType::F32, &Device::Cpu).unwrap();
        let out = dropout(&ones, 0.25, &mut stream(1, 2)).unwrap();
        let values = out.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let zeros = values.iter().filter(|v| **v == 0.0).count();
        assert!((2300..2700).contains(&zeros), "{zeros}");
        assert!(values.iter().all(|v| *v == 0.0 || *v == 1.0 / 0.75));
        let gradients = out.sum_all().unwrap().backward().unwrap();
        let gradient = gradients.get(&ones).unwrap().flatten_all().unwrap();
        assert_eq!(gradient.to_vec1::<f32>().unwrap(), values);
    }

    #[test]
    fn rate_zero_is_the_tensor_itself() {
        let ones = Tensor::ones(5, DType::F32, &Device::Cpu).unwrap();
        let out = dropout(&ones, 0.0, &mut stream(1, 2)).unwrap();
        assert_eq!(out.to_vec1::<f32>().unwrap(), [1.0; 5]);
    }
}
