//! What a run is made with. Stored in its folder, so that it can be resumed without saying it all
//! again.

use std::path::PathBuf;

use chunkeval::TagStyle;
use serde::{Deserialize, Serialize};

/// Everything that decides the numbers of a run, apart from the network itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Where the sentences come from.
    pub source: DataSource,
    /// How labels are written; found out from the labels if not said.
    pub style: Option<Style>,
    /// Whose labels the network knows.
    #[serde(default, skip_serializing_if = "LabelSource::is_train")]
    pub labels: LabelSource,
    /// Labels that the network needs even if no sentence has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_labels: Vec<String>,
    /// Rows in a batch.
    pub batch: usize,
    /// When training ends.
    pub length: Length,
    /// Evaluations without a better F1 after which it ends early.
    pub patience: Option<u64>,
    /// The dev set is evaluated every so many steps.
    pub every: u64,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// Of initial weights, order and dropout.
    pub seed: u64,
}

/// Where the sentences come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DataSource {
    /// Waybills made by this program.
    Generated {
        /// Sentences of the training set; dev and test have a fifth of that each.
        sentences: usize,
        /// The seed of the generator.
        seed: u64,
    },
    /// Files in a format of [`chunkeval::data::Format`].
    Files {
        /// What the run is called after.
        name: String,
        /// The format, as on the command line.
        format: String,
        /// The training set.
        train: PathBuf,
        /// The set that is evaluated every N steps.
        dev: PathBuf,
        /// The set that is evaluated at the end.
        test: PathBuf,
    },
}

/// The format of waybills, which are made of characters.
pub const WAYBILL: &str = "waybill";

impl DataSource {
    /// The format of the sentences, as on the command line.
    pub fn format(&self) -> &str {
        match self {
            Self::Generated { .. } => WAYBILL,
            Self::Files { format, .. } => format,
        }
    }

    /// Whether the tokens are the characters of waybills.
    pub fn is_waybill(&self) -> bool {
        self.format() == WAYBILL
    }

    /// A short name for folders and tables.
    pub fn name(&self) -> &str {
        match self {
            Self::Generated { .. } => "synthetic",
            Self::Files { name, .. } => name,
        }
    }
}

/// When training ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// After so many rounds over the training set.
    Epochs(u64),
    /// After so many batches.
    Steps(u64),
}

impl Length {
    /// The number of steps, where a round over the training set takes `per_epoch`.
    ///
    /// ```
    /// use training_loop::settings::Length;
    ///
    /// assert_eq!(Length::Epochs(3).steps(50), 150);
    /// assert_eq!(Length::Steps(3).steps(50), 3);
    /// ```
    pub fn steps(self, per_epoch: u64) -> u64 {
        match self {
            Self::Epochs(epochs) => epochs.saturating_mul(per_epoch),
            Self::Steps(steps) => steps,
        }
    }
}

/// On which side of a label its position stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// `B-PER`.
    Prefix,
    /// `PER-B`.
    Suffix,
}

impl Style {
    /// Where it stands in the other style.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Prefix => Self::Suffix,
            Self::Suffix => Self::Prefix,
        }
    }
}

/// Whose labels the network knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSource {
    /// Those of the training set: what it never shows can hardly be learnt.
    #[default]
    Train,
    /// Those of dev and test, too.
    All,
}

impl LabelSource {
    /// The usual one, which `state.json` leaves out.
    fn is_train(&self) -> bool {
        *self == Self::Train
    }
}

impl From<Style> for TagStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Prefix => Self::Prefix,
            Style::Suffix => Self::Suffix,
        }
    }
}
