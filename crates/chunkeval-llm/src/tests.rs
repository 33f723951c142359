//! Laws of the evaluator over records of every kind.

use chunkeval_core::{Mergeable, Metric, Scalars, Snapshot, testkit};
use proptest::prelude::*;

use crate::{
    AnswerReading, Entities, ExtractionEvaluator, ExtractionRows, HealthKind, Matching,
    Normalisation, Record, RecordBatch, RepairKind, Treatment,
};

fn entities(pairs: &[(&str, &str)]) -> Entities {
    pairs.iter().copied().collect()
}

fn records() -> Vec<Record> {
    let text = "Ada und ADA in Rom, Rom!";
    let gold = || entities(&[("PER", "Ada"), ("LOC", "Rom"), ("LOC", "Rom")]);
    let asked = |record: Record| record.text(text).schema(["PER", "LOC"]);
    let answers = [
        r#"{"PER": ["Ada"], "LOC": ["Rom", "Rom"]}"#,
        r#"{"PER": ["ada", "Bea"], "LOC": ["Rom"], "ORG": ["Rom"]}"#,
        "{'PER': ['Ada'], 'LOC': []}",
        "I do not know.",
        "",
        r#"{"PER": []}"#,
    ];
    let mut records: Vec<Record> =
        answers.iter().map(|answer| asked(Record::new(gold(), *answer))).collect();
    records.push(Record::new(entities(&[("X", "x")]), r#"{"X": ["x", "x", "y"]}"#));
    records.push(asked(Record::new(Entities::default(), "{}")));
    (1..).zip(records).map(|(line, record)| record.at(line, None)).collect()
}

fn evaluators() -> Vec<ExtractionEvaluator> {
    let all = Matching::ALL.into_iter().flat_map(|matching| {
        [Normalisation::NONE, Normalisation::ALL].map(|normalisation| {
            let builder = ExtractionEvaluator::builder().matching(matching).list_first(2);
            builder.normalisation(normalisation).build().unwrap()
        })
    });
    all.collect()
}

#[test]
fn the_laws_hold() {
    let records = records();
    let batch = RecordBatch::new(&records);
    let all = evaluators();
    for (metric, other) in all.iter().zip(all.iter().skip(1)) {
        testkit::mergeable(|| metric.clone(), batch, 3).unwrap();
        testkit::threads_are_an_accident(|| metric.clone(), batch).unwrap();
        testkit::foreign_is_refused(|| metric.clone(), other, batch).unwrap();
    }
}

/// Counted by hand.
#[test]
fn what_is_unreadable_repeated_or_not_asked_for_is_counted() {
    let records = records();
    let builder = ExtractionEvaluator::builder().readings([AnswerReading::Lenient]);
    let mut metric = builder.list_first(2).build().unwrap();
    metric.update(RecordBatch::new(&records)).unwrap();
    let report = metric.accumulate();
    let r = report.records;
    assert_eq!((r.records, r.with_text, r.with_schema), (8, 7, 7));
    assert_eq!((r.gold, r.repeated_gold, r.gold_not_asked), (19, 6, 0));

    let lenient = report.get(AnswerReading::Lenient).unwrap();
    assert_eq!((lenient.answers.read(), lenient.answers.unreadable()), (6, 2));
    let counts = |treatment| {
        let counts = lenient.scores(treatment).unwrap().overall.counts;
        (counts.correct, counts.predicted, counts.gold)
    };
    // Sets: Ada, Rom | Rom of ada, Bea, Rom, Rom | Ada | none | x of x, y.
    assert_eq!(counts(Treatment::Skip), (5, 9, 9));
    assert_eq!(counts(Treatment::CountAsEmpty), (5, 9, 13));
    assert_eq!(counts(Treatment::SchemaTypesOnly), (5, 8, 9));
    let s = lenient.schema;
    assert_eq!((s.unknown_types, s.unknown_type_entities), (1, 1));
    assert_eq!(s.missing_types, 1 + 2); // LOC of the sixth, both of `{}`
    assert_eq!((lenient.mentions.listed, lenient.mentions.repeated), (11, 2));
    assert_eq!(lenient.mentions.invented, 1); // Bea

    let lines = |kind| lenient.health(kind).first.iter().map(|id| id.line).collect::<Vec<_>>();
    assert_eq!(lines(HealthKind::Unreadable), [4, 5]);
    assert_eq!(lines(HealthKind::Invented), [2]);
    assert_eq!(lines(HealthKind::UnknownType), [2]);
    assert_eq!(lines(HealthKind::Duplicated), [1, 7]);
    assert_eq!(lines(HealthKind::WrongSchema), [6, 8]);
    assert_eq!(lines(HealthKind::Repaired), [3]);
    assert_eq!(lenient.health(HealthKind::Clean).answers, 5);
    let repairs: Vec<_> =
        lenient.repairs.iter().map(|(kind, c)| (*kind, c.answers, c.repairs)).collect();
    assert_eq!(repairs, [(RepairKind::Quotes, 1, 3)]); // the third: PER, Ada, LOC
}

#[test]
fn rules_of_matching_differ_where_they_should() {
    let counts = |matching| {
        let builder = ExtractionEvaluator::builder().readings([AnswerReading::Lenient]);
        let mut metric = builder.matching(matching).build().unwrap();
        metric.update(RecordBatch::new(&records()[..2])).unwrap();
        let counts = metric.accumulate().readings[0].skip.overall.counts;
        (counts.correct, counts.predicted, counts.gold)
    };
    assert_eq!(counts(Matching::Set), (3, 6, 4));
    assert_eq!(counts(Matching::Multiset), (4, 7, 6));
    // ada is the Ada of the text; Bea stands nowhere.
    assert_eq!(counts(Matching::Grounded), (5, 7, 6));
}

/// What equals no text counts as often as a text would.
#[test]
fn numbers_that_are_listed_twice_are_two_of_a_multiset() {
    let gold = || entities(&[("A", "x")]);
    let answer = r#"{"A": [1, 1, 2, 1.0, "x"], "B": [None, None]}"#;
    let records = [Record::new(gold(), answer), Record::new(gold(), r#"{"A":[1,1,2]}"#)];
    let counts = |matching| {
        let builder = ExtractionEvaluator::builder().readings([AnswerReading::Strict]);
        let mut metric = builder.matching(matching).build().unwrap();
        metric.update(RecordBatch::new(&records)).unwrap();
        let strict = &metric.accumulate().readings[0];
        let of = |name: &str| strict.skip.get(name).unwrap().counts.predicted;
        assert_eq!((strict.mentions.listed, strict.mentions.repeated), (10, 4));
        assert_eq!(strict.health(HealthKind::Duplicated).answers, 2);
        (of("A"), of("B"))
    };
    assert_eq!(counts(Matching::Set), (3 + 2, 1));
    assert_eq!(counts(Matching::Grounded), (3 + 2, 1));
    assert_eq!(counts(Matching::Multiset), (5 + 3, 2));
}

#[test]
fn outer_space_and_blank_texts_are_the_same_on_both_sides() {
    let gold = [("PER", " Ada"), ("PER", ""), ("LOC ", "Rom"), ("", "x"), ("LOC", " ")];
    let said = r#"[{"type": "PER", "text": " Ada"}, {"type": "PER", "text": ""}, {"type": "LOC ", "text": "Rom"}, {"type": "", "text": "x"}, {"type": "LOC", "text": " "}]"#;
    let record = Record::new(entities(&gold), said).schema(["PER", "LOC "]);
    let strict = Record::new(
        entities(&gold),
        "{'PER': [' Ada', ''], 'LOC ': ['Rom'], '': ['x'], 'LOC': [' ']}",
    );
    let counts = |reading, record: &Record| {
        let mut metric = ExtractionEvaluator::builder().readings([reading]).build().unwrap();
        metric.update(RecordBatch::new(std::slice::from_ref(record))).unwrap();
        let report = metric.accumulate();
        assert_eq!((report.records.gold, report.records.blank_gold), (5, 3));
        let [of] = &report.readings[..] else { panic!("one reading") };
        let asked = of.schema_types_only.as_ref().map_or(of.skip.overall, |s| s.overall).counts;
        let of_row = metric.compare(reading, record, &reading.read(&record.answer));
        assert_eq!(
            of_row.iter().map(|(_, c)| c.correct).sum::<u64>(),
            of.skip.overall.counts.correct
        );
        assert_eq!(asked, of.skip.overall.counts);
        (asked.correct, asked.predicted, asked.gold)
    };
    assert_eq!(counts(AnswerReading::Lenient, &record), (2, 2, 2));
    assert_eq!(counts(AnswerReading::Strict, &strict), (5, 5, 5)); // as published
}

#[test]
fn edited_states_are_refused() {
    let mut metric = ExtractionEvaluator::new();
    metric.update(RecordBatch::new(&records())).unwrap();
    let saved = serde_json::to_value(Snapshot::of(&metric)).unwrap();
    let edits = [
        ("/state/records/records", 9),
        ("/state/records/with_text", 9),
        ("/state/records/blank_gold", 99),
        ("/state/readings/1/answers/clean", 6),
        ("/state/readings/1/types/LOC/read/counts/correct", 99),
        ("/state/readings/1/types/LOC/read/records", 99),
        ("/state/readings/1/types/LOC/unread/counts/predicted", 1),
        ("/state/readings/1/types/LOC/asked/counts/gold", 99),
        ("/state/readings/1/mentions/listed", 1),
        ("/state/readings/1/mentions/invented", 99),
        ("/state/readings/1/health/clean/answers", 99),
        ("/state/readings/1/repairs/quotes/answers", 0),
        ("/state/readings/1/repairs/quotes/answers", 2),
        ("/state/readings/1/repairs/quotes/repairs", 0),
        ("/state/listed", 1),
    ];
    for (place, value) in edits {
        let mut edited = saved.clone();
        *edited.pointer_mut(place).unwrap() = value.into();
        let snapshot: Snapshot<_> = serde_json::from_value(edited).unwrap();
        let before = metric.state().clone();
        assert!(snapshot.merge_into(&mut metric).is_err(), "{place}");
        assert_eq!(*metric.state(), before, "{place}");
    }
}

#[test]
fn scalars_are_named_as_the_metric_says() {
    let mut metric = ExtractionEvaluator::new();
    metric.update(RecordBatch::new(&records())).unwrap();
    let mut all = Vec::new();
    metric.accumulate().visit(&mut |name, value| all.push((name.to_owned(), value)));
    for name in metric.name() {
        assert!(all.iter().any(|(found, _)| found == name), "{name}");
    }
    let get = |name: &str| all.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!(get("lenient/unreadable"), Some(0.25));
    assert_eq!(get("lenient/skip/per_type/X/precision"), Some(0.5));
}

#[test]
fn rows_add_up_to_the_report_and_pairs_have_the_types_of_both() {
    let records = records();
    let mut metric = ExtractionEvaluator::new();
    metric.update(RecordBatch::new(&records)).unwrap();
    let report = metric.accumulate();
    for reading in AnswerReading::ALL {
        let mut whole = ExtractionRows::new(&metric, reading);
        whole.push(&metric, RecordBatch::new(&records)).unwrap();
        let mut parts = ExtractionRows::new(&metric, reading);
        for part in records.chunks(3).rev() {
            let mut shard = ExtractionRows::new(&metric, reading);
            shard.push(&metric, RecordBatch::new(part)).unwrap();
            parts.append(&shard).unwrap();
        }
        assert_eq!(whole.len(), records.len());
        for treatment in Treatment::ALL {
            let scores = report.get(reading).unwrap().scores(treatment).unwrap();
            for rows in [&whole, &parts] {
                let rows = rows.row_counts(treatment).unwrap();
                assert_eq!(rows.total(), scores.overall.counts, "{reading} {treatment}");
                for (name, counts) in rows.types().iter().zip(rows.per_type()) {
                    let found = scores.get(name).map(|s| s.counts).unwrap_or_default();
                    assert_eq!(counts, found, "{reading} {treatment} {name}");
                }
            }
        }
        let mut other = ExtractionRows::new(&metric, reading);
        let better = records.iter().map(|r| Record { answer: r#"{"Z": []}"#.into(), ..r.clone() });
        other.push(&metric, RecordBatch::new(&better.collect::<Vec<_>>())).unwrap();
        let (a, b) = ExtractionRows::pair(&whole, &other, Treatment::CountAsEmpty).unwrap();
        assert_eq!(a.types(), b.types());
        assert!(a.types().contains(&"Z".to_owned()));
        assert_eq!(a.total().gold, b.total().gold);
    }
}

/// Records over few types and texts, so that they have much in common.
fn any_record() -> impl Strategy<Value = Record> {
    let list = prop::collection::vec("[aAb]{1,2}", 0..4);
    let side = prop::collection::vec((prop::sample::select(vec!["X", "Y", "Z"]), list), 0..4);
    let text = prop::option::of("[aAb ]{0,8}");
    let schema = prop::option::of(prop::sample::subsequence(vec!["X", "Y", "Q"], 0..=3));
    (side.clone(), side, text, schema, 0..5_u8).prop_map(|(gold, answer, text, schema, broken)| {
        let of = |lists: &[(&str, Vec<String>)]| {
            let mut entities = Entities::default();
            for (name, list) in lists {
                entities.declare(name);
                list.iter().for_each(|entity| entities.push(name, entity.as_str()));
            }
            entities
        };
        let answer = match broken {
            0 => "?".to_owned(),
            _ => serde_json::to_string(&of(&answer)).unwrap(),
        };
        let mut record = Record::new(of(&gold), answer);
        record.text = text;
        record.schema = schema.map(|types| types.into_iter().map(str::to_owned).collect());
        record
    })
}

/// The same record, types and lists in the other order.
fn reversed(record: &Record) -> Record {
    let turn = |entities: &Entities| {
        let mut turned = Entities::default();
        for (name, list) in entities.iter().collect::<Vec<_>>().into_iter().rev() {
            turned.declare(name);
            list.iter().rev().for_each(|entity| turned.push(name, entity.as_str()));
        }
        turned
    };
    let answer = match serde_json::from_str::<Entities>(&record.answer) {
        Ok(entities) => serde_json::to_string(&turn(&entities)).unwrap(),
        Err(_) => record.answer.clone(),
    };
    Record { gold: turn(&record.gold), answer, ..record.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn neither_order_nor_shards_show(records in prop::collection::vec(any_record(), 0..6)) {
        let turned: Vec<Record> = records.iter().map(reversed).collect();
        for metric in evaluators() {
            let value = |records: &[Record]| {
                let mut metric = metric.clone();
                metric.update(RecordBatch::new(records)).unwrap();
                metric.accumulate()
            };
            let whole = value(&records);
            prop_assert_eq!(&whole, &value(&turned));
            let mut shards = metric.clone();
            for shard in records.chunks(2).rev() {
                let state = metric.measure(RecordBatch::new(shard)).unwrap();
                shards.merge(&state).unwrap();
            }
            prop_assert_eq!(&whole, &shards.accumulate());
            for reading in whole.readings {
                let (skip, all) = (reading.skip.overall.counts, reading.count_as_empty.overall.counts);
                prop_assert_eq!((skip.correct, skip.predicted), (all.correct, all.predicted));
                prop_assert!(skip.gold <= all.gold && skip.correct <= skip.gold.min(skip.predicted));
            }
        }
    }

    /// An answer that repeats the label is right under every rule.
    #[test]
    fn gold_against_itself_is_perfect(record in any_record()) {
        let answer = serde_json::to_string(&record.gold).unwrap();
        let record = Record { answer, ..record };
        for mut metric in evaluators() {
            metric.update(RecordBatch::new(std::slice::from_ref(&record))).unwrap();
            for reading in metric.accumulate().readings {
                let counts = reading.skip.overall.counts;
                prop_assert!(counts.correct == counts.gold && counts.gold == counts.predicted);
            }
        }
    }
}
