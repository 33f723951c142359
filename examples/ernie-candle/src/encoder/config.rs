//! The sizes of an encoder, as Hugging Face's `config.json` has them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};

use super::error::{EncoderError, Result};
use super::text::read_text;

/// Everything needed to build an encoder of the same shape again. The fields are those of Hugging
/// Face, with its defaults; fields that an encoder does not need are not read.
///
/// ```
/// use ernie_candle::encoder::{Activation, EncoderConfig, ModelType};
///
/// let config = EncoderConfig { num_hidden_layers: 2, ..EncoderConfig::small(5000) };
/// assert_eq!(config.hidden_act, Activation::Gelu);
/// assert!(config.check().is_ok());
/// assert!(EncoderConfig { num_attention_heads: 5, ..config }.check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncoderConfig {
    /// Which family.
    pub model_type: ModelType,
    /// Rows of the table of pieces.
    pub vocab_size: usize,
    /// Size of a token's state.
    pub hidden_size: usize,
    /// Number of layers.
    pub num_hidden_layers: usize,
    /// Attention heads of each layer; they share the state.
    pub num_attention_heads: usize,
    /// Size of the feed-forward part of each layer.
    pub intermediate_size: usize,
    /// The function in the feed-forward part.
    pub hidden_act: Activation,
    /// Rate at which single numbers of states are dropped in training.
    pub hidden_dropout_prob: f32,
    /// Rate at which single attention weights are dropped in training.
    pub attention_probs_dropout_prob: f32,
    /// Rows of the table of positions: no sentence has more tokens.
    pub max_position_embeddings: usize,
    /// Rows of the table of token types.
    #[serde(default = "two")]
    pub type_vocab_size: usize,
    /// Rows of the table of task types.
    #[serde(default = "three")]
    pub task_type_vocab_size: usize,
    /// Whether an ERNIE adds an embedding of the task type (2.0 and 3.0). A BERT never does.
    #[serde(default)]
    pub use_task_id: bool,
    /// What layer norm adds to the variance.
    #[serde(default = "default_epsilon")]
    pub layer_norm_eps: f64,
    /// The standard deviation of weights that are not loaded.
    #[serde(default = "default_range")]
    pub initializer_range: f32,
    /// How positions come in; only `absolute` is known here.
    #[serde(default = "absolute")]
    pub position_embedding_type: String,
    /// Rate at which the head drops numbers in training; if not given, that of states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier_dropout: Option<f32>,
    /// The labels of the head, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "or_none")]
    pub id2label: BTreeMap<usize, String>,
}

/// The family of an encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelType {
    /// BERT.
    Bert,
    /// ERNIE of Baidu: 1.0, 2.0 and 3.0.
    Ernie,
}

/// The function in the feed-forward part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// `x Φ(x)` with the distribution function of the normal distribution, not its approximation
    /// by tanh.
    Gelu,
    /// `max(x, 0)`.
    Relu,
}

/// `null` is as good as nothing.
fn or_none<'de, D, T>(from: D) -> std::result::Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

fn two() -> usize {
    2
}

fn three() -> usize {
    3
}

fn default_epsilon() -> f64 {
    1e-12
}

fn default_range() -> f32 {
    0.02
}

fn absolute() -> String {
    "absolute".to_owned()
}

/// No table or layer of ours is larger: a configuration that says so is wrong.
const MAX_SIZE: usize = 1 << 20;

/// Nor has an encoder more layers.
const MAX_LAYERS: usize = 500;

/// Nor more numbers, which are 16 GB.
const MAX_NUMBERS: u64 = 1 << 32;

/// The hidden size of BERT's base, for which its initial values are made.
const BASE_SIZE: f32 = 768.0;

