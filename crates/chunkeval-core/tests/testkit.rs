//! The test kit finds each law that a metric breaks, and names it.
#![allow(clippy::unwrap_used, clippy::panic)] // test code, helper functions included

use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};

use chunkeval_core::testkit::{self, Finding, Law, Violation};
use chunkeval_core::{
    Batch, Error, Fingerprint, Mergeable, Metric, Result, State, TagBatch, Tagging,
};
use serde::{Deserialize, Serialize};

/// What is wrong with a metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Fault {
    #[default]
    Nothing,
    /// Tokens stay after a reset.
    Remembers,
    /// The first row after a reset is lost.
    StartsLate,
    /// Of several batches the larger one is kept.
    KeepsLargest,
    /// Older batches count half.
    Forgets,
    /// Each read adds a token.
    ReadsWrite,
    /// Rows before a bad one are counted.
    HalfApplied,
    /// Bad rows are skipped.
    TakesAll,
    /// Good rows are refused if they are few.
    Picky,
    /// Each sum has one token more.
    CountsSums,
    /// The first row stays the first.
    KeepsFirst,
    /// A sum of two states that are not empty is doubled.
    Doubles,
    /// The metric merges with one token more than its state does.
    MergesMore,
    /// The value of a state is another one than the value of the metric.
    FinishesElse,
    /// A field is not written to the file.
    Unsaved,
    /// Each measure has one token more.
    MeasuresMore,
    /// The configuration is not in the fingerprint.
    Nameless,
}

/// Token accuracy as two counts, with a fault. Gold ids above 9 are bad.
#[derive(Debug, Default)]
struct Broken {
    fault: Fault,
    labels: u32,
    state: Counts,
    reads: AtomicU64,
    late: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counts {
    fault: Fault,
    equal: u64,
    tokens: u64,
    first_row: Option<u64>,
    #[serde(skip)]
    unsaved: u64,
}

impl State for Counts {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let both = self.tokens > 0 && other.tokens > 0;
        self.equal += other.equal;
        self.tokens += other.tokens;
        self.unsaved += other.unsaved;
        match self.fault {
            Fault::CountsSums => self.tokens += 1,
            Fault::Doubles if both => self.tokens *= 2,
            Fault::KeepsFirst => self.first_row = self.first_row.or(other.first_row),
            _ => {}
        }
        Ok(())
    }
}

impl Metric for Broken {
    type Task = Tagging;
    type Output = (u64, u64);

    fn name(&self) -> Vec<&str> {
        vec!["equal", "tokens"]
    }

    fn reset(&mut self) {
        let kept = if self.fault == Fault::Remembers { self.state.tokens } else { 0 };
        self.state = Counts { tokens: kept, ..self.zero() };
        self.late = self.fault == Fault::StartsLate;
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        let measured = match self.measure(if self.late { batch.rows(1..99) } else { batch }) {
            Err(error) if self.fault == Fault::HalfApplied => {
                self.state.tokens += 1;
                return Err(error);
            }
            measured => measured?,
        };
        match self.fault {
            Fault::KeepsLargest if self.state.tokens > measured.tokens => return Ok(()),
            Fault::KeepsLargest => self.state = self.zero(),
            Fault::Forgets => self.state.tokens /= 2,
            _ => {}
        }
        self.state.equal += measured.equal;
        self.state.tokens += measured.tokens;
        self.state.unsaved += measured.unsaved;
        self.state.first_row = self.state.first_row.or(measured.first_row);
        Ok(())
    }

    fn accumulate(&self) -> (u64, u64) {
        let Counts { equal, tokens, unsaved, .. } = self.state;
        let step = u64::from(self.fault == Fault::ReadsWrite);
        (equal, tokens + unsaved + self.reads.fetch_add(step, Ordering::Relaxed))
    }
}

impl Mergeable for Broken {
    type State = Counts;

    fn fingerprint(&self) -> Fingerprint {
        let labels = if self.fault == Fault::Nameless { 0 } else { self.labels };
        Fingerprint::new(format!("accuracy, {labels} labels"))
    }

    fn zero(&self) -> Counts {
        Counts { fault: self.fault, ..Counts::default() }
    }

