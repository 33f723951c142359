//! Two language models on the same lines.

use serde_json::{Value, json};

use crate::html::{headings, parse, row};
use crate::run::{Folder, SAMPLE, chunkeval};

/// Forty lines with the answers of two systems: the first is wrong in every tenth line, the second
/// in every second one, and writes every fifth answer in a way that only the lenient reading takes.
fn systems() -> (String, String) {
    let line = |i: usize, right: bool, fenced: bool| {
        let entity = format!("w{i}");
        let kind = if i.is_multiple_of(4) { "LOC" } else { "PER" };
        let said = json!({kind: if right { vec![&entity] } else { vec![] }}).to_string();
        let answer = if fenced { format!("```json\n{said}\n```") } else { said };
        let gold = json!([{"entity": entity, "entity_type": kind}]);
        json!({"label": gold, "output": answer}).to_string() + "\n"
    };
    let first = (0..40).map(|i| line(i, i % 10 != 9, false)).collect();
    let second = (0..40).map(|i| line(i, i.is_multiple_of(2), i.is_multiple_of(5))).collect();
    (first, second)
}

fn find<'v>(differences: &'v Value, name: &str, score: &str) -> &'v Value {
    let rows = differences.as_array().unwrap().iter();
    rows.into_iter().find(|row| row["name"] == name && row["score"] == score).unwrap()
}

#[test]
fn differences_are_those_of_the_scores() {
    let folder = Folder::new();
    let (first, second) = systems();
    let (a, b) = (folder.file("a.jsonl", first), folder.file("b.jsonl", second));
    let found = chunkeval(["compare", &a, &b, "--both", "--format", "json"]).json();
    for (key, scores) in
        [("differences", "scores"), ("differences_strict", "scores_strict_count_as_empty")]
    {
        for name in ["micro", "macro", "weighted"] {
            let f1 = |file: &str| {
                let result = chunkeval(["llm", file, "--both", "--format", "json"]).json();
                result[scores]["averages"][name]["f1"].as_f64().unwrap()
            };
            let row = find(&found[key], name, "f1");
            assert_eq!(
                (row["first"].as_f64(), row["second"].as_f64()),
                (Some(f1(&a)), Some(f1(&b))),
                "{key} {name}"
            );
            assert_eq!(row["difference"].as_f64(), Some(f1(&a) - f1(&b)));
        }
    }
    let recall = |key: &str| {
        let micro = find(&found[key], "micro", "recall");
        ["first", "second"].map(|system| micro[system].as_f64().unwrap())
    };
    assert_eq!(recall("differences"), [0.9, 0.5]);
    assert_eq!(recall("differences_strict"), [0.9, 16.0 / 40.0]); // 0, 10, 20, 30 are lost, too
    assert_eq!(
        (&found["unreadable"], &found["unreadable_strict"]),
        (&json!([0, 0]), &json!([0, 8]))
    );
    let micro = find(&found["differences"], "micro", "recall");
    let number = |key: &str| micro[key].as_f64().unwrap();
    assert!(number("difference_low") > 0.2 && number("difference_high") < 0.6, "{micro}");
    assert!(number("p_bootstrap") < 0.01 && number("p_randomisation") < 0.01, "{micro}");
    let types = ["LOC", "PER"].map(|name| find(&found["differences"], name, "f1"));
    for of_type in types {
        let p = |key: &str| of_type[key].as_f64().unwrap();
        assert!(p("p_holm") >= p("p_randomisation"), "{of_type}");
    }
    assert!(found["signature"].as_str().unwrap().contains("|reading:lenient|"));
    assert!(found["signature"].as_str().unwrap().contains("|unreadable:empty|"));

    let strict = chunkeval(["compare", &a, &b, "--strict", "--format", "json"]).json();
    assert_eq!(strict["differences"], found["differences_strict"]);
    let other = chunkeval(["compare", &a, &b, "--both", "--threads", "3", "--format", "json"]);
    assert_eq!(other.json(), found, "threads show");
    let same = chunkeval(["compare", &a, &a, "--format", "json"]).json();
    for row in same["differences"].as_array().unwrap() {
        assert_eq!((&row["difference"], &row["p_bootstrap"]), (&json!(0.0), &json!(1.0)), "{row}");
    }
}

