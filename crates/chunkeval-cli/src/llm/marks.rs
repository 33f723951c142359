//! Where the entities of a record and of an answer stand in its text.

use std::borrow::Cow;

use chunkeval_llm::{
    Answer, Entities, ExtractionEvaluator, Grounding, Location, Matching, Record, ground,
};

use super::example::Mention;

/// The entities of a record and of an answer in its text. Each stands where the scores have it: what
/// they tell apart has different places, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) text: String,
    pub(crate) gold: Side,
    pub(crate) predicted: Side,
}

/// The entities of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// Types and places in bytes.
    pub(crate) placed: Vec<(String, Location)>,
    /// Those that do not stand in the text.
    pub(crate) elsewhere: Vec<Mention>,
}

impl Marks {
    /// Those of a record and its answer; `None` if there is no text.
    pub(crate) fn of(
        record: &Record,
        answer: &Answer,
        metric: &ExtractionEvaluator,
    ) -> Option<Self> {
        let text = record.text.as_ref()?;
        let (gold, predicted) = (lists(&record.gold, metric), lists(&answer.entities, metric));
        let all = || gold.iter().chain(&predicted);
        let mentions: Vec<Vec<&str>> =
            all().map(|(_, list)| list.iter().map(|text| text.as_str()).collect()).collect();
        let found = ground(text, &mentions, metric.normalisation());
        let (mut of_gold, mut of_answer) = (Side::default(), Side::default());
        for (at, ((name, list), found)) in all().zip(&found).enumerate() {
            let side = if at < gold.len() { &mut of_gold } else { &mut of_answer };
            for (text, found) in list.iter().zip(found) {
                let entity_type = (*name).to_owned();
                match (found.location(), found) {
                    (Some(place), _) => side.placed.push((entity_type, place)),
                    (None, Grounding::Repeated) => {}
                    (None, _) => {
                        side.elsewhere.push(Mention { entity_type, text: (*text).to_owned() });
                    }
                }
            }
        }
        let no_texts = answer.unmatchable.iter();
        let no_texts = no_texts.map(|u| Mention::no_text(&u.entity_type, &u.shown));
        of_answer.elsewhere.extend(no_texts);
        Some(Self { text: text.clone(), gold: of_gold, predicted: of_answer })
    }
}

/// The lists of each type; where twice counts once, without repeats.
fn lists<'e>(
    entities: &'e Entities,
    metric: &ExtractionEvaluator,
) -> Vec<(&'e str, Vec<&'e String>)> {
    let lists = entities.iter().map(|(name, list)| {
        let mut seen: Vec<Cow<'_, str>> = Vec::new();
        let mut first = |text: &&String| {
            let text = metric.normalisation().apply(text);
            let new = !seen.contains(&text);
            if new {
                seen.push(Cow::Owned(text.into_owned()));
            }
            new
        };
        let once = metric.matching() == Matching::Set;
        (name, list.iter().filter(|text| !once || first(text)).collect())
    });
    lists.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkeval_llm::AnswerReading;

    #[test]
    fn what_the_scores_tell_apart_is_marked_apart() {
        let gold = [("LOC", "Rome"), ("LOC", "Rome"), ("PER", "Ada")];
        let answer = r#"{"LOC": ["Rome", "rome", "Oslo"]}"#;
        let record = Record::new(gold.into_iter().collect(), answer).text("Ada: Rome, Rome");
        let answer = AnswerReading::Lenient.read(&record.answer);
        let marks = |metric: &ExtractionEvaluator| Marks::of(&record, &answer, metric).unwrap();
        let sets = marks(&ExtractionEvaluator::new());
        assert_eq!(sets.gold.placed.len(), 2);
        assert_eq!(sets.gold.placed[0], sets.predicted.placed[0]);
        assert_eq!(sets.gold.placed[0].1.start, 5);
        let elsewhere: Vec<&str> = sets.predicted.elsewhere.iter().map(|m| &*m.text).collect();
        assert_eq!(elsewhere, ["rome", "Oslo"]);
        let builder = ExtractionEvaluator::builder().matching(Matching::Grounded);
        let grounded = marks(&builder.build().unwrap());
        assert_eq!((grounded.gold.placed.len(), grounded.predicted.placed.len()), (3, 2));
        assert_eq!(grounded.predicted.elsewhere.len(), 1);
    }
}
