//! One token's part of a GRU step, forward and backward, over slices.

use training_candle::math::{sigmoid, tanh};

/// Gradients smaller than this become 0. Far below what could move a weight, and without it the
/// products of a trained network's small numbers end in subnormals, on which the processor is
/// many times slower.
const TINY: f32 = 1e-25;

/// What one token reads in the forward pass: the products of the weights with the input and with
/// the state before (`[3H]` each, without bias), and that state (`[H]`).
pub(super) struct Cell<'a> {
    pub(super) input: &'a [f32],
    pub(super) recurrent: &'a [f32],
    pub(super) before: &'a [f32],
}

/// The biases of a direction, added up where they meet.
pub(super) struct Biases {
    /// Of `r` and `z`, input and recurrent side: `[2H]`.
    gates: Vec<f32>,
    /// Of `n`, input side: `[H]`.
    input: Vec<f32>,
    /// Of `n`, recurrent side: `[H]`.
    candidate: Vec<f32>,
}

impl Biases {
    /// From the two bias vectors `[3H]`.
    pub(super) fn new(input: &[f32], recurrent: &[f32]) -> Self {
        let h = input.len() / 3;
        let sums = input.iter().zip(recurrent).map(|(a, b)| a + b);
        Self {
            gates: sums.take(2 * h).collect(),
            input: input[2 * h..].to_vec(),
            candidate: recurrent[2 * h..].to_vec(),
        }
    }
}

impl Cell<'_> {
    /// Writes `r`, `z`, `n` to `gates` `[3H]`, `W_hn h + b_hn` to `candidate` `[H]`, and the new
    /// state to `output` `[H]`.
    #[inline(always)]
    pub(super) fn run(
        &self,
        biases: &Biases,
        gates: &mut [f32],
        candidate: &mut [f32],
        output: &mut [f32],
    ) {
        let h = output.len();
        let (input_gates, input_n) = self.input.split_at(2 * h);
        let (recurrent_gates, recurrent_n) = self.recurrent.split_at(2 * h);
        let (rz, n) = gates.split_at_mut(2 * h);
        let sums = input_gates.iter().zip(recurrent_gates).zip(&biases.gates);
        for (gate, ((x, p), b)) in rz.iter_mut().zip(sums) {
            *gate = sigmoid(x + p + b);
        }
        let (r, z) = rz.split_at(h);
        let sums = recurrent_n.iter().zip(&biases.candidate);
        for (c, (p, b)) in candidate.iter_mut().zip(sums) {
            *c = p + b;
        }
        let sums = input_n.iter().zip(&biases.input);
        let resets = r.iter().zip(&*candidate);
        for (n, ((x, b), (r, c))) in n.iter_mut().zip(sums.zip(resets)) {
            *n = tanh(x + b + r * c);
        }
        let states = n.iter().zip(z).zip(self.before);
        for (out, ((n, z), before)) in output.iter_mut().zip(states) {
            *out = n + z * (before - n);
        }
    }
}

/// What one token reads in the backward pass.
pub(super) struct CellGradient<'a> {
    /// The gradient of the output, `[H]`.
    pub(super) output: &'a [f32],
    pub(super) gates: &'a [f32],
    pub(super) candidate: &'a [f32],
    pub(super) before: &'a [f32],
}

impl CellGradient<'_> {
    /// Turns the gradient carried from the step after into those of the gates' sums: `gates`
    /// `[3H]` on the recurrent side, `candidate` `[H]` on the input side of `n`, where the two
    /// differ. Leaves in `carry` `[H]` what reaches the state before without the weights.
    #[inline(always)]
    pub(super) fn run(&self, carry: &mut [f32], gates: &mut [f32], candidate: &mut [f32]) {
        let h = carry.len();
        let (r, rest) = self.gates.split_at(h);
        let (z, n) = rest.split_at(h);
        let (to_r, rest) = gates.split_at_mut(h);
        let (to_z, to_n) = rest.split_at_mut(h);
        // Slices of one known length, so that the loop needs no bounds checks.
        let (r, z, n) = (&r[..h], &z[..h], &n[..h]);
        let (to_r, to_z, to_n) = (&mut to_r[..h], &mut to_z[..h], &mut to_n[..h]);
        let (output, before) = (&self.output[..h], &self.before[..h]);
        let (c, to_input) = (&self.candidate[..h], &mut candidate[..h]);
        for k in 0..h {
            let state = output[k] + carry[k];
            let state = if state.abs() < TINY { 0.0 } else { state };
            let at_n = state * (1.0 - z[k]) * (1.0 - n[k] * n[k]);
            to_input[k] = at_n;
            to_n[k] = at_n * r[k];
            to_r[k] = at_n * c[k] * r[k] * (1.0 - r[k]);
            to_z[k] = state * (before[k] - n[k]) * z[k] * (1.0 - z[k]);
            carry[k] = state * z[k];
        }
    }
}
