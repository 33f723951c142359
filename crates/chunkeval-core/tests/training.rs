//! Collections, windows and running values keep the laws they claim, and no other ones.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::testkit::{self, Law};
use chunkeval_core::{
    Batch, ChunkCounts, ChunkEvaluator, Collection, CollectionSnapshot, ErrorKind, Fingerprint,
    Mergeable, Metric, Mode, Place, Running, Scalars, Scheme, State, TagBatch, Tagging, Windowed,
};
use serde_json::json;

const LABELS: [&str; 5] = ["O", "B-X", "I-X", "B-Y", "I-Y"];

fn evaluator() -> ChunkEvaluator {
    ChunkEvaluator::new(LABELS).unwrap()
}

fn collection() -> Collection<Tagging> {
    let strict = ChunkEvaluator::builder(LABELS).mode(Mode::Strict(Scheme::Iob2));
    let collection = Collection::new().with("lenient", evaluator()).unwrap();
    collection.with("strict", strict.build().unwrap()).unwrap()
}

fn good() -> TagBatch<'static> {
    let (gold, predicted) = (&[1, 2, 0, 3, 4, 0, 1, 1, 4], &[1, 2, 0, 1, 4, 0, 2, 1, 4]);
    TagBatch::new(gold, predicted, &[3, 3, 4, 7, 8, 9]).unwrap()
}

/// A good row, then one with a label that the list does not have.
fn bad() -> TagBatch<'static> {
    TagBatch::new(&[1, 5, 0], &[1, 0, 0], &[1, 3]).unwrap()
}

/// A metric that is full: the next chunk is one too many.
fn full() -> ChunkEvaluator {
    let mut metric = evaluator();
    metric.update_counts(ChunkCounts { gold: u64::MAX, predicted: 0, correct: 0 }).unwrap();
    metric
}

#[test]
fn a_collection_keeps_the_laws() {
    for seed in 0..5 {
        testkit::metric(collection, good(), seed).unwrap();
    }
    testkit::failing_changes_nothing(collection, good(), bad()).unwrap();
}

#[test]
fn if_one_member_fails_none_has_changed() {
    let wide = ChunkEvaluator::new(LABELS.into_iter().chain(["B-Z"])).unwrap();
    for last in [evaluator(), full()] {
        let mut metrics = Collection::new()
            .with("wide", wide.clone())
            .unwrap()
            .with("a", evaluator())
            .unwrap()
            .with("last", last.clone())
            .unwrap();
        let refused = if last.state() == full().state() { good() } else { bad() };
        let before = metrics.save().unwrap();
        let error = metrics.update(refused).unwrap_err();
        let expected = last.clone().update(refused).unwrap_err();
        let ErrorKind::Member { key, error: inner } = error.kind() else { panic!("{error}") };
        let first = if last.state() == full().state() { "last" } else { "a" };
        assert_eq!((&**key, inner.to_string()), (first, expected.to_string()));
        assert_eq!(error.to_string(), format!("metric {first:?}: {expected}"));
        assert_eq!(error.place(), expected.place());
        assert_eq!(metrics.save().unwrap(), before);
        assert!(wide.clone().update(refused).is_ok(), "the first member had taken it");
    }
}

#[test]
fn members_are_named_and_typed() {
    let mut metrics = collection();
    metrics.update(good()).unwrap();
    let strict = metrics.get::<ChunkEvaluator>("strict").unwrap();
    let value = metrics.accumulate();
    assert_eq!(value.get("strict/f1"), Some(strict.accumulate().overall.f1));
    assert_eq!(value.get("strict/f2"), None);
    assert!(metrics.get::<Windowed<ChunkEvaluator>>("strict").is_none());
    assert!(metrics.get::<ChunkEvaluator>("other").is_none());
    let names = ["precision", "recall", "f1"];
    let keys = ["lenient", "strict"];
    let expected: Vec<_> = keys.iter().flat_map(|k| names.map(|n| format!("{k}/{n}"))).collect();
    assert_eq!(metrics.name(), expected);
    let mut visited = Vec::new();
    value.visit(&mut |name, _| visited.push(name.to_owned()));
    assert!(visited.contains(&"lenient/per_type/X/f1".to_owned()));
    assert_eq!(format!("{metrics:?}"), r#"["lenient", "strict"]"#);
}

#[test]
fn keys_are_unique() {
    let error = collection().with("strict", evaluator()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DuplicateKey { key } if key == "strict"));
    assert_eq!(error.place(), Some(Place::Tag("strict")));
    assert_eq!(error.to_string(), "the collection has a metric \"strict\" already");
    for key in ["", "a/b"] {
        assert!(collection().with(key, evaluator()).is_err(), "{key:?}");
    }
}

