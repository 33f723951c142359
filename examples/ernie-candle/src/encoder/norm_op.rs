//! Layer norm (Ba, Kiros and Hinton 2016) as one candle operation.
//!
//! ```text
//! y = (x - mean) / sqrt(variance + ε) * weight + bias
//! ```

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;
use training_candle::slices;

use training_candle::lanes::{TASK_ROWS, sum, sum_of, total};

/// Inputs `[N, D]`, weight `[D]` and bias `[D]` to rows of mean 0 and variance 1, scaled and
/// shifted.
pub(super) struct Norm {
    epsilon: f32,
    /// Mean and reciprocal of the standard deviation of each row, set by the forward pass.
    tape: OnceLock<Vec<[f32; 2]>>,
}

impl Norm {
    pub(super) fn new(epsilon: f64) -> Self {
        Self { epsilon: epsilon as f32, tape: OnceLock::new() }
    }

    /// Mean and reciprocal of the standard deviation.
    fn statistics(&self, row: &[f32]) -> [f32; 2] {
        let size = row.len() as f32;
        let mean = sum(row) / size;
        let variance = sum_of(row, row, |x, _| (x - mean) * (x - mean)) / size;
        [mean, 1.0 / (variance + self.epsilon).sqrt()]
    }
}

impl CustomOp3 for Norm {
    fn name(&self) -> &'static str {
        "layer-norm"
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
        let (rows, size) = inputs_layout.shape().dims2()?;
        let inputs = slices::of_storage(self.name(), inputs, inputs_layout)?;
        let weight = slices::of_storage(self.name(), weight, weight_layout)?;
        let bias = slices::of_storage(self.name(), bias, bias_layout)?;
        let mut outputs = vec![0.0f32; rows * size];
        let mut tape = vec![[0.0f32; 2]; rows];
        let inputs = inputs.par_chunks(TASK_ROWS * size);
        let results = outputs.par_chunks_mut(TASK_ROWS * size).zip(tape.par_chunks_mut(TASK_ROWS));
        inputs.zip(results).for_each(|(inputs, (outputs, tape))| {
            let rows = inputs.chunks_exact(size).zip(outputs.chunks_exact_mut(size));
            for ((inputs, outputs), tape) in rows.zip(tape) {
                *tape = self.statistics(inputs);
                let [mean, scale] = *tape;
                let numbers = inputs.iter().zip(weight).zip(bias);
                for (y, ((x, weight), bias)) in outputs.iter_mut().zip(numbers) {
                    *y = (x - mean) * scale * weight + bias;
                }
            }
        });
        if self.tape.set(tape).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        Ok((CpuStorage::F32(outputs), (rows, size).into()))
    }

    fn bwd(
        &self,
        inputs: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _outputs: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(tape) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let size = inputs.dim(1)?;
        let mut to_inputs = vec![0.0f32; inputs.elem_count()];
        let mut run = |inputs: &[f32], weight: &[f32], grad: &[f32]| {
            let given = inputs.par_chunks(TASK_ROWS * size).zip(grad.par_chunks(TASK_ROWS * size));
            let results =
                to_inputs.par_chunks_mut(TASK_ROWS * size).zip(tape.par_chunks(TASK_ROWS));
            let tasks = given.zip(results).map(|((inputs, grad), (to_inputs, tape))| {
                of_rows(inputs, weight, grad, tape, to_inputs)
            });
            Ok(tasks.unzip::<Vec<f32>, Vec<f32>, Vec<_>, Vec<_>>())
        };
        let (to_weight, to_bias) = slices::with(inputs, |inputs| {
            slices::with(weight, |weight| slices::with(grad, |grad| run(inputs, weight, grad)))
        })?;
        let vector = |wanted: &Tensor, parts: &[Vec<f32>]| {
            let sums = wanted.track_op().then(|| total(parts, size));
            sums.map(|sums| Tensor::from_vec(sums, size, &Device::Cpu)).transpose()
        };
        Ok((
            Some(Tensor::from_vec(to_inputs, inputs.shape(), &Device::Cpu)?),
            vector(weight, &to_weight)?,
            vector(bias, &to_bias)?,
        ))
    }
}

/// Fills the gradient of some rows' inputs; gives these rows' share in those of weight and bias.
///
/// With `n = (x - mean) * scale` and `g = grad * weight` it is
/// `scale * (g - mean(g) - n * mean(g * n))`.
fn of_rows(
    inputs: &[f32],
    weight: &[f32],
    grad: &[f32],
    tape: &[[f32; 2]],
    to_inputs: &mut [f32],
) -> (Vec<f32>, Vec<f32>) {
    let size = weight.len();
    let (mut to_weight, mut to_bias) = (vec![0.0f32; size], vec![0.0f32; size]);
    let mut normal = vec![0.0f32; size];
    let rows = inputs.chunks_exact(size).zip(grad.chunks_exact(size)).zip(tape);
    for (((inputs, grad), &[mean, scale]), to) in rows.zip(to_inputs.chunks_exact_mut(size)) {
        for (normal, x) in normal.iter_mut().zip(inputs) {
            *normal = (x - mean) * scale;
        }
        for ((to, grad), weight) in to.iter_mut().zip(grad).zip(weight) {
            *to = grad * weight;
        }
        for ((to_weight, grad), normal) in to_weight.iter_mut().zip(grad).zip(&normal) {
            *to_weight += grad * normal;
        }
        for (to_bias, grad) in to_bias.iter_mut().zip(grad) {
            *to_bias += grad;
        }
        let mean = sum(to) / size as f32;
        let along = sum_of(to, &normal, |g, n| g * n) / size as f32;
        for (to, normal) in to.iter_mut().zip(&normal) {
            *to = scale * (*to - mean - normal * along);
        }
    }
    (to_weight, to_bias)
}
