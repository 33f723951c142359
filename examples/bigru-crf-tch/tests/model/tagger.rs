//! The whole network: exact repetition, exact resume, checkpoints, errors.

use bigru_crf_tch::model::{Adam, AdamConfig, Ids, Mode, Tagger, TaggerConfig};

const LENGTHS: [usize; 3] = [5, 1, 3];

fn config() -> TaggerConfig {
    TaggerConfig { embedding: 4, hidden: 3, layers: 2, dropout: 0.0, ..TaggerConfig::new(10, 3) }
}

fn batch() -> (Ids, Ids) {
    let tokens = vec![3, 4, 5, 6, 3, /**/ 7, 0, 0, 0, 0, /**/ 2, 2, 9, 0, 0];
    let labels = vec![0, 1, 2, 2, 1, /**/ 1, 0, 0, 0, 0, /**/ 2, 0, 1, 0, 0];
    (Ids { values: tokens, width: 5 }, Ids { values: labels, width: 5 })
}

fn values(tagger: &Tagger) -> Vec<f32> {
    let numbers = |var: &tch::Tensor| Vec::<f32>::try_from(var.detach().reshape(-1)).unwrap();
    tagger.params().iter().flat_map(|(_, var)| numbers(var)).collect()
}

/// Trains `steps` steps from the optimiser's own count.
fn train(tagger: &mut Tagger, adam: &mut Adam, steps: u64) {
    let (tokens, labels) = batch();
    for _ in 0..steps {
        let mode = Mode::Train { seed: 5, step: adam.steps() };
        let loss = tagger.loss(&tokens, &labels, &LENGTHS, mode).unwrap();
        let gradients = tagger.params().gradients(&loss).unwrap();
        adam.step(tagger.params_mut(), &gradients, 0.05).unwrap();
    }
}

fn adam(tagger: &Tagger) -> Adam {
    Adam::new(AdamConfig::default(), tagger.params())
}

#[test]
fn same_seed_same_numbers() {
    let run = |seed: u64| {
        let config = TaggerConfig { dropout: 0.4, id_dropout: 0.2, ..config() };
        let mut tagger = Tagger::new(config, seed).unwrap();
        let mut adam = adam(&tagger);
        train(&mut tagger, &mut adam, 5);
        values(&tagger)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_resumed_run_is_bit_identical() {
    let config = TaggerConfig { dropout: 0.4, id_dropout: 0.2, ..config() };
    let folder = tempfile::tempdir().unwrap();
    let (model, state) = (folder.path().join("model"), folder.path().join("adam"));
    let mut whole = Tagger::new(config.clone(), 1).unwrap();
    let mut of_whole = adam(&whole);
    train(&mut whole, &mut of_whole, 4);
    whole.params().save(&model).unwrap();
    of_whole.save(&state).unwrap();
    train(&mut whole, &mut of_whole, 6);

    let mut resumed = Tagger::new(config, 99).unwrap();
    resumed.params_mut().load(&model).unwrap();
    let mut of_resumed = adam(&resumed);
    of_resumed.load(&state).unwrap();
    assert_eq!(of_resumed.steps(), 4);
    train(&mut resumed, &mut of_resumed, 6);
    assert_eq!(values(&whole), values(&resumed));
}

#[test]
fn learns_its_three_rows() {
    let mut tagger = Tagger::new(config(), 1).unwrap();
    let mut adam = adam(&tagger);
    train(&mut tagger, &mut adam, 80);
    let paths = tagger.decode(&batch().0, &LENGTHS).unwrap();
    assert_eq!(paths, [vec![0, 1, 2, 2, 1], vec![1], vec![2, 0, 1]]);
}

#[test]
fn a_checkpoint_of_another_shape_names_every_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    Tagger::new(config(), 1).unwrap().params().save(&path).unwrap();
    let other = TaggerConfig { vocab: 11, labels: 4, layers: 1, ..config() };
    let mut other = Tagger::new(other, 2).unwrap();
    let before = values(&other);
    let error = other.params_mut().load(&path).unwrap_err().to_string();
    for part in [
        "embedding.weight has shape [10, 4], expected [11, 4]",
        "linear.bias has shape [3], expected [4]",
        "gru.bias_hh_l1_reverse is unknown to this model",
    ] {
        assert!(error.contains(part), "{part} not in: {error}");
    }
    assert_eq!(values(&other), before, "a failing load changes nothing");
    assert!(other.params_mut().load(&folder.path().join("none")).is_err());
}

#[test]
fn the_optimiser_refuses_what_would_go_wrong_silently() {
    let mut tagger = Tagger::new(config(), 1).unwrap();
    let mut adam = adam(&tagger);
    let before = values(&tagger);
    let (_, bias) = tagger.params().iter().find(|(n, _)| *n == "linear.bias").unwrap();
    let loss = bias.sum(tch::Kind::Float);
    let error = tagger.params().gradients(&loss).unwrap_err().to_string();
    assert!(error.contains("got no gradient"), "{error}");
    let (tokens, labels) = batch();
    let loss = tagger.loss(&tokens, &labels, &LENGTHS, Mode::Eval).unwrap() * f64::NAN;
    let gradients = tagger.params().gradients(&loss).unwrap();
    let error = adam.step(tagger.params_mut(), &gradients, 0.1).unwrap_err().to_string();
    assert!(error.contains("norm"), "{error}");
    assert_eq!((values(&tagger), adam.steps()), (before, 0));
}

#[test]
fn wrong_input_is_an_error_with_a_place() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let message = |ids: [i64; 2], lengths: &[usize]| {
        let tokens = Ids { values: ids.to_vec(), width: 2 };
        tagger.decode(&tokens, lengths).unwrap_err().to_string()
    };
    assert!(message([1, 10], &[2]).contains("row 0, column 1: id 10"));
    assert!(message([1, 1], &[2, 2]).contains("[1, 2]"));
    assert!(message([1, 1], &[3]).contains("row 0"));
}

#[test]
fn rows_without_tokens_have_no_path() {
    let tagger = Tagger::new(config(), 1).unwrap();
    let none = Ids { values: Vec::new(), width: 0 };
    assert_eq!(tagger.decode(&none, &[0, 0]).unwrap(), [vec![], vec![]] as [Vec<u32>; 2]);
    let some = Ids { values: vec![0; 4], width: 2 };
    let paths = tagger.decode(&some, &[0, 2]).unwrap();
    assert_eq!((paths[0].len(), paths[1].len()), (0, 2));
}
