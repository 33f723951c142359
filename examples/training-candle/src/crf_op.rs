//! Forward-backward of a linear-chain CRF as one candle operation.
//!
//! The loss of a row is `log Z - score(gold path)`; its gradient is the marginal probability of
//! each tag and tag pair minus the gold counts (Lafferty, McCallum and Pereira 2001; Sutton and
//! McCallum 2012, section 4). Everything is in log space, each step shifted by its maximum, so no
//! score over- or underflows.

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};

use crate::math::exp;
use crate::slices;

/// Scores of lanes beyond the last tag: far below any score, and finite.
const NEVER: f32 = -1e30;

/// Logits `[B, T, C]`, transitions `[C, C]` (from, to) and edges `[2, C]` (start, stop) to the
/// mean loss over the batch, a scalar.
pub(crate) struct LogLikelihood {
    labels: Vec<u32>,
    lengths: Vec<usize>,
    tape: OnceLock<Vec<Vec<f32>>>,
}

impl LogLikelihood {
    /// Labels are `[B, T]` in rows; those behind a row's length are not read.
    pub(crate) fn new(labels: Vec<u32>, lengths: Vec<usize>) -> Self {
        Self { labels, lengths, tape: OnceLock::new() }
    }
}

/// The scores of one chain, columns padded to whole vector registers.
struct Chain<'a> {
    tags: usize,
    lanes: usize,
    logits: &'a [f32],
    transitions: &'a [f32],
    edges: &'a [f32],
}

/// One step's sums over the previous tag, with room for each lane.
struct Lanes {
    most: Vec<f32>,
    sums: Vec<f32>,
    /// `exp(score - most)` of each pair.
    terms: Vec<f32>,
}

impl Lanes {
    fn new(tags: usize, lanes: usize) -> Self {
        Self { most: vec![0.0; lanes], sums: vec![0.0; lanes], terms: vec![0.0; tags * lanes] }
    }

    /// For each lane `j`, `log sum_i exp(left[i] + scores[i][j])` in pieces: the maximum, the sum
    /// of the shifted terms, and the terms.
    fn log_sum_exp(&mut self, left: &[f32], scores: &[f32]) {
        let lanes = self.most.len();
        self.most.fill(f32::NEG_INFINITY);
        for (l, row) in left.iter().zip(scores.chunks_exact(lanes)) {
            for (most, score) in self.most.iter_mut().zip(row) {
                let score = l + score;
                *most = if score > *most { score } else { *most };
            }
        }
        self.sums.fill(0.0);
        let terms = self.terms.chunks_exact_mut(lanes);
        for ((l, row), terms) in left.iter().zip(scores.chunks_exact(lanes)).zip(terms) {
            for (((sum, term), score), most) in
                self.sums.iter_mut().zip(terms).zip(row).zip(&self.most)
            {
                *term = exp(l + score - most);
                *sum += *term;
            }
        }
    }
}

