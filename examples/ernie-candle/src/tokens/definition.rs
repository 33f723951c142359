//! What a tokenizer is made from: `tokenizer.json`, or what it would say for a `vocab.txt`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::SPECIAL;
use crate::encoder::{EncoderError, Result, read_text};

/// The definition in a folder, and the file that it is from.
pub(super) fn of_folder(folder: &Path) -> Result<(Value, PathBuf)> {
    let [whole, list] = ["tokenizer.json", "vocab.txt"].map(|name| folder.join(name));
    let (path, mut definition) = match (whole.exists(), list.exists()) {
        (true, _) => {
            let definition = read_json(&whole)?;
            (whole, definition)
        }
        (false, true) => {
            let definition = of_vocabulary(&read_text(&list)?);
            (list, definition)
        }
        (false, false) => {
            let reason = "neither tokenizer.json nor vocab.txt is there".to_owned();
            return Err(EncoderError::Vocabulary { path: folder.to_owned(), reason });
        }
    };
    let settings = folder.join("tokenizer_config.json");
    if settings.exists() {
        override_normalizer(&mut definition, &read_json(&settings)?);
    }
    for cut in ["truncation", "padding"] {
        definition[cut] = Value::Null;
    }
    Ok((definition, path))
}

fn read_json(path: &Path) -> Result<Value> {
    let wrong = |reason| EncoderError::Vocabulary { path: path.to_owned(), reason };
    match serde_json::from_str(&read_text(path)?) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(wrong("no JSON object".to_owned())),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// What a `tokenizer.json` would say for a list of pieces, one a line; of a piece that is there
/// twice the last line counts, as in Hugging Face.
pub(super) fn of_vocabulary(lines: &str) -> Value {
    let vocabulary: Map<String, Value> =
        lines.lines().zip(0u32..).map(|(piece, id)| (piece.to_owned(), id.into())).collect();
    let special = SPECIAL.into_iter().chain(["[MASK]"]);
    let added: Vec<Value> = special
        .filter_map(|content| {
            let id = vocabulary.get(content)?;
            Some(json!({
                "id": id, "content": content, "special": true, "single_word": false,
                "lstrip": false, "rstrip": false, "normalized": false
            }))
        })
        .collect();
    json!({
        "version": "1.0",
        "added_tokens": added,
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true
        },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    })
}

/// What `tokenizer_config.json` says beside a `vocab.txt` of ours. BERT takes accents away where it
/// makes letters small, and with them parts what is written as one: Hangul, か and its mark in が.
pub(crate) const OUR_SETTINGS: &str = r#"{
  "tokenizer_class": "BertTokenizer",
  "do_lower_case": true,
  "strip_accents": false
}
"#;

/// What a folder with a `vocab.txt` and settings of ours says.
pub(super) fn of_pieces(lines: &str) -> serde_json::Result<Value> {
    let mut definition = of_vocabulary(lines);
    override_normalizer(&mut definition, &serde_json::from_str(OUR_SETTINGS)?);
    Ok(definition)
}

/// Hugging Face lets `tokenizer_config.json` overrule what `tokenizer.json` says of letters.
fn override_normalizer(definition: &mut Value, settings: &Value) {
    let normalizer = &mut definition["normalizer"];
    if normalizer["type"] != "BertNormalizer" {
        return;
    }
    for (setting, field) in [
        ("do_lower_case", "lowercase"),
        ("strip_accents", "strip_accents"),
        ("tokenize_chinese_chars", "handle_chinese_chars"),
    ] {
        if let Some(value) = settings.get(setting).filter(|value| value.is_boolean()) {
            normalizer[field] = value.clone();
        }
    }
}
