//! Crate rusev on the same rows: the cheapest it offers, micro scores in its lenient reading,
//! which is also ours.
//!
//! Its answers are not ours. rusev 0.4.0 compares chunks by type, start and end within their row,
//! so equal ones of different rows become one; it takes the two sides for each other; and some
//! chunks get a wrong end. What can be compared is how many chunks it finds, given one long row.

use chunkeval_benches::Workload;
use chunkeval_core::TagStyle;
use criterion::BatchSize;
use rusev::{Average, DivByZeroStrat, precision_recall_fscore_support};

use crate::Group;

type Rows<'a> = Vec<Vec<&'a str>>;

/// rusev takes its rows by value; the copies are made outside the measurement.
pub(crate) fn bench(group: &mut Group<'_>, workload: &Workload) {
    let suffix = workload.style == TagStyle::Suffix;
    let gold = workload.strings(&workload.gold);
    let predicted = workload.strings(&workload.predicted);
    let here = workload.counts().unwrap();
    let (one_gold, one_predicted) = (one_row(&gold), one_row(&predicted));
    assert_eq!(support(one_predicted.clone(), one_gold.clone(), suffix) as u64, here.gold);
    assert_eq!(support(one_gold, one_predicted, suffix) as u64, here.predicted);

    group.bench_function("rusev", |b| {
        let copy = || (gold.clone(), predicted.clone());
        b.iter_batched(copy, |(g, p)| support(g, p, suffix), BatchSize::PerIteration);
    });
}

/// Scores the rows; the number of chunks that rusev takes for the gold ones.
fn support(gold: Rows<'_>, predicted: Rows<'_>, suffix: bool) -> usize {
    let (average, zero) = (Average::Micro, DivByZeroStrat::ReplaceBy0);
    let (_, _, _, support) = precision_recall_fscore_support::<f32>(
        gold, predicted, 1.0, average, None, zero, None, suffix, false,
    )
    .unwrap();
    support[0]
}

/// All rows as one, with an `O` between them.
fn one_row<'a>(rows: &Rows<'a>) -> Rows<'a> {
    vec![rows.join(&"O")]
}
