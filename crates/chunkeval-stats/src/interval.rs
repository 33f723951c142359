//! [`Interval`]: where a score may lie.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::draws::Draws;
use crate::resampling::each_resample;
use crate::units::leave_one_out;
use crate::{Error, Resampling, Result, Units};

mod bca;
mod quantile;

use bca::Jackknife;

/// How the ends of a bootstrap interval are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IntervalMethod {
    /// The quantiles of the resampled scores, interpolated linearly (Efron 1979).
    #[default]
    Percentile,
    /// The same at quantiles that are moved for bias and skewness (bias-corrected and accelerated,
    /// Efron 1987): nearer to its level for scores close to 0 or 1 and for few units. Costs a
    /// score for each unit that is left out.
    Bca,
}

/// A score with a confidence interval, and how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of such intervals that hold the true value: 0.95, for example.
    pub level: f64,
    /// The score of the units as they are.
    pub point: f64,
    /// How the ends were found.
    pub method: IntervalMethod,
    /// How many resamples were drawn.
    pub resamples: u32,
    /// Of them, those without a score, since there was nothing to divide by. The ends come from
    /// the others; where this is no small share, so is the share of data the score stands on.
    pub undefined: u32,
    /// Units without which the score is undefined; they have no part in the skewness. Of BCa only.
    pub indispensable: u32,
    /// How many units (rows, documents) were resampled.
    pub units: usize,
    /// Where the random numbers began.
    pub seed: u64,
}

impl Resampling {
    /// A score with its confidence interval.
    ///
    /// Draws as many units as there are, with replacement, and scores the sum of what was drawn,
    /// again and again. Give documents as units where the rows of a document are alike: rows alone
    /// would make the interval too narrow.
    ///
    /// # Errors
    /// There are fewer than two units or more than 2³², an option cannot be used, there are more
    /// resamples than can be kept (2²⁷ scores in all, of [`MOST`](Resampling::MOST) at most), sums
    /// overflow, or the score of all units, or of every resample, is undefined.
    pub fn interval<U: Units>(
        &self,
        units: &U,
        score: impl Fn(&U::Sum) -> Option<f64> + Sync,
    ) -> Result<Interval> {
        let intervals = self.intervals(units, &[&score])?;
        match intervals.into_iter().next().flatten() {
            Some(interval) => Ok(interval),
            None => Err(Error::Undefined { of: "the whole set" }),
        }
    }

    /// Several scores with their intervals, from the same resamples. `None` stands for a score
    /// that is undefined on all units.
    ///
    /// # Errors
    /// As for [`interval`](Resampling::interval).
    pub fn intervals<U: Units, F: Fn(&U::Sum) -> Option<f64> + Sync>(
        &self,
        units: &U,
        scores: &[F],
    ) -> Result<Vec<Option<Interval>>> {
        let resampled = self.resample(units, scores)?;
        resampled.iter().map(|scores| scores.interval(self, units.len())).collect()
    }

    /// Scores all units, resamples of them and, for BCa, all units but one.
    pub(crate) fn resample<U: Units, F: Fn(&U::Sum) -> Option<f64> + Sync>(
        &self,
        units: &U,
        scores: &[F],
    ) -> Result<Vec<Resampled>> {
        self.check()?;
        check_units(units)?;
        let score = |sum: &U::Sum, values: &mut [Option<f64>]| {
            for (value, score) in values.iter_mut().zip(scores) {
                *value = score(sum).filter(|value| value.is_finite());
            }
        };
        let mut whole = units.zero();
        units.add_all(&vec![1; units.len()], &mut whole)?;
        let mut points = vec![None; scores.len()];
        score(&whole, &mut points);

        let values = each_resample(self, scores.len(), || {
            let (mut times, zero) = (vec![0; units.len()], units.zero());
            let (mut sum, seed, score) = (zero.clone(), self.seed, &score);
            move |resample, values: &mut [Option<f64>]| {
                Draws::new(seed, resample).resample(&mut times);
                sum.clone_from(&zero);
                units.add_all(&times, &mut sum)?;
                score(&sum, values);
                Ok(())
            }
        })?;
        let resampled = points.into_iter().enumerate().map(|(column, point)| Resampled {
            point,
            values: values.iter().copied().skip(column).step_by(scores.len()).collect(),
            jackknife: Jackknife::default(),
        });
        let mut resampled: Vec<_> = resampled.collect();
        if self.method == IntervalMethod::Bca {
            let mut values = vec![None; scores.len()];
            leave_one_out(units, &mut |sum| {
                score(sum, &mut values);
                for (of_score, &value) in resampled.iter_mut().zip(&values) {
                    of_score.jackknife.push(value, of_score.point);
                }
                Ok(())
            })?;
        }
        Ok(resampled)
    }
}

/// What resampling says about one score.
pub(crate) struct Resampled {
    /// The score of all units.
    point: Option<f64>,
    /// That of each resample.
    pub(crate) values: Vec<Option<f64>>,
    jackknife: Jackknife,
}

impl Resampled {
    /// The interval around the score; `None` if that is undefined.
    pub(crate) fn interval(&self, how: &Resampling, units: usize) -> Result<Option<Interval>> {
        let &Resampling { level, method, resamples, seed, .. } = how;
        let Some(point) = self.point else { return Ok(None) };
        let mut defined: Vec<f64> = self.values.iter().flatten().copied().collect();
        defined.sort_unstable_by(f64::total_cmp);
        let undefined = resamples - u32::try_from(defined.len()).unwrap_or(resamples);
        let tail = (1.0 - level) / 2.0;
        let [low, high] = match method {
            IntervalMethod::Percentile => [tail, 1.0 - tail],
            IntervalMethod::Bca => {
                [tail, 1.0 - tail].map(|p| self.jackknife.adjust(p, &defined, point))
            }
        };
        let end = |p| quantile::of(&defined, p).ok_or(Error::NeverDefined { resamples });
        let (low, high) = (end(low)?, end(high)?);
        Ok(Some(Interval {
            low,
            high,
            level,
            point,
            method,
            resamples,
            undefined,
            indispensable: self.jackknife.undefined,
            units,
            seed,
        }))
    }
}

/// That there are enough units to resample and not too many to count.
pub(crate) fn check_units<U: Units>(units: &U) -> Result<()> {
    let (found, least, most) = (units.len(), 2, u32::MAX as usize);
    match found {
        _ if found < least => Err(Error::TooFewUnits { found, least }),
        _ if found > most => Err(Error::TooManyUnits { found, most }),
        _ => Ok(()),
    }
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Percentile => "percentile",
            Self::Bca => "BCa",
        })
    }
}

/// `0.9000 [0.8000, 0.9500] (95% percentile interval, 1000 resamples of 50 units, seed 0)`, with
/// the number of undefined resamples if there are any. A precision is that of the scores.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { low, high, point, method, resamples, units, seed, undefined, .. } = self;
        let digits = f.precision().unwrap_or(4);
        write!(f, "{point:.digits$} [{low:.digits$}, {high:.digits$}] (")?;
        write!(f, "{}% {method} interval, ", percent(self.level))?;
        write!(f, "{resamples} resamples of {units} units, seed {seed}")?;
        match undefined {
            0 => f.write_str(")"),
            n => write!(f, "; undefined in {n} of them)"),
        }
    }
}

/// A share in percent without the noise of the last bits.
pub(crate) fn percent(share: f64) -> f64 {
    (share * 1e8).round() / 1e6
}
