//! Named variables: created once, found by the optimiser, saved and loaded as safetensors.
//!
//! Ordered by name, unlike `candle_nn::VarMap`, so that files and sums over all variables are the
//! same in every run; and initial values come from a seeded generator.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::path::Path;

use candle_core::{Device, Shape, Tensor, Var};
use training_loop::model::checkpoint::{Description, differences};
use training_loop::model::random;

use crate::ModelError;

/// The variables of a model, by name.
#[derive(Debug)]
pub struct Params {
    vars: BTreeMap<String, Var>,
    seed: u64,
}

impl Params {
    /// An empty set whose initial values derive from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { vars: BTreeMap::new(), seed }
    }

    /// Creates a variable with uniform numbers in `[-bound, bound)`; a bound of 0 gives zeros.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn create(
        &mut self,
        name: &str,
        shape: impl Into<Shape>,
        bound: f32,
    ) -> Result<Tensor, ModelError> {
        if self.vars.contains_key(name) {
            return Err(ModelError::twice(name));
        }
        let shape = shape.into();
        let index = self.vars.len() as u64;
        let values = random::initial(self.seed, index, shape.elem_count(), bound);
        let var = Var::from_vec(values, shape, &Device::Cpu)?;
        let tensor = var.as_tensor().clone();
        self.vars.insert(name.to_owned(), var);
        Ok(tensor)
    }

    /// The variables in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.vars.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// Total of numbers in all variables.
    pub fn len(&self) -> usize {
        self.vars.values().map(|var| var.elem_count()).sum()
    }

    /// Whether there is no number at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes all variables to a safetensors file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let tensors: HashMap<&str, Tensor> =
            self.iter().map(|(name, var)| (name, var.as_tensor().clone())).collect();
        write_tensors(&tensors, path)
    }

    /// Replaces the values of all variables by those of a safetensors file.
    ///
    /// # Errors
    /// When the file cannot be read, or a tensor is missing, unknown, or has another shape or
    /// type. All such tensors are named, and no variable has changed then.
    pub fn load(&self, path: &Path) -> Result<(), ModelError> {
        let stored = read_tensors(path)?;
        check(&stored, self, path)?;
        for (name, var) in &self.vars {
            var.set(&stored[name])?;
        }
        Ok(())
    }
}

/// Writes a safetensors file.
pub(crate) fn write_tensors<K: AsRef<str> + Ord + Display>(
    tensors: &HashMap<K, Tensor>,
    path: &Path,
) -> Result<(), ModelError> {
    let file = |source| ModelError::File { path: path.to_owned(), source };
    candle_core::safetensors::save(tensors, path).map_err(file)
}

/// Reads a safetensors file.
pub(crate) fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>, ModelError> {
    let file = |source| ModelError::File { path: path.to_owned(), source };
    candle_core::safetensors::load(path, &Device::Cpu).map_err(file)
}

/// That a file holds exactly the variables.
fn check(stored: &HashMap<String, Tensor>, params: &Params, path: &Path) -> Result<(), ModelError> {
    let describe = |tensor: &Tensor| Description {
        shape: tensor.dims().to_vec(),
        element_type: tensor.dtype().as_str().to_owned(),
    };
    let stored = stored.iter().map(|(name, tensor)| (name.clone(), describe(tensor))).collect();
    let wanted = params.iter().map(|(name, var)| (name, var.dims().to_vec()));
    match differences(&stored, wanted) {
        problems if problems.is_empty() => Ok(()),
        problems => Err(ModelError::Checkpoint { path: path.to_owned(), problems }),
    }
}
