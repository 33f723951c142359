//! A folder as Hugging Face stores models: configuration, weights, vocabulary.

use std::path::{Path, PathBuf};

use candle_core::{Device, Tensor};
use training_candle::params::Params;

use super::config::EncoderConfig;
use super::error::{EncoderError, Result};
use super::weights::{FIELD, HEAD, Weights};
use crate::tokens::Tokens;

/// A folder with `config.json`, `model.safetensors` and `tokenizer.json` or `vocab.txt`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    config: EncoderConfig,
}

/// Where the head comes from.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// It keeps its random values; one in the folder is ignored.
    New,
    /// Out of the folder, for these labels in order of their ids, which may be another one there;
    /// with a conditional random field
    /// behind it, if the variables have one.
    Stored(&'a [&'a str]),
}

/// What came of loading a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadReport {
    /// How many tensors were loaded.
    pub loaded: usize,
    /// The tensors of the file that were not, by name.
    pub ignored: Vec<String>,
}

/// What a file may hold under names of the encoder that has no place in it: a buffer that older
/// versions stored, and what other kinds of the same encoder have.
const KNOWN_EXTRAS: [&str; 3] = [
    "embeddings.position_ids",
    "embeddings.token_type_ids",
    "embeddings.task_type_embeddings.weight",
];

impl Folder {
    /// Opens a folder; reads its configuration.
    ///
    /// # Errors
    /// There is no such folder, or its `config.json` cannot be used.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let config = EncoderConfig::read(&path.join("config.json"))?;
        Ok(Self { path, config })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sizes of the encoder.
    pub fn config(&self) -> &EncoderConfig {
        &self.config
    }

    /// The folder's tokenizer, for the encoder of this folder.
    ///
    /// # Errors
    /// It cannot be read, or has another number of pieces than the encoder. An encoder may have
    /// up to 127 rows more: tables are padded to multiples of 8 to 128.
    pub fn tokens(&self) -> Result<Tokens> {
        let tokens = Tokens::open(&self.path)?;
        let (pieces, rows) = (tokens.size(), self.config.vocab_size);
        if pieces > rows || pieces + 128 <= rows {
            return Err(EncoderError::Vocabulary {
                path: tokens.path().to_owned(),
                reason: format!("{pieces} pieces, but the encoder has embeddings for {rows}"),
            });
        }
        Ok(tokens)
    }

    /// Whether there is a conditional random field behind the stored head.
    ///
    /// # Errors
    /// There are no weights, or they are no safetensors file as far as their names go: numbers are
    /// not read.
    pub fn has_field(&self) -> Result<bool> {
        Weights::has_field(&self.path)
    }

    /// Sets the encoder's variables among `params` to the weights of the folder, and those of the
    /// head if it is stored.
    ///
    /// # Errors
    /// The weights cannot be read, or do not fit: all tensors that are missing, have another shape,
    /// belong to an encoder of other sizes, or have a number that is none are named. Or the labels
    /// are not those of the head.
    /// No variable has changed then.
    pub fn load_into(&self, params: &Params, head: Head<'_>) -> Result<LoadReport> {
        let mut weights = Weights::read(&self.path)?;
        if !weights.rest().any(is_of_encoder) {
            return Err(EncoderError::OtherModel {
                path: weights.path().to_owned(),
                names: sample(&weights.rest().collect::<Vec<_>>()),
            });
        }
        let rows = match head {
            Head::New => Vec::new(),
            Head::Stored(labels) => self.rows(labels, &weights)?,
        };
        let wanted = |name: &str| {
            let of_head = name.starts_with(HEAD) || name.starts_with(FIELD);
            of_head && matches!(head, Head::Stored(_)) || is_of_encoder(name)
        };
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for (name, var) in params.iter().filter(|(name, _)| wanted(name)) {
            match weights.take(name, var.dims()) {
                Ok(tensor) => found.push((var, in_order(name, tensor, &rows)?)),
                Err(problem) => problems.push(problem),
            }
        }
        let unknown =
            weights.rest().filter(|name| is_of_encoder(name) && !KNOWN_EXTRAS.contains(name));
        problems.extend(unknown.map(|name| format!("{name} has no place in this encoder")));
        if !problems.is_empty() {
            let path = weights.path().to_owned();
            return Err(EncoderError::Tensors { path, problems });
        }
        for (var, tensor) in &found {
            var.set(tensor)?;
        }
        let ignored = weights.rest().map(str::to_owned).collect();
        Ok(LoadReport { loaded: found.len(), ignored })
    }

    /// The row of the head for each of the labels, by its name in the configuration. Where that
    /// names none, labels are as they come.
    fn rows(&self, labels: &[&str], weights: &Weights) -> Result<Vec<u32>> {
        let rows = weights.shape("classifier.bias").and_then(<[usize]>::first).copied();
        let (given, path) = (labels.len(), self.path.display());
        match rows {
            None => return Err(EncoderError::Labels(format!("{path} has no head"))),
            Some(rows) if rows != given => {
                return Err(EncoderError::Labels(format!(
                    "{given} are given, the head in {path} has {rows}"
                )));
            }
            Some(_) => {}
        }
        let stored = self.config.labels().unwrap_or_default();
        if !stored.iter().enumerate().any(|(id, label)| is_named(label, id)) {
            return Ok((0..given as u32).collect());
        }
        let row = |label: &&str| {
            let found = (0..).zip(&stored).find(|(_, stored)| *stored == label);
            found.map(|(row, _)| row).ok_or_else(|| {
                let all = stored.join(", ");
                EncoderError::Labels(format!("the head in {path} has no {label}; it has {all}"))
            })
        };
        labels.iter().map(row).collect()
    }
}

/// A tensor of the head with its rows as the labels need them, of transitions its columns, too; any
/// other tensor as it is.
fn in_order(name: &str, tensor: Tensor, rows: &[u32]) -> Result<Tensor> {
    let dims = match name {
        "crf.transitions" => 0..2,
        _ if name.starts_with(HEAD) || name.starts_with(FIELD) => 0..1,
        _ => return Ok(tensor),
    };
    let rows = Tensor::new(rows, &Device::Cpu)?;
    Ok(dims.into_iter().try_fold(tensor, |tensor, dim| tensor.index_select(&rows, dim))?)
}

/// Whether a label is more than the name that Hugging Face gives to one that has none.
fn is_named(label: &str, id: usize) -> bool {
    label != format!("LABEL_{id}")
}

/// How many names there are, and some of them.
fn sample(names: &[&str]) -> String {
    match names {
        [] => "nor any other".to_owned(),
        [one] => format!("only {one}"),
        [first, .., last] => format!("only {} others, {first} to {last}", names.len()),
    }
}

fn is_of_encoder(name: &str) -> bool {
    name.starts_with("embeddings.") || name.starts_with("encoder.")
}
