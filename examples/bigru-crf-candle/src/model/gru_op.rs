//! The recurrence of a bidirectional GRU over a padded batch, as one candle operation.
//!
//! candle's own layer builds a graph node for every gate of every step, and its backward copies
//! the whole input once per slice. Here both passes are loops over slices, O(T), with one matrix
//! product per step and direction; the two directions run in two threads.
//!
//! Gates as in PyTorch (`r`, `z`, `n`, two bias vectors):
//!
//! ```text
//! r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
//! z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
//! n = tanh(W_in x + b_in + r * (W_hn h + b_hn))
//! h' = n + z * (h - n)
//! ```

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};

use super::math::{sigmoid, tanh};
use super::packed::{Direction, Packed};
use super::slices;

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Backward];

/// Input projections `[B, T, 6H]` (no bias), recurrent weights `[2, 3H, H]` and biases
/// `[2, 2, 3H]` (direction, input or recurrent) to outputs `[B, T, 2H]`.
///
/// Outputs at padding are 0, and padding receives and gives no gradient.
pub(super) struct Recurrence {
    packed: Packed,
    hidden: usize,
    /// What the backward pass needs, one entry per direction, set by the forward pass.
    tape: OnceLock<Vec<Tape>>,
}

/// Activations of one direction in packed order.
struct Tape {
    /// `r`, `z`, `n` of each token: `[N, 3H]`.
    gates: Vec<f32>,
    /// `W_hn h + b_hn` of each token: `[N, H]`.
    candidate: Vec<f32>,
    /// The state before each token: `[N, H]`.
    before: Vec<f32>,
}

/// Gradients of one direction in packed order, and of its weights.
struct Gradients {
    /// At the recurrent side of the gates: `[N, 3H]`.
    gates: Vec<f32>,
    /// At the input side of `n`, where the two sides differ: `[N, H]`.
    candidate: Vec<f32>,
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Recurrence {
    pub(super) fn new(packed: Packed, hidden: usize) -> Self {
        Self { packed, hidden, tape: OnceLock::new() }
    }

    /// Runs one direction; gives its tape and its outputs `[N, H]` in packed order.
    fn forward(
        &self,
        direction: usize,
        inputs: &[f32],
        weight: &[f32],
        bias: &[f32],
    ) -> Result<(Tape, Vec<f32>)> {
        let h = self.hidden;
        let weight = Tensor::from_slice(weight, (3 * h, h), &Device::Cpu)?.t()?;
        let (input_bias, recurrent_bias) = bias.split_at(3 * h);
        let (rz_bias, n_bias) = (sum(input_bias, recurrent_bias), &input_bias[2 * h..]);
        let candidate_bias = &recurrent_bias[2 * h..];
        let places = self.packed.places(DIRECTIONS[direction]);
        let tokens = places.len();
        let mut tape = Tape {
            gates: vec![0.0; tokens * 3 * h],
            candidate: vec![0.0; tokens * h],
            before: vec![0.0; tokens * h],
        };
        let mut outputs = vec![0.0f32; tokens * h];
        let mut previous = 0;
        for step in self.packed.steps() {
            if step.start > 0 {
                tape.before[step.start * h..step.end * h]
                    .copy_from_slice(&outputs[previous * h..(previous + step.len()) * h]);
            }
            previous = step.start;
            let states = &tape.before[step.start * h..step.end * h];
            let states = Tensor::from_slice(states, (step.len(), h), &Device::Cpu)?;
            slices::with(&states.matmul(&weight)?, |products| {
                for (row, position) in step.clone().enumerate() {
                    let input = places[position] * 6 * h + direction * 3 * h;
                    let cell = Cell {
                        input: &inputs[input..input + 3 * h],
                        product: &products[row * 3 * h..(row + 1) * 3 * h],
                        before: &tape.before[position * h..(position + 1) * h],
                    };
                    cell.run(
                        (&rz_bias[..2 * h], n_bias, candidate_bias),
                        &mut tape.gates[position * 3 * h..(position + 1) * 3 * h],
                        &mut tape.candidate[position * h..(position + 1) * h],
                        &mut outputs[position * h..(position + 1) * h],
                    );
                }
                Ok(())
            })?;
        }
        Ok((tape, outputs))
    }

    /// Backward through time of one direction, from the gradient of the outputs `[B, T, 2H]`.
    fn backward(
        &self,
        direction: usize,
        tape: &Tape,
        weight: &[f32],
        outputs: &[f32],
    ) -> Result<Gradients> {
        let h = self.hidden;
        let weight = Tensor::from_slice(weight, (3 * h, h), &Device::Cpu)?;
        let places = self.packed.places(DIRECTIONS[direction]);
        let tokens = places.len();
        let mut gates = vec![0.0f32; tokens * 3 * h];
        let mut candidate = vec![0.0f32; tokens * h];
        let mut bias = vec![0.0f32; 6 * h];
        // The gradient of each row's state, carried from the step after.
        let mut carry = vec![0.0f32; self.packed.rows() * h];
        for step in self.packed.steps().rev() {
            for (row, position) in step.clone().enumerate() {
                let output = places[position] * 2 * h + direction * h;
                let cell = CellGradient {
                    output: &outputs[output..output + h],
                    gates: &tape.gates[position * 3 * h..(position + 1) * 3 * h],
                    candidate: &tape.candidate[position * h..(position + 1) * h],
                    before: &tape.before[position * h..(position + 1) * h],
                };
                cell.run(
                    &mut carry[row * h..(row + 1) * h],
                    &mut gates[position * 3 * h..(position + 1) * 3 * h],
                    &mut candidate[position * h..(position + 1) * h],
                );
            }
            let block = &gates[step.start * 3 * h..step.end * 3 * h];
            let block = Tensor::from_slice(block, (step.len(), 3 * h), &Device::Cpu)?;
            slices::with(&block.matmul(&weight)?, |products| {
                add(&mut carry[..products.len()], products);
                Ok(())
            })?;
        }
        let (input_bias, recurrent_bias) = bias.split_at_mut(3 * h);
        for row in gates.chunks_exact(3 * h) {
            add(recurrent_bias, row);
        }
        input_bias[..2 * h].copy_from_slice(&recurrent_bias[..2 * h]);
        for row in candidate.chunks_exact(h) {
            add(&mut input_bias[2 * h..], row);
        }
        let weight = Tensor::from_slice(&gates, (tokens, 3 * h), &Device::Cpu)?
            .t()?
            .matmul(&Tensor::from_slice(&tape.before, (tokens, h), &Device::Cpu)?)?
            .flatten_all()?
            .to_vec1()?;
        Ok(Gradients { gates, candidate, weight, bias })
    }
}

/// What one token reads in the forward pass.
struct Cell<'a> {
    input: &'a [f32],
    product: &'a [f32],
    before: &'a [f32],
}

