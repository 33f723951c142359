//! Adam against its formulas in double precision.

use crate::flat;
use candle_core::Tensor;
use training_candle::Adam;
use training_candle::params::Params;
use training_loop::model::AdamConfig;

#[test]
fn follows_the_formulas() {
    let config = AdamConfig { weight_decay: 0.1, clip: 1.5, ..AdamConfig::default() };
    let mut params = Params::new(1);
    let var = params.create("x", 19, 1.0).unwrap();
    let mut adam = Adam::new(config, &params);
    let mut value: Vec<f64> = flat(&var).into_iter().map(f64::from).collect();
    let (mut first, mut second) = (vec![0.0; 19], vec![0.0; 19]);
    for step in 1..=5i32 {
        let rate = 0.1 / f64::from(step);
        let current: Tensor = params.iter().next().unwrap().1.as_tensor().clone();
        let gradients = (current.sqr().unwrap().sum_all().unwrap()).backward().unwrap();
        let norm = adam.step(&params, &gradients, rate).unwrap();
        let gradient: Vec<f64> = value.iter().map(|v| 2.0 * v).collect();
        let want_norm = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        assert!((norm - want_norm).abs() < 1e-4, "{norm}, not {want_norm}");
        for i in 0..19 {
            let g = gradient[i] * (config.clip / want_norm).min(1.0);
            first[i] = config.beta1 * first[i] + (1.0 - config.beta1) * g;
            second[i] = config.beta2 * second[i] + (1.0 - config.beta2) * g * g;
            let mean = first[i] / (1.0 - config.beta1.powi(step));
            let square: f64 = second[i] / (1.0 - config.beta2.powi(step));
            value[i] -= rate * config.weight_decay * value[i];
            value[i] -= rate * mean / (square.sqrt() + config.epsilon);
        }
    }
    let got = flat(params.iter().next().unwrap().1);
    for (got, want) in got.iter().zip(&value) {
        assert!((f64::from(*got) - want).abs() < 1e-5, "{got}, not {want}");
    }
}
