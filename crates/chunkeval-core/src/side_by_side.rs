//! [`SideBySide`]: the same rows read in several modes, and the gap between them.

mod report;

use serde::{Deserialize, Serialize};

pub use report::{Gap, ModeReport, SideBySideReport};

use crate::{
    ChunkEvaluator, ChunkEvaluatorBuilder, ChunkState, Error, ErrorKind, Fingerprint, Mergeable,
    Metric, Mode, Result, State, TagBatch, Tagging,
};

/// The chunks of the same rows in several modes: lenient and strict, say, since a system whose tags
/// are ill-formed can look perfect in one and useless in the other.
///
/// One update counts all of them, or none. The first mode is the one that the others are held
/// against.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Mode, Scheme, TagBatch};
///
/// let labels = ["O", "B-CITY", "I-CITY", "B-RIVER", "I-RIVER"];
/// let strict = Mode::Strict(Scheme::Iob2);
/// let mut metric = ChunkEvaluator::builder(labels)
///     .side_by_side([Mode::Lenient, strict, Mode::Conlleval])?;
///
/// //           CITY CITY  O  RIVER
/// let gold = [1, 2, 0, 3];
/// let predicted = [2, 2, 0, 4]; // every chunk begins with an I
/// metric.update(TagBatch::new(&gold, &predicted, &[4])?)?;
///
/// let report = metric.accumulate();
/// assert_eq!(report.get(Mode::Lenient).unwrap().overall.f1, 1.0);
/// assert_eq!(report.get(strict).unwrap().overall.f1, 0.0);
/// assert_eq!(report.gap(strict).unwrap().f1, 1.0); // what strictness costs
/// assert_eq!(report.gap(Mode::Conlleval).unwrap().f1, 0.0);
/// assert_eq!(metric.name()[2..4], ["lenient/f1", "IOB2/precision"]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// What reads the rows; their own states stay empty.
    readings: Vec<ChunkEvaluator>,
    names: Vec<String>,
    state: SideBySideState,
    /// The state of one batch, kept to be filled again.
    scratch: SideBySideState,
}

/// What a [`SideBySide`] keeps: the state of each reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SideBySideState(Vec<ChunkState>);

impl ChunkEvaluatorBuilder {
    /// Several modes at once over the same labels, in place of the one of
    /// [`mode`](ChunkEvaluatorBuilder::mode).
    ///
    /// # Errors
    /// No mode is given, or one twice; or as for [`build`](ChunkEvaluatorBuilder::build) in any of
    /// them: the labels must have letters that every mode has.
    pub fn side_by_side(self, modes: impl IntoIterator<Item = Mode>) -> Result<SideBySide> {
        let modes: Vec<Mode> = modes.into_iter().collect();
        if modes.is_empty() {
            return Err(Error::config("modes", "there is no mode to read in"));
        }
        if let Some(twice) = (1..modes.len()).find(|&at| modes[..at].contains(&modes[at])) {
            return Err(Error::config("modes", format!("{} is named twice", modes[twice])));
        }
        let readings: Result<Vec<_>> =
            modes.iter().map(|&mode| self.clone().mode(mode).build()).collect();
        Ok(SideBySide::new(readings?))
    }
}

impl SideBySide {
    fn new(readings: Vec<ChunkEvaluator>) -> Self {
        let modes = readings.iter().map(|reading| reading.tags().mode().to_string());
        let gaps = modes.clone().skip(1).map(|mode| format!("gap/{mode}"));
        let scores = |of: String| ["precision", "recall", "f1"].map(|name| format!("{of}/{name}"));
        let names = modes.chain(gaps).flat_map(scores).collect();
        let state = SideBySideState(readings.iter().map(Mergeable::zero).collect());
        Self { scratch: state.clone(), readings, names, state }
    }

