//! One check of a gate.

use std::str::FromStr;

use chunkeval_report::{Cell, Grid};

use super::result::{Scores, split};
use crate::{Error, Result};

/// Enough for any two numbers.
const MOST_DIGITS: u16 = 17;

/// A score and the least it must be.
#[derive(Clone, Debug)]
pub(super) struct Threshold {
    score: String,
    least: f64,
}

/// A check that was made.
#[derive(Clone, Debug)]
pub(super) struct Check {
    score: String,
    /// `None` if it is undefined.
    value: Option<f64>,
    /// `None` if it is undefined in the baseline.
    least: Option<f64>,
    /// Where the threshold is from.
    from: &'static str,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    /// A score with nothing to divide by is neither high nor low.
    Undefined,
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (score, least) = text.rsplit_once('=').ok_or("expected SCORE=LEAST, as in f1=0.9")?;
        if split(score).is_none() {
            return Err(format!(
                "{score:?} is no score; they are precision, recall and f1, as in PER.f1=0.9"
            ));
        }
        match least.parse::<f64>() {
            Ok(least) if (0.0..=1.0).contains(&least) => Ok(Self { score: score.into(), least }),
            Ok(percent) if percent > 1.0 && percent <= 100.0 => {
                Err(format!("scores are from 0 to 1; is {} meant?", percent / 100.0))
            }
            Ok(_) => Err("scores are from 0 to 1".to_owned()),
            Err(_) => Err(format!("{least:?} is no number from 0 to 1")),
        }
    }
}

impl Threshold {
    pub(super) fn check(&self, result: &Scores) -> Result<Check> {
        let Self { score, least } = self.clone();
        Ok(Check { value: result.get(&score)?, score, least: Some(least), from: "--min" })
    }
}

impl Check {
    /// That a score is not below the interval of an earlier one.
    ///
    /// # Errors
    /// One lacks it, or it was scored in another way: in what, is said of its own table.
    pub(super) fn against(score: &str, result: &Scores, baseline: &Scores) -> Result<Self> {
        let [here, there] = [result, baseline].map(|scores| scores.path().display().to_string());
        let (mine, theirs) = (result.table_of(score)?, baseline.table_of(score)?);
        if let Some(difference) = mine.difference(theirs, [&here, &there]) {
            let reason = format!(
                "{here} and {there} were scored in different ways: {score} has {difference}"
            );
            return Err(Error::Mismatch { reason, hint: None }
                .with_hint("write the baseline again with the same options and version"));
        }
        let (value, least) = (result.get(score)?, baseline.low(score)?);
        Ok(Self { score: score.to_owned(), value, least, from: "baseline" })
    }

    pub(super) fn verdict(&self) -> Verdict {
        match (self.value, self.least) {
            (Some(value), Some(least)) if value >= least => Verdict::Passed,
            (Some(_), Some(_)) => Verdict::Failed,
            _ => Verdict::Undefined,
        }
    }

    /// What is undefined, if anything is.
    pub(super) fn undefined(&self) -> Option<String> {
        let whose = match (self.value, self.least) {
            (None, _) => "",
            (_, None) => " of the baseline",
            _ => return None,
        };
        Some(format!("{}{whose} is undefined: there is nothing to divide by", self.score))
    }
}

/// With how many digits a score that is too low is seen to be, at least those that are asked for.
pub(super) fn digits(checks: &[Check], asked: u16) -> u16 {
    let alike = |check: &Check, digits: u16| {
        let digits = usize::from(digits);
        let [value, least] =
            [check.value, check.least].map(|score| score.map(|score| format!("{score:.digits$}")));
        check.verdict() == Verdict::Failed && value == least
    };
    (asked..MOST_DIGITS)
        .find(|&digits| !checks.iter().any(|check| alike(check, digits)))
        .unwrap_or(asked.max(MOST_DIGITS))
}

/// All checks as a table.
pub(super) fn grid(checks: &[Check]) -> Grid {
    let mut grid = Grid::new(["score", "value", "least", "by", "verdict"]);
    for check in checks {
        grid.push([
            Cell::text(&check.score),
            Cell::Score(check.value),
            Cell::Score(check.least),
            Cell::text(check.from),
            Cell::text(match check.verdict() {
                Verdict::Passed => "passed",
                Verdict::Failed => "FAILED",
                Verdict::Undefined => "UNDEFINED",
            }),
        ]);
    }
    grid
}
