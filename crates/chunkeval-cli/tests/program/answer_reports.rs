//! Reports of answers: which tables they have, and of what.

use serde_json::Value;

use crate::run::{Folder, SAMPLE, chunkeval};

/// Four answers: one in single quotes, one that only the lenient reading reads, one that none does.
const ANSWERS: &str = r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{'PER': ['Ada']}"}
{"text": "Bo", "gold": {"PER": ["Bo"]}, "prediction": "{PER: [Bo]}"}
{"text": "Cy", "gold": {"PER": ["Cy"]}, "prediction": "no idea"}
{"text": "Di in Oslo", "gold": {"PER": ["Di"], "LOC": ["Oslo"]}, "prediction": "{'PER': ['Di'], 'LOC': ['Bonn']}"}
"#;

fn json(file: &str, more: &[&str]) -> Value {
    chunkeval(["llm", file, "--preset", "plain", "--format", "json"].iter().chain(more)).json()
}

#[test]
fn every_table_has_intervals() {
    let folder = Folder::new();
    let file = folder.file("f", ANSWERS);
    let ci = ["--ci", "--resamples", "200"];
    let found = json(&file, &[&["--both"], &ci[..]].concat());
    let micro = |found: &Value, key: &str| {
        let rows = found[key].as_array().unwrap_or_else(|| panic!("{key}")).clone();
        rows.into_iter().rfind(|row| row["type"] == "micro").unwrap()
    };
    for key in ["", "_skip", "_strict_skip", "_strict_count_as_empty"] {
        let row = micro(&found, &format!("intervals{key}"));
        let scores = &found[format!("scores{key}")]["averages"]["micro"];
        for score in ["precision", "recall", "f1"] {
            assert_eq!(row[score], scores[score], "{key} {score}");
        }
    }
    assert_ne!(found["intervals"], found["intervals_skip"]);
    // Those of a reading are the same with and without another one beside it.
    let strict = json(&file, &[&["--strict"], &ci[..]].concat());
    assert_eq!(strict["intervals"], found["intervals_strict_count_as_empty"]);
    assert_eq!(strict["intervals_skip"], found["intervals_strict_skip"]);
    assert_eq!(json(&file, &["--both"]).get("intervals_skip"), None);

    let text = chunkeval(["llm", &file, "--preset", "plain", "--both", "--ci"]).ok();
    for reading in ["lenient", "strict"] {
        for how in ["skipped (as published)", "counted as empty"] {
            let heading = format!("\nIntervals, {reading} reading, unreadable answers {how}\n");
            assert_eq!(text.matches(&heading).count(), 1, "{heading}{text}");
        }
    }
    let html = ["llm", &file, "--preset", "plain", "--both", "--ci", "--format", "html"];
    let html = chunkeval(html).ok();
    assert_eq!(html.matches("95% percentile intervals").count(), 4, "{html}");

    // All four answers are drawn for every table, those that could not be read among them.
    assert_eq!(text.matches(", 1000 resamples of 4 answers, seed 0").count(), 4, "{text}");
    for page in [&text, &html] {
        let told = "Resamples are of all 4 answers: the 1 that could not be read is drawn, too, and \
                    counts for nothing.";
        assert_eq!(page.matches(told).count(), 1, "{page}"); // lenient
        let told = "the 2 that could not be read are drawn, too, and count for nothing.";
        assert_eq!(page.matches(told).count(), 1, "{page}"); // strict
    }
    let after =
        text.split("Intervals, lenient reading, unreadable answers skipped").nth(1).unwrap();
    let table = after.split("\n\n").next().unwrap();
    assert!(table.contains("the 1 that could not be read"), "{text}");
    let readable: String = ANSWERS.lines().step_by(3).map(|line| format!("{line}\n")).collect();
    let all_read = folder.file("read", readable);
    let text = chunkeval(["llm", &all_read, "--preset", "plain", "--ci"]).ok();
    assert!(!text.contains("Resamples are of all"), "{text}");
}

