//! `TagDiagnostics`: well-formed rows are those that a scheme writes, and the laws hold.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    Batch, Chunk, ErrorKind, LabelReading, MISSING_PREDICTION, Mergeable, Metric, Mode, Notation,
    PaddedTags, Scalars, Scheme, Side, Snapshot, Source, TagBatch, TagBuffer, TagDiagnostics,
    TagFault, TagSet, testkit,
};
use proptest::prelude::*;

mod common;
use common::{MOST_ROWS, Rows};

/// The labels of a scheme for two types, read in its own mode and leniently.
fn labels(scheme: Scheme) -> (TagSet, TagSet) {
    let letters = || scheme.letters().chars().filter(|&l| l != 'O');
    let typed = letters().flat_map(|l| ["X", "Y"].map(|t| format!("{l}-{t}")));
    let labels: Vec<String> = typed.chain(["O".to_owned()]).collect();
    let notation = match scheme {
        Scheme::Bilou => Notation::Bilou,
        _ => Notation::Usual,
    };
    let strict = TagSet::builder(labels.clone()).mode(Mode::Strict(scheme));
    (strict.build().unwrap(), TagSet::builder(labels).notation(notation).build().unwrap())
}

/// The one row of tags by which a scheme writes some chunks.
fn written(scheme: Scheme, chunks: &[Chunk<'_>], tokens: usize) -> Vec<String> {
    let mut row = vec!["O".to_owned(); tokens];
    for (i, chunk) in chunks.iter().enumerate() {
        let touches = |other: Option<&Chunk<'_>>| {
            other.is_some_and(|other| {
                let meets = other.end == chunk.start || other.start == chunk.end;
                meets && other.entity_type == chunk.entity_type
            })
        };
        let before = touches(i.checked_sub(1).and_then(|i| chunks.get(i)));
        let behind = touches(chunks.get(i + 1));
        let (first, last, single) = match scheme {
            Scheme::Iob2 => ('B', 'I', 'B'),
            Scheme::Iob1 if before => ('B', 'I', 'B'),
            Scheme::Ioe1 if behind => ('I', 'E', 'E'),
            Scheme::Iob1 | Scheme::Ioe1 => ('I', 'I', 'I'),
            Scheme::Ioe2 => ('I', 'E', 'E'),
            Scheme::Iobes => ('B', 'E', 'S'),
            Scheme::Bilou => ('B', 'L', 'U'),
            _ => unreachable!("another scheme"),
        };
        for at in chunk.range() {
            let letter = match (at == chunk.start, at + 1 == chunk.end) {
                (true, true) => single,
                (true, false) => first,
                (false, true) => last,
                (false, false) => 'I',
            };
            row[at] = format!("{letter}-{}", chunk.entity_type);
        }
    }
    row
}

/// All rows of up to four tags of two types under all schemes: a row has no fault if and only if
/// it is what the scheme writes for the chunks that it holds, and then the strict reading has the
/// chunks of the lenient one.
#[test]
fn well_formed_rows_are_those_that_the_scheme_writes() {
    for scheme in Scheme::ALL {
        let (strict, lenient) = labels(scheme);
        let n = strict.labels().len();
        let mut metric = TagDiagnostics::with_tags(strict.clone());
        assert_eq!(metric.scheme(), scheme);
        let mut well_formed = 0;
        for tokens in 0..=4 {
            for number in 0..n.pow(tokens) {
                let digit = |at: u32| (number / n.pow(at) % n) as i32;
                let ids: Vec<i32> = (0..tokens).map(digit).collect();
                metric.reset();
                metric.update(TagBatch::new(&ids, &ids, &[ids.len()]).unwrap()).unwrap();
                let faults = metric.accumulate();
                assert_eq!(faults.gold, faults.predicted);

                let chunks = lenient.entities(&ids);
                let row: Vec<&str> = ids.iter().map(|&id| &*strict.labels()[id as usize]).collect();
                let ours = faults.gold.ill_formed() == 0;
                assert_eq!(ours, written(scheme, &chunks, row.len()) == row, "{scheme} {row:?}");
                if !ours {
                    continue;
                }
                well_formed += 1;
                // The exception: seqeval's rules for IOE1 are unfinished.
                let kept = |c: &&Chunk<'_>| {
                    let alone = c.end == c.start + 1 && row[c.start].starts_with('E');
                    let before = c.start.checked_sub(1).map(|at| row[at]);
                    scheme != Scheme::Ioe1 || !alone || before == Some(row[c.start])
                };
                let expected: Vec<Chunk<'_>> = chunks.iter().filter(kept).copied().collect();
                assert_eq!(strict.entities(&ids), expected, "{scheme} {row:?}");
                assert_eq!(faults.rows_without_gold == 0, !expected.is_empty());
            }
        }
        // Every scheme writes the same sets of chunks: those of two types on up to four tokens.
        assert_eq!(well_formed, 1 + 3 + 11 + 41 + 153, "{scheme}");
    }
}

