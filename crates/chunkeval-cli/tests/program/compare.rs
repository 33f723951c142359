//! Two systems on the same gold standard.

use serde_json::Value;

use crate::html::{headings, parse, row};
use crate::run::{Folder, chunkeval};

/// A gold standard of forty sentences with the answers of two systems: the first is wrong in every
/// tenth sentence, the second in every second one; types are never confused.
fn systems() -> (String, String) {
    let (mut first, mut second) = (String::new(), String::new());
    for i in 0..40 {
        let gold = if i % 4 == 0 { "B-LOC" } else { "B-PER" };
        let a = if i % 10 == 9 { "O" } else { gold };
        let b = if i % 2 == 1 { "O" } else { gold };
        first += &format!("w{i}\t{gold}\t{a}\nx\tO\tO\n\n");
        second += &format!("w{i}\t{gold}\t{b}\nx\tO\tO\n\n");
    }
    (first, second)
}

fn find<'v>(found: &'v Value, name: &str, score: &str) -> &'v Value {
    let rows = found["differences"].as_array().unwrap().iter();
    rows.into_iter().find(|row| row["name"] == name && row["score"] == score).unwrap()
}

#[test]
fn differences_are_those_of_the_scores() {
    let folder = Folder::new();
    let (first, second) = systems();
    let (a, b) = (folder.file("a.tsv", first), folder.file("b.tsv", second));
    let found = chunkeval(["compare", &a, &b, "--format", "json"]).json();
    for name in ["micro", "macro", "weighted"] {
        let f1 = |file: &str| {
            let scores = chunkeval(["tags", file, "--format", "json"]).json();
            scores["scores"]["averages"][name]["f1"].as_f64().unwrap()
        };
        let row = find(&found, name, "f1");
        assert_eq!((row["first"].as_f64(), row["second"].as_f64()), (Some(f1(&a)), Some(f1(&b))));
        assert_eq!(row["difference"].as_f64(), Some(f1(&a) - f1(&b)));
    }
    let micro = find(&found, "micro", "recall");
    assert_eq!((micro["first"].as_f64(), micro["second"].as_f64()), (Some(0.9), Some(0.5)));
    let number = |key: &str| micro[key].as_f64().unwrap();
    assert!(number("difference_low") > 0.2 && number("difference_high") < 0.6);
    assert!(number("p_bootstrap") < 0.01 && number("p_randomisation") < 0.01);
    // No LOC stands in an odd sentence, so both systems find all of them.
    let same = find(&found, "LOC", "f1");
    assert_eq!((same["p_bootstrap"].as_f64(), same["p_holm"].as_f64()), (Some(1.0), Some(1.0)));
    let person = find(&found, "PER", "f1");
    let p = person["p_randomisation"].as_f64().unwrap();
    assert_eq!(person["p_holm"].as_f64(), Some(2.0 * p)); // the smaller one of two types
    assert_eq!(found["undefined"], Value::Array(Vec::new()));
    assert!(found["signature"].as_str().unwrap().contains("mode:lenient"));

    let turned = chunkeval(["compare", &b, &a, "--format", "json"]).json();
    let back = find(&turned, "micro", "f1")["difference"].as_f64().unwrap();
    assert_eq!(back, -find(&found, "micro", "f1")["difference"].as_f64().unwrap());
    let threads = ["compare", &a, &b, "--format", "json", "--threads", "1"];
    assert_eq!(chunkeval(threads).json(), found);
}

#[test]
fn a_system_does_not_differ_from_itself() {
    let folder = Folder::new();
    let file = folder.file("a.tsv", systems().1);
    let found = chunkeval(["compare", &file, &file, "--format", "json"]).json();
    for row in found["differences"].as_array().unwrap() {
        assert_eq!(row["difference"].as_f64(), Some(0.0), "{row}");
        assert_eq!(row["p_bootstrap"].as_f64(), Some(1.0), "{row}");
        assert_eq!(row["p_randomisation"].as_f64(), Some(1.0), "{row}");
    }
}

