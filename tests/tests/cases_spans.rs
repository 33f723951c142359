//! Users' troubles with spans as data: each operation is a small adapter to the API, so a new line
//! of a known operation needs no new code.

use chunkeval::Metric;
use chunkeval::span::{
    Case, End, Schema, Span, SpanDocs, SpanEvaluator, SpanReport, SpanScores, TextOffsets, Unit,
};
use chunkeval_tests::tags::strings;
use chunkeval_tests::{Tally, assert_close, cases};
use serde_json::{Map, Value, json};

#[test]
fn cases_of_spans() {
    let mut tally = Tally::new("cases of spans");
    for line in cases() {
        let input = &line.value["input"];
        let op = input["op"].as_str().unwrap_or("no operation");
        let id = format!("{} {op}", line.value["id"].as_str().unwrap_or(&line.place));
        let found = match op {
            "muc" => muc(input),
            "span_prf" => span_prf(input),
            "entity_errors" => entity_errors(input),
            "offsets" => offsets(input),
            _ => Err("operations that are not about spans".to_owned()),
        };
        match found {
            Ok(found) => {
                assert_close(&id, &found, &line.value["expected"], &mut tally);
                tally.ran();
            }
            Err(why) => tally.skip(&id, why),
        }
    }
    tally.expect_cases(7);
}

/// That nothing in the input is passed over.
fn only(input: &Value, known: &[&str]) -> Result<(), String> {
    let unknown = |key: &&String| !known.contains(&key.as_str()) && *key != "op";
    match input.as_object().and_then(|fields| fields.keys().find(unknown)) {
        Some(key) => Err(format!("an input with {key}")),
        None => Ok(()),
    }
}

/// One side: spans as objects or as triples, of one document or of several.
fn side<'v>(input: &'v Value, key: &str) -> Result<Vec<Vec<Span<'v>>>, String> {
    let ends = match input["end"].as_str() {
        Some("inclusive") => End::Inclusive,
        Some("exclusive") | None => End::Exclusive,
        Some(other) => return Err(format!("ends that are {other}")),
    };
    let span = |value: &'v Value| -> Result<Span<'v>, String> {
        let (name, start, end) = match value {
            Value::Array(_) => (&value[0], &value[1], &value[2]),
            _ => (&value["type"], &value["start"], &value["end"]),
        };
        let offset = |v: &Value| v.as_u64().ok_or(format!("the offset {v}")).map(|n| n as usize);
        let name = name.as_str().ok_or(format!("the type {name}"))?;
        Span::read(name, offset(start)?, offset(end)?, ends).map_err(|e| e.to_string())
    };
    let items = input[key].as_array().ok_or(format!("no {key}"))?;
    let documents = items.iter().all(|item| {
        item.as_array().is_some_and(|list| list.iter().all(|v| v.is_array() || v.is_object()))
    });
    if documents && !items.is_empty() {
        let each = items.iter().filter_map(Value::as_array);
        return each.map(|spans| spans.iter().map(span).collect()).collect();
    }
    Ok(vec![items.iter().map(span).collect::<Result<_, _>>()?])
}

/// Gold and predicted spans; those of the second are also given in the other order.
fn documents(input: &Value) -> Result<[SpanDocs; 2], String> {
    let (gold, predicted) = (side(input, "gold")?, side(input, "pred")?);
    if gold.len() != predicted.len() {
        return Err("sides of different numbers of documents".to_owned());
    }
    let (mut docs, mut reversed) = (SpanDocs::default(), SpanDocs::default());
    for (gold, predicted) in gold.iter().zip(&predicted) {
        let (g, p) = (gold.iter().copied(), predicted.iter().copied());
        docs.push(g.clone(), p.clone()).map_err(|e| e.to_string())?;
        reversed.push(g.rev(), p.rev()).map_err(|e| e.to_string())?;
    }
    Ok([docs, reversed])
}

fn report(input: &Value) -> Result<SpanReport, String> {
    let mut builder = SpanEvaluator::builder();
    if let Some(tags) = strings(&input["tags"]) {
        builder = builder.types(tags);
    }
    let [mut a, mut b] = [0; 2].map(|_| builder.clone().build().unwrap());
    let [docs, reversed] = documents(input)?;
    a.update(docs.batch()).unwrap();
    b.update(reversed.batch()).unwrap();
    assert_eq!(a.accumulate(), b.accumulate(), "{input}");
    Ok(a.accumulate())
}

