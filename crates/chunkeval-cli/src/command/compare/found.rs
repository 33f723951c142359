//! What a comparison has found.

use chunkeval_core::{Average, ChunkCounts, Protocol, RowCounts};
use chunkeval_stats::{
    ByType, Comparison, Correction, Error as StatsError, Resampling, Totals, TypeSums,
};

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
type Score = fn(&TypeSums) -> Option<f64>;

/// The scores that are compared over all types.
const OVERALL: [(Average, &str, Score); 5] = [
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
        for (average, name, score) in OVERALL {
            let tests = (
                how.paired_bootstrap(&by_type, &other, score),
                how.approximate_randomisation(&by_type, &other, score),
            );
            let of = Of::Average(average);
            match both(tests)? {
                Some(tests) => self.differences.push(Difference::new(of, name, tests)),
                None => self.undefined.push(format!("{average} {name}")),
            }
        }
        for name in first.types() {
            let (mine, theirs) = (Totals::of_type(first, name)?, Totals::of_type(second, name)?);
            let tests = (
                how.paired_bootstrap(&mine, &theirs, ChunkCounts::f1),
                how.approximate_randomisation(&mine, &theirs, ChunkCounts::f1),
            );
            match both(tests)? {
                Some(tests) => {
                    self.differences.push(Difference::new(Of::Type(name.clone()), "f1", tests));
                }
                None => self.undefined.push(name.clone()),
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
