//! The parts of an encoder, each with its variables.

use candle_core::Tensor;
use training_candle::ModelError;
use training_candle::dropout::dropout;
use training_candle::params::Params;
use training_loop::model::Mode;
use training_loop::model::random;

use super::attention_op::Attention;
use super::config::{Activation, EncoderConfig};
use super::linear_op;
use super::norm_op::Norm;

type Result<T> = std::result::Result<T, ModelError>;

/// Numbers are dropped at so many places of a layer: attention weights, and the output of both
/// halves.
pub(super) const SITES_PER_LAYER: u64 = 3;

/// The mode for one of many places where numbers are dropped. A step has few streams of random
/// numbers of its own, so the places of a deep encoder are spread over more step numbers.
pub(super) fn drop_at(mode: Mode, site: u64) -> (Mode, u64) {
    match mode {
        Mode::Train { seed, step } => {
            let step = step.wrapping_mul(BLOCKS).wrapping_add(site / SITES);
            (Mode::Train { seed, step }, site % SITES)
        }
        Mode::Eval => (mode, site),
    }
}

/// Places of one step number, and step numbers of one training step: enough for 500 layers.
const SITES: u64 = 16;
const BLOCKS: u64 = 100;

/// Standard deviation to the bound of uniform numbers that have it.
pub(super) fn bound(deviation: f32) -> f32 {
    deviation * 3f32.sqrt()
}

/// `x Wᵀ + b`.
#[derive(Debug)]
pub(super) struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    pub(super) fn new(
        params: &mut Params,
        name: &str,
        [from, to]: [usize; 2],
        deviation: f32,
    ) -> Result<Self> {
        let weight = params.create(&format!("{name}.weight"), (to, from), bound(deviation))?;
        let bias = params.create(&format!("{name}.bias"), to, 0.0)?;
        Ok(Self { weight, bias })
    }

    pub(super) fn forward(&self, inputs: &Tensor) -> Result<Tensor> {
        Ok(inputs.apply_op3(&self.weight, &self.bias, linear_op::Linear)?)
    }
}

/// Layer norm over the numbers of each token.
#[derive(Debug)]
pub(super) struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl LayerNorm {
    pub(super) fn new(params: &mut Params, name: &str, config: &EncoderConfig) -> Result<Self> {
        let size = config.hidden_size;
        let weight = params.create_constant(&format!("{name}.weight"), size, 1.0)?;
        let bias = params.create(&format!("{name}.bias"), size, 0.0)?;
        Ok(Self { weight, bias, epsilon: config.layer_norm_eps })
    }

    pub(super) fn forward(&self, inputs: &Tensor) -> Result<Tensor> {
        Ok(inputs.apply_op3(&self.weight, &self.bias, Norm::new(self.epsilon))?)
    }
}

/// One layer: attention, then a feed-forward part, each added to what it came from and normalised.
#[derive(Debug)]
pub(super) struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    output: Linear,
    output_norm: LayerNorm,
    heads: usize,
    activation: Activation,
    state_dropout: f32,
    weight_dropout: f32,
}

impl Layer {
    pub(super) fn new(params: &mut Params, index: usize, config: &EncoderConfig) -> Result<Self> {
        let name = |part: &str| format!("encoder.layer.{index}.{part}");
        let (size, wide) = (config.hidden_size, config.intermediate_size);
        let mut linear = |part: &str, sizes: [usize; 2]| {
            Linear::new(params, &name(part), sizes, config.initializer_range)
        };
        let query = linear("attention.self.query", [size, size])?;
        let key = linear("attention.self.key", [size, size])?;
        let value = linear("attention.self.value", [size, size])?;
        let attention_output = linear("attention.output.dense", [size, size])?;
        let intermediate = linear("intermediate.dense", [size, wide])?;
        let output = linear("output.dense", [wide, size])?;
        let mut norm = |part: &str| LayerNorm::new(params, &name(part), config);
        Ok(Self {
            query,
            key,
            value,
            attention_output,
            attention_norm: norm("attention.output.LayerNorm")?,
            intermediate,
            output,
            output_norm: norm("output.LayerNorm")?,
            heads: config.num_attention_heads,
            activation: config.hidden_act,
            state_dropout: config.hidden_dropout_prob,
            weight_dropout: config.attention_probs_dropout_prob,
        })
    }

    /// States `[N, D]` of sentences to the next ones; numbers are dropped at `site` and the two
    /// places after it.
    pub(super) fn forward(
        &self,
        states: &Tensor,
        lengths: &[usize],
        mode: Mode,
        site: u64,
    ) -> Result<Tensor> {
        let drop = |tensor: &Tensor, site: u64| {
            let (mode, site) = drop_at(mode, site);
            dropout(tensor, self.state_dropout, mode, site)
        };
        let context = self.attend(states, lengths, mode, site)?;
        let attended = drop(&self.attention_output.forward(&context)?, site + 1)?;
        let states = self.attention_norm.forward(&(attended + states)?)?;

        let wide = self.intermediate.forward(&states)?.apply_op1(self.activation)?;
        let narrow = drop(&self.output.forward(&wide)?, site + 2)?;
        self.output_norm.forward(&(narrow + states)?)
    }

    fn attend(&self, states: &Tensor, lengths: &[usize], mode: Mode, site: u64) -> Result<Tensor> {
        let query = self.query.forward(states)?;
        let key = self.key.forward(states)?;
        let value = self.value.forward(states)?;
        let weights = Attention::weights(lengths, self.heads);
        let (mode, site) = drop_at(mode, site);
        let factors = random::dropout(weights, self.weight_dropout, mode, site);
        let operation = Attention::new(lengths, self.heads, factors);
        Ok(query.apply_op3(&key, &value, operation)?)
    }
}