#[test]
fn predictions_in_files_of_their_own_give_the_same() {
    let folder = Folder::new();
    let (first, second) = systems();
    let columns = |text: &str, which: usize| -> String {
        let lines = text.lines().map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells.get(which).map_or("\n".to_owned(), |tag| format!("{}\t{tag}\n", cells[0]))
        });
        lines.collect()
    };
    let gold = folder.file("gold.conll", columns(&first, 1));
    let (a, b) = (folder.file("a.tsv", &first), folder.file("b.tsv", &second));
    let apart =
        [folder.file("a.conll", columns(&first, 2)), folder.file("b.conll", columns(&second, 2))];
    let together = chunkeval(["compare", &a, &b, "--format", "json"]).json();
    let found =
        chunkeval(["compare", "--gold", &gold, &apart[0], &apart[1], "--format", "json"]).json();
    assert_eq!(found["differences"], together["differences"]);

    // Gold tags in another layout than the predicted ones.
    let records = first.split_terminator("\n\n").map(|sentence| {
        let column = |which: usize| -> String {
            let cells = sentence.lines().filter_map(|line| line.split('\t').nth(which));
            cells.collect::<Vec<_>>().join("\u{2}")
        };
        format!("{}\t{}\n", column(0), column(1))
    });
    let waybill = format!("text_a\tlabel\n{}", records.collect::<String>());
    let waybill = folder.file("gold.waybill", waybill);
    let layouts = ["--layout", "waybill", "--pred-layout", "conll"];
    let args = ["compare", "--gold", &waybill, &apart[0], &apart[1], "--format", "json"];
    let found = chunkeval(args.iter().chain(&layouts)).json();
    assert_eq!(found["differences"], together["differences"]);
    let alone = chunkeval(["compare", &a, &b, "--pred-layout", "conll"]);
    assert!(alone.code == 2 && alone.err.contains("--gold"), "{}", alone.err);
}

#[test]
fn another_gold_standard_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.tsv", "Ada\tB-PER\tO\nsleeps\tO\tO\n\nRome\tB-LOC\tO\n");
    for (other, message) in [
        (
            "Ada\tB-PER\tO\nsleeps\tO\tO\n\nRome\tB-ORG\tO\n",
            "b.tsv:4: gold tag \"B-ORG\", but \"B-LOC\" at a.tsv:4",
        ),
        (
            "\nAda\tB-PER\tO\nsleep\tO\tO\n\nRome\tB-LOC\tO\n",
            "b.tsv:3: token \"sleep\", but \"sleeps\" at a.tsv:2",
        ),
        (
            "Ada\tB-PER\tO\n\nsleeps\tO\tO\n\nRome\tB-LOC\tO\n",
            "b.tsv:1: a sentence of 1 tokens, but of 2 at a.tsv:1",
        ),
        ("Ada\tB-PER\tO\nsleeps\tO\tO\n", "a.tsv:4: b.tsv ends before this sentence"),
    ] {
        let other = folder.file("b.tsv", other);
        let ran = chunkeval(["compare", &file, &other]);
        assert_eq!((ran.code, &*ran.out), (5, ""));
        let err = folder.short(&ran.err);
        assert_eq!(err.lines().next().unwrap(), format!("error: {message}"));
        assert!(err.contains("hint: two systems can be compared on the same gold standard only"));
    }
    let ran = chunkeval(["compare", &file, "-"]);
    assert_eq!(ran.code, 2);
    assert_eq!(chunkeval(["compare", &file, "no such file"]).code, 4);
}

#[test]
fn what_has_no_score_is_named() {
    let folder = Folder::new();
    let a = folder.file("a.tsv", "a\tB-PER\tB-PER\n\nb\tO\tB-NEW\n");
    let b = folder.file("b.tsv", "a\tB-PER\tB-PER\n\nb\tO\tO\n");
    let found = chunkeval(["compare", &a, &b, "--format", "json"]).json();
    assert_eq!(found["undefined"], serde_json::json!(["NEW"]));
    let one = folder.file("one.tsv", "a\tB-PER\tB-PER\n");
    assert_eq!(chunkeval(["compare", &one, &one]).code, 3); // there is nothing to resample
}

#[test]
fn a_comparison_in_every_format() {
    let folder = Folder::new();
    let (first, second) = systems();
    let (a, b) = (folder.file("a.tsv", first), folder.file("b.tsv", second));
    let print = |format| chunkeval(["compare", &a, &b, "--format", format, "--seed", "7"]).ok();
    let csv = print("csv");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "kind,name,score,first,second,difference,difference_low,difference_high,p_bootstrap,\
         p_randomisation,p_holm"
    );
    assert_eq!(lines.count(), 7);
    assert!(print("table").contains("resamples of 40 sentences, seed 7"));
    assert!(print("md").contains("| average | micro | f1 |"));
    assert!(print("latex").contains("\\begin{tabular}"));
    let html = print("html");
    let page = parse(&html);
    assert!(headings(&page)[0].ends_with("b.tsv"));
    assert_eq!(row(&page, "micro recall")[1..3], ["0.9000", "0.5000"]);
    assert!(row(&page, "micro recall")[3].starts_with("+0.4000 +0."));
}
