//! Attention of several heads over sentences of different length (Vaswani et al. 2017), as one
//! candle operation.
//!
//! ```text
//! weights = softmax(q kᵀ / sqrt(size of a head))        per sentence and head
//! y = dropout(weights) v
//! ```
//!
//! There is no mask, since there is no padding. Heads are views of the same numbers, so nothing is
//! transposed or copied before the products. Sentences are computed in parallel.

use std::sync::OnceLock;

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Storage, Tensor, bail};
use rayon::prelude::*;
use training_candle::math::exp;

use training_candle::lanes::{maximum, sum, sum_of};

/// Queries, keys and values, `[N, D]` each, to contexts `[N, D]`.
pub(super) struct Attention {
    sentences: Vec<Sentence>,
    heads: usize,
    /// What dropout multiplies the weights with: those of each sentence, head by head.
    factors: Option<Vec<f32>>,
    /// The weights `[heads, length, length]` of each sentence, set by the forward pass.
    tape: OnceLock<Vec<Vec<f32>>>,
}

/// Where the numbers of a sentence begin.
#[derive(Clone, Copy)]
struct Sentence {
    /// Its first token.
    start: usize,
    length: usize,
    /// Its first weight.
    weights: usize,
}

/// A matrix per head, one of the two sides of a product.
#[derive(Clone, Copy)]
struct Side<'a> {
    storage: &'a CpuStorage,
    /// Of the first number.
    offset: usize,
    /// From head to head, row to row, column to column.
    strides: [usize; 3],
}

impl Side<'_> {
    fn transposed(self) -> Self {
        let [head, row, column] = self.strides;
        Self { strides: [head, column, row], ..self }
    }
}

impl Attention {
    /// `factors` are those of [`weights`](Self::weights) numbers.
    pub(super) fn new(lengths: &[usize], heads: usize, factors: Option<Vec<f32>>) -> Self {
        let (mut start, mut weights) = (0, 0);
        let sentences = lengths.iter().map(|&length| {
            let sentence = Sentence { start, length, weights };
            start += length;
            weights += heads * length * length;
            sentence
        });
        Self { sentences: sentences.collect(), heads, factors, tape: OnceLock::new() }
    }

    /// How many attention weights there are.
    pub(super) fn weights(lengths: &[usize], heads: usize) -> usize {
        lengths.iter().map(|length| heads * length * length).sum()
    }

    /// The heads of a sentence in a tensor `[N, D]`.
    fn of_tokens<'a>(
        &self,
        (storage, offset): (&'a CpuStorage, usize),
        sentence: Sentence,
        size: usize,
    ) -> Side<'a> {
        let strides = [size / self.heads, size, 1];
        Side { storage, offset: offset + sentence.start * size, strides }
    }

    /// `left [heads, rows, inner]` times `right [heads, inner, columns]`.
    fn product(
        &self,
        left: Side<'_>,
        right: Side<'_>,
        [rows, inner, columns]: [usize; 3],
    ) -> Result<Vec<f32>> {
        let layout = |side: &Side<'_>, rows: usize, columns: usize| {
            Layout::new((self.heads, rows, columns).into(), side.strides.to_vec(), side.offset)
        };
        let (left_layout, right_layout) =
            (layout(&left, rows, inner), layout(&right, inner, columns));
        let shape = (self.heads, rows, columns, inner);
        match left.storage.matmul(right.storage, shape, &left_layout, &right_layout)? {
            CpuStorage::F32(product) => Ok(product),
            _ => bail!("{}: expects tensors of type f32", self.name()),
        }
    }

    /// Weights after dropout.
    fn dropped(&self, weights: &[f32], sentence: Sentence) -> Vec<f32> {
        match &self.factors {
            None => weights.to_vec(),
            Some(factors) => {
                let factors = &factors[sentence.weights..][..weights.len()];
                weights.iter().zip(factors).map(|(weight, factor)| weight * factor).collect()
            }
        }
    }

    /// The weights of a sentence, and its contexts `[heads, length, size / heads]`.
    fn forward(
        &self,
        sentence: Sentence,
        [queries, keys, values]: [(&CpuStorage, usize); 3],
        size: usize,
    ) -> Result<(Vec<f32>, Vec<f32>)> {
        let (length, head) = (sentence.length, size / self.heads);
        let of_tokens = |numbers| self.of_tokens(numbers, sentence, size);
        let keys = of_tokens(keys).transposed();
        let mut weights = self.product(of_tokens(queries), keys, [length, head, length])?;
        let scale = scale(head);
        weights.chunks_exact_mut(length).for_each(|row| softmax(row, scale));
        let dropped = CpuStorage::F32(self.dropped(&weights, sentence));
        let dropped = of_weights(&dropped, length);
        let contexts = self.product(dropped, of_tokens(values), [length, length, head])?;
        Ok((weights, contexts))
    }

    /// The gradients of a sentence's queries, keys and values, `[heads, length, size / heads]`.
    fn backward(
        &self,
        sentence: Sentence,
        weights: &[f32],
        [queries, keys, values, grad]: [(&CpuStorage, usize); 4],
        size: usize,
    ) -> Result<[Vec<f32>; 3]> {
        let (length, head) = (sentence.length, size / self.heads);
        let of_tokens = |numbers| self.of_tokens(numbers, sentence, size);
        let grad = of_tokens(grad);
        let dropped = CpuStorage::F32(self.dropped(weights, sentence));
        let dropped = of_weights(&dropped, length).transposed();
        let to_values = self.product(dropped, grad, [length, length, head])?;

        let values = of_tokens(values).transposed();
        let to_dropped = self.product(grad, values, [length, head, length])?;
        let mut to_scores = self.dropped(&to_dropped, sentence);
        let scale = scale(head);
        let rows = to_scores.chunks_exact_mut(length).zip(weights.chunks_exact(length));
        for (to, weights) in rows {
            let mean = sum_of(to, weights, |to, weight| to * weight);
            for (to, weight) in to.iter_mut().zip(weights) {
                *to = weight * (*to - mean) * scale;
            }
        }
        let to_scores = CpuStorage::F32(to_scores);
        let to_scores = of_weights(&to_scores, length);
        let to_queries = self.product(to_scores, of_tokens(keys), [length, length, head])?;
        let to_scores = to_scores.transposed();
        let to_keys = self.product(to_scores, of_tokens(queries), [length, length, head])?;
        Ok([to_queries, to_keys, to_values])
    }

    /// A part of a matrix `[N, D]` for each sentence.
    fn split<'a>(&self, mut matrix: &'a mut [f32], size: usize) -> Vec<&'a mut [f32]> {
        let mut parts = Vec::with_capacity(self.sentences.len());
        for sentence in &self.sentences {
            let (part, rest) = matrix.split_at_mut(sentence.length * size);
            parts.push(part);
            matrix = rest;
        }
        parts
    }

    /// Writes `[heads, length, size / heads]` into a part of a matrix `[N, D]`.
    fn join_heads(&self, heads: &[f32], part: &mut [f32], size: usize) {
        let head = size / self.heads;
        let length = part.len() / size;
        for (i, rows) in heads.chunks_exact(length * head).enumerate() {
            for (row, token) in rows.chunks_exact(head).zip(part.chunks_exact_mut(size)) {
                token[i * head..(i + 1) * head].copy_from_slice(row);
            }
        }
    }
}

