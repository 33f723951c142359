//! Weights in files.

use crate::flat;
use candle_core::{Device, Tensor};
use training_candle::params::Params;

#[test]
fn numbers_that_are_none_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best-2.safetensors");
    let mut params = Params::new(1);
    let before: Vec<Vec<f32>> =
        ["x", "y"].map(|name| flat(&params.create(name, 3, 1.0).unwrap())).into();
    params.save(&file).unwrap();
    params.load(&file).unwrap();

    let broken = Tensor::new(&[1.0, f32::NAN, 2.0], &Device::Cpu).unwrap();
    params.iter().last().unwrap().1.set(&broken).unwrap();
    params.save(&file).unwrap();
    params.iter().last().unwrap().1.set(&Tensor::new(&*before[1], &Device::Cpu).unwrap()).unwrap();
    let error = params.load(&file).unwrap_err().to_string();
    assert!(error.contains("best-2.safetensors"), "{error}");
    assert!(error.contains("y has numbers that are infinite or NaN"), "{error}");
    let after: Vec<Vec<f32>> = params.iter().map(|(_, var)| flat(var)).collect();
    assert_eq!(after, before);
}
