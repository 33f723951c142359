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

use crate::{ModelError, bare, slices};

/// The variables of a model, by name.
#[derive(Debug)]
pub struct Params {
    vars: BTreeMap<String, Var>,
    seed: u64,
    frozen: Vec<String>,
}

impl Params {
    /// An empty set whose initial values derive from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { vars: BTreeMap::new(), seed, frozen: Vec::new() }
    }

    /// Variables whose names start like one of these are not trained: what is created from now on
    /// takes no part in the backward pass, and so do the layers below it. They are saved and
    /// loaded like all others.
    #[must_use]
    pub fn freeze<S: Into<String>>(mut self, prefixes: impl IntoIterator<Item = S>) -> Self {
        self.frozen.extend(prefixes.into_iter().map(Into::into));
        self
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
        let shape = shape.into();
        let index = self.vars.len() as u64;
        let values = random::initial(self.seed, index, shape.elem_count(), bound);
        self.insert(name, Var::from_vec(values, shape, &Device::Cpu)?)
    }

    /// Creates a variable whose numbers are all `value`.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn create_constant(
        &mut self,
        name: &str,
        shape: impl Into<Shape>,
        value: f32,
    ) -> Result<Tensor, ModelError> {
        let shape = shape.into();
        let values = vec![value; shape.elem_count()];
        self.insert(name, Var::from_vec(values, shape, &Device::Cpu)?)
    }

    fn insert(&mut self, name: &str, var: Var) -> Result<Tensor, ModelError> {
        if self.vars.contains_key(name) {
            return Err(ModelError::twice(name));
        }
        // A detached tensor shares the variable's memory, so it sees what is loaded later.
        let tensor =
            if self.is_frozen(name) { var.as_detached_tensor() } else { var.as_tensor().clone() };
        self.vars.insert(name.to_owned(), var);
        Ok(tensor)
    }

    fn is_frozen(&self, name: &str) -> bool {
        self.frozen.iter().any(|prefix| name.starts_with(prefix))
    }

    /// The variables in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.vars.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// Those that are trained, in order of their names.
    pub fn trained(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.iter().filter(|(name, _)| !self.is_frozen(name))
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
    /// When the file cannot be read, or a tensor is missing, unknown, has another shape or type, or
    /// numbers that are none. All such tensors are named, and no variable has changed then.
    pub fn load(&self, path: &Path) -> Result<(), ModelError> {
        let stored = read_tensors(path)?;
        check(&stored, self, path)?;
        let mut broken = Vec::new();
        for name in self.vars.keys() {
            if !slices::is_finite(&stored[name])? {
                broken.push(format!("{name} has numbers that are infinite or NaN"));
            }
        }
        if !broken.is_empty() {
            let problems = broken.join("; ");
            return Err(ModelError::Checkpoint { path: path.to_owned(), problems });
        }
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
    let file = |source| ModelError::File { path: path.to_owned(), source: bare(source) };
    candle_core::safetensors::save(tensors, path).map_err(file)
}

/// Reads a safetensors file.
pub(crate) fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>, ModelError> {
    let file = |source| ModelError::File { path: path.to_owned(), source: bare(source) };
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