/// What scores are multiplied with.
fn scale(head: usize) -> f32 {
    1.0 / (head as f32).sqrt()
}

fn of_weights(storage: &CpuStorage, length: usize) -> Side<'_> {
    Side { storage, offset: 0, strides: [length * length, length, 1] }
}

/// Replaces scores by the softmax of `scale` times them.
fn softmax(row: &mut [f32], scale: f32) {
    let most = maximum(row);
    row.iter_mut().for_each(|score| *score = exp((*score - most) * scale));
    let factor = 1.0 / sum(row);
    row.iter_mut().for_each(|weight| *weight *= factor);
}

/// The first number of a contiguous tensor.
fn offset(op: &Attention, layout: &Layout) -> Result<usize> {
    match layout.contiguous_offsets() {
        Some((start, _)) => Ok(start),
        None => bail!("{}: expects contiguous tensors", op.name()),
    }
}

impl CustomOp3 for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn cpu_fwd(
        &self,
        queries: &CpuStorage,
        queries_layout: &Layout,
        keys: &CpuStorage,
        keys_layout: &Layout,
        values: &CpuStorage,
        values_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (tokens, size) = queries_layout.shape().dims2()?;
        let inputs = [
            (queries, offset(self, queries_layout)?),
            (keys, offset(self, keys_layout)?),
            (values, offset(self, values_layout)?),
        ];
        let mut contexts = vec![0.0f32; tokens * size];
        let tasks = self.sentences.par_iter().zip(self.split(&mut contexts, size));
        let tape: Result<Vec<_>> = tasks
            .map(|(&sentence, part)| {
                let (weights, heads) = self.forward(sentence, inputs, size)?;
                self.join_heads(&heads, part, size);
                Ok(weights)
            })
            .collect();
        if self.tape.set(tape?).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        Ok((CpuStorage::F32(contexts), (tokens, size).into()))
    }

    fn bwd(
        &self,
        queries: &Tensor,
        keys: &Tensor,
        values: &Tensor,
        _contexts: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(tape) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let (tokens, size) = queries.dims2()?;
        let grad = grad.contiguous()?;
        let guards = [queries, keys, values, &grad].map(Tensor::storage_and_layout);
        let mut inputs = Vec::with_capacity(guards.len());
        for (storage, layout) in &guards {
            match &**storage {
                Storage::Cpu(storage) => inputs.push((storage, offset(self, layout)?)),
                _ => bail!("{}: runs on the CPU", self.name()),
            }
        }
        let inputs = [inputs[0], inputs[1], inputs[2], inputs[3]];

        let mut gradients = [(); 3].map(|()| vec![0.0f32; tokens * size]);
        let [to_queries, to_keys, to_values] = gradients.each_mut().map(|g| self.split(g, size));
        let parts = to_queries.into_par_iter().zip(to_keys).zip(to_values);
        let sentences = self.sentences.par_iter().zip(tape);
        sentences.zip(parts).try_for_each(|((&sentence, weights), ((q, k), v))| {
            let heads = self.backward(sentence, weights, inputs, size)?;
            for (heads, part) in heads.iter().zip([q, k, v]) {
                self.join_heads(heads, part, size);
            }
            Ok::<(), candle_core::Error>(())
        })?;
        let [q, k, v] = gradients.map(|g| Tensor::from_vec(g, (tokens, size), &Device::Cpu));
        Ok((Some(q?), Some(k?), Some(v?)))
    }
}