impl Cell<'_> {
    #[inline(always)]
    fn run(
        &self,
        (rz_bias, n_bias, candidate_bias): (&[f32], &[f32], &[f32]),
        gates: &mut [f32],
        candidate: &mut [f32],
        output: &mut [f32],
    ) {
        let h = output.len();
        let (input_rz, input_n) = self.input.split_at(2 * h);
        let (product_rz, product_n) = self.product.split_at(2 * h);
        let (rz, n) = gates.split_at_mut(2 * h);
        for (((gate, x), p), b) in rz.iter_mut().zip(input_rz).zip(product_rz).zip(rz_bias) {
            *gate = sigmoid(x + p + b);
        }
        let (r, z) = rz.split_at(h);
        for ((c, p), b) in candidate.iter_mut().zip(product_n).zip(candidate_bias) {
            *c = p + b;
        }
        for ((((n, x), b), r), c) in n.iter_mut().zip(input_n).zip(n_bias).zip(r).zip(&*candidate) {
            *n = tanh(x + b + r * c);
        }
        for (((out, n), z), before) in output.iter_mut().zip(&*n).zip(z).zip(self.before) {
            *out = n + z * (before - n);
        }
    }
}

/// What one token reads in the backward pass.
struct CellGradient<'a> {
    output: &'a [f32],
    gates: &'a [f32],
    candidate: &'a [f32],
    before: &'a [f32],
}

impl CellGradient<'_> {
    /// Turns the gradient carried from the step after into those of the gates, and leaves in
    /// `carry` the part that reaches the state before without the recurrent weights.
    #[inline(always)]
    fn run(&self, carry: &mut [f32], gates: &mut [f32], candidate: &mut [f32]) {
        let h = carry.len();
        let (r, rest) = self.gates.split_at(h);
        let (z, n) = rest.split_at(h);
        let (to_r, rest) = gates.split_at_mut(h);
        let (to_z, to_n) = rest.split_at_mut(h);
        let (r, z, n) = (&r[..h], &z[..h], &n[..h]);
        let (to_r, to_z, to_n) = (&mut to_r[..h], &mut to_z[..h], &mut to_n[..h]);
        let (output, before) = (&self.output[..h], &self.before[..h]);
        let (c, to_input) = (&self.candidate[..h], &mut candidate[..h]);
        for k in 0..h {
            let state = output[k] + carry[k];
            let at_n = state * (1.0 - z[k]) * (1.0 - n[k] * n[k]);
            to_input[k] = at_n;
            to_n[k] = at_n * r[k];
            to_r[k] = at_n * c[k] * r[k] * (1.0 - r[k]);
            to_z[k] = state * (before[k] - n[k]) * z[k] * (1.0 - z[k]);
            carry[k] = state * z[k];
        }
    }
}

