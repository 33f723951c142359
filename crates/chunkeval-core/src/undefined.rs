//! Which scores of a report have nothing to divide by.

use std::fmt;

use crate::{ChunkCounts, ChunkReport, visible_name};

/// One of the three scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Undefined where nothing was predicted.
    Precision,
    /// Undefined where nothing is gold.
    Recall,
    /// Undefined where there is no chunk on either side.
    FScore,
}

/// A score that has nothing to divide by, whatever the rule for zero division put in its place.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Score, TagBatch, Undefined};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "B-LOC"])?;
/// metric.update(TagBatch::new(&[1, 2], &[1, 0], &[2])?)?;
/// let report = metric.accumulate();
/// let undefined = report.undefined();
/// assert_eq!(undefined, [Undefined { entity_type: Some("LOC"), score: Score::Precision }]);
/// assert_eq!(undefined[0].to_string(), "precision of LOC: nothing predicted");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Undefined<'a> {
    /// The entity type; `None` for the score over all chunks (micro).
    pub entity_type: Option<&'a str>,
    /// Which score.
    pub score: Score,
}

impl ChunkReport {
    /// The undefined scores over all chunks, then those of the [found
    /// types](ChunkReport::found_types), on which macro and weighted averages stand.
    #[must_use]
    pub fn undefined(&self) -> Vec<Undefined<'_>> {
        let types = self.found_types().map(|t| (Some(&*t.entity_type), &t.scores.counts));
        let all = [(None, &self.overall.counts)].into_iter().chain(types);
        all.flat_map(|(entity_type, counts)| {
            undefined(counts).map(move |score| Undefined { entity_type, score })
        })
        .collect()
    }
}

fn undefined(counts: &ChunkCounts) -> impl Iterator<Item = Score> + use<> {
    let &ChunkCounts { gold, predicted, .. } = counts;
    let scores = [
        (Score::Precision, predicted == 0),
        (Score::Recall, gold == 0),
        (Score::FScore, predicted == 0 && gold == 0),
    ];
    scores.into_iter().filter_map(|(score, undefined)| undefined.then_some(score))
}

/// `precision of LOC: nothing predicted`, for example.
impl fmt::Display for Undefined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (score, why) = match self.score {
            Score::Precision => ("precision", "nothing predicted"),
            Score::Recall => ("recall", "nothing gold"),
            Score::FScore => ("F score", "nothing gold or predicted"),
        };
        match self.entity_type {
            Some(name) => write!(f, "{score} of {}: {why}", visible_name(name)),
            None => write!(f, "{score} over all: {why}"),
        }
    }
}
