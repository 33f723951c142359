//! A bidirectional GRU over a padded batch, as one candle operation.
//!
//! candle's own layer builds a graph node for every gate of every step, and its backward copies
//! the whole input once per slice. Here both passes are loops over slices, O(T), with few matrix
//! products per step and direction; the two directions run in two threads.
//!
//! Gates as in PyTorch (`r`, `z`, `n`, two bias vectors):
//!
//! ```text
//! r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
//! z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
//! n = tanh(W_in x + b_in + r * (W_hn h + b_hn))
//! h' = n + z * (h - n)
//! ```

use std::ops::Range;
use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};

use super::cell::{Biases, Cell, CellGradient};
use super::packed::{Direction, Packed};
use super::pool::Pool;
use training_candle::slices;

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Backward];

/// Inputs `[B, T, I]`, input parameters `[2 * 3H * (I + 1)]` and recurrent parameters
/// `[2 * 3H * (H + 1)]` to outputs `[B, T, 2H]`.
///
/// The parameters are flat: for each direction its weight, then its bias. Outputs at padding are
/// 0, and padding receives and gives no gradient.
pub(super) struct Recurrence {
    packed: Packed,
    hidden: usize,
    pool: Pool,
    /// What the backward pass needs, one entry per direction, set by the forward pass.
    tape: OnceLock<[Tape; 2]>,
}

/// Activations of one direction in packed order.
struct Tape {
    /// The token at each packed position.
    places: Vec<usize>,
    /// Inputs: `[N, I]`.
    inputs: Vec<f32>,
    /// `r`, `z`, `n`: `[N, 3H]`.
    gates: Vec<f32>,
    /// `W_hn h + b_hn`: `[N, H]`.
    candidate: Vec<f32>,
    /// The state before each token: `[N, H]`.
    before: Vec<f32>,
}

/// Gradients of one direction.
struct Gradients {
    /// In packed order: `[N, I]`.
    inputs: Tensor,
    input_weight: [Tensor; 2],
    input_bias: Vec<f32>,
    recurrent_weight: Tensor,
    recurrent_bias: Vec<f32>,
}

/// One direction's share of a flat parameter.
fn split(flat: &[f32], direction: usize, gates: usize) -> (&[f32], &[f32]) {
    let half = flat.len() / 2;
    flat[direction * half..(direction + 1) * half].split_at(half - gates)
}

/// The part of a buffer with `width` numbers per packed position.
fn at(steps: &Range<usize>, width: usize) -> Range<usize> {
    steps.start * width..steps.end * width
}

fn matrix(values: &[f32], columns: usize) -> Result<Tensor> {
    Tensor::from_slice(values, (values.len() / columns, columns), &Device::Cpu)
}

impl Recurrence {
    pub(super) fn new(packed: Packed, hidden: usize, pool: Pool) -> Self {
        Self { packed, hidden, pool, tape: OnceLock::new() }
    }

