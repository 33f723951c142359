//! Gates.

use crate::run::{Folder, SAMPLE, chunkeval, piped};

#[test]
fn thresholds_decide_the_exit_code() {
    let folder = Folder::new();
    let result = chunkeval(["tags", &folder.file("f", SAMPLE), "--format", "json"]).ok();
    let file = folder.file("result.json", &result);
    let gate = |args: &[&str]| chunkeval(["gate", &*file].iter().chain(args));
    // 5 gold, 4 predicted, 3 correct
    assert_eq!(gate(&["--min", "f1=0.66", "--min", "precision=0.75"]).code, 0);
    let failed = gate(&["--min", "f1=0.66", "--min", "PER.recall=0.6"]);
    assert_eq!(failed.code, 1);
    assert!(failed.out.contains("FAILED") && failed.out.contains("The gate failed."));
    assert_eq!(gate(&["--min", "地名.f1=1", "--format", "json"]).json()["passed"], true);
    assert_eq!(piped(&["gate", "-", "--min", "macro.f1=0.1"], result.as_bytes()).code, 0);

    let unknown = gate(&["--min", "ORG.f1=0.1"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.err.contains("the types are LOC, PER, 地名"), "{}", unknown.err);
    assert!(gate(&["--min", "f1=90"]).err.contains("is 0.9 meant?"));
    for number in ["inf", "1e9", "101"] {
        let told = gate(&["--min", &format!("f1={number}")]).err;
        assert!(told.contains("scores are from 0 to 1") && !told.contains("meant"), "{told}");
    }
    assert!(gate(&["--min", "f1=NaN"]).err.contains("scores are from 0 to 1"));
    // What fails is seen to: 3 of 5 for 0.6 does not, 6 of 9 for 0.6667 does.
    let close = gate(&["--min", "f1=0.6667", "--min", "recall=0.6"]);
    assert_eq!(close.code, 1);
    assert!(close.out.contains("0.66667  0.66670  --min  FAILED"), "{}", close.out);
    let close = gate(&["--min", "f1=0.666", "--digits", "2"]);
    assert!(close.out.contains("0.67   0.67  --min  passed"), "{}", close.out);
    assert!(gate(&["--min", "accuracy=0.9"]).err.contains("is no score"));
    assert_eq!(gate(&[]).code, 2);

    let none = chunkeval(["gate", &folder.file("x", "[]"), "--min", "f1=0"]).err;
    assert!(none.contains("no scores") && none.contains("chunkeval llm …"), "{none}");
}

/// A number that can be no score is no score that is high, and one that is undefined is not 0.
#[test]
fn what_is_no_score_is_named() {
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE);
    let result =
        chunkeval(["tags", &file, "--both", "--scheme", "IOB2", "--ci", "--format", "json"]);
    let whole: serde_json::Value = result.json();
    let last = |key: &str| whole[key].as_array().unwrap().len() - 3; // micro, before the others
    let micro_low = format!("/intervals/{}/f1_low", last("intervals"));
    let strict_low = format!("/intervals_IOB2/{}/f1_low", last("intervals_IOB2"));
    let whole_file = folder.file("whole", whole.to_string());
    for (place, name, key) in [
        ("/scores/averages/micro/f1", "f1", "f1 of micro in scores"),
        ("/scores/types/1/recall", "PER.recall", "recall of PER in scores"),
        ("/scores_IOB2/averages/macro/f1", "IOB2.macro.f1", "f1 of macro in scores_IOB2"),
        (&micro_low, "f1", "f1_low of micro in intervals"),
        (&strict_low, "IOB2.f1", "f1_low of micro in intervals_IOB2"),
    ] {
        for no_score in ["1.7", "-1", "\"0.9\"", "true", "[0.9]", "1.0000001"] {
            let mut edited = whole.clone();
            *edited.pointer_mut(place).unwrap() = serde_json::from_str(no_score).unwrap();
            let edited = folder.file("edited", edited.to_string());
            let ran = match place.starts_with("/intervals") {
                true => chunkeval(["gate", &whole_file, "--baseline", &edited, "--score", name]),
                false => chunkeval(["gate", &edited, "--min", &format!("{name}=0")]),
            };
            let told =
                format!("error: edited: {key} is {no_score}\nhint: a score is a number from 0 to");
            assert_eq!((ran.code, &*ran.out), (3, ""), "{key}");
            assert!(folder.short(&ran.err).starts_with(&told), "{}", ran.err);
        }
    }
    for no_json in ["NaN", "Infinity", "1e999"] {
        let text = whole.to_string().replacen("\"f1\":", &format!("\"f1\":{no_json}, \"\":"), 1);
        let ran = chunkeval(["gate", &folder.file("edited", text), "--min", "f1=0"]);
        assert_eq!((ran.code, &*ran.out), (3, ""));
        assert!(folder.short(&ran.err).starts_with("error: edited: no result: "), "{}", ran.err);
    }
    for digits in ["18", "400", "-1"] {
        let ran = chunkeval(["gate", &whole_file, "--min", "f1=0", &format!("--digits={digits}")]);
        assert!(ran.code == 2 && ran.err.contains("--digits"), "{}", ran.err);
    }
}

