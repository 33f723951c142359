//! Shards scored apart add up to the whole.

use serde_json::{Value, json};

use crate::html::{headings, parse, row};
use crate::run::{Folder, Ran, SAMPLE, chunkeval};

#[test]
fn shards_add_up_to_the_whole() {
    let folder = Folder::new();
    let (first, second) = SAMPLE.split_at(SAMPLE.find("张").unwrap());
    let whole = folder.file("whole.tsv", SAMPLE);
    let state = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut states = Vec::new();
    for (name, text) in [("1", first), ("2", second)] {
        let (file, to) = (folder.file(&format!("{name}.tsv"), text), state(name));
        chunkeval(["tags", &file, "--ci", "--save-state", &to]).ok();
        states.push(to);
    }
    let expected = chunkeval(["tags", &whole, "--format", "json"]).json();
    let sum = state("sum");
    let merged = ["merge", &states[0], &states[1], "--format", "json", "--save-state", &sum];
    assert_eq!(chunkeval(merged).json(), expected);
    assert_eq!(chunkeval(["merge", &sum, "--format", "json"]).json(), expected);
    // The other way round, too, and to the last byte.
    let again = state("again");
    chunkeval(["merge", &states[1], &states[0], "--save-state", &again]).ok();
    let (sum, again) = (std::fs::read(sum).unwrap(), std::fs::read(again).unwrap());
    let without_rows = |bytes: &[u8]| {
        let mut value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert!(value["rows"]["ends"].is_array());
        value["rows"] = serde_json::Value::Null; // those keep the order of the shards
        value
    };
    assert_eq!(without_rows(&sum), without_rows(&again));
}

/// The intervals of a sum are those of the whole, and so are both readings.
#[test]
fn a_sum_of_tags_has_intervals_and_both_readings() {
    let folder = Folder::new();
    let (first, second) = SAMPLE.split_at(SAMPLE.find("张").unwrap());
    let options = ["--both", "--scheme", "IOB2", "--ci", "--format", "json"];
    let score = |name: &str, text: &str, options: &[&str]| {
        let (file, state) = (folder.file(name, text), format!("{name}.state"));
        let state = folder.path().join(state).to_str().unwrap().to_owned();
        let args = ["tags", &file, "--save-state", &state];
        (chunkeval(args.iter().chain(options)).json(), state)
    };
    let expected = score("whole", SAMPLE, &options).0;
    let [a, b] = [("1", first), ("2", second)].map(|(name, text)| score(name, text, &options).1);
    let merged = ["merge", &a, &b, "--ci", "--format", "json"];
    assert_eq!(chunkeval(merged).json(), expected);
    let seeded = chunkeval(merged.iter().chain(&["--seed", "1", "--resamples", "50"])).json();
    assert_ne!(seeded["intervals"], expected["intervals"]);
    let text = chunkeval(["merge", &a, &b]).ok();
    for heading in ["Reading: lenient\n", "\nReading: IOB2\n", "\nSide by side\n"] {
        assert!(text.contains(heading), "{text}");
    }

    // Not where a part has no counts of its sentences; then nothing is saved, either.
    let without = ["--both", "--scheme", "IOB2", "--format", "json"];
    let c = score("3", second, &without).1;
    let sum = folder.path().join("sum");
    let args = ["merge", &a, &c, "--ci", "--save-state", sum.to_str().unwrap()];
    let ran = chunkeval(args);
    let told = "error: --ci: a state has no counts of each sentence\nhint: score every part with \
                --ci, too\n";
    assert_eq!((ran.code, &*ran.err, sum.exists()), (5, told, false));
}

