//! TensorBoard and JSON Lines.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use chunkeval::tensorboard::{Chart, HParams, Layout, Outcome, TensorBoard};
use chunkeval::{EveryN, JsonLines, Logger, OnFailure, Sink, TagSet, Tee};
use serde::Deserialize;

use super::folder::replace;
use super::{Evaluation, Folder, State, markdown};
use crate::error::{Error, Result};
use crate::network::Config;
use crate::settings::Length;

/// Where the numbers of a run go.
///
/// A log that fails in the middle of a run (a full disk) warns once, and the training goes on.
#[derive(Debug)]
pub struct Log(Logger<Sinks>);

type Sinks = Tee<TensorBoard, JsonLines<BufWriter<File>>>;

/// The scalars that the HParams page shows for a run.
const METRICS: [&str; 5] = ["dev/f1", "test/precision", "test/recall", "test/f1", "train/loss"];

impl Log {
    /// The log of a new run.
    ///
    /// # Errors
    /// The files cannot be made, or the name of an entity type cannot be the name of a curve.
    pub fn start<C: Config>(folder: &Folder, state: &State<C>, tags: &TagSet) -> Result<Self> {
        let mut board = TensorBoard::create(folder.path())?;
        board.layout(&layout(tags))?;
        board.hparams(&hparams(state), METRICS)?;
        board.flush()?;
        Self::new(board, folder, EveryN::new(state.settings.every)?)
    }

    /// The log of a run that goes on after a checkpoint. What was logged after it is dropped.
    ///
    /// # Errors
    /// The files cannot be opened.
    pub fn resume<C: Config>(folder: &Folder, state: &State<C>) -> Result<Self> {
        let step = state.progress.step;
        rewind(&folder.metrics(), step)?;
        let board = TensorBoard::resume(folder.path(), step + 1)?;
        Self::new(board, folder, EveryN::new(state.settings.every)?.resume(step))
    }

    fn new(board: TensorBoard, folder: &Folder, schedule: EveryN) -> Result<Self> {
        let sinks = Tee(board, JsonLines::append(folder.metrics())?);
        Ok(Self(Logger::new(sinks, schedule).on_failure(OnFailure::WarnOnce)))
    }

    /// Whether the dev set is to be evaluated at this step.
    pub fn due(&mut self, step: u64) -> bool {
        self.0.due(step)
    }

    /// Writes what belongs to the training itself.
    ///
    /// # Errors
    /// None while the log warns only; see [`OnFailure`].
    pub fn training(&mut self, step: u64, loss: f64, learning_rate: f64) -> Result<()> {
        Ok(self.0.log_now(step, "train", &[("loss", loss), ("lr", learning_rate)])?)
    }

    /// Writes the scores of a split, as curves and as a table.
    ///
    /// # Errors
    /// None while the log warns only; see [`OnFailure`].
    pub fn scores(&mut self, step: u64, split: &str, scores: &Evaluation) -> Result<()> {
        self.0.log_now(step, split, &scores.report)?;
        if let Some(strict) = &scores.strict {
            let f1 = strict.report.overall.f1;
            self.0.log_now(step, split, &[(&*format!("strict/{}/f1", strict.scheme), f1)])?;
        }
        Ok(self.0.text(step, split, "report", &markdown(&scores.report))?)
    }

    /// How many points could not be written.
    pub fn dropped(&self) -> u64 {
        self.0.dropped()
    }

    /// Closes the log of a run that is complete.
    ///
    /// # Errors
    /// What was logged last cannot be written.
    pub fn finish(self) -> Result<()> {
        let Tee(board, mut lines) = self.0.into_sink();
        lines.flush()?;
        Ok(board.finish(Outcome::Success)?)
    }

    /// Closes the log of a run that may be resumed.
    ///
    /// # Errors
    /// What was logged last cannot be written.
    pub fn close(self) -> Result<()> {
        Ok(self.0.into_sink().flush()?)
    }
}

fn layout(tags: &TagSet) -> Layout {
    let types: Vec<&str> = tags.types().collect();
    Layout::new().split("dev", &types).split("test", &types).category(
        "training",
        [Chart::lines("loss", ["train/loss"]), Chart::lines("lr", ["train/lr"])],
    )
}

fn hparams<C: Config>(state: &State<C>) -> HParams {
    let settings = &state.settings;
    let (unit, length) = match settings.length {
        Length::Epochs(epochs) => ("epochs", epochs),
        Length::Steps(steps) => ("steps", steps),
    };
    let hparams = HParams::new()
        .with("data", settings.source.name())
        .with("batch", settings.batch)
        .with("learning_rate", settings.learning_rate)
        .with(unit, length)
        .with("seed", settings.seed);
    state.network.describe(hparams)
}

/// Drops the lines of steps after `step`, those of the test set, which is scored again at the end,
/// and one that was cut off by a kill.
fn rewind(path: &Path, step: u64) -> Result<()> {
    #[derive(Deserialize)]
    struct Line {
        tag: String,
        step: u64,
    }
    let stays = |line: &Line| line.step <= step && !line.tag.starts_with("test/");
    let bytes = fs::read(path).map_err(|e| Error::io(path, e))?;
    let kept: Vec<u8> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .filter(|line| serde_json::from_slice::<Line>(line).is_ok_and(|line| stays(&line)))
        .flatten()
        .copied()
        .collect();
    replace(path, |new| fs::write(new, &kept).map_err(|e| Error::io(new, e)), Error::io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_cut_back_to_the_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let lines = "{\"tag\":\"a\",\"step\":10}\n{\"tag\":\"test/f1\",\"step\":10}\n{\"tag\":\"a\",\"step\":20}\n{\"tag\":\"a\",\"st";
        fs::write(&path, lines).unwrap();
        rewind(&path, 10).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"tag\":\"a\",\"step\":10}\n");
    }
}
