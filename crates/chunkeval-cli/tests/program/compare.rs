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

/// What one system lacks is left out of both, so that the rest is compared sentence by sentence.
#[test]
fn going_on_leaves_sentences_out_of_both() {
    let folder = Folder::new();
    let (first, second) = systems();
    let sentences = |text: &str| -> Vec<String> {
        text.split_terminator("\n\n").map(|sentence| format!("{sentence}\n\n")).collect()
    };
    // The first has a tag that is none and a line of too few columns, the second one of too many.
    let spoil = |text: &str, spoilt: &[(usize, &str)]| {
        let mut all = sentences(text);
        for (at, line) in spoilt {
            all[*at].insert_str(0, &format!("{line}\n"));
        }
        all.concat()
    };
    let spoilt = [
        spoil(&first, &[(3, "y\tO\t?"), (20, "y\tO")]),
        spoil(&second, &[(20, "y"), (33, "y\tO\tO\tO")]),
    ];
    let whole = |text: &str| -> String {
        let kept = sentences(text).into_iter().enumerate();
        kept.filter(|(at, _)| ![3, 20, 33].contains(at)).map(|(_, sentence)| sentence).collect()
    };
    let files = [folder.file("a.tsv", &spoilt[0]), folder.file("b.tsv", &spoilt[1])];
    let rest = [folder.file("a", whole(&first)), folder.file("b", whole(&second))];
    let compare = |files: &[String; 2], more: &[&str]| {
        let args = ["compare", &files[0], &files[1], "--format", "json"];
        let ran = chunkeval(args.iter().chain(more));
        let value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
        (ran.code, folder.short(&ran.err), value)
    };
    let (_, _, expected) = compare(&rest, &[]);
    for threads in ["1", "3"] {
        let (code, err, found) = compare(&files, &["--keep-going", "--threads", threads]);
        assert_eq!((code, &found["differences"]), (3, &expected["differences"]));
        assert_eq!(found["left_out"]["sentences"], 3);
        let lines: Vec<&str> = err.lines().map(|line| line.split(": ").next().unwrap()).collect();
        let places = ["  a.tsv:10:5", "  a.tsv:62:4", "  b.tsv:61:2", "  b.tsv:101:7"];
        assert_eq!((lines[0], lines.len()), ("warning", 5), "{err}");
        assert!(places.iter().all(|place| lines.contains(place)), "{err}");
        assert!(err.starts_with("warning: 3 sentences were left out"), "{err}");
    }
    let (code, err, _) = compare(&files, &[]);
    assert!(code == 3 && err.starts_with("error: a.tsv:10:5: cannot read the tag"), "{err}");

    // The same with documents, one of which begins with a sentence that is left out.
    let documents = |text: &str| {
        let all = sentences(text).into_iter().enumerate();
        let begin = |at: usize| if at.is_multiple_of(5) { "-DOCSTART-\n\n" } else { "" };
        all.map(|(at, sentence)| begin(at).to_owned() + &sentence).collect::<String>()
    };
    let spoilt = [documents(&spoilt[0]), documents(&spoilt[1])];
    let files = [folder.file("a.tsv", &spoilt[0]), folder.file("b.tsv", &spoilt[1])];
    let (code, _, found) = compare(&files, &["--keep-going", "--unit", "document"]);
    let table = chunkeval(["compare", &files[0], &files[1], "--keep-going", "--unit", "document"]);
    assert!(code == 3 && table.out.contains("resamples of 8 documents"), "{}", table.out);
    let micro = |value: &Value| find(value, "micro", "f1")["difference"].clone();
    assert_eq!(micro(&found), micro(&expected));

    // Another gold standard is told behind what is left out, too.
    let other = spoil(&second.replace("w39\tB-PER", "w39\tB-LOC"), &[(20, "y")]);
    let spoilt = spoil(&first, &[(3, "y\tO\t?"), (5, "y")]);
    let files = [folder.file("a.tsv", &spoilt), folder.file("b.tsv", other)];
    for threads in ["1", "3"] {
        let (code, err, _) = compare(&files, &["--keep-going", "--threads", threads]);
        let place = "error: b.tsv:119: gold tag \"B-LOC\", but \"B-PER\" at a.tsv:120\nhint: ";
        assert!(code == 5 && err.starts_with(place), "{err}");
    }
}

