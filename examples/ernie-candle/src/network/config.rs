//! What `state.json` keeps of an encoder and its head.

use chunkeval::tensorboard::HParams;
use serde::{Deserialize, Serialize};
use training_candle::adam::Group;
use training_loop::network;

use crate::encoder::{FIELD, HEAD};
use crate::inputs::{Cutting, SpecialTokens};

/// Everything needed to build the network and its optimiser again, beside the folder of its
/// encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where the encoder came from.
    pub encoder: String,
    /// What is behind the head.
    pub decoder: Decoder,
    /// How many of the lowest layers are not trained; with them, the embeddings are not.
    pub freeze: Option<usize>,
    /// Learning rate of the head, in times of that of the encoder.
    pub head_rate: f64,
    /// Learning rate of the conditional random field, in times of that of the encoder.
    pub crf_rate: f64,
    /// Rate at which pieces become unknown in training.
    pub token_dropout: f32,
    /// Share of weights that is taken away per step, times the learning rate.
    pub weight_decay: f64,
    /// The norm of all gradients is scaled down to at most this.
    pub clip: f64,
    /// How sentences are cut.
    pub cutting: Cutting,
}

/// How scores become labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decoder {
    /// The best label of each token by itself.
    ArgMax,
    /// The best path of a conditional random field.
    Crf,
}

impl Config {
    /// What the names of frozen variables begin with.
    pub(super) fn frozen(&self) -> Vec<String> {
        let Some(layers) = self.freeze else { return Vec::new() };
        let layers = (0..layers).map(|layer| format!("encoder.layer.{layer}."));
        ["embeddings.".to_owned()].into_iter().chain(layers).collect()
    }

    /// How a variable is trained. Biases and layer norms keep their size.
    pub(super) fn group(&self, name: &str) -> Group {
        let rate = match name {
            _ if name.starts_with(FIELD) => self.crf_rate,
            _ if name.starts_with(HEAD) => self.head_rate,
            _ => 1.0,
        };
        let keeps = name.ends_with("bias") || name.contains("LayerNorm") || name.starts_with(FIELD);
        Group { rate, weight_decay: if keeps { 0.0 } else { self.weight_decay } }
    }
}

impl network::Config for Config {
    fn describe(&self, to: HParams) -> HParams {
        let Self { decoder, freeze, head_rate, cutting, .. } = self;
        to.with("encoder", &*self.encoder)
            .with("crf", *decoder == Decoder::Crf)
            .with("frozen_layers", freeze.map_or(-1, |layers| layers as i32))
            .with("head_rate", *head_rate)
            .with("token_dropout", f64::from(self.token_dropout))
            .with("weight_decay", self.weight_decay)
            .with("clip", self.clip)
            .with("max_length", cutting.max_length)
            .with("stride", cutting.stride)
            .with("special_tokens_count", cutting.special_tokens == SpecialTokens::Outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_frozen_layers() {
        let cutting = Cutting { max_length: 9, stride: 2, special_tokens: SpecialTokens::Ignored };
        let config = Config {
            encoder: String::new(),
            decoder: Decoder::Crf,
            freeze: Some(2),
            head_rate: 20.0,
            crf_rate: 200.0,
            token_dropout: 0.0,
            weight_decay: 0.01,
            clip: 1.0,
            cutting,
        };
        let of = |name: &str| {
            let Group { rate, weight_decay } = config.group(name);
            (rate, weight_decay)
        };
        assert_eq!(of("encoder.layer.0.output.dense.weight"), (1.0, 0.01));
        assert_eq!(of("encoder.layer.0.output.LayerNorm.weight"), (1.0, 0.0));
        assert_eq!(of("classifier.weight"), (20.0, 0.01));
        assert_eq!(of("classifier.bias"), (20.0, 0.0));
        assert_eq!(of("crf.transitions"), (200.0, 0.0));
        assert_eq!(config.frozen(), ["embeddings.", "encoder.layer.0.", "encoder.layer.1."]);
        assert!(Config { freeze: None, ..config }.frozen().is_empty());
    }
}
