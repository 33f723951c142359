//! [`Comparison`]: whether two systems differ.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::draws::Draws;
use crate::resampling::{TOLERANCE, each_resample};
use crate::units::Pair;
use crate::{Error, Interval, Resampling, Result, Units};

/// How two systems were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PairedTest {
    /// Resamples of the units, the same for both systems.
    Bootstrap,
    /// The systems swapped in each unit or not, by the toss of a coin.
    Randomisation,
    /// The systems swapped in every set of units there is.
    ExactRandomisation,
}

/// Two systems on the same units, and how surely they differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The score of the first system.
    pub first: f64,
    /// The score of the second system.
    pub second: f64,
    /// `first - second`.
    pub difference: f64,
    /// Where the difference may lie, from the same resamples; of a bootstrap only.
    pub interval: Option<Interval>,
    /// How often systems that do not differ would seem to differ as much, in either direction.
    pub p_value: f64,
    /// The resamples (or swaps) with a difference as great as the one seen, undefined ones
    /// included.
    pub as_extreme: u32,
    /// How it was tested.
    pub test: PairedTest,
    /// How many resamples (or swaps) there were.
    pub resamples: u32,
    /// Of them, those in which a system had no score. They count as evidence against a difference.
    pub undefined: u32,
    /// How many units (rows, documents) there are.
    pub units: usize,
    /// Where the random numbers began.
    pub seed: u64,
}

/// The most units whose swaps are all tried.
const MOST_EXACT: usize = 20;

impl Resampling {
    /// Tests whether two systems differ, by a paired bootstrap: both are scored on the same
    /// resamples of the units.
    ///
    /// With `d` the difference seen and `d*` that of a resample, the p-value is
    /// (c + 1) / (B + 1), where `c` of the `B` resamples have |d* - d| ≥ |d| (two-sided, shifted
    /// to no difference). It is 1 for equal systems, and never 0.
    ///
    /// ```
    /// use chunkeval_stats::{Mean, Resampling, Values};
    ///
    /// let first = Values::new(&[1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])?;
    /// let second = Values::new(&[1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0])?;
    /// let found = Resampling::new(10_000).seed(1).paired_bootstrap(&first, &second, Mean::mean)?;
    /// assert_eq!(found.difference, 3.0 / 8.0);
    /// assert!(found.p_value > 0.05 && found.p_value < 0.07); // in the limit 0.0593
    /// let itself = Resampling::new(100).paired_bootstrap(&first, &first, Mean::mean)?;
    /// assert_eq!(itself.p_value, 1.0);
    /// # Ok::<(), chunkeval_stats::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`interval`](Resampling::interval), or the systems were not run on the same units,
    /// as far as these can tell: their number, their gold chunks, the entity types.
    pub fn paired_bootstrap<U: Units>(
        &self,
        first: &U,
        second: &U,
        score: impl Fn(&U::Sum) -> Option<f64> + Sync,
    ) -> Result<Comparison> {
        only(self.paired_bootstraps(first, second, &[score])?)
    }

    /// The same for several scores, which share their resamples: each comparison is that of
    /// [`paired_bootstrap`](Resampling::paired_bootstrap), in the time of one. A score that a system
    /// or every resample lacks is an error of its own.
    ///
    /// # Errors
    /// As for [`paired_bootstrap`](Resampling::paired_bootstrap), but for what is undefined.
    pub fn paired_bootstraps<U: Units, F: Fn(&U::Sum) -> Option<f64> + Sync>(
        &self,
        first: &U,
        second: &U,
        scores: &[F],
    ) -> Result<Vec<Result<Comparison>>> {
        self.check()?;
        let pair = Pair::new(first, second)?;
        let (seen, defined) = seen(&pair, scores)?;
        let difference = |score| {
            let score: &F = score;
            move |(a, b): &(U::Sum, U::Sum)| Some(score(a)? - score(b)?)
        };
        let differences: Vec<_> = defined.into_iter().map(difference).collect();
        let mut resampled = match differences.is_empty() {
            true => Vec::new(),
            false => self.resample(&pair, &differences)?,
        }
        .into_iter();
        let compared = seen.into_iter().map(|seen| {
            let seen = seen?;
            let resampled = resampled.next().ok_or(Error::Undefined { of: "the difference" })?;
            let values = resampled.values.iter();
            let outcome = seen.count(values.map(|d| d.map(|d| d - seen.difference())));
            let interval = resampled.interval(self, pair.len())?;
            Ok(Comparison {
                interval,
                ..self.compared(&seen, PairedTest::Bootstrap, outcome, &pair)
            })
        });
        Ok(compared.collect())
    }

