//! `ChunkErrors` against `ChunkEvaluator`, against the same errors found row by row, and its laws.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use std::collections::BTreeMap;

use chunkeval_core::{
    Batch, ChunkError, ChunkErrorKind, ChunkErrors, ChunkEvaluator, Collection, ErrorKind,
    LabelReading, Mergeable, Metric, Mode, PaddedTags, Pairs, Scalars, Scheme, Snapshot, Source,
    TagBatch, TagBuffer, TagSet, testkit,
};
use proptest::prelude::*;

mod common;
use common::{DOZEN, MOST_ROWS, Rows, dozen};

/// A dozen labels and a mode.
#[derive(Clone, Copy, Debug)]
enum Labels {
    Strict(Scheme),
    Lenient,
    /// With letters that make chunks overlap on one side.
    Odd,
}

fn tags(labels: Labels) -> TagSet {
    let mode = match labels {
        Labels::Strict(scheme) => Mode::Strict(scheme),
        Labels::Lenient | Labels::Odd => Mode::Lenient,
    };
    let list = |labels: &str| labels.split(' ').map(Into::into).collect();
    let labels: Vec<String> = match labels {
        Labels::Strict(scheme) => dozen(scheme),
        Labels::Lenient => list("O B-X I-X E-X S-X B-Y I-Y B-Z-z I-Z-z B O O"),
        Labels::Odd => list("O B-X I-X E-X S-X B-Y I-Y B-Z-z I-Z-z B M-X M"),
    };
    TagSet::builder(labels).reading(LabelReading::Reference).mode(mode).build().unwrap()
}

fn any_labels() -> impl Strategy<Value = Labels> {
    let strict = prop::sample::select(&Scheme::ALL[..]).prop_map(Labels::Strict);
    prop_oneof![Just(Labels::Lenient), Just(Labels::Odd), strict]
}

/// Predictions are right three times of four, so that some rows are wholly right.
fn rows() -> impl Strategy<Value = Rows> {
    common::rows(DOZEN, 3)
}

/// A metric that lists everything, over some rows.
fn measured(labels: Labels, rows: &Rows) -> ChunkErrors {
    let mut metric = ChunkErrors::with_tags(tags(labels)).unwrap().list_first(usize::MAX);
    metric.update(rows.batch()).unwrap();
    metric
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_laws_hold(labels in any_labels(), rows in rows(), seed: u64) {
        let metric = ChunkErrors::with_tags(tags(labels)).unwrap();
        testkit::mergeable(|| metric.clone(), rows.batch(), seed).unwrap();
        testkit::threads_are_an_accident(|| metric.clone(), rows.batch()).unwrap();
    }
}

