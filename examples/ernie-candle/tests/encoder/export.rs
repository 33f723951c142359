//! Folders that are written: as transformers writes them, and read back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use candle_core::Device;
use ernie_candle::encoder::{Folder, Head, TokenClassifier, write_config, write_weights};
use serde_json::Value;
use training_candle::crf::Crf;
use training_candle::params::Params;

use crate::common::{LABELS, flat, golden};

/// The numbers of all variables, by name.
fn numbers(params: &Params) -> BTreeMap<String, Vec<f32>> {
    params.iter().map(|(name, var)| (name.to_owned(), flat(var))).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// What a safetensors file says of itself: names, types and shapes, and where numbers lie.
fn header(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    serde_json::from_slice(&bytes[8..numbers_begin(&bytes)]).unwrap()
}

/// Where the numbers of a safetensors file begin.
fn numbers_begin(bytes: &[u8]) -> usize {
    8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize
}

#[test]
fn files_are_those_that_transformers_writes() {
    for name in ["bert-gelu", "ernie-1", "ernie-3"] {
        let source = Folder::open(golden(name)).unwrap();
        let mut params = Params::new(1);
        TokenClassifier::new(&mut params, source.config(), LABELS.len()).unwrap();
        source.load_into(&params, Head::Stored(&LABELS)).unwrap();

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write_config(source.config(), path).unwrap();
        write_weights(&params, source.config().model_type, path).unwrap();
        let (ours, theirs) =
            (path.join("model.safetensors"), source.path().join("model.safetensors"));
        assert_eq!(header(&ours), header(&theirs), "{name}");
        assert_eq!(header(&ours)["__metadata__"]["format"], "pt");
        let tensors =
            [ours, theirs].map(|path| candle_core::safetensors::load(path, &Device::Cpu).unwrap());
        assert!(tensors[0].iter().all(|(name, tensor)| flat(tensor) == flat(&tensors[1][name])));

        // Of each field that both have, the same value; and those that name the head.
        let [ours, theirs] = [path, source.path()].map(|folder| json(&folder.join("config.json")));
        let shared = ours.as_object().unwrap().iter().filter(|(key, _)| theirs.get(key).is_some());
        let shared: Vec<&str> = shared
            .map(|(key, value)| {
                let same = match value.as_f64() {
                    Some(number) => (number - theirs[key].as_f64().unwrap()).abs() < 1e-15,
                    None => *value == theirs[key],
                };
                assert!(same, "{name}: {key} is {value}, not {}", theirs[key]);
                key.as_str()
            })
            .collect();
        for key in ["architectures", "id2label", "label2id", "model_type", "layer_norm_eps"] {
            assert!(shared.contains(&key), "{name}: {key} in {shared:?}");
        }

        let again = Folder::open(path).unwrap();
        assert_eq!(again.config(), source.config());
        let mut read = Params::new(2);
        TokenClassifier::new(&mut read, again.config(), LABELS.len()).unwrap();
        let report = again.load_into(&read, Head::Stored(&LABELS)).unwrap();
        assert_eq!((report.loaded, report.ignored.len()), (params.iter().count(), 0));
        assert_eq!(numbers(&read), numbers(&params));
    }
}

#[test]
fn whether_there_is_a_field_is_told_by_names_alone() {
    let source = Folder::open(golden("ernie-1")).unwrap();
    let mut params = Params::new(1);
    TokenClassifier::new(&mut params, source.config(), LABELS.len()).unwrap();
    Crf::new(&mut params, "crf.", LABELS.len()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [model, field] = ["model.safetensors", "crf.safetensors"].map(|n| folder.path().join(n));
    write_config(source.config(), folder.path()).unwrap();
    write_weights(&params, source.config().model_type, folder.path()).unwrap();
    // Numbers need not be there.
    for path in [&model, &field] {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..numbers_begin(&bytes)]).unwrap();
    }
    let has_field = || Folder::open(folder.path()).unwrap().has_field();
    assert!(has_field().unwrap());
    fs::remove_file(&field).unwrap();
    assert!(!has_field().unwrap());
    let table = fs::read(&model).unwrap();
    for bytes in [&b""[..], &table[..7], &table[..table.len() / 2]] {
        fs::write(&model, bytes).unwrap();
        let error = has_field().unwrap_err().to_string();
        assert!(error.contains("model.safetensors: no whole safetensors file: "), "{error}");
    }
    fs::remove_file(&model).unwrap();
    assert!(has_field().unwrap_err().to_string().ends_with("model.safetensors: missing"));
}

#[test]
fn a_field_has_a_file_of_its_own_and_comes_back_with_the_head() {
    let source = Folder::open(golden("ernie-1")).unwrap();
    let build = |seed| {
        let mut params = Params::new(seed);
        TokenClassifier::new(&mut params, source.config(), LABELS.len()).unwrap();
        Crf::new(&mut params, "crf.", LABELS.len()).unwrap();
        params
    };
    let params = build(1);
    let folder = tempfile::tempdir().unwrap();
    write_config(source.config(), folder.path()).unwrap();
    write_weights(&params, source.config().model_type, folder.path()).unwrap();
    let model = header(&folder.path().join("model.safetensors"));
    assert!(!model.to_string().contains("crf"), "transformers knows no such tensors");

    let again = Folder::open(folder.path()).unwrap();
    assert!(again.has_field().unwrap() && !source.has_field().unwrap());
    let read = build(2);
    again.load_into(&read, Head::Stored(&LABELS)).unwrap();
    assert_eq!(numbers(&read), numbers(&params));

    // Rows go with their labels.
    let order = [3, 0, 4, 1, 2];
    let moved = build(2);
    again.load_into(&moved, Head::Stored(&order.map(|id| LABELS[id]))).unwrap();
    let (before, after) = (numbers(&params), numbers(&moved));
    let size = source.config().hidden_size;
    for (row, from) in order.into_iter().enumerate() {
        let same = |name: &str, size: usize| {
            assert_eq!(after[name][row * size..][..size], before[name][from * size..][..size]);
        };
        same("classifier.weight", size);
        ["classifier.bias", "crf.start", "crf.stop"].iter().for_each(|name| same(name, 1));
        for (column, to) in order.into_iter().enumerate() {
            let name = "crf.transitions";
            assert_eq!(after[name][row * 5 + column], before[name][from * 5 + to]);
        }
    }

    // So did checkpoints of before: one file, names without a prefix.
    fs::remove_file(folder.path().join("crf.safetensors")).unwrap();
    params.save(&folder.path().join("model.safetensors")).unwrap();
    let read = build(3);
    again.load_into(&read, Head::Stored(&LABELS)).unwrap();
    assert_eq!(numbers(&read), numbers(&params));

    // A new head has a new field.
    let read = build(4);
    let report = again.load_into(&read, Head::New).unwrap();
    let ignored =
        ["classifier.bias", "classifier.weight", "crf.start", "crf.stop", "crf.transitions"];
    assert_eq!(report.ignored, ignored);
    let (new, now) = (numbers(&build(4)), numbers(&read));
    assert!(ignored.iter().all(|name| new[*name] == now[*name]));
}