    /// Tests whether two systems differ, by approximate randomisation: if they do not, it is all
    /// the same which of them gave which answer, so their answers are swapped in each unit by the
    /// toss of a coin.
    ///
    /// The p-value is (c + 1) / (R + 1), where `c` of the `R` swaps have a difference as great as
    /// the one seen (two-sided). For accuracy it comes near the exact [`McNemar`](crate::McNemar)
    /// test.
    ///
    /// # Errors
    /// As for [`paired_bootstrap`](Resampling::paired_bootstrap), but one unit is enough.
    pub fn approximate_randomisation<U: Units>(
        &self,
        first: &U,
        second: &U,
        score: impl Fn(&U::Sum) -> Option<f64> + Sync,
    ) -> Result<Comparison> {
        only(self.approximate_randomisations(first, second, &[score])?)
    }

    /// The same for several scores, which share their swaps; see
    /// [`paired_bootstraps`](Resampling::paired_bootstraps).
    ///
    /// # Errors
    /// As there, but one unit is enough.
    pub fn approximate_randomisations<U: Units, F: Fn(&U::Sum) -> Option<f64> + Sync>(
        &self,
        first: &U,
        second: &U,
        scores: &[F],
    ) -> Result<Vec<Result<Comparison>>> {
        self.check()?;
        let pair = Pair::new(first, second)?;
        let seed = self.seed;
        let swap = |resample, swapped: &mut [u32]| Draws::new(seed, resample).flip(swapped);
        let compared = swapped(&pair, scores, self, swap)?.into_iter().map(|found| {
            let (seen, outcome) = found?;
            Ok(self.compared(&seen, PairedTest::Randomisation, outcome, &pair))
        });
        Ok(compared.collect())
    }

    /// A comparison with its outcome: how many resamples are as extreme, and how many undefined.
    fn compared<U: Units>(
        &self,
        seen: &Seen,
        test: PairedTest,
        (as_extreme, undefined): (u32, u32),
        pair: &Pair<'_, U>,
    ) -> Comparison {
        Comparison {
            p_value: (f64::from(as_extreme) + 1.0) / (f64::from(self.resamples) + 1.0),
            as_extreme,
            undefined,
            resamples: self.resamples,
            seed: self.seed,
            ..seen.comparison(test, pair.len())
        }
    }
}

/// The comparison by the only score there is.
fn only(mut compared: Vec<Result<Comparison>>) -> Result<Comparison> {
    compared.pop().unwrap_or(Err(Error::Undefined { of: "the difference" }))
}

/// The limit of [approximate randomisation](Resampling::approximate_randomisation): the systems
/// swapped in every set of units there is, for up to 20 units. The p-value is the share of swaps
/// with a difference as great as the one seen.
///
/// ```
/// use chunkeval_stats::{Mean, Values, exact_randomisation};
///
/// let (right, wrong) = (Values::new(&[1.0; 12])?, Values::new(&[0.0; 12])?);
/// assert_eq!(exact_randomisation(&right, &wrong, Mean::mean)?.p_value, 2.0 / 4096.0);
/// # Ok::<(), chunkeval_stats::Error>(())
/// ```
///
/// # Errors
/// There are no units or more than 20; and as for approximate randomisation.
pub fn exact_randomisation<U: Units>(
    first: &U,
    second: &U,
    score: impl Fn(&U::Sum) -> Option<f64> + Sync,
) -> Result<Comparison> {
    let pair = Pair::new(first, second)?;
    let found = pair.len();
    if found > MOST_EXACT {
        return Err(Error::TooManyUnits { found, most: MOST_EXACT });
    }
    let resamples = 1u32 << found;
    let swap = |set: u32, swapped: &mut [u32]| {
        swapped.iter_mut().enumerate().for_each(|(unit, swapped)| *swapped = set >> unit & 1);
    };
    let mut found = swapped(&pair, &[score], &Resampling::new(resamples), swap)?;
    let found = found.pop().unwrap_or(Err(Error::Undefined { of: "the difference" }));
    let (seen, (as_extreme, undefined)) = found?;
    Ok(Comparison {
        p_value: f64::from(as_extreme) / f64::from(resamples),
        as_extreme,
        undefined,
        resamples,
        ..seen.comparison(PairedTest::ExactRandomisation, pair.len())
    })
}

/// What both systems score on the units as they are, and the scores that both of them have.
fn seen<'s, U: Units, F: Fn(&U::Sum) -> Option<f64>>(
    pair: &Pair<'_, U>,
    scores: &'s [F],
) -> Result<(Vec<Result<Seen>>, Vec<&'s F>)> {
    if pair.is_empty() {
        return Err(Error::TooFewUnits { found: 0, least: 1 });
    }
    let whole = |units: &U| {
        let mut sum = units.zero();
        units.add_all(&vec![1; units.len()], &mut sum).map(|()| sum)
    };
    let sums = (whole(pair.first)?, whole(pair.second)?);
    let seen: Vec<_> = scores.iter().map(|score| Seen::of(&sums, score)).collect();
    let both = seen.iter().zip(scores).filter(|(seen, _)| seen.is_ok());
    let defined = both.map(|(_, score)| score).collect();
    Ok((seen, defined))
}