impl CustomOp3 for Recurrence {
    fn name(&self) -> &'static str {
        "bidirectional-gru"
    }

    fn cpu_fwd(
        &self,
        inputs: &CpuStorage,
        inputs_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
        biases: &CpuStorage,
        biases_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let h = self.hidden;
        let (rows, width) = (self.packed.rows(), self.packed.width());
        expect_shape("inputs", inputs_layout, &[rows, width, 6 * h])?;
        expect_shape("weights", weights_layout, &[2, 3 * h, h])?;
        expect_shape("biases", biases_layout, &[2, 2, 3 * h])?;
        let inputs = slices::of_storage(self.name(), inputs, inputs_layout)?;
        let weights = slices::of_storage(self.name(), weights, weights_layout)?;
        let biases = slices::of_storage(self.name(), biases, biases_layout)?;
        let [first, second] = both(|d| {
            let weight = &weights[d * 3 * h * h..(d + 1) * 3 * h * h];
            self.forward(d, inputs, weight, &biases[d * 6 * h..(d + 1) * 6 * h])
        })?;
        let mut outputs = vec![0.0f32; rows * width * 2 * h];
        let mut tapes = Vec::with_capacity(2);
        for (d, (tape, states)) in [first, second].into_iter().enumerate() {
            let places = self.packed.places(DIRECTIONS[d]);
            for (place, state) in places.into_iter().zip(states.chunks_exact(h)) {
                let start = place * 2 * h + d * h;
                outputs[start..start + h].copy_from_slice(state);
            }
            tapes.push(tape);
        }
        if self.tape.set(tapes).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        Ok((CpuStorage::F32(outputs), (rows, width, 2 * h).into()))
    }

    fn bwd(
        &self,
        inputs: &Tensor,
        weights: &Tensor,
        biases: &Tensor,
        _outputs: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let h = self.hidden;
        let Some(tapes) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let gradients = slices::with(weights, |weights| {
            slices::with(grad, |grad| {
                both(|d| {
                    let weight = &weights[d * 3 * h * h..(d + 1) * 3 * h * h];
                    self.backward(d, &tapes[d], weight, grad)
                })
            })
        })?;
        let mut to_inputs = vec![0.0f32; inputs.elem_count()];
        let (mut to_weights, mut to_biases) = (Vec::new(), Vec::new());
        for (d, gradients) in gradients.into_iter().enumerate() {
            let rows = gradients.gates.chunks_exact(3 * h);
            let rows = rows.zip(gradients.candidate.chunks_exact(h));
            for (place, (gates, candidate)) in
                self.packed.places(DIRECTIONS[d]).into_iter().zip(rows)
            {
                let start = place * 6 * h + d * 3 * h;
                to_inputs[start..start + 2 * h].copy_from_slice(&gates[..2 * h]);
                to_inputs[start + 2 * h..start + 3 * h].copy_from_slice(candidate);
            }
            to_weights.extend(gradients.weight);
            to_biases.extend(gradients.bias);
        }
        Ok((
            Some(Tensor::from_vec(to_inputs, inputs.shape(), &Device::Cpu)?),
            Some(Tensor::from_vec(to_weights, weights.shape(), &Device::Cpu)?),
            Some(Tensor::from_vec(to_biases, biases.shape(), &Device::Cpu)?),
        ))
    }
}

/// Runs the two directions, each in its own thread. They share nothing, so the numbers do not
/// depend on the schedule.
fn both<R: Send>(run: impl Fn(usize) -> Result<R> + Sync) -> Result<[R; 2]> {
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| run(1));
        (run(0), second.join())
    });
    match second {
        Ok(second) => Ok([first?, second?]),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn expect_shape(what: &str, layout: &Layout, want: &[usize]) -> Result<()> {
    if layout.dims() == want {
        return Ok(());
    }
    bail!("bidirectional-gru: {what} have shape {:?}, expected {want:?}", layout.dims())
}

fn sum(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn add(total: &mut [f32], more: &[f32]) {
    for (t, m) in total.iter_mut().zip(more) {
        *t += m;
    }
}
