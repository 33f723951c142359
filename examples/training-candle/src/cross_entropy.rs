//! The cross-entropy of logits and labels, token by token, as one candle operation.

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor, bail};

use crate::ModelError;
use crate::math::exp;
use crate::slices;

/// Mean over the tokens that count of `-log softmax(logits)[label]`, a scalar.
///
/// `logits` is `[B, T, C]`, `labels` has `B * T` ids in rows. A token whose label is `ignore` does
/// not count. If none counts, the loss is 0 and so is every gradient (PyTorch gives NaN).
///
/// ```
/// use candle_core::{Device, Tensor};
/// use training_candle::cross_entropy::cross_entropy;
///
/// let logits = Tensor::new(&[[[0f32, 0.0], [9.0, 7.0]]], &Device::Cpu)?;
/// let loss = cross_entropy(&logits, &[1, -100], -100)?;
/// assert_eq!(loss.to_scalar::<f32>()?, 2f32.ln());
/// # Ok::<(), training_candle::ModelError>(())
/// ```
///
/// # Errors
/// The shapes disagree, or a label is neither `ignore` nor below `C`: its row and column.
pub fn cross_entropy(
    logits: &Tensor,
    labels: &[i64],
    ignore: i64,
) -> std::result::Result<Tensor, ModelError> {
    let (rows, width, classes) = logits.dims3()?;
    if labels.len() != rows * width {
        let count = labels.len();
        let reason = format!("{count} labels for logits of shape [{rows}, {width}, {classes}]");
        return Err(ModelError::Input(reason));
    }
    let mut counted = Vec::new();
    for (place, &label) in labels.iter().enumerate().filter(|(_, label)| **label != ignore) {
        let id = usize::try_from(label).ok().filter(|&id| id < classes).ok_or_else(|| {
            let (row, column) = (place / width, place % width);
            ModelError::Input(format!(
                "row {row}, column {column}: label {label} is not below {classes}"
            ))
        })?;
        counted.push((place, id));
    }
    let operation = CrossEntropy { counted, classes, tape: OnceLock::new() };
    Ok(logits.contiguous()?.apply_op1(operation)?)
}

struct CrossEntropy {
    /// The places of the tokens that count, and their labels.
    counted: Vec<(usize, usize)>,
    classes: usize,
    /// Softmax of the logits at those places, set by the forward pass.
    tape: OnceLock<Vec<f32>>,
}

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(&self, logits: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let logits = slices::of_storage(self.name(), logits, layout)?;
        let mut tape = Vec::with_capacity(self.counted.len() * self.classes);
        let mut total = 0.0f64;
        for &(place, label) in &self.counted {
            let logits = &logits[place * self.classes..][..self.classes];
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let start = tape.len();
            tape.extend(logits.iter().map(|logit| exp(logit - most)));
            let terms = &mut tape[start..];
            let sum: f32 = terms.iter().sum();
            terms.iter_mut().for_each(|term| *term /= sum);
            total += f64::from(sum.ln() + most - logits[label]);
        }
        if self.tape.set(tape).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        let mean = total / self.counted.len().max(1) as f64;
        Ok((CpuStorage::F32(vec![mean as f32]), Shape::from(())))
    }

    fn bwd(&self, logits: &Tensor, _loss: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let Some(tape) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let scale = grad.to_scalar::<f32>()? / self.counted.len().max(1) as f32;
        let mut gradient = vec![0.0f32; logits.elem_count()];
        for (&(place, label), softmax) in self.counted.iter().zip(tape.chunks_exact(self.classes)) {
            let gradient = &mut gradient[place * self.classes..][..self.classes];
            for (to, p) in gradient.iter_mut().zip(softmax) {
                *to = p * scale;
            }
            gradient[label] -= scale;
        }
        Ok(Some(Tensor::from_vec(gradient, logits.shape(), &Device::Cpu)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    #[test]
    fn loss_and_gradient_of_what_counts() {
        let values = [[[1f32, 2.0, 3.0], [0.0, 500.0, -500.0], [7.0, 7.0, 7.0]]];
        let logits = Var::new(&values, &Device::Cpu).unwrap();
        let loss = cross_entropy(&logits, &[0, 1, -100], -100).unwrap();
        let e = |x: f32| x.exp();
        let sum = e(1.0) + e(2.0) + e(3.0);
        let want = sum.ln() - 1.0;
        assert!((loss.to_scalar::<f32>().unwrap() - want / 2.0).abs() < 1e-6);
        let gradients = loss.backward().unwrap();
        let gradient = gradients.get(&logits).unwrap().flatten_all().unwrap();
        let want = [e(1.0) / sum - 1.0, e(2.0) / sum, e(3.0) / sum, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (got, want) in gradient.to_vec1::<f32>().unwrap().iter().zip(want) {
            assert!((got - want / 2.0).abs() < 1e-6, "{got}, not {want} / 2");
        }
    }

    #[test]
    fn nothing_that_counts_is_no_loss() {
        let logits = Var::new(&[[[1f32, 2.0]]], &Device::Cpu).unwrap();
        let loss = cross_entropy(&logits, &[-100], -100).unwrap();
        assert_eq!(loss.to_scalar::<f32>().unwrap(), 0.0);
        let gradients = loss.backward().unwrap();
        let gradient = gradients.get(&logits).unwrap().flatten_all().unwrap();
        assert_eq!(gradient.to_vec1::<f32>().unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn bad_labels_name_their_place() {
        let logits = Var::new(&[[[1f32, 2.0], [0.0, 0.0]]], &Device::Cpu).unwrap();
        let error = |labels: &[i64]| cross_entropy(&logits, labels, -100).unwrap_err().to_string();
        assert!(error(&[0, 2]).contains("row 0, column 1: label 2 is not below 2"));
        assert!(error(&[-1, 0]).contains("row 0, column 0: label -1"));
        assert!(error(&[0]).contains("1 labels for logits of shape [1, 2, 2]"));
    }
}
