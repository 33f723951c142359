//! [`MentionSpans`]: entities with offsets.

use std::collections::BTreeMap;

use crate::{Answer, Entities, Grounding, Normalisation, Record, ground};

/// The entities of a record and of an answer as spans of the record's text, for scores with credit
/// for partial overlap.
///
/// Offsets are bytes. An entity that does not stand in the text has a span behind its end, one byte
/// long and the same for equal texts, so that it overlaps with nothing else: it counts as missed or
/// spurious.
///
/// ```
/// use chunkeval_llm::{AnswerReading, Entities, MentionSpans, Normalisation, Record};
///
/// let gold: Entities = [("LOC", "New York")].into_iter().collect();
/// let record = Record::new(gold, r#"{"LOC": ["york", "Paris"]}"#).text("to New York");
/// let answer = AnswerReading::Lenient.read(&record.answer);
///
/// let spans = MentionSpans::of(&record, &answer, Normalisation::ALL).unwrap();
/// assert_eq!(spans.gold, [("LOC", 3, 11)]);
/// assert_eq!(spans.predicted, [("LOC", 7, 11), ("LOC", 12, 13)]); // the text has 11 bytes
/// // chunkeval_span::SpanDocs::push(spans.gold, spans.predicted) takes them as they are.
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MentionSpans<'r> {
    /// Type, start and half-open end of the gold entities.
    pub gold: Vec<(&'r str, usize, usize)>,
    /// The same of the predicted ones.
    pub predicted: Vec<(&'r str, usize, usize)>,
}

impl<'r> MentionSpans<'r> {
    /// The spans of a record and its answer, found as by [`ground`]; an entity that is listed more
    /// often than it stands in the text has as many spans as there are places. `None` if the record
    /// has no text.
    #[must_use]
    pub fn of(record: &'r Record, answer: &'r Answer, how: Normalisation) -> Option<Self> {
        let text = record.text.as_deref()?;
        let types = |entities: &'r Entities| entities.iter().collect::<Vec<_>>();
        let (gold, predicted) = (types(&record.gold), types(&answer.entities));
        let both = || gold.iter().chain(&predicted);
        let lists: Vec<Vec<&str>> =
            both().map(|(_, list)| list.iter().map(String::as_str).collect()).collect();
        let mut behind: BTreeMap<String, usize> = BTreeMap::new();
        let (mut of_gold, mut of_answer) = (Vec::new(), Vec::new());
        for (at, (&(name, list), found)) in both().zip(ground(text, &lists, how)).enumerate() {
            let spans = if at < gold.len() { &mut of_gold } else { &mut of_answer };
            for (mention, found) in list.iter().zip(found) {
                let (start, end) = match (found, found.location()) {
                    (_, Some(place)) => (place.start, place.end),
                    (Grounding::Repeated, _) => continue,
                    _ => {
                        let next = text.len() + 1 + 2 * behind.len();
                        let start = *behind.entry(how.apply(mention).into_owned()).or_insert(next);
                        (start, start + 1)
                    }
                };
                spans.push((name, start, end));
            }
        }
        Some(Self { gold: of_gold, predicted: of_answer })
    }
}
