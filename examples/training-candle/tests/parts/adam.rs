//! Adam against its formulas in double precision.

use crate::flat;
use candle_core::Tensor;
use training_candle::Adam;
use training_candle::adam::Group;
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

#[test]
fn groups_have_their_own_rate_and_decay_and_the_frozen_stand_still() {
    let numbers = || {
        let mut params = Params::new(1).freeze(["frozen"]);
        let tensors = ["fast", "frozen", "slow"].map(|name| params.create(name, 9, 1.0).unwrap());
        (params, tensors)
    };
    let group = |name: &str| match name {
        "fast" => Group { rate: 10.0, weight_decay: 0.0 },
        _ => Group { rate: 1.0, weight_decay: 0.5 },
    };
    let (params, [fast, frozen, slow]) = numbers();
    let mut adam = Adam::with_groups(AdamConfig::default(), &params, group);
    let before = [&fast, &frozen, &slow].map(flat);
    let sum = ((&fast + &frozen).unwrap() + &slow).unwrap().sum_all().unwrap();
    adam.step(&params, &sum.backward().unwrap(), 0.01).unwrap();
    // The first step of Adam moves each number by its learning rate, whatever the gradient.
    for (after, before) in flat(&fast).iter().zip(&before[0]) {
        assert!((after - (before - 0.1)).abs() < 1e-5, "{before} to {after}");
    }
    assert_eq!(flat(&frozen), before[1]);
    for (after, before) in flat(&slow).iter().zip(&before[2]) {
        let want = before * (1.0 - 0.01 * 0.5) - 0.01;
        assert!((after - want).abs() < 1e-5, "{before} to {after}");
    }

    // What was saved says nothing of groups; the optimiser that loads it keeps its own.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("adam.safetensors");
    adam.save(&file).unwrap();
    let (again, [other, ..]) = numbers();
    let weights = folder.path().join("weights.safetensors");
    params.save(&weights).unwrap();
    again.load(&weights).unwrap();
    let mut resumed = Adam::with_groups(AdamConfig::default(), &again, group);
    resumed.load(&file).unwrap();
    for (params, adam, fast) in [(&params, &mut adam, &fast), (&again, &mut resumed, &other)] {
        let slow = params.iter().last().unwrap().1.as_tensor();
        let sum = (fast + slow).unwrap().sum_all().unwrap();
        adam.step(params, &sum.backward().unwrap(), 0.01).unwrap();
    }
    assert_eq!(flat(&fast), flat(&other));
}
