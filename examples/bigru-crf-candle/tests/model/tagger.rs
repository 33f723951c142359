//! The whole network: gradients everywhere, exact repetition, exact resume, checkpoints.

use crate::gradients::{check_gradients, flat};
use bigru_crf_candle::model::{Adam, AdamConfig, Mode, Tagger, TaggerConfig};
use candle_core::{Device, Tensor};

const ROWS: [[u32; 5]; 3] = [[3, 4, 5, 6, 3], [7, 0, 0, 0, 0], [2, 2, 9, 0, 0]];
const LENGTHS: [usize; 3] = [5, 1, 3];

fn config() -> TaggerConfig {
    TaggerConfig {
        vocab: 10,
        labels: 3,
        embedding: 4,
        hidden: 3,
        layers: 2,
        dropout: 0.0,
        id_dropout: 0.0,
    }
}

/// `ROWS` and labels, padded to `width`.
fn batch(width: usize) -> (Tensor, Tensor) {
    let tokens = Tensor::new(&ROWS, &Device::Cpu).unwrap();
    let tokens = tokens.pad_with_zeros(1, 0, width - 5).unwrap();
    let labels = [[0u32, 1, 2, 2, 1], [1, 0, 0, 0, 0], [2, 0, 1, 0, 0]];
    let labels = Tensor::new(&labels, &Device::Cpu).unwrap();
    (tokens, labels.pad_with_zeros(1, 0, width - 5).unwrap())
}

fn values(tagger: &Tagger) -> Vec<f32> {
    tagger.params().iter().flat_map(|(_, var)| flat(var)).collect()
}

/// Trains `steps` steps from the optimiser's own count.
fn train(tagger: &Tagger, adam: &mut Adam, steps: u64) {
    let (tokens, labels) = batch(5);
    for _ in 0..steps {
        let mode = Mode::Train { seed: 5, step: adam.steps() };
        let loss = tagger.loss(&tokens, &labels, &LENGTHS, mode).unwrap();
        adam.step(tagger.params(), &loss.backward().unwrap(), 0.05).unwrap();
    }
}

#[test]
fn gradients_of_every_variable_equal_finite_differences() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let (tokens, labels) = batch(6);
    let vars: Vec<_> = tagger.params().iter().collect();
    assert_eq!(vars.len(), 1 + 16 + 2 + 3);
    check_gradients(&vars, || tagger.loss(&tokens, &labels, &LENGTHS, Mode::Eval));
}