    /// Adds what a metric of the same modes has counted whose labels are all in this one's list;
    /// see [`ChunkEvaluator::absorb`].
    ///
    /// # Errors
    /// As for [`ChunkEvaluator::absorb`], or the modes are others; nothing is changed then.
    pub fn absorb(&mut self, part: &Self) -> Result<()> {
        if self.readings.len() != part.readings.len() {
            let (expected, found) = (self.fingerprint(), part.fingerprint());
            return Err(ErrorKind::Incompatible { expected, found }.into());
        }
        let tags = part.readings.iter().zip(&self.readings).map(|(p, s)| (p.tags(), s.tags()));
        let moved = part.state.0.iter().zip(tags).map(|(state, (from, to))| state.moved(from, to));
        self.state.add(&SideBySideState(moved.collect::<Result<_>>()?))
    }

    /// The evaluators of the modes; their own states are empty.
    #[must_use]
    pub fn readings(&self) -> &[ChunkEvaluator] {
        &self.readings
    }
}

impl Metric for SideBySide {
    type Task = Tagging;
    type Output = SideBySideReport;

    /// The three scores of each reading over all chunks, then the gaps.
    fn name(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn reset(&mut self) {
        self.state.0.iter_mut().for_each(ChunkState::clear);
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        for (reading, state) in self.readings.iter().zip(&mut self.scratch.0) {
            reading.measure_into(batch, state)?;
        }
        self.state.add(&self.scratch)
    }

    fn accumulate(&self) -> SideBySideReport {
        self.finish(&self.state)
    }
}

impl Mergeable for SideBySide {
    type State = SideBySideState;

    fn fingerprint(&self) -> Fingerprint {
        let each = self.readings.iter().map(|reading| reading.fingerprint().to_string());
        Fingerprint::new(format!("side-by-side/1 [{}]", each.collect::<Vec<_>>().join("; ")))
    }

    fn zero(&self) -> SideBySideState {
        SideBySideState(self.readings.iter().map(Mergeable::zero).collect())
    }

    fn state(&self) -> &SideBySideState {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<SideBySideState> {
        let measured: Result<_> = self.readings.iter().map(|r| r.measure(batch)).collect();
        Ok(SideBySideState(measured?))
    }

    fn merge(&mut self, state: &SideBySideState) -> Result<()> {
        for (reading, state) in self.readings.iter().zip(&state.0) {
            reading.clone().merge(state)?; // into an empty one: only to have it checked
        }
        self.state.merge(state)
    }

    fn finish(&self, state: &SideBySideState) -> SideBySideReport {
        let reports = self
            .readings
            .iter()
            .zip(&state.0)
            .map(|(reading, state)| (reading.tags().mode().to_string(), reading.finish(state)));
        SideBySideReport::new(reports.collect())
    }
}

impl SideBySideState {
    /// Adds states of the same shapes that are known to be sound; all or none.
    fn add(&mut self, other: &Self) -> Result<()> {
        for (mine, theirs) in self.0.iter().zip(&other.0) {
            mine.sum(theirs)?;
        }
        self.0.iter_mut().zip(&other.0).try_for_each(|(mine, theirs)| mine.add(theirs))
    }
}

impl State for SideBySideState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let (expected, found) = (self.0.len(), other.0.len());
        if expected != found {
            let what = "readings in the state";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let mut merged = self.clone();
        for (mine, theirs) in merged.0.iter_mut().zip(&other.0) {
            mine.merge(theirs)?;
        }
        *self = merged;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChunkCounts, Scalars, Scheme, Snapshot};

    const IOB2: Mode = Mode::Strict(Scheme::Iob2);

    fn metric(modes: &[Mode]) -> SideBySide {
        let builder = ChunkEvaluator::builder(["O", "B-X", "I-X", "B-Y", "I-Y"]);
        builder.side_by_side(modes.iter().copied()).unwrap()
    }

    fn batch() -> TagBatch<'static> {
        TagBatch::new(&[1, 2, 0, 3, 2, 0, 4], &[2, 2, 0, 3, 2, 0, 0], &[3, 5, 7]).unwrap()
    }

