//! From options, or from the folder of a run, to a network.

use std::fs;
use std::path::{Path, PathBuf};

use training_candle::Adam;
use training_candle::crf::Crf;
use training_candle::params::Params;
use training_loop::console::counted;
use training_loop::corpus::{Labels, Split};
use training_loop::error::{Error, Result};
use training_loop::model::AdamConfig;
use training_loop::run::Files;
use training_loop::settings::Settings;

use super::{Config, Decoder, Ernie};
use crate::encoder::{EncoderConfig, FIELD, Folder, Head, TokenClassifier, write_config};
use crate::inputs::{Cutting, SpecialTokens};
use crate::options::Options;
use crate::scratch;
use crate::tokens::{OUR_SETTINGS, Tokens};

/// Where a run keeps configuration and vocabulary of its encoder.
pub(super) const FOLDER: &str = "encoder";

/// The files of a folder that say how text becomes ids.
const VOCABULARY: [&str; 4] =
    ["tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"];

/// What a folder of a run has.
const RUN: &str = "state.json";

/// Heads of attention in the small encoder.
const HEADS: usize = 4;

/// So many pieces a window has if nobody says otherwise, and if the encoder can.
const MAX_LENGTH: usize = 256;

/// So many pieces neighbouring windows share at most if nobody says otherwise.
const STRIDE: usize = 64;

/// Learning rates with an encoder that has learnt something, if nobody says otherwise.
const HEAD_RATE: f64 = 1e-3;
const CRF_RATE: f64 = 1e-2;

/// Rate at which pieces become unknown with an encoder that begins with nothing. The one piece for
/// all unknown ones learns then what the others have in common.
const TOKEN_DROPOUT: f32 = 0.1;

/// What is written into the folder of a run.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub(super) config: EncoderConfig,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// The files of this folder.
    Folder(PathBuf),
    /// Pieces, one a line.
    Pieces(String),
}

impl Vocabulary {
    /// Writes a folder like those of Hugging Face, but without weights.
    pub(super) fn write(&self, files: &Files) -> Result<()> {
        let folder = files.path().join(FOLDER);
        fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        let write = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|e| Error::io(&path, e))
        };
        write_config(&self.config, &folder).map_err(Error::network)?;
        match &self.source {
            Source::Pieces(pieces) => {
                write("vocab.txt", pieces.as_bytes())?;
                write("tokenizer_config.json", OUR_SETTINGS.as_bytes())
            }
            Source::Folder(from) => VOCABULARY
                .map(|name| (name, from.join(name)))
                .into_iter()
                .filter(|(_, path)| path.is_file())
                .try_for_each(|(name, path)| {
                    write(name, &fs::read(&path).map_err(|e| Error::io(&path, e))?)
                }),
        }
    }
}

impl Ernie {
    /// The network of a new run.
    pub(super) fn of_options(
        options: &Options,
        train: &Split,
        labels: &Labels,
        settings: &Settings,
    ) -> Result<Self> {
        // clap lets this pass beside an option that --encoder excludes.
        if options.keep_head && options.encoder.is_none() {
            return Err(Error::Usage("--keep-head: there is no head without --encoder".to_owned()));
        }
        let folder = options.encoder.as_deref().map(open).transpose()?;
        let field = match &folder {
            Some(folder) if options.keep_head => kept_field(folder, options)?,
            _ => Field::Default,
        };
        let (mut encoder, tokens, source) = match &folder {
            Some(folder) => {
                let tokens = folder.tokens().map_err(Error::network)?;
                (folder.config().clone(), tokens, Source::Folder(folder.path().to_owned()))
            }
            None => {
                let pieces = scratch::vocabulary(train);
                let tokens = Tokens::of_pieces(&pieces).map_err(Error::network)?;
                (small(options, tokens.size())?, tokens, Source::Pieces(pieces))
            }
        };
        check_rates(options)?;
        if let Some(rate) = options.dropout {
            encoder.hidden_dropout_prob = rate;
            encoder.attention_probs_dropout_prob = rate;
            encoder.classifier_dropout = Some(rate);
        }
        let config = config(options, field, &encoder, settings)?;
        let names = labels.names();
        let vocabulary = Vocabulary { config: encoder.with_labels(names.clone()), source };
        let mut network = Self::new(config, vocabulary, tokens, labels, settings.seed)?;
        if let Some(folder) = &folder {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let head = if options.keep_head { Head::Stored(&names) } else { Head::New };
            let report = folder.load_into(&network.params, head).map_err(Error::network)?;
            network.unused = report.ignored;
        }
        Ok(network)
    }

    /// The network of a run that was started before.
    pub(super) fn of_run(
        config: &Config,
        labels: &Labels,
        files: &Files,
        seed: u64,
    ) -> Result<Self> {
        // A new run takes O among its labels.
        if config.cutting.special_tokens == SpecialTokens::Outside && labels.outside().is_none() {
            let reason = "special tokens are to count as O, which is none of the labels";
            return Err(Error::content(files.state(), reason));
        }
        let path = files.path().join(FOLDER);
        let folder = Folder::open(&path).map_err(Error::network)?;
        let tokens = folder.tokens().map_err(Error::network)?;
        let encoder = folder.config().clone();
        let names = labels.names();
        if encoder.labels().is_none_or(|stored| stored != names) {
            let reason = "its labels are not those of state.json";
            return Err(Error::content(path.join("config.json"), reason));
        }
        let vocabulary = Vocabulary { config: encoder, source: Source::Folder(path) };
        Self::new(config.clone(), vocabulary, tokens, labels, seed)
    }

