//! What the model's tests share: random numbers and gradients by finite differences.

use candle_core::{Device, Tensor, Var};
use training_candle::ModelError;
use training_loop::model::random::initial;

/// Uniform numbers in [-1, 1) of a seed.
pub(crate) fn numbers(seed: u64, count: usize) -> Vec<f32> {
    initial(seed, 0, count, 1.0)
}

/// A variable of such numbers.
pub(crate) fn variable(seed: u64, shape: &[usize]) -> Var {
    let values = numbers(seed, shape.iter().product());
    Var::from_vec(values, shape, &Device::Cpu).unwrap()
}

pub(crate) fn flat(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

/// Compares the gradient of `loss` for each variable with central differences, number by number.
pub(crate) fn check_gradients(
    vars: &[(&str, &Var)],
    loss: impl Fn() -> Result<Tensor, ModelError>,
) {
    const STEP: f32 = 1e-2;
    let value = || f64::from(loss().unwrap().to_scalar::<f32>().unwrap());
    let gradients = loss().unwrap().backward().unwrap();
    for (name, var) in vars {
        let gradient = gradients.get(var).unwrap_or_else(|| panic!("{name} has no gradient"));
        let gradient = flat(gradient);
        let original = flat(var);
        for (i, &analytic) in gradient.iter().enumerate() {
            let at = |offset: f32| {
                let mut moved = original.clone();
                moved[i] += offset;
                var.set(&Tensor::from_vec(moved, var.shape(), &Device::Cpu).unwrap()).unwrap();
                value()
            };
            // Richardson's extrapolation: the error of order STEP^2 cancels.
            let coarse = (at(2.0 * STEP) - at(-2.0 * STEP)) / (4.0 * f64::from(STEP));
            let fine = (at(STEP) - at(-STEP)) / (2.0 * f64::from(STEP));
            let numeric = (4.0 * fine - coarse) / 3.0;
            at(0.0);
            let analytic = f64::from(analytic);
            assert!(
                (analytic - numeric).abs() < 3e-4 * (1.0 + numeric.abs()),
                "{name}[{i}]: {analytic} but differences give {numeric}"
            );
        }
    }
}
