//! Predictions of a trained network for a file or for standard input.
//!
//! | file | what it holds |
//! |---|---|
//! | `args` | [`InferArgs`]: the command line |
//! | `input` | what the input is: text, or a file of tokens |
//! | `text` | the text of a sentence, and where in it the tokens are |
//! | `documents` | sentences with the texts that they are from |
//! | `places` | where outputs may go |
//! | `output` | CoNLL columns, entities as JSON Lines |

mod args;
mod documents;
mod input;
mod output;
mod places;
mod text;

use std::io::Write;

pub use args::{InferArgs, Join, Weights};
use documents::Documents;
pub use input::InputFormat;

use crate::console::counted;
use crate::corpus::{Labels, Rows};
use crate::error::{Error, Result};
use crate::network::{Inputs, Network};
use crate::run::{Evaluation, Evaluator, Files, Strict, table};

/// Predicts all sentences, writes what was asked for, and scores them where there are labels.
///
/// Scores and remarks go to standard error: standard output may be a pipe of entities. If nobody
/// reads that to its end, nothing more is done, and that is no error.
///
/// # Errors
/// The run, its weights or the sentences cannot be read, or an output cannot be written, or would be
/// written over the input or the run.
pub fn infer<N: Network>(args: &InferArgs) -> Result<()> {
    match predict::<N>(args) {
        Err(error) if error.is_closed_pipe() => Ok(()),
        result => result,
    }
}

fn predict<N: Network>(args: &InferArgs) -> Result<()> {
    places::check(args)?;
    let files = Files::of(&args.run);
    let state = files.read_state::<N::Config>()?;
    let labels = Labels::stored(&state.labels, state.settings.style, &files.state())?;
    let mut network = N::stored(&state.network, &labels, &files, state.settings.seed)?;
    network.load_weights(&args.weights.file(&files, &state.progress))?;

    let documents = Documents::read(args, state.settings.source.format(), state.unit)?;
    let split = &documents.split;
    let gold = match documents.gold {
        true => labels.encode(split)?,
        // Any label will do where none is looked at.
        false => split.sentences.iter().map(|sentence| vec![0; sentence.len()]).collect(),
    };
    let rows = Rows { inputs: network.encode(split)?, labels: gold };
    let evaluation = Evaluator::new(&labels, args.batch)?.run(&network, &rows)?;

    output::write(args, &documents, &labels, &evaluation)?;
    report(&documents, rows.inputs.remark(), &evaluation)
}

fn report(documents: &Documents, remark: Option<String>, evaluation: &Evaluation) -> Result<()> {
    let Evaluation { report, strict, time, metric_time, .. } = evaluation;
    let Documents { split, blank_lines, .. } = documents;
    let sentences = split.sentences.len();
    let seconds = time.as_secs_f64();
    let mut text = String::new();
    if documents.gold {
        text.push_str(&table(report));
        if let Some(strict) = strict {
            text.push_str(&format!("{}\n", Strict::of(strict)));
        }
    }
    if let Some(remark) = remark {
        text.push_str(&format!("{remark}\n"));
    }
    text.push_str(&format!("{} in {seconds:.2} s", counted(sentences, "sentence")));
    if *blank_lines > 0 {
        text.push_str(&format!("; {} left out", counted(*blank_lines, "blank line")));
    }
    if documents.gold {
        let share = 100.0 * metric_time.as_secs_f64() / seconds;
        text.push_str(&format!("; the metric took {share:.2}% of it"));
    }
    writeln!(std::io::stderr(), "{text}").map_err(|e| Error::io("standard error", e))
}