/// How many differences are as great as the one seen, and how many are undefined.
type Outcome = (u32, u32);

/// Scores both systems with their answers swapped where `swap` says so, once a resample; for each
/// score, what was seen without, and the outcome.
fn swapped<U: Units, F: Fn(&U::Sum) -> Option<f64> + Sync>(
    pair: &Pair<'_, U>,
    scores: &[F],
    how: &Resampling,
    swap: impl Fn(u32, &mut [u32]) + Sync,
) -> Result<Vec<Result<(Seen, Outcome)>>> {
    let (seen, defined) = seen(pair, scores)?;
    let width = defined.len();
    if width == 0 {
        return Ok(seen.into_iter().map(|seen| Ok((seen?, (0, 0)))).collect());
    }
    let differences = each_resample(how, width, || {
        let (mut swapped, mut kept) = (vec![0; pair.len()], vec![0; pair.len()]);
        let zero = pair.zero();
        let (mut sums, defined, swap) = (zero.clone(), &defined, &swap);
        move |resample, values: &mut [Option<f64>]| {
            swap(resample, &mut swapped);
            kept.iter_mut().zip(&swapped).for_each(|(kept, swapped)| *kept = 1 - swapped);
            sums.clone_from(&zero);
            let Pair { first, second } = *pair;
            first.add_all(&kept, &mut sums.0)?;
            second.add_all(&swapped, &mut sums.0)?;
            first.add_all(&swapped, &mut sums.1)?;
            second.add_all(&kept, &mut sums.1)?;
            for (value, score) in values.iter_mut().zip(defined) {
                *value = score(&sums.0).zip(score(&sums.1)).map(|(a, b)| a - b);
            }
            Ok(())
        }
    })?;
    let mut column = 0..;
    let found = seen.into_iter().map(|seen| {
        let (seen, column) = (seen?, column.next().unwrap_or(width));
        let outcome = seen.count(differences.iter().copied().skip(column).step_by(width));
        Ok((seen, outcome))
    });
    Ok(found.collect())
}

/// The scores of two systems on the units as they are.
struct Seen {
    first: f64,
    second: f64,
}

impl Seen {
    fn of<S>((first, second): &(S, S), score: impl Fn(&S) -> Option<f64>) -> Result<Self> {
        let score = |sum: &S, of| {
            score(sum).filter(|value| value.is_finite()).ok_or(Error::Undefined { of })
        };
        let (first, second) =
            (score(first, "the first system")?, score(second, "the second system")?);
        Ok(Self { first, second })
    }

    fn difference(&self) -> f64 {
        self.first - self.second
    }

    /// How many differences are as great as the one seen, and how many are undefined: these count
    /// as great.
    fn count(&self, differences: impl Iterator<Item = Option<f64>>) -> (u32, u32) {
        // Scores of other ranges, such as 0 to 100, have other last bits.
        let tolerance = TOLERANCE * self.first.abs().max(self.second.abs()).max(1.0);
        let least = self.difference().abs() - tolerance;
        let (mut as_extreme, mut undefined) = (0, 0);
        for difference in differences {
            let defined = difference.filter(|d| d.is_finite());
            undefined += u32::from(defined.is_none());
            as_extreme += u32::from(defined.is_none_or(|d| d.abs() >= least));
        }
        (as_extreme, undefined)
    }

    /// A comparison still without its outcome.
    fn comparison(&self, test: PairedTest, units: usize) -> Comparison {
        Comparison {
            first: self.first,
            second: self.second,
            difference: self.difference(),
            interval: None,
            p_value: 1.0,
            as_extreme: 0,
            test,
            resamples: 0,
            undefined: 0,
            units,
            seed: 0,
        }
    }
}

impl fmt::Display for PairedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bootstrap => "paired bootstrap",
            Self::Randomisation => "approximate randomisation",
            Self::ExactRandomisation => "exact randomisation",
        })
    }
}

/// `0.9000 against 0.8500: difference 0.0500 [0.0100, 0.0900], p = 0.0120 (paired bootstrap, 1000
/// resamples of 50 units, seed 0)`. A precision is that of all numbers.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { first, second, difference, p_value, test, resamples, units, seed, .. } = self;
        let digits = f.precision().unwrap_or(4);
        write!(f, "{first:.digits$} against {second:.digits$}: difference {difference:.digits$}")?;
        if let Some(Interval { low, high, .. }) = self.interval {
            write!(f, " [{low:.digits$}, {high:.digits$}]")?;
        }
        write!(f, ", p = {p_value:.digits$} ({test}, {resamples} resamples of {units} units")?;
        match test {
            PairedTest::ExactRandomisation => {}
            _ => write!(f, ", seed {seed}")?,
        }
        match self.undefined {
            0 => f.write_str(")"),
            n => write!(f, "; undefined in {n} of them)"),
        }
    }
}
