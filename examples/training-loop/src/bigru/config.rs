//! The sizes of the network, and all else that builds it again.

use chunkeval::tensorboard::HParams;
use serde::{Deserialize, Serialize};

use crate::model::ConfigError;
use crate::network;

/// Everything needed to build a network and to read sentences for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The sizes.
    pub sizes: TaggerConfig,
    /// How often a token must occur in the training set; a rarer one is known by its shape only.
    pub min_count: u64,
    /// The tokens, in order of their ids.
    pub tokens: Vec<String>,
}

impl network::Config for Config {
    fn describe(&self, to: HParams) -> HParams {
        let Self { sizes, min_count, .. } = self;
        to.with("min_count", *min_count)
            .with("embedding", sizes.embedding)
            .with("hidden", sizes.hidden)
            .with("layers", sizes.layers)
            .with("dropout", f64::from(sizes.dropout))
            .with("token_dropout", f64::from(sizes.id_dropout))
    }
}

/// The largest embedding and hidden size: more would not fit any memory this program is for.
pub const MAX_SIZE: usize = 4096;

/// The most layers a network can have.
pub const MAX_LAYERS: usize = 8;

/// Everything needed to build a network of the same shape again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaggerConfig {
    /// Number of token ids, id 0 (unknown) included.
    pub vocab: usize,
    /// Number of labels.
    pub labels: usize,
    /// Size of a token's embedding.
    pub embedding: usize,
    /// Size of the GRU's state, per direction.
    pub hidden: usize,
    /// Number of bidirectional layers.
    pub layers: usize,
    /// Rate at which single numbers are dropped: after the embeddings and after each layer.
    pub dropout: f32,
    /// Rate at which an id is replaced by 0 in training, so that the network learns what to do
    /// with tokens it has never seen.
    pub id_dropout: f32,
}

impl TaggerConfig {
    /// Our choice for `vocab` token ids and `labels` labels: the best on the dev set of the
    /// waybill corpus. Hashed character n-grams beside the characters were tried: they learn its
    /// training set by heart and lose on dev and test.
    pub fn new(vocab: usize, labels: usize) -> Self {
        Self {
            vocab,
            labels,
            embedding: 128,
            hidden: 128,
            layers: 1,
            dropout: 0.5,
            id_dropout: 0.02,
        }
    }

    /// Checks that every size can work.
    ///
    /// # Errors
    /// Names the first field that cannot.
    pub fn check(&self) -> Result<(), ConfigError> {
        let fail = |message: String| Err(ConfigError(message));
        for (name, size) in [
            ("vocab", self.vocab),
            ("labels", self.labels),
            ("embedding", self.embedding),
            ("hidden", self.hidden),
            ("layers", self.layers),
        ] {
            if size == 0 {
                return fail(format!("{name} must be at least 1"));
            }
        }
        for (name, size) in [("embedding", self.embedding), ("hidden", self.hidden)] {
            if size > MAX_SIZE {
                return fail(format!("{name} must be at most {MAX_SIZE}, not {size}"));
            }
        }
        if self.layers > MAX_LAYERS {
            return fail(format!("layers must be at most {MAX_LAYERS}, not {}", self.layers));
        }
        for (name, rate) in [("dropout", self.dropout), ("id_dropout", self.id_dropout)] {
            if !(0.0..1.0).contains(&rate) {
                return fail(format!("{name} must be in [0, 1), not {rate}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_size_is_named() {
        let good = TaggerConfig::new(10, 3);
        good.check().unwrap();
        let with = |change: fn(&mut TaggerConfig)| {
            let mut config = good.clone();
            change(&mut config);
            config.check().unwrap_err().to_string()
        };
        assert!(with(|c| c.hidden = 0).contains("hidden"));
        assert!(with(|c| c.hidden = usize::MAX / 2).contains("hidden"));
        assert!(with(|c| c.layers = 9).contains("layers"));
        assert!(with(|c| c.dropout = 1.0).contains("dropout"));
        assert!(with(|c| c.id_dropout = f32::NAN).contains("id_dropout"));
    }

    #[test]
    fn json_round_trip() {
        let config = TaggerConfig::new(10, 3);
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<TaggerConfig>(&text).unwrap(), config);
        let unknown = text.replacen('{', "{\"depth\":1,", 1);
        assert!(serde_json::from_str::<TaggerConfig>(&unknown).is_err());
    }
}
