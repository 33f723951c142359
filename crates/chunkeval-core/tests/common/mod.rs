//! Random rows, and labels of every scheme for them.
#![allow(dead_code, reason = "each test binary uses a part")]

use chunkeval_core::{MISSING_PREDICTION, Mode, Scheme, TagBatch};
use proptest::prelude::*;

/// Rows of gold and predicted ids as flat arrays.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) gold: Vec<i32>,
    pub(crate) predicted: Vec<i32>,
    pub(crate) ends: Vec<usize>,
}

/// Gold and predicted ids of one row.
pub(crate) type Row = Vec<(i32, i32)>;

impl Rows {
    pub(crate) fn of(rows: impl IntoIterator<Item = Row>) -> Self {
        let mut flat = Self { gold: vec![], predicted: vec![], ends: vec![] };
        for row in rows {
            flat.gold.extend(row.iter().map(|token| token.0));
            flat.predicted.extend(row.iter().map(|token| token.1));
            flat.ends.push(flat.gold.len());
        }
        flat
    }

    pub(crate) fn batch(&self) -> TagBatch<'_> {
        TagBatch::new(&self.gold, &self.predicted, &self.ends).unwrap()
    }
}

/// How many rows are drawn, at most.
pub(crate) const MOST_ROWS: usize = 15;

/// A row, empty at times, of ids of a list of so many labels. Predictions agree with gold in
/// `right` of four tokens, besides by chance, and are unknown or missing now and then.
pub(crate) fn row(labels: usize, right: u32) -> impl Strategy<Value = Row> {
    let known = 0..labels as i32;
    let odd = prop_oneof![Just(-7), Just(99), Just(MISSING_PREDICTION)];
    let token = (known.clone(), prop_oneof![10 => known, 1 => odd], 0..4u32)
        .prop_map(move |(gold, other, draw)| (gold, if draw < right { gold } else { other }));
    prop::collection::vec(token, 0..30)
}

/// Up to [`MOST_ROWS`] of such rows.
pub(crate) fn rows(labels: usize, right: u32) -> impl Strategy<Value = Rows> {
    prop::collection::vec(row(labels, right), 0..=MOST_ROWS).prop_map(Rows::of)
}

/// The first dozen labels of a scheme for some types, one of them with a delimiter in its name.
pub(crate) fn dozen(scheme: Scheme) -> Vec<String> {
    let of_type = |t| scheme.letters().chars().map(move |letter| format!("{letter}-{t}"));
    ["Z-z", "X", "Y", "_"].into_iter().flat_map(of_type).take(DOZEN).collect()
}

pub(crate) const DOZEN: usize = 12;

/// A dozen labels for each mode.
pub(crate) fn labels(mode: Mode) -> Vec<String> {
    let lenient = "O B-X I-X E-X S-X B-Y I-Y B-Z-z I-Z-z B M-X .";
    let conlleval = "O B-X I-X E-X S-X B-Y O-Y B-Z-z I-Z-z B .-X .";
    match mode {
        Mode::Strict(scheme) => dozen(scheme),
        Mode::Conlleval => conlleval.split(' ').map(str::to_owned).collect(),
        _ => lenient.split(' ').map(str::to_owned).collect(),
    }
}

/// Any mode.
pub(crate) fn mode() -> impl Strategy<Value = Mode> {
    let strict = prop::sample::select(&Scheme::ALL[..]).prop_map(Mode::Strict);
    prop_oneof![Just(Mode::Lenient), Just(Mode::Conlleval), strict]
}