#[test]
fn an_undefined_score_does_not_pass() {
    let folder = Folder::new();
    // Where nothing is predicted, precision is 0 by the rule in the signature, and has no interval.
    let result = |name: &str, text: &str| {
        let file = folder.file("f", text);
        folder.file(name, chunkeval(["tags", &file, "--ci", "--format", "json"]).ok())
    };
    let none = result("none", "a\tB-X\tO\n\nb\tB-X\tO\n");
    let some = result("some", "a\tB-X\tB-X\n\nb\tB-X\tO\n");
    // So does a result without such a rule look, as those of answers.
    let mut edited: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&none).unwrap()).unwrap();
    edited["scores"]["averages"]["micro"]["precision"] = serde_json::Value::Null;
    edited["scores"]["types"][0]["precision"] = serde_json::Value::Null;
    let null = folder.file("null", edited.to_string());
    let gate = |args: &[&str]| {
        let ran = chunkeval(["gate"].iter().chain(args).chain(&["--format", "json"]));
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let verdicts: Vec<String> = found["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| format!("{} {} {}", check["value"], check["least"], check["verdict"]))
            .collect();
        (ran.code, verdicts.join(", "), found["passed"].as_bool().unwrap())
    };
    for (args, code, verdicts) in [
        (
            &[&*none, "--min", "f1=0", "--min", "recall=0"][..],
            0,
            "0.0 0.0 \"passed\", 0.0 0.0 \"passed\"",
        ),
        (&[&none, "--min", "precision=0"], 0, "0.0 0.0 \"passed\""),
        (&[&null, "--min", "precision=0"], 3, "null 0.0 \"UNDEFINED\""),
        (&[&null, "--min", "X.precision=0"], 3, "null 0.0 \"UNDEFINED\""),
        // What fails fails all the same.
        (
            &[&null, "--min", "precision=0", "--min", "f1=0.5"],
            1,
            "null 0.0 \"UNDEFINED\", 0.0 0.5 \"FAILED\"",
        ),
        (&[&null, "--baseline", &some, "--score", "precision"], 3, "null 1.0 \"UNDEFINED\""),
        (&[&some, "--baseline", &none, "--score", "precision"], 3, "1.0 null \"UNDEFINED\""),
    ] {
        assert_eq!(gate(args), (code, verdicts.to_owned(), code == 0), "{args:?}");
    }
    let ran = chunkeval(["gate", &null, "--min", "X.precision=0"]);
    let told = "The gate is not passed: X.precision is undefined: there is nothing to divide by.\n";
    assert!(ran.out.ends_with(told), "{}", ran.out);
    let ran = chunkeval(["gate", &some, "--baseline", &none, "--score", "precision"]);
    assert!(ran.out.contains("passed: precision of the baseline is undefined"), "{}", ran.out);
}