const LABELS: [&str; 8] = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "M-X"];

fn metric(scheme: Scheme) -> TagDiagnostics {
    let tags = TagSet::builder(LABELS).reading(LabelReading::Reference).build().unwrap();
    TagDiagnostics::with_scheme(tags, scheme).list_first(usize::MAX)
}

fn rows() -> impl Strategy<Value = Rows> {
    common::rows(LABELS.len(), 0)
}

fn scheme() -> impl Strategy<Value = Scheme> {
    prop::sample::select(&Scheme::ALL[..])
}

fn measured(scheme: Scheme, rows: &Rows) -> TagDiagnostics {
    let mut metric = metric(scheme);
    metric.update(rows.batch()).unwrap();
    metric
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_laws_hold(scheme in scheme(), rows in rows(), seed: u64) {
        let metric = metric(scheme);
        testkit::mergeable(|| metric.clone(), rows.batch(), seed).unwrap();
        testkit::threads_are_an_accident(|| metric.clone(), rows.batch()).unwrap();
    }
}

proptest! {
    #[test]
    fn what_is_listed_is_what_is_counted(scheme in scheme(), rows in rows()) {
        let metric = measured(scheme, &rows);
        let report = metric.accumulate();
        let faults = metric.faults();
        prop_assert!(faults.is_sorted_by_key(|f| (f.row, f.side, f.column)));
        for (side, counts) in [(Side::Gold, report.gold), (Side::Predicted, report.predicted)] {
            for fault in TagFault::ALL {
                let listed = faults.iter().filter(|f| (f.side, f.fault) == (side, fault));
                prop_assert_eq!(listed.count() as u64, counts.count(fault));
            }
        }
        for f in faults {
            let (gold, predicted) = rows.batch().row(f.row as usize).unwrap();
            let ids = if f.side == Side::Gold { gold } else { predicted };
            prop_assert_eq!(ids[f.column], f.id);
            prop_assert_eq!(f.tag, LABELS.get(f.id as usize).copied());
            let unknown = matches!(f.fault, TagFault::UnknownId | TagFault::MissingPrediction);
            prop_assert_eq!(f.tag.is_none(), unknown);
        }
        let empty = rows.batch().iter_rows().filter(|(gold, _)| gold.is_empty()).count();
        prop_assert_eq!(report.empty_rows, empty as u64);
        let bare = |ids: &[i32]| metric.tags().entities(ids).is_empty();
        let bare = |side: usize| {
            rows.batch().iter_rows().filter(|&(g, p)| bare([g, p][side])).count() as u64
        };
        prop_assert_eq!((report.rows_without_gold, report.rows_without_predicted), (bare(0), bare(1)));
    }

    #[test]
    fn any_cut_and_any_order_give_the_whole(scheme in scheme(), rows in rows(), cut in 0..=MOST_ROWS) {
        let whole = measured(scheme, &rows);
        let (mut parts, mut merged) = (metric(scheme), metric(scheme));
        for part in [rows.batch().rows(0..cut), rows.batch().rows(cut..usize::MAX)] {
            parts.update(part).unwrap();
        }
        for part in [rows.batch().rows(cut..usize::MAX), rows.batch().rows(0..cut)] {
            let state = merged.measure(part).unwrap();
            merged.merge(&state).unwrap();
        }
        prop_assert_eq!(parts.state(), whole.state());
        prop_assert_eq!(merged.state(), whole.state());
        prop_assert_eq!(parts.faults(), whole.faults());
        prop_assert_eq!(merged.faults(), []);
        parts.reset();
        prop_assert_eq!(parts.faults(), []);
    }

    #[test]
    fn a_failing_update_changes_nothing(
        rows in rows().prop_filter("a token", |r| !r.gold.is_empty()),
        at: prop::sample::Index,
        bad in prop_oneof![Just(-1), Just(8), Just(MISSING_PREDICTION)],
        before in rows(),
    ) {
        let mut broken = rows.clone();
        broken.gold[at.index(rows.gold.len())] = bad;
        let mut metric = measured(Scheme::Iob2, &before);
        let error = metric.update(broken.batch()).unwrap_err();
        let named = matches!(error.kind(), ErrorKind::UnknownGold { id, .. } if *id == i64::from(bad));
        prop_assert!(named, "{}", error);
        let untouched = measured(Scheme::Iob2, &before);
        prop_assert_eq!(metric.state(), untouched.state());
        prop_assert_eq!(metric.faults(), untouched.faults());
    }
}

