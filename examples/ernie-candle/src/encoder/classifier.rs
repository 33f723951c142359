//! The encoder with a score for each label at each token.

use candle_core::Tensor;
use training_candle::dropout::dropout;
use training_candle::params::Params;
use training_loop::model::Mode;

use super::batch::Batch;
use super::config::EncoderConfig;
use super::error::{EncoderError, Result};
use super::layers::{Linear, drop_at};
use super::model::Encoder;
use super::padding_op::Padding;

/// An [`Encoder`] with a linear layer behind it, `classifier` in Hugging Face's names.
///
/// ```
/// use ernie_candle::encoder::{Batch, EncoderConfig, TokenClassifier};
/// use training_candle::params::Params;
/// use training_loop::model::Mode;
///
/// let mut params = Params::new(1);
/// let model = TokenClassifier::new(&mut params, &EncoderConfig::small(100), 5)?;
/// let mut batch = Batch::default();
/// batch.push(&[2, 40, 41, 3]);
/// batch.push(&[2, 42, 3]);
/// let logits = model.logits(&batch, Mode::Eval)?;
/// assert_eq!(logits.dims(), [2, 4, 5]); // sentences, tokens of the longest, labels
/// # Ok::<(), ernie_candle::encoder::EncoderError>(())
/// ```
#[derive(Debug)]
pub struct TokenClassifier {
    encoder: Encoder,
    classifier: Linear,
    dropout: f32,
}

impl TokenClassifier {
    /// Creates the variables with random values.
    ///
    /// # Errors
    /// A size of the configuration cannot work, there is no label, or a name is taken.
    pub fn new(params: &mut Params, config: &EncoderConfig, labels: usize) -> Result<Self> {
        if labels == 0 {
            return Err(EncoderError::Labels("there are none".to_owned()));
        }
        let encoder = Encoder::new(params, config)?;
        let sizes = [config.hidden_size, labels];
        let classifier = Linear::new(params, "classifier", sizes, config.initializer_range)?;
        Ok(Self { encoder, classifier, dropout: config.head_dropout() })
    }

    /// The encoder without the head.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Scores `[B, T, C]`: sentences, tokens of the longest, labels. Behind the end of a sentence
    /// they are 0.
    ///
    /// # Errors
    /// As [`Encoder::forward`].
    pub fn logits(&self, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let states = self.encoder.forward(batch, mode)?;
        let (mode, site) = drop_at(mode, self.encoder.free_site());
        let states = dropout(&states, self.dropout, mode, site)?;
        let packed = self.classifier.forward(&states)?;
        Ok(packed.apply_op1(Padding::new(batch.lengths(), batch.width()))?)
    }
}