/// A part of one sentence or answer has no intervals, but the sum has, in which it counts.
#[test]
fn a_part_of_one_unit_counts_in_the_intervals_of_the_sum() {
    let folder = Folder::new();
    let answer = |said: &str| {
        format!(
            "{{\"text\": \"Ada in Rome\", \"gold\": {{\"PER\": [\"Ada\"]}}, \"prediction\": \"{said}\"}}\n"
        )
    };
    let (right, wrong) = (answer("{'PER': ['Ada']}"), answer("{'PER': ['Rome']}"));
    let tags = ["Ada B-PER B-PER\n\n", "Rome B-LOC O\n\n", "Bonn B-LOC B-LOC\n\n"];
    let answers = [&*right, &*wrong, &*right];
    for (kind, parts, one) in [
        (&["tags", "--ci"][..], tags, "1 sentence"),
        (&["llm", "--preset", "plain", "--ci"], answers, "1 answer"),
    ] {
        let score = |text: &str, more: &[&str]| {
            let file = folder.file("part", text);
            chunkeval([kind, &[&file], more].concat())
        };
        let expected = score(&parts.concat(), &["--format", "json"]).json();
        let mut merge = vec!["merge".to_owned()];
        for (number, text) in parts.iter().enumerate() {
            let state = folder.path().join(format!("{}{number}", kind[0]));
            let state = state.to_str().unwrap().to_owned();
            let Ran { code, out, err } = score(text, &["--save-state", &state]);
            let note = format!(
                "note: there are no intervals of {one}; chunkeval merge --ci gives those of all parts\n"
            );
            assert_eq!((code, &*err), (0, &*note));
            assert!(out.contains("micro") && !out.contains("Intervals"), "{out}");
            merge.push(state);
            // Not saved, the counts are good for nothing.
            assert_eq!(score(text, &[]).code, 3);
        }
        merge.extend(["--ci", "--format", "json"].map(str::to_owned));
        let merged = chunkeval(&merge).json();
        assert!(expected["intervals"].is_array(), "{expected}");
        assert_eq!(merged["intervals"], expected["intervals"]);
    }
}

