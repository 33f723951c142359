//! From sentences one behind the other to padded ones, as one candle operation.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use training_candle::slices;

/// `[N, C]` to `[B, T, C]`: row `b` begins with the numbers of its tokens, the rest is 0.
pub(super) struct Padding {
    lengths: Vec<usize>,
    width: usize,
}

impl Padding {
    /// `width` is at least the longest length.
    pub(super) fn new(lengths: &[usize], width: usize) -> Self {
        Self { lengths: lengths.to_vec(), width }
    }
}

impl CustomOp1 for Padding {
    fn name(&self) -> &'static str {
        "padding"
    }

    fn cpu_fwd(&self, packed: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, size) = layout.shape().dims2()?;
        let mut packed = slices::of_storage(self.name(), packed, layout)?;
        let mut padded = vec![0.0f32; self.lengths.len() * self.width * size];
        for (row, length) in padded.chunks_exact_mut(self.width * size).zip(&self.lengths) {
            let (used, rest) = packed.split_at(length * size);
            row[..used.len()].copy_from_slice(used);
            packed = rest;
        }
        Ok((CpuStorage::F32(padded), (self.lengths.len(), self.width, size).into()))
    }

    fn bwd(&self, packed: &Tensor, _padded: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let (_, size) = packed.dims2()?;
        let mut to_packed = Vec::with_capacity(packed.elem_count());
        slices::with(grad, |grad| {
            for (row, length) in grad.chunks_exact(self.width * size).zip(&self.lengths) {
                to_packed.extend_from_slice(&row[..length * size]);
            }
            Ok(())
        })?;
        Ok(Some(Tensor::from_vec(to_packed, packed.shape(), &Device::Cpu)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    #[test]
    fn there_and_back() {
        let packed = Var::new(&[[1f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &Device::Cpu).unwrap();
        let padded = packed.apply_op1(Padding::new(&[1, 2], 2)).unwrap();
        let values = padded.to_vec3::<f32>().unwrap();
        assert_eq!(values, [[[1.0, 2.0], [0.0, 0.0]], [[3.0, 4.0], [5.0, 6.0]]]);
        let gradients = padded.sqr().unwrap().sum_all().unwrap().backward().unwrap();
        let gradient = gradients.get(&packed).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(gradient, [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]);
    }
}
