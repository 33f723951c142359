//! A bidirectional GRU layer of libtorch's over rows of different length.

use tch::{TchError, Tensor};

use super::ModelError;
use super::params::Params;

/// One bidirectional layer, its variables named as in PyTorch.
///
/// On a GPU libtorch runs it by cuDNN.
#[derive(Debug)]
pub struct BiGru {
    /// Weights and biases of the forward direction, then of the backward direction.
    weights: Vec<Tensor>,
    hidden: i64,
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
    ) -> Result<Self, ModelError> {
        let bound = 1.0 / (hidden as f32).sqrt();
        let mut weights = Vec::new();
        for suffix in ["", "_reverse"] {
            for (kind, shape) in [
                ("weight_ih", &[3 * hidden, width][..]),
                ("weight_hh", &[3 * hidden, hidden]),
                ("bias_ih", &[3 * hidden]),
                ("bias_hh", &[3 * hidden]),
            ] {
                let name = format!("{prefix}{kind}_l{layer}{suffix}");
                weights.push(params.create(&name, shape, bound)?);
            }
        }
        Ok(Self { weights, hidden: hidden as i64 })
    }

    /// Inputs `[B, T, I]` to states `[B, T, 2H]`: the forward direction's first, then the
    /// backward direction's, which starts at each row's own last token.
    ///
    /// Row `b` has `lengths[b]` tokens, at most `T`. Outputs behind them are 0, and what stands
    /// there in the inputs changes neither outputs nor gradients.
    ///
    /// # Errors
    /// When shapes and lengths do not fit together.
    pub fn forward(&self, inputs: &Tensor, lengths: &[usize]) -> Result<Tensor, TchError> {
        // libtorch wants rows by falling length, and none without tokens.
        let mut order: Vec<usize> = (0..lengths.len()).filter(|&row| lengths[row] > 0).collect();
        order.sort_by_key(|&row| std::cmp::Reverse(lengths[row]));
        let (rows, width, _) = inputs.size3()?;
        let (kind, device) = (inputs.kind(), inputs.device());
        let outputs = Tensor::f_zeros([rows, width, 2 * self.hidden], (kind, device))?;
        if order.is_empty() {
            return Ok(outputs);
        }
        let sorted: Vec<i64> = order.iter().map(|&row| lengths[row] as i64).collect();
        let order: Vec<i64> = order.iter().map(|&row| row as i64).collect();
        let order = Tensor::f_from_slice(&order)?.f_to_device(device)?;

        let inputs = inputs.f_index_select(0, &order)?;
        let lengths = Tensor::f_from_slice(&sorted)?;
        let (packed, batch_sizes) = inputs.f_internal_pack_padded_sequence(&lengths, true)?;
        let start = [2, sorted.len() as i64, self.hidden];
        let start = Tensor::f_zeros(start, (kind, device))?;
        let (states, _) = Tensor::f_gru_data(
            &packed,
            &batch_sizes,
            &start,
            &self.weights,
            true,
            1,
            0.0,
            false,
            true,
        )?;
        let (states, _) =
            Tensor::f_internal_pad_packed_sequence(&states, &batch_sizes, true, 0.0, width)?;
        outputs.f_index_copy(0, &order, &states)
    }
}