    /// Runs one direction; gives its tape and its outputs `[N, H]` in packed order.
    fn forward(
        &self,
        direction: usize,
        inputs: &[f32],
        input: &[f32],
        recurrent: &[f32],
    ) -> Result<(Tape, Vec<f32>)> {
        let h = self.hidden;
        let (input_weight, input_bias) = split(input, direction, 3 * h);
        let (recurrent_weight, recurrent_bias) = split(recurrent, direction, 3 * h);
        let width = input_weight.len() / (3 * h);
        // Row-major right-hand sides: the product is used once per step.
        let input_weight = matrix(input_weight, width)?.t()?.contiguous()?;
        let recurrent_weight = matrix(recurrent_weight, h)?.t()?.contiguous()?;
        let biases = Biases::new(input_bias, recurrent_bias);
        let places = self.packed.places(DIRECTIONS[direction]);
        let tokens = places.len();
        let mut tape = Tape {
            inputs: self.pool.take(tokens * width),
            gates: self.pool.take(tokens * 3 * h),
            candidate: self.pool.take(tokens * h),
            before: self.pool.zeros(tokens * h),
            places,
        };
        for (row, &place) in tape.inputs.chunks_exact_mut(width).zip(&tape.places) {
            row.copy_from_slice(&inputs[place * width..(place + 1) * width]);
        }
        let mut outputs = self.pool.take(tokens * h);
        let mut previous = 0;
        for step in self.packed.steps() {
            if step.start > 0 {
                let states = previous * h..(previous + step.len()) * h;
                tape.before[at(&step, h)].copy_from_slice(&outputs[states]);
            }
            previous = step.start;
            let from_input =
                matrix(&tape.inputs[at(&step, width)], width)?.matmul(&input_weight)?;
            let from_state = matrix(&tape.before[at(&step, h)], h)?.matmul(&recurrent_weight)?;
            slices::with(&from_input, |from_input| {
                slices::with(&from_state, |from_state| {
                    let rows = from_input.chunks_exact(3 * h).zip(from_state.chunks_exact(3 * h));
                    for (position, (input, recurrent)) in step.clone().zip(rows) {
                        let here = position..position + 1;
                        let cell = Cell { input, recurrent, before: &tape.before[at(&here, h)] };
                        cell.run(
                            &biases,
                            &mut tape.gates[at(&here, 3 * h)],
                            &mut tape.candidate[at(&here, h)],
                            &mut outputs[at(&here, h)],
                        );
                    }
                    Ok(())
                })
            })?;
        }
        Ok((tape, outputs))
    }

    /// Backward through time of one direction, from the gradient of the outputs `[B, T, 2H]`.
    fn backward(
        &self,
        direction: usize,
        tape: &Tape,
        weights: (&[f32], &[f32]),
        outputs: &[f32],
    ) -> Result<Gradients> {
        let h = self.hidden;
        let tokens = tape.places.len();
        let recurrent_weight = matrix(split(weights.1, direction, 3 * h).0, h)?;
        let mut gates = self.pool.take(tokens * 3 * h);
        let mut candidate = self.pool.take(tokens * h);
        // The gradient of each row's state, carried from the step after.
        let mut carry = self.pool.zeros(self.packed.rows() * h);
        for step in self.packed.steps().rev() {
            for (carry, position) in carry.chunks_exact_mut(h).zip(step.clone()) {
                let here = position..position + 1;
                let output = tape.places[position] * 2 * h + direction * h;
                let cell = CellGradient {
                    output: &outputs[output..output + h],
                    gates: &tape.gates[at(&here, 3 * h)],
                    candidate: &tape.candidate[at(&here, h)],
                    before: &tape.before[at(&here, h)],
                };
                cell.run(carry, &mut gates[at(&here, 3 * h)], &mut candidate[at(&here, h)]);
            }
            let block = matrix(&gates[at(&step, 3 * h)], 3 * h)?;
            slices::with(&block.matmul(&recurrent_weight)?, |products| {
                add(&mut carry, products);
                Ok(())
            })?;
        }
        let gradients = self.of_weights(direction, tape, weights.0, &gates, &candidate);
        for buffer in [gates, candidate, carry] {
            self.pool.give(buffer);
        }
        gradients
    }

