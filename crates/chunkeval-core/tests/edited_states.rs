//! States that were edited in their file: whatever the numbers, nothing panics, and what is refused
//! changes nothing.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    Average, ChunkErrors, ChunkEvaluator, Mergeable, Metric, Mode, Pairs, RowCounts, Scalars,
    Scheme, Snapshot, State, TagBatch, TagDiagnostics, TokenEvaluator, WeightedChunkEvaluator,
    WeightedTagBatch,
};
use serde_json::Value;

const LABELS: [&str; 5] = ["O", "B-X", "I-X", "B-Y", "I-Y"];

fn batch() -> TagBatch<'static> {
    TagBatch::new(&[1, 2, 0, 3, 3, 4], &[1, 0, 0, 3, 1, 2], &[3, 3, 6]).unwrap()
}

/// The value with each number, and each pair of them, replaced by odd ones.
fn edits(value: &Value) -> Vec<Value> {
    let mut paths = Vec::new();
    leaves(value, String::new(), &mut paths);
    let with = |paths: &[&String], number: u64| {
        let mut edited = value.clone();
        for path in paths {
            let leaf = edited.pointer_mut(path).unwrap();
            *leaf = if leaf.is_number() { number.into() } else { number.to_string().into() };
        }
        edited
    };
    let mut all = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let odd = [u64::MAX, u64::MAX - 1, 1 << 63, 0, 1, 1000];
        all.extend(odd.map(|number| with(&[path], number)));
        for other in &paths[..at] {
            all.extend([u64::MAX, 1000].map(|number| with(&[path, other], number)));
        }
    }
    all
}

fn leaves(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(k, v)| leaves(v, format!("{path}/{k}"), paths)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| leaves(v, format!("{path}/{i}"), paths));
        }
        _ => paths.push(path),
    }
}

fn check<M: Mergeable + Clone>(metric: &M, show: impl Fn(&M::Output)) {
    let json = |state: &M::State| serde_json::to_value(state).unwrap();
    let good = json(metric.state());
    for edited in edits(&good) {
        let Ok(state) = serde_json::from_value::<M::State>(edited.clone()) else { continue };
        show(&metric.finish(&state));

        let mut into = metric.clone();
        if into.merge(&state).is_err() {
            assert_eq!(json(into.state()), good, "{edited}");
        }
        show(&into.accumulate());

        let mut restored = metric.clone();
        let saved = Snapshot { fingerprint: metric.fingerprint(), state: state.clone() };
        let expected = saved.restore_into(&mut restored).map_or(&good, |()| &edited);
        assert_eq!(json(restored.state()), *expected, "{edited}");

        let mut onto = state.clone();
        if onto.merge(metric.state()).is_err() {
            assert_eq!(json(&onto), edited);
        }
        let _ = onto.merge(metric.state());
    }
}

fn read(scalars: &impl Scalars) {
    scalars.visit(&mut |_, _| {});
}

#[test]
fn of_chunks() {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    check(&metric, |report| {
        read(report);
        let _ = Average::ALL.map(|average| report.average(average));
        let _ = report.undefined();
    });
    let mut weighted = WeightedChunkEvaluator::new(metric);
    weighted.update(WeightedTagBatch::new(batch(), &[1.0, 0.0, 0.5]).unwrap()).unwrap();
    check(&weighted, read);
    let modes = [Mode::Lenient, Mode::Strict(Scheme::Iob2)];
    let mut both = ChunkEvaluator::builder(LABELS).side_by_side(modes).unwrap();
    both.update(batch()).unwrap();
    check(&both, read);
}

#[test]
fn of_errors_and_tags() {
    let mut metric = ChunkErrors::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    check(&metric, |report| {
        read(report);
        let _ = report.to_string();
        let both = [Pairs::SameSpan, Pairs::Overlapping];
        let _ = both.map(|pairs| report.confusion_matrix(pairs));
    });
    let mut metric = TagDiagnostics::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    check(&metric, |report| {
        read(report);
        let _ = report.to_string();
    });
    let mut metric = TokenEvaluator::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    check(&metric, read);
}

#[test]
fn of_rows() {
    let metric = ChunkEvaluator::new(LABELS).unwrap();
    let mut good = RowCounts::new(&metric);
    good.push(&metric, batch()).unwrap();
    for edited in edits(&serde_json::to_value(&good).unwrap()) {
        let Ok(mut rows) = serde_json::from_value::<RowCounts>(edited) else { continue };
        let _ = rows.documents(&[rows.len()]);
        let _ = rows.append(&good);
        let _ = rows.push(&metric, batch());
        let of_rows: u64 = (0..rows.len()).map(|row| rows.row_total(row).gold).sum();
        assert_eq!(of_rows, rows.total().gold);
        let _ = rows.per_type();
    }
}

/// The sum of the types does not fit where the small total does.
#[test]
fn a_merge_onto_an_edited_state_is_whole_or_nothing() {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    let mut value = serde_json::to_value(metric.state()).unwrap();
    value["per_type"][2]["gold"] = u64::MAX.into();
    let edited: <ChunkEvaluator as Mergeable>::State = serde_json::from_value(value).unwrap();
    let mut onto = edited.clone();
    assert!(onto.merge(metric.state()).is_err());
    assert_eq!(onto, edited);
}

/// The counts add up, but are of a type that no label can begin: only the metric knows.
#[test]
fn a_restore_that_the_metric_refuses_keeps_its_state() {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    metric.update(batch()).unwrap();
    let mut saved = serde_json::to_value(Snapshot::of(&metric)).unwrap();
    saved["state"]["per_type"].as_array_mut().unwrap().reverse();
    let saved: Snapshot<_> = serde_json::from_value(saved).unwrap();
    let before = metric.accumulate();
    assert!(saved.restore_into(&mut metric).unwrap_err().to_string().contains("no label"));
    assert_eq!(metric.accumulate(), before);
}
