//! What cannot work with a BiGRU-CRF tagger.

use std::fs;

use crate::program::common::tiny;
use crate::program::refusals::refusal;

pub(crate) const SIZES: &[&str] = &["--embedding", "8", "--hidden", "8", "--min-count", "1"];

#[test]
fn a_size_that_cannot_work_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(folder.path(), &["--hidden", "9223372036854775807"], 1);
    assert!(error.contains("hidden must be at most"), "{error}");
}

#[test]
fn a_network_that_was_edited_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "3", "--out", "run"]);
    let file = folder.path().join("run/state.json");
    let state: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let resumed = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut edited = state.clone();
        edit(&mut edited["network"]);
        fs::write(&file, edited.to_string()).unwrap();
        refusal(folder.path(), &["--resume", "run"], 1)
    };
    let error = resumed(&|network| drop(network["tokens"].as_array_mut().unwrap().pop()));
    assert!(error.contains("state.json: ") && error.contains("tokens"), "{error}");
    let error = resumed(&|network| network["sizes"]["labels"] = 3.into());
    assert!(error.contains("state.json: ") && error.contains("labels"), "{error}");
    let error = resumed(&|network| network["sizes"]["hidden"] = 5.into());
    assert!(error.contains("last-3.safetensors") && error.contains("shape"), "{error}");
}
