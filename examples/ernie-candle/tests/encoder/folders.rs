//! Each bad folder and each bad batch has one clear error.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use ernie_candle::encoder::{Batch, EncoderError, Folder, Head, LoadReport, TokenClassifier};
use tempfile::TempDir;
use training_candle::params::Params;
use training_loop::model::Mode;

use crate::common::{LABELS, batch, flat, golden};

pub(crate) const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";

/// A copy of a good folder, with a vocabulary of as many pieces as it has embeddings.
pub(crate) fn copy() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "model.safetensors"] {
        fs::copy(golden("ernie-3").join(name), folder.path().join(name)).unwrap();
    }
    let more: String = (5..32).map(|i| format!("w{i}\n")).collect();
    fs::write(folder.path().join("vocab.txt"), format!("{PIECES}{more}")).unwrap();
    folder
}

pub(crate) fn weights(folder: &Path) -> PathBuf {
    folder.join("model.safetensors")
}

pub(crate) fn change_config(folder: &Path, from: &str, to: &str) {
    let path = folder.join("config.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

pub(crate) fn change_weights(folder: &Path, change: impl FnOnce(&mut HashMap<String, Tensor>)) {
    let path = weights(folder);
    let mut tensors = candle_core::safetensors::load(&path, &Device::Cpu).unwrap();
    change(&mut tensors);
    candle_core::safetensors::save(&tensors, path).unwrap();
}

pub(crate) fn load(folder: &Path, head: Head<'_>) -> Result<LoadReport, EncoderError> {
    let folder = Folder::open(folder)?;
    let mut params = Params::new(1);
    let labels = match head {
        Head::New => LABELS.len(),
        Head::Stored(labels) => labels.len(),
    };
    TokenClassifier::new(&mut params, folder.config(), labels)?;
    let before: Vec<Vec<f32>> = params.iter().map(|(_, var)| flat(var)).collect();
    let report = folder.load_into(&params, head);
    if report.is_err() {
        let after: Vec<Vec<f32>> = params.iter().map(|(_, var)| flat(var)).collect();
        assert_eq!(before, after, "an error changes nothing");
    }
    report
}

#[test]
fn the_good_one_is_good() {
    let folder = copy();
    load(folder.path(), Head::Stored(&LABELS)).unwrap();
    let report = load(folder.path(), Head::New).unwrap();
    assert_eq!(report.ignored, ["classifier.bias", "classifier.weight"]);
    assert_eq!(Folder::open(folder.path()).unwrap().tokens().unwrap().size(), 32);
}

#[test]
fn a_folder_without_configuration() {
    let error = Folder::open("no/such/folder").unwrap_err();
    assert!(matches!(error, EncoderError::Read { .. }));
    assert!(error.to_string().contains("config.json"), "{error}");
}

#[test]
fn configurations_that_cannot_be() {
    for (from, to, message) in [
        ("\"ernie\"", "\"roberta\"", "unknown variant `roberta`"),
        ("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"swish\"", "unknown variant `swish`"),
        ("\"num_attention_heads\": 3", "\"num_attention_heads\": 5", "no multiple"),
        ("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 501", "not between 1 and 500"),
        ("\"hidden_size\": 12", "\"hidden_size\": \"12\"", "invalid type: string \"12\""),
        ("\"hidden_size\"", "\"d_model\"", "missing field `hidden_size`"),
        ("{", "", "config.json: "),
    ] {
        let folder = copy();
        change_config(folder.path(), from, to);
        let error = Folder::open(folder.path()).unwrap_err();
        assert!(matches!(error, EncoderError::Config { .. }), "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert!(error.to_string().contains("config.json"), "{error}");
    }
}

#[test]
fn files_of_weights_that_are_none() {
    let error = |spoil: fn(&Path)| {
        let folder = copy();
        spoil(folder.path());
        let error = load(folder.path(), Head::New).unwrap_err();
        assert!(matches!(error, EncoderError::Weights { .. }), "{error}");
        error.to_string()
    };
    let missing = error(|folder| fs::remove_file(weights(folder)).unwrap());
    assert!(missing.ends_with("model.safetensors: missing"), "{missing}");
    let cut = error(|folder| {
        let bytes = fs::read(weights(folder)).unwrap();
        fs::write(weights(folder), &bytes[..bytes.len() - 100]).unwrap();
    });
    assert!(cut.contains("no whole safetensors file"), "{cut}");
    let other = error(|folder| fs::write(weights(folder), "no weights").unwrap());
    assert!(other.contains("no whole safetensors file"), "{other}");
}

#[test]
fn folders_in_place_of_files() {
    for name in ["config.json", "model.safetensors", "vocab.txt"] {
        let folder = copy();
        let path = folder.path().join(name);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let loaded = Folder::open(folder.path()).and_then(|opened| {
            opened.tokens()?;
            load(folder.path(), Head::New)
        });
        let error = loaded.unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("s a directory"), "{error}");
    }
}

#[test]
fn weights_of_half_precision_are_read() {
    for element_type in [DType::F16, DType::BF16, DType::F64] {
        let folder = copy();
        change_weights(folder.path(), |tensors| {
            tensors.values_mut().for_each(|t| *t = t.to_dtype(element_type).unwrap());
        });
        load(folder.path(), Head::Stored(&LABELS)).unwrap();
    }
}

#[test]
fn weights_that_are_no_numbers() {
    let spoilt = |name: &str, tensor: Tensor| {
        let folder = copy();
        change_weights(folder.path(), |tensors| drop(tensors.insert(name.to_owned(), tensor)));
        let error = load(folder.path(), Head::New).unwrap_err();
        assert!(matches!(error, EncoderError::Tensors { .. }), "{error}");
        error.to_string()
    };
    let name = "ernie.embeddings.LayerNorm.bias";
    let infinite = Tensor::full(f32::INFINITY, 12, &Device::Cpu).unwrap();
    let error = spoilt(name, infinite);
    assert!(
        error.ends_with(": embeddings.LayerNorm.bias has numbers that are infinite or NaN"),
        "{error}"
    );
    let error = spoilt(name, Tensor::zeros(12, DType::I64, &Device::Cpu).unwrap());
    assert!(error.contains("embeddings.LayerNorm.bias has type i64, expected f32"), "{error}");
}

#[test]
fn all_tensors_that_do_not_fit_are_named() {
    let folder = copy();
    change_weights(folder.path(), |tensors| {
        tensors.remove("ernie.embeddings.word_embeddings.weight").unwrap();
        tensors.remove("ernie.encoder.layer.2.output.dense.bias").unwrap();
        let short = Tensor::zeros(7, DType::F32, &Device::Cpu).unwrap();
        tensors.insert("ernie.embeddings.LayerNorm.bias".to_owned(), short.clone());
        tensors.insert("ernie.encoder.layer.3.output.dense.bias".to_owned(), short.clone());
        tensors.insert("ernie.something.else".to_owned(), short);
    });
    let error = load(folder.path(), Head::Stored(&LABELS)).unwrap_err();
    let EncoderError::Tensors { problems, .. } = &error else { panic!("{error}") };
    assert_eq!(
        problems,
        &[
            "embeddings.LayerNorm.bias has shape [7], expected [12]",
            "embeddings.word_embeddings.weight is missing",
            "encoder.layer.2.output.dense.bias is missing",
            "encoder.layer.3.output.dense.bias has no place in this encoder",
        ]
    );
}

#[test]
fn a_configuration_of_other_sizes_than_the_weights() {
    let folder = copy();
    change_config(folder.path(), "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2");
    let error = load(folder.path(), Head::New).unwrap_err().to_string();
    assert!(error.contains("encoder.layer.2.output.dense.bias has no place"), "{error}");
    let folder = copy();
    change_config(folder.path(), "\"vocab_size\": 32", "\"vocab_size\": 31");
    let error = load(folder.path(), Head::New).unwrap_err().to_string();
    let wanted = "word_embeddings.weight has shape [32, 12], expected [31, 12]";
    assert!(error.contains(wanted), "{error}");
}

#[test]
fn vocabularies_that_do_not_match_the_embedding() {
    for (pieces, good) in [(33, false), (32, true), (31, true)] {
        let folder = copy();
        let more: String = (5..pieces).map(|i| format!("w{i}\n")).collect();
        fs::write(folder.path().join("vocab.txt"), format!("{PIECES}{more}")).unwrap();
        let tokens = Folder::open(folder.path()).unwrap().tokens();
        match tokens {
            Ok(tokens) => assert!(good && tokens.size() == pieces),
            Err(error) => {
                assert!(!good && matches!(error, EncoderError::Vocabulary { .. }), "{error}");
                let message = error.to_string();
                let wanted = "vocab.txt: 33 pieces, but the encoder has embeddings for 32";
                assert!(message.ends_with(wanted), "{message}");
            }
        }
    }
    let folder = copy();
    change_config(folder.path(), "\"vocab_size\": 32", "\"vocab_size\": 160");
    let error = Folder::open(folder.path()).unwrap().tokens().unwrap_err().to_string();
    assert!(error.ends_with("32 pieces, but the encoder has embeddings for 160"), "{error}");
}

#[test]
fn labels_that_do_not_match_the_head() {
    let folder = copy();
    let error = |labels: &[&str]| {
        let error = load(folder.path(), Head::Stored(labels)).unwrap_err();
        assert!(matches!(error, EncoderError::Labels(_)), "{error}");
        error.to_string()
    };
    assert!(error(&LABELS[..4]).contains("4 are given, the head in"));
    let other = error(&["O", "B-PER", "I-PER", "B-LOC", "I-ORG"]);
    assert!(other.ends_with(" has no I-ORG; it has O, B-PER, I-PER, B-LOC, I-LOC"), "{other}");
    change_weights(folder.path(), |tensors| {
        tensors.remove("classifier.bias").unwrap();
    });
    assert!(error(&LABELS).contains("has no head"));
    let error =
        TokenClassifier::new(&mut Params::new(1), Folder::open(folder.path()).unwrap().config(), 0);
    assert!(matches!(error.unwrap_err(), EncoderError::Labels(_)));
}

#[test]
fn batches_that_cannot_be_computed() {
    let folder = Folder::open(golden("ernie-3")).unwrap();
    let mut params = Params::new(1);
    let model = TokenClassifier::new(&mut params, folder.config(), 3).unwrap();
    let error = |batch: &Batch| model.logits(batch, Mode::Eval).unwrap_err();
    let long = error(&batch(&[&[1; 12], &[1; 13]]));
    assert!(matches!(long, EncoderError::TooLong { row: 1, length: 13, limit: 12 }), "{long}");
    assert_eq!(long.to_string(), "row 1: 13 tokens, but the encoder has 12 positions");
    let id = error(&batch(&[&[1, 2], &[3, 32]]));
    assert_eq!(id.to_string(), "row 1, column 1: token id 32 is not below 32");
    for (token, message) in [
        ([1, 4, 0], "row 0, column 0: token type id 4 is not below 4"),
        ([1, 0, 5], "row 0, column 0: task type id 5 is not below 5"),
    ] {
        let mut batch = Batch::default();
        batch.push_typed([token]);
        assert_eq!(error(&batch).to_string(), message);
    }
    assert_eq!(error(&Batch::default()).to_string(), "a batch without sentences");
    assert_eq!(error(&batch(&[&[1], &[]])).to_string(), "row 1: no tokens");
}