    fn state(&self) -> &Counts {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<Counts> {
        let mut state = self.zero();
        if self.fault == Fault::Picky && batch.len() < 3 {
            return Err(Error::config("batch", "fewer than 3 rows"));
        }
        for (gold, predicted) in batch.iter_rows() {
            if gold.iter().any(|&id| id > 9) {
                if self.fault == Fault::TakesAll {
                    continue;
                }
                return Err(Error::config("gold", "above 9"));
            }
            state.equal += gold.iter().zip(predicted).filter(|(g, p)| g == p).count() as u64;
            state.tokens += gold.len() as u64;
        }
        match self.fault {
            Fault::Unsaved => state.unsaved = state.tokens,
            Fault::MeasuresMore => state.tokens += 1,
            Fault::KeepsFirst => state.first_row = batch.row(0).map(|row| row.0.len() as u64),
            _ => {}
        }
        Ok(state)
    }

    fn merge(&mut self, state: &Counts) -> Result<()> {
        self.state.tokens += u64::from(self.fault == Fault::MergesMore);
        self.state.merge(state)
    }

    fn finish(&self, state: &Counts) -> (u64, u64) {
        let other = self.fault == Fault::FinishesElse;
        (if other { state.tokens } else { state.equal }, state.tokens + state.unsaved)
    }
}

fn with(fault: Fault) -> impl Fn() -> Broken {
    move || Broken { fault, state: Counts { fault, ..Counts::default() }, ..Broken::default() }
}

fn good() -> TagBatch<'static> {
    let (gold, predicted) = (&[1, 2, 0, 3, 4, 0, 1, 1, 5], &[1, 2, 0, 1, 4, 0, 2, 1, 5]);
    TagBatch::new(gold, predicted, &[3, 3, 4, 7, 8, 9]).unwrap()
}

fn bad() -> TagBatch<'static> {
    TagBatch::new(&[1, 99, 0], &[1, 0, 0], &[1, 3]).unwrap()
}

fn law(outcome: Result<(), Violation>) -> Option<Law> {
    outcome.err().map(|violation| violation.law)
}

#[test]
fn a_sound_metric_passes() {
    let build = with(Fault::Nothing);
    for seed in 0..20 {
        testkit::mergeable(&build, good(), seed).unwrap();
    }
    testkit::mergeable(&build, good().rows(0..0), 0).unwrap();
    testkit::failing_changes_nothing(&build, good(), bad()).unwrap();
    testkit::threads_are_an_accident(&build, good()).unwrap();
    let foreign = Broken { labels: 3, ..Broken::default() };
    testkit::foreign_is_refused(&build, &foreign, good()).unwrap();
}

#[test]
fn each_broken_law_is_named() {
    let cases = [
        (Fault::Remembers, Law::ResetForgets),
        (Fault::StartsLate, Law::ResetForgets),
        (Fault::KeepsLargest, Law::BatchesAreAnAccident),
        (Fault::Forgets, Law::BatchesAreAnAccident),
        (Fault::Picky, Law::BatchesAreAnAccident),
        (Fault::MeasuresMore, Law::BatchesAreAnAccident),
        (Fault::ReadsWrite, Law::ReadingIsFree),
        (Fault::CountsSums, Law::ZeroIsNothing),
        (Fault::KeepsFirst, Law::MergeCommutes),
        (Fault::Doubles, Law::MergeAssociates),
        (Fault::MergesMore, Law::UpdateIsMerge),
        (Fault::FinishesElse, Law::UpdateIsMerge),
        (Fault::Unsaved, Law::SavedComesBack),
    ];
    for (fault, broken) in cases {
        for seed in 0..20 {
            let found = law(testkit::mergeable(with(fault), good(), seed));
            assert_eq!(found, Some(broken), "{fault:?}, seed {seed}");
        }
    }
}

#[test]
fn laws_that_need_more_are_named_too() {
    for fault in [Fault::HalfApplied, Fault::TakesAll] {
        let found = law(testkit::failing_changes_nothing(with(fault), good(), bad()));
        assert_eq!(found, Some(Law::FailingChangesNothing), "{fault:?}");
    }
    let found = law(testkit::threads_are_an_accident(with(Fault::MeasuresMore), good()));
    assert_eq!(found, Some(Law::ThreadsAreAnAccident));
    let foreign = Broken { labels: 3, fault: Fault::Nameless, ..Broken::default() };
    let found = law(testkit::foreign_is_refused(with(Fault::Nothing), &foreign, good()));
    assert_eq!(found, Some(Law::ForeignIsRefused));
}

#[test]
fn a_violation_says_what_and_where() {
    let found = testkit::batches_are_an_accident(with(Fault::Forgets), good(), 0).unwrap_err();
    assert_eq!(found.parts, [0..1, 1..2, 2..3, 3..4, 4..5, 5..6]);
    assert_eq!(
        found.to_string(),
        "the law \"batches are an accident\" is broken by rows \
         [0..1, 1..2, 2..3, 3..4, 4..5, 5..6]: the value is (7, 2), expected (7, 9)"
    );
    let found = testkit::reading_is_free(with(Fault::Picky), good(), 0).unwrap_err();
    assert!(matches!(found.finding, Finding::Refused(_)));
    assert!(found.to_string().contains("refused: batch: fewer than 3 rows"), "{found}");
    assert!(found.source().is_none(), "it would be printed twice");
    let same = |seed| testkit::mergeable(with(Fault::Doubles), good(), seed).unwrap_err();
    assert_eq!(same(9).to_string(), same(9).to_string(), "the same seed, the same answer");
}