proptest! {
    /// Every chunk is counted once, under its type, and the matrices have the same sums.
    #[test]
    fn sums_are_those_of_the_evaluator(labels in any_labels(), rows in rows()) {
        let mut evaluator = ChunkEvaluator::with_tags(tags(labels));
        evaluator.update(rows.batch()).unwrap();
        let errors = measured(labels, &rows);
        let (scores, errors) = (errors.scores(), errors.accumulate());
        prop_assert_eq!(&scores, &evaluator.accumulate());
        let counts = scores.overall.counts;
        prop_assert_eq!(errors.gold.chunks(), counts.gold);
        prop_assert_eq!(errors.predicted.chunks(), counts.predicted);
        prop_assert_eq!(errors.gold.correct, counts.correct);
        prop_assert_eq!(scores.per_type.len(), errors.per_type.len());
        let (by_span, by_overlap) = (
            errors.confusion_matrix(Pairs::SameSpan),
            errors.confusion_matrix(Pairs::Overlapping),
        );
        for (i, (scores, errors)) in scores.per_type.iter().zip(&errors.per_type).enumerate() {
            let counts = scores.scores.counts;
            prop_assert_eq!(&scores.entity_type, &errors.entity_type);
            prop_assert_eq!(&by_span.rows[i], &errors.entity_type);
            prop_assert_eq!(errors.gold.chunks(), counts.gold);
            prop_assert_eq!(errors.predicted.chunks(), counts.predicted);
            prop_assert_eq!(by_span.cells[i][i], counts.correct);
            for matrix in [&by_span, &by_overlap] {
                prop_assert_eq!(matrix.cells[i].iter().sum::<u64>(), counts.gold);
                let column = matrix.cells.iter().map(|row| row[i]);
                prop_assert_eq!(column.sum::<u64>(), counts.predicted);
            }
        }
    }

    /// The listed errors are those of the rows one by one, and as many as were counted.
    #[test]
    fn errors_are_those_of_the_rows(labels in any_labels(), rows in rows()) {
        let metric = measured(labels, &rows);
        let (report, tags) = (metric.accumulate(), metric.tags());
        let mut expected = Vec::new();
        for (row, (gold, predicted)) in rows.batch().iter_rows().enumerate() {
            let (gold, predicted) = (tags.entities(gold), tags.entities(predicted));
            expected.extend(ChunkError::between(row as u64, &gold, &predicted));
        }
        let mut listed = metric.errors();
        prop_assert!(listed.is_sorted_by_key(|e| e.row));
        listed.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(&listed, &expected);

        let mut by_kind_and_types = BTreeMap::<_, u64>::new();
        for e in &listed {
            let types = (e.gold.map(|c| c.entity_type), e.predicted.map(|c| c.entity_type));
            *by_kind_and_types.entry((e.kind, types)).or_default() += 1;
        }
        for kind in ChunkErrorKind::ALL {
            let listed = by_kind_and_types.iter().filter(|((k, _), _)| *k == kind);
            prop_assert_eq!(report.count(kind), listed.map(|(_, n)| n).sum::<u64>());
        }
        for t in &report.per_type {
            let name = Some(&*t.entity_type);
            let count = |kind, types| by_kind_and_types.get(&(kind, types)).copied().unwrap_or(0);
            prop_assert_eq!(t.gold.too_long, count(ChunkErrorKind::TooLong, (name, name)));
            prop_assert_eq!(t.gold.too_short, count(ChunkErrorKind::TooShort, (name, name)));
            prop_assert_eq!(t.gold.shifted, count(ChunkErrorKind::Shifted, (name, name)));
            prop_assert_eq!(t.gold.unmatched, count(ChunkErrorKind::Missed, (name, None)));
            prop_assert_eq!(t.predicted.unmatched, count(ChunkErrorKind::Spurious, (None, name)));
        }
        let confusions = report.confusions.iter().flat_map(|c| {
            let types = (Some(&*c.gold), Some(&*c.predicted));
            [
                ((ChunkErrorKind::TypeError, types), c.same_span),
                ((ChunkErrorKind::TypeAndBoundary, types), c.overlapping),
            ]
        });
        for (pair, count) in confusions {
            prop_assert_eq!(by_kind_and_types.get(&pair).copied().unwrap_or(0), count);
        }
    }

    #[test]
    fn any_cut_gives_the_whole_and_the_same_list(
        labels in any_labels(),
        rows in rows(),
        cut in 0..=MOST_ROWS,
    ) {
        let whole = measured(labels, &rows);
        let mut parts = measured(labels, &rows);
        parts.reset();
        prop_assert_eq!(parts.errors(), []);
        prop_assert_eq!(parts.state(), &parts.zero());
        let mut merged = parts.clone();
        for part in [rows.batch().rows(0..cut), rows.batch().rows(cut..usize::MAX)] {
            parts.update(part).unwrap();
        }
        for part in [rows.batch().rows(cut..usize::MAX), rows.batch().rows(0..cut)] {
            let state = merged.measure(part).unwrap();
            merged.merge(&state).unwrap();
        }
        prop_assert_eq!(parts.state(), whole.state());
        prop_assert_eq!(merged.state(), whole.state());
        prop_assert_eq!(merged.accumulate(), whole.accumulate());
        prop_assert_eq!(parts.errors(), whole.errors());
        prop_assert_eq!(merged.errors(), []);
    }

    /// A run that is restored goes on numbering where it stopped.
    #[test]
    fn saved_is_restored(labels in any_labels(), rows in rows(), more in rows()) {
        let mut whole = measured(labels, &rows);
        let text = serde_json::to_string(&Snapshot::of(&whole)).unwrap();
        let read: Snapshot<_> = serde_json::from_str(&text).unwrap();
        let mut restored = measured(labels, &more);
        read.restore_into(&mut restored).unwrap();
        prop_assert_eq!(restored.state(), whole.state());
        let before = whole.errors().len();
        whole.update(more.batch()).unwrap();
        restored.update(more.batch()).unwrap();
        prop_assert_eq!(&whole.errors()[before..], &restored.errors()[..]);
    }

    #[test]
    fn a_failing_update_changes_nothing(
        labels in any_labels(),
        rows in rows().prop_filter("a token", |r| !r.gold.is_empty()),
        at: prop::sample::Index,
        before in rows(),
    ) {
        let mut broken = rows.clone();
        broken.gold[at.index(rows.gold.len())] = 99;
        let mut metric = measured(labels, &before);
        let state = metric.state().clone();
        let error = metric.update(broken.batch()).unwrap_err();
        let place = matches!(error.kind(), ErrorKind::UnknownGold { id: 99, .. });
        prop_assert!(place, "{}", error);
        prop_assert_eq!(metric.state(), &state);
        let untouched = measured(labels, &before);
        prop_assert_eq!(metric.errors(), untouched.errors());
    }
}