/// Where two files part is named by the lines of both, whatever was left out before.
#[test]
fn going_on_tells_where_two_files_part() {
    let folder = Folder::new();
    let file = "a\tB-X\tO\n\nb\n\n# new\nc c\tB-X\tO\nd\tI-X\tO\n# new\ne\tO\tO\n\nf\tO\tO\n\ng\n";
    let first = folder.file("a", file);
    for (old, new, message) in [
        ("I-X", "B-X", "b:7: gold tag \"B-X\", but \"I-X\" at a:7"),
        ("\n\nb\n", "\n\n\nb\n\nb\n", "b:9: token \"c c\", but \"e\" at a:9"),
        ("c c", "c d", "b:6: token \"c d\", but \"c c\" at a:6"),
        ("d\tI-X\tO\n", "", "b:6: a sentence of 1 tokens, but of 2 at a:6"),
        ("f\tO\tO\n\ng\n", "", "a:11: b ends before this sentence"),
        ("f\tO\tO\n\ng\n", "f\n", "a:13: b ends before this sentence"),
        ("g\n", "", "a:13: b ends before this sentence"),
        ("g\n", "g\n\nh\tO\tO\n", "b:15: a ends before this sentence"),
        ("\n\ng\n", "\ng\tO\tO\n", "b:11: a sentence of 2 tokens, but of 1 at a:11"),
    ] {
        let second = folder.file("b", file.replacen(old, new, 1));
        let args = ["compare", &first, &second, "--keep-going", "--document-start", "# new"];
        let ran = chunkeval(args);
        let err = folder.short(&ran.err);
        assert_eq!((ran.code, err.lines().next().unwrap()), (5, &*format!("error: {message}")));
        assert!(err.contains("\nhint: two systems can be compared on the same gold"), "{err}");
    }
}

#[test]
fn going_on_beside_a_file_of_gold_tags() {
    let folder = Folder::new();
    let gold = folder.file("gold", "a\tB-X\n\nb\tB-X\n\nc\tB-X\n\nd\tB-X\n");
    let a = folder.file("a", "a\tB-X\n\nb\t?\n\nc\tO\n\nd\tB-X\n");
    let b = folder.file("b", "a\tB-X\n\nb\tB-X\n\nc\tO\n\nd\tO\n");
    let args = ["compare", "--gold", &gold, &a, &b, "--format", "json"];
    let ran = chunkeval(args.iter().chain(&["--keep-going"]));
    assert_eq!(ran.code, 3);
    assert!(folder.short(&ran.err).contains("1 sentence was left out"), "{}", ran.err);
    assert!(folder.short(&ran.err).contains("  a:3:3: cannot read the tag"), "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let recall = find(&found, "micro", "recall");
    let thirds = [2.0 / 3.0, 1.0 / 3.0].map(Value::from);
    assert_eq!([&recall["first"], &recall["second"]], [&thirds[0], &thirds[1]]);
    assert_eq!(chunkeval(args).code, 3);
    // A fault of the gold file is in both systems, and one fault.
    let gold = folder.file("gold", "a\tB-X\n\nb\tB-X\n\nc\tX-Y\n\nd\tB-X\n");
    let ran = chunkeval(["compare", "--gold", &gold, &a, &b, "--keep-going"]);
    let err = folder.short(&ran.err);
    assert!(err.starts_with("warning: 2 sentences were left out"), "{err}");
    let faults = ["  gold:5:3: cannot read the tag", "  a:3:3: cannot read the tag"];
    assert_eq!(faults.map(|fault| err.matches(fault).count()), [1, 1], "{err}");
}

/// A type of a single sentence is in some resamples only. Its p counts the others, its interval does
/// not, and both stand in one row.
#[test]
fn resamples_that_lack_a_type_are_told() {
    let folder = Folder::new();
    let (first, second) = systems();
    assert!(
        !chunkeval(["compare", &folder.file("a", &first), &folder.file("b", &second)])
            .ok()
            .contains("lack a score")
    );
    let rare = |predicted: &str| format!("x\tB-ORG\t{predicted}\n\n");
    let (a, b) = (folder.file("a", rare("B-ORG") + &first), folder.file("b", rare("O") + &second));
    let found = chunkeval(["compare", &a, &b, "--format", "json"]).json();
    let org = find(&found, "ORG", "f1");
    let number = |key: &str| org[key].as_f64().unwrap();
    assert_eq!((number("difference_low"), number("difference_high")), (1.0, 1.0));
    // Of 41 sentences drawn anew none is that one in about (40/41)^41 of all resamples.
    let p = number("p_bootstrap");
    assert!((0.3..0.43).contains(&p), "{p}");
    let without = (p * 1001.0 - 1.0).round();
    let told = format!(
        "Some resamples lack a score, with nothing to divide by: ORG in {without}. They are not in \
         the interval, and count for p_bootstrap as evidence against a difference."
    );
    assert!(chunkeval(["compare", &a, &b]).ok().contains(&told));
    assert!(chunkeval(["compare", &a, &b, "--format", "html"]).ok().contains(&told));
}
