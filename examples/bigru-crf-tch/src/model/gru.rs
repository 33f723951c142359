//! A bidirectional GRU layer over rows of different length, by libtorch's GRU.
//!
//! libtorch's own bidirectional layer begins its second direction in the padding, unless rows are
//! packed; and on the CPU its backward pass over packed rows takes more than twice as long, since
//! the gradient of each time step is padded to the size of all. So each direction is a layer of
//! its own here, and the second one sees each row reversed by itself.

use tch::{TchError, Tensor};

use super::ModelError;
use super::params::Params;

/// One bidirectional layer, its variables named as in PyTorch.
///
/// On a GPU libtorch runs it by cuDNN.
#[derive(Debug)]
pub struct BiGru {
    /// Weights and biases of the forward direction and of the backward direction.
    directions: [Vec<Tensor>; 2],
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
        let mut weights = |suffix: &str| {
            [
                ("weight_ih", &[3 * hidden, width][..]),
                ("weight_hh", &[3 * hidden, hidden]),
                ("bias_ih", &[3 * hidden]),
                ("bias_hh", &[3 * hidden]),
            ]
            .into_iter()
            .map(|(kind, shape)| {
                params.create(&format!("{prefix}{kind}_l{layer}{suffix}"), shape, bound)
            })
            .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self { directions: [weights("")?, weights("_reverse")?], hidden: hidden as i64 })
    }

    /// Inputs `[B, T, I]` to states `[B, T, 2H]`: the forward direction's first, then the
    /// backward direction's, which starts at each row's own last token.
    ///
    /// Row `b` has `lengths[b]` tokens, at most `T`. Outputs behind them are 0, and what finite
    /// numbers stand there in the inputs changes neither outputs nor gradients.
    ///
    /// # Errors
    /// When shapes and lengths do not fit together.
    pub fn forward(&self, inputs: &Tensor, lengths: &[usize]) -> Result<Tensor, TchError> {
        let (rows, width, features) = inputs.size3()?;
        let (kind, device) = (inputs.kind(), inputs.device());
        if rows == 0 || width == 0 {
            return Tensor::f_zeros([rows, width, 2 * self.hidden], (kind, device));
        }
        let start = Tensor::f_zeros([1, rows, self.hidden], (kind, device))?;
        let run = |inputs: &Tensor, weights: &[Tensor]| {
            let (states, _) = inputs.f_gru(&start, weights, true, 1, 0.0, false, false, true)?;
            Ok::<_, TchError>(states)
        };
        let [forward, backward] = &self.directions;
        let reversal = Tensor::f_from_slice(&reversal(lengths, width as usize))?;
        let reversal = reversal.f_to_device(device)?;
        let reversed = |tensor: &Tensor, features: i64| {
            let tokens = tensor.f_reshape([rows * width, features])?;
            tokens.f_index_select(0, &reversal)?.f_view([rows, width, features])
        };
        let last_first = run(&reversed(inputs, features)?, backward)?;
        let states = [run(inputs, forward)?, reversed(&last_first, self.hidden)?];
        let padding = Tensor::f_from_slice(&padding(lengths, width as usize))?;
        let padding = padding.f_to_device(device)?.f_view([rows, width, 1])?;
        Tensor::f_cat(&states, 2)?.f_masked_fill(&padding, 0.0)
    }
}

/// For each token of `[B, T]` the token at its place when each row is read from its own end;
/// padding stays where it is.
fn reversal(lengths: &[usize], width: usize) -> Vec<i64> {
    let rows = lengths.iter().enumerate();
    let places = rows.flat_map(|(row, &length)| {
        let mirrored = move |t| if t < length { length - 1 - t } else { t };
        (0..width).map(move |t| (row * width + mirrored(t)) as i64)
    });
    places.collect()
}

/// Whether each token of `[B, T]` is padding.
fn padding(lengths: &[usize], width: usize) -> Vec<bool> {
    lengths.iter().flat_map(|&length| (0..width).map(move |t| t >= length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_reversed_by_itself() {
        assert_eq!(reversal(&[2, 0, 3], 3), [1, 0, 2, /**/ 3, 4, 5, /**/ 8, 7, 6]);
        assert_eq!(padding(&[1, 2], 2), [false, true, false, false]);
    }
}
