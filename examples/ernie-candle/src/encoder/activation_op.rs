//! GELU (Hendrycks and Gimpel 2016) and ReLU as one candle operation.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;
use training_candle::math::exp;
use training_candle::slices;

use super::config::Activation;

/// So many numbers are one task for a thread.
const PART: usize = 16 * 1024;

/// The distribution function of the normal distribution and its density at `x`.
///
/// Abramowitz and Stegun (1964), 7.1.26, which is within 1.5e-7 of the error function. The
/// standard library has none, and one that is exact to the last bit would take most of the layer.
#[inline(always)]
fn normal(x: f32) -> (f32, f32) {
    const TERMS: [f32; 5] = [1.061_405_4, -1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6];
    let density = exp(-0.5 * x * x);
    let t = 1.0 / (1.0 + 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2 * x.abs());
    let mut series = 0.0;
    for term in TERMS {
        series = (series + term) * t;
    }
    let tail = 0.5 * series * density;
    let below = if x < 0.0 { tail } else { 1.0 - tail };
    (below, density * FRAC_1_SQRT_TAU)
}

/// `1 / sqrt(2 pi)`.
const FRAC_1_SQRT_TAU: f32 = 0.398_942_3;

impl CustomOp1 for Activation {
    fn name(&self) -> &'static str {
        match self {
            Self::Gelu => "gelu",
            Self::Relu => "relu",
        }
    }

    fn cpu_fwd(&self, inputs: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let inputs = slices::of_storage(self.name(), inputs, layout)?;
        let outputs = match self {
            Self::Gelu => map(inputs, inputs, |x, _| x * normal(x).0),
            // Not `max`, which would turn a NaN into 0.
            Self::Relu => map(inputs, inputs, |x, _| if x < 0.0 { 0.0 } else { x }),
        };
        Ok((CpuStorage::F32(outputs), layout.shape().clone()))
    }

    fn bwd(&self, inputs: &Tensor, _outputs: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let to_inputs = slices::with(inputs, |inputs| {
            slices::with(grad, |grad| {
                Ok(match self {
                    Self::Gelu => map(inputs, grad, |x, grad| {
                        let (below, density) = normal(x);
                        grad * (below + x * density)
                    }),
                    Self::Relu => map(inputs, grad, |x, grad| if x > 0.0 { grad } else { 0.0 }),
                })
            })
        })?;
        Ok(Some(Tensor::from_vec(to_inputs, inputs.shape(), &Device::Cpu)?))
    }
}

/// What `f` makes of each pair.
fn map(left: &[f32], right: &[f32], f: impl Fn(f32, f32) -> f32 + Sync) -> Vec<f32> {
    let mut out = vec![0.0f32; left.len()];
    let given = left.par_chunks(PART).zip(right.par_chunks(PART));
    out.par_chunks_mut(PART).zip(given).for_each(|(out, (left, right))| {
        for (out, (&left, &right)) in out.iter_mut().zip(left.iter().zip(right)) {
            *out = f(left, right);
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    fn values(tensor: &Tensor) -> Vec<f32> {
        tensor.to_vec1().unwrap()
    }

    /// GELU by the integral of the density from 0, by Simpson's rule.
    fn reference(x: f64) -> f64 {
        let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let parts = 2000;
        let h = x / f64::from(parts);
        let inner: f64 = (1..parts)
            .map(|i| density(h * f64::from(i)) * if i % 2 == 1 { 4.0 } else { 2.0 })
            .sum();
        x * (0.5 + (density(0.0) + inner + density(x)) * h / 3.0)
    }

    #[test]
    fn gelu_equals_its_integral() {
        let grid: Vec<f32> = (-2000..=2000).map(|i| i as f32 / 200.0).collect();
        let inputs = Var::from_slice(&grid, grid.len(), &Device::Cpu).unwrap();
        let outputs = inputs.apply_op1(Activation::Gelu).unwrap();
        let gradients = outputs.sum_all().unwrap().backward().unwrap();
        let gradient = values(gradients.get(&inputs).unwrap());
        for ((&x, got), slope) in grid.iter().zip(values(&outputs)).zip(gradient) {
            let x = f64::from(x);
            let want = reference(x);
            assert!((f64::from(got) - want).abs() < 1e-6, "gelu({x}) is {got}, not {want}");
            let want = (reference(x + 1e-4) - reference(x - 1e-4)) / 2e-4;
            assert!((f64::from(slope) - want).abs() < 1e-6, "slope at {x} is {slope}, not {want}");
        }
    }

    #[test]
    fn relu_and_what_is_no_number() {
        let inputs = Var::new(&[-1f32, 0.0, 2.0, f32::NAN], &Device::Cpu).unwrap();
        let outputs = inputs.apply_op1(Activation::Relu).unwrap();
        assert_eq!(values(&outputs)[..3], [0.0, 0.0, 2.0]);
        assert!(values(&outputs)[3].is_nan());
        let gradients = outputs.sum_all().unwrap().backward().unwrap();
        assert_eq!(values(gradients.get(&inputs).unwrap())[..3], [0.0, 0.0, 1.0]);
        let gelu = values(&inputs.apply_op1(Activation::Gelu).unwrap());
        assert!(gelu[3].is_nan());
    }
}