#[test]
fn a_reading_can_be_chosen() {
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE);
    let both = ["tags", &file, "--scheme", "IOB2", "--both", "--format", "json"];
    let result = folder.file("result.json", chunkeval(both).ok());
    let gate = |name: &str| chunkeval(["gate", &*result, "--format", "json", "--min", name]);
    // The last sentence has a stray I, which is a chunk read leniently alone.
    let value = |name: &str| {
        let ran = gate(&format!("{name}=0")).json();
        ran["checks"][0]["value"].as_f64().unwrap()
    };
    let found = ["recall", "lenient.recall", "lenient.LOC.recall"].map(value);
    assert_eq!(found, [3.0 / 5.0, 3.0 / 5.0, 1.0 / 2.0]);
    let found = ["IOB2.recall", "IOB2.micro.recall", "IOB2.LOC.recall"].map(value);
    assert_eq!(found, [2.0 / 5.0, 2.0 / 5.0, 0.0]);
    // The only scheme is the strict reading.
    let found = ["strict.recall", "strict.micro.recall", "strict.LOC.recall"].map(value);
    assert_eq!(found, [2.0 / 5.0, 2.0 / 5.0, 0.0]);
    let alone = ["tags", &file, "--scheme", "IOB2", "--format", "json"];
    let alone = chunkeval(alone).ok();
    assert_eq!(piped(&["gate", "-", "--min", "strict.recall=0.4"], alone.as_bytes()).code, 0);
    let lenient = chunkeval(["tags", &file, "--format", "json"]).ok();
    assert_eq!(piped(&["gate", "-", "--min", "strict.f1=0"], lenient.as_bytes()).code, 3);
    let unknown = gate("IOBES.f1=0");
    assert_eq!(unknown.code, 3);
    assert!(unknown.err.contains("other readings go before them: IOB2"), "{}", unknown.err);

    let lines = r#"{"label": {"PER": ["Ada"]}, "output": "PER: Ada"}
{"label": {"PER": ["Bo"]}, "output": "{PER: [Bo]}"}
{"label": {"PER": ["Cy"]}, "output": "{'PER': ['Cy']}"}
"#;
    let answers = folder.file("answers.jsonl", lines);
    let both = chunkeval(["llm", &answers, "--both", "--format", "json"]).ok();
    let gate = |name: &str, f1: f64| {
        let ran = piped(&["gate", "-", "--min", name, "--format", "json"], both.as_bytes()).json();
        assert_eq!(ran["checks"][0]["value"], f1, "{name}");
    };
    gate("recall=0", 2.0 / 3.0);
    gate("lenient.PER.recall=0", 2.0 / 3.0);
    gate("skip.f1=0", 1.0);
    gate("strict.recall=0", 1.0 / 3.0);
    gate("strict_skip.macro.f1=0", 1.0);
}

#[test]
fn a_baseline_is_held_with_its_interval() {
    let folder = Folder::new();
    let sentence = |right: bool| {
        let predicted = if right { "B-X" } else { "O" };
        format!("a\tB-X\t{predicted}\nb\tO\tO\n\n")
    };
    let text = |wrong: usize| (0..100).map(|i| sentence(i >= wrong)).collect::<String>();
    let result = |name: &str, wrong, more: &[&str]| {
        let file = folder.file("text", text(wrong));
        let args = ["tags", &file, "--format", "json"];
        folder.file(name, chunkeval(args.iter().chain(more)).ok())
    };
    let baseline = result("baseline", 20, &["--ci"]);
    let gate = |new: &str| chunkeval(["gate", new, "--baseline", &baseline]);
    assert_eq!(gate(&result("better", 10, &[])).code, 0);
    assert_eq!(gate(&result("luck", 22, &[])).code, 0);
    assert_eq!(gate(&result("worse", 50, &[])).code, 1);
    let other = result("other", 20, &["--scheme", "IOB2"]);
    let refused = gate(&other);
    assert_eq!(refused.code, 5);
    assert!(refused.err.contains("scored in different ways"), "{}", refused.err);
    let without = chunkeval(["gate", &baseline, "--baseline", &result("without", 20, &[])]);
    assert!(without.err.contains("hint: write the baseline with --ci"), "{}", without.err);
    let partial = std::fs::read_to_string(&baseline).unwrap();
    let partial = partial.replacen('{', "{\"left_out\": {\"sentences\": 1},", 1);
    let gated = chunkeval(["gate", &baseline, "--baseline", &folder.file("partial", partial)]);
    assert_eq!(gated.code, 0);
    assert!(gated.err.contains("partial: the baseline lacks sentences"), "{}", gated.err);
}