impl Chain<'_> {
    fn step(&self, t: usize) -> &[f32] {
        &self.logits[t * self.tags..(t + 1) * self.tags]
    }

    /// The forward variables `[length, lanes]`, each step shifted so that its maximum is 0, and
    /// `log Z`.
    fn forward(&self, length: usize, lanes: &mut Lanes) -> (Vec<f32>, f64) {
        let (tags, width) = (self.tags, self.lanes);
        let mut alphas = vec![NEVER; length * width];
        let mut log_z = 0.0f64;
        for t in 0..length {
            let (done, rest) = alphas.split_at_mut(t * width);
            let alpha = &mut rest[..tags];
            match t {
                0 => alpha.copy_from_slice(&self.edges[..tags]),
                _ => {
                    lanes.log_sum_exp(&done[(t - 1) * width..][..tags], self.transitions);
                    for ((alpha, most), sum) in alpha.iter_mut().zip(&lanes.most).zip(&lanes.sums) {
                        *alpha = most + sum.ln();
                    }
                }
            }
            for (alpha, logit) in alpha.iter_mut().zip(self.step(t)) {
                *alpha += logit;
            }
            let most = maximum(alpha);
            alpha.iter_mut().for_each(|a| *a -= most);
            log_z += f64::from(most);
        }
        let mut last = alphas[(length - 1) * width..][..tags].to_vec();
        for (alpha, stop) in last.iter_mut().zip(&self.edges[tags..]) {
            *alpha += stop;
        }
        let most = maximum(&last);
        let sum: f64 = last.iter().map(|a| f64::from(exp(a - most))).sum();
        (alphas, log_z + f64::from(most) + sum.ln())
    }

    /// The score of a tag path, in double precision.
    fn score(&self, path: &[u32]) -> f64 {
        let tags = self.tags;
        let mut score = 0.0;
        for (t, &tag) in path.iter().enumerate() {
            let tag = tag as usize;
            score += f64::from(self.step(t)[tag]);
            score += f64::from(match t {
                0 => self.edges[tag],
                _ => self.transitions[path[t - 1] as usize * self.lanes + tag],
            });
        }
        match path.last() {
            Some(&tag) => score + f64::from(self.edges[tags + tag as usize]),
            None => score,
        }
    }

    /// Adds `scale` times (marginals - gold counts) of one row to the gradients.
    fn backward(
        &self,
        alphas: &[f32],
        path: &[u32],
        scale: f32,
        lanes: &mut Lanes,
        to: &mut ChainGradient<'_>,
    ) {
        let (tags, width) = (self.tags, self.lanes);
        let last = path.len() - 1;
        let mut beta = vec![NEVER; width];
        beta[..tags].copy_from_slice(&self.edges[tags..]);
        let mut right = vec![0.0; tags];
        let mut marginal = vec![0.0; width];
        for t in (0..=last).rev() {
            if t < last {
                for ((right, logit), beta) in right.iter_mut().zip(self.step(t + 1)).zip(&beta) {
                    *right = logit + beta;
                }
                // `to.transposed` is (to, from): the sum over the next tag runs over its rows.
                lanes.log_sum_exp(&right, to.transposed);
                for ((beta, most), sum) in beta[..tags].iter_mut().zip(&lanes.most).zip(&lanes.sums)
                {
                    *beta = most + sum.ln();
                }
            }
            let alpha = &alphas[t * width..(t + 1) * width];
            softmax_of_sum(&mut marginal[..tags], alpha, &beta, scale);
            if t < last {
                // P(next | this) is a term over its sum; times the marginal it is the pair's.
                for ((m, sum), ratio) in marginal.iter().zip(&lanes.sums).zip(&mut lanes.most) {
                    *ratio = m / sum;
                }
                let rows = to.pairs.chunks_exact_mut(width);
                for (row, terms) in rows.zip(lanes.terms.chunks_exact(width)) {
                    for ((pair, term), ratio) in row.iter_mut().zip(terms).zip(&lanes.most) {
                        *pair += term * ratio;
                    }
                }
                to.pairs[path[t + 1] as usize * width + path[t] as usize] -= scale;
            }
            let gold = path[t] as usize;
            let to_logits = &mut to.logits[t * tags..(t + 1) * tags];
            to_logits.copy_from_slice(&marginal[..tags]);
            to_logits[gold] -= scale;
            if t == 0 {
                add(&mut to.edges[..tags], to_logits);
            }
            if t == last {
                add(&mut to.edges[tags..], to_logits);
            }
        }
    }
}

/// Where a chain's gradient goes; pairs are (to, from).
struct ChainGradient<'a> {
    transposed: &'a [f32],
    logits: &'a mut [f32],
    pairs: &'a mut [f32],
    edges: &'a mut [f32],
}

