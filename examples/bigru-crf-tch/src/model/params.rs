//! Named variables: created once, found by the optimiser, saved and loaded as safetensors.
//!
//! Ordered by name, unlike `nn::VarStore`, so that files and sums over all variables are the same
//! in every run; and initial values come from a seeded generator.

use std::collections::BTreeMap;
use std::path::Path;

use tch::{Kind, TchError, Tensor};
use training_loop::model::checkpoint::{Description, differences};
use training_loop::model::random;

use super::ModelError;

/// The variables of a model, by name.
#[derive(Debug)]
pub struct Params {
    vars: BTreeMap<String, Tensor>,
    seed: u64,
}

impl Params {
    /// An empty set whose initial values derive from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { vars: BTreeMap::new(), seed }
    }

    /// Creates a variable with uniform numbers in `[-bound, bound)`; gives another handle to it.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn create(
        &mut self,
        name: &str,
        shape: &[usize],
        bound: f32,
    ) -> Result<Tensor, ModelError> {
        if self.vars.contains_key(name) {
            return Err(ModelError::twice(name));
        }
        let index = self.vars.len() as u64;
        let values = random::initial(self.seed, index, shape.iter().product(), bound);
        let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
        let var = Tensor::f_from_slice(&values)?.f_view(&shape[..])?.f_set_requires_grad(true)?;
        let handle = var.shallow_clone();
        self.vars.insert(name.to_owned(), var);
        Ok(handle)
    }

    /// The variables in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.vars.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// The same, to be changed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Tensor)> {
        self.vars.iter_mut().map(|(name, var)| (name.as_str(), var))
    }

    /// Total of numbers in all variables.
    pub fn len(&self) -> usize {
        self.vars.values().map(Tensor::numel).sum()
    }

    /// Whether there is no number at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The gradients of a loss, in order of the variables' names.
    ///
    /// # Errors
    /// A variable has none: it would silently stay as it is.
    pub fn gradients(&self, loss: &Tensor) -> Result<Vec<Tensor>, ModelError> {
        let vars: Vec<&Tensor> = self.vars.values().collect();
        let gradients = Tensor::f_run_backward(&[loss], &vars, false, false)?;
        match self.vars.keys().zip(&gradients).find(|(_, gradient)| !gradient.defined()) {
            Some((name, _)) => Err(ModelError::Input(format!("{name} got no gradient"))),
            None => Ok(gradients),
        }
    }

    /// Writes all variables to a safetensors file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let tensors: Vec<(&str, &Tensor)> = self.iter().collect();
        write_tensors(&tensors, path)
    }

    /// Replaces the values of all variables by those of a safetensors file, from tch or candle.
    ///
    /// # Errors
    /// When the file cannot be read, or a tensor is missing, unknown, or has another shape or
    /// type. All such tensors are named, and no variable has changed then.
    pub fn load(&mut self, path: &Path) -> Result<(), ModelError> {
        let stored = read_tensors(path)?;
        let described = stored.iter().map(|(name, t)| (name.clone(), describe(t))).collect();
        let wanted = self.iter().map(|(name, var)| (name, shape(var)));
        let problems = differences(&described, wanted);
        if !problems.is_empty() {
            return Err(ModelError::Checkpoint { path: path.to_owned(), problems });
        }
        tch::no_grad(|| {
            for (name, var) in &mut self.vars {
                var.f_copy_(&stored[name])?;
            }
            Ok(())
        })
    }
}

fn shape(tensor: &Tensor) -> Vec<usize> {
    tensor.size().iter().map(|&n| n as usize).collect()
}

fn describe(tensor: &Tensor) -> Description {
    let element_type = match tensor.kind() {
        Kind::Float => "f32".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    Description { shape: shape(tensor), element_type }
}

/// Writes a safetensors file.
pub(super) fn write_tensors(tensors: &[(&str, &Tensor)], path: &Path) -> Result<(), ModelError> {
    Tensor::write_safetensors(tensors, path).map_err(|e| in_file(path, e))
}

/// Reads a safetensors file.
pub(super) fn read_tensors(path: &Path) -> Result<BTreeMap<String, Tensor>, ModelError> {
    let tensors = Tensor::read_safetensors(path).map_err(|e| in_file(path, e))?;
    Ok(tensors.into_iter().collect())
}

fn in_file(path: &Path, source: TchError) -> ModelError {
    ModelError::File { path: path.to_owned(), source }
}
