//! The kernel against the plain reading: chunks listed one by one, then intersected as sets.

use std::collections::HashSet;

use proptest::prelude::*;

use super::engine::Portable;
use super::stream::count_with;
use super::{Alphabet, count};
use crate::{ChunkCounts, LabelReading, Mode, Scheme, TagBatch, TagSet, TagStyle};

/// Gold, predicted and correct chunks per type index, by listing and intersecting.
fn judge(tags: &TagSet, rows: &[(Vec<i32>, Vec<i32>)]) -> Vec<(String, ChunkCounts)> {
    let mut counts: Vec<_> = (0..tags.type_count())
        .map(|t| (tags.type_name(t as u32).to_owned(), ChunkCounts::default()))
        .collect();
    for (gold, predicted) in rows {
        let gold: HashSet<_> = tags.entities(gold).into_iter().collect();
        let predicted: HashSet<_> = tags.entities(predicted).into_iter().collect();
        for (name, c) in &mut counts {
            c.gold += gold.iter().filter(|g| g.entity_type == name).count() as u64;
            c.predicted += predicted.iter().filter(|p| p.entity_type == name).count() as u64;
            c.correct +=
                gold.intersection(&predicted).filter(|b| b.entity_type == name).count() as u64;
        }
    }
    counts
}

fn kernel(tags: &TagSet, rows: &[(Vec<i32>, Vec<i32>)]) -> Vec<(String, ChunkCounts)> {
    let gold: Vec<i32> = rows.iter().flat_map(|r| r.0.clone()).collect();
    let predicted: Vec<i32> = rows.iter().flat_map(|r| r.1.clone()).collect();
    let ends: Vec<usize> = rows
        .iter()
        .scan(0, |end, r| {
            *end += r.0.len();
            Some(*end)
        })
        .collect();
    let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
    let mut tally = vec![ChunkCounts::default(); tags.type_count()];
    let mut portable = tally.clone();
    count(tags.alphabet(), batch, &mut tally).unwrap();
    if let Alphabet::Narrow(codes) = tags.alphabet() {
        let engine = Portable::new(codes);
        let counted = match tags.alphabet().opens() {
            false => count_with::<false, _>(&engine, batch, &mut portable),
            true => count_with::<true, _>(&engine, batch, &mut portable),
        };
        assert!(counted.is_ok());
        assert_eq!(tally, portable, "the engine chosen at run time and the portable one");
    }
    let name = |t: usize| tags.type_name(t as u32).to_owned();
    tally.into_iter().enumerate().map(|(t, counts)| (name(t), counts)).collect()
}

/// Label lists with everything that can go wrong in them.
fn alphabets() -> Vec<TagSet> {
    let odd = "O B-X I-X E-X S-X B-Y I-Y E-Y S-Y . .-X M-X L-Y U-X O-X B I E S M X B- B--X";
    let seqeval = |labels: &str| TagSet::seqeval(labels.split(' '), TagStyle::Prefix).unwrap();
    let types: Vec<String> = (0..120)
        .flat_map(|t| ["B", "I", "E"].map(|p| format!("{p}-T{t}")))
        .chain(["O".to_owned()])
        .collect();
    vec![
        seqeval(odd),
        seqeval("O B-X I-X B-Y I-Y"),
        seqeval("O M-X E-X .-X B-X"),
        seqeval("I-X E-X"),
        TagSet::new(types.clone(), TagStyle::Prefix).unwrap(),
        // Few types, but more labels than the widest engine looks up.
        TagSet::new([&types[..90], &types[..90], &types[360..]].concat(), TagStyle::Prefix)
            .unwrap(),
    ]
}

/// For each strict scheme, all its letters with some types, with few and with many.
fn strict_alphabets() -> Vec<TagSet> {
    let of = |scheme: Scheme, types: usize| {
        let labels: Vec<String> = (0..types)
            .flat_map(|t| scheme.letters().chars().map(move |letter| format!("{letter}-T{t}")))
            .chain(["O".to_owned(), "I".to_owned()])
            .collect();
        // seqeval's reading, since it takes an `O` with a type.
        let (style, reading) = (TagStyle::Prefix, LabelReading::Seqeval);
        TagSet::with_mode(labels, style, reading, Mode::Strict(scheme)).unwrap()
    };
    Scheme::ALL.into_iter().flat_map(|scheme| [of(scheme, 2), of(scheme, 60)]).collect()
}

