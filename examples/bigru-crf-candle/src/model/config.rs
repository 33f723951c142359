//! The sizes of the network.

use serde::{Deserialize, Serialize};

use super::error::ModelError;

/// The most layers a network can have.
pub const MAX_LAYERS: usize = 8;

/// Everything needed to build a [`Tagger`](super::Tagger) of the same shape again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaggerConfig {
    /// Number of token ids, id 0 (unknown) included.
    pub vocab: usize,
    /// Number of labels.
    pub labels: usize,
    /// Size of a token's embedding.
    pub embedding: usize,
    /// Further channels: each token's surroundings.
    pub ngrams: Vec<Ngram>,
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

/// A window of tokens that is hashed into one id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ngram {
    /// First token of the window, relative to the current one.
    pub from: i32,
    /// Last token of the window, relative to the current one.
    pub to: i32,
    /// Number of ids, id 0 (unknown) included.
    pub buckets: usize,
    /// Size of the embedding.
    pub embedding: usize,
}

impl TaggerConfig {
    /// Our choice for `vocab` token ids and `labels` labels: the best on the dev set of the
    /// waybill corpus. No n-grams: they learn its training set by heart and lose on dev and test.
    ///
    /// ```
    /// use bigru_crf_candle::model::TaggerConfig;
    ///
    /// let config = TaggerConfig::new(2000, 13);
    /// assert_eq!(config.channels(), 1 + config.ngrams.len());
    /// ```
    pub fn new(vocab: usize, labels: usize) -> Self {
        Self {
            vocab,
            labels,
            embedding: 128,
            ngrams: Vec::new(),
            hidden: 128,
            layers: 1,
            dropout: 0.5,
            id_dropout: 0.02,
        }
    }

    /// Number of ids per token: the token's own and one for each n-gram.
    pub fn channels(&self) -> usize {
        1 + self.ngrams.len()
    }

    /// Checks that every size can work.
    ///
    /// # Errors
    /// Names the first field that cannot.
    pub fn check(&self) -> Result<(), ModelError> {
        let fail = |message: String| Err(ModelError::Config(message));
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
        if self.layers > MAX_LAYERS {
            return fail(format!("layers must be at most {MAX_LAYERS}, not {}", self.layers));
        }
        for (name, rate) in [("dropout", self.dropout), ("id_dropout", self.id_dropout)] {
            if !(0.0..1.0).contains(&rate) {
                return fail(format!("{name} must be in [0, 1), not {rate}"));
            }
        }
        for (i, ngram) in self.ngrams.iter().enumerate() {
            if ngram.from > ngram.to {
                return fail(format!("ngrams[{i}]: from {} is behind to {}", ngram.from, ngram.to));
            }
            if ngram.buckets < 2 || ngram.embedding == 0 {
                return fail(format!("ngrams[{i}]: needs 2 buckets and an embedding"));
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
        let ngram = Ngram { from: -1, to: 0, buckets: 9, embedding: 2 };
        let good = TaggerConfig { ngrams: vec![ngram.clone(), ngram], ..TaggerConfig::new(10, 3) };
        good.check().unwrap();
        let with = |change: fn(&mut TaggerConfig)| {
            let mut config = good.clone();
            change(&mut config);
            config.check().unwrap_err().to_string()
        };
        assert!(with(|c| c.hidden = 0).contains("hidden"));
        assert!(with(|c| c.layers = 9).contains("layers"));
        assert!(with(|c| c.dropout = 1.0).contains("dropout"));
        assert!(with(|c| c.id_dropout = f32::NAN).contains("id_dropout"));
        assert!(with(|c| c.ngrams[1].from = 2).contains("ngrams[1]"));
        assert!(with(|c| c.ngrams[0].buckets = 1).contains("ngrams[0]"));
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
