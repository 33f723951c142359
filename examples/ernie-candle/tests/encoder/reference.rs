//! States, logits, loss and gradients against those of transformers; `tests/golden/README.md`.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use ernie_candle::encoder::{Batch, Encoder, EncoderConfig, Folder, Head, TokenClassifier};
use training_candle::cross_entropy::cross_entropy;
use training_candle::params::Params;
use training_loop::model::Mode;

use crate::common::{LABELS, flat, golden};

/// A golden folder: what was computed for it, and the inputs.
struct Case {
    name: &'static str,
    folder: Folder,
    expected: HashMap<String, Tensor>,
    lengths: Vec<usize>,
    width: usize,
}

impl Case {
    fn open(name: &'static str) -> Self {
        let path = golden(name);
        let expected =
            candle_core::safetensors::load(path.join("expected.safetensors"), &Device::Cpu)
                .unwrap();
        let mask = ids(&expected["attention_mask"]);
        let lengths = mask.iter().map(|row| row.iter().filter(|&&m| m == 1).count()).collect();
        Self { name, folder: Folder::open(path).unwrap(), width: mask[0].len(), lengths, expected }
    }

    fn config(&self) -> &EncoderConfig {
        self.folder.config()
    }

    fn batch(&self) -> Batch {
        let tokens = ids(&self.expected["input_ids"]);
        let types = ids(&self.expected["token_type_ids"]);
        let tasks = self.expected.get("task_type_ids").map(ids);
        let mut batch = Batch::default();
        for (row, &length) in self.lengths.iter().enumerate() {
            batch.push_typed((0..length).map(|column| {
                let task = tasks.as_ref().map_or(0, |tasks| tasks[row][column]);
                [tokens[row][column], types[row][column], task].map(|id| id as u32)
            }));
        }
        batch
    }

    /// The rows of a tensor `[B, T, C]` that belong to tokens, one behind the other.
    fn packed(&self, tensor: &Tensor) -> Vec<f32> {
        let rows = self.lengths.iter().enumerate();
        rows.flat_map(|(row, &length)| {
            flat(&tensor.get(row).unwrap().narrow(0, 0, length).unwrap())
        })
        .collect()
    }

    fn compare(&self, what: &str, got: &[f32], want: &[f32]) {
        assert_eq!(got.len(), want.len(), "{}: {what}", self.name);
        let furthest = got.iter().zip(want).map(|(g, w)| (g - w).abs()).fold(0.0, f32::max);
        assert!(furthest < 1e-5, "{}: {what} is {furthest} off", self.name);
        assert!(got.iter().all(|value| value.is_finite()), "{}: {what}", self.name);
    }

    fn compare_states(&self, encoder: &Encoder) {
        let states = encoder.states(&self.batch(), Mode::Eval).unwrap();
        assert_eq!(states.len(), self.config().num_hidden_layers + 1);
        for (layer, states) in states.iter().enumerate() {
            let name = format!("hidden_states.{layer}");
            self.compare(&name, &flat(states), &self.packed(&self.expected[&name]));
        }
        let last = encoder.forward(&self.batch(), Mode::Eval).unwrap();
        assert_eq!(flat(&last), flat(&states[states.len() - 1]));
    }
}

fn ids(tensor: &Tensor) -> Vec<Vec<i64>> {
    tensor.to_dtype(DType::I64).unwrap().to_vec2().unwrap()
}

#[test]
fn states_of_encoders_without_a_head() {
    for (name, ignored) in [
        ("bert-relu", &["pooler.dense.bias", "pooler.dense.weight"][..]),
        (
            "bert-old-names",
            &["embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"],
        ),
        ("ernie-plain", &["pooler.dense.bias", "pooler.dense.weight"]),
    ] {
        let case = Case::open(name);
        let mut params = Params::new(1);
        let encoder = Encoder::new(&mut params, case.config()).unwrap();
        let report = case.folder.load_into(&params, Head::New).unwrap();
        assert_eq!(report.ignored, ignored, "{name}");
        assert_eq!(report.loaded, params.iter().count());
        case.compare_states(&encoder);
    }
}

#[test]
fn states_logits_loss_and_gradients_of_token_classifiers() {
    for name in ["bert-gelu", "ernie-1", "ernie-3"] {
        let case = Case::open(name);
        let mut params = Params::new(1);
        let model = TokenClassifier::new(&mut params, case.config(), LABELS.len()).unwrap();
        let report = case.folder.load_into(&params, Head::Stored(&LABELS)).unwrap();
        assert_eq!((report.loaded, report.ignored), (params.iter().count(), Vec::new()));
        case.compare_states(model.encoder());

        let logits = model.logits(&case.batch(), Mode::Eval).unwrap();
        assert_eq!(logits.dims(), [case.lengths.len(), case.width, LABELS.len()]);
        case.compare("logits", &case.packed(&logits), &case.packed(&case.expected["logits"]));

        let labels = flat_ids(&case.expected["labels"]);
        let loss = cross_entropy(&logits, &labels, -100).unwrap();
        case.compare("loss", &flat(&loss), &flat(&case.expected["loss"]));
        let gradients = loss.backward().unwrap();
        for (variable, var) in params.iter() {
            let gradient = gradients.get(var).unwrap_or_else(|| panic!("{variable}: no gradient"));
            let want = &case.expected[&format!("grad.{variable}")];
            case.compare(&format!("gradient of {variable}"), &flat(gradient), &flat(want));
        }
    }
}

fn flat_ids(tensor: &Tensor) -> Vec<i64> {
    ids(tensor).concat()
}

#[test]
fn padding_and_neighbours_change_nothing() {
    let case = Case::open("ernie-3");
    let mut params = Params::new(1);
    let encoder = Encoder::new(&mut params, case.config()).unwrap();
    case.folder.load_into(&params, Head::New).unwrap();
    let all = flat(&encoder.forward(&case.batch(), Mode::Eval).unwrap());
    let tokens = ids(&case.expected["input_ids"]);
    let types = ids(&case.expected["token_type_ids"]);
    let tasks = ids(&case.expected["task_type_ids"]);
    let mut alone = Vec::new();
    for (row, &length) in case.lengths.iter().enumerate() {
        let mut batch = Batch::default();
        batch.push_typed((0..length).map(|column| {
            [tokens[row][column], types[row][column], tasks[row][column]].map(|id| id as u32)
        }));
        alone.extend(flat(&encoder.forward(&batch, Mode::Eval).unwrap()));
    }
    case.compare("a sentence alone", &alone, &all);
}
