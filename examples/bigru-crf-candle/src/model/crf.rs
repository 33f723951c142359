//! A linear-chain conditional random field: loss and Viterbi decoding.

use candle_core::Tensor;

use super::crf_op::LogLikelihood;
use super::error::ModelError;
use super::params::Params;
use super::slices;

/// Scores of tag pairs, of the first tag and of the last tag of a row.
///
/// Variables: `transitions` `[C, C]` (from, to), `start` `[C]`, `stop` `[C]`.
#[derive(Debug)]
pub struct Crf {
    transitions: Tensor,
    start: Tensor,
    stop: Tensor,
    tags: usize,
}

impl Crf {
    /// Creates the variables, with small random scores, under names that start with `prefix`.
    ///
    /// # Errors
    /// When a name is taken.
    pub fn new(params: &mut Params, prefix: &str, tags: usize) -> Result<Self, ModelError> {
        let mut create =
            |name: &str, shape: &[usize]| params.create(&format!("{prefix}{name}"), shape, 0.1);
        Ok(Self {
            transitions: create("transitions", &[tags, tags])?,
            start: create("start", &[tags])?,
            stop: create("stop", &[tags])?,
            tags,
        })
    }

    /// Mean over the batch of `log Z - score(gold path)`, a scalar.
    ///
    /// `logits` is `[B, T, C]`, `labels` `[B, T]` of any integer type; row `b` counts its first
    /// `lengths[b]` tokens, and what stands behind them is not read. A row of length 0 adds 0.
    ///
    /// # Errors
    /// When shapes, lengths or labels are wrong: the message names row and column.
    pub fn loss(
        &self,
        logits: &Tensor,
        labels: &Tensor,
        lengths: &[usize],
    ) -> Result<Tensor, ModelError> {
        let (rows, width) = self.check(logits, lengths)?;
        if labels.dims() != [rows, width] {
            return Err(ModelError::Input(format!(
                "labels have shape {:?}, logits {:?}",
                labels.dims(),
                logits.dims()
            )));
        }
        let labels = labels.to_dtype(candle_core::DType::I64)?.flatten_all()?.to_vec1::<i64>()?;
        let mut ids = vec![0u32; labels.len()];
        for (row, &length) in lengths.iter().enumerate() {
            for column in 0..length {
                let label = labels[row * width + column];
                ids[row * width + column] = u32::try_from(label)
                    .ok()
                    .filter(|&id| (id as usize) < self.tags)
                    .ok_or_else(|| {
                        ModelError::Input(format!(
                            "row {row}, column {column}: label {label} is not below {}",
                            self.tags
                        ))
                    })?;
            }
        }
        let edges = Tensor::stack(&[&self.start, &self.stop], 0)?;
        let operation = LogLikelihood::new(ids, lengths.to_vec());
        Ok(logits.contiguous()?.apply_op3(&self.transitions, &edges, operation)?)
    }

    /// The best tag path of each row, as long as the row; ties go to the lowest tag.
    ///
    /// # Errors
    /// When shapes and lengths disagree, or a logit that counts is not finite: the message names
    /// row and column.
    pub fn decode(&self, logits: &Tensor, lengths: &[usize]) -> Result<Vec<Vec<u32>>, ModelError> {
        let (_, width) = self.check(logits, lengths)?;
        let viterbi = Viterbi {
            transitions: self.transitions.flatten_all()?.to_vec1()?,
            start: self.start.to_vec1()?,
            stop: self.stop.to_vec1()?,
        };
        let row_size = width * self.tags;
        let mut paths = Vec::with_capacity(lengths.len());
        slices::with(logits, |logits| {
            for (row, &length) in lengths.iter().enumerate() {
                let logits = &logits[row * row_size..][..length * self.tags];
                if let Some(place) = logits.iter().position(|logit| !logit.is_finite()) {
                    candle_core::bail!(
                        "row {row}, column {}: a logit is not finite",
                        place / self.tags
                    );
                }
                paths.push(viterbi.best(logits));
            }
            Ok(())
        })?;
        Ok(paths)
    }

    fn check(&self, logits: &Tensor, lengths: &[usize]) -> Result<(usize, usize), ModelError> {
        slices::require_cpu("the CRF", logits)?;
        let (rows, width, tags) = logits.dims3()?;
        if tags != self.tags || rows != lengths.len() {
            return Err(ModelError::Input(format!(
                "logits have shape {:?}, expected [{}, _, {}]",
                logits.dims(),
                lengths.len(),
                self.tags
            )));
        }
        if let Some(row) = lengths.iter().position(|&length| length > width) {
            return Err(ModelError::Input(format!(
                "row {row}: length {} exceeds the width {width}",
                lengths[row]
            )));
        }
        Ok((rows, width))
    }
}

/// The model's scores, copied out once per batch.
struct Viterbi {
    transitions: Vec<f32>,
    start: Vec<f32>,
    stop: Vec<f32>,
}

impl Viterbi {
    /// The best path through `logits` `[length, C]`.
    fn best(&self, logits: &[f32]) -> Vec<u32> {
        let tags = self.start.len();
        let mut scores = self.start.clone();
        let mut next = vec![0.0f32; tags];
        let mut from = vec![0u32; logits.len()];
        for (t, logits) in logits.chunks_exact(tags).enumerate() {
            if t > 0 {
                let from = &mut from[t * tags..(t + 1) * tags];
                next.fill(f32::NEG_INFINITY);
                for (tag, (score, row)) in
                    scores.iter().zip(self.transitions.chunks_exact(tags)).enumerate()
                {
                    for ((best, from), transition) in next.iter_mut().zip(&mut *from).zip(row) {
                        let candidate = score + transition;
                        // Strictly greater: of equal paths the one from the lowest tag stays.
                        if candidate > *best {
                            *best = candidate;
                            *from = tag as u32;
                        }
                    }
                }
                std::mem::swap(&mut scores, &mut next);
            }
            for (score, logit) in scores.iter_mut().zip(logits) {
                *score += logit;
            }
        }
        let length = logits.len() / tags;
        if length == 0 {
            return Vec::new();
        }
        for (score, stop) in scores.iter_mut().zip(&self.stop) {
            *score += stop;
        }
        let mut tag = 0;
        for (candidate, score) in scores.iter().enumerate() {
            if *score > scores[tag] {
                tag = candidate;
            }
        }
        let mut path = vec![0u32; length];
        for t in (0..length).rev() {
            path[t] = tag as u32;
            tag = from[t * tags + tag] as usize;
        }
        path
    }
}
