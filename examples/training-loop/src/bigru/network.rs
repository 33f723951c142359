//! A tagger as the network of the training loop.

use std::path::Path;

use chunkeval::IdRows;

use super::{Batch, Config, Options, Tagger, Tokens};
use crate::corpus::{Labels, Split};
use crate::error::{Error, Result};
use crate::network::{Inputs, Network, Parameters, Show};
use crate::run::Files;
use crate::settings::Settings;

/// A BiGRU-CRF tagger with the tokens that it knows.
#[derive(Clone, Debug)]
pub struct BiGru<T> {
    tagger: T,
    tokens: Tokens,
    config: Config,
}

/// Token ids.
impl Inputs for Vec<Vec<u32>> {
    fn rows(&self) -> Vec<usize> {
        self.sentences()
    }

    fn sentences(&self) -> Vec<usize> {
        self.iter().map(Vec::len).collect()
    }
}

impl<T: Tagger> Network for BiGru<T> {
    type Options = Options;
    type Config = Config;
    type Inputs = Vec<Vec<u32>>;

    fn start(
        options: &Options,
        train: &Split,
        labels: &Labels,
        settings: &Settings,
    ) -> Result<Self> {
        let min_count = options.min_count(&settings.source);
        let tokens = Tokens::new(train, min_count)?;
        let names = tokens.names();
        let sizes = options.sizes(names.len(), labels.len());
        let tagger = T::new(sizes.clone(), settings.seed)?;
        Ok(Self { tagger, tokens, config: Config { sizes, min_count, tokens: names } })
    }

    fn stored(config: &Config, labels: &Labels, files: &Files, seed: u64) -> Result<Self> {
        let Config { sizes, tokens, .. } = config;
        let fault = if tokens.len() != sizes.vocab {
            format!("{} tokens for a vocabulary of {}", tokens.len(), sizes.vocab)
        } else if labels.len() != sizes.labels {
            format!("{} labels for a network of {}", labels.len(), sizes.labels)
        } else {
            let tokens = Tokens::stored(tokens)?;
            let tagger = T::new(sizes.clone(), seed)?;
            return Ok(Self { tagger, tokens, config: config.clone() });
        };
        Err(Error::content(files.state(), fault))
    }

    fn config(&self) -> &Config {
        &self.config
    }

    fn encode(&self, split: &Split) -> Result<Vec<Vec<u32>>> {
        Ok(self.tokens.encode(split))
    }

    fn train(&mut self, batch: &Batch<'_>, step: u64, learning_rate: f64) -> Result<f64> {
        self.tagger.train(batch, step, learning_rate)
    }

    fn predict(&self, batch: &Batch<'_>, show: Show<'_>) -> Result<()> {
        let predicted = self.tagger.decode(batch)?;
        show(&IdRows::new(&batch.labels(), &predicted))
    }

    fn save_weights(&self, path: &Path) -> Result<()> {
        self.tagger.save_weights(path)
    }

    fn load_weights(&mut self, path: &Path) -> Result<()> {
        self.tagger.load_weights(path)
    }

    fn save_optimizer(&self, path: &Path) -> Result<()> {
        self.tagger.save_optimizer(path)
    }

    fn load_optimizer(&mut self, path: &Path) -> Result<()> {
        self.tagger.load_optimizer(path)
    }

    fn parameters(&self) -> Parameters {
        let all = self.tagger.parameters();
        Parameters { all, trained: all }
    }
}
