//! The tch tagger as a [`bigru::Tagger`]: loss, backward, step.

use std::path::Path;

use chunkeval::data::Padded;
use training_loop::bigru::{self, Batch, TaggerConfig};
use training_loop::error::Result;
use training_loop::model::{AdamConfig, Mode};

use crate::model::{Adam, Ids, Tagger};

/// A [`Tagger`] with [`Adam`].
#[derive(Debug)]
pub struct TchNetwork {
    tagger: Tagger,
    adam: Adam,
    seed: u64,
}

/// Some rows of ids `[B, T]`, padded with 0.
fn padded(ids: &[Vec<u32>], rows: &[usize]) -> Result<Ids> {
    let mut padded = Padded::new();
    padded.fill(ids, rows, 0)?;
    let values = padded.values().iter().copied().map(i64::from).collect();
    Ok(Ids { values, width: padded.width() })
}

impl bigru::Tagger for TchNetwork {
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
        let gradients = self.tagger.params().gradients(&loss)?;
        self.adam.step(self.tagger.params_mut(), &gradients, learning_rate)?;
        Ok(crate::model::scalar(&loss)?)
    }

    fn decode(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u32>>> {
        let tokens = padded(&batch.data.inputs, batch.rows)?;
        Ok(self.tagger.decode(&tokens, &batch.lengths())?)
    }

    fn save_weights(&self, path: &Path) -> Result<()> {
        Ok(self.tagger.params().save(path)?)
    }

    fn load_weights(&mut self, path: &Path) -> Result<()> {
        Ok(self.tagger.params_mut().load(path)?)
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
