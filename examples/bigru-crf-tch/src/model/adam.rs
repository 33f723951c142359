//! Adam with decoupled weight decay and clipping by the global norm.
//!
//! Kingma and Ba 2015; decay as in Loshchilov and Hutter 2019. tch's own optimisers cannot be
//! saved, so a run that is resumed with them is not the run it would have been.

use std::collections::BTreeMap;
use std::path::Path;

use tch::{Kind, TchError, Tensor};

use super::params::{Params, read_tensors, write_tensors};
use super::{AdamConfig, ModelError};

/// The optimiser: two running means per number, and the count of steps.
#[derive(Debug)]
pub struct Adam {
    config: AdamConfig,
    step: u64,
    means: BTreeMap<String, Means>,
}

#[derive(Debug)]
struct Means {
    first: Tensor,
    second: Tensor,
}

impl Adam {
    /// An optimiser for `params` that has made no step.
    pub fn new(config: AdamConfig, params: &Params) -> Self {
        let means = params.iter().map(|(name, var)| {
            let zeros = || var.detach().zeros_like();
            (name.to_owned(), Means { first: zeros(), second: zeros() })
        });
        Self { config, step: 0, means: means.collect() }
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Moves every variable against its gradient; gives the global norm before clipping.
    ///
    /// # Errors
    /// When the norm is not finite. No variable has changed then.
    pub fn step(
        &mut self,
        params: &mut Params,
        gradients: &[Tensor],
        learning_rate: f64,
    ) -> Result<f64, ModelError> {
        let mut squares = 0.0;
        for gradient in gradients {
            let flat = gradient.f_reshape([-1])?;
            squares += flat.f_dot(&flat)?.f_double_value(&[])?;
        }
        let norm = squares.sqrt();
        if !norm.is_finite() {
            return Err(ModelError::Diverged { norm });
        }
        self.step += 1;
        let update = Update::new(&self.config, self.step, learning_rate, norm);
        tch::no_grad(|| {
            for ((name, var), gradient) in params.iter_mut().zip(gradients) {
                let Some(means) = self.means.get_mut(name) else {
                    return Err(ModelError::Input(format!("{name} is new to the optimiser")));
                };
                update.apply(var, gradient, means)?;
            }
            Ok(())
        })?;
        Ok(norm)
    }

    /// Writes the running means and the step count to a safetensors file, as the optimiser in
    /// candle does.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let mut tensors = Vec::new();
        for (name, Means { first, second }) in &self.means {
            tensors.push((format!("first.{name}"), first.f_view(-1)?));
            tensors.push((format!("second.{name}"), second.f_view(-1)?));
        }
        tensors.push(("step".to_owned(), Tensor::f_from_slice(&[self.step as i64])?));
        let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (&name[..], tensor)).collect();
        write_tensors(&tensors, path)
    }

    /// Reads what [`save`](Self::save) wrote; the next step is then bit for bit the one that the
    /// saved optimiser would have made.
    ///
    /// # Errors
    /// When the file does not hold exactly this optimiser's tensors: each missing or mismatched
    /// one is named, and nothing has changed.
    pub fn load(&mut self, path: &Path) -> Result<(), ModelError> {
        let mut stored = read_tensors(path)?;
        let mut problems = Vec::new();
        let mut loaded = BTreeMap::new();
        for (name, means) in &self.means {
            let mut read = |kind: &str, like: &Tensor| {
                let key = format!("{kind}.{name}");
                match stored.remove(&key) {
                    Some(values)
                        if values.kind() == Kind::Float && values.numel() == like.numel() =>
                    {
                        return values.f_view_as(like).map_err(ModelError::from);
                    }
                    Some(_) => {
                        problems.push(format!("{key} is not {} numbers of type f32", like.numel()))
                    }
                    None => problems.push(format!("{key} is missing")),
                }
                Ok(like.shallow_clone())
            };
            let means = Means {
                first: read("first", &means.first)?,
                second: read("second", &means.second)?,
            };
            loaded.insert(name.clone(), means);
        }
        let step = stored.get("step").map(Vec::<i64>::try_from);
        let step = match step {
            Some(Ok(step)) if step.len() == 1 => step[0] as u64,
            _ => {
                problems.push("step is missing or not one i64".to_owned());
                0
            }
        };
        if !problems.is_empty() {
            let problems = problems.join("; ");
            return Err(ModelError::Checkpoint { path: path.to_owned(), problems });
        }
        self.means = loaded;
        self.step = step;
        Ok(())
    }
}

/// The numbers of one step.
struct Update {
    scale: f64,
    from_first: f64,
    from_second: f64,
    rate: f64,
    second_factor: f64,
    epsilon: f64,
    keep: f64,
}

impl Update {
    fn new(config: &AdamConfig, step: u64, learning_rate: f64, norm: f64) -> Self {
        let step = step as f64;
        Self {
            scale: config.clip / norm.max(config.clip),
            from_first: 1.0 - config.beta1,
            from_second: 1.0 - config.beta2,
            rate: learning_rate / (1.0 - config.beta1.powf(step)),
            second_factor: 1.0 / (1.0 - config.beta2.powf(step)),
            epsilon: config.epsilon,
            keep: 1.0 - learning_rate * config.weight_decay,
        }
    }

    fn apply(
        &self,
        var: &mut Tensor,
        gradient: &Tensor,
        means: &mut Means,
    ) -> Result<(), TchError> {
        let gradient = gradient.f_mul_scalar(self.scale)?;
        let _same = means.first.f_lerp_(&gradient, self.from_first)?;
        let _same = means.second.f_lerp_(&gradient.f_square()?, self.from_second)?;
        let divisor = means.second.f_mul_scalar(self.second_factor)?.f_sqrt()?;
        let step = means.first.f_div(&divisor.f_add_scalar(self.epsilon)?)?;
        let _same = var.f_mul_scalar_(self.keep)?.f_sub_(&step.f_mul_scalar(self.rate)?)?;
        Ok(())
    }
}