impl EncoderConfig {
    /// An encoder small enough to be trained from nothing on two cores: an ERNIE of 3 layers of
    /// size 64.
    pub fn small(vocab_size: usize) -> Self {
        Self {
            model_type: ModelType::Ernie,
            vocab_size,
            hidden_size: 64,
            num_hidden_layers: 3,
            num_attention_heads: 4,
            intermediate_size: 256,
            hidden_act: Activation::Gelu,
            hidden_dropout_prob: 0.2,
            attention_probs_dropout_prob: 0.2,
            max_position_embeddings: 512,
            type_vocab_size: 2,
            task_type_vocab_size: 3,
            use_task_id: false,
            layer_norm_eps: 1e-12,
            initializer_range: 0.02,
            position_embedding_type: absolute(),
            classifier_dropout: None,
            id2label: BTreeMap::new(),
        }
    }

    /// The same, with first weights as far spread for the hidden size as those of BERT's base: what
    /// a layer makes of its inputs then has the same spread. With BERT's own `0.02` the layers of a
    /// narrow encoder do next to nothing at first.
    #[must_use]
    pub fn spread(self) -> Self {
        let width = self.hidden_size as f32;
        Self { initializer_range: default_range() * (BASE_SIZE / width).sqrt(), ..self }
    }

    /// Reads a `config.json`.
    ///
    /// # Errors
    /// The file cannot be read, a field is missing or of another kind, or a size cannot work.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_text(path)?;
        let wrong = |reason| EncoderError::Config { path: path.to_owned(), reason };
        let config: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        config.check().map_err(wrong)?;
        Ok(config)
    }

    /// Checks that every size can work.
    ///
    /// # Errors
    /// Names the first field that cannot.
    pub fn check(&self) -> std::result::Result<(), String> {
        for (name, size) in [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("type_vocab_size", self.type_vocab_size),
            ("task_type_vocab_size", self.task_type_vocab_size),
        ] {
            if !(1..=MAX_SIZE).contains(&size) {
                return Err(format!("{name} is {size}, not between 1 and {MAX_SIZE}"));
            }
        }
        if !(1..=MAX_LAYERS).contains(&self.num_hidden_layers) {
            let layers = self.num_hidden_layers;
            return Err(format!("num_hidden_layers is {layers}, not between 1 and {MAX_LAYERS}"));
        }
        if self.numbers() > MAX_NUMBERS {
            return Err(format!("the sizes make more than {MAX_NUMBERS} numbers"));
        }
        let (size, heads) = (self.hidden_size, self.num_attention_heads);
        if !size.is_multiple_of(heads) {
            return Err(format!(
                "hidden_size {size} is no multiple of num_attention_heads {heads}"
            ));
        }
        for (name, rate) in [
            ("hidden_dropout_prob", self.hidden_dropout_prob),
            ("attention_probs_dropout_prob", self.attention_probs_dropout_prob),
            ("classifier_dropout", self.head_dropout()),
        ] {
            if !(0.0..1.0).contains(&rate) {
                return Err(format!("{name} is {rate}, not in [0, 1)"));
            }
        }
        if !(self.layer_norm_eps > 0.0 && self.layer_norm_eps < 1.0) {
            return Err(format!("layer_norm_eps is {}, not in (0, 1)", self.layer_norm_eps));
        }
        if !(self.initializer_range >= 0.0 && self.initializer_range.is_finite()) {
            let range = self.initializer_range;
            return Err(format!("initializer_range is {range}, no standard deviation"));
        }
        match &*self.position_embedding_type {
            "absolute" => Ok(()),
            other => Err(format!("position_embedding_type is {other}, only absolute is known")),
        }
    }

    /// The numbers in all matrices. Sizes are small enough for this not to overflow.
    fn numbers(&self) -> u64 {
        let rows = self.vocab_size + self.max_position_embeddings;
        let layer = 4 * self.hidden_size + 2 * self.intermediate_size;
        self.hidden_size as u64 * (rows as u64 + self.num_hidden_layers as u64 * layer as u64)
    }

    /// Whether there is an embedding of the task type.
    pub fn has_tasks(&self) -> bool {
        self.model_type == ModelType::Ernie && self.use_task_id
    }

    /// Rate at which the head drops numbers in training.
    pub fn head_dropout(&self) -> f32 {
        self.classifier_dropout.unwrap_or(self.hidden_dropout_prob)
    }

    /// The labels in order of their ids; `None` if there are none or an id is left out.
    pub fn labels(&self) -> Option<Vec<&str>> {
        let labels: Vec<&str> = self.id2label.values().map(String::as_str).collect();
        let whole = self.id2label.keys().copied().eq(0..labels.len());
        (whole && !labels.is_empty()).then_some(labels)
    }

    /// The same with other labels.
    #[must_use]
    pub fn with_labels<S: Into<String>>(self, labels: impl IntoIterator<Item = S>) -> Self {
        let id2label = labels.into_iter().map(Into::into).enumerate().collect();
        Self { id2label, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_field_is_named() {
        let good = EncoderConfig::small(100);
        let with = |change: fn(&mut EncoderConfig)| {
            let mut config = good.clone();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert!(with(|c| c.vocab_size = 0).contains("vocab_size is 0"));
        assert!(with(|c| c.hidden_size = usize::MAX).contains("hidden_size"));
        assert!(with(|c| c.num_hidden_layers = 501).contains("num_hidden_layers is 501"));
        let wide =
            |c: &mut EncoderConfig| (c.hidden_size, c.intermediate_size) = (1 << 20, 1 << 20);
        assert!(with(wide).contains("the sizes make more than"));
        assert!(with(|c| c.num_attention_heads = 3).contains("num_attention_heads 3"));
        assert!(with(|c| c.hidden_dropout_prob = 1.0).contains("hidden_dropout_prob"));
        assert!(with(|c| c.classifier_dropout = Some(-0.1)).contains("classifier_dropout"));
        assert!(with(|c| c.layer_norm_eps = 0.0).contains("layer_norm_eps"));
        assert!(with(|c| c.initializer_range = f32::NAN).contains("initializer_range"));
        assert!(with(|c| c.position_embedding_type = "relative_key".into()).contains("relative"));
    }

    #[test]
    fn json_of_hugging_face() {
        let text = r#"{"model_type": "ernie", "vocab_size": 40000, "hidden_size": 312,
            "num_hidden_layers": 4, "num_attention_heads": 12, "intermediate_size": 1248,
            "hidden_act": "relu", "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
            "max_position_embeddings": 2048, "type_vocab_size": 4, "task_type_vocab_size": 16,
            "use_task_id": true, "layer_norm_eps": 1e-5, "pad_token_id": 0, "fuse": false,
            "id2label": {"1": "B-A", "0": "O"}}"#;
        let config: EncoderConfig = serde_json::from_str(text).unwrap();
        assert_eq!(config.labels().unwrap(), ["O", "B-A"]);
        assert!(config.has_tasks() && config.hidden_act == Activation::Relu);
        let again = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EncoderConfig>(&again).unwrap(), config);
        let absent = text.replace(r#"{"1": "B-A", "0": "O"}"#, "null");
        assert_eq!(serde_json::from_str::<EncoderConfig>(&absent).unwrap().labels(), None);
        let error = |from: &str, to: &str| {
            let text = text.replacen(from, to, 1);
            serde_json::from_str::<EncoderConfig>(&text).unwrap_err().to_string()
        };
        assert!(error("relu", "gelu_new").contains("unknown variant `gelu_new`"));
        assert!(error("\"ernie\"", "\"roberta\"").contains("unknown variant `roberta`"));
        assert!(error("hidden_size", "d_model").contains("missing field `hidden_size`"));
    }

    #[test]
    fn a_bert_has_no_tasks() {
        let ernie = EncoderConfig { use_task_id: true, ..EncoderConfig::small(10) };
        assert!(ernie.has_tasks());
        assert!(!EncoderConfig { model_type: ModelType::Bert, ..ernie }.has_tasks());
    }
}