fn of_labels(labels: &str) -> ChunkErrors {
    ChunkErrors::new(labels.split(' ')).unwrap().list_first(2)
}

#[test]
fn a_sum_that_overflows_leaves_the_list_alone() {
    let mut metric = of_labels("O B-X");
    metric.update(TagBatch::new(&[1], &[0], &[1]).unwrap()).unwrap();
    let mut state = serde_json::to_value(metric.state()).unwrap();
    for counts in ["/chunks/total/gold", "/chunks/per_type/1/gold"] {
        *state.pointer_mut(counts).unwrap() = (u64::MAX - 1).into();
    }
    metric.merge(&serde_json::from_value(state).unwrap()).unwrap();
    let before = (metric.state().clone(), metric.errors().len());
    let error = metric.update(TagBatch::new(&[1], &[0], &[1]).unwrap()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Overflow));
    assert_eq!((metric.state().clone(), metric.errors().len()), before);
    assert_eq!(metric.accumulate().count(ChunkErrorKind::Missed), u64::MAX);
}

/// Beside a score, in one update; a batch that is refused leaves the list alone.
#[test]
fn a_collection_takes_it() {
    let mut metrics = Collection::new()
        .with("errors", of_labels("O B-X"))
        .unwrap()
        .with("scores", ChunkEvaluator::new(["O", "B-X"]).unwrap())
        .unwrap();
    metrics.update(TagBatch::new(&[1, 1], &[0, 1], &[2]).unwrap()).unwrap();
    assert!(metrics.update(TagBatch::new(&[1, 9], &[0, 1], &[2]).unwrap()).is_err());
    assert_eq!(metrics.get::<ChunkErrors>("errors").unwrap().errors().len(), 1);
    let mut scalars = Vec::new();
    metrics.accumulate().visit(&mut |name, value| scalars.push((name.to_owned(), value)));
    assert!(scalars.contains(&("errors/missed".to_owned(), Some(0.5))), "{scalars:?}");
    assert!(scalars.contains(&("scores/recall".to_owned(), Some(0.5))), "{scalars:?}");
}

#[test]
fn only_the_first_of_each_kind_are_listed() {
    let mut metric = of_labels("O B-X");
    metric
        .update(TagBatch::new(&[1, 0, 1, 0, 1], &[0, 1, 0, 0, 0], &[2, 2, 3, 5]).unwrap())
        .unwrap();
    let listed: Vec<_> = metric.errors().iter().map(|e| (e.row, e.kind.name())).collect();
    assert_eq!(listed, [(0, "missed"), (0, "spurious"), (2, "missed")]);
    assert_eq!(metric.accumulate().count(ChunkErrorKind::Missed), 3);
}

