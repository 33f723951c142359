//! Forward-backward of a linear-chain CRF as one candle operation.
//!
//! The loss of a row is `log Z - score(gold path)`; its gradient is the marginal probability of
//! each tag and tag pair minus the gold counts (Lafferty, McCallum and Pereira 2001; Sutton and
//! McCallum 2012, section 4).

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};

use crate::crf_chain::{Chain, ChainGradient, Lanes, lanes_of, padded};
use crate::slices;

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
