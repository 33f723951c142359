//! Folders of others: other files, other names, other systems.

use std::fs;
use std::path::Path;

use ernie_candle::encoder::{EncoderError, Folder, Head, LoadReport};

use crate::common::LABELS;
use crate::folders::{change_config, change_weights, copy, load, weights};

const MARK: &str = "\u{feff}";

fn loaded(change: impl FnOnce(&Path)) -> Result<LoadReport, EncoderError> {
    let folder = copy();
    change(folder.path());
    Folder::open(folder.path())?.tokens()?;
    load(folder.path(), Head::New)
}

fn refused(change: impl FnOnce(&Path)) -> String {
    loaded(change).unwrap_err().to_string()
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let folder = copy();
    for name in ["config.json", "vocab.txt"] {
        let path = folder.path().join(name);
        fs::write(&path, format!("{MARK}{}", fs::read_to_string(&path).unwrap())).unwrap();
    }
    fs::write(folder.path().join("tokenizer_config.json"), format!("{MARK}{{}}")).unwrap();
    let tokens = Folder::open(folder.path()).unwrap().tokens().unwrap();
    assert_eq!((tokens.pad(), tokens.unk(), tokens.size()), (0, 1, 32));
}

#[test]
fn pointers_of_git_lfs_are_told_from_files() {
    const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n";
    for name in ["config.json", "model.safetensors", "vocab.txt", "tokenizer.json"] {
        let error = refused(|folder| fs::write(folder.join(name), POINTER).unwrap());
        assert!(error.contains(name) && error.contains("git lfs pull"), "{error}");
    }
}

#[test]
fn a_list_of_labels_may_be_null() {
    let folder = copy();
    let path = folder.path().join("config.json");
    let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config["id2label"] = serde_json::Value::Null;
    fs::write(&path, config.to_string()).unwrap();
    assert_eq!(Folder::open(folder.path()).unwrap().config().labels(), None);
    // The head has no names then, and as many rows as there are labels.
    load(folder.path(), Head::Stored(&LABELS)).unwrap();
}

#[test]
fn weights_of_another_kind_of_file_can_be_converted() {
    let renamed = |name: &'static str| {
        refused(move |folder| fs::rename(weights(folder), folder.join(name)).unwrap())
    };
    for name in
        ["pytorch_model.bin", "pytorch_model.bin.index.json", "model.safetensors.index.json"]
    {
        let error = renamed(name);
        assert!(error.contains(&format!("missing; {name} beside it cannot be read")), "{error}");
        assert!(error.contains("AutoModel.from_pretrained('"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let error = renamed("model_state.pdparams");
    assert!(
        error.ends_with(
            "model_state.pdparams beside it is of PaddlePaddle, which cannot be read here"
        )
    );
}

#[test]
fn weights_of_another_kind_of_model_are_named() {
    for prefix in ["roberta.", "electra.", "model.", "module.bert."] {
        let error = refused(|folder| {
            change_weights(folder, |tensors| {
                let all = std::mem::take(tensors).into_iter();
                let bare = |name: &str| name.trim_start_matches("ernie.").to_owned();
                tensors.extend(all.map(|(name, t)| (format!("{prefix}{}", bare(&name)), t)));
            });
        });
        let (first, last) = ("classifier.bias", "encoder.layer.2.output.dense.weight");
        let names =
            format!("only 56 others, {prefix}{first} to {prefix}{last}: this kind of model");
        assert!(error.contains(&names), "{error}");
        assert!(error.contains("is not supported, only BERT and ERNIE"), "{error}");
    }
    let error = refused(|folder| change_weights(folder, |tensors| tensors.clear()));
    assert!(error.contains("none of the encoder's tensors is there, nor any other"), "{error}");
    // One that is there is enough for the others to be missing.
    let error = refused(|folder| {
        change_weights(folder, |tensors| {
            tensors.retain(|name, _| name == "ernie.embeddings.LayerNorm.bias");
        });
    });
    assert_eq!(error.matches(" is missing").count(), 53, "{error}");
}

#[test]
fn kinds_of_models_that_are_not_known_are_named() {
    let error = refused(|folder| change_config(folder, "\"ernie\"", "\"electra\""));
    assert!(error.contains("unknown variant `electra`, expected `bert` or `ernie`"), "{error}");
}
