//! Users' cases of which errors were made between spans.

use chunkeval::{
    Chunk, ChunkError, ChunkErrorKind, ChunkErrors, LabelReading, Metric, Mode, Scheme, Source,
    TagBuffer, TagSet, TagStyle, TextRows,
};
use chunkeval_tests::{Tally, cases};
use serde_json::{Value, json};

#[test]
fn cases_of_entity_errors() {
    let mut tally = Tally::new("cases of entity errors");
    for line in cases() {
        let input = &line.value["input"];
        if input["op"] != "entity_errors" {
            continue;
        }
        let id = line.value["id"].as_str().unwrap_or(&line.place);
        let (Some(gold), Some(predicted)) = (spans(input, "gold"), spans(input, "pred")) else {
            tally.skip(id, "spans that are no [type, start, end]");
            continue;
        };
        let errors = ChunkError::between(0, &gold, &predicted);
        let found = words(&errors, gold.len());
        for (key, expected) in line.value["expected"].as_object().unwrap() {
            match found.get(key) {
                Some(found) => assert_eq!(found, expected, "{id}: {key}"),
                None => tally.skip(id, format!("{key} is not reported")),
            }
        }
        // The same through rows of tags, where the chunks of a side can be written as one.
        match (written(&gold), written(&predicted)) {
            (Some(gold), Some(predicted)) => through_tags(id, gold, predicted, &errors),
            _ => tally.note(id, "spans that overlap are no row of tags"),
        }
        tally.ran();
    }
    tally.expect_cases(1);
}

/// The spans of one side, `[type, start, end]` each; `end` says whether the last token is in it.
fn spans<'a>(input: &'a Value, side: &str) -> Option<Vec<Chunk<'a>>> {
    let last = usize::from(input["end"] == "inclusive");
    let span = |span: &'a Value| {
        let [entity_type, start, end] = span.as_array()?.as_slice() else { return None };
        let offset = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let (start, end) = (offset(start)?, offset(end)? + last);
        Some(Chunk { start, end, entity_type: entity_type.as_str()? })
    };
    input[side].as_array()?.iter().map(span).collect()
}

/// The errors in the words of the cases.
fn words(errors: &[ChunkError<'_>], gold: usize) -> Value {
    use ChunkErrorKind::{
        Missed, Shifted, Spurious, TooLong, TooShort, TypeAndBoundary, TypeError,
    };
    let of = |kinds: &[ChunkErrorKind]| -> Value {
        let these = errors.iter().filter(|error| kinds.contains(&error.kind));
        let types =
            these.map(|e| (e.gold.map(|c| c.entity_type), e.predicted.map(|c| c.entity_type)));
        let named = types.map(|types| match types {
            (Some(gold), Some(predicted)) if gold != predicted => json!([gold, predicted]),
            (gold, predicted) => json!(gold.or(predicted)),
        });
        named.collect()
    };
    let wrong = errors.iter().filter(|error| error.gold.is_some()).count();
    json!({
        "correct": gold - wrong,
        "type_error": of(&[TypeError]),
        "boundary_error": of(&[TooLong, TooShort, Shifted]),
        "too_long": of(&[TooLong]),
        "too_short": of(&[TooShort]),
        "shifted": of(&[Shifted]),
        "type_and_boundary_error": of(&[TypeAndBoundary]),
        "missed": of(&[Missed]),
        "spurious": of(&[Spurious]),
    })
}

/// A row of IOB2 tags with these chunks, if none overlap.
fn written(chunks: &[Chunk<'_>]) -> Option<Vec<String>> {
    let tokens = chunks.iter().map(|c| c.end).max().unwrap_or(0);
    let mut row = vec!["O".to_owned(); tokens];
    for chunk in chunks {
        for at in chunk.range() {
            if row[at] != "O" {
                return None;
            }
            let letter = if at == chunk.start { 'B' } else { 'I' };
            row[at] = format!("{letter}-{}", chunk.entity_type);
        }
    }
    chunks.iter().all(|c| c.start < c.end).then_some(row)
}

fn through_tags(
    id: &str,
    mut gold: Vec<String>,
    mut predicted: Vec<String>,
    errors: &[ChunkError<'_>],
) {
    let tokens = gold.len().max(predicted.len());
    gold.resize(tokens, "O".to_owned());
    predicted.resize(tokens, "O".to_owned());
    let labels = gold.iter().chain(&predicted).cloned().chain(["O".to_owned()]);
    let mode = Mode::Strict(Scheme::Iob2);
    let tags = TagSet::with_mode(labels, TagStyle::Prefix, LabelReading::Strict, mode).unwrap();
    let mut metric = ChunkErrors::with_tags(tags.clone()).unwrap().list_first(usize::MAX);
    let mut buffer = TagBuffer::default();
    let rows = ([gold], [predicted]);
    metric.update(TextRows::new(&tags, &rows.0, &rows.1).load(&mut buffer).unwrap()).unwrap();
    let mut expected = errors.to_vec();
    expected.sort_by_key(|e| (e.gold.or(e.predicted).map(|c| c.start), e.kind));
    assert_eq!(metric.errors(), expected, "{id}");
}
