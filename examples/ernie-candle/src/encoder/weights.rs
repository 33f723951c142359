//! The tensors of a file of weights, under the names that the encoder uses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor, bail};
use training_candle::slices;

use super::error::{EncoderError, Result};

/// The weights of a folder.
#[derive(Debug)]
pub(super) struct Weights {
    path: PathBuf,
    tensors: BTreeMap<String, Tensor>,
}

/// What stands before the names of an encoder's tensors when it has a head.
const PREFIXES: [&str; 2] = ["bert.", "ernie."];

/// Endings of names in old files, and what they are called now.
const RENAMED: [(&str, &str); 2] =
    [("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias")];

impl Weights {
    /// Reads `model.safetensors` of a folder.
    ///
    /// # Errors
    /// The file is missing, cut off or no safetensors file, or two of its tensors are the same one
    /// under an old and a new name.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("model.safetensors");
        let wrong = |reason: String| EncoderError::Weights { path: path.clone(), reason };
        if !path.exists() {
            let other =
                ["pytorch_model.bin", "model.safetensors.index.json", "model_state.pdparams"]
                    .into_iter()
                    .find(|name| folder.join(name).exists());
            return Err(wrong(match other {
                Some(name) => format!("missing; {name} beside it cannot be read, convert it"),
                None => "missing".to_owned(),
            }));
        }
        let stored = candle_core::safetensors::load(&path, &Device::Cpu)
            .map_err(|error| wrong(format!("no whole safetensors file: {error}")))?;
        let mut tensors = BTreeMap::new();
        for (name, tensor) in stored {
            let ours = our_name(&name);
            if tensors.insert(ours.clone(), tensor).is_some() {
                return Err(wrong(format!("{ours} is there twice, under different names")));
            }
        }
        Ok(Self { path, tensors })
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
                let numbers = tensor.to_dtype(DType::F32);
                numbers.and_then(finite).map_err(|error| format!("{name}: {error}"))
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

/// That all numbers of a tensor are numbers: one NaN would make all of them NaN.
fn finite(tensor: Tensor) -> candle_core::Result<Tensor> {
    match slices::with(&tensor, |values| Ok(values.iter().all(|value| value.is_finite())))? {
        true => Ok(tensor),
        false => bail!("some of its numbers are infinite or no numbers"),
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