#[test]
fn alphabets_of_both_widths_are_tried() {
    let narrow: Vec<bool> =
        alphabets().iter().map(|t| matches!(t.alphabet(), Alphabet::Narrow(_))).collect();
    assert_eq!(narrow, [true, true, true, true, false, true]);
    let strict: Vec<bool> =
        strict_alphabets().iter().map(|t| matches!(t.alphabet(), Alphabet::Narrow(_))).collect();
    assert_eq!(strict, [true, false].repeat(Scheme::ALL.len()));
}

/// Rows in which both sides mostly agree, so that correct chunks are common.
fn rows(labels: usize) -> impl Strategy<Value = Vec<(Vec<i32>, Vec<i32>)>> {
    let few = (labels as i32).min(6);
    let token = (0..few, 0..labels as i32, 0..10u8).prop_map(move |(g, p, mix)| match mix {
        0 => (g, p),
        1 => (p, g),
        2 => (g, p + 3), // beyond the list now and then
        3 => (g, -1),
        _ => (g, g),
    });
    let row = prop::collection::vec(token, 0..200).prop_map(|r| r.into_iter().unzip());
    prop::collection::vec(row, 0..12)
}

#[test]
fn equals_the_judge_on_random_rows() {
    for tags in alphabets().into_iter().chain(strict_alphabets()) {
        let n = tags.labels().len();
        proptest!(ProptestConfig::with_cases(150), |(rows in rows(n))| {
            prop_assert_eq!(kernel(&tags, &rows), judge(&tags, &rows));
        });
    }
}

#[test]
fn equals_the_judge_on_all_short_rows() {
    let lenient = TagSet::seqeval(["O", "B-X", "I-X", "E-Y", ".-X"], TagStyle::Prefix).unwrap();
    let strict = |scheme, labels: [&str; 5]| {
        let (style, reading) = (TagStyle::Prefix, LabelReading::Strict);
        TagSet::with_mode(labels, style, reading, Mode::Strict(scheme)).unwrap()
    };
    let (iob, ioe) = (["O", "B-X", "I-X", "B-Y", "I-Y"], ["O", "E-X", "I-X", "E-Y", "I-Y"]);
    for tags in [
        lenient,
        strict(Scheme::Iob1, iob),
        strict(Scheme::Iob2, iob),
        strict(Scheme::Ioe1, ioe),
        strict(Scheme::Ioe2, ioe),
        strict(Scheme::Iobes, ["O", "B-X", "I-X", "E-X", "S-X"]),
        strict(Scheme::Bilou, ["O", "B-X", "L-X", "L-Y", "U-X"]),
    ] {
        check_all_short_rows(&tags);
    }
}

/// All pairs of rows of three of five labels.
fn check_all_short_rows(tags: &TagSet) {
    let all: Vec<Vec<i32>> = (0..125).map(|n| vec![n / 25, n / 5 % 5, n % 5]).collect();
    for gold in &all {
        let rows: Vec<_> = all.iter().map(|p| (gold.clone(), p.clone())).collect();
        let mode = tags.mode();
        assert_eq!(kernel(tags, &rows), judge(tags, &rows), "{mode}: gold {gold:?}");
    }
}

#[test]
fn equals_the_judge_at_every_length() {
    let narrow = |tags: &TagSet| matches!(tags.alphabet(), Alphabet::Narrow(_));
    let strict = strict_alphabets().into_iter().filter(narrow);
    let tags = [alphabets().remove(0)].into_iter().chain(strict);
    for (tags, length) in tags.flat_map(|tags| (0..=200).map(move |l| (tags.clone(), l))) {
        let n = tags.labels().len().min(13) as i32;
        // A fixed walk over the labels; the predicted side slips by one label every 7 tokens.
        let gold: Vec<i32> = (0..length).map(|i| i * i % 23 % n).collect();
        let slip: Vec<i32> =
            (0..length).map(|i| (i * i % 23 + i32::from(i % 7 == 0)) % n).collect();
        let rows = vec![(gold.clone(), slip.clone()), (slip, gold.clone()), (gold.clone(), gold)];
        assert_eq!(kernel(&tags, &rows), judge(&tags, &rows), "{}: length {length}", tags.mode());
    }
}
