//! A linear-chain conditional random field: loss and Viterbi decoding.

use candle_core::Tensor;
use training_loop::model::{Viterbi, labels};

use crate::ModelError;
use crate::crf_op::LogLikelihood;
use crate::params::Params;
use crate::slices;

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
        let ids = labels::checked(&labels, width, lengths, self.tags).map_err(ModelError::Input)?;
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
        let decode = |logits: &[f32]| Ok(viterbi.decode(logits, width, lengths));
        slices::with(logits, decode)?.map_err(ModelError::Input)
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
        labels::check_lengths(lengths, width).map_err(ModelError::Input)?;
        Ok((rows, width))
    }
}
