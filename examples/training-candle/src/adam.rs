//! Adam with decoupled weight decay and clipping by the global norm, in one pass per variable.
//!
//! Kingma and Ba 2015; decay as in Loshchilov and Hutter 2019. candle's `AdamW` allocates about
//! ten tensors per variable and step; here each number is read and written once.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::ModelError;
use crate::params::{Params, read_tensors, write_tensors};
use crate::slices;
use candle_core::backprop::GradStore;
use candle_core::{CpuStorage, Device, InplaceOp2, Layout, Tensor, bail};
use training_loop::model::AdamConfig;

/// The optimiser: two running means per number, and the count of steps.
#[derive(Debug)]
pub struct Adam {
    config: AdamConfig,
    step: u64,
    means: BTreeMap<String, Means>,
}

#[derive(Debug)]
struct Means {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    /// An optimiser for `params` that has made no step.
    pub fn new(config: AdamConfig, params: &Params) -> Self {
        let means = params.iter().map(|(name, var)| {
            let zeros = vec![0.0f32; var.elem_count()];
            let means = Means { first: zeros.clone(), second: zeros };
            (name.to_owned(), means)
        });
        Self { config, step: 0, means: means.collect() }
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Moves every variable of `params` against its gradient; gives the global norm before
    /// clipping.
    ///
    /// # Errors
    /// When a variable has no gradient (it would silently stay as it is), or the norm is not
    /// finite. No variable has changed then.
    pub fn step(
        &mut self,
        params: &Params,
        gradients: &GradStore,
        learning_rate: f64,
    ) -> Result<f64, ModelError> {
        let mut pairs = Vec::with_capacity(self.means.len());
        for (name, var) in params.iter() {
            match gradients.get(var) {
                Some(gradient) => pairs.push((name, var, gradient.contiguous()?)),
                None => return Err(ModelError::Input(format!("{name} got no gradient"))),
            }
        }
        let mut squares = 0.0;
        for (_, _, gradient) in &pairs {
            squares += slices::with(gradient, |g| Ok(sum_of_squares(g)))?;
        }
        let norm = squares.sqrt();
        if !norm.is_finite() {
            return Err(ModelError::Diverged { norm });
        }
        self.step += 1;
        for (name, var, gradient) in &pairs {
            let Some(means) = self.means.get_mut(*name) else {
                return Err(ModelError::Input(format!("{name} is new to the optimiser")));
            };
            let update = Update::new(&self.config, self.step, learning_rate, norm, means);
            var.inplace_op2(gradient, &update)?;
        }
        Ok(norm)
    }

    /// Writes the running means and the step count to a safetensors file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let mut tensors = HashMap::new();
        for (name, means) in &self.means {
            for (kind, values) in [("first", &means.first), ("second", &means.second)] {
                let tensor = Tensor::from_slice(values, values.len(), &Device::Cpu)?;
                tensors.insert(format!("{kind}.{name}"), tensor);
            }
        }
        let step = Tensor::new(&[self.step as i64], &Device::Cpu)?;
        tensors.insert("step".to_owned(), step);
        write_tensors(&tensors, path)
    }

    /// Reads what [`save`](Self::save) wrote; the next step is then bit for bit the one that the
    /// saved optimiser would have made.
    ///
    /// # Errors
    /// When the file does not hold exactly this optimiser's tensors: each missing or mismatched
    /// one is named, and nothing has changed.
    pub fn load(&mut self, path: &Path) -> Result<(), ModelError> {
        let stored = read_tensors(path)?;
        let mut problems = Vec::new();
        let mut loaded = BTreeMap::new();
        for (name, means) in &self.means {
            let mut read = |kind: &str| {
                let key = format!("{kind}.{name}");
                let values = stored.get(&key).map(Tensor::to_vec1::<f32>);
                match values {
                    Some(Ok(values)) if values.len() == means.first.len() => return values,
                    Some(_) => problems
                        .push(format!("{key} is not {} numbers of type f32", means.first.len())),
                    None => problems.push(format!("{key} is missing")),
                }
                Vec::new()
            };
            let means = Means { first: read("first"), second: read("second") };
            loaded.insert(name.clone(), means);
        }
        let step = stored.get("step").map(Tensor::to_vec1::<i64>);
        let step = match step {
            Some(Ok(step)) if step.len() == 1 => step[0] as u64,
            _ => {
                problems.push("step is missing or not one i64".to_owned());
                0
            }
        };
        if !problems.is_empty() {
            return Err(ModelError::Checkpoint {
                path: path.to_owned(),
                problems: problems.join("; "),
            });
        }
        self.means = loaded;
        self.step = step;
        Ok(())
    }
}

/// In eight lanes, so that the compiler can vectorise and the order of additions is fixed.
fn sum_of_squares(values: &[f32]) -> f64 {
    let mut total = 0.0;
    // Short blocks keep the single-precision lanes exact enough.
    for block in values.chunks(4096) {
        let mut lanes = [0.0f32; 8];
        let chunks = block.chunks_exact(8);
        for value in chunks.remainder() {
            lanes[0] += value * value;
        }
        for chunk in chunks {
            for (lane, value) in lanes.iter_mut().zip(chunk) {
                *lane += value * value;
            }
        }
        total += lanes.iter().map(|&lane| f64::from(lane)).sum::<f64>();
    }
    total
}

/// One variable's step, as an operation that candle runs on the variable's own memory.
struct Update<'a> {
    means: RefCell<&'a mut Means>,
    scale: f32,
    beta1: f32,
    beta2: f32,
    rate: f32,
    second_factor: f32,
    epsilon: f32,
    keep: f32,
}

impl<'a> Update<'a> {
    fn new(
        config: &AdamConfig,
        step: u64,
        learning_rate: f64,
        norm: f64,
        means: &'a mut Means,
    ) -> Self {
        let step = step as f64;
        Self {
            means: RefCell::new(means),
            scale: (config.clip / norm.max(config.clip)) as f32,
            beta1: config.beta1 as f32,
            beta2: config.beta2 as f32,
            rate: (learning_rate / (1.0 - config.beta1.powf(step))) as f32,
            second_factor: (1.0 / (1.0 - config.beta2.powf(step))) as f32,
            epsilon: config.epsilon as f32,
            keep: (1.0 - learning_rate * config.weight_decay) as f32,
        }
    }
}

impl InplaceOp2 for Update<'_> {
    fn name(&self) -> &'static str {
        "adam"
    }

    fn cpu_fwd(
        &self,
        values: &mut CpuStorage,
        values_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> candle_core::Result<()> {
        let gradient = slices::of_storage(self.name(), gradient, gradient_layout)?;
        let (CpuStorage::F32(values), Some((start, end))) =
            (values, values_layout.contiguous_offsets())
        else {
            bail!("adam: expects contiguous variables of type f32");
        };
        let mut means = self.means.borrow_mut();
        let Means { first, second } = &mut **means;
        let moments = first.iter_mut().zip(second.iter_mut());
        for ((value, g), (first, second)) in
            values[start..end].iter_mut().zip(gradient).zip(moments)
        {
            let g = g * self.scale;
            *first += (g - *first) * (1.0 - self.beta1);
            *second += (g * g - *second) * (1.0 - self.beta2);
            let divisor = (*second * self.second_factor).sqrt() + self.epsilon;
            *value = *value * self.keep - self.rate * *first / divisor;
        }
        Ok(())
    }
}
