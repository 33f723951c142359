//! The kernel against the plain reading: chunks listed one by one, then intersected as sets.

use std::collections::HashSet;

use proptest::prelude::*;

use super::alphabet::AnyEngine;
use super::{Alphabet, count};
use crate::{ChunkCounts, LabelReading, Mode, Scheme, TagBatch, TagSet, TagStyle};

type Counts = Vec<(String, ChunkCounts)>;

/// Gold, predicted and correct chunks per type index, one token or chunk at a time.
fn judge(tags: &TagSet, rows: &[(Vec<i32>, Vec<i32>)]) -> Counts {
    let mut counts: Vec<_> = (0..tags.type_count())
        .map(|t| (tags.type_name(t as u32).to_owned(), ChunkCounts::default()))
        .collect();
    for (gold, predicted) in rows {
        match tags.mode() {
            Mode::Conlleval => judge_conlleval(tags, gold, predicted, &mut counts),
            _ => judge_by_sets(tags, gold, predicted, &mut counts),
        }
    }
    counts
}

/// By listing and intersecting.
fn judge_by_sets(tags: &TagSet, gold: &[i32], predicted: &[i32], counts: &mut Counts) {
    let gold: HashSet<_> = tags.entities(gold).into_iter().collect();
    let predicted: HashSet<_> = tags.entities(predicted).into_iter().collect();
    for (name, c) in counts {
        c.gold += gold.iter().filter(|g| g.entity_type == name).count() as u64;
        c.predicted += predicted.iter().filter(|p| p.entity_type == name).count() as u64;
        c.correct += gold.intersection(&predicted).filter(|b| b.entity_type == name).count() as u64;
    }
}

/// conlleval's flags, token by token.
fn judge_conlleval(tags: &TagSet, gold: &[i32], predicted: &[i32], counts: &mut Counts) {
    let mut count = |slot: u32, of: fn(&mut ChunkCounts) -> &mut u64| {
        *of(&mut counts[slot as usize].1) += 1;
    };
    let mut matching = false;
    let outside = tags.tag(-1);
    let (mut last_gold, mut last_predicted) = (outside, outside);
    for (&g, &p) in gold.iter().zip(predicted) {
        let (g, p) = (tags.tag(g), tags.tag(p));
        let gold_step = tags.rules().step(last_gold.0, g.0, last_gold.1 == g.1);
        let predicted_step = tags.rules().step(last_predicted.0, p.0, last_predicted.1 == p.1);
        if matching {
            let ends = (gold_step.end, predicted_step.end);
            if ends == (true, true) && last_gold.1 == last_predicted.1 {
                matching = false;
                count(last_gold.1, |c| &mut c.correct);
            } else if ends.0 != ends.1 || g.1 != p.1 {
                matching = false;
            }
        }
        if gold_step.start && predicted_step.start && g.1 == p.1 {
            matching = true;
        }
        if gold_step.start {
            count(g.1, |c| &mut c.gold);
        }
        if predicted_step.start {
            count(p.1, |c| &mut c.predicted);
        }
        (last_gold, last_predicted) = (g, p);
    }
    if matching {
        count(last_gold.1, |c| &mut c.correct);
    }
}

fn kernel(tags: &TagSet, rows: &[(Vec<i32>, Vec<i32>)]) -> Counts {
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
    if narrow(tags) {
        let labels: Vec<_> = (0..tags.labels().len()).map(|id| tags.tag(id as i32)).collect();
        let alphabet = Alphabet::portable(tags.rules(), &labels);
        count(&alphabet, batch, &mut portable).unwrap();
        assert_eq!(tally, portable, "the engine chosen at run time and the portable one");
    }
    let name = |t: usize| tags.type_name(t as u32).to_owned();
    tally.into_iter().enumerate().map(|(t, counts)| (name(t), counts)).collect()
}

/// Whether the codes of a label list have one byte.
fn narrow(tags: &TagSet) -> bool {
    !matches!(tags.alphabet().engine, AnyEngine::Wide(_))
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
        let (style, reading) = (TagStyle::Prefix, LabelReading::Reference);
        TagSet::with_mode(labels, style, reading, Mode::Strict(scheme)).unwrap()
    };
    Scheme::ALL.into_iter().flat_map(|scheme| [of(scheme, 2), of(scheme, 60)]).collect()
}

/// Everything that conlleval takes for something of its own.
fn conlleval_alphabets() -> Vec<TagSet> {
    let of = |labels: Vec<String>| {
        let (style, reading) = (TagStyle::Prefix, LabelReading::Reference);
        TagSet::with_mode(labels, style, reading, Mode::Conlleval).unwrap()
    };
    let words = |labels: &str| labels.split(' ').map(str::to_owned).collect();
    let many = (0..120).flat_map(|t| ["B", "I", "E", "S"].map(|p| format!("{p}-T{t}")));
    vec![
        of(words("O B-X I-X E-X [-X ]-X S-X B-Y I-Y E-Y . .-X .-Y O-X O-Y B I E S B-0 B-_ BX -X")),
        of(words("O B-X I-X B-Y I-Y")),
        of(words("B-X .-X .-Y O O-Y [-X")),
        of(many.chain(["O".to_owned()]).collect()),
    ]
}

#[test]
fn alphabets_of_both_widths_are_tried() {
    let widths = |of: Vec<TagSet>| of.iter().map(narrow).collect::<Vec<bool>>();
    assert_eq!(widths(alphabets()), [true, true, true, true, false, true]);
    assert_eq!(widths(strict_alphabets()), [true, false].repeat(Scheme::ALL.len()));
    assert_eq!(widths(conlleval_alphabets()), [true, true, true, false]);
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
    for tags in [alphabets(), strict_alphabets(), conlleval_alphabets()].concat() {
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
    let (style, reading) = (TagStyle::Prefix, LabelReading::Reference);
    let conlleval =
        |labels: [&str; 5]| TagSet::with_mode(labels, style, reading, Mode::Conlleval).unwrap();
    for tags in [
        lenient,
        conlleval(["O", "B-X", "E-X", "B-Y", "I-Y"]),
        conlleval(["O", "B-X", "[-X", ".-X", "O-Y"]),
        conlleval(["O", "B", "I", "S", "B-X"]),
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

/// As many chunks are listed as are counted; on `B`, `I` and `O` the same ones are correct.
#[test]
fn conlleval_lists_what_it_counts() {
    for tags in conlleval_alphabets() {
        let bio =
            tags.labels().iter().all(|l| l == "O" || l.starts_with("B-") || l.starts_with("I-"));
        proptest!(ProptestConfig::with_cases(100), |(rows in rows(tags.labels().len()))| {
            let counted = kernel(&tags, &rows);
            let mut listed: Counts =
                counted.iter().map(|(name, _)| (name.clone(), ChunkCounts::default())).collect();
            rows.iter().for_each(|(g, p)| judge_by_sets(&tags, g, p, &mut listed));
            let found = |counts: &Counts| {
                counts.iter().map(|(_, c)| (c.gold, c.predicted)).collect::<Vec<_>>()
            };
            prop_assert_eq!(found(&counted), found(&listed));
            if bio {
                prop_assert_eq!(counted, listed);
            }
        });
    }
}

#[test]
fn equals_the_judge_at_every_length() {
    let others = [strict_alphabets(), conlleval_alphabets()].concat().into_iter().filter(narrow);
    let tags = [alphabets().remove(0)].into_iter().chain(others);
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
