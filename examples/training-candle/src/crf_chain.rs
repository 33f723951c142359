//! Forward and backward variables of one chain of a CRF, in plain numbers.
//!
//! Everything is in log space, each step shifted by its maximum, so no score over- or underflows.

use crate::lanes::{add, maximum};
use crate::math::exp;

/// Scores of lanes beyond the last tag: far below any score, and finite.
const NEVER: f32 = -1e30;

/// The scores of one chain, columns padded to whole vector registers.
pub(crate) struct Chain<'a> {
    pub(crate) tags: usize,
    pub(crate) lanes: usize,
    pub(crate) logits: &'a [f32],
    pub(crate) transitions: &'a [f32],
    pub(crate) edges: &'a [f32],
}

/// One step's sums over the previous tag, with room for each lane.
pub(crate) struct Lanes {
    most: Vec<f32>,
    sums: Vec<f32>,
    /// `exp(score - most)` of each pair.
    terms: Vec<f32>,
}

impl Lanes {
    pub(crate) fn new(tags: usize, lanes: usize) -> Self {
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
    pub(crate) fn forward(&self, length: usize, lanes: &mut Lanes) -> (Vec<f32>, f64) {
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
    pub(crate) fn score(&self, path: &[u32]) -> f64 {
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
    pub(crate) fn backward(
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
pub(crate) struct ChainGradient<'a> {
    pub(crate) transposed: &'a [f32],
    pub(crate) logits: &'a mut [f32],
    pub(crate) pairs: &'a mut [f32],
    pub(crate) edges: &'a mut [f32],
}

/// Tags rounded up to whole registers of eight.
pub(crate) fn lanes_of(tags: usize) -> usize {
    tags.next_multiple_of(8)
}

/// A `[tags, tags]` matrix with rows of `lanes` columns; the new ones can never be chosen.
pub(crate) fn padded(matrix: &[f32], tags: usize, lanes: usize) -> Vec<f32> {
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
