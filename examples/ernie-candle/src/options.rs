//! What the command line says of an encoder.

use std::path::PathBuf;

use clap::Args;
use training_loop::args::{at_least_one, at_least_zero, positive, rate};
use training_loop::network;

use crate::encoder::EncoderConfig;
use crate::inputs::SpecialTokens;

/// Options of the network.
#[derive(Clone, Debug, Args)]
#[group(id = "Network")]
#[command(next_help_heading = "Network")]
pub struct Options {
    /// Hugging Face folder of a BERT or ERNIE: config.json, model.safetensors, and tokenizer.json
    /// or vocab.txt; or the folder of a run, for its best weights
    /// [default: a small encoder that knows nothing yet]
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    pub encoder: Option<PathBuf>,
    /// Take the head of --encoder too, and the conditional random field behind it where there is
    /// one; its labels must be those of the training set, in any order
    #[arg(long, requires = "encoder", verbatim_doc_comment)]
    pub keep_head: bool,
    /// Layers of the small encoder
    #[arg(long, value_name = "N", default_value_t = EncoderConfig::small(1).num_hidden_layers,
          value_parser = at_least_one, allow_negative_numbers = true,
          conflicts_with = "encoder")]
    pub layers: usize,
    /// Size of a state of the small encoder, a multiple of 4
    #[arg(long, value_name = "N", default_value_t = EncoderConfig::small(1).hidden_size,
          value_parser = at_least_one, allow_negative_numbers = true,
          conflicts_with = "encoder")]
    pub hidden: usize,
    /// A conditional random field behind the head: Viterbi in place of arg-max
    /// [default: only behind the small encoder, and where --keep-head finds one]
    #[arg(long, verbatim_doc_comment)]
    pub crf: bool,
    /// No conditional random field
    #[arg(long, conflicts_with = "crf")]
    pub no_crf: bool,
    /// Do not train the embeddings and the N lowest layers; 0 is the embeddings alone
    #[arg(long, value_name = "N", value_parser = at_least_zero,
          allow_negative_numbers = true)]
    pub freeze: Option<usize>,
    /// Learning rate of the head [default: 1e-3 with --encoder, else that of --lr]
    #[arg(long, value_name = "RATE", value_parser = positive, allow_negative_numbers = true)]
    pub head_lr: Option<f64>,
    /// Learning rate of the conditional random field
    /// [default: 1e-2 with --encoder, else that of --lr]
    #[arg(long, value_name = "RATE", value_parser = positive, allow_negative_numbers = true,
          conflicts_with = "no_crf", verbatim_doc_comment)]
    pub crf_lr: Option<f64>,
    /// Rate of dropout, in the encoder and before the head
    /// [default: that of the encoder; 0.2 in the small one]
    #[arg(long, value_name = "RATE", value_parser = rate, allow_negative_numbers = true,
          verbatim_doc_comment)]
    pub dropout: Option<f32>,
    /// Rate at which pieces become UNK in training [default: 0 with --encoder, else 0.1]
    #[arg(long, value_name = "RATE", value_parser = rate, allow_negative_numbers = true)]
    pub token_dropout: Option<f32>,
    /// Share of weights that is taken away per step, times the learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = rate,
          allow_negative_numbers = true)]
    pub weight_decay: f32,
    /// The norm of all gradients is scaled down to at most this
    #[arg(long, value_name = "NORM", default_value_t = 1.0, value_parser = positive,
          allow_negative_numbers = true)]
    pub clip: f64,
    /// Most pieces of a window, CLS and SEP included; longer sentences are read in several
    /// [default: 256, or as many as the encoder has positions]
    #[arg(long, value_name = "N", value_parser = at_least_one,
          allow_negative_numbers = true, verbatim_doc_comment)]
    pub max_length: Option<usize>,
    /// Most pieces that two neighbouring windows share, fewer than a window has
    /// [default: a quarter of a window, 64 at most]
    #[arg(long, value_name = "N", value_parser = at_least_zero,
          allow_negative_numbers = true, verbatim_doc_comment)]
    pub stride: Option<usize>,
    /// What loss and metric do with CLS and SEP
    #[arg(long, value_enum, default_value_t = SpecialTokens::Ignored)]
    pub special_tokens: SpecialTokens,
}

impl network::Options for Options {
    const LEARNING_RATE: &str = "5e-5 with --encoder, else 4e-3";
    const EPOCHS: &str = "10 with --encoder, else 24";

    fn learning_rate(&self) -> f64 {
        if self.encoder.is_some() { 5e-5 } else { 4e-3 }
    }

    fn epochs(&self) -> u64 {
        if self.encoder.is_some() { 10 } else { 24 }
    }

    fn labels(&self) -> &[&str] {
        match self.special_tokens {
            SpecialTokens::Ignored => &[],
            SpecialTokens::Outside => &["O"],
        }
    }
}
