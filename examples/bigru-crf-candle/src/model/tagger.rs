//! The whole network: embeddings, bidirectional GRU, linear layer, CRF.

use std::path::Path;

use candle_core::{DType, Tensor};
use training_loop::bigru::TaggerConfig;
use training_loop::model::{Mode, random};

use super::gru::BiGru;
use training_candle::ModelError;
use training_candle::crf::Crf;
use training_candle::dropout::dropout;
use training_candle::embed::Lookup;
use training_candle::params::Params;

/// A BiGRU-CRF tagger.
///
/// ```
/// use training_loop::bigru::TaggerConfig;
/// use training_loop::model::Mode;
/// use bigru_crf_candle::model::Tagger;
/// use candle_core::{Device, Tensor};
///
/// let config = TaggerConfig { hidden: 8, ..TaggerConfig::new(100, 3) };
/// let tagger = Tagger::new(config, 1).unwrap();
/// let tokens = Tensor::new(&[[5u32, 6, 7], [5, 0, 0]], &Device::Cpu).unwrap();
/// let labels = Tensor::new(&[[0u32, 1, 2], [2, 0, 0]], &Device::Cpu).unwrap();
/// let mode = Mode::Train { seed: 1, step: 0 };
/// let loss = tagger.loss(&tokens, &labels, &[3, 1], mode).unwrap();
/// assert!(loss.to_scalar::<f32>().unwrap() > 0.0);
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
        let table = params.create("embedding.weight", (config.vocab, config.embedding), 1.0)?;
        let mut width = config.embedding;
        let mut layers = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            layers.push(BiGru::new(&mut params, "gru.", layer, width, config.hidden)?);
            width = 2 * config.hidden;
        }
        let bound = 1.0 / (width as f32).sqrt();
        let weight = params.create("linear.weight", (config.labels, width), bound)?;
        let bias = params.create("linear.bias", config.labels, bound)?;
        let crf = Crf::new(&mut params, "crf.", config.labels)?;
        Ok(Self { config, params, table, layers, weight, bias, crf })
    }

    /// The sizes of this network.
    pub fn config(&self) -> &TaggerConfig {
        &self.config
    }

    /// The variables, for an optimiser and for checkpoints.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Scores `[B, T, C]` of each label at each token, before the CRF.
    ///
    /// `tokens` is `[B, T]` of integer ids.
    ///
    /// # Errors
    /// When shapes and lengths disagree or an id is outside its table.
    pub fn logits(
        &self,
        tokens: &Tensor,
        lengths: &[usize],
        mode: Mode,
    ) -> Result<Tensor, ModelError> {
        let (rows, width) = tokens.dims2()?;
        if rows != lengths.len() {
            let (dims, rows) = (tokens.dims(), lengths.len());
            return Err(ModelError::Input(format!(
                "tokens have shape {dims:?}, expected [{rows}, _]"
            )));
        }
        let mut states = self.embed(tokens, rows, width, mode)?;
        states = self.drop(&states, mode, 1)?;
        for (i, layer) in self.layers.iter().enumerate() {
            states = layer.forward(&states, lengths)?;
            states = self.drop(&states, mode, 2 + i as u64)?;
        }
        let features = states.dim(2)?;
        Ok(states
            .reshape((rows * width, features))?
            .matmul(&self.weight.t()?)?
            .broadcast_add(&self.bias)?
            .reshape((rows, width, self.config.labels))?)
    }

    /// The mean negative log-likelihood of the gold label paths, a scalar to call `backward` on.
    ///
    /// `labels` is `[B, T]`; row `b` counts its first `lengths[b]` tokens.
    ///
    /// # Errors
    /// When shapes, lengths, ids or labels are wrong.
    pub fn loss(
        &self,
        tokens: &Tensor,
        labels: &Tensor,
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
    pub fn decode(&self, tokens: &Tensor, lengths: &[usize]) -> Result<Vec<Vec<u32>>, ModelError> {
        let logits = self.logits(tokens, lengths, Mode::Eval)?;
        self.crf.decode(&logits, lengths)
    }

    /// Writes the variables to a safetensors file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        self.params.save(path)
    }

    /// Reads the variables from a safetensors file.
    ///
    /// # Errors
    /// When the file does not hold exactly this network's tensors: each one is named, and
    /// nothing has changed.
    pub fn load(&self, path: &Path) -> Result<(), ModelError> {
        self.params.load(path)
    }

    /// The embeddings `[B, T, E]`.
    fn embed(
        &self,
        tokens: &Tensor,
        rows: usize,
        width: usize,
        mode: Mode,
    ) -> Result<Tensor, ModelError> {
        let mut ids = tokens.to_dtype(DType::U32)?.flatten_all()?.to_vec1::<u32>()?;
        random::drop_ids(&mut ids, self.config.id_dropout, 0, mode);
        Ok(self.table.apply_op1(Lookup::new(ids, rows, width))?)
    }

    fn drop(&self, states: &Tensor, mode: Mode, site: u64) -> Result<Tensor, ModelError> {
        Ok(dropout(states, self.config.dropout, mode, site)?)
    }
}