#[test]
fn same_seed_same_numbers() {
    let run = |init: u64| {
        let config = TaggerConfig { dropout: 0.4, id_dropout: 0.2, ..config() };
        let tagger = Tagger::new(config, init).unwrap();
        let mut adam = Adam::new(AdamConfig::default(), tagger.params());
        train(&tagger, &mut adam, 5);
        values(&tagger)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn what_is_dropped_depends_on_seed_and_step() {
    let config = TaggerConfig { dropout: 0.4, id_dropout: 0.2, ..config() };
    let tagger = Tagger::new(config, 1).unwrap();
    let (tokens, labels) = batch(5);
    let loss = |seed, step| {
        let mode = Mode::Train { seed, step };
        let loss = tagger.loss(&tokens, &labels, &LENGTHS, mode).unwrap();
        loss.to_scalar::<f32>().unwrap()
    };
    assert_eq!(loss(1, 7), loss(1, 7));
    assert_ne!(loss(1, 7), loss(1, 8));
    assert_ne!(loss(1, 7), loss(2, 7));
}

#[test]
fn a_resumed_run_is_bit_identical() {
    let config = TaggerConfig { dropout: 0.4, id_dropout: 0.2, ..config() };
    let folder = tempfile::tempdir().unwrap();
    let (model, state) = (folder.path().join("model"), folder.path().join("adam"));
    let whole = Tagger::new(config.clone(), 1).unwrap();
    let mut adam = Adam::new(AdamConfig::default(), whole.params());
    train(&whole, &mut adam, 4);
    whole.save(&model).unwrap();
    adam.save(&state).unwrap();
    train(&whole, &mut adam, 6);

    let resumed = Tagger::new(config, 99).unwrap();
    resumed.load(&model).unwrap();
    let mut adam = Adam::new(AdamConfig::default(), resumed.params());
    adam.load(&state).unwrap();
    assert_eq!(adam.steps(), 4);
    train(&resumed, &mut adam, 6);
    assert_eq!(values(&whole), values(&resumed));
}

#[test]
fn learns_its_three_rows() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let mut adam = Adam::new(AdamConfig::default(), tagger.params());
    train(&tagger, &mut adam, 60);
    let (tokens, _) = batch(5);
    let paths = tagger.decode(&tokens, &LENGTHS).unwrap();
    assert_eq!(paths, [vec![0, 1, 2, 2, 1], vec![1], vec![2, 0, 1]]);
}

#[test]
fn padding_changes_nothing() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let run = |width: usize| {
        let (tokens, labels) = batch(width);
        let loss = tagger.loss(&tokens, &labels, &LENGTHS, Mode::Eval).unwrap();
        let gradients = loss.backward().unwrap();
        let mut all = vec![loss.to_scalar::<f32>().unwrap()];
        for (_, var) in tagger.params().iter() {
            all.extend(flat(gradients.get(var).unwrap()));
        }
        (all, tagger.decode(&tokens, &LENGTHS).unwrap())
    };
    let (narrow, wide) = (run(5), run(12));
    assert_eq!(narrow.1, wide.1);
    for (a, b) in narrow.0.iter().zip(&wide.0) {
        assert!((a - b).abs() < 1e-6, "{a} and {b}");
    }
}

#[test]
fn a_checkpoint_of_another_shape_names_every_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    Tagger::new(config(), 1).unwrap().save(&path).unwrap();
    let other = TaggerConfig { vocab: 11, labels: 4, layers: 1, ..config() };
    let other = Tagger::new(other, 2).unwrap();
    let before = values(&other);
    let error = other.load(&path).unwrap_err().to_string();
    for part in [
        "embedding.weight has shape [10, 4], expected [11, 4]",
        "linear.bias has shape [3], expected [4]",
        "gru.bias_hh_l1_reverse is unknown to this model",
    ] {
        assert!(error.contains(part), "{part} not in: {error}");
    }
    assert_eq!(values(&other), before, "a failing load changes nothing");
}

#[test]
fn the_optimiser_refuses_what_would_go_wrong_silently() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let mut adam = Adam::new(AdamConfig::default(), tagger.params());
    let before = values(&tagger);
    let (_, bias) = tagger.params().iter().find(|(n, _)| *n == "linear.bias").unwrap();
    let gradients = bias.sum_all().unwrap().backward().unwrap();
    let error = adam.step(tagger.params(), &gradients, 0.1).unwrap_err().to_string();
    assert!(error.contains("got no gradient"), "{error}");
    let (tokens, labels) = batch(5);
    let loss = tagger.loss(&tokens, &labels, &LENGTHS, Mode::Eval).unwrap();
    let gradients = (loss * f64::NAN).unwrap().backward().unwrap();
    let error = adam.step(tagger.params(), &gradients, 0.1).unwrap_err().to_string();
    assert!(error.contains("norm"), "{error}");
    assert_eq!((values(&tagger), adam.steps()), (before, 0));
}

#[test]
fn wrong_input_is_an_error_with_a_place() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let message = |ids: &[[u32; 2]; 1], lengths: &[usize]| {
        let tokens = Tensor::new(ids, &Device::Cpu).unwrap();
        tagger.decode(&tokens, lengths).unwrap_err().to_string()
    };
    assert!(message(&[[1, 10]], &[2]).contains("row 0, column 1: id 10"));
    assert!(message(&[[1, 1]], &[2, 2]).contains("[1, 2]"));
    assert!(message(&[[1, 1]], &[3]).contains("row 0"));
}
