//! Averages over the entity types of a report.

use std::fmt;
use std::str::FromStr;

use crate::numpy_sum::sum;
use serde::Serialize;

use crate::{
    Beta, ChunkCounts, ChunkReport, Error, Result, Scalars, Scores, TypeScores, ZeroDivision,
};

/// How the scores of several entity types become one.
///
/// ```
/// use chunkeval_core::{Average, ChunkEvaluator, EveryN, Logger, Memory, Metric, TagBatch};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "B-LOC"])?;
/// //                          gold  PER PER  O   LOC    predicted  PER PER LOC LOC
/// metric.update(TagBatch::new(&[1, 1, 0, 2], &[1, 1, 2, 2], &[4])?)?;
///
/// let report = metric.accumulate(); // PER: precision 1 of 2 gold; LOC: precision 1/2 of 1 gold
/// assert_eq!(report.average(Average::Micro).precision, 3.0 / 4.0);
/// assert_eq!(report.average(Average::Macro).precision, (1.0 + 1.0 / 2.0) / 2.0);
/// assert_eq!(report.average(Average::Weighted).precision, (2.0 + 1.0 / 2.0) / 3.0);
/// assert_eq!(report.average(Average::Weighted).support, 3);
///
/// let mut log = Logger::new(Memory::default(), EveryN::new(1)?);
/// log.log(1, "dev/macro", &report.average(Average::Macro))?;
/// assert_eq!(log.sink().series("dev/macro/precision"), [(1, 0.75)]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Average {
    /// The scores of the summed counts.
    Micro,
    /// The mean over the types that have a chunk on either side.
    Macro,
    /// The same, each type weighted by its gold chunks.
    Weighted,
}

/// Precision, recall and F score of an average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AverageScores {
    /// The average precision.
    pub precision: f64,
    /// The average recall.
    pub recall: f64,
    /// The average F score: F1, or that of the [`Beta`] asked for. The macro F score is the mean
    /// of the types' F scores.
    pub f_score: f64,
    /// The `β` of the F score.
    pub beta: Beta,
    /// The number of gold chunks.
    pub support: u64,
}

impl Average {
    /// All averages.
    pub const ALL: [Self; 3] = [Self::Micro, Self::Macro, Self::Weighted];

    /// The usual name, `micro` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Micro => "micro",
            Self::Macro => "macro",
            Self::Weighted => "weighted",
        }
    }
}

impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `micro`, `macro` or `weighted`.
impl FromStr for Average {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|average| average.name() == name);
        known.ok_or_else(|| {
            Error::config("average", format!("{name:?} is not micro, macro or weighted"))
        })
    }
}

impl ChunkReport {
    /// The types that have a chunk on either side, sorted by code point: those that seqeval
    /// reports and that averages go over.
    pub fn found_types(&self) -> impl Iterator<Item = &TypeScores> {
        self.per_type.iter().filter(|t| t.scores.counts.gold > 0 || t.scores.counts.predicted > 0)
    }

    /// An average of precision, recall and F1, equal to seqeval 1.2.2 to the last bit.
    ///
    /// Where no type has a chunk, the macro average is not a number, as in seqeval. Where there
    /// is no gold chunk, weighted recall is what the [rule](ChunkReport::zero_division) says, and
    /// so are weighted precision and F1 if nothing was predicted either; else these two are 0.
    /// Under [`ZeroDivision::Undefined`] types whose score is undefined are left out of macro and
    /// weighted averages of that score, and an average over none is not a number.
    ///
    /// Chunks [counted elsewhere](crate::ChunkEvaluator::update_counts) have no type: they enter
    /// the micro average only.
    #[must_use]
    pub fn average(&self, average: Average) -> AverageScores {
        self.average_by(average, Beta::ONE)
    }

