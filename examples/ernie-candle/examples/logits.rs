//! The parts of this package without its training loop: a folder, its tokenizer, its logits.
//!
//! `cargo run --release -p ernie-candle --example logits -- FOLDER < sentences.txt`
//!
//! For each line it prints a JSON object: the ids of its pieces, `[CLS]` first and `[SEP]` last,
//! for each of them the logits of all labels, and the best label.

use std::error::Error;
use std::io::{BufRead, stdin};

use ernie_candle::encoder::{Batch, Folder, Head, TokenClassifier};
use training_candle::params::Params;
use training_loop::model::Mode;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("a folder is wanted, as --encoder takes it")?;
    let folder = Folder::open(path)?;
    let tokens = folder.tokens()?;
    let labels = folder.config().labels().ok_or("config.json has no id2label")?;

    // Variables get their names and shapes from the model, then their values from the folder.
    let mut params = Params::new(1);
    let model = TokenClassifier::new(&mut params, folder.config(), labels.len())?;
    folder.load_into(&params, Head::Stored(&labels))?;

    for line in stdin().lock().lines() {
        let cut = tokens.text(&line?)?;
        let ids = [&[tokens.cls()], &cut.ids[..], &[tokens.sep()]].concat();
        let mut batch = Batch::default();
        batch.push(&ids);
        let logits = model.logits(&batch, Mode::Eval)?.squeeze(0)?;
        let best: Vec<&str> =
            logits.argmax(1)?.to_vec1::<u32>()?.iter().map(|&id| labels[id as usize]).collect();
        let logits = logits.to_vec2::<f32>()?;
        println!("{}", serde_json::json!({ "ids": ids, "logits": logits, "labels": best }));
    }
    Ok(())
}
