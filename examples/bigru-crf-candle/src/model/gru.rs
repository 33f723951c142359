//! A bidirectional GRU layer with PyTorch's variable names.

use candle_core::{Result, Tensor};

use super::gru_op::Recurrence;
use super::packed::Packed;
use super::pool::Pool;
use training_candle::ModelError;
use training_candle::params::Params;
use training_candle::slices;

/// One bidirectional layer, its gates in the order `r`, `z`, `n` as in PyTorch and Paddle.
///
/// The variables of layer `l` are `weight_ih_l{l}` `[3H, I]`, `weight_hh_l{l}` `[3H, H]`,
/// `bias_ih_l{l}` and `bias_hh_l{l}` `[3H]`, and the same with `_reverse` at the end.
#[derive(Debug)]
pub struct BiGru {
    directions: [Weights; 2],
    hidden: usize,
    pool: Pool,
}

#[derive(Debug)]
struct Weights {
    input: Tensor,
    recurrent: Tensor,
    input_bias: Tensor,
    recurrent_bias: Tensor,
}

impl BiGru {
    /// Creates layer `layer` with names that start with `prefix`, for inputs of `width` numbers.
    ///
    /// Initial values are uniform within `1 / sqrt(hidden)`.
    ///
    /// # Errors
    /// When a name is taken.
    pub fn new(
        params: &mut Params,
        prefix: &str,
        layer: usize,
        width: usize,
        hidden: usize,
    ) -> std::result::Result<Self, ModelError> {
        let bound = 1.0 / (hidden as f32).sqrt();
        let mut weights = |suffix: &str| {
            let mut create = |kind: &str, shape: &[usize]| {
                params.create(&format!("{prefix}{kind}_l{layer}{suffix}"), shape, bound)
            };
            Ok::<_, ModelError>(Weights {
                input: create("weight_ih", &[3 * hidden, width])?,
                recurrent: create("weight_hh", &[3 * hidden, hidden])?,
                input_bias: create("bias_ih", &[3 * hidden])?,
                recurrent_bias: create("bias_hh", &[3 * hidden])?,
            })
        };
        Ok(Self { directions: [weights("")?, weights("_reverse")?], hidden, pool: Pool::default() })
    }

    /// Inputs `[B, T, I]` to states `[B, T, 2H]`: the forward direction's first, then the
    /// backward direction's, which starts at each row's own last token.
    ///
    /// Row `b` has `lengths[b]` tokens. Outputs behind them are 0, and what stands there in the
    /// inputs changes neither outputs nor gradients.
    ///
    /// # Errors
    /// When shapes and lengths do not fit together, or the inputs are not `f32` on the CPU.
    pub fn forward(&self, inputs: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        slices::require_cpu("the GRU", inputs)?;
        let (rows, width, features) = inputs.dims3()?;
        if rows != lengths.len() {
            candle_core::bail!("the GRU got {rows} rows but {} lengths", lengths.len());
        }
        let [a, b] = &self.directions;
        if features != a.input.dim(1)? {
            candle_core::bail!(
                "the GRU takes {} numbers per token, not {features}",
                a.input.dim(1)?
            );
        }
        let packed = Packed::new(lengths, width)?;
        let flat = |parts: [&Tensor; 4]| {
            let parts = parts.map(Tensor::flatten_all);
            Tensor::cat(&parts.into_iter().collect::<Result<Vec<_>>>()?, 0)
        };
        let input = flat([&a.input, &a.input_bias, &b.input, &b.input_bias])?;
        let recurrent = flat([&a.recurrent, &a.recurrent_bias, &b.recurrent, &b.recurrent_bias])?;
        let operation = Recurrence::new(packed, self.hidden, self.pool.clone());
        inputs.contiguous()?.apply_op3(&input, &recurrent, operation)
    }
}
