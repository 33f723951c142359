//! Named variables: created once, found by the optimiser, saved and loaded as safetensors.
//!
//! Ordered by name, unlike `candle_nn::VarMap`, so that files and sums over all variables are the
//! same in every run; and initial values come from a seeded generator.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::path::Path;

use candle_core::{DType, Device, Shape, Tensor, Var};

use super::error::ModelError;
use super::random;

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
            return Err(ModelError::Config(format!("variable {name} exists twice")));
        }
        let mut rng = random::stream(self.seed, self.vars.len() as u64);
        let var = Var::from_tensor(&random::uniform(&mut rng, shape, bound)?)?;
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
pub(super) fn write_tensors<K: AsRef<str> + Ord + Display>(
    tensors: &HashMap<K, Tensor>,
    path: &Path,
) -> Result<(), ModelError> {
    let file = |source| ModelError::File { path: path.to_owned(), source };
    candle_core::safetensors::save(tensors, path).map_err(file)
}

/// Reads a safetensors file.
pub(super) fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>, ModelError> {
    let file = |source| ModelError::File { path: path.to_owned(), source };
    candle_core::safetensors::load(path, &Device::Cpu).map_err(file)
}

/// Lists every tensor in which a file and the variables differ.
fn check(stored: &HashMap<String, Tensor>, params: &Params, path: &Path) -> Result<(), ModelError> {
    let mut problems = Vec::new();
    for (name, var) in params.iter() {
        match stored.get(name) {
            None => problems.push(format!("{name} is missing")),
            Some(tensor) if tensor.shape() != var.shape() => problems.push(format!(
                "{name} has shape {:?}, expected {:?}",
                tensor.dims(),
                var.dims()
            )),
            Some(tensor) if tensor.dtype() != DType::F32 => {
                problems.push(format!("{name} has type {}, expected f32", tensor.dtype().as_str()))
            }
            Some(_) => {}
        }
    }
    let mut unknown: Vec<_> = stored
        .keys()
        .filter(|name| !params.vars.contains_key(*name))
        .map(|name| format!("{name} is unknown to this model"))
        .collect();
    unknown.sort();
    problems.extend(unknown);
    if problems.is_empty() {
        return Ok(());
    }
    Err(ModelError::Checkpoint { path: path.to_owned(), problems: problems.join("; ") })
}
