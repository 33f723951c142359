//! The candle tagger as a [`bigru::Tagger`]: loss, backward, step.

use std::path::Path;

use candle_core::{Device, Tensor};
use chunkeval::data::Padded;
use training_loop::bigru::{self, Batch, TaggerConfig};
use training_loop::error::Result;
use training_loop::model::{AdamConfig, Mode};

use crate::model::{Adam, ModelError, Tagger};

/// A [`Tagger`] with [`Adam`].
#[derive(Debug)]
pub struct CandleNetwork {
    tagger: Tagger,
    adam: Adam,
    seed: u64,
}

/// Some rows of ids as a tensor `[B, T]`, padded with 0.
fn padded(ids: &[Vec<u32>], rows: &[usize]) -> Result<Tensor> {
    let mut padded = Padded::new();
    padded.fill(ids, rows, 0)?;
    let shape = (padded.rows(), padded.width());
    Ok(Tensor::from_slice(padded.values(), shape, &Device::Cpu).map_err(ModelError::from)?)
}

impl bigru::Tagger for CandleNetwork {
    fn new(config: TaggerConfig, seed: u64) -> Result<Self> {
        let tagger = Tagger::new(config, seed)?;
        let adam = Adam::new(AdamConfig::default(), tagger.params());
        Ok(Self { tagger, adam, seed })
    }

    fn train(&mut self, batch: &Batch<'_>, step: u64, learning_rate: f64) -> Result<f64> {
        let tokens = padded(&batch.data.inputs, batch.rows)?;
        let labels = padded(&batch.data.labels, batch.rows)?;
        let mode = Mode::Train { seed: self.seed, step };

        let loss = self.tagger.loss(&tokens, &labels, &batch.lengths(), mode)?;
        let gradients = loss.backward().map_err(ModelError::from)?;
        self.adam.step(self.tagger.params(), &gradients, learning_rate)?;
        Ok(loss.to_scalar::<f32>().map_err(ModelError::from)?.into())
    }

    fn decode(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u32>>> {
        let tokens = padded(&batch.data.inputs, batch.rows)?;
        Ok(self.tagger.decode(&tokens, &batch.lengths())?)
    }

    fn save_weights(&self, path: &Path) -> Result<()> {
        Ok(self.tagger.save(path)?)
    }

    fn load_weights(&mut self, path: &Path) -> Result<()> {
        Ok(self.tagger.load(path)?)
    }

    fn save_optimizer(&self, path: &Path) -> Result<()> {
        Ok(self.adam.save(path)?)
    }

    fn load_optimizer(&mut self, path: &Path) -> Result<()> {
        Ok(self.adam.load(path)?)
    }

    fn parameters(&self) -> usize {
        self.tagger.params().len()
    }
}