#[test]
fn a_gate_has_a_baseline_for_every_table() {
    let folder = Folder::new();
    let ci = ["--ci", "--format", "json", "--resamples", "100"];
    let answers = folder.file("f", ANSWERS);
    let answers = ["llm", &answers, "--preset", "plain", "--both"];
    let baseline = folder.file("b.json", chunkeval(answers.iter().chain(&ci)).ok());
    let gate = |baseline: &str, score: &str| {
        let args = ["gate", baseline, "--baseline", baseline, "--score", score, "--format", "json"];
        chunkeval(args)
    };
    let low = |baseline: &str, score: &str| {
        gate(baseline, score).json()["checks"][0]["least"].as_f64().unwrap()
    };
    let found: Value = serde_json::from_str(&std::fs::read_to_string(&baseline).unwrap()).unwrap();
    let of = |key: &str, name: &str, score: &str| {
        let rows = found[key].as_array().unwrap();
        rows.iter().rfind(|row| row["type"] == name).unwrap()[score].as_f64().unwrap()
    };
    assert_eq!(low(&baseline, "skip.f1"), of("intervals_skip", "micro", "f1_low"));
    assert_eq!(low(&baseline, "skip.PER.recall"), of("intervals_skip", "PER", "recall_low"));
    let strict = of("intervals_strict_count_as_empty", "macro", "f1_low");
    assert_eq!(low(&baseline, "strict.macro.f1"), strict);

    let tags = folder.file("t", SAMPLE);
    let tags = ["tags", &tags, "--both", "--scheme", "IOB2"];
    let baseline = folder.file("t.json", chunkeval(tags.iter().chain(&ci)).ok());
    assert_ne!(low(&baseline, "IOB2.recall"), low(&baseline, "recall"));
    // A result without intervals says so, and which were wanted.
    let without = folder.file("n.json", chunkeval(tags.iter().chain(&["--format", "json"])).ok());
    let ran = gate(&without, "IOB2.f1");
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no intervals for IOB2.f1"), "{}", ran.err);
}

#[test]
fn both_readings_of_tags_have_intervals() {
    let folder = Folder::new();
    let file = folder.file("t", SAMPLE);
    let of = |more: &[&str]| {
        chunkeval(["tags", &file, "--ci", "--format", "json"].iter().chain(more)).json()
    };
    let both = of(&["--both", "--scheme", "IOB2"]);
    assert_eq!(both["intervals"], of(&[])["intervals"]);
    assert_eq!(both["intervals_IOB2"], of(&["--scheme", "IOB2"])["intervals"]);
    let args = ["tags", &file, "--ci", "--both", "--scheme", "IOB2"];
    let text = chunkeval(args).ok();
    assert!(text.contains("\nIntervals, lenient reading\n"), "{text}");
    assert!(text.contains("\nIntervals, IOB2 reading\n"), "{text}");
}

#[test]
fn the_level_of_intervals_can_be_set() {
    let folder = Folder::new();
    let file = folder.file("f", ANSWERS);
    let args = ["llm", &file, "--preset", "plain"];
    let text = chunkeval(args.iter().chain(&["--ci", "--level", "0.8"])).ok();
    assert!(text.contains("80% percentile intervals"), "{text}");
    let width = |level: &str| {
        let found = json(&file, &["--ci", "--level", level]);
        let row = found["intervals"].as_array().unwrap().last().unwrap().clone();
        row["recall_high"].as_f64().unwrap() - row["recall_low"].as_f64().unwrap()
    };
    assert!(width("0.5") < width("0.99"));
    assert_eq!(chunkeval(args.iter().chain(&["--ci", "--level", "95"])).code, 2);
    assert_eq!(chunkeval(args.iter().chain(&["--level", "0.9"])).code, 2);
}

/// The records of a CSV with their fields by name.
fn records(csv: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    let record = |line: Vec<String>| {
        assert_eq!(line.len(), head.len(), "{line:?}");
        head.iter().cloned().zip(line).collect()
    };
    lines.map(|line| record(line.collect())).collect()
}

