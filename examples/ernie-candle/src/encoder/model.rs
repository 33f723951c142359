//! The encoder: embeddings and layers.

use candle_core::Tensor;
use training_candle::ModelError;
use training_candle::dropout::dropout;
use training_candle::embed::Lookup;
use training_candle::params::Params;
use training_loop::model::{ConfigError, Mode};

use super::batch::Batch;
use super::config::EncoderConfig;
use super::error::{EncoderError, Result};
use super::layers::{Layer, LayerNorm, SITES_PER_LAYER, bound, drop_at};

/// A BERT or ERNIE without a head. There is no pooler: it is not part of what labels tokens.
///
/// ```
/// use ernie_candle::encoder::{Batch, Encoder, EncoderConfig};
/// use training_candle::params::Params;
/// use training_loop::model::Mode;
///
/// let mut params = Params::new(1);
/// let encoder = Encoder::new(&mut params, &EncoderConfig::small(100))?;
/// let mut batch = Batch::default();
/// batch.push(&[2, 40, 41, 3]);
/// batch.push(&[2, 42, 3]);
/// let states = encoder.forward(&batch, Mode::Eval)?;
/// assert_eq!(states.dims(), [7, 64]); // all tokens, sizes of a state
/// # Ok::<(), ernie_candle::encoder::EncoderError>(())
/// ```
#[derive(Debug)]
pub struct Encoder {
    words: Tensor,
    positions: Tensor,
    types: Tensor,
    tasks: Option<Tensor>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    dropout: f32,
}

impl Encoder {
    /// Creates the variables, with random values, under Hugging Face's names without `bert.` or
    /// `ernie.` before them.
    ///
    /// # Errors
    /// A size of the configuration cannot work, or a name is taken.
    pub fn new(params: &mut Params, config: &EncoderConfig) -> Result<Self> {
        config.check().map_err(|reason| ModelError::Config(ConfigError(reason)))?;
        let size = config.hidden_size;
        let bound = bound(config.initializer_range);
        let mut table = |name: &str, rows: usize| {
            params.create(&format!("embeddings.{name}_embeddings.weight"), (rows, size), bound)
        };
        let words = table("word", config.vocab_size)?;
        let positions = table("position", config.max_position_embeddings)?;
        let types = table("token_type", config.type_vocab_size)?;
        let tasks = match config.has_tasks() {
            true => Some(table("task_type", config.task_type_vocab_size)?),
            false => None,
        };
        let norm = LayerNorm::new(params, "embeddings.LayerNorm", config)?;
        let layers = (0..config.num_hidden_layers).map(|index| Layer::new(params, index, config));
        let layers = layers.collect::<std::result::Result<_, ModelError>>()?;
        let dropout = config.hidden_dropout_prob;
        Ok(Self { words, positions, types, tasks, norm, layers, dropout })
    }

    /// The states `[N, D]` of all tokens after the last layer.
    ///
    /// # Errors
    /// The batch or one of its sentences is empty, a sentence has more tokens than there are
    /// positions, or an id is outside its table.
    pub fn forward(&self, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let mut states = self.embed(batch, mode)?;
        for (layer, site) in self.layers.iter().zip(self.sites()) {
            states = layer.forward(&states, batch.lengths(), mode, site)?;
        }
        Ok(states)
    }

    /// The states after the embeddings and after each layer, as `hidden_states` of Hugging Face.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn states(&self, batch: &Batch, mode: Mode) -> Result<Vec<Tensor>> {
        let mut all = vec![self.embed(batch, mode)?];
        for (index, (layer, site)) in self.layers.iter().zip(self.sites()).enumerate() {
            all.push(layer.forward(&all[index], batch.lengths(), mode, site)?);
        }
        Ok(all)
    }

    /// The first place where numbers are dropped that the encoder does not use.
    pub(super) fn free_site(&self) -> u64 {
        1 + self.layers.len() as u64 * SITES_PER_LAYER
    }

    /// Where each layer drops numbers. Place 0 is behind the embeddings.
    fn sites(&self) -> impl Iterator<Item = u64> {
        (1..).step_by(SITES_PER_LAYER as usize)
    }

    fn embed(&self, batch: &Batch, mode: Mode) -> Result<Tensor> {
        self.check(batch)?;
        let lookup = |table: &Tensor, ids: Vec<u32>| {
            table.apply_op1(Lookup::new(ids, 1, batch.tokens()))?.squeeze(0)
        };
        let words = lookup(&self.words, batch.ids().to_vec())?;
        let types = lookup(&self.types, batch.types().to_vec())?;
        let positions = lookup(&self.positions, batch.positions())?;
        let mut sum = ((words + types)? + positions)?;
        if let Some(tasks) = &self.tasks {
            sum = (sum + lookup(tasks, batch.tasks().to_vec())?)?;
        }
        let (mode, site) = drop_at(mode, 0);
        Ok(dropout(&self.norm.forward(&sum)?, self.dropout, mode, site)?)
    }

    fn check(&self, batch: &Batch) -> Result<()> {
        let limit = self.positions.dim(0)?;
        if batch.rows() == 0 {
            return Err(EncoderError::Batch("a batch without sentences".to_owned()));
        }
        for (row, &length) in batch.lengths().iter().enumerate() {
            match length {
                0 => return Err(EncoderError::Batch(format!("row {row}: no tokens"))),
                length if length > limit => {
                    return Err(EncoderError::TooLong { row, length, limit });
                }
                _ => {}
            }
        }
        let tables = [
            ("token", Some(&self.words), batch.ids()),
            ("token type", Some(&self.types), batch.types()),
            ("task type", self.tasks.as_ref(), batch.tasks()),
        ];
        for (name, table, ids) in tables {
            let Some(table) = table else { continue };
            let size = table.dim(0)?;
            if let Some(place) = ids.iter().position(|&id| id as usize >= size) {
                let (row, column) = batch.place(place);
                return Err(EncoderError::Id { row, column, table: name, id: ids[place], size });
            }
        }
        Ok(())
    }
}