    /// The gradients of one direction's inputs, weights and biases from those of its gates.
    fn of_weights(
        &self,
        direction: usize,
        tape: &Tape,
        input: &[f32],
        gates: &[f32],
        candidate: &[f32],
    ) -> Result<Gradients> {
        let h = self.hidden;
        let (input_weight, _) = split(input, direction, 3 * h);
        let width = input_weight.len() / (3 * h);
        let input_weight = matrix(input_weight, width)?;
        let mut recurrent_bias = vec![0.0f32; 3 * h];
        for row in gates.chunks_exact(3 * h) {
            add(&mut recurrent_bias, row);
        }
        let mut input_bias = recurrent_bias.clone();
        input_bias[2 * h..].fill(0.0);
        for row in candidate.chunks_exact(h) {
            add(&mut input_bias[2 * h..], row);
        }
        let gates = matrix(gates, 3 * h)?;
        let candidate = matrix(candidate, h)?;
        let inputs = matrix(&tape.inputs, width)?;
        let recurrent_weight = gates.t()?.matmul(&matrix(&tape.before, h)?)?;
        // On the input side only the last third differs from the recurrent side.
        let shared = gates.narrow(1, 0, 2 * h)?;
        let to_inputs = (shared.matmul(&input_weight.narrow(0, 0, 2 * h)?)?
            + candidate.matmul(&input_weight.narrow(0, 2 * h, h)?)?)?;
        Ok(Gradients {
            inputs: to_inputs,
            input_weight: [shared.t()?.matmul(&inputs)?, candidate.t()?.matmul(&inputs)?],
            input_bias,
            recurrent_weight,
            recurrent_bias,
        })
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
        input: &CpuStorage,
        input_layout: &Layout,
        recurrent: &CpuStorage,
        recurrent_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let h = self.hidden;
        let (rows, width) = (self.packed.rows(), self.packed.width());
        let inputs = slices::of_storage(self.name(), inputs, inputs_layout)?;
        let input = slices::of_storage(self.name(), input, input_layout)?;
        let recurrent = slices::of_storage(self.name(), recurrent, recurrent_layout)?;
        let directions = both(|d| self.forward(d, inputs, input, recurrent))?;
        let mut outputs = vec![0.0f32; rows * width * 2 * h];
        let mut d = 0;
        let tapes = directions.map(|(tape, states)| {
            for (place, state) in tape.places.iter().zip(states.chunks_exact(h)) {
                let start = place * 2 * h + d * h;
                outputs[start..start + h].copy_from_slice(state);
            }
            self.pool.give(states);
            d += 1;
            tape
        });
        if self.tape.set(tapes).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        Ok((CpuStorage::F32(outputs), (rows, width, 2 * h).into()))
    }

    fn bwd(
        &self,
        inputs: &Tensor,
        input: &Tensor,
        recurrent: &Tensor,
        _outputs: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(tapes) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let directions = slices::with(input, |input| {
            slices::with(recurrent, |recurrent| {
                slices::with(grad, |grad| {
                    both(|d| self.backward(d, &tapes[d], (input, recurrent), grad))
                })
            })
        })?;
        let width = inputs.dim(2)?;
        let mut to_inputs = vec![0.0f32; inputs.elem_count()];
        let mut to_input = Vec::with_capacity(input.elem_count());
        let mut to_recurrent = Vec::with_capacity(recurrent.elem_count());
        for (gradients, tape) in directions.into_iter().zip(tapes) {
            slices::with(&gradients.inputs, |rows| {
                for (place, row) in tape.places.iter().zip(rows.chunks_exact(width)) {
                    add(&mut to_inputs[place * width..(place + 1) * width], row);
                }
                Ok(())
            })?;
            for part in &gradients.input_weight {
                extend(&mut to_input, part)?;
            }
            to_input.extend(gradients.input_bias);
            extend(&mut to_recurrent, &gradients.recurrent_weight)?;
            to_recurrent.extend(gradients.recurrent_bias);
        }
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), &Device::Cpu);
        Ok((
            Some(tensor(to_inputs, inputs)?),
            Some(tensor(to_input, input)?),
            Some(tensor(to_recurrent, recurrent)?),
        ))
    }
}

impl Drop for Recurrence {
    fn drop(&mut self) {
        for tape in self.tape.take().into_iter().flatten() {
            for buffer in [tape.inputs, tape.gates, tape.candidate, tape.before] {
                self.pool.give(buffer);
            }
        }
    }
}

/// Runs the two directions, each in its own thread. They share nothing they write, so the numbers
/// do not depend on the schedule.
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

fn extend(flat: &mut Vec<f32>, part: &Tensor) -> Result<()> {
    slices::with(part, |part| {
        flat.extend_from_slice(part);
        Ok(())
    })
}

fn add(total: &mut [f32], more: &[f32]) {
    for (t, m) in total.iter_mut().zip(more) {
        *t += m;
    }
}