    fn new(
        config: Config,
        vocabulary: Vocabulary,
        tokens: Tokens,
        labels: &Labels,
        seed: u64,
    ) -> Result<Self> {
        let mut params = Params::new(seed).freeze(config.frozen());
        let classifier = TokenClassifier::new(&mut params, &vocabulary.config, labels.len());
        let classifier = classifier.map_err(Error::network)?;
        let crf = match config.decoder {
            Decoder::ArgMax => None,
            Decoder::Crf => Some(Crf::new(&mut params, FIELD, labels.len())?),
        };
        let constants = AdamConfig { clip: config.clip, ..AdamConfig::default() };
        let adam = Adam::with_groups(constants, &params, |name| config.group(name));
        let unused = Vec::new();
        Ok(Self {
            config,
            vocabulary,
            tokens,
            params,
            classifier,
            crf,
            adam,
            outside: labels.outside(),
            seed,
            unused,
        })
    }
}

/// The folder of an encoder; of a run, it is the one of its best weights.
fn open(path: &Path) -> Result<Folder> {
    let mut path = path.to_owned();
    if path.join(RUN).is_file() {
        path.push(FOLDER);
        if !path.join("model.safetensors").exists() {
            let reason = "the run has not yet evaluated dev, which is when its weights come here";
            return Err(Error::content(path, reason));
        }
    }
    Folder::open(path).map_err(Error::network)
}

/// Whether a conditional random field comes with the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// None, unless the user says otherwise.
    Default,
    /// That of the folder, unless the user says otherwise.
    Stored,
}

/// Whether the head that is kept has a conditional random field.
fn kept_field(folder: &Folder, options: &Options) -> Result<Field> {
    match folder.has_field().map_err(Error::network)? {
        true => Ok(Field::Stored),
        false if options.crf => Err(Error::Usage(format!(
            "--keep-head --crf: the head in {} has no conditional random field; without --crf the \
             head is kept as it is, without --keep-head a new one with a field begins",
            folder.path().display()
        ))),
        false => Ok(Field::Default),
    }
}

/// An encoder that is trained from nothing.
fn small(options: &Options, pieces: usize) -> Result<EncoderConfig> {
    let encoder = EncoderConfig {
        num_hidden_layers: options.layers,
        hidden_size: options.hidden,
        intermediate_size: options.hidden.saturating_mul(4),
        num_attention_heads: HEADS,
        ..EncoderConfig::small(pieces)
    }
    .spread();
    let (layers, hidden) = (options.layers, options.hidden);
    let named = |reason| Error::Usage(format!("--layers {layers} --hidden {hidden}: {reason}"));
    encoder.check().map_err(named)?;
    Ok(encoder)
}

/// That rates can be numbers of single precision, as variables are. One of --lr that cannot is
/// found out in training, as in every network.
fn check_rates(options: &Options) -> Result<()> {
    let rates = [("--head-lr", options.head_lr), ("--crf-lr", options.crf_lr)];
    let too_high = |(_, rate): &(&str, Option<f64>)| rate.is_some_and(|r| r > f32::MAX.into());
    match rates.into_iter().find(too_high) {
        Some((option, rate)) => {
            let rate = rate.unwrap_or_default();
            Err(Error::Usage(format!("{option} {rate:e}: is more than {:e}", f32::MAX)))
        }
        None => Ok(()),
    }
}

fn config(
    options: &Options,
    field: Field,
    encoder: &EncoderConfig,
    settings: &Settings,
) -> Result<Config> {
    let usage = |reason: String| Err(Error::Usage(reason));
    let positions = encoder.max_position_embeddings;
    let max_length = options.max_length.unwrap_or(MAX_LENGTH.min(positions));
    if max_length > positions {
        let positions = counted(positions, "position");
        return usage(format!("--max-length {max_length}: the encoder has {positions}"));
    }
    if max_length < 3 {
        return usage(format!("--max-length {max_length}: [CLS], a piece and [SEP] are 3"));
    }
    let stride = options.stride.unwrap_or(STRIDE.min(max_length / 4));
    if stride >= max_length - 2 {
        let pieces = counted(max_length - 2, "piece");
        return usage(format!("--stride {stride}: a window has {pieces}, and must move on"));
    }
    let layers = encoder.num_hidden_layers;
    if let Some(freeze) = options.freeze.filter(|&freeze| freeze > layers) {
        let layers = counted(layers, "layer");
        return usage(format!("--freeze {freeze}: the encoder has {layers}"));
    }
    let rate = settings.learning_rate;
    let is_trained = options.encoder.is_some();
    let head_rate = options.head_lr.unwrap_or(if is_trained { HEAD_RATE } else { rate }) / rate;
    let crf_rate = options.crf_lr.unwrap_or(if is_trained { CRF_RATE } else { rate }) / rate;
    let by_default = !is_trained || field == Field::Stored;
    let has_crf = options.crf || by_default && !options.no_crf;
    if options.crf_lr.is_some() && !has_crf {
        return usage("--crf-lr: there is no conditional random field; add --crf".to_owned());
    }
    let token_dropout = if is_trained { 0.0 } else { TOKEN_DROPOUT };
    let name = |path: &PathBuf| Path::new(path).display().to_string();
    Ok(Config {
        encoder: options.encoder.as_ref().map_or("small".to_owned(), name),
        decoder: if has_crf { Decoder::Crf } else { Decoder::ArgMax },
        freeze: options.freeze,
        head_rate,
        crf_rate,
        token_dropout: options.token_dropout.unwrap_or(token_dropout),
        weight_decay: options.weight_decay.into(),
        clip: options.clip,
        cutting: Cutting { max_length, stride, special_tokens: options.special_tokens },
    })
}
