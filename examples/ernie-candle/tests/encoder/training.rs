//! Gradients against finite differences, dropout, frozen layers, learning, exact repetition.

use candle_core::{Device, Tensor, Var};
use ernie_candle::encoder::{Activation, Batch, EncoderConfig, TokenClassifier};
use training_candle::adam::{Adam, Group};
use training_candle::crf::Crf;
use training_candle::cross_entropy::cross_entropy;
use training_candle::params::Params;
use training_loop::model::{AdamConfig, Mode};

use crate::common::{batch, flat};
use crate::gradients::check_gradients;

const LABELS: [i64; 10] = [-100, 1, 2, 0, -100, -100, 2, -100, -100, -100];

/// So small that every single number can be moved.
fn tiny() -> EncoderConfig {
    EncoderConfig {
        vocab_size: 6,
        hidden_size: 4,
        num_hidden_layers: 2,
        num_attention_heads: 2,
        intermediate_size: 5,
        max_position_embeddings: 5,
        use_task_id: true,
        initializer_range: 0.4,
        layer_norm_eps: 1e-3,
        ..EncoderConfig::small(6)
    }
}

fn sentences() -> Batch {
    batch(&[&[2, 4, 5, 3, 1], &[2, 5]])
}

fn train() -> Mode {
    Mode::Train { seed: 3, step: 7 }
}

#[test]
fn gradients_of_every_variable_equal_finite_differences() {
    for hidden_act in [Activation::Gelu, Activation::Relu] {
        for mode in [Mode::Eval, train()] {
            let config = EncoderConfig { hidden_act, ..tiny() };
            let mut params = Params::new(2);
            let model = TokenClassifier::new(&mut params, &config, 3).unwrap();
            let vars: Vec<(&str, &Var)> = params.iter().collect();
            assert_eq!(vars.len(), 4 + 2 + 2 * 16 + 2);
            check_gradients(&vars, || {
                let logits = model.logits(&sentences(), mode).unwrap();
                cross_entropy(&logits, &LABELS, -100)
            });
        }
    }
}

#[test]
fn a_field_on_top_sends_gradients_through_everything() {
    let mut params = Params::new(2);
    let model = TokenClassifier::new(&mut params, &tiny(), 3).unwrap();
    let crf = Crf::new(&mut params, "crf.", 3).unwrap();
    let labels = Tensor::new(&[[0i64, 1, 2, 0, 0], [0, 1, 0, 0, 0]], &Device::Cpu).unwrap();
    let logits = model.logits(&sentences(), train()).unwrap();
    let gradients = crf.loss(&logits, &labels, &[5, 2]).unwrap().backward().unwrap();
    for (name, var) in params.iter() {
        let gradient = gradients.get(var).unwrap_or_else(|| panic!("{name} has no gradient"));
        assert!(flat(gradient).iter().any(|g| *g != 0.0), "{name}");
    }
}

#[test]
fn numbers_are_dropped_by_seed_and_step() {
    let mut params = Params::new(2);
    let model = TokenClassifier::new(&mut params, &tiny(), 3).unwrap();
    let logits = |mode| flat(&model.logits(&sentences(), mode).unwrap());
    let mode = |seed, step| Mode::Train { seed, step };
    assert_eq!(logits(mode(1, 1)), logits(mode(1, 1)));
    assert_ne!(logits(mode(1, 1)), logits(mode(1, 2)));
    assert_ne!(logits(mode(1, 1)), logits(mode(2, 1)));
    assert_ne!(logits(mode(1, 1)), logits(Mode::Eval));
    let still =
        EncoderConfig { hidden_dropout_prob: 0.0, attention_probs_dropout_prob: 0.0, ..tiny() };
    let mut params = Params::new(2);
    let model = TokenClassifier::new(&mut params, &still, 3).unwrap();
    let logits = |mode| flat(&model.logits(&sentences(), mode).unwrap());
    assert_eq!(logits(mode(1, 1)), logits(Mode::Eval));
}

/// Every number after `steps` steps; each loss.
fn run(params: Params, steps: u64) -> (Params, Vec<f32>) {
    let mut params = params;
    let model = TokenClassifier::new(&mut params, &tiny(), 3).unwrap();
    let mut adam = Adam::with_groups(AdamConfig::default(), &params, |name| Group {
        rate: if name.starts_with("classifier.") { 5.0 } else { 1.0 },
        weight_decay: if name.ends_with("bias") { 0.0 } else { 0.01 },
    });
    let mut losses = Vec::new();
    for step in 0..steps {
        let logits = model.logits(&sentences(), Mode::Train { seed: 4, step }).unwrap();
        let loss = cross_entropy(&logits, &LABELS, -100).unwrap();
        adam.step(&params, &loss.backward().unwrap(), 0.01).unwrap();
        losses.push(loss.to_scalar().unwrap());
    }
    (params, losses)
}

fn values(params: &Params) -> Vec<(String, Vec<f32>)> {
    params.iter().map(|(name, var)| (name.to_owned(), flat(var))).collect()
}

#[test]
fn it_learns_and_repeats_itself() {
    let (params, losses) = run(Params::new(1), 60);
    let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len() as f32;
    assert!(mean(&losses[50..]) < 0.3 * mean(&losses[..5]), "{losses:?}");
    let again = run(Params::new(1), 60);
    assert_eq!((values(&params), losses), (values(&again.0), again.1));
}

#[test]
fn a_frozen_layer_does_not_move_and_all_others_do() {
    const FROZEN: [&str; 2] = ["embeddings.", "encoder.layer.0."];
    let frozen = || Params::new(1).freeze(FROZEN);
    let (before, after) = (values(&run(frozen(), 0).0), values(&run(frozen(), 3).0));
    for ((name, before), (_, after)) in before.iter().zip(&after) {
        let still = FROZEN.iter().any(|prefix| name.starts_with(prefix));
        assert_eq!(before == after, still, "{name}");
    }
    assert_eq!(before, values(&run(Params::new(1), 0).0), "freezing changes no initial value");
    let params = run(frozen(), 0).0;
    assert_eq!(params.trained().count(), 16 + 2);
    assert_eq!(params.iter().count(), 4 + 2 + 2 * 16 + 2);
}
