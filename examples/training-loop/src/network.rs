//! What the training loop asks of a network and of how it reads sentences. Nothing here knows a
//! tensor library.

use std::fmt::Debug;
use std::path::Path;

use chunkeval::tensorboard::HParams;
use chunkeval::{Source, Tagging};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::corpus::{Batch, Labels, Split};
use crate::error::Result;
use crate::run::Files;
use crate::settings::Settings;

/// A network with its optimiser, and with the way in which it reads sentences.
pub trait Network: Sized {
    /// What the command line says of it.
    type Options: Options;
    /// All that is needed to build it again; `state.json` keeps it.
    type Config: Config;
    /// The sentences of a split as it reads them.
    type Inputs: Inputs;

    /// What [`store`](Self::store) writes: names and what they are, for the user.
    const FILES: &[(&str, &str)] = &[];

    /// The network of a new run; its numbers depend on the seed of the settings only.
    ///
    /// # Errors
    /// A size cannot work, or a file that an option names cannot be read.
    fn start(
        options: &Self::Options,
        train: &Split,
        labels: &Labels,
        settings: &Settings,
    ) -> Result<Self>;

    /// The network of a run that was started before, without its weights.
    ///
    /// # Errors
    /// The configuration, the labels and the files of the run do not go together.
    fn stored(config: &Self::Config, labels: &Labels, files: &Files, seed: u64) -> Result<Self>;

    /// What [`stored`](Self::stored) needs.
    fn config(&self) -> &Self::Config;

    /// Writes what `stored` needs beside the configuration into the folder of a new run.
    ///
    /// # Errors
    /// A file cannot be written.
    fn store(&self, _files: &Files) -> Result<()> {
        Ok(())
    }

    /// Writes what others can use of a network that is the best so far into the folder of its run.
    ///
    /// # Errors
    /// A file cannot be written.
    fn store_best(&self, _files: &Files) -> Result<()> {
        Ok(())
    }

    /// What came of its start, for the user.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Reads sentences.
    ///
    /// # Errors
    /// A sentence cannot be read.
    fn encode(&self, split: &Split) -> Result<Self::Inputs>;

    /// One step of training on a batch; gives its loss.
    ///
    /// What is random in it depends on the seed and on `step` only, so that a resumed run repeats
    /// what an uninterrupted one would have done.
    ///
    /// # Errors
    /// The batch does not fit the network, or a number is no longer finite.
    fn train(
        &mut self,
        batch: &Batch<'_, Self::Inputs>,
        step: u64,
        learning_rate: f64,
    ) -> Result<f64>;

    /// Predicts some sentences and shows the predictions beside gold: in one batch of tags, with a
    /// row for each sentence and a tag for each token.
    ///
    /// # Errors
    /// The batch does not fit the network, a number is no longer finite, or `show` fails.
    fn predict(&self, batch: &Batch<'_, Self::Inputs>, show: Show<'_>) -> Result<()>;

    /// How many tags each row of a prediction has before the first token, and behind the last one:
    /// those of special tokens that the metric is to see.
    fn margin(&self) -> usize {
        0
    }

    /// Writes the weights as safetensors.
    ///
    /// # Errors
    /// The file cannot be written.
    fn save_weights(&self, path: &Path) -> Result<()>;

    /// Reads what [`save_weights`](Network::save_weights) wrote.
    ///
    /// # Errors
    /// The file cannot be read or belongs to another network.
    fn load_weights(&mut self, path: &Path) -> Result<()>;

    /// Writes the state of the optimiser as safetensors.
    ///
    /// # Errors
    /// The file cannot be written.
    fn save_optimizer(&self, path: &Path) -> Result<()>;

    /// Reads what [`save_optimizer`](Network::save_optimizer) wrote.
    ///
    /// # Errors
    /// The file cannot be read or belongs to another network.
    fn load_optimizer(&mut self, path: &Path) -> Result<()>;

    /// How many numbers it has, and how many of them are trained.
    fn parameters(&self) -> Parameters;
}

/// Takes predictions beside gold.
pub type Show<'a> = &'a mut dyn FnMut(&dyn Source<Tagging>) -> Result<()>;

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// All numbers.
    pub all: usize,
    /// Those that training changes.
    pub trained: usize,
}

/// What the command line says of a network.
///
/// The group of these options is called `Network` (`#[group(id = "Network")]`): a run that is
/// resumed takes none of them.
pub trait Options: Args + Clone + Debug {
    /// The highest learning rate, in words, if the user names none.
    const LEARNING_RATE: &str;
    /// The rounds over the training set, in words, if the user says nothing.
    const EPOCHS: &str;

    /// The highest learning rate if the user names none.
    fn learning_rate(&self) -> f64;

    /// The rounds over the training set if the user says nothing.
    fn epochs(&self) -> u64;

    /// Labels that it needs even if no sentence has them.
    fn labels(&self) -> &[&str] {
        &[]
    }
}

/// All that is needed to build a network again.
pub trait Config: Clone + Debug + Serialize + DeserializeOwned {
    /// Adds what TensorBoard shows of it beside the scores.
    fn describe(&self, to: HParams) -> HParams;
}

/// The sentences of a split as a network reads them.
pub trait Inputs {
    /// The length of each row that training draws from: a sentence, or a window of one.
    fn rows(&self) -> Vec<usize>;

    /// The length of each sentence.
    fn sentences(&self) -> Vec<usize>;

    /// What is cut, left out or read in pieces, for the user.
    fn remark(&self) -> Option<String> {
        None
    }
}