#[test]
fn the_scheme_is_told_by_the_letters() {
    for (labels, scheme) in [
        ("O B-X I-X", Scheme::Iob2),
        ("O I-X", Scheme::Iob1),
        ("O I-X E-X", Scheme::Ioe2),
        ("O B-X I-X E-X", Scheme::Iobes),
        ("O S-X", Scheme::Iobes),
    ] {
        assert_eq!(TagDiagnostics::new(labels.split(' ')).unwrap().scheme(), scheme, "{labels}");
    }
}

#[test]
fn columns_are_those_of_the_data_as_it_was_given() {
    let mut metric = TagDiagnostics::new(["O", "B-X", "I-X"]).unwrap().list_first(1);
    let (gold, predicted) = ([0, -100, 2, 2, 0, 0, 2, 0], [0, 0, 0, 0, 9, 9, 0, 0]);
    let mut buffer = TagBuffer::default();
    let tags = PaddedTags::ids(&gold, &predicted, 4).unwrap().ignore_index(-100);
    metric.update(tags.load(&mut buffer).unwrap()).unwrap();
    let places: Vec<_> = metric.faults().iter().map(|f| (f.side, f.row, f.column)).collect();
    assert_eq!(places, [(Side::Gold, 0, 2), (Side::Predicted, 1, 0)]);
    let report = metric.accumulate();
    assert_eq!((report.gold.stray, report.predicted.unknown_id), (2, 2));
    assert_eq!((report.tokens, report.ignored), (7, 1));
    assert!(report.to_string().contains("\n         2         0  stray\n"), "{report}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["scheme"], &json["gold"]["stray"]), (&"IOB2".into(), &2.into()));

    let mut shares = Vec::new();
    report.visit(&mut |name, value| shares.push((name.to_owned(), value)));
    let names: Vec<_> = shares.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, metric.name());
    let shares: Vec<_> = shares.iter().map(|(_, share)| *share).collect();
    assert_eq!(shares, [Some(2.0 / 7.0), Some(0.0), Some(0.0), Some(1.0)]);
}

#[test]
fn states_that_cannot_be_are_refused() {
    let other = metric(Scheme::Iob1);
    let mut metric = metric(Scheme::Iob2);
    metric.update(TagBatch::new(&[2, 0], &[0, 0], &[2]).unwrap()).unwrap();
    let good = serde_json::to_value(metric.state()).unwrap();
    for (path, value) in [
        ("/rows_without_gold", 2),
        ("/empty_rows", 1),
        ("/gold/stray", 3),
        ("/gold/unknown_id", 1),
        ("/gold/missing_prediction", 1),
        ("/predicted/needless_end", 9),
    ] {
        let mut odd = good.clone();
        *odd.pointer_mut(path).unwrap() = value.into();
        assert!(metric.merge(&serde_json::from_value(odd).unwrap()).is_err(), "{path}");
        assert_eq!(serde_json::to_value(metric.state()).unwrap(), good);
    }
    assert!(Snapshot::of(&other).merge_into(&mut metric).is_err());
}
