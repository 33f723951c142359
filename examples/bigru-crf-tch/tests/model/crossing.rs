//! The network in tch is the network in candle: the same numbers from the same seed, the same loss
//! and gradients, and weights that cross over.

use bigru_crf_candle::network::CandleNetwork;
use bigru_crf_tch::model::{Ids, Tagger, scalar};
use bigru_crf_tch::network::TchNetwork;
use candle_core::Device;
use training_loop::bigru::{self, Batch, BiGru, Config, TaggerConfig, Tokens};
use training_loop::corpus::{Corpus, Labels, Rows};
use training_loop::model::Mode;
use training_loop::network::Network;
use training_loop::run::{Evaluation, Evaluator, Files};
use training_loop::settings::DataSource;

fn config() -> TaggerConfig {
    TaggerConfig { embedding: 6, hidden: 5, layers: 2, ..TaggerConfig::new(20, 4) }
}

/// Rows with padding between them, one of them empty.
const LENGTHS: [usize; 4] = [3, 0, 7, 5];
const WIDTH: usize = 8;

fn ids(below: usize) -> Vec<i64> {
    (0..LENGTHS.len() * WIDTH).map(|i| (i * 7 % below) as i64).collect()
}

fn close(found: &[f32], expected: &[f32], name: &str) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(expected) {
        let near = (found - expected).abs() < 1e-5 * (1.0 + expected.abs());
        assert!(near, "{name}: {found}, not {expected}");
    }
}

#[test]
fn loss_and_gradients_of_one_seed_agree() {
    let here = Tagger::new(config(), 3).unwrap();
    let there = bigru_crf_candle::model::Tagger::new(config(), 3).unwrap();
    let tokens = |values: Vec<i64>| {
        candle_core::Tensor::from_vec(values, (LENGTHS.len(), WIDTH), &Device::Cpu).unwrap()
    };
    for mode in [Mode::Eval, Mode::Train { seed: 9, step: 4 }] {
        let loss = there.loss(&tokens(ids(20)), &tokens(ids(4)), &LENGTHS, mode).unwrap();
        let expected = loss.backward().unwrap();
        let of = |values| Ids { values, width: WIDTH };
        let found = here.loss(&of(ids(20)), &of(ids(4)), &LENGTHS, mode).unwrap();
        close(&[scalar(&found).unwrap() as f32], &[loss.to_scalar().unwrap()], "loss");
        let gradients = here.params().gradients(&found).unwrap();
        let pairs = here.params().iter().zip(there.params().iter());
        for ((pair, gradient), index) in pairs.zip(&gradients).zip(0..) {
            let ((name, var), (candle_name, candle_var)) = pair;
            assert_eq!(name, candle_name, "variable {index}");
            let numbers = |t: &tch::Tensor| Vec::<f32>::try_from(t.reshape(-1)).unwrap();
            let candle = |t: &candle_core::Tensor| t.flatten_all().unwrap().to_vec1().unwrap();
            assert_eq!(numbers(&var.detach()), candle(candle_var), "{name} at the start");
            close(&numbers(gradient), &candle(expected.get(candle_var).unwrap()), name);
        }
    }
}

/// A small corpus of waybills: tokens, labels, train, dev and test.
type Data = (Tokens, Labels, [Rows<Vec<Vec<u32>>>; 3]);

fn data() -> Data {
    let source = DataSource::Generated { sentences: 300, seed: 1 };
    let corpus = Corpus::load(&source).unwrap();
    let labels = Labels::new(&corpus.train, None).unwrap();
    let tokens = Tokens::new(&corpus.train, 1).unwrap();
    let rows = [&corpus.train, &corpus.dev, &corpus.test]
        .map(|split| Rows { inputs: tokens.encode(split), labels: labels.encode(split).unwrap() });
    (tokens, labels, rows)
}

fn trained<T: bigru::Tagger>((tokens, labels, [train, ..]): &Data, steps: usize) -> BiGru<T> {
    let tokens = tokens.names();
    let sizes = TaggerConfig::new(tokens.len(), labels.len());
    let sizes = TaggerConfig { embedding: 24, hidden: 24, dropout: 0.1, ..sizes };
    let config = Config { sizes, min_count: 1, tokens };
    let mut network = BiGru::<T>::stored(&config, labels, &Files::of("."), 5).unwrap();
    let rows: Vec<usize> = (0..train.labels.len()).collect();
    for (step, rows) in rows.chunks(16).cycle().take(steps).enumerate() {
        network.train(&Batch { data: train, rows }, step as u64, 0.02).unwrap();
    }
    network
}

fn scores(network: &impl Network<Inputs = Vec<Vec<u32>>>, data: &Data, split: usize) -> Evaluation {
    Evaluator::new(&data.1, 16).unwrap().run(network, &data.2[split]).unwrap()
}

#[test]
fn trained_weights_cross_over_and_tag_alike() {
    let data = data();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    let there = trained::<CandleNetwork>(&data, 80);
    there.save_weights(&path).unwrap();
    let mut here = trained::<TchNetwork>(&data, 0);
    here.load_weights(&path).unwrap();

    let (expected, found) = (scores(&there, &data, 2), scores(&here, &data, 2));
    assert!(expected.report.overall.f1 > 0.5, "{:?}", expected.report.overall);
    assert_eq!(found.predicted, expected.predicted);
    assert_eq!(found.report, expected.report);

    // And back, the optimiser too.
    let (back, adam) = (folder.path().join("back"), folder.path().join("adam"));
    here.save_weights(&back).unwrap();
    let mut again = trained::<CandleNetwork>(&data, 0);
    again.load_weights(&back).unwrap();
    assert_eq!(scores(&again, &data, 2).predicted, expected.predicted);
    there.save_optimizer(&adam).unwrap();
    here.load_optimizer(&adam).unwrap();
    here.save_optimizer(&back).unwrap();
    again.load_optimizer(&back).unwrap();
}

#[test]
fn both_learn_as_much_in_as_many_steps() {
    let data = data();
    let there = scores(&trained::<CandleNetwork>(&data, 60), &data, 1).report.overall.f1;
    let here = scores(&trained::<TchNetwork>(&data, 60), &data, 1).report.overall.f1;
    assert!((there - here).abs() < 0.03, "candle {there}, tch {here}");
}
