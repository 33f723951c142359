//! Inputs that the fuzzer found or grew, run again.

use std::fs;
use std::path::Path;

use chunkeval_tests::{fuzzed, say};

#[test]
fn labels() {
    run("labels", fuzzed::labels);
}

#[test]
fn conll() {
    run("conll", fuzzed::conll);
}

#[test]
fn decoding() {
    run("decoding", fuzzed::decoding);
}

#[test]
fn llm_answers() {
    run("llm_answers", fuzzed::llm_answers);
}

fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut ran = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        if std::panic::catch_unwind(|| check(&bytes)).is_err() {
            panic!("{} fails", path.display());
        }
        ran += 1;
    }
    assert!(ran > 0, "{} is empty", folder.display());
    say!("fuzz corpus, {target}: {ran} ran");
}