    /// The same with another F score.
    #[must_use]
    pub fn average_by(&self, average: Average, beta: Beta) -> AverageScores {
        let rule = self.zero_division;
        if average == Average::Micro {
            return micro(self.overall.counts, beta, rule);
        }
        average.over(self.per_type.iter().map(|t| t.scores.counts), beta, rule)
    }
}

impl Average {
    /// The average over types that are given by their counts, as
    /// [`ChunkReport::average`] makes it; types without a chunk on either side do not count.
    ///
    /// ```
    /// use chunkeval_core::{Average, Beta, ChunkCounts, ZeroDivision};
    ///
    /// let right = ChunkCounts { gold: 3, predicted: 3, correct: 3 };
    /// let missed = ChunkCounts { gold: 1, ..ChunkCounts::default() };
    /// let types = [right, missed, ChunkCounts::default()];
    /// let f1 = |average: Average| average.over(types, Beta::ONE, ZeroDivision::Zero).f_score;
    /// assert_eq!((f1(Average::Macro), f1(Average::Weighted)), (0.5, 0.75));
    /// ```
    #[must_use]
    pub fn over(
        self,
        types: impl IntoIterator<Item = ChunkCounts>,
        beta: Beta,
        rule: ZeroDivision,
    ) -> AverageScores {
        let found = types.into_iter().filter(|c| c.gold > 0 || c.predicted > 0);
        let types: Vec<Scores> = found.map(|counts| counts.scores(rule)).collect();
        let total = |of: fn(&ChunkCounts) -> u64| {
            types.iter().fold(0, |sum: u64, s| sum.saturating_add(of(&s.counts)))
        };
        let (support, predicted) = (total(|c| c.gold), total(|c| c.predicted));
        if self == Self::Micro {
            let counts = ChunkCounts { gold: support, predicted, correct: total(|c| c.correct) };
            return micro(counts, beta, rule);
        }
        if self == Self::Weighted && support == 0 {
            let recall = rule.value();
            let score = if predicted == 0 { recall } else { 0.0 };
            return AverageScores { precision: score, recall, f_score: score, beta, support };
        }
        let mean = |of: &dyn Fn(&Scores) -> f64| {
            let scores = types.iter().map(|s| (of(s), s.counts.gold as f64));
            let left_out = |score: f64| rule == ZeroDivision::Undefined && score.is_nan();
            let (scores, gold): (Vec<f64>, Vec<f64>) = scores.filter(|s| !left_out(s.0)).unzip();
            let weighted = self == Self::Weighted && gold.iter().any(|&weight| weight > 0.0);
            if !weighted {
                return sum(&scores) / scores.len() as f64;
            }
            let products: Vec<f64> = scores.iter().zip(&gold).map(|(s, g)| s * g).collect();
            sum(&products) / sum(&gold)
        };
        AverageScores {
            precision: mean(&|s| s.precision),
            recall: mean(&|s| s.recall),
            f_score: mean(&|s| s.counts.f_beta(beta, rule)),
            beta,
            support,
        }
    }
}

fn micro(counts: ChunkCounts, beta: Beta, rule: ZeroDivision) -> AverageScores {
    let Scores { precision, recall, .. } = counts.scores(rule);
    let f_score = counts.f_beta(beta, rule);
    AverageScores { precision, recall, f_score, beta, support: counts.gold }
}

