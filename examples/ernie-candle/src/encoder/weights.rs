//! The tensors of a file of weights, under the names that the encoder uses.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use serde::de::IgnoredAny;
use training_candle::{bare, slices};

use super::error::{EncoderError, Result};
use super::text::check_pointer;

/// The weights of a folder.
#[derive(Debug)]
pub(super) struct Weights {
    path: PathBuf,
    tensors: BTreeMap<String, Tensor>,
}

/// The file of weights in a folder.
pub(super) const FILE: &str = "model.safetensors";

/// The file of a conditional random field in a folder. It is no part of `model.safetensors`,
/// because transformers knows none.
pub(super) const FIELD_FILE: &str = "crf.safetensors";

/// What the names of its variables begin with.
pub(crate) const FIELD: &str = "crf.";

/// What the names of the head's variables begin with.
pub(crate) const HEAD: &str = "classifier.";

/// Weights in several files.
const INDEX: &str = "model.safetensors.index.json";

/// What stands before the names of an encoder's tensors when it has a head.
const PREFIXES: [&str; 2] = ["bert.", "ernie."];

/// Endings of names in old files, and what they are called now.
const RENAMED: [(&str, &str); 2] =
    [("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias")];

impl Weights {
    /// Reads `model.safetensors` of a folder, and the conditional random field beside it if there
    /// is one.
    ///
    /// # Errors
    /// The file is missing, cut off or no safetensors file, or two of its tensors are the same one
    /// under an old and a new name.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let (path, field) = files(folder)?;
        let mut tensors = BTreeMap::new();
        read_into(&mut tensors, &path)?;
        if let Some(field) = field {
            read_into(&mut tensors, &field)?;
        }
        Ok(Self { path, tensors })
    }

    /// Whether there is a conditional random field in a folder, by the names of its tensors.
    ///
    /// # Errors
    /// The file is missing, or no safetensors file.
    pub(super) fn has_field(folder: &Path) -> Result<bool> {
        let (path, field) = files(folder)?;
        let is_there = |path: &Path| -> Result<bool> {
            Ok(names(path)?.iter().any(|name| name.starts_with(FIELD)))
        };
        match is_there(&path)? {
            true => Ok(true),
            false => field.as_deref().map_or(Ok(false), is_there),
        }
    }

    /// Takes out the tensor of a variable, or says what is wrong with it.
    pub(super) fn take(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> std::result::Result<Tensor, String> {
        let Some(tensor) = self.tensors.remove(name) else {
            return Err(format!("{name} is missing"));
        };
        if tensor.dims() != shape {
            return Err(format!("{name} has shape {:?}, expected {shape:?}", tensor.dims()));
        }
        match tensor.dtype() {
            DType::F32 | DType::F16 | DType::BF16 | DType::F64 => {
                let wrong = |error| format!("{name}: {}", bare(error));
                let numbers = tensor.to_dtype(DType::F32).map_err(wrong)?;
                match slices::is_finite(&numbers).map_err(wrong)? {
                    true => Ok(numbers),
                    false => Err(format!("{name} has numbers that are infinite or NaN")),
                }
            }
            other => Err(format!("{name} has type {}, expected f32", other.as_str())),
        }
    }

    /// The shape of a tensor that is still there.
    pub(super) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(Tensor::dims)
    }

    /// The names of the tensors that are still there.
    pub(super) fn rest(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The file of weights, and that of a conditional random field if there is one.
fn files(folder: &Path) -> Result<(PathBuf, Option<PathBuf>)> {
    let (path, field) = (folder.join(FILE), folder.join(FIELD_FILE));
    if !path.exists() {
        return Err(EncoderError::Weights { path, reason: missing(folder) });
    }
    let field = Some(field).filter(|field| field.exists());
    Ok((path, field))
}

/// The names of the tensors of a file, which stand at its beginning: the length of the table in
/// eight bytes, then the table in JSON.
fn names(path: &Path) -> Result<Vec<String>> {
    check_pointer(path)?;
    let read = || -> io::Result<BTreeMap<String, IgnoredAny>> {
        let mut file = File::open(path)?;
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let mut table = Vec::new();
        file.take(u64::from_le_bytes(length)).read_to_end(&mut table)?;
        Ok(serde_json::from_slice(&table)?)
    };
    match read() {
        Ok(table) => Ok(table.keys().map(|name| our_name(name)).collect()),
        Err(error) => Err(not_whole(path, error)),
    }
}

fn not_whole(path: &Path, error: impl Display) -> EncoderError {
    let reason = format!("no whole safetensors file: {error}");
    EncoderError::Weights { path: path.to_owned(), reason }
}

/// Adds the tensors of a file.
fn read_into(tensors: &mut BTreeMap<String, Tensor>, path: &Path) -> Result<()> {
    check_pointer(path)?;
    let stored = candle_core::safetensors::load(path, &Device::Cpu)
        .map_err(|error| not_whole(path, bare(error)))?;
    for (name, tensor) in stored {
        let ours = our_name(&name);
        if tensors.insert(ours.clone(), tensor).is_some() {
            let reason = format!("{ours} is there twice, under different names");
            return Err(EncoderError::Weights { path: path.to_owned(), reason });
        }
    }
    Ok(())
}

/// What a folder without weights has in place of them, and how to make some of it.
fn missing(folder: &Path) -> String {
    let there = |name: &&str| folder.join(name).exists();
    let mut of_torch = ["pytorch_model.bin", "pytorch_model.bin.index.json"].into_iter();
    if let Some(name) = of_torch.find(there).or(Some(INDEX).filter(there)) {
        return format!(
            "missing; {name} beside it cannot be read. With pip install torch transformers, this \
             makes one of it: python -c \"from transformers import AutoModel; \
             AutoModel.from_pretrained('{0}').save_pretrained('{0}', max_shard_size='99GB')\"",
            folder.display()
        );
    }
    match Some("model_state.pdparams").filter(there) {
        Some(name) => {
            format!("missing; {name} beside it is of PaddlePaddle, which cannot be read here")
        }
        None => "missing".to_owned(),
    }
}

/// The name of a tensor without prefix and in today's spelling.
fn our_name(name: &str) -> String {
    let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let renamed = RENAMED
        .iter()
        .find_map(|(old, new)| name.strip_suffix(old).map(|start| format!("{start}{new}")));
    renamed.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::our_name;

    #[test]
    fn prefixes_and_old_names() {
        assert_eq!(our_name("bert.embeddings.LayerNorm.gamma"), "embeddings.LayerNorm.weight");
        assert_eq!(our_name("ernie.encoder.layer.0.x"), "encoder.layer.0.x");
        assert_eq!(our_name("embeddings.LayerNorm.beta"), "embeddings.LayerNorm.bias");
        assert_eq!(our_name("classifier.bias"), "classifier.bias");
    }
}
