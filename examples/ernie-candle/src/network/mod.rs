//! The encoder with its head as the network of the training loop.
//!
//! | file | what it holds |
//! |---|---|
//! | `config` | [`Config`]: what `state.json` keeps |
//! | `start` | from options to a network |
//! | `pieces` | which pieces of a batch stand for words |

mod config;
mod pieces;
mod start;

use std::path::Path;

use candle_core::Tensor;
use chunkeval::candle::CandleWords;
use chunkeval::{Pieces, Windows, WordIds, WordTags};
use training_candle::crf::Crf;
use training_candle::cross_entropy::cross_entropy;
use training_candle::params::Params;
use training_candle::{Adam, ModelError};
use training_loop::console::counted;
use training_loop::corpus::{Batch, Labels, Split};
use training_loop::error::{Error, Result};
use training_loop::model::{Mode, random};
use training_loop::network::{Network, Parameters, Show};
use training_loop::run::Files;
use training_loop::settings::Settings;

pub use config::{Config, Decoder};
use pieces::{FirstPieces, gold, piece_labels};
use start::Vocabulary;

use crate::encoder::{Batch as Ids, TokenClassifier, write_weights};
use crate::inputs::{Inputs, SpecialTokens, Window};
use crate::options::Options;
use crate::tokens::Tokens;

/// An encoder with a head and an optimiser.
#[derive(Debug)]
pub struct Ernie {
    config: Config,
    vocabulary: Vocabulary,
    tokens: Tokens,
    params: Params,
    classifier: TokenClassifier,
    crf: Option<Crf>,
    adam: Adam,
    /// The id of the label that means no entity, if there is one.
    outside: Option<u32>,
    seed: u64,
    /// Tensors of --encoder that are not used, by name.
    unused: Vec<String>,
}

/// The label of pieces that do not count.
const IGNORE: i64 = -100;

/// So many windows at most go through the encoder at once when nothing is trained.
const WINDOWS: usize = 64;

impl Network for Ernie {
    type Options = Options;
    type Config = Config;
    type Inputs = Inputs;

    const FILES: &[(&str, &str)] = &[(
        start::FOLDER,
        "the best weights for --encoder and for transformers: a Hugging Face folder",
    )];

    fn start(
        options: &Options,
        train: &Split,
        labels: &Labels,
        settings: &Settings,
    ) -> Result<Self> {
        Self::of_options(options, train, labels, settings)
    }

    fn stored(config: &Config, labels: &Labels, files: &Files, seed: u64) -> Result<Self> {
        Self::of_run(config, labels, files, seed)
    }

    fn config(&self) -> &Config {
        &self.config
    }

    fn store(&self, files: &Files) -> Result<()> {
        self.vocabulary.write(files)
    }

    fn store_best(&self, files: &Files) -> Result<()> {
        let folder = files.path().join(start::FOLDER);
        let model_type = self.vocabulary.config.model_type;
        write_weights(&self.params, model_type, &folder).map_err(Error::network)
    }

    fn remark(&self) -> Option<String> {
        unused(&self.unused)
    }

    fn encode(&self, split: &Split) -> Result<Inputs> {
        Inputs::new(&split.sentences, &self.tokens, self.config.cutting).map_err(Error::network)
    }

    fn train(&mut self, batch: &Batch<'_, Inputs>, step: u64, learning_rate: f64) -> Result<f64> {
        let windows = batch.data.inputs.windows(batch.rows);
        let mode = Mode::Train { seed: self.seed, step };
        let ids = self.ids(&windows, mode);
        let logits = self.classifier.logits(&ids, mode).map_err(Error::network)?;
        let gold = |window: &Window| gold(&batch.data.labels[window.sentence], self.framing());
        let loss = match &self.crf {
            None => {
                let labels = piece_labels(&windows, ids.width(), gold, IGNORE);
                cross_entropy(&logits, &labels, IGNORE)?
            }
            Some(crf) => {
                let first = FirstPieces::new(&windows);
                let labels = first.labels(&windows, gold).map_err(ModelError::from)?;
                let scores = first.select(&logits).map_err(ModelError::from)?;
                crf.loss(&scores, &labels, first.lengths())?
            }
        };
        let gradients = loss.backward().map_err(ModelError::from)?;
        self.adam.step(&self.params, &gradients, learning_rate)?;
        Ok(loss.to_scalar::<f32>().map_err(ModelError::from)?.into())
    }