/// `precision`, `recall` and `f1` (`f0.5` for a β of 0.5). Scores with nothing to divide by are
/// what the rule for zero division says; what is not a number is undefined (`None`).
impl Scalars for AverageScores {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        let defined = |score: f64| Some(score).filter(|score| !score.is_nan());
        each("precision", defined(self.precision));
        each("recall", defined(self.recall));
        each(&format!("f{}", self.beta), defined(self.f_score));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostics, Protocol};

    fn report(types: &[(u64, u64, u64)], rule: ZeroDivision) -> ChunkReport {
        let mut total = ChunkCounts::default();
        let counts: Vec<ChunkCounts> = types
            .iter()
            .map(|&(gold, predicted, correct)| ChunkCounts { gold, predicted, correct })
            .collect();
        counts.iter().for_each(|c| total.add(c).unwrap());
        let names = ["A", "B", "C", "D"];
        let protocol = Protocol::default();
        ChunkReport::new(
            total,
            names.into_iter().zip(counts),
            Diagnostics::default(),
            rule,
            protocol,
        )
    }

    #[test]
    fn types_without_chunks_do_not_count() {
        let with = report(&[(2, 2, 2), (0, 0, 0), (0, 1, 0)], ZeroDivision::Zero);
        let without = report(&[(2, 2, 2), (0, 1, 0)], ZeroDivision::Zero);
        for average in Average::ALL {
            assert_eq!(with.average(average), without.average(average), "{average}");
        }
        assert_eq!(with.average(Average::Macro).f_score, 0.5);
        assert_eq!(with.average(Average::Weighted).f_score, 1.0);
    }

    #[test]
    fn undefined_scores_are_left_out() {
        // scikit-learn 1.9.1, precision_recall_fscore_support(…, zero_division=np.nan) on rows of
        // single-token chunks with these counts.
        let some = report(&[(4, 2, 1), (3, 0, 0), (0, 2, 0)], ZeroDivision::Undefined);
        let mean = some.average(Average::Macro);
        assert_eq!((mean.precision, mean.recall), (0.25, 0.125));
        assert_eq!(mean.f_score, (1.0 / 3.0) / 3.0);
        let weighted = some.average(Average::Weighted);
        assert_eq!((weighted.precision, weighted.recall), (0.5, 1.0 / 7.0));

        let no_gold = report(&[(0, 2, 0)], ZeroDivision::Undefined).average(Average::Weighted);
        assert_eq!((no_gold.precision, no_gold.f_score), (0.0, 0.0));
        assert!(no_gold.recall.is_nan());
        let missed = report(&[(2, 0, 0), (0, 1, 0)], ZeroDivision::Undefined);
        assert_eq!(missed.average(Average::Weighted).precision, 0.0);
        let nothing = report(&[], ZeroDivision::Undefined);
        for average in Average::ALL {
            assert!(nothing.average(average).f_score.is_nan(), "{average}");
        }
    }

    #[test]
    fn nothing_at_all() {
        let nothing = report(&[], ZeroDivision::One);
        assert_eq!(nothing.average(Average::Micro).f_score, 1.0);
        assert!(nothing.average(Average::Macro).f_score.is_nan());
        assert_eq!(nothing.average(Average::Weighted).recall, 1.0);
    }

    #[test]
    fn averages_are_scalars_and_data() {
        let scalars = |average: AverageScores| {
            let mut all = Vec::new();
            average.visit(&mut |name, value| all.push((name.to_owned(), value)));
            all
        };
        let named = |names: [&str; 3], values: [Option<f64>; 3]| {
            names.map(str::to_owned).into_iter().zip(values).collect::<Vec<_>>()
        };
        let some = report(&[(4, 2, 1)], ZeroDivision::Zero);
        let precision_alone = Beta::new(0.0).unwrap();
        assert_eq!(
            scalars(some.average_by(Average::Macro, precision_alone)),
            named(["precision", "recall", "f0"], [Some(0.5), Some(0.25), Some(0.5)])
        );
        let nothing = report(&[], ZeroDivision::Zero).average(Average::Macro);
        assert_eq!(scalars(nothing), named(["precision", "recall", "f1"], [None; 3]));
        assert_eq!(
            serde_json::to_string(&nothing).unwrap(),
            r#"{"precision":null,"recall":null,"f_score":null,"beta":1.0,"support":0}"#
        );
    }

    #[test]
    fn names_are_read_back() {
        for average in Average::ALL {
            assert_eq!(average.to_string().parse::<Average>().unwrap(), average);
        }
        assert!("MICRO".parse::<Average>().is_err());
    }
}
