//! What the counts of answers depend on.

use chunkeval_llm::{AnswerReading, ExtractionEvaluator, Matching, Normalisation};
use serde::{Deserialize, Serialize};

use crate::Result;

/// Everything the counts depend on besides the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    readings: Vec<AnswerReading>,
    #[serde(with = "by_name")]
    matching: Matching,
    #[serde(with = "by_name")]
    normalisation: Normalisation,
    listed: usize,
}

impl Settings {
    /// Those of an evaluator.
    pub(crate) fn of(metric: &ExtractionEvaluator) -> Self {
        Self {
            readings: metric.readings().to_vec(),
            matching: metric.matching(),
            normalisation: metric.normalisation(),
            listed: metric.listed(),
        }
    }

    /// An evaluator of these.
    ///
    /// # Errors
    /// There is none of such readings.
    pub(crate) fn metric(&self) -> Result<ExtractionEvaluator> {
        let metric = ExtractionEvaluator::builder()
            .readings(self.readings.iter().copied())
            .matching(self.matching)
            .normalisation(self.normalisation)
            .list_first(self.listed);
        Ok(metric.build()?)
    }

    /// Those that list as many answers of each kind as both of two do, which changes no score.
    pub(crate) fn common(&self, other: &Self) -> Self {
        Self { listed: self.listed.min(other.listed), ..self.clone() }
    }

    /// How many answers of each kind are listed.
    pub(crate) fn listed(&self) -> usize {
        self.listed
    }

    /// In what two score differently, by the names of the options.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let names = |s: &Self| {
            let readings: Vec<_> = s.readings.iter().map(ToString::to_string).collect();
            [
                ("reading", readings.join("+")),
                ("--match", s.matching.to_string()),
                ("--normalise", s.normalisation.to_string()),
            ]
        };
        let pairs = names(self).into_iter().zip(names(other)).filter(|(a, b)| a != b);
        let differ = pairs.map(|((name, mine), (_, theirs))| format!("{name} {mine} and {theirs}"));
        let text = differ.collect::<Vec<_>>().join(", ");
        (!text.is_empty()).then_some(text)
    }
}

/// Choices as the texts that they are displayed as.
mod by_name {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        choice: &impl Display,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(choice)
    }

    pub(super) fn deserialize<'de, D, T>(from: D) -> Result<T, D::Error>
    where
        D: Deserializer<'de>,
        T: FromStr<Err: Display>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