#[test]
fn a_collection_is_saved_restored_and_merged() {
    let (mut first, mut second) = (collection(), collection());
    first.update(good().rows(0..4)).unwrap();
    second.update(good().rows(4..6)).unwrap();
    let mut whole = collection();
    whole.update(good()).unwrap();

    let text = serde_json::to_string(&first.save().unwrap()).unwrap();
    let saved: CollectionSnapshot = serde_json::from_str(&text).unwrap();
    second.merge(&saved).unwrap();
    assert_eq!(second.save().unwrap(), whole.save().unwrap());
    second.restore(&saved).unwrap();
    assert_eq!(second.save().unwrap(), first.save().unwrap());
    assert_eq!(second.accumulate(), first.accumulate());
}

#[test]
fn a_saved_collection_that_does_not_fit_changes_nothing() {
    let mut metrics = collection();
    metrics.update(good()).unwrap();
    let before = metrics.save().unwrap();
    let saved = serde_json::to_value(&before).unwrap();
    let mut others = Vec::new();
    let mut edit = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut value = saved.clone();
        edit(&mut value);
        others.push(serde_json::from_value::<CollectionSnapshot>(value).unwrap());
    };
    edit(&|v| v["other"] = v["strict"].clone());
    edit(&|v| _ = v.as_object_mut().unwrap().remove("strict"));
    edit(&|v| v["strict"] = v["lenient"].clone());
    edit(&|v| v["strict"]["state"]["total"]["correct"] = json!(99));
    edit(&|v| v["strict"]["state"]["total"]["correct"] = json!("x"));
    assert_eq!(others.len(), 5);
    for other in others {
        assert!(metrics.restore(&other).is_err());
        assert!(metrics.merge(&other).is_err());
        assert_eq!(metrics.save().unwrap(), before);
    }
    let empty = Collection::<Tagging>::new().save().unwrap();
    let error = metrics.restore(&empty).unwrap_err();
    let ErrorKind::Incompatible { expected, found } = error.kind() else { panic!("{error}") };
    assert_eq!((expected.as_str(), found.as_str()), ("[lenient, strict]", "[]"));
}

#[test]
fn a_window_is_the_last_batches_and_keeps_the_other_laws() {
    for size in 1..5 {
        let window = || Windowed::new(evaluator(), size).unwrap();
        let mut recent = window();
        for end in 1..=good().len() {
            recent.update(good().rows(end - 1..end)).unwrap();
            let mut straight = evaluator();
            straight.update(good().rows(end.saturating_sub(size)..end)).unwrap();
            assert_eq!(recent.accumulate(), straight.accumulate(), "size {size}, end {end}");
        }
        testkit::reset_forgets(window, good()).unwrap();
        testkit::reading_is_free(window, good(), 3).unwrap();
        testkit::failing_changes_nothing(window, good(), bad()).unwrap();
        // A window depends on how rows are cut, and says so.
        let cut = testkit::batches_are_an_accident(window, good(), 3).unwrap_err();
        assert_eq!(cut.law, Law::BatchesAreAnAccident);
    }
    assert!(Windowed::new(evaluator(), 0).is_err());
}

#[test]
fn a_window_that_was_saved_goes_on() {
    let window = |size| Windowed::new(evaluator(), size).unwrap();
    for cut in 0..=good().len() {
        let mut straight = window(3);
        for row in 0..cut {
            straight.update(good().rows(row..row + 1)).unwrap();
        }
        let saved = serde_json::to_string(&straight.snapshot()).unwrap();
        let mut resumed = window(3);
        resumed.update(bad().rows(0..1)).unwrap();
        resumed.restore(&serde_json::from_str(&saved).unwrap()).unwrap();
        assert_eq!(resumed.accumulate(), straight.accumulate(), "cut {cut}");
        for row in cut..good().len() {
            straight.update(good().rows(row..row + 1)).unwrap();
            resumed.update(good().rows(row..row + 1)).unwrap();
            assert_eq!(resumed.accumulate(), straight.accumulate(), "cut {cut}, row {row}");
        }
    }
}

