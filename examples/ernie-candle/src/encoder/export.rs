//! A folder as transformers reads it: `config.json`, `model.safetensors`.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use candle_core::Var;
use serde::Serialize;
use training_candle::params::Params;
use training_loop::run::replace;

use super::config::{EncoderConfig, ModelType};
use super::error::{EncoderError, Result};
use super::weights::{FIELD, FIELD_FILE, FILE, HEAD};

/// What `config.json` says besides the sizes.
#[derive(Serialize)]
struct Described<'a> {
    architectures: [&'static str; 1],
    #[serde(flatten)]
    config: &'a EncoderConfig,
    label2id: BTreeMap<&'a str, usize>,
}

/// Writes the `config.json` of a token classifier.
///
/// # Errors
/// The file cannot be written.
pub fn write_config(config: &EncoderConfig, folder: &Path) -> Result<()> {
    let architecture = match config.model_type {
        ModelType::Bert => "BertForTokenClassification",
        ModelType::Ernie => "ErnieForTokenClassification",
    };
    let label2id = config.id2label.iter().map(|(&id, label)| (label.as_str(), id)).collect();
    let described = Described { architectures: [architecture], config, label2id };
    let path = folder.join("config.json");
    let text = serde_json::to_string_pretty(&described)
        .map_err(|error| EncoderError::Config { path: path.clone(), reason: error.to_string() })?;
    fs::write(&path, text + "\n").map_err(|source| EncoderError::Write { path, source })
}

/// Writes the weights of a token classifier under transformers' names; a conditional random field,
/// which it knows none, into a file of its own. What is there is replaced at once.
///
/// # Errors
/// A file cannot be written.
pub fn write_weights(params: &Params, model_type: ModelType, folder: &Path) -> Result<()> {
    let prefix = match model_type {
        ModelType::Bert => "bert.",
        ModelType::Ernie => "ernie.",
    };
    let (field, model): (Vec<_>, Vec<_>) =
        params.iter().partition(|(name, _)| name.starts_with(FIELD));
    let named = |(name, var): (&str, _)| match name.starts_with(HEAD) {
        true => (name.to_owned(), var),
        false => (format!("{prefix}{name}"), var),
    };
    write(model.into_iter().map(named), &folder.join(FILE))?;
    if field.is_empty() {
        return Ok(());
    }
    let named = |(name, var): (&str, _)| (name.to_owned(), var);
    write(field.into_iter().map(named), &folder.join(FIELD_FILE))
}

fn write<'a>(tensors: impl Iterator<Item = (String, &'a Var)>, path: &Path) -> Result<()> {
    // Without it transformers refuses the file.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    let tensors = tensors.map(|(name, var)| (name, var.as_tensor()));
    let write = |new: &Path| {
        safetensors::serialize_to_file(tensors, Some(metadata), new).map_err(|error| {
            EncoderError::Weights { path: new.to_owned(), reason: format!("not written: {error}") }
        })
    };
    replace(path, write, |path, source| EncoderError::Write { path, source })
}
