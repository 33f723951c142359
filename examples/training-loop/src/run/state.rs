//! What a run needs to go on, apart from its tensors.

use std::path::Path;

use chunkeval::{BestValue, Direction, Verdict};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::corpus::{Content, Unit};
use crate::error::{Error, Result};
use crate::settings::Settings;

/// The version of the file. A program that writes another content writes another number.
const VERSION: u32 = 3;

/// Everything but the tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State<C> {
    version: u32,
    /// What the run is made with.
    pub settings: Settings,
    /// All that is needed to build the network again.
    pub network: C,
    /// How far it is.
    pub progress: Progress,
    /// What train, dev and test hold.
    pub contents: [Content; 3],
    /// The labels, in order of their ids.
    pub labels: Vec<String>,
    /// What the tokens of the training set are; runs of before do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Steps made.
    pub step: u64,
    /// The last step at which the dev set was evaluated.
    pub evaluated: u64,
    /// The best F1 on the dev set, and when to stop waiting for a better one.
    pub best: BestValue,
    /// The loss since the last evaluation.
    pub loss: Mean,
    /// The time taken.
    pub seconds: f64,
    /// The part of it that metric and logging took.
    pub metric_and_logging_seconds: f64,
    /// The part of it that evaluations took, network and metric.
    pub evaluation_seconds: f64,
    /// The part of that which the metric took.
    pub metric_seconds: f64,
}

/// A mean that is still growing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean of all numbers since it was last taken; `None` if there were none.
    pub fn take(&mut self) -> Option<f64> {
        let Self { sum, count } = std::mem::take(self);
        (count > 0).then(|| sum / count as f64)
    }
}

impl Default for Progress {
    /// Nothing is done yet.
    fn default() -> Self {
        Self {
            step: 0,
            evaluated: 0,
            best: BestValue::new(Direction::HigherIsBetter),
            loss: Mean::default(),
            seconds: 0.0,
            metric_and_logging_seconds: 0.0,
            evaluation_seconds: 0.0,
            metric_seconds: 0.0,
        }
    }
}

impl Progress {
    /// Takes note of an evaluation; says whether it is the best one so far.
    pub fn evaluated(&mut self, f1: f64) -> bool {
        self.evaluated = self.step;
        self.best.check(self.step, f1) == Verdict::Improved
    }

    /// The step of the best evaluation.
    pub fn best_step(&self) -> Option<u64> {
        self.best.best().map(|best| best.step)
    }
}

impl<C: DeserializeOwned> State<C> {
    /// The state of a run that has not begun.
    pub fn new(
        settings: Settings,
        network: C,
        contents: [Content; 3],
        labels: Vec<String>,
        unit: Unit,
    ) -> Self {
        let progress = Progress::default();
        let unit = Some(unit);
        Self { version: VERSION, settings, network, progress, contents, labels, unit }
    }

    /// Reads a state; `path` is its file.
    ///
    /// # Errors
    /// It is not a state of this program's version.
    pub fn read(text: &str, path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let unreadable = |e: serde_json::Error| Error::content(path, e.to_string());
        let Version { version } = serde_json::from_str(text).map_err(unreadable)?;
        if version != VERSION {
            let reason = format!("version {version}, this program reads {VERSION}");
            return Err(Error::content(path, reason));
        }
        serde_json::from_str(text).map_err(unreadable)
    }

    /// Checks that the state can be one of ours, and that the corpus is still the one the run was
    /// started with.
    ///
    /// # Errors
    /// Names the setting, the labels or the contents that do not fit.
    pub fn check(&self, path: &Path, labels: &[String], contents: [Content; 3]) -> Result<()> {
        let Settings { learning_rate, batch, every, .. } = self.settings;
        let edited = if !(learning_rate.is_finite() && learning_rate > 0.0) {
            format!("learning_rate {learning_rate} is not above 0 and finite")
        } else if batch == 0 || every == 0 {
            "batch and every must be at least 1".to_owned()
        } else {
            String::new()
        };
        if !edited.is_empty() {
            return Err(Error::content(path, edited));
        }
        let without = |of: &[String], other: &[String]| {
            let rest = of.iter().filter(|label| !other.contains(label));
            rest.map(|label| format!("{label:?}")).collect::<Vec<_>>().join(", ")
        };
        let (new, gone) = (without(labels, &self.labels), without(&self.labels, labels));
        let reason = match (new.is_empty(), gone.is_empty()) {
            (true, true) if labels != self.labels => {
                "the labels are those of the training set, but in another order".to_owned()
            }
            (true, true) => {
                let names = ["train", "dev", "test"].into_iter();
                let changed = names.zip(self.contents.iter().zip(&contents));
                let mut changed = changed.filter(|(_, (then, now))| then != now);
                let Some((name, (then, now))) = changed.next() else { return Ok(()) };
                format!("the run was started with other data: {name} was {then}, now it is {now}")
            }
            (false, true) => format!("the training set now has the labels {new}"),
            (true, false) => format!("the training set no longer has the labels {gone}"),
            (false, false) => format!("the training set has the labels {new} in place of {gone}"),
        };
        Err(Error::content(path, format!("{reason}; it cannot be resumed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_first_of_equals() {
        let mut progress = Progress::default();
        let mut best = Vec::new();
        for (step, f1) in [(10, 0.0), (20, 0.5), (30, 0.5), (40, 0.4), (50, 0.6)] {
            progress.step = step;
            best.push(progress.evaluated(f1));
        }
        assert_eq!(best, [true, true, false, false, true]);
        assert_eq!((progress.best_step(), progress.evaluated), (Some(50), 50));
    }

    #[test]
    fn a_mean_starts_anew_when_taken() {
        let mut mean = Mean::default();
        assert_eq!(mean.take(), None);
        mean.add(1.0);
        mean.add(2.0);
        assert_eq!(mean.take(), Some(1.5));
        assert_eq!(mean.take(), None);
    }

    #[test]
    fn another_version_is_refused_before_its_content_is_looked_at() {
        let path = Path::new("state.json");
        let error = State::<()>::read(r#"{"version": 2, "old": 1}"#, path).unwrap_err();
        assert_eq!(error.to_string(), "state.json: version 2, this program reads 3");
        assert!(State::<()>::read("{", path).is_err());
    }
}
