//! Which spans are correct, incorrect, partial, missed and spurious.

use serde::Serialize;

use crate::outcomes::Outcome;
use crate::schema::Verdict;

/// The spans of some documents under one schema; see
/// [`SpanEvaluator::cases`](crate::SpanEvaluator::cases).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cases {
    /// Correct pairs.
    pub correct: CaseList,
    /// Incorrect pairs.
    pub incorrect: CaseList,
    /// Partial pairs.
    pub partial: CaseList,
    /// Gold spans in no pair.
    pub missed: CaseList,
    /// Predicted spans in no pair.
    pub spurious: CaseList,
}

/// The first cases of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CaseList {
    /// The cases, document by document.
    pub first: Vec<Case>,
    /// How many more there are.
    pub left_out: u64,
}

/// One pair, or one span alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    /// The document, from 0, as it is numbered in its [`SpanDocs`](crate::SpanDocs).
    pub document: usize,
    /// The index of the gold span in the document, from 0; none if the case is spurious.
    pub gold: Option<usize>,
    /// The index of the predicted span in the document, from 0; none if the case is missed.
    pub predicted: Option<usize>,
}

impl Cases {
    pub(crate) fn add(&mut self, document: usize, outcome: &Outcome<'_>, limit: usize) {
        let (list, gold, predicted) = match outcome {
            Outcome::Pair { verdict, gold, predicted } => {
                let list = match verdict {
                    Verdict::Correct => &mut self.correct,
                    Verdict::Incorrect => &mut self.incorrect,
                    Verdict::Partial => &mut self.partial,
                };
                (list, Some(gold.index), Some(predicted.index))
            }
            Outcome::Missed(gold) => (&mut self.missed, Some(gold.index), None),
            Outcome::Spurious(predicted) => (&mut self.spurious, None, Some(predicted.index)),
        };
        if list.first.len() < limit {
            list.first.push(Case { document, gold, predicted });
        } else {
            list.left_out += 1;
        }
    }
}