/// The table of the score counts, whatever the first one of the files is.
#[test]
fn a_baseline_is_held_in_the_table_of_the_score() {
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE.repeat(20));
    let result = |name: &str, more: &[&str]| {
        let args = ["tags", &file, "--format", "json", "--ci", "--resamples", "20"];
        let ran = chunkeval(args.iter().chain(more));
        assert_eq!(ran.code, 0, "{}", ran.err);
        folder.file(name, ran.out)
    };
    let gate = |new: &str, baseline: &str, score: &str| {
        let ran = chunkeval(["gate", new, "--baseline", baseline, "--score", score]);
        (ran.code, folder.short(ran.err.lines().next().unwrap_or_default()))
    };
    let passed = (0, String::new());
    let both = result("both", &["--both", "--scheme", "IOB2"]);
    let (lenient, strict) = (result("lenient", &[]), result("strict", &["--scheme", "IOB2"]));
    for (baseline, score) in
        [(&lenient, "f1"), (&lenient, "lenient.PER.f1"), (&strict, "IOB2.f1"), (&both, "IOB2.f1")]
    {
        assert_eq!(gate(&both, baseline, score), passed, "{score} in {baseline}");
        assert_eq!(gate(baseline, &both, score), passed, "{score} in {baseline}");
    }
    let differ = "error: both and strict were scored in different ways: f1 has mode:lenient in \
                  both, mode:IOB2 in strict";
    assert_eq!(gate(&both, &strict, "f1"), (5, differ.to_owned()));
    assert_eq!(gate(&both, &lenient, "IOB2.f1").0, 3, "there is no such score");
    // That the scheme was detected, and how surely, is no other way of scoring.
    let detected = result("detected", &["--mode", "strict"]);
    assert_eq!(
        [gate(&detected, &strict, "f1"), gate(&both, &detected, "IOB2.f1")],
        [(); 2].map(|()| passed.clone())
    );

    // Other tables than the first can differ, and in more than one way.
    let mut edited: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&both).unwrap()).unwrap();
    let signature = edited["scores_IOB2"]["signature"].as_str().unwrap();
    edited["scores_IOB2"]["signature"] =
        signature.replace("|zero:0", "").replace("style:prefix", "style:suffix").into();
    let other = folder.file("other", edited.to_string());
    assert_eq!(gate(&both, &other, "f1"), passed);
    let (code, err) = gate(&both, &other, "IOB2.PER.f1");
    let differ =
        "IOB2.PER.f1 has style:prefix and zero:0 in both, style:suffix and no zero in other";
    assert!(code == 5 && err.ends_with(differ), "{err}");

    let lines = r#"{"label": {"PER": ["Ada"]}, "output": "PER: Ada"}
{"label": {"PER": ["Bo", " "]}, "output": "{PER: [Bo]}"}
{"label": {"PER": ["Cy"]}, "output": "{'PER': ['Cy']}"}
"#;
    let file = folder.file("answers.jsonl", lines);
    let result = |name: &str, more: &[&str]| {
        let args = ["llm", &file, "--format", "json", "--ci", "--resamples", "20"];
        folder.file(name, chunkeval(args.iter().chain(more)).ok())
    };
    // The strict reading has a blank gold entity more, which is no other gold standard.
    let (both, strict) = (result("both", &["--both"]), result("strict", &["--strict"]));
    assert_eq!(gate(&both, &strict, "strict.f1"), passed);
    let differ = "f1 has reading:lenient in both, reading:strict in strict";
    assert!(gate(&both, &strict, "f1").1.ends_with(differ));
}

#[test]
fn a_baseline_of_other_gold_is_refused() {
    let folder = Folder::new();
    let sentence = |tag: &str| format!("a\t{tag}\t{tag}\nb\tB-LOC\tO\n\n");
    let result = |name: &str, tags: &[&str], more: &[&str]| {
        let text: String = tags.iter().map(|tag| sentence(tag)).collect();
        let file = folder.file("text", text);
        let ran = chunkeval(["tags", &file, "--format", "json"].iter().chain(more));
        folder.file(name, ran.ok())
    };
    let baseline = result("baseline", &["B-PER", "B-PER", "O", "B-ORG"], &["--ci"]);
    let gate = |new: &str, more: &[&str]| {
        let ran = chunkeval(["gate", new, "--baseline", &baseline].iter().chain(more));
        (ran.code, folder.short(&ran.err))
    };
    for (tags, reason) in [
        (&["B-PER", "B-PER"][..], "type LOC, baseline has 4"),
        (&["B-PER", "O", "O", "B-ORG"], "new has 1 gold entities of type PER, baseline has 2"),
        (
            &["B-PER", "B-PER", "B-NEW", "B-ORG"],
            "new has 1 gold entities of type NEW, baseline has 0",
        ),
    ] {
        let new = result("new", tags, &[]);
        let (code, err) = gate(&new, &[]);
        assert!(code == 5 && err.starts_with("error: another gold standard: new has"), "{err}");
        assert!(
            err.contains(reason) && err.contains("hint: ") && err.contains("--allow-other-gold")
        );
        let (code, err) = gate(&new, &["--allow-other-gold"]);
        assert!(code == 0 && err.starts_with("warning: another gold standard: "), "{err}");
    }
    let mut more: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&baseline).unwrap()).unwrap();
    more["scores"]["diagnostics"]["rows"] = 5.into();
    let (code, err) = gate(&folder.file("new", more.to_string()), &[]);
    assert!(code == 5 && err.contains("new has 5 sentences, baseline has 4"), "{err}");
    assert_eq!(gate(&baseline, &[]), (0, String::new()));
    assert_eq!(chunkeval(["gate", &baseline, "--min", "f1=0", "--allow-other-gold"]).code, 2);
}