#[test]
fn csv_has_the_scores_of_every_reading_and_treatment() {
    let folder = Folder::new();
    let file = folder.file("f", ANSWERS);
    let more = ["--both", "--ci", "--errors", "2", "--by", "length,type"];
    let args = ["llm", &file, "--preset", "plain"];
    let ran = chunkeval(args.iter().chain(&more).chain(&["--format", "csv"]));
    assert_eq!(ran.code, 0);
    let found = json(&file, &more);
    let records = records(&ran.out);
    assert_eq!(records[0]["reading"], "lenient", "the scores that count come first");
    assert_eq!(records[0]["treatment"], "count_as_empty");
    for (key, reading, treatment) in [
        ("", "lenient", "count_as_empty"),
        ("_skip", "lenient", "skip"),
        ("_strict_count_as_empty", "strict", "count_as_empty"),
        ("_strict_skip", "strict", "skip"),
    ] {
        let of = |name: &str| {
            let is = |record: &&std::collections::BTreeMap<String, String>| {
                [&record["reading"], &record["treatment"], &record["name"]]
                    == [reading, treatment, name]
            };
            records.iter().find(is).unwrap_or_else(|| panic!("{key} {name}")).clone()
        };
        let scores = &found[format!("scores{key}")];
        let number = |text: &str| text.parse::<f64>().ok();
        for average in ["micro", "macro", "weighted"] {
            let record = of(average);
            for score in ["precision", "recall", "f1", "support"] {
                let expected = scores["averages"][average][score].as_f64();
                assert_eq!(number(&record[score]), expected, "{key} {average} {score}");
            }
            let rows = found[format!("intervals{key}")].as_array().unwrap();
            let row = rows.iter().rfind(|row| row["type"] == average).unwrap();
            for end in ["f1_low", "f1_high"] {
                assert_eq!(number(&record[end]), row[end].as_f64(), "{key} {average} {end}");
            }
        }
        assert_eq!(of("PER")["kind"], "type");
        assert_eq!(of("macro")["predicted"], "");
        assert_eq!(number(&of("micro")["answers"]), scores["diagnostics"]["rows"].as_f64());
        assert_eq!(of("micro")["signature"], scores["signature"].as_str().unwrap());
    }
    let lengths: Vec<_> = records.iter().filter(|record| record["kind"] == "length").collect();
    assert_eq!(lengths.len(), 9);
    assert_eq!((&*lengths[0]["name"], &*lengths[0]["answers"]), ("≤20", "4"));
    // What is no score is told beside it.
    let told = "note: 1 of 4 answers could not be read (lenient reading: ";
    assert!(ran.err.contains(told), "{}", ran.err);
    let rest = "note: CSV has the scores alone; --format json has by_type, errors_by_kind, \
                errors, too.\n";
    assert!(ran.err.contains(rest), "{}", ran.err);
}

