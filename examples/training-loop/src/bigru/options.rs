//! What the command line says of a BiGRU-CRF tagger.

use clap::Args;

use super::TaggerConfig;
use crate::args::{Program, at_least_one, number, rate};
use crate::network;
use crate::settings::DataSource;

/// Options of the network.
#[derive(Clone, Debug, Args)]
#[group(id = "Network")]
#[command(next_help_heading = "Network")]
pub struct Options {
    /// Size of a token's embedding
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).embedding,
          value_parser = at_least_one, allow_negative_numbers = true)]
    embedding: usize,
    /// Size of the GRU's state, per direction
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).hidden,
          value_parser = at_least_one, allow_negative_numbers = true)]
    hidden: usize,
    /// Bidirectional layers
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).layers,
          value_parser = at_least_one, allow_negative_numbers = true)]
    layers: usize,
    /// Rate of dropout
    #[arg(long, value_name = "RATE", default_value_t = TaggerConfig::new(1, 1).dropout,
          value_parser = rate, allow_negative_numbers = true)]
    dropout: f32,
    /// Rate at which tokens become unknown in training
    #[arg(long, value_name = "RATE", default_value_t = TaggerConfig::new(1, 1).id_dropout,
          value_parser = rate, allow_negative_numbers = true)]
    token_dropout: f32,
    /// Tokens that occur less often in the training set are known by their shape (Xx, 0) only
    /// [default: 1 for waybills, whose tokens are characters; 2 for words]
    #[arg(long, value_name = "N", value_parser = number,
          allow_negative_numbers = true, verbatim_doc_comment)]
    min_count: Option<u64>,
}

impl Options {
    /// How often a token must occur to be known by more than its shape.
    pub(super) fn min_count(&self, source: &DataSource) -> u64 {
        self.min_count.unwrap_or(if source.is_waybill() { 1 } else { 2 })
    }

    /// The sizes of a network.
    pub(super) fn sizes(&self, vocab: usize, labels: usize) -> TaggerConfig {
        let &Self { embedding, hidden, layers, dropout, token_dropout, .. } = self;
        let config = TaggerConfig::new(vocab, labels);
        TaggerConfig { embedding, hidden, layers, dropout, id_dropout: token_dropout, ..config }
    }
}

impl network::Options for Options {
    const LEARNING_RATE: &str = "0.002";
    const EPOCHS: &str = "20";

    fn learning_rate(&self) -> f64 {
        0.002
    }

    fn epochs(&self) -> u64 {
        20
    }
}

/// A program that trains BiGRU-CRF taggers.
pub fn program(name: &'static str, threads: &'static str) -> Program {
    Program {
        name,
        about: "Trains a BiGRU-CRF tagger on the CPU and scores it every N steps",
        more: &[],
        threads,
    }
}
