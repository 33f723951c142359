//! Shards scored apart add up to the whole.

use crate::run::{Folder, SAMPLE, chunkeval};

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
    assert_ne!(ran.code, 0, "{}", ran.out);
    assert_eq!(chunkeval(["merge", &state("none")]).code, 4);
}

#[test]
fn what_a_shard_lacks_is_told_of_the_sum() {
    let folder = Folder::new();
    let file = folder.file("text", "a\tB-X\tB-X\n\nb\n");
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    let part = chunkeval(["tags", &file, "--keep-going", "--save-state", &state]);
    let sum = chunkeval(["merge", &state, &state]);
    assert_eq!((part.code, sum.code), (3, 0));
    assert!(sum.err.starts_with("warning: 2 sentences were left out"), "{}", sum.err);
}
