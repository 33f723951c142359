//! [`TokenEvaluator`]: how many tokens have the right tag.

mod ids;

use serde::{Deserialize, Serialize};

use ids::Ids;

use crate::{
    Diagnostics, Error, ErrorKind, Fingerprint, Mergeable, Metric, Protocol, Result, Scalars,
    State, TagBatch, Tagging, counts::ratio,
};

/// Token accuracy over a stream of batches, with the counts of seqeval's `performance_measure`.
///
/// Most tokens of most corpora are `O`, so a high accuracy says little about entities: 9 of 10
/// tokens can be right and no entity. For those who must report it.
///
/// Tags are the same if their texts are the same, and a tag is outside if it is exactly `O`; no
/// scheme is read. Predicted ids outside the label list are `O`.
///
/// ```
/// use chunkeval_core::{Metric, TagBatch, TokenEvaluator};
///
/// let mut metric = TokenEvaluator::new(["O", "B-PER", "I-PER"])?;
/// //                          gold  PER PER  O  O    predicted  PER  O  O PER
/// metric.update(TagBatch::new(&[1, 2, 0, 0],                   &[1, 0, 0, 1], &[4])?)?;
/// let report = metric.accumulate();
/// assert_eq!(report.accuracy, Some(2.0 / 4.0));
/// assert_eq!((report.counts.true_positive, report.counts.true_negative), (1, 1));
/// assert_eq!((report.counts.false_positive, report.counts.false_negative), (1, 1));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TokenEvaluator {
    labels: Vec<String>,
    ids: Ids,
    state: TokenState,
}

/// How tokens are tagged, counted as seqeval's `performance_measure` counts them: a wrong entity
/// tag is one false positive and no false negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenCounts {
    /// The tags are equal and not `O`.
    pub true_positive: u64,
    /// The tags differ, and the predicted one is not `O`.
    pub false_positive: u64,
    /// The tags differ, and the predicted one is `O`.
    pub false_negative: u64,
    /// Both tags are `O`.
    pub true_negative: u64,
}

/// The value of a [`TokenEvaluator`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TokenReport {
    /// The share of equal tags; `None` if there is no token.
    pub accuracy: Option<f64>,
    /// What it was made from.
    pub counts: TokenCounts,
    /// What was left out or read as something else.
    pub diagnostics: Diagnostics,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

/// What a [`TokenEvaluator`] keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenState {
    counts: TokenCounts,
    diagnostics: Diagnostics,
}

impl TokenCounts {
    /// The counts of tags given as texts.
    ///
    /// seqeval compares up to the shorter side; here sides of different lengths are an error.
    ///
    /// ```
    /// use chunkeval_core::TokenCounts;
    ///
    /// let counts = TokenCounts::of_tags(&["B-A", "O", "O"], &["B-B", "O", "o"])?;
    /// assert_eq!((counts.false_positive, counts.true_negative), (2, 1));
    /// assert_eq!(counts.accuracy(), Some(1.0 / 3.0));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The sides differ in length.
    pub fn of_tags<G: AsRef<str>, P: AsRef<str>>(gold: &[G], predicted: &[P]) -> Result<Self> {
        if gold.len() != predicted.len() {
            let (expected, found) = (gold.len(), predicted.len());
            let what = "predicted tags";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let mut counts = Self::default();
        for (gold, predicted) in gold.iter().zip(predicted) {
            let (gold, predicted) = (gold.as_ref(), predicted.as_ref());
            *match (gold == predicted, predicted == "O") {
                (true, false) => &mut counts.true_positive,
                (true, true) => &mut counts.true_negative,
                (false, false) => &mut counts.false_positive,
                (false, true) => &mut counts.false_negative,
            } += 1;
        }
        Ok(counts)
    }

    /// All tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let differ = self.false_positive.saturating_add(self.false_negative);
        self.equal().saturating_add(differ)
    }

    /// Tokens whose tags are equal.
    #[must_use]
    pub fn equal(&self) -> u64 {
        self.true_positive.saturating_add(self.true_negative)
    }

    /// The share of equal tags; `None` if there is no token.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.equal(), self.tokens())
    }

    fn plus(&self, other: &Self) -> Result<Self> {
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| ErrorKind::Overflow);
        Ok(Self {
            true_positive: sum(self.true_positive, other.true_positive)?,
            false_positive: sum(self.false_positive, other.false_positive)?,
            false_negative: sum(self.false_negative, other.false_negative)?,
            true_negative: sum(self.true_negative, other.true_negative)?,
        })
    }
}

impl TokenEvaluator {
    /// An evaluator for a label list in class-index order.
    ///
    /// # Errors
    /// The list is empty, or longer than 32-bit ids can name.
    pub fn new<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Result<Self> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        if labels.is_empty() || i32::try_from(labels.len()).is_err() {
            let reason = format!("a list of {} labels cannot be used", labels.len());
            return Err(Error::config("labels", reason));
        }
        let ids = Ids::new(&labels);
        Ok(Self { labels, ids, state: TokenState::default() })
    }

    /// The labels, in class-index order.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
}

impl Metric for TokenEvaluator {
    type Task = Tagging;
    type Output = TokenReport;

    fn name(&self) -> Vec<&str> {
        vec!["accuracy"]
    }

    fn reset(&mut self) {
        self.state = TokenState::default();
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        let measured = self.measure(batch)?;
        self.state.merge(&measured)
    }

    fn accumulate(&self) -> TokenReport {
        self.finish(&self.state)
    }
}

impl Mergeable for TokenEvaluator {
    type State = TokenState;

    fn fingerprint(&self) -> Fingerprint {
        let labels = self.labels.iter().map(|l| format!("{l:?}")).collect::<Vec<_>>().join(",");
        Fingerprint::new(format!("token/1 labels=[{labels}]"))
    }

    fn zero(&self) -> TokenState {
        TokenState::default()
    }

    fn state(&self) -> &TokenState {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<TokenState> {
        let labels = self.labels.len();
        if let Some(classes) = batch.classes().filter(|&classes| classes != labels) {
            return Err(ErrorKind::Classes { classes, labels }.into());
        }
        let (counts, diagnostics) = self.ids.count(batch)?;
        Ok(TokenState { counts, diagnostics })
    }

    fn merge(&mut self, state: &TokenState) -> Result<()> {
        self.state.merge(state)
    }

    fn finish(&self, state: &TokenState) -> TokenReport {
        let TokenState { counts, diagnostics } = *state;
        let protocol = Protocol::default().with("metric", "tokens");
        TokenReport { accuracy: counts.accuracy(), counts, diagnostics, protocol }
    }
}

impl State for TokenState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let d = &other.diagnostics;
        let as_outside = d.unknown_predicted.checked_add(d.missing_predicted);
        let c = &other.counts;
        let outside = c.false_negative.checked_add(c.true_negative); // predicted as `O`
        let tokens = outside
            .and_then(|n| n.checked_add(c.true_positive)?.checked_add(c.false_positive))
            .filter(|&tokens| tokens == d.tokens);
        if tokens.is_none() || as_outside.is_none() || as_outside > outside {
            return Err(Error::config("state", "its counts do not add up"));
        }
        let counts = self.counts.plus(&other.counts)?;
        let diagnostics = self.diagnostics.plus(d)?;
        *self = Self { counts, diagnostics };
        Ok(())
    }
}

/// `accuracy`.
impl Scalars for TokenReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        each("accuracy", self.accuracy);
    }
}
