//! The candle tagger as a [`Network`]: loss, backward, step.

use std::path::Path;

use candle_core::{Device, Tensor};
use chunkeval::data::Padded;

use crate::corpus::Batch;
use crate::error::{Error, Result};
use crate::model::{Adam, AdamConfig, Mode, ModelError, Tagger, TaggerConfig, features};
use crate::network::Network;

/// A [`Tagger`] with [`Adam`].
#[derive(Debug)]
pub struct CandleNetwork {
    tagger: Tagger,
    adam: Adam,
    seed: u64,
    labels: Padded<u32>,
}

impl CandleNetwork {
    /// An untrained network.
    ///
    /// # Errors
    /// A size of the configuration cannot work.
    pub fn new(config: TaggerConfig, seed: u64) -> Result<Self> {
        let tagger = Tagger::new(config, seed)?;
        let adam = Adam::new(AdamConfig::default(), tagger.params());
        Ok(Self { tagger, adam, seed, labels: Padded::new() })
    }
}

impl Network for CandleNetwork {
    fn train(&mut self, batch: &Batch<'_>, step: u64, learning_rate: f64) -> Result<f64> {
        let tokens = features::batch(self.tagger.config(), &batch.tokens())?;
        self.labels.fill(&batch.data.labels, batch.rows, 0)?;
        let shape = (self.labels.rows(), self.labels.width());
        let labels = Tensor::from_slice(self.labels.values(), shape, &Device::Cpu)?;
        let mode = Mode::Train { seed: self.seed, step };

        let loss = self.tagger.loss(&tokens, &labels, &batch.lengths(), mode)?;
        let gradients = loss.backward()?;
        self.adam.step(self.tagger.params(), &gradients, learning_rate)?;
        Ok(loss.to_scalar::<f32>()?.into())
    }

    fn decode(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u32>>> {
        let tokens = features::batch(self.tagger.config(), &batch.tokens())?;
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

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::network(error)
    }
}

impl From<candle_core::Error> for Error {
    fn from(error: candle_core::Error) -> Self {
        Self::network(error)
    }
}