/// Skipped answers take their gold entities with them, and are no other gold.
#[test]
fn skipped_answers_are_no_other_gold() {
    let folder = Folder::new();
    let result = |name: &str, answers: &[&str], more: &[&str]| {
        let line = |answer: &&str| {
            let label = r#"[{"entity": "Ada", "entity_type": "PER"}]"#;
            format!("{{\"label\": {label}, \"output\": \"{answer}\"}}\n")
        };
        let file = folder.file("answers.jsonl", answers.iter().map(line).collect::<String>());
        let args = ["llm", &file, "--on-unreadable", "skip", "--format", "json"];
        folder.file(name, chunkeval(args.iter().chain(more)).ok())
    };
    let right = "{'PER': ['Ada']}";
    let baseline = result("baseline", &[right, right, "?"], &["--ci"]);
    let gate = |new: &str| chunkeval(["gate", new, "--baseline", &baseline]);
    let ran = gate(&result("new", &[right, right, right], &[]));
    assert_eq!((ran.code, &*ran.err), (0, ""));
    let ran = gate(&result("new", &[right, right], &[]));
    assert!(ran.code == 5 && ran.err.contains("2 answers, "), "{}", ran.err);
}

#[test]
fn a_result_of_a_part_is_named() {
    let folder = Folder::new();
    let text = "a\tB-X\tB-X\n\nb\n";
    let file = folder.file("text", text);
    let part = chunkeval(["tags", &file, "--keep-going", "--format", "json"]);
    let gate = |content: &str, more: &[&str]| {
        let args = ["gate", &folder.file("r", content), "--min", "f1=0.5"].map(str::to_owned);
        chunkeval(args.into_iter().chain(more.iter().map(|&arg| arg.to_owned())))
    };
    // It does not pass, though its scores would; what fails fails all the same.
    let gated = gate(&part.out, &[]);
    assert_eq!((part.code, gated.code), (3, 3));
    let lacks = "the result lacks sentences that were left out with --keep-going";
    assert!(gated.out.ends_with(&format!("The gate is not passed: {lacks}.\n")), "{}", gated.out);
    assert!(gated.err.contains(lacks) && gated.err.contains("--allow-partial"), "{}", gated.err);
    assert_eq!(gate(&part.out, &["--min", "f1=1", "--min", "precision=1"]).code, 3);
    let failed = part.out.replace("\"f1\": 1.0", "\"f1\": 0.25");
    assert_eq!(gate(&failed, &[]).code, 1);
    let allowed = gate(&part.out, &["--allow-partial"]);
    assert_eq!(allowed.code, 0);
    assert!(allowed.out.contains("The gate passed.") && allowed.err.contains(lacks));
    let whole = part.out.replace("\"sentences\": 1", "\"sentences\": 0");
    assert_eq!(gate(&whole, &[]).err, "");
    let mut value: serde_json::Value = serde_json::from_str(&part.out).unwrap();
    value["interrupted"] = true.into();
    let interrupted = gate(&value.to_string(), &[]);
    assert_eq!(interrupted.code, 3);
    assert!(interrupted.err.contains("was interrupted"));
    // Scores without their intervals are those of the whole.
    value["left_out"]["sentences"] = 0.into();
    value["missing"] = serde_json::json!(["intervals"]);
    assert_eq!(gate(&value.to_string(), &[]).code, 0);
    value["missing"] = serde_json::json!(["input", "intervals"]);
    assert_eq!(gate(&value.to_string(), &[]).code, 3);
}
