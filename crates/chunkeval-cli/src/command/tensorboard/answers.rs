//! Checkpoints of a language model: files of answers and states of them.

use chunkeval_llm::RecordFormat;

use super::Args;
use super::files::{Checkpoint, Holds};
use super::found::Found;
use crate::Result;
use crate::command::merge::{AnswersState, load};
use crate::input::Input;
use crate::llm::{CheckIds, Labels, Plan, Rows, Splits, score};

/// Scores files of answers, one after the other.
pub(super) struct Answers<'a> {
    args: &'a Args,
    /// The form of the first one, which is that of all.
    format: Option<RecordFormat>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(args: &'a Args) -> Self {
        Self { args, format: None }
    }

    /// What there is to draw of a checkpoint.
    ///
    /// # Errors
    /// It cannot be read, or has a line that cannot be used.
    pub(super) fn found(&mut self, checkpoint: &Checkpoint) -> Result<Found> {
        if checkpoint.holds()? == Holds::State {
            let state = load::<AnswersState>(&checkpoint.path)?;
            return Found::of_answers(&state.scored()?, state.tables());
        }
        let Args { answers, tables, .. } = self.args;
        let mut input = Input::open(&checkpoint.path)?;
        let format = match self.format.take() {
            Some(format) => format,
            None => answers.format(answers.found(&mut input, false)?)?,
        };
        let plan = Plan {
            format: self.format.insert(format).clone(),
            metric: answers.metric(answers.readings(), 0)?,
            reading: answers.readings().first().copied().unwrap_or_default(),
            errors: 0,
            rows: Rows::Forget,
            gold: None,
            labels: Labels::Leave,
            splits: Splits::Leave,
            ids: CheckIds::No,
            keep_going: false,
        };
        let scored = score(input, &plan, self.args.threads(), &mut std::io::sink())?;
        Found::of_answers(&scored, *tables)
    }
}
