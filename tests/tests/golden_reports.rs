//! seqeval's scores and reports, default and strict mode: every score bit for bit, the text byte
//! for byte, the dictionary, the warnings, accuracy and `performance_measure`.

use chunkeval::report::{NoTypes, seqeval_text, seqeval_warnings};
use chunkeval::{
    Average, Beta, ChunkReport, Error, Metric, Mode, Scheme, Score, TagRows, TagStyle, TokenCounts,
    TokenEvaluator,
};
use chunkeval_tests::seqeval::{
    Answer, Input, Options, assert_dict, assert_score, assert_tokens, flat, means, zero_division,
};
use chunkeval_tests::tags::{strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn default_reports_equal_seqeval() {
    let mut tally = Tally::new("golden reports");
    for line in golden(Kind::Reports) {
        check_tokens(&line, &mut tally);
        check(&line, Mode::Lenient, &mut tally);
    }
    tally.expect(380);
}

#[test]
fn strict_reports_equal_seqeval() {
    let mut tally = Tally::new("golden strict reports");
    for line in golden(Kind::StrictReports) {
        match line.value["scheme"].as_str() {
            Some(scheme) => check(&line, Mode::Strict(scheme.parse().unwrap()), &mut tally),
            None => check_detected(&line, &mut tally),
        }
    }
    tally.expect(449);
}

/// A strict report without a scheme: seqeval looks for one in the gold tags.
fn check_detected(line: &Line, tally: &mut Tally) {
    let Some(input) = Input::read(&line.value) else { return unwritable(line, tally) };
    if input.gold.is_empty() {
        return no_sentence(line, tally);
    }
    let scheme = Scheme::detect_as_seqeval(input.gold.iter().flatten(), style(&line.value));
    match scheme {
        Ok(scheme) => check(line, Mode::Strict(scheme), tally),
        Err(error) => {
            let mut problems = vec![error];
            problems.extend(TagRows::new(&input.gold, &input.predicted).err());
            assert_problems(line, &problems);
            tally.ran();
        }
    }
}

const AVERAGES: [(&str, Average); 3] =
    [("micro", Average::Micro), ("macro", Average::Macro), ("weighted", Average::Weighted)];
const BAD_BETA: &str = "beta should be >=0 in the F-beta score";
const ALL: [Score; 3] = [Score::Precision, Score::Recall, Score::FScore];

fn check(line: &Line, mode: Mode, tally: &mut Tally) {
    let (place, value) = (&line.place, &line.value);
    let Some(input) = Input::read(value) else { return unwritable(line, tally) };
    if input.gold.is_empty() && input.predicted.is_empty() {
        return no_sentence(line, tally);
    }
    let zero_division = zero_division(&value["zero_division"]);
    let answer = input.report(Options { style: style(value), mode, zero_division });
    let Answer { report, joined } = match answer {
        Ok(answer) => answer,
        Err(problems) => {
            assert_problems(line, &problems);
            return tally.ran();
        }
    };
    if joined {
        tally.note(place, "a chunk that begins in an earlier sentence: the joined reading");
    }
    check_text_and_dict(line, &report);
    check_scores(line, &report, tally);
    tally.ran();
}

fn check_text_and_dict(line: &Line, report: &ChunkReport) {
    let (place, value) = (&line.place, &line.value);
    let digits = value["digits"].as_u64().unwrap().try_into().unwrap();
    match (seqeval_text(report, digits), &value["report_text"]) {
        (Ok(text), expected) => assert_eq!(json!({"ok": text}), *expected, "{place}"),
        (Err(NoTypes), expected) => {
            assert_eq!(expected["error"]["text"], "max() arg is an empty sequence", "{place}");
        }
    }
    if let Some(outcome) = value.get("report_dict") {
        assert_dict(report, &outcome["ok"], place);
    }
}

/// Averages, scores per type and warnings; some lines have none of them.
fn check_scores(line: &Line, report: &ChunkReport, tally: &mut Tally) {
    let (place, value) = (&line.place, &line.value);
    let Some(beta) = beta(line) else {
        for key in ["micro", "macro", "weighted", "per_type"] {
            let Some(outcome) = value.get(key) else { continue };
            assert_eq!(outcome["error"]["text"], BAD_BETA, "{place}");
        }
        return tally.note(place, "a negative beta, refused by Beta::new");
    };
    let warn = value["zero_division"] == "warn";
    let warned = |average, of: &[Score]| match warn {
        true => seqeval_warnings(report, average, of),
        false => Vec::new(),
    };
    for (key, average) in AVERAGES {
        let Some(outcome) = value.get(key) else { continue };
        let (found, expected) = (report.average_by(average, beta), &outcome["ok"]);
        assert_score(found.precision, &expected["precision"], &format!("{place}: {key}"));
        assert_score(found.recall, &expected["recall"], &format!("{place}: {key}"));
        assert_score(found.f_score, &expected["f1"], &format!("{place}: {key}"));
        assert_eq!(found.support, expected["support"], "{place}: {key}");
        assert_eq!(warned(Some(average), &ALL), warnings(outcome), "{place}: {key}");
    }
    if let Some(outcome) = value.get("per_type") {
        let expected = &outcome["ok"];
        let types: Vec<_> = report.found_types().collect();
        let names: Vec<&str> = types.iter().map(|t| &*t.entity_type).collect();
        assert_eq!(json!(names), outcome["types"], "{place}");
        for (i, t) in types.iter().enumerate() {
            let (s, place) = (&t.scores, format!("{place}: {}", t.entity_type));
            assert_score(s.precision, &expected["precision"][i], &place);
            assert_score(s.recall, &expected["recall"][i], &place);
            let f_score = s.counts.f_beta(beta, report.zero_division);
            assert_score(f_score, &expected["f1"][i], &place);
            assert_eq!(s.counts.gold, expected["support"][i], "{place}");
        }
        assert_eq!(warned(None, &ALL), warnings(outcome), "{place}");
    }
    if let Some(scalars) = value.get("scalar_warnings") {
        let functions = ["precision_score", "recall_score", "f1_score"];
        for (function, score) in functions.into_iter().zip(ALL) {
            let found = warned(Some(Average::Micro), &[score]);
            let expected = json!({"warnings": scalars[function]});
            assert_eq!(found, warnings(&expected), "{place}: {function}");
        }
    }
}

/// The F score that was asked for; `None` if it is refused.
fn beta(line: &Line) -> Option<Beta> {
    let beta = match &line.value["beta"] {
        Value::Null => 1.0,
        Value::String(text) => text.parse().unwrap(),
        number => number.as_f64().unwrap(),
    };
    Beta::new(beta).ok()
}

/// The texts of the `UndefinedMetricWarning`s. numpy's own about means of nothing are left out:
/// the mean itself says it, being no number.
fn warnings(outcome: &Value) -> Vec<String> {
    let all = strings(&outcome["warnings"]).unwrap_or_default();
    all.iter()
        .filter_map(|w| w.strip_prefix("UndefinedMetricWarning: "))
        .map(str::to_owned)
        .collect()
}

/// Every outcome of a line is an exception that one of our errors stands for.
fn assert_problems(line: &Line, problems: &[Error]) {
    let place = &line.place;
    for key in ["micro", "macro", "weighted", "per_type", "report_text", "report_dict"] {
        let Some(outcome) = line.value.get(key) else { continue };
        let expected = &outcome["error"];
        let meant = problems.iter().any(|p| means(p, expected, style(&line.value)));
        // seqeval looks for types before it compares lengths.
        let no_types = expected["text"] == "max() arg is an empty sequence";
        // And it judges beta before anything else.
        let beta = expected["text"] == BAD_BETA && beta(line).is_none();
        assert!(meant || no_types || beta, "{place}: {key}: {problems:?}, expected {outcome}");
    }
}

/// Input that Rust's types do not admit: tags that are no strings, sentences that are no lists.
fn unwritable(line: &Line, tally: &mut Tally) {
    for key in ["micro", "macro", "weighted", "per_type", "report_text", "report_dict"] {
        let Some(outcome) = line.value.get(key) else { continue };
        let error = outcome["error"]["type"].as_str();
        let refused = matches!(error, Some("TypeError" | "AttributeError"));
        assert!(refused, "{}: {key}: {outcome}", line.place);
    }
    tally.skip(&line.place, "no lists of lists of strings: seqeval refuses it, Rust's types too");
}

/// seqeval refuses an input without sentences; to a stream of batches it is one that has not begun.
fn no_sentence(line: &Line, tally: &mut Tally) {
    for key in ["micro", "macro", "weighted", "per_type", "report_dict"] {
        let Some(outcome) = line.value.get(key) else { continue };
        assert_eq!(outcome["error"]["type"], "TypeError", "{}", line.place);
    }
    let options = Options {
        style: TagStyle::Prefix,
        mode: Mode::Lenient,
        zero_division: zero_division(&line.value["zero_division"]),
    };
    let nothing = Input { gold: Vec::new(), predicted: Vec::new() }.report(options).unwrap();
    assert_eq!(seqeval_text(&nothing.report, 4), Err(NoTypes));
    tally.skip(&line.place, "no sentences: seqeval refuses it, here it is nothing seen yet");
}

/// Accuracy and `performance_measure`, from texts and, where rows can be written, from ids.
fn check_tokens(line: &Line, tally: &mut Tally) {
    let (place, value) = (&line.place, &line.value);
    if value.get("accuracy").is_none() {
        return;
    }
    let (gold, predicted) = flat(value);
    let shorter = gold.len().min(predicted.len());
    let counts = TokenCounts::of_tags(&gold[..shorter], &predicted[..shorter]).unwrap();
    if gold.len() != predicted.len() {
        assert!(TokenCounts::of_tags(&gold, &predicted).is_err());
        tally.note(place, "sides of different lengths, an error here: compared up to the shorter");
    }
    assert_tokens(place, &counts, gold.len(), value);

    let Some(input) = Input::read(value) else { return };
    let Ok(rows) = TagRows::new(&input.gold, &input.predicted) else { return };
    let mut metric = TokenEvaluator::new(rows.labels()).unwrap();
    metric.update(rows.batch()).unwrap();
    assert_eq!(metric.accumulate().counts, counts, "{place}");
}
