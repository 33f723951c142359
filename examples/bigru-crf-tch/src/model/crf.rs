//! A linear-chain conditional random field: loss by libtorch's own differentiation, and Viterbi.

use tch::{Kind, TchError, Tensor};
use training_loop::model::{Viterbi, labels};

use super::params::Params;
use super::{Ids, ModelError};

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
    /// `logits` is `[B, T, C]`, `gold` `[B, T]`; row `b` counts its first `lengths[b]` tokens, and
    /// what stands behind them is not read. A row of length 0 adds 0.
    ///
    /// In double precision: tensors this small cost the same, and sums over long rows stay exact.
    ///
    /// # Errors
    /// When shapes, lengths or labels are wrong: the message names row and column.
    pub fn loss(
        &self,
        logits: &Tensor,
        gold: &Ids,
        lengths: &[usize],
    ) -> Result<Tensor, ModelError> {
        let (rows, width) = self.check(logits, lengths)?;
        if gold.values.len() != rows * width {
            let (found, shape) = (gold.values.len(), logits.size());
            return Err(ModelError::Input(format!("{found} labels, logits {shape:?}")));
        }
        let gold = labels::checked(&gold.values, width, lengths, self.tags);
        let gold = gold.map_err(ModelError::Input)?;
        if rows == 0 || width == 0 {
            return Ok(logits.f_sum(Kind::Float)?);
        }
        let batch = Gold::new(&gold, lengths, width, self.tags);
        Ok(self.negative_log_likelihood(logits, &batch, rows, width)?)
    }

    fn negative_log_likelihood(
        &self,
        logits: &Tensor,
        gold: &Gold,
        rows: usize,
        width: usize,
    ) -> Result<Tensor, TchError> {
        let device = logits.device();
        let shape = [rows as i64, width as i64];
        let masks = Tensor::f_from_slice(&gold.counts)?.f_view(shape)?.f_to_device(device)?;
        let double = |tensor: &Tensor| tensor.f_to_kind(Kind::Double);
        // Padding may hold anything, NaN too.
        let logits = double(logits)?.f_masked_fill(&masks.f_logical_not()?.f_unsqueeze(2)?, 0.0)?;
        let (transitions, start, stop) =
            (double(&self.transitions)?, double(&self.start)?, double(&self.stop)?);

        // Every number that the gold paths go through, each as often as they do.
        let mut score = Tensor::f_zeros([], (Kind::Double, device))?;
        for (numbers, places) in [
            (&logits, &gold.logits),
            (&transitions, &gold.transitions),
            (&start, &gold.starts),
            (&stop, &gold.stops),
        ] {
            let places = Tensor::f_from_slice(places)?.f_to_device(device)?;
            let used = numbers.f_reshape([-1])?.f_index_select(0, &places)?;
            score = score.f_add(&used.f_sum(Kind::Double)?)?;
        }

        // The forward algorithm; rows that have ended keep what they have.
        let columns = logits.f_unbind(1)?;
        let masks = masks.f_unsqueeze(2)?.f_unbind(1)?;
        let mut steps = columns.iter().zip(&masks);
        let Some((first, has_tokens)) = steps.next() else { return Ok(score) };
        let mut alphas = first.f_add(&start)?;
        for (logits, goes_on) in steps {
            let pairs = alphas.f_unsqueeze(2)?.f_add(&transitions)?;
            let next = pairs.f_logsumexp([1].as_slice(), false)?.f_add(logits)?;
            alphas = next.f_where_self(goes_on, &alphas)?;
        }
        let log_z = alphas.f_add(&stop)?.f_logsumexp([1].as_slice(), true)?;
        let log_z = log_z.f_masked_fill(&has_tokens.f_logical_not()?, 0.0)?;
        let total = log_z.f_sum(Kind::Double)?.f_sub(&score)?;
        total.f_div_scalar(rows as f64)?.f_to_kind(Kind::Float)
    }

    /// The best tag path of each row, as long as the row; ties go to the lowest tag. Everything is
    /// copied to the host once.
    ///
    /// # Errors
    /// When shapes and lengths disagree, or a logit that counts is not finite: the message names
    /// row and column.
    pub fn decode(&self, logits: &Tensor, lengths: &[usize]) -> Result<Vec<Vec<u32>>, ModelError> {
        let (_, width) = self.check(logits, lengths)?;
        let viterbi = Viterbi {
            transitions: numbers(&self.transitions)?,
            start: numbers(&self.start)?,
            stop: numbers(&self.stop)?,
        };
        viterbi.decode(&numbers(logits)?, width, lengths).map_err(ModelError::Input)
    }

    fn check(&self, logits: &Tensor, lengths: &[usize]) -> Result<(usize, usize), ModelError> {
        let (rows, width, tags) = logits.size3()?;
        let (rows, width, tags) = (rows as usize, width as usize, tags as usize);
        if tags != self.tags || rows != lengths.len() {
            return Err(ModelError::Input(format!(
                "logits have shape {:?}, expected [{}, _, {}]",
                logits.size(),
                lengths.len(),
                self.tags
            )));
        }
        labels::check_lengths(lengths, width).map_err(ModelError::Input)?;
        Ok((rows, width))
    }
}

/// All numbers of a tensor, on the host.
fn numbers(tensor: &Tensor) -> Result<Vec<f32>, TchError> {
    Vec::try_from(tensor.f_detach()?.f_to_device(tch::Device::Cpu)?.f_reshape([-1])?)
}

/// Where the gold paths of a batch go: places in flat tensors.
struct Gold {
    /// Whether a token counts, `[B, T]`.
    counts: Vec<bool>,
    logits: Vec<i64>,
    transitions: Vec<i64>,
    starts: Vec<i64>,
    stops: Vec<i64>,
}

impl Gold {
    fn new(labels: &[u32], lengths: &[usize], width: usize, tags: usize) -> Self {
        let mut gold = Self {
            counts: vec![false; labels.len()],
            logits: Vec::new(),
            transitions: Vec::new(),
            starts: Vec::new(),
            stops: Vec::new(),
        };
        for (row, &length) in lengths.iter().enumerate() {
            let start = row * width;
            let path = &labels[start..start + length];
            gold.counts[start..start + length].fill(true);
            let places = (start * tags..).step_by(tags).zip(path);
            gold.logits.extend(places.map(|(place, &tag)| place as i64 + i64::from(tag)));
            let pairs = path.windows(2);
            gold.transitions.extend(pairs.map(|p| i64::from(p[0]) * tags as i64 + i64::from(p[1])));
            gold.starts.extend(path.first().map(|&tag| i64::from(tag)));
            gold.stops.extend(path.last().map(|&tag| i64::from(tag)));
        }
        gold
    }
}