#[test]
fn a_saved_window_that_does_not_fit_changes_nothing() {
    let mut window = Windowed::new(evaluator(), 2).unwrap();
    window.update(good()).unwrap();
    window.update(good().rows(0..1)).unwrap();
    let (saved, before) = (window.snapshot(), window.accumulate());
    let mut longer = saved.clone();
    longer.state.push(saved.state[0].clone());
    let mut wrong = serde_json::to_value(&saved).unwrap();
    wrong["state"][1]["total"]["correct"] = json!(99);
    let other = Windowed::new(evaluator(), 3).unwrap().snapshot();
    for refused in [longer, serde_json::from_value(wrong).unwrap(), other] {
        window.restore(&refused).unwrap_err();
        assert_eq!(window.accumulate(), before);
    }
    // The oldest update still leaves the window next.
    window.update(good().rows(1..2)).unwrap();
    let mut last_two = evaluator();
    last_two.update(good().rows(0..2)).unwrap();
    assert_eq!(window.accumulate(), last_two.accumulate());
}

#[test]
fn running_values_are_two() {
    let running = || Running::new(evaluator());
    let mut metric = running();
    let mut all = evaluator();
    let nothing = metric.accumulate();
    assert_eq!((&nothing.batch, &nothing.running), (&all.accumulate(), &all.accumulate()));
    for row in 0..good().len() {
        let rows = good().rows(row..row + 1);
        let mut one = evaluator();
        one.update(rows).unwrap();
        all.update(rows).unwrap();
        metric.update(rows).unwrap();
        let value = metric.accumulate();
        assert_eq!((value.batch, value.running), (one.accumulate(), all.accumulate()));
    }
    let mut restored = evaluator();
    metric.snapshot().restore_into(&mut restored).unwrap();
    let goes_on = Running::new(restored).accumulate();
    assert_eq!(goes_on.running, all.accumulate());
    assert_eq!(goes_on.batch, evaluator().accumulate());
    assert_eq!(metric.name()[0], "batch/precision");
    assert_eq!(metric.name()[5], "running/f1");

    testkit::reset_forgets(running, good()).unwrap();
    testkit::reading_is_free(running, good(), 3).unwrap();
    testkit::failing_changes_nothing(running, good(), bad()).unwrap();
    assert!(testkit::batches_are_an_accident(running, good(), 3).is_err());
}

#[test]
fn sums_that_overflow_change_nothing() {
    let mut running = Running::new(full());
    let before = running.accumulate();
    assert!(matches!(running.update(good()).unwrap_err().kind(), ErrorKind::Overflow));
    assert_eq!(running.accumulate(), before);

    let mut window = Windowed::new(Huge(Sum(0)), 2).unwrap();
    window.update(good()).unwrap();
    let before = window.accumulate();
    assert!(matches!(window.update(good()).unwrap_err().kind(), ErrorKind::Overflow));
    assert_eq!(window.accumulate(), before);
}

/// Each batch is so large that two are too many.
#[derive(Clone, Debug)]
struct Huge(Sum);

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Sum(u64);

impl State for Sum {
    fn merge(&mut self, other: &Self) -> chunkeval_core::Result<()> {
        self.0 = self.0.checked_add(other.0).ok_or(ErrorKind::Overflow)?;
        Ok(())
    }
}

impl Metric for Huge {
    type Task = Tagging;
    type Output = u64;

    fn name(&self) -> Vec<&str> {
        vec!["sum"]
    }

    fn reset(&mut self) {
        self.0 = Sum(0);
    }

    fn update(&mut self, batch: TagBatch<'_>) -> chunkeval_core::Result<()> {
        self.merge(&self.measure(batch)?)
    }

    fn accumulate(&self) -> u64 {
        self.0.0
    }
}

impl Mergeable for Huge {
    type State = Sum;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new("huge")
    }

    fn zero(&self) -> Sum {
        Sum(0)
    }

    fn state(&self) -> &Sum {
        &self.0
    }

    fn measure(&self, _: TagBatch<'_>) -> chunkeval_core::Result<Sum> {
        Ok(Sum(u64::MAX - 1))
    }

    fn merge(&mut self, state: &Sum) -> chunkeval_core::Result<()> {
        self.0.merge(state)
    }

    fn finish(&self, state: &Sum) -> u64 {
        state.0
    }
}