#[test]
fn another_gold_standard_is_refused() {
    let folder = Folder::new();
    let plain = |gold: &str, text: &str| {
        format!(r#"{{"gold": {gold}, "text": "{text}", "prediction": "{{}}"}}"#) + "\n"
    };
    let (ada, bo) = (r#"{"PER": ["Ada", "Al"]}"#, r#"{"PER": ["Bo"]}"#);
    let first = plain(ada, "a") + &plain(bo, "b");
    let file = folder.file("a.jsonl", &first);
    let compare = |second: String, more: &[&str]| {
        let other = folder.file("b.jsonl", second);
        let args = ["compare", &file, &other, "--preset", "plain"];
        let ran = chunkeval(args.iter().chain(more));
        (ran.code, folder.short(&ran.err))
    };
    for (other, message) in [
        (
            plain(ada, "a") + &plain(r#"{"LOC": ["Bo"]}"#, "b"),
            "b.jsonl:2: the gold entity LOC \"Bo\" is not at a.jsonl:2",
        ),
        (
            plain(r#"{"PER": ["Ada"]}"#, "a"),
            "a.jsonl:1: the gold entity PER \"Al\" is not at b.jsonl:1",
        ),
        (
            "\n".to_owned() + &plain(ada, "a") + &plain("{}", "b"),
            "a.jsonl:2: the gold entity PER \"Bo\" is not at b.jsonl:3",
        ),
        (
            plain(r#"{"PER": ["Ada", "Al", "Al"]}"#, "a") + &plain(bo, "b"),
            "b.jsonl:1: the gold entity PER \"Al\" stands there more often than at a.jsonl:1",
        ),
        (plain(ada, "a"), "a.jsonl:2: b.jsonl ends before this answer"),
        (first.clone() + &plain(ada, "a"), "b.jsonl:3: a.jsonl ends before this answer"),
        (plain(ada, "a") + &plain(bo, "B"), "b.jsonl:2: another text than at a.jsonl:2"),
    ] {
        let (code, err) = compare(other, &[]);
        assert_eq!((code, err.lines().next().unwrap()), (5, &*format!("error: {message}")));
        assert!(err.contains("hint: two systems can be compared on the same gold standard only"));
    }
    // Another order is no other gold standard.
    let order = plain(r#"{"LOC": [], "PER": ["Al", "Ada"]}"#, "a") + &plain(bo, "b");
    assert_eq!(compare(order, &[]), (0, String::new()));
    let (code, err) = compare(plain(ada, "a") + "{}\n", &[]);
    assert_eq!(code, 3);
    assert!(err.starts_with("error: b.jsonl:2:1: field gold: there is none\nhint: "), "{err}");
    // What does not go together.
    let (code, err) = compare(SAMPLE.to_owned(), &[]);
    assert_eq!(code, 5);
    assert!(err.starts_with("error: a.jsonl is JSON Lines, but b.jsonl is tagged text"), "{err}");
    let (code, err) = compare(first.clone(), &["--unit", "document"]);
    assert_eq!(code, 2);
    assert!(err.contains("--unit is for tagged text"), "{err}");
    let (code, err) = compare(first.clone(), &["--suffix"]);
    assert_eq!(code, 2);
    assert!(err.contains("options of tags are for tagged text"), "{err}");
    let tags = folder.file("t", SAMPLE);
    assert_eq!(chunkeval(["compare", &tags, &tags, "--strict"]).code, 2);
    assert_eq!(chunkeval(["compare", &tags, &tags]).code, 0);
    let one = folder.file("one.jsonl", plain(ada, "a"));
    assert_eq!(chunkeval(["compare", &one, &one, "--preset", "plain"]).code, 3);
}

/// What one system lacks is left out of both, so that the rest is compared answer by answer.
#[test]
fn going_on_leaves_lines_out_of_both() {
    let folder = Folder::new();
    let (first, second) = systems();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let spoil = |text: &str, spoilt: &[(usize, &str)]| {
        let mut all = lines(text);
        for (at, line) in spoilt {
            all[*at] = (*line).to_owned();
        }
        // Blank lines are none.
        all.join("\n\n") + "\n"
    };
    let none = r#"{"label": null, "output": "{}"}"#;
    let files = [
        folder.file("a.jsonl", spoil(&first, &[(0, r#"{"label": []"#), (20, none)])),
        folder.file("b.jsonl", spoil(&second, &[(20, "[]"), (35, none), (39, "")])),
    ];
    let whole = |text: &str| -> String {
        let kept = lines(text).into_iter().enumerate();
        let kept = kept.filter(|(at, _)| ![0, 20, 35, 39].contains(at));
        kept.map(|(_, line)| line + "\n").collect()
    };
    let rest = [folder.file("a", whole(&first)), folder.file("b", whole(&second))];
    let compare = |files: &[String; 2], more: &[&str]| {
        let args = ["compare", &files[0], &files[1], "--both", "--format", "json"];
        let ran = chunkeval(args.iter().chain(more));
        let value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
        (ran.code, folder.short(&ran.err), value)
    };
    // The second ends before the first one, whose last line is none of it: that is no comparison.
    let (code, err, _) = compare(&files, &["--keep-going"]);
    assert_eq!(
        (code, &*err.replace("a.jsonl:79", "?")),
        (5, &*format!("error: ?: b.jsonl ends before this answer\nhint: {HINT}\n"))
    );
    let files = [
        files[0].clone(),
        folder.file("b.jsonl", spoil(&second, &[(20, "[]"), (35, none), (39, "?")])),
    ];
    let (_, _, expected) = compare(&rest, &[]);
    assert_eq!(expected["left_out"]["lines"], 0);
    for threads in ["1", "3"] {
        let (code, err, found) = compare(&files, &["--keep-going", "--threads", threads]);
        assert_eq!(code, 3);
        for key in ["differences", "differences_strict", "unreadable", "unreadable_strict"] {
            assert_eq!(found[key], expected[key], "{key}");
        }
        assert_eq!(found["left_out"]["lines"], 4);
        let lines: Vec<&str> = err.lines().collect();
        assert_eq!(lines[0], "warning: 4 lines were left out, and the scores lack them:");
        let places = [
            "a.jsonl:1:12: ",
            "a.jsonl:41:11: ",
            "b.jsonl:41:1: ",
            "b.jsonl:71:11: ",
            "b.jsonl:79:1: ",
        ];
        assert_eq!(lines.len(), 1 + places.len(), "{err}");
        for place in places {
            assert!(lines.iter().any(|line| line.starts_with(&format!("  {place}"))), "{err}");
        }
    }
    let args = ["compare", &files[0], &files[1], "--keep-going", "--format", "html"];
    assert!(chunkeval(args).out.contains("Lines left out, which the scores lack: 4."));

    // Without it the first line ends the run; another gold standard does so in any case, and the
    // place is told behind what is left out, too.
    let (code, err, _) = compare(&files, &[]);
    assert!(code == 3 && err.starts_with("error: a.jsonl:1:12: no JSON object"), "{err}");
    let other = spoil(&second.replace("\"w38\"", "\"W38\""), &[(20, "[]")]);
    let files = [files[0].clone(), folder.file("b.jsonl", other)];
    let (code, err, _) = compare(&files, &["--keep-going"]);
    let told = "b.jsonl:77: the gold entity PER \"W38\" is not at a.jsonl:77";
    assert_eq!((code, &*err), (5, &*format!("error: {told}\nhint: {HINT}\n")));
}

const HINT: &str = "two systems can be compared on the same gold standard only: the same lines with \
                    the same gold entities";

#[test]
fn a_comparison_for_people() {
    let folder = Folder::new();
    let (first, second) = systems();
    let (a, b) = (folder.file("a.jsonl", first), folder.file("b.jsonl", second));
    let print = |format| chunkeval(["compare", &a, &b, "--both", "--format", format]).ok();
    let table = print("table");
    assert!(table.contains("resamples of 40 answers, seed 0"), "{table}");
    assert!(table.contains("8 of ") && table.contains("which count as empty"), "{table}");
    // One table: the reading that counts.
    let csv = print("csv");
    assert!(csv.contains("average,micro,recall,0.9,0.5,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 5 + 2);
    let html = print("html");
    let page = parse(&html);
    assert!(headings(&page)[0].ends_with("b.jsonl"));
    assert_eq!(row(&page, "micro recall")[1], "0.9000");
    assert!(html.contains("Reading of answers: strict."));
}
