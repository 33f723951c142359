//! Predicted tags without tokens.

use crate::run::{Folder, SAMPLE, chunkeval, piped};

/// A column of the sample, or several.
fn columns(which: &[usize]) -> String {
    let lines = SAMPLE.lines().map(|line| {
        let cells: Vec<&str> = line.split('\t').filter(|cell| !cell.is_empty()).collect();
        let kept = which.iter().filter_map(|&at| cells.get(at).copied());
        kept.collect::<Vec<_>>().join("\t") + "\n"
    });
    lines.collect()
}

#[test]
fn tags_alone_are_scored_against_gold() {
    let folder = Folder::new();
    let gold = folder.file("gold.tsv", columns(&[0, 1]));
    let pred = folder.file("pred.txt", columns(&[2]));
    let json = ["--format", "json", "--errors", "5"];
    let expected = piped(&[&["tags", "-"], &json[..]].concat(), SAMPLE.as_bytes()).json();
    for threads in ["1", "2"] {
        let args = ["tags", "--gold", &gold, "--pred", &pred, "--threads", threads];
        let ran = chunkeval(args.iter().chain(&json));
        // Nobody is told that tokens were compared.
        assert_eq!(
            folder.short(&ran.err),
            "note: pred.txt has tags alone: its sentences are as long as those of gold.tsv, and no \
             tokens could be compared\n"
        );
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, &found), (0, &expected), "{threads}");
    }
    // With windows' line ends, on standard input, and beside columns of another layout.
    let windows = format!("\u{feff}\n{}", columns(&[2]).replace('\n', "\r\n"));
    let args = ["tags", "--gold", &gold, "--pred", "-", "--format", "json"];
    let found: serde_json::Value =
        serde_json::from_str(&piped(&args, windows.as_bytes()).out).unwrap();
    assert_eq!(found["scores"], expected["scores"]);
    let waybill = folder.file("gold.waybill", "text_a\tlabel\n省\u{2}市\tB-X\u{2}O\n");
    let tags = folder.file("tags", "B-X\nO\n");
    let args = ["tags", "--gold", &waybill, "--pred", &tags, "--layout", "waybill"];
    let ran = chunkeval(args.iter().chain(&["--pred-layout", "auto"]));
    assert!(ran.code == 0 && ran.out.contains("1.0000"), "{} {}", ran.out, ran.err);
}

#[test]
fn tags_alone_must_fit_gold() {
    let folder = Folder::new();
    let gold = folder.file("gold", "a\tO\nb\tB-X\n\nc\tO\n");
    let hint = "each line of gold has its own, and blank lines are the same";
    for (tags, expected, hint) in [
        ("O\nB-X\nO\n", "pred:1:1: a sentence of 3 tags, but of 2 tokens at gold:1", hint),
        ("O\nB-X\n\n\nO\nO\n", "pred:5:1: a sentence of 2 tags, but of 1 tokens at gold:4", hint),
        ("O\nB-X\n", "gold:4:1: pred ends before this sentence", hint),
        ("O\nB-X\n\nO\n\nO\n", "pred:6:1: gold ends before this sentence", hint),
        ("O\nB-X\tO\n", "pred:2:5: expected 1 column as in line 1, found 2", "same columns"),
        ("O\nX\n", "pred:2:1: cannot read the tag \"X\" (lenient, as B-PER)", "a tag is O"),
    ] {
        let pred = folder.file("pred", tags);
        for threads in ["1", "2"] {
            let ran = chunkeval(["tags", "--gold", &gold, "--pred", &pred, "--threads", threads]);
            let err = folder.short(&ran.err);
            assert!(err.starts_with(&format!("error: {expected}\nhint: ")), "{err}");
            assert!(ran.code == 3 && err.contains(hint), "{err}");
        }
    }
    // Gold tags have tokens, in any place.
    let pred = folder.file("pred", "O\nB-X\n\nO\n");
    let ran = chunkeval(["tags", "--gold", &pred, "--pred", &pred]);
    assert!(ran.err.contains("found 1 column") && ran.err.contains("tags alone are for --pred"));
    assert_eq!((ran.code, chunkeval(["tags", &pred]).code), (3, 3));
}

#[test]
fn systems_with_tags_alone_are_compared() {
    let folder = Folder::new();
    let gold = folder.file("gold", columns(&[0, 1]));
    let whole = folder.file("whole", columns(&[0, 2]));
    let (first, second) = (folder.file("a", columns(&[2])), folder.file("b", columns(&[1])));
    let compare = |files: [&str; 2]| {
        let ran = chunkeval(["compare", "--gold", &gold, files[0], files[1], "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        (value["differences"].clone(), folder.short(&ran.err))
    };
    let (found, err) = compare([&first, &second]);
    assert!(err.contains("a has tags alone") && err.contains("b has tags alone"), "{err}");
    let (expected, err) = compare([&whole, &second]);
    assert_eq!((found, err.lines().count()), (expected, 1));
}