#[test]
fn csv_of_tags_has_the_scores_whatever_else_is_asked_for() {
    let folder = Folder::new();
    let file = folder.file("t", SAMPLE);
    let of = |more: &[&str]| {
        let ran = chunkeval(["tags", &file, "--format", "csv"].iter().chain(more));
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let scores = of(&[]);
    assert_eq!(scores.err, "");
    let errors = of(&["--errors", "1", "--by", "type"]);
    assert_eq!(errors.out, scores.out);
    assert!(errors.err.contains("has by_type, errors_by_kind, errors, too"), "{}", errors.err);
    let both = of(&["--both", "--scheme", "IOB2", "--by", "length"]);
    assert!(both.out.starts_with(scores.out.lines().next().unwrap()), "{}", both.out);
    let both = records(&both.out);
    for (reading, correct) in [("lenient", "3"), ("IOB2", "2")] {
        let of_reading = both.iter().filter(|record| record["reading"] == reading);
        let micro: Vec<_> = of_reading.filter(|record| record["name"] == "micro").collect();
        assert_eq!(micro.len(), 1);
        assert_eq!(micro[0]["correct"], correct);
    }
    assert_eq!(both.iter().filter(|record| record["kind"] == "length").count(), 12);
}

#[test]
fn a_report_is_split_by_several() {
    let folder = Folder::new();
    let (file, tags) = (folder.file("f", ANSWERS), folder.file("t", SAMPLE));
    for args in [&["llm", &*file, "--preset", "plain"][..], &["tags", &*tags]] {
        let of = |by: &[&str]| chunkeval(args.iter().chain(by).chain(&["--format", "json"])).json();
        let all = of(&["--by", "length,type"]);
        for by in ["length", "type"] {
            let key = format!("by_{by}");
            assert!(!all[&key].as_array().unwrap().is_empty());
            assert_eq!(all[&key], of(&["--by", by])[&key]);
        }
        assert_eq!(all, of(&["--by", "type", "--by", "length"]));
        assert_eq!(all["scores"], of(&[])["scores"]);
    }
}

/// A page of text in a cell makes a table that nobody can read.
#[test]
fn tables_for_people_show_what_long_texts_are_shown_for() {
    let folder = Folder::new();
    let (before, after) = ("weit fort ".repeat(100), " und so weiter".repeat(100));
    let text = format!("{before}\\nAda Lovelace\\n{after}");
    let line = format!(
        r#"{{"text": "{text}", "gold": {{"PER": ["Ada Lovelace"]}}, "prediction": "{{'PER': []}}"}}"#
    );
    let many = format!("{line}\n").repeat(60);
    let file = folder.file("f", &many);
    let run = |format: &str| {
        let args = ["llm", &file, "--preset", "plain", "--errors", "30", "--format", format];
        chunkeval(args).ok()
    };
    let whole = text.replace("\\n", "\n");
    let part = format!("…{} Ada Lovelace {}…", &before[before.len() - 39..], &after[..39]);
    for format in ["table", "md", "latex"] {
        let found = run(format);
        assert_eq!(found.matches(&part).count(), 30, "{found}");
        assert!(!found.contains("u{a}"), "{found}");
        let longest = found.lines().filter(|line| line.contains("line 1, ")).map(str::len).max();
        assert!(longest.is_some_and(|longest| longest < 150), "{longest:?}");
        assert!(found.contains("line 9, line 10, …"), "{found}");
    }
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["errors"][0]["text"].as_str(), Some(&*whole));
    let empty = json["health"].as_array().unwrap().iter().find(|row| row["health"] == "repaired");
    assert_eq!(empty.unwrap()["which"].as_array().unwrap().len(), 30);
    // Tags have texts, too.
    let tags = format!("{}Rome\tB-LOC\tO\n{0}", "weitwegundfort\tO\tO\n".repeat(100));
    let args = ["tags", &folder.file("t", tags), "--errors", "1"];
    let found = chunkeval(args).ok();
    assert!(found.contains("…") && found.contains(" Rome weitweg"), "{found}");
    assert!(found.lines().all(|line| line.chars().count() < 160), "{found}");
}

/// The sentences have as many digits as the tables.
#[test]
fn digits_are_those_of_the_sentences_too() {
    let folder = Folder::new();
    let more =
        r#"{"text": "Ed", "gold": {"PER": ["Ed"], "ORG": []}, "prediction": "{'PER': ['Ed']}"}"#;
    let file = folder.file("f", format!("{ANSWERS}{more}\n"));
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    let run = |digits: &str| {
        let args = ["llm", &file, "--preset", "plain", "--digits", digits, "--save-state", &state];
        let text = chunkeval(args).ok();
        let merged = chunkeval(["merge", &state, "--digits", digits]).ok();
        let sentences = ["Report micro F1 ", "Macro F1 as published scripts take it"];
        for sentence in sentences {
            let of = |text: &str| {
                let found = text.lines().find(|line| line.starts_with(sentence));
                found.unwrap_or_else(|| panic!("{sentence}: {text}")).to_owned()
            };
            assert_eq!(of(&text), of(&merged));
        }
        text
    };
    let two = run("2");
    assert!(two.contains("Report micro F1 0.67 (P 0.80, R 0.57; lenient"), "{two}");
    assert!(two.contains("unreadable answers counted as empty: 0.30."), "{two}");
    let six = run("6");
    assert!(six.contains("Report micro F1 0.666667 (P 0.800000, R 0.571429;"), "{six}");
    assert!(six.contains("unreadable answers counted as empty: 0.296296."), "{six}");
}
