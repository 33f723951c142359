//! nervaluate 1.2.1: what it loads, counts, lists and prints, and what it refuses.

use chunkeval::span::nervaluate::{
    Documents, Entity, LoadError, Loader, Table, collect_named_entities, conll_to_spans, csv,
    indices, split_list, summary,
};
use chunkeval::span::{
    Case, CaseList, Matching, PerSchema, Schema, SpanDocs, SpanError, SpanEvaluator, SpanReport,
    SpanScores,
};
use chunkeval::{Error, ErrorKind, Metric, Source};
use chunkeval_tests::tags::{ints, string_rows, strings};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Map, Value, json};

#[test]
fn results_equal_nervaluate() {
    let mut tally = Tally::new("golden nervaluate");
    for line in golden(Kind::Nervaluate) {
        let checked = match line.value.get("loader") {
            Some(_) => check(&line, &mut tally),
            None => check_helper(&line),
        };
        match checked {
            Ok(()) => tally.ran(),
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(480);
}

fn check(line: &Line, tally: &mut Tally) -> Result<(), String> {
    let (place, value) = (&line.place, &line.value);
    let tags = strings(&value["tags"]).ok_or("tags that are no strings")?;
    let least = value["min_overlap_percentage"].as_f64().ok_or("a minimum that is no number")?;
    let done = evaluate(value, tags, least);
    let (documents, metric, report) = match (done, value.get("error")) {
        (Ok(done), None) => done,
        (Err(found), Some(expected)) => {
            check_error(place, &found, expected);
            return Ok(());
        }
        (done, error) => panic!("{place}: found {done:?}, expected {error:?}"),
    };
    let expected = &value["expected"];
    assert_eq!(loaded(&documents), expected["loaded"], "{place}");
    check_report(place, &report, expected);
    check_indices(place, &documents, &metric, &expected["overall_indices"]);
    check_typed_loaders(place, value, &documents);
    if let Some(reports) = value["reports"].as_object() {
        let digits = value["digits"].as_u64().unwrap_or(2) as usize;
        for (name, expected) in reports {
            match text(name, &report, &metric, &documents, digits) {
                Some(Some(found)) => {
                    assert_eq!(Some(&*found), expected["ok"].as_str(), "{place}: {name}")
                }
                Some(None) => {
                    assert_eq!(expected["error"]["type"], "IndexError", "{place}: {name}")
                }
                None => tally.skip(place, format!("the report {name}")),
            }
        }
    }
    Ok(())
}

/// As nervaluate's `Evaluator` and its `evaluate`: the data is loaded first, options come after.
fn evaluate(
    value: &Value,
    tags: Vec<String>,
    min_overlap_percentage: f64,
) -> Result<(Documents, SpanEvaluator, SpanReport), Failure> {
    let loader: Loader = value["loader"].as_str().unwrap_or("default").parse()?;
    let documents = Documents::from_json(&value["true"], &value["pred"], loader)?;
    let matching = Matching::Nervaluate { min_overlap_percentage };
    let mut metric = SpanEvaluator::builder().matching(matching).types(tags).build()?;
    let mut buffer = SpanDocs::default();
    metric.update(documents.load(&mut buffer)?)?;
    let report = metric.accumulate();
    Ok((documents, metric, report))
}

#[derive(Debug)]
enum Failure {
    Load(LoadError),
    Other(Error),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// Which exception stands for what. Texts of loaders are equal, up to a set that Python prints.
fn check_error(place: &str, found: &Failure, expected: &Value) {
    let (kind, text) = (expected["type"].as_str().unwrap(), expected["text"].as_str().unwrap());
    let empty_gold = |error: &Error| match error.kind() {
        ErrorKind::Custom(source) => matches!(
            source.downcast_ref::<SpanError>(),
            Some(SpanError::At { error, .. }) if **error == SpanError::EmptyGold
        ),
        _ => false,
    };
    let same = match found {
        Failure::Load(error) => {
            let set = expected.get("then_set_in_any_order").is_some();
            let printed = error.to_string();
            kind == error.python_exception()
                && (printed == text || set && printed.starts_with(text))
        }
        Failure::Other(error) => match error.kind() {
            ErrorKind::Config { option, reason } => {
                kind == "ValueError" && text == format!("{option} {reason}")
            }
            _ => kind == "ZeroDivisionError" && empty_gold(error),
        },
    };
    assert!(same, "{place}: found {found:?}, expected {expected}");
}

fn loaded(documents: &Documents) -> Value {
    let triple = |e: &Entity| json!([e.label, e.start, e.end]);
    let side = |documents: &[Vec<Entity>]| -> Value {
        documents.iter().map(|doc| doc.iter().map(triple).collect::<Value>()).collect()
    };
    json!([side(documents.gold()), side(documents.predicted())])
}

/// Counts and scores, bit for bit.
fn check_report(place: &str, report: &SpanReport, expected: &Value) {
    let numbers = |s: &SpanScores| {
        let c = &s.counts;
        for sides in [c.correct, c.incorrect, c.partial] {
            assert_eq!(sides.gold, sides.predicted, "{place}");
        }
        json!([
            c.correct.gold,
            c.incorrect.gold,
            c.partial.gold,
            c.missed,
            c.spurious,
            s.possible,
            s.actual,
            s.precision,
            s.recall,
            s.f1,
        ])
    };
    let schemas = |scores: &PerSchema<SpanScores>| -> Value {
        let each = scores.iter().map(|(schema, s)| (schema.name().to_owned(), numbers(s)));
        Value::Object(each.collect())
    };
    let overall = match report.diagnostics.documents {
        0 => json!({}), // nervaluate has no results then
        _ => schemas(&report.overall),
    };
    assert_eq!(overall, expected["overall"], "{place}");
    let types = report.per_type.iter().map(|t| (t.entity_type.clone(), schemas(&t.scores)));
    assert_eq!(Value::Object(types.collect()), expected["entities"], "{place}");
}

fn check_indices(place: &str, documents: &Documents, metric: &SpanEvaluator, expected: &Value) {
    let mut buffer = SpanDocs::default();
    let batch = documents.load(&mut buffer).unwrap();
    for schema in Schema::ALL {
        let Some(expected) = expected.get(schema.name()) else {
            assert!(documents.gold().is_empty(), "{place}");
            continue;
        };
        let cases = metric.cases(batch, schema, usize::MAX).unwrap();
        let lists: [(&str, &CaseList); 5] = [
            ("correct", &cases.correct),
            ("incorrect", &cases.incorrect),
            ("partial", &cases.partial),
            ("missed", &cases.missed),
            ("spurious", &cases.spurious),
        ];
        let pair = |case: &Case| json!([case.document, case.predicted.or(case.gold)]);
        let found: Map<String, Value> = lists
            .into_iter()
            .filter(|(_, list)| !list.first.is_empty())
            .map(|(name, list)| (name.to_owned(), list.first.iter().map(pair).collect()))
            .collect();
        assert_eq!(&Value::Object(found), expected, "{place}: {schema}");
    }
}

/// The loaders for Rust's types give what the one for JSON gives.
fn check_typed_loaders(place: &str, value: &Value, documents: &Documents) {
    let (gold, predicted) = (&value["true"], &value["pred"]);
    if let (Some(gold), Some(predicted)) = (gold.as_str(), predicted.as_str()) {
        assert_eq!(&Documents::from_conll(gold, predicted).unwrap(), documents, "{place}");
    } else if value["loader"] != "dict"
        && let (Some(gold), Some(predicted)) = (string_rows(gold), string_rows(predicted))
    {
        assert_eq!(&Documents::from_tags(&gold, &predicted).unwrap(), documents, "{place}");
    }
}

/// The text of a report; none inside if nervaluate raises, none if we do not have the report.
fn text(
    name: &str,
    report: &SpanReport,
    metric: &SpanEvaluator,
    documents: &Documents,
    digits: usize,
) -> Option<Option<String>> {
    let schema = |name: &str| Schema::ALL.into_iter().find(|schema| schema.name() == name);
    if name == "summary_overall" {
        return Some(Some(summary(report, Table::Overall, digits)));
    }
    if name == "csv_overall" {
        return Some(Some(csv(report, Table::Overall)));
    }
    if let Some(schema) = name.strip_prefix("summary_entities_").and_then(schema) {
        return Some(Some(summary(report, Table::Entities(schema), digits)));
    }
    if let Some(schema) = name.strip_prefix("indices_overall_").and_then(schema) {
        return Some(indices(metric, documents, schema).unwrap());
    }
    let sorted = name.strip_prefix("csv_entities_")?.strip_suffix("_rows_sorted")?;
    let found = csv(report, Table::Entities(schema(sorted)?));
    let mut lines: Vec<&str> = found.split_inclusive("\r\n").collect();
    lines[1..].sort_unstable();
    Some(Some(lines.concat()))
}

/// The package's small functions.
fn check_helper(line: &Line) -> Result<(), String> {
    let (place, value) = (&line.place, &line.value);
    let object = |e: &Entity| json!({"label": e.label, "start": e.start, "end": e.end});
    let list = |entities: &Vec<Entity>| entities.iter().map(object).collect::<Value>();
    let found = match line.family() {
        "helper: collect_named_entities" => {
            let tags = strings(&value["tags_in"]).ok_or("tags that are no strings")?;
            Ok(list(&collect_named_entities(&tags)))
        }
        "helper: list_to_spans" => {
            let rows = string_rows(&value["tags_in"]).ok_or("tags that are no strings")?;
            Ok(rows.iter().map(|tags| list(&collect_named_entities(tags))).collect())
        }
        "helper: conll_to_spans" => {
            let text = value["text"].as_str().ok_or("a text that is no string")?;
            conll_to_spans(text).map(|documents| documents.iter().map(list).collect())
        }
        "helper: split_list" => {
            let items = strings(&value["items"]).ok_or("items that are no strings")?;
            Ok(json!(split_list(&items)))
        }
        other => return Err(format!("no counterpart of {other}")),
    };
    match (found, value["result"].get("error")) {
        (Ok(found), None) => assert_eq!(found, value["result"]["ok"], "{place}"),
        (Err(found), Some(expected)) => check_error(place, &Failure::Load(found), expected),
        (found, error) => panic!("{place}: found {found:?}, expected {error:?}"),
    }
    Ok(())
}

#[test]
fn corpora_equal_nervaluate() {
    let mut tally = Tally::new("golden corpora, nervaluate");
    for line in golden(Kind::Corpus) {
        let (place, value) = (&line.place, &line.value);
        let Some(expected) = value["expected"].get("nervaluate") else {
            tally.skip(place, "nervaluate was not asked");
            continue;
        };
        let labels = strings(&value["label_list"]).unwrap();
        let lengths = ints(&value["lengths"]).unwrap();
        let [gold, predicted] = ["gold", "pred"].map(|side| {
            let ids = ints(&value[side]).unwrap();
            let label = |id: &i64| usize::try_from(*id).ok().and_then(|id| labels.get(id));
            let mut tags = ids.iter().map(|id| label(id).map_or("O", |l| l));
            lengths
                .iter()
                .map(|&n| tags.by_ref().take(n as usize).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        });
        match (Documents::from_tags(&gold, &predicted), expected.get("error")) {
            (Err(found), Some(expected)) => check_error(place, &Failure::Load(found), expected),
            (Ok(documents), None) => {
                let builder = SpanEvaluator::builder().matching(Matching::NERVALUATE);
                let mut metric = builder.build().unwrap();
                let mut buffer = SpanDocs::default();
                metric.update(documents.load(&mut buffer).unwrap()).unwrap();
                check_report(place, &metric.accumulate(), expected);
            }
            (found, error) => panic!("{place}: found {found:?}, expected {error:?}"),
        }
        tally.ran();
    }
    tally.expect(2);
}

/// One sentence on which the oracles disagree: nervaluate's chunks, and those in common.
#[test]
fn disagreements_equal_nervaluate() {
    let mut tally = Tally::new("golden disagreements, nervaluate");
    for line in golden(Kind::Disagreements) {
        let (place, value) = (&line.place, &line.value);
        let Some(expected) = value["infer_label_correct"].get("nervaluate_strict") else {
            tally.skip(place, "nervaluate was not asked");
            continue;
        };
        let [gold, predicted] = ["y_true", "y_pred"].map(|side| [strings(&value[side]).unwrap()]);
        match Documents::from_tags(&gold, &predicted) {
            Ok(documents) => {
                let builder = SpanEvaluator::builder().matching(Matching::NERVALUATE);
                let mut metric = builder.build().unwrap();
                let mut buffer = SpanDocs::default();
                metric.update(documents.load(&mut buffer).unwrap()).unwrap();
                let strict = metric.accumulate().overall.strict;
                let found = json!([strict.actual, strict.possible, strict.counts.correct.gold]);
                assert_eq!(&found, expected, "{place}");
            }
            Err(error) => {
                let found = format!("{}: {error}", error.python_exception());
                assert_eq!(expected.as_str(), Some(&*found), "{place}");
            }
        }
        tally.ran();
    }
    tally.expect(110);
}
