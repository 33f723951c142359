//! seqeval under other options: F-beta, bad averages, which mode and scheme count, which warnings
//! are raised for which score; and its token-level functions on flat, unequal and mixed input.

use chunkeval::report::{seqeval_text, seqeval_warnings};
use chunkeval::{Average, Beta, ChunkReport, Mode, Scheme, Score, TokenCounts};
use chunkeval_tests::seqeval::{
    Input, Options, assert_score, assert_tokens, flat, means, zero_division,
};
use chunkeval_tests::tags::{strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn options_mean_what_they_mean_to_seqeval() {
    let mut tally = Tally::new("golden report options");
    for line in golden(Kind::ReportOptions) {
        let has = |key: &str| line.value.get(key).is_some();
        let checked = match () {
            () if has("performance_measure") => check_tokens(&line, &mut tally),
            () if has("function") => check_function(&line),
            () if has("average") => check_average(&line),
            () => Err("an option that nobody here knows"),
        };
        match checked {
            Ok(()) => tally.ran(),
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(545);
}

/// Our report; `None` if we refuse the input as seqeval does.
fn report(line: &Line, mode: Mode) -> Result<Option<ChunkReport>, &'static str> {
    let value = &line.value;
    let input = Input::read(value).ok_or("no lists of lists of strings")?;
    let zero_division = zero_division(value.get("zero_division").unwrap_or(&"warn".into()));
    let answer = input.report(Options { style: style(value), mode, zero_division });
    let Err(problems) = answer else { return Ok(answer.ok().map(|a| a.report)) };
    let expected = &value["result"]["error"];
    let meant = problems.iter().any(|problem| means(problem, expected, style(value)));
    assert!(meant, "{}: {problems:?}, expected {}", line.place, value["result"]);
    Ok(None)
}

/// `precision_recall_fscore_support`, with `beta`, `average` and `warn_for`.
fn check_average(line: &Line) -> Result<(), &'static str> {
    let (place, value) = (&line.place, &line.value);
    let (result, expected) = (&value["result"], &value["result"]["ok"]);
    let error = &result["error"]["text"];
    let beta = match &value["beta"] {
        Value::Null => Ok(Beta::ONE),
        Value::String(text) => Beta::new(text.parse().unwrap()),
        number => Beta::new(number.as_f64().unwrap()),
    };
    let Ok(beta) = beta else {
        assert_eq!(error, "beta should be >=0 in the F-beta score", "{place}");
        return Ok(());
    };
    let average: Option<Average> = match &value["average"] {
        Value::Null => None,
        name => match name.as_str().map(str::parse) {
            Some(Ok(average)) => Some(average),
            // No such average, or, as the name of one, no string.
            _ => {
                let text = error.as_str().unwrap();
                assert!(text.starts_with("average has to be one of"), "{place}: {result}");
                return Ok(());
            }
        },
    };
    let Some(report) = report(line, Mode::Lenient)? else { return Ok(()) };
    match average {
        Some(average) => {
            let found = report.average_by(average, beta);
            assert_score(found.precision, &expected["precision"], place);
            assert_score(found.recall, &expected["recall"], place);
            assert_score(found.f_score, &expected["f1"], place);
            assert_eq!(found.support, expected["support"], "{place}");
        }
        None => {
            let types: Vec<_> = report.found_types().map(|t| t.scores).collect();
            assert_eq!(types.len(), expected["f1"].as_array().unwrap().len(), "{place}");
            for (i, scores) in types.iter().enumerate() {
                let f_score = scores.counts.f_beta(beta, report.zero_division);
                assert_score(scores.precision, &expected["precision"][i], place);
                assert_score(scores.recall, &expected["recall"][i], place);
                assert_score(f_score, &expected["f1"][i], place);
                assert_eq!(scores.counts.gold, expected["support"][i], "{place}");
            }
        }
    }
    if let Some(warn_for) = strings(&value["warn_for"]) {
        let score = |name: &String| match &**name {
            "precision" => Score::Precision,
            "recall" => Score::Recall,
            _ => Score::FScore,
        };
        let scores: Vec<Score> = warn_for.iter().map(score).collect();
        let found: Vec<String> = match value["zero_division"] == "warn" {
            true => seqeval_warnings(&report, average, &scores),
            false => Vec::new(),
        };
        let expected = strings(&result["warnings"]).unwrap_or_default();
        let of_scores = expected.iter().filter_map(|w| w.strip_prefix("UndefinedMetricWarning: "));
        assert_eq!(found, of_scores.collect::<Vec<_>>(), "{place}");
    }
    Ok(())
}

/// A function that takes `mode` and `scheme`. What seqeval decides silently from the two is said
/// with a [`Mode`] here.
fn check_function(line: &Line) -> Result<(), &'static str> {
    let (place, value) = (&line.place, &line.value);
    let function = value["function"].as_str().unwrap();
    let strict = value["mode"] == "strict";
    let mode = match value["scheme"].as_str() {
        Some(scheme) if strict => Mode::Strict(scheme.parse().unwrap()),
        None if strict && function == "classification_report" => {
            let input = Input::read(value).ok_or("no lists of lists of strings")?;
            let tags = input.gold.iter().flatten();
            Mode::Strict(Scheme::detect_as_seqeval(tags, style(value)).unwrap())
        }
        _ => Mode::Lenient,
    };
    let Some(report) = report(line, mode)? else { return Ok(()) };
    let micro = report.average(Average::Micro);
    let expected = &value["result"]["ok"];
    match function {
        "precision_score" => assert_score(micro.precision, expected, place),
        "recall_score" => assert_score(micro.recall, expected, place),
        "f1_score" => assert_score(micro.f_score, expected, place),
        "classification_report" => {
            let digits = value["digits"].as_u64().unwrap_or(2).try_into().unwrap();
            assert_eq!(seqeval_text(&report, digits).unwrap(), *expected, "{place}");
        }
        _ => return Err("a function that nobody here knows"),
    }
    Ok(())
}

/// Flat, unequal and mixed input. We take two lists of equal length; the rest is made into that
/// here as seqeval does it.
fn check_tokens(line: &Line, tally: &mut Tally) -> Result<(), &'static str> {
    let (gold, predicted) = flat(&line.value);
    let shorter = gold.len().min(predicted.len());
    if gold.len() != predicted.len() {
        assert!(TokenCounts::of_tags(&gold, &predicted).is_err(), "{}", line.place);
        tally.note(&line.place, "sides of different lengths, an error here: up to the shorter");
    }
    let counts = TokenCounts::of_tags(&gold[..shorter], &predicted[..shorter]).unwrap();
    assert_tokens(&line.place, &counts, gold.len(), &line.value);
    Ok(())
}