/// Offsets are those of the data as it was given: the ignored column in the middle counts.
#[test]
fn offsets_count_ignored_columns() {
    let mut metric = of_labels("O B-X I-X");
    let (gold, predicted) = ([1, -100, 2, -100, 0], [0, 0, 0, 0, 1]);
    let mut buffer = TagBuffer::default();
    let tags = PaddedTags::ids(&gold, &predicted, 5).unwrap().ignore_index(-100);
    metric.update(tags.load(&mut buffer).unwrap()).unwrap();
    let errors = metric.errors();
    assert_eq!(errors[0].gold.unwrap().range(), 0..3, "up to the last token, not to the next one");
    assert_eq!(errors[1].predicted.unwrap().range(), 4..5);
    assert_eq!(metric.accumulate().diagnostics.ignored, 2);
}

#[test]
fn reports_are_data_and_text() {
    let mut metric = of_labels("O B-人名 I-人名 B-X");
    // 人名 at 0..2 is too long at 0..3, X at 3..4 is 人名 there; X at 4..5 is missed.
    metric.update(TagBatch::new(&[1, 2, 0, 3, 3], &[1, 2, 2, 1, 0], &[5]).unwrap()).unwrap();
    let report = metric.accumulate();
    let text = report.to_string();
    assert!(text.contains("  人名\n") && text.contains("X as 人名"), "{text}");
    assert!(text.ends_with("|reading:strict|metric:errors\n"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["per_type"][0]["gold"]["unmatched"], 1);
    assert_eq!(json["confusions"][0]["same_span"], 1);
    let json = serde_json::to_value(metric.errors()).unwrap();
    assert_eq!(json[0]["kind"], "too_long");
    assert_eq!(json[0]["predicted"]["end"], 3);

    let mut shares = Vec::new();
    report.visit(&mut |name, value| shares.push((name.to_owned(), value)));
    let names: Vec<_> = shares.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, metric.name());
    assert_eq!(shares[0].1, Some(1.0 / 3.0));
    assert_eq!(shares[6].1, Some(0.0));
    metric.reset();
    metric.accumulate().visit(&mut |_, value| assert_eq!(value, None));
}

#[test]
fn states_that_cannot_be_are_refused() {
    let mut metric = of_labels("O B-X I-X B-Y I-Y");
    metric.update(TagBatch::new(&[1, 2, 0, 3], &[3, 4, 0, 3], &[4]).unwrap()).unwrap();
    let good = serde_json::to_value(metric.state()).unwrap();
    let mut refused = |edit: fn(&mut serde_json::Value)| {
        let mut value = good.clone();
        edit(&mut value);
        let before = metric.state().clone();
        let merged = metric.merge(&serde_json::from_value(value).unwrap());
        assert_eq!(metric.state(), &before);
        merged.unwrap_err()
    };
    refused(|v| v["confusions"][0]["same_span"] = 9.into());
    refused(|v| v["confusions"][0]["gold"] = 77.into());
    refused(|v| v["confusions"][0]["gold"] = v["confusions"][0]["predicted"].clone());
    refused(|v| v["boundaries"][1]["too_long"] = u64::MAX.into());
    refused(|v| v["boundaries"] = serde_json::json!([]));
    refused(|v| v["chunks"]["per_type"] = serde_json::json!([]));
    refused(|v| v["chunks"]["total"]["gold"] = 9.into());
    refused(|v| v["confusions"] = serde_json::json!([v["confusions"][0], v["confusions"][0]]));
    metric.merge(&serde_json::from_value(good).unwrap()).unwrap();

    let other = of_labels("O B-X I-X B-Y I-Z");
    assert!(Snapshot::of(&other).merge_into(&mut metric).is_err());
    let conlleval = TagSet::builder(["O", "B-X"]).mode(Mode::Conlleval).build().unwrap();
    assert!(ChunkErrors::with_tags(conlleval).is_err());
}