fn muc(input: &Value) -> Result<Value, String> {
    only(input, &["end", "tags", "gold", "pred"])?;
    let report = report(input)?;
    let scores = |s: &SpanScores| {
        let c = &s.counts;
        json!({
            "correct": c.correct.gold, "incorrect": c.incorrect.gold, "partial": c.partial.gold,
            "missed": c.missed, "spurious": c.spurious, "possible": s.possible, "actual": s.actual,
            "precision": s.precision, "recall": s.recall, "f1": s.f1,
        })
    };
    let each = report.overall.iter().map(|(schema, s)| (schema.name().to_owned(), scores(s)));
    let mut found: Map<String, Value> = each.collect();
    let types = report.per_type.iter().map(|t| {
        let each = t.scores.iter().map(|(schema, s)| (schema.name().to_owned(), scores(s)));
        (t.entity_type.clone(), Value::Object(each.collect()))
    });
    found.insert("per_type".to_owned(), Value::Object(types.collect()));
    found.insert("duplicates_gold".to_owned(), report.diagnostics.duplicates.gold.into());
    found.insert("duplicates_pred".to_owned(), report.diagnostics.duplicates.predicted.into());
    Ok(Value::Object(found))
}

/// Simple precision, recall and F1 of nested spans are the strict schema.
fn span_prf(input: &Value) -> Result<Value, String> {
    only(input, &["end", "tags", "gold", "pred"])?;
    let report = report(input)?;
    let prf = |s: &SpanScores| {
        json!({
            "correct": s.counts.correct.gold, "predicted": s.actual, "gold": s.possible,
            "support": s.possible, "precision": s.precision, "recall": s.recall, "f1": s.f1,
        })
    };
    let mut found = prf(&report.overall.strict);
    let types = report.per_type.iter().map(|t| (t.entity_type.clone(), prf(&t.scores.strict)));
    found["per_type"] = Value::Object(types.collect());
    found["duplicates_gold"] = report.diagnostics.duplicates.gold.into();
    found["duplicates_pred"] = report.diagnostics.duplicates.predicted.into();
    Ok(found)
}

/// What is wrong with each span, from the cases of the strict schema.
fn entity_errors(input: &Value) -> Result<Value, String> {
    only(input, &["end", "gold", "pred"])?;
    let (gold, predicted) = (side(input, "gold")?, side(input, "pred")?);
    let [docs, _] = documents(input)?;
    let cases = SpanEvaluator::new().cases(docs.batch(), Schema::Strict, usize::MAX).unwrap();
    let gold = |case: &Case| gold[case.document][case.gold.unwrap()];
    let predicted = |case: &Case| predicted[case.document][case.predicted.unwrap()];
    let (mut types, mut boundaries, mut both) = (vec![], vec![], vec![]);
    for case in &cases.incorrect.first {
        let (g, p) = (gold(case), predicted(case));
        if (g.start, g.end) == (p.start, p.end) {
            types.push(json!([g.entity_type, p.entity_type]));
        } else if g.entity_type == p.entity_type {
            boundaries.push(json!(g.entity_type));
        } else {
            both.push(json!([g.entity_type, p.entity_type]));
        }
    }
    let missed = cases.missed.first.iter().map(|case| gold(case).entity_type);
    let spurious = cases.spurious.first.iter().map(|case| predicted(case).entity_type);
    Ok(json!({
        "correct": cases.correct.first.len(), "type_error": types, "boundary_error": boundaries,
        "type_and_boundary_error": both, "missed": missed.collect::<Vec<_>>(),
        "spurious": spurious.collect::<Vec<_>>(),
    }))
}

/// Where an entity stands in its text, in every unit.
fn offsets(input: &Value) -> Result<Value, String> {
    only(input, &["text", "entity"])?;
    let (text, entity) = (input["text"].as_str(), input["entity"].as_str());
    let (text, entity) = text.zip(entity).ok_or("a text or entity that is no string")?;
    let start = text.find(entity).ok_or("an entity that is not in the text")?;
    let offsets = TextOffsets::new(text);
    let of = |unit| {
        let range = offsets.convert(start..start + entity.len(), Unit::Bytes, unit).unwrap();
        // And back, as a tool with inclusive ends would give it.
        let last = range.end.checked_sub(1).filter(|_| !range.is_empty());
        if let Some(last) = last {
            let characters = offsets.read(range.start, last, unit, End::Inclusive).unwrap();
            let bytes = offsets.convert(characters, Unit::Characters, Unit::Bytes).unwrap();
            assert_eq!(&text[bytes], entity);
        }
        json!([range.start, range.end])
    };
    Ok(
        json!({"codepoint": of(Unit::Characters), "utf16": of(Unit::Utf16), "byte": of(Unit::Bytes)}),
    )
}
