//! What a comparison has found.

use chunkeval_core::{Average, Protocol, RowCounts};
use chunkeval_stats::{ByType, Comparison, Correction, Error as StatsError, Resampling, TypeSums};

use crate::Result;
use crate::command::tell::unless_stopped;

/// The differences between two systems.
#[derive(Debug)]
pub(super) struct Found {
    /// Averages, then types.
    pub(super) differences: Vec<Difference>,
    /// Types that could not be compared, since one system has no score.
    pub(super) undefined: Vec<String>,
    /// Whether Ctrl-C ended the tests: the others are missing.
    pub(super) stopped: bool,
    /// How both were scored.
    pub(super) protocol: Protocol,
}

/// One score of both systems.
#[derive(Debug)]
pub(super) struct Difference {
    /// The average, or the entity type.
    pub(super) of: Of,
    /// `precision`, `recall` or `f1`.
    pub(super) score: &'static str,
    /// By paired bootstrap.
    pub(super) bootstrap: Comparison,
    /// By approximate randomisation.
    pub(super) randomisation: Comparison,
    /// The p-value of the latter, corrected for the number of types.
    pub(super) corrected: Option<f64>,
}

/// What a score is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Average(Average),
    Type(String),
}

/// The score of the sums of a resample.
type Score = Box<dyn Fn(&TypeSums) -> Option<f64> + Sync>;

/// The same, known beforehand.
type OfSums = fn(&TypeSums) -> Option<f64>;

/// So many types are tested on the same resamples: their scores in all of them are kept meanwhile.
const TOGETHER: usize = 8;

/// The scores that are compared over all types.
const OVERALL: [(Average, &str, OfSums); 5] = [
    (Average::Micro, "precision", |sums| sums.total.precision()),
    (Average::Micro, "recall", |sums| sums.total.recall()),
    (Average::Micro, "f1", |sums| sums.total.f1()),
    (Average::Macro, "f1", |sums| sums.average(Average::Macro).map(|s| s.f_score)),
    (Average::Weighted, "f1", |sums| sums.average(Average::Weighted).map(|s| s.f_score)),
];

impl Found {
    /// Compares the counts of two systems over the same sentences or answers.
    ///
    /// # Errors
    /// There are fewer than two, or they do not have the same gold chunks.
    pub(super) fn of(
        (first, second): (RowCounts, RowCounts),
        protocol: Protocol,
        how: &Resampling,
    ) -> Result<Self> {
        let mut found =
            Self { differences: Vec::new(), undefined: Vec::new(), stopped: false, protocol };
        found.stopped = unless_stopped(found.test(&first, &second, how))?.is_none();
        found.correct()?;
        Ok(found)
    }

    /// Adds the differences, one after the other.
    fn test(&mut self, first: &RowCounts, second: &RowCounts, how: &Resampling) -> Tested<()> {
        let (by_type, other) = (ByType::of(first)?, ByType::of(second)?);
        let overall: Vec<Score> =
            OVERALL.into_iter().map(|(.., score)| Box::new(score) as Score).collect();
        let mut tests = tests(how, (&by_type, &other), &overall)?.into_iter();
        for (average, name, _) in OVERALL {
            match tests.next().flatten() {
                Some(tests) => {
                    self.differences.push(Difference::new(Of::Average(average), name, tests));
                }
                None => self.undefined.push(format!("{average} {name}")),
            }
        }
        let names: Vec<&String> = by_type.types().iter().collect();
        for (at, names) in names.chunks(TOGETHER).enumerate() {
            let scores = (at * TOGETHER..).take(names.len());
            let scores: Vec<Score> = scores
                .map(|at| -> Score { Box::new(move |sums| sums.per_type.get(at)?.f1()) })
                .collect();
            for (name, tests) in names.iter().zip(self::tests(how, (&by_type, &other), &scores)?) {
                let of = (*name).clone();
                match tests {
                    Some(tests) => {
                        self.differences.push(Difference::new(Of::Type(of), "f1", tests));
                    }
                    None => self.undefined.push(of),
                }
            }
        }
        Ok(())
    }

    /// Corrects the p-values of the types after Holm.
    fn correct(&mut self) -> Result<()> {
        let types = || self.differences.iter().filter(|d| matches!(d.of, Of::Type(_)));
        let p_values: Vec<f64> = types().map(|d| d.randomisation.p_value).collect();
        let corrected = Correction::Holm.adjust(&p_values)?;
        let types = self.differences.iter_mut().filter(|d| matches!(d.of, Of::Type(_)));
        types.zip(corrected).for_each(|(d, p)| d.corrected = Some(p));
        Ok(())
    }

    /// How many types were compared.
    pub(super) fn types(&self) -> usize {
        self.differences.iter().filter(|d| matches!(d.of, Of::Type(_))).count()
    }
}

impl Difference {
    fn new(
        of: Of,
        score: &'static str,
        (bootstrap, randomisation): (Comparison, Comparison),
    ) -> Self {
        Self { of, score, bootstrap, randomisation, corrected: None }
    }
}

type Tested<T = Comparison> = chunkeval_stats::Result<T>;

/// Both tests by each score, from the same resamples; `None` if a system has no such score.
fn tests(
    how: &Resampling,
    (first, second): (&ByType, &ByType),
    scores: &[Score],
) -> Tested<Vec<Option<(Comparison, Comparison)>>> {
    let bootstraps = how.paired_bootstraps(first, second, scores)?;
    let randomisations = how.approximate_randomisations(first, second, scores)?;
    bootstraps.into_iter().zip(randomisations).map(both).collect()
}

/// Both tests; `None` if a system has no such score.
fn both((bootstrap, randomisation): (Tested, Tested)) -> Tested<Option<(Comparison, Comparison)>> {
    let undefined = |e: &StatsError| {
        matches!(e, StatsError::Undefined { .. } | StatsError::NeverDefined { .. })
    };
    match (bootstrap, randomisation) {
        (Ok(bootstrap), Ok(randomisation)) => Ok(Some((bootstrap, randomisation))),
        (Err(error), _) | (_, Err(error)) if undefined(&error) => Ok(None),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}