    fn predict(&self, batch: &Batch<'_, Inputs>, show: Show<'_>) -> Result<()> {
        let inputs = &batch.data.inputs;
        let windows: Vec<(usize, &Window)> = (batch.rows.iter().enumerate())
            .flat_map(|(row, &sentence)| inputs.of_sentence(sentence).iter().map(move |w| (row, w)))
            .collect();
        let framing = self.framing();
        let gold: Vec<Vec<u32>> =
            batch.labels().into_iter().map(|labels| gold(labels, framing)).collect();
        let logits = self.logits(&windows)?;
        let mut words = WordIds::new(Pieces::First).windows(Windows::MostContext);
        let Some(crf) = &self.crf else {
            let width = logits.dim(1).map_err(ModelError::from)?;
            for (row, window) in &windows {
                words.push(*row, &padded(&window.words, width, None))?;
            }
            return show(&CandleWords::logits(&logits, &gold, &words));
        };
        // The field runs over words: the first piece of each.
        let windows_only: Vec<&Window> = windows.iter().map(|(_, window)| *window).collect();
        let first = FirstPieces::new(&windows_only);
        let scores = first.select(&logits).map_err(ModelError::from)?;
        let paths = crf.decode(&scores, first.lengths())?;
        let mut predicted = Vec::with_capacity(paths.len() * first.width());
        for ((row, window), path) in windows.iter().zip(&paths) {
            let of_path: Vec<Option<u32>> =
                window.first_pieces().map(|(_, word)| Some(word)).collect();
            words.push(*row, &padded(&of_path, first.width(), None))?;
            predicted.extend(padded(path, first.width(), 0));
        }
        show(&WordTags::ids(&gold, &predicted, first.width(), &words)?)
    }

    fn margin(&self) -> usize {
        usize::from(self.framing().is_some())
    }

    fn save_weights(&self, path: &Path) -> Result<()> {
        Ok(self.params.save(path)?)
    }

    fn load_weights(&mut self, path: &Path) -> Result<()> {
        Ok(self.params.load(path)?)
    }

    fn save_optimizer(&self, path: &Path) -> Result<()> {
        Ok(self.adam.save(path)?)
    }

    fn load_optimizer(&mut self, path: &Path) -> Result<()> {
        Ok(self.adam.load(path)?)
    }

    fn parameters(&self) -> Parameters {
        let trained = self.params.trained().map(|(_, var)| var.elem_count()).sum();
        Parameters { all: self.params.len(), trained }
    }
}

impl Ernie {
    /// The label of special tokens, if they count.
    fn framing(&self) -> Option<u32> {
        let counts = self.config.cutting.special_tokens == SpecialTokens::Outside;
        self.outside.filter(|_| counts)
    }

    /// Windows as the encoder takes them; in training some of their pieces are unknown.
    fn ids(&self, windows: &[&Window], mode: Mode) -> Ids {
        let mut pieces: Vec<u32> =
            windows.iter().flat_map(|window| window.pieces()).copied().collect();
        random::drop_ids(&mut pieces, self.config.token_dropout, self.tokens.unk(), mode);
        let mut pieces = pieces.into_iter();
        let mut batch = Ids::default();
        for window in windows {
            let inner = pieces.by_ref().take(window.pieces().len());
            let ids = [self.tokens.cls()].into_iter().chain(inner).chain([self.tokens.sep()]);
            batch.push(&ids.collect::<Vec<_>>());
        }
        batch
    }

    /// Scores `[windows, T, C]`, nothing dropped.
    fn logits(&self, windows: &[(usize, &Window)]) -> Result<Tensor> {
        let width = windows.iter().map(|(_, window)| window.ids.len()).max().unwrap_or(0);
        let part = |windows: &[(usize, &Window)]| -> Result<Tensor> {
            let windows: Vec<&Window> = windows.iter().map(|(_, window)| *window).collect();
            let ids = self.ids(&windows, Mode::Eval);
            let logits = self.classifier.logits(&ids, Mode::Eval).map_err(Error::network)?;
            Ok(logits.pad_with_zeros(1, 0, width - ids.width()).map_err(ModelError::from)?)
        };
        let parts = windows.chunks(WINDOWS).map(part).collect::<Result<Vec<_>>>()?;
        Ok(Tensor::cat(&parts, 0).map_err(ModelError::from)?)
    }
}

/// What is said of tensors that are not used.
fn unused(names: &[String]) -> Option<String> {
    /// So many are named.
    const NAMED: usize = 4;
    let more = if names.len() > NAMED { ", …" } else { "" };
    let first = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let tensors = counted(names.len(), "tensor");
    (!names.is_empty()).then(|| format!("encoder: not used: {tensors}: {first}{more}"))
}

/// A row, filled up to a width.
fn padded<T: Copy>(row: &[T], width: usize, with: T) -> Vec<T> {
    let padding = width.saturating_sub(row.len());
    row.iter().copied().chain(std::iter::repeat_n(with, padding)).collect()
}
