//! Words that the vocabulary does not know.

use std::fs;

use crate::program::common::{piped, run, text};

#[test]
fn a_vocabulary_from_nothing_knows_its_corpus_and_counts_what_it_does_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["서울\tB-LOC", "특별시\tI-LOC", "résumé\tO", "resume\tO", "が\tO", "ΟΔΟΣ\tO"];
    for name in ["train.tsv", "dev.tsv", "test.tsv"] {
        fs::write(folder.path().join(name), words.join("\n") + "\n\n").unwrap();
    }
    let args = ["--data", ".", "--format", "wnut17", "--steps", "1", "--out", "run"];
    let output = run(folder.path(), &[&args, crate::SIZES].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(!shown.contains("[UNK]"), "{shown}");

    // What the run has written of its tokenizer says the same.
    let infer = ["infer", "run", "--format", "words"];
    let shown = text(&piped(folder.path(), &infer, "서울 Résumé が\n").stderr);
    assert!(!shown.contains("[UNK]"), "{shown}");
    let shown = text(&piped(folder.path(), &infer, "서울 rósumé 부산\n").stderr);
    assert!(shown.contains("2 of 3 words not in the vocabulary"), "{shown}");
}
