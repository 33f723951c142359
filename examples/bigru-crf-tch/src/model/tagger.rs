//! The whole network: embeddings, bidirectional GRU, linear layer, CRF.

use tch::{Tensor, no_grad};
use training_loop::bigru::TaggerConfig;
use training_loop::model::{Mode, labels, random};

use super::crf::Crf;
use super::gru::BiGru;
use super::params::Params;
use super::{Ids, ModelError};

/// A BiGRU-CRF tagger. Its variables have the names and shapes, and of one seed the initial
/// numbers, of the tagger in candle; weights of the one can be loaded by the other.
///
/// ```
/// use training_loop::bigru::TaggerConfig;
/// use training_loop::model::Mode;
/// use bigru_crf_tch::model::{Ids, Tagger, scalar};
///
/// let config = TaggerConfig { hidden: 8, ..TaggerConfig::new(100, 3) };
/// let tagger = Tagger::new(config, 1).unwrap();
/// let tokens = Ids { values: vec![5, 6, 7, /* row 1 */ 5, 0, 0], width: 3 };
/// let labels = Ids { values: vec![0, 1, 2, /* row 1 */ 2, 0, 0], width: 3 };
/// let mode = Mode::Train { seed: 1, step: 0 };
/// let loss = tagger.loss(&tokens, &labels, &[3, 1], mode).unwrap();
/// assert!(scalar(&loss).unwrap() > 0.0);
/// let paths = tagger.decode(&tokens, &[3, 1]).unwrap();
/// assert_eq!((paths[0].len(), paths[1].len()), (3, 1));
/// ```
#[derive(Debug)]
pub struct Tagger {
    config: TaggerConfig,
    params: Params,
    table: Tensor,
    layers: Vec<BiGru>,
    weight: Tensor,
    bias: Tensor,
    crf: Crf,
}

impl Tagger {
    /// A new network; its initial values depend on `seed` only.
    ///
    /// # Errors
    /// When the configuration cannot work.
    pub fn new(config: TaggerConfig, seed: u64) -> Result<Self, ModelError> {
        config.check().map_err(ModelError::Config)?;
        let mut params = Params::new(seed);
        let table = params.create("embedding.weight", &[config.vocab, config.embedding], 1.0)?;
        let mut width = config.embedding;
        let mut layers = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            layers.push(BiGru::new(&mut params, "gru.", layer, width, config.hidden)?);
            width = 2 * config.hidden;
        }
        let bound = 1.0 / (width as f32).sqrt();
        let weight = params.create("linear.weight", &[config.labels, width], bound)?;
        let bias = params.create("linear.bias", &[config.labels], bound)?;
        let crf = Crf::new(&mut params, "crf.", config.labels)?;
        Ok(Self { config, params, table, layers, weight, bias, crf })
    }

    /// The variables, for an optimiser and for checkpoints.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The same, to be changed: the network has other handles to them.
    pub fn params_mut(&mut self) -> &mut Params {
        &mut self.params
    }

    /// Scores `[B, T, C]` of each label at each token, before the CRF.
    ///
    /// # Errors
    /// When shapes and lengths disagree or an id is outside its table.
    pub fn logits(
        &self,
        tokens: &Ids,
        lengths: &[usize],
        mode: Mode,
    ) -> Result<Tensor, ModelError> {
        let (rows, width) = (lengths.len(), tokens.width);
        labels::check_tokens(&tokens.values, width, lengths, self.config.vocab)
            .map_err(ModelError::Input)?;
        let mut ids: Vec<u32> = tokens.values.iter().map(|&id| id as u32).collect();
        random::drop_ids(&mut ids, self.config.id_dropout, 0, mode);
        let ids: Vec<i64> = ids.into_iter().map(i64::from).collect();
        let ids = Tensor::f_from_slice(&ids)?.f_view([rows as i64, width as i64])?;
        let ids = ids.f_to_device(self.table.device())?;

        let embeddings = Tensor::f_embedding(&self.table, &ids, -1, false, false)?;
        let mut states = self.drop(&embeddings, mode, 1)?;
        for (i, layer) in self.layers.iter().enumerate() {
            states = layer.forward(&states, lengths)?;
            states = self.drop(&states, mode, 2 + i as u64)?;
        }
        Ok(states.f_linear(&self.weight, Some(&self.bias))?)
    }

    /// The mean negative log-likelihood of the gold label paths, a scalar with a gradient.
    ///
    /// Row `b` counts its first `lengths[b]` tokens.
    ///
    /// # Errors
    /// When shapes, lengths, ids or labels are wrong.
    pub fn loss(
        &self,
        tokens: &Ids,
        labels: &Ids,
        lengths: &[usize],
        mode: Mode,
    ) -> Result<Tensor, ModelError> {
        let logits = self.logits(tokens, lengths, mode)?;
        self.crf.loss(&logits, labels, lengths)
    }

    /// The best label path of each row, as long as the row.
    ///
    /// # Errors
    /// When shapes and lengths disagree, an id is outside its table, or a score is not finite.
    pub fn decode(&self, tokens: &Ids, lengths: &[usize]) -> Result<Vec<Vec<u32>>, ModelError> {
        no_grad(|| {
            let logits = self.logits(tokens, lengths, Mode::Eval)?;
            self.crf.decode(&logits, lengths)
        })
    }

    fn drop(&self, states: &Tensor, mode: Mode, site: u64) -> Result<Tensor, ModelError> {
        match random::dropout(states.numel(), self.config.dropout, mode, site) {
            None => Ok(states.shallow_clone()),
            Some(factors) => {
                let factors = Tensor::f_from_slice(&factors)?.f_view_as(states)?;
                Ok(states.f_mul(&factors.f_to_device(states.device())?)?)
            }
        }
    }
}