    #[test]
    fn each_reading_counts_as_it_does_alone() {
        let modes = [IOB2, Mode::Lenient, Mode::Conlleval];
        let mut both = metric(&modes);
        both.update(batch()).unwrap();
        both.merge(&both.measure(batch()).unwrap()).unwrap();
        let report = both.accumulate();
        for mode in modes {
            let builder = ChunkEvaluator::builder(["O", "B-X", "I-X", "B-Y", "I-Y"]);
            let mut alone = builder.mode(mode).build().unwrap();
            alone.update(batch()).unwrap();
            alone.update(batch()).unwrap();
            assert_eq!(report.get(mode), Some(&alone.accumulate()), "{mode}");
        }
        let (lenient, strict) = (report.get(Mode::Lenient).unwrap(), report.get(IOB2).unwrap());
        assert_ne!(lenient.overall, strict.overall);
        assert_eq!(
            report.gap(Mode::Lenient).unwrap().recall,
            strict.overall.recall - lenient.overall.recall
        );
        assert_eq!(report.gap(Mode::Strict(Scheme::Iob1)), None);
    }

    #[test]
    fn scalars_begin_with_the_names() {
        let mut both = metric(&[Mode::Lenient, IOB2]);
        let scalars = |metric: &SideBySide| {
            let mut found = Vec::new();
            let report = metric.accumulate();
            report.visit(&mut |name, value| found.push((name.to_owned(), value)));
            found
        };
        assert!(scalars(&both).iter().all(|(_, value)| value.is_none()));
        both.update(TagBatch::new(&[1], &[2], &[1]).unwrap()).unwrap();
        let found = scalars(&both);
        let get = |name: &str| found.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
        assert!(both.name().iter().all(|name| get(name).is_some()));
        assert_eq!(get("lenient/per_type/X/f1"), Some(Some(1.0)));
        assert_eq!(get("gap/IOB2/f1"), Some(Some(1.0)));
        assert_eq!(get("gap/IOB2/precision"), Some(None), "nothing was predicted strictly");
        assert_eq!(get("gap/lenient/f1"), None);
    }

    #[test]
    fn keeps_the_laws() {
        let make = || metric(&[Mode::Lenient, IOB2, Mode::Conlleval]);
        crate::testkit::mergeable(make, batch(), 7).unwrap();
        let bad = TagBatch::new(&[1, 9], &[1, 1], &[2]).unwrap();
        crate::testkit::failing_changes_nothing(make, batch(), bad).unwrap();
        crate::testkit::foreign_is_refused(make, &metric(&[IOB2, Mode::Lenient]), batch()).unwrap();
    }

    #[test]
    fn all_or_nothing() {
        let mut both = metric(&[Mode::Lenient, IOB2]);
        both.update(batch()).unwrap();

        // One of the readings is at its limit.
        let mut full = serde_json::to_value(Snapshot::of(&both)).unwrap();
        full["state"][1]["total"]["gold"] = u64::MAX.into();
        let full: Snapshot<SideBySideState> = serde_json::from_value(full).unwrap();
        full.restore_into(&mut both).unwrap();
        assert!(both.update(batch()).is_err());
        assert_eq!(both.state(), &full.state);
        assert!(both.merge(&full.state).is_err());
        assert_eq!(both.state(), &full.state);

        both.reset();
        assert_eq!(both.state(), &both.zero());
        let other = metric(&[IOB2, Mode::Lenient]);
        assert!(Snapshot::of(&other).restore_into(&mut both).is_err());
        assert!(both.merge(metric(&[IOB2]).state()).is_err());
        let odd = ChunkCounts { gold: 1, predicted: 1, correct: 2 };
        let mut odd_state = serde_json::to_value(both.state()).unwrap();
        odd_state[0]["total"] = serde_json::to_value(odd).unwrap();
        odd_state[0]["per_type"][1] = serde_json::to_value(odd).unwrap();
        assert!(both.merge(&serde_json::from_value(odd_state).unwrap()).is_err());
    }

    #[test]
    fn modes_that_cannot_stand_side_by_side() {
        let refused = |labels: &[&str], modes: &[Mode]| {
            let builder = ChunkEvaluator::builder(labels.iter().copied());
            builder.side_by_side(modes.iter().copied()).unwrap_err().to_string()
        };
        assert_eq!(refused(&["O"], &[]), "modes: there is no mode to read in");
        assert_eq!(refused(&["O"], &[IOB2, IOB2]), "modes: IOB2 is named twice");
        assert!(refused(&["O", "S-X"], &[Mode::Lenient, IOB2]).contains("the letters I O B"));
    }
}