impl CustomOp3 for LogLikelihood {
    fn name(&self) -> &'static str {
        "crf-log-likelihood"
    }

    fn cpu_fwd(
        &self,
        logits: &CpuStorage,
        logits_layout: &Layout,
        transitions: &CpuStorage,
        transitions_layout: &Layout,
        edges: &CpuStorage,
        edges_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, width, tags) = logits_layout.shape().dims3()?;
        let logits = slices::of_storage(self.name(), logits, logits_layout)?;
        let transitions = slices::of_storage(self.name(), transitions, transitions_layout)?;
        let edges = slices::of_storage(self.name(), edges, edges_layout)?;
        let lanes = lanes_of(tags);
        let transitions = padded(transitions, tags, lanes);
        let mut scratch = Lanes::new(tags, lanes);
        let mut total = 0.0;
        let mut tape = Vec::with_capacity(rows);
        for (row, &length) in self.lengths.iter().enumerate() {
            if length == 0 {
                tape.push(Vec::new());
                continue;
            }
            let chain = Chain {
                tags,
                lanes,
                logits: &logits[row * width * tags..(row + 1) * width * tags],
                transitions: &transitions,
                edges,
            };
            let (alphas, log_z) = chain.forward(length, &mut scratch);
            total += log_z - chain.score(&self.labels[row * width..][..length]);
            tape.push(alphas);
        }
        if self.tape.set(tape).is_err() {
            bail!("{}: an operation runs forward once", self.name());
        }
        let mean = total / rows.max(1) as f64;
        Ok((CpuStorage::F32(vec![mean as f32]), Shape::from(())))
    }

    fn bwd(
        &self,
        logits: &Tensor,
        transitions: &Tensor,
        edges: &Tensor,
        _loss: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(tape) = self.tape.get() else {
            bail!("{}: backward before forward", self.name());
        };
        let (rows, width, tags) = logits.dims3()?;
        let lanes = lanes_of(tags);
        let scale = grad.to_scalar::<f32>()? / rows.max(1) as f32;
        let mut to_logits = vec![0.0f32; rows * width * tags];
        let mut pairs = vec![0.0f32; tags * lanes];
        let mut to_edges = vec![0.0f32; 2 * tags];
        let transposed = transitions.t()?;
        slices::with(&transposed, |transposed| {
            let transposed = padded(transposed, tags, lanes);
            slices::with(logits, |logits| {
                slices::with(edges, |edges| {
                    let mut scratch = Lanes::new(tags, lanes);
                    for (row, alphas) in tape.iter().enumerate() {
                        let length = self.lengths[row];
                        if length == 0 {
                            continue;
                        }
                        let tokens = row * width * tags..(row + 1) * width * tags;
                        let chain = Chain {
                            tags,
                            lanes,
                            logits: &logits[tokens.clone()],
                            transitions: &[],
                            edges,
                        };
                        let mut to = ChainGradient {
                            transposed: &transposed,
                            logits: &mut to_logits[tokens],
                            pairs: &mut pairs,
                            edges: &mut to_edges,
                        };
                        let path = &self.labels[row * width..][..length];
                        chain.backward(alphas, path, scale, &mut scratch, &mut to);
                    }
                    Ok(())
                })
            })
        })?;
        let to_transitions = Tensor::from_vec(pairs, (tags, lanes), &Device::Cpu)?
            .narrow(1, 0, tags)?
            .t()?
            .contiguous()?;
        Ok((
            Some(Tensor::from_vec(to_logits, logits.shape(), &Device::Cpu)?),
            Some(to_transitions),
            Some(Tensor::from_vec(to_edges, edges.shape(), &Device::Cpu)?),
        ))
    }
}

/// Tags rounded up to whole registers of eight.
fn lanes_of(tags: usize) -> usize {
    tags.next_multiple_of(8)
}

/// A `[tags, tags]` matrix with rows of `lanes` columns; the new ones can never be chosen.
fn padded(matrix: &[f32], tags: usize, lanes: usize) -> Vec<f32> {
    let mut wide = vec![NEVER; tags * lanes];
    for (row, narrow) in wide.chunks_exact_mut(lanes).zip(matrix.chunks_exact(tags)) {
        row[..tags].copy_from_slice(narrow);
    }
    wide
}

/// `scale * softmax(a + b)`, with 0 for probabilities that no weight could ever feel: their
/// products further down would be subnormal numbers, on which the processor is very slow.
fn softmax_of_sum(out: &mut [f32], a: &[f32], b: &[f32], scale: f32) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a + b;
    }
    let most = maximum(out);
    let mut sum = 0.0;
    for out in out.iter_mut() {
        let term = exp(*out - most);
        *out = if term < 1e-15 { 0.0 } else { term };
        sum += *out;
    }
    let factor = scale / sum;
    out.iter_mut().for_each(|out| *out *= factor);
}

fn maximum(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn add(total: &mut [f32], more: &[f32]) {
    for (t, m) in total.iter_mut().zip(more) {
        *t += m;
    }
}