/// The intervals of a sum of answers are those of the whole, in every reading and treatment.
#[test]
fn a_sum_of_answers_has_intervals() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (options, tables) in [
        (&["--both", "--schema-types"][..], 8),
        (&["--strict", "--on-unreadable", "skip"], 1),
        (&["--match", "grounded"], 2),
    ] {
        let score = |name: &str, from, to, more: &[&str]| {
            let (file, state) =
                (folder.file(name, answers(from, to)), path(&format!("{name}.state")));
            let args = ["llm", &file, "--preset", "plain", "--save-state", &state];
            let more = options.iter().chain(more);
            (chunkeval(args.iter().chain(more).chain(&["--format", "json"])).json(), state)
        };
        let whole = without_lines(score("whole", 0, 100, &["--ci"]).0);
        // The second part lists fewer answers, which changes no count.
        let parts =
            [(0, 13, &["--ci"][..]), (13, 15, &["--ci", "--errors", "1"]), (15, 100, &["--ci"])];
        let states = parts.map(|(from, to, more)| score(&format!("{from}"), from, to, more).1);
        let merge = |states: &[&String], more: &[&str]| {
            let args = ["merge", "--format", "json"].map(str::to_owned);
            let more = more.iter().map(|&more| more.to_owned());
            chunkeval(args.into_iter().chain(states.iter().map(|&s| s.clone())).chain(more))
        };
        let [a, b, c] = &states;
        let sum = path(&format!("sum{tables}"));
        let found = merge(&[a, b, c], &["--ci", "--save-state", &sum]).json();
        let is_interval = |key: &&String| key.starts_with("intervals");
        let intervals: Vec<&String> =
            whole.as_object().unwrap().keys().filter(is_interval).collect();
        assert_eq!(intervals.len(), 2 * tables, "{intervals:?}"); // each has its signature
        for key in intervals {
            assert_eq!(found[key], whole[key], "{key} {options:?}");
            assert!(found[key].as_array().is_none_or(|rows| rows.len() > 4), "{key}");
        }
        assert_eq!(without_lines(found.clone())["scores"], whole["scores"]);
        // Those of a sum that was saved, too; other options are obeyed.
        assert_eq!(merge(&[&sum], &["--ci"]).json()["intervals"], whole["intervals"]);
        let seeded = merge(&[&sum], &["--ci", "--seed", "1", "--resamples", "50"]).json();
        // Read strictly, all answers that can be read are equally good here.
        assert_eq!(seeded["intervals"] == whole["intervals"], tables == 1);
        assert!(merge(&[a, b, c], &[]).json().get("intervals").is_none());
        let html = chunkeval(["merge", &sum, "--ci", "--format", "html"]).ok();
        assert!(html.contains("1000 resamples of 100 answers"));

        // Not where a part has no counts of its answers; then nothing is saved, either.
        let without = score("without", 15, 100, &[]).1;
        assert!(std::fs::metadata(&without).unwrap().len() < std::fs::metadata(c).unwrap().len());
        let never = path("never");
        let ran = merge(&[a, &without], &["--ci", "--save-state", &never]);
        let told = "error: --ci: a state has no counts of each answer\nhint: score every part with \
                    --ci, too\n";
        assert_eq!((ran.code, &*ran.err), (5, told));
        assert!(!std::path::Path::new(&never).exists());
        // Counts of others are no counts of these answers.
        let spoil = |from: &str, to: &str| {
            let state = std::fs::read_to_string(c).unwrap();
            assert!(state.contains(from), "{state}");
            chunkeval(["merge", &folder.file("spoilt", state.replacen(from, to, 1)), "--ci"])
        };
        let at = "\"rows\":[[";
        assert_eq!(spoil(at, "\"rows\":[[0,false],[").code, 3); // one more row
        let rows = "\"rows\":[{\"fingerprint\":";
        assert_eq!(spoil(&format!("{rows}\"extraction rows/1"), &format!("{rows}\"x")).code, 5);
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = Folder::new();
    let file = folder.file("f.tsv", SAMPLE);
    let state = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let save = |name: &str, more: &[&str]| {
        let to = state(name);
        let args = ["tags", &file, "--save-state", &to];
        chunkeval(args.iter().chain(more)).ok();
        to
    };
    let (a, b) = (save("a", &[]), save("b", &["--scheme", "IOB2", "--tags", "reference"]));
    let ran = chunkeval(["merge", &a, &b]);
    assert_eq!(ran.code, 5);
    assert_eq!(
        folder.short(&ran.err),
        "error: a and b were scored in different ways: mode lenient and IOB2, tags strict and \
         reference\nhint: score both with the same options\n"
    );
    for (name, content, reason) in [
        ("x", "no JSON", "x: no state: expected"),
        ("y", "{}", "y: no state: it has no format"),
        ("z", r#"{"format":"chunkeval tags state 9"}"#, "the format is \"chunkeval tags state 9\""),
        ("w", r#"{"format":"chunkeval tags state 1"}"#, "w: a damaged state: missing field"),
    ] {
        let ran = chunkeval(["merge", &folder.file(name, content)]);
        assert_eq!(ran.code, 3);
        assert!(folder.short(&ran.err).contains(reason), "{}", ran.err);
    }
    // Counts that cannot be.
    let spoilt =
        std::fs::read_to_string(&a).unwrap().replacen("\"correct\":3", "\"correct\":99", 1);
    let ran = chunkeval(["merge", &folder.file("spoilt", spoilt)]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(folder.short(&ran.err).contains("spoilt: a damaged state: "), "{}", ran.err);
    assert_eq!(chunkeval(["merge", &state("none")]).code, 4);
}

/// Answers of every kind: right, wrong, cut off, refused, of another type.
pub(crate) fn answers(from: usize, to: usize) -> String {
    let line = |i: usize| {
        let answer = match i % 7 {
            0 => "no".to_owned(),
            1 => "{\"PER\": [\"p".to_owned(),
            2 => format!("{{'PER': ['p{i}'], 'DATE': ['now']}}"),
            3 => "{\"PER\": null}".to_owned(),
            _ => format!("{{\"PER\": [\"p{i}\"], \"LOC\": [\"l{}\"]}}", i / 2),
        };
        let gold = json!({"PER": [format!("p{i}")], "LOC": [format!("l{i}")]});
        let (schema, text) = (json!(["PER", "LOC"]), format!("p{i} in l{i}"));
        json!({"gold": gold, "prediction": answer, "schema": schema, "text": text}).to_string()
    };
    (from..to).map(|i| line(i) + "\n").collect()
}

/// The same without the lines of answers, which are those of the parts.
fn without_lines(mut result: Value) -> Value {
    for row in result["health"].as_array_mut().unwrap() {
        row["which"] = Value::Null;
    }
    for key in ["unreadable", "unreadable_strict"] {
        if let Some(found) = result.get_mut(key) {
            found["first"] = Value::Null;
        }
    }
    result
}

#[test]
fn shards_of_answers_add_up_to_the_whole() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for options in [
        &["--both", "--schema-types"][..],
        &["--strict", "--on-unreadable", "skip"],
        &["--match", "grounded", "--errors", "3"],
    ] {
        let score = |name: &str, from, to| {
            let file = folder.file(name, answers(from, to));
            let state = path(&format!("{name}.state"));
            let args =
                ["llm", &file, "--preset", "plain", "--save-state", &state, "--format", "json"];
            (chunkeval(args.iter().chain(options)).json(), state)
        };
        let (mut expected, whole) = score("whole", 0, 100);
        let parts = [score("1", 0, 13).1, score("2", 13, 14).1, score("3", 14, 100).1];
        for key in ["errors", "errors_by_kind"] {
            expected.as_object_mut().unwrap().remove(key); // states have none
        }
        let merge = |states: &[&String]| {
            let sum = path("sum of them");
            let args = ["merge", "--format", "json", "--save-state", &sum].map(str::to_owned);
            let found = chunkeval(args.iter().chain(states.iter().copied())).json();
            (found, std::fs::read_to_string(sum).unwrap())
        };
        let [a, b, c] = &parts;
        let (found, saved) = merge(&[a, b, c]);
        assert_eq!(without_lines(found), without_lines(expected.clone()));
        assert_eq!(merge(&[&whole]).0, expected);
        // In any order, and to the last byte.
        assert_eq!(merge(&[c, a, b]).1, saved);
        std::fs::rename(path("sum of them"), path("sum")).unwrap();
        assert_eq!(merge(&[&path("sum")]).1, saved);
    }
}

#[test]
fn answers_scored_in_other_ways_are_refused() {
    let folder = Folder::new();
    let file = folder.file("f", answers(0, 9));
    let save = |name: &str, more: &[&str]| {
        let to = folder.path().join(name).to_str().unwrap().to_owned();
        let args = ["llm", &file, "--preset", "plain", "--save-state", &to];
        chunkeval(args.iter().chain(more)).ok();
        to
    };
    let refused = |a: &str, b: &str| {
        let ran = chunkeval(["merge", a, b]);
        assert_eq!((ran.code, &*ran.out), (5, ""), "{}", ran.err);
        folder.short(&ran.err).lines().next().unwrap().to_owned()
    };
    let a = save("a", &[]);
    let other = [
        (save("b", &["--strict"]), "reading lenient and strict"),
        (save("c", &["--match", "multiset"]), "--match set and multiset"),
        (save("d", &["--normalise", "case"]), "--normalise none and case"),
    ];
    for (state, difference) in other {
        let name = &state[state.len() - 1..];
        let expected = format!("error: a and {name} were scored in different ways: {difference}");
        assert_eq!(refused(&a, &state), expected);
    }
    // How many answers are listed changes no score: the sum lists as many as the fewest.
    let few = save("e", &["--errors", "1"]);
    let first = |states: [&str; 2]| {
        let sum = chunkeval(["merge", states[0], states[1], "--format", "json"]).json();
        let health = sum["health"].as_array().unwrap().iter();
        let first = health.filter_map(|kind| Some(kind["which"].as_array()?.len())).max();
        (first.unwrap(), sum["scores"].clone())
    };
    let (most, scores) = first([&a, &save("g", &[])]);
    assert_eq!(first([&a, &few]), (1, scores.clone()));
    assert_eq!(first([&few, &a]), (1, scores));
    assert!(most > 1);
    let tags = folder.path().join("tags").to_str().unwrap().to_owned();
    chunkeval(["tags", &folder.file("t", SAMPLE), "--save-state", &tags]).ok();
    let wanted = "error: tags: a chunkeval tags state 1, where a chunkeval llm state 2 is wanted";
    assert_eq!(refused(&a, &tags), wanted);
    let wanted = "error: a: a chunkeval llm state 2, where a chunkeval tags state 1 is wanted";
    assert_eq!(refused(&tags, &a), wanted);

    let state = std::fs::read_to_string(&a).unwrap();
    let edited = |from: &str, to: &str| {
        assert!(state.contains(from), "{from}: {state}");
        chunkeval(["merge", &folder.file("edited", state.replacen(from, to, 1))])
    };
    // Counts that cannot be, and settings of another configuration than the counts.
    assert_eq!(edited("\"records\":9", "\"records\":1").code, 3);
    assert_eq!(edited("\"matching\":\"set\"", "\"matching\":\"multiset\"").code, 5);
    assert_eq!(edited("\"matching\":\"set\"", "\"matching\":\"best\"").code, 3);
}

#[test]
fn no_state_counts_twice_or_is_written_over() {
    let folder = Folder::new();
    let save = |name: &str, command: &str, text: String, more: &[&str]| {
        let to = folder.path().join(name).to_str().unwrap().to_owned();
        let file = folder.file(&format!("{name}.in"), text);
        chunkeval([command, &file, "--save-state", &to].iter().chain(more)).ok();
        to
    };
    for (command, text, more) in
        [("tags", SAMPLE.to_owned(), &[][..]), ("llm", answers(0, 9), &["--preset", "plain"])]
    {
        let [a, b] = ["a", "b"].map(|name| save(name, command, text.clone(), more));
        let link = folder.path().join("link").to_str().unwrap().to_owned();
        let _ = std::fs::remove_file(&link);
        std::fs::hard_link(&a, &link).unwrap();
        let before = std::fs::read(&a).unwrap();
        for (args, reason) in [
            (
                &["merge", &a, &b, &a][..],
                "error: a is named twice, and would count twice; name it once\n",
            ),
            (
                &["merge", &a, &link],
                "error: a and link are the same file, which would count twice; name one of them\n",
            ),
            (
                &["merge", &b, &a, "--save-state", &link],
                "error: --save-state link would write over the input a\n",
            ),
        ] {
            let ran = chunkeval(args);
            assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
            assert!(folder.short(&ran.err).starts_with(reason), "{}", ran.err);
        }
        assert_eq!(std::fs::read(&a).unwrap(), before);
        assert_eq!(chunkeval(["merge", &a, &b]).code, 0);
    }
}

#[test]
fn a_sum_says_that_ids_were_not_compared_across_parts() {
    let folder = Folder::new();
    let line = "{\"id\": 7, \"gold\": {}, \"prediction\": \"{}\"}\n";
    let save = |name: &str, lines: usize, more: &[&str]| {
        let to = folder.path().join(name).to_str().unwrap().to_owned();
        let file = folder.file(&format!("{name}.in"), line.repeat(lines));
        let args = ["llm", &file, "--preset", "plain", "--save-state", &to];
        chunkeval(args.iter().chain(more)).ok();
        to
    };
    let [a, b] = [("a", 3), ("b", 1)].map(|(name, lines)| save(name, lines, &["--check-ids"]));
    let told = "Ids were compared within each part that had --check-ids, and not across parts: ";
    let text = chunkeval(["merge", &a, &b]).ok();
    let wanted = format!("\n{told}2 lines have the id of a line before.\n");
    assert!(text.contains(&wanted), "{text}");
    let found = chunkeval(["merge", &b, "--format", "json"]).json();
    assert_eq!(found["repeated_ids_in_parts"], 0);
    let html = chunkeval(["merge", &b, "--format", "html"]).ok();
    assert!(html.contains(&format!("{told}no line has the id of a line before.")));
    let (c, sum) = (save("c", 2, &[]), folder.path().join("sum").to_str().unwrap().to_owned());
    let text = chunkeval(["merge", &a, &c, "--save-state", &sum]).ok();
    assert!(text.contains(&wanted), "{text}");
    assert!(chunkeval(["merge", &sum, &b]).ok().contains(&wanted));
    assert!(!chunkeval(["merge", &c]).ok().contains(told));
}

#[test]
fn a_sum_of_answers_names_the_files_and_is_a_report() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let save = |name: &str, from, to| {
        let (file, state) = (folder.file(name, answers(from, to)), path(&format!("{name}.state")));
        chunkeval(["llm", &file, "--preset", "plain", "--save-state", &state]).ok();
        state
    };
    let (a, b) = (save("a", 0, 9), save("b", 7, 9));
    let piped = path("piped");
    let args = ["llm", "-", "--preset", "plain", "--save-state", &piped];
    crate::run::piped(&args, answers(0, 1).as_bytes()).ok();
    let places = |states: &[&String]| -> Vec<String> {
        let args = ["merge", "--format", "json"].map(str::to_owned);
        let found = chunkeval(args.iter().chain(states.iter().copied())).json();
        let first = found["unreadable"]["first"].as_array().unwrap().iter();
        let file =
            |id: &Value| id["file"].as_str().map_or("".to_owned(), |file| folder.short(file));
        first.map(|id| format!("{}:{}", file(id), id["line"])).collect()
    };
    assert_eq!(places(&[&a, &b, &piped]), ["a:1", "b:1", "piped:1", "a:8"]);
    assert_eq!(places(&[&b]), [":1"]); // of one file there is no need to
    // A sum of sums has them, too.
    let sum = path("sum");
    let text = chunkeval(["merge", &a, &b, "--save-state", &sum]).ok();
    assert!(folder.short(&text).contains("could not be read (lenient reading:"), "{text}");
    assert!(folder.short(&text).contains(": a:1, b:1, a:8."), "{text}");
    assert_eq!(places(&[&sum, &piped]), ["a:1", "b:1", "piped:1", "a:8"]);

    // The page is that of the whole, but for its title, lengths, and examples of errors.
    let whole = save("whole", 0, 9);
    let of_state = chunkeval(["merge", &whole, "--format", "html"]).ok();
    let args = ["llm", &path("whole"), "--preset", "plain", "--format", "html"].map(str::to_owned);
    let of_file = chunkeval(args).ok();
    let (of_state, of_file) = (parse(&of_state), parse(&of_file));
    let titles = headings(&of_state);
    let mut all = headings(&of_file);
    all.retain(|title| !title.starts_with("F1 by length of text"));
    assert!(titles.len() > 4 && all[1..].starts_with(&titles[1..]), "{titles:?}");
    for name in ["micro", "PER", "unreadable", "repaired", "quotes", "items that are no entity"] {
        assert_eq!(row(&of_state, name), row(&of_file, name));
    }
    let html = chunkeval(["merge", &a, &b, "--format", "html"]).ok();
    assert!(headings(&parse(&html))[0].contains("a.state + "), "{:?}", headings(&parse(&html)));
    assert!(folder.short(&row(&parse(&html), "unreadable")[4]).starts_with("a:1"));
    assert!(
        html.contains("Support is the number of gold entities.") && html.contains(">11 answers.<")
    );
    assert!(!html.contains("chunks"), "nobody speaks of chunks");
}
