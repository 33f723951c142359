//! Adam with decoupled weight decay and clipping by the global norm, in one pass per variable.
//!
//! Kingma and Ba 2015; decay as in Loshchilov and Hutter 2019. candle's `AdamW` allocates about
//! ten tensors per variable and step; here each number is read and written once, in all threads of
//! rayon. The result does not depend on how many there are.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::ModelError;
use crate::params::{Params, read_tensors, write_tensors};
use crate::slices;
use candle_core::backprop::GradStore;
use candle_core::{CpuStorage, Device, InplaceOp2, Layout, Tensor, bail};
use rayon::prelude::*;
use training_loop::model::AdamConfig;

/// The optimiser: two running means per number, and the count of steps.
#[derive(Debug)]
pub struct Adam {
    config: AdamConfig,
    step: u64,
    means: BTreeMap<String, Means>,
}

/// How the variables of one group differ from others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// What the learning rate is multiplied with.
    pub rate: f64,
    /// Share of a variable that is taken away per step, times its learning rate.
    pub weight_decay: f64,
}

#[derive(Debug)]
struct Means {
    group: Group,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    /// An optimiser for all of `params` that are trained. It has made no step.
    pub fn new(config: AdamConfig, params: &Params) -> Self {
        Self::with_groups(config, params, |_| Group {
            rate: 1.0,
            weight_decay: config.weight_decay,
        })
    }

    /// The same, with a group for each variable by its name; the decay of `config` is not used.
    pub fn with_groups(config: AdamConfig, params: &Params, group: impl Fn(&str) -> Group) -> Self {
        let means = params.trained().map(|(name, var)| {
            let zeros = vec![0.0f32; var.elem_count()];
            let means = Means { group: group(name), first: zeros.clone(), second: zeros };
            (name.to_owned(), means)
        });
        Self { config, step: 0, means: means.collect() }
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Moves every trained variable of `params` against its gradient; gives the global norm before
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
        for (name, var) in params.trained() {
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
            let (first, second) = (read("first"), read("second"));
            let means = Means { group: means.group, first, second };
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

/// Short blocks keep single precision exact enough. Their sums are added in order, whichever
/// thread made them.
fn sum_of_squares(values: &[f32]) -> f64 {
    let blocks = values.par_chunks(4096).with_min_len(16).map(of_block);
    blocks.collect::<Vec<f64>>().into_iter().sum()
}

/// In eight lanes, so that the compiler can vectorise and the order of additions is fixed.
fn of_block(block: &[f32]) -> f64 {
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
    lanes.iter().map(|&lane| f64::from(lane)).sum()
}

/// So many numbers are one task for a thread.
const PART: usize = 16 * 1024;

/// One variable's step, as an operation that candle runs on the variable's own memory.
struct Update<'a> {
    means: RefCell<&'a mut Means>,
    numbers: Numbers,
}

/// The numbers of one step.
#[derive(Clone, Copy)]
struct Numbers {
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
        let Group { rate, weight_decay } = means.group;
        let learning_rate = learning_rate * rate;
        let numbers = Numbers {
            scale: (config.clip / norm.max(config.clip)) as f32,
            beta1: config.beta1 as f32,
            beta2: config.beta2 as f32,
            rate: (learning_rate / (1.0 - config.beta1.powf(step))) as f32,
            second_factor: (1.0 / (1.0 - config.beta2.powf(step))) as f32,
            epsilon: config.epsilon as f32,
            keep: (1.0 - learning_rate * weight_decay) as f32,
        };
        Self { means: RefCell::new(means), numbers }
    }
}

impl Numbers {
    fn apply(&self, values: &mut [f32], gradient: &[f32], first: &mut [f32], second: &mut [f32]) {
        let moments = first.iter_mut().zip(second);
        for ((value, g), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
            let g = g * self.scale;
            *first += (g - *first) * (1.0 - self.beta1);
            *second += (g * g - *second) * (1.0 - self.beta2);
            let divisor = (*second * self.second_factor).sqrt() + self.epsilon;
            *value = *value * self.keep - self.rate * *first / divisor;
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
        let Means { first, second, .. } = &mut **means;
        let update = self.numbers;
        let values = values[start..end].par_chunks_mut(PART).zip(gradient.par_chunks(PART));
        let moments = first.par_chunks_mut(PART).zip(second.par_chunks_mut(PART));
        values.zip(moments).for_each(|((values, gradient), (first, second))| {
            update.apply(values, gradient, first, second);
        });
        Ok(())
    }
}
