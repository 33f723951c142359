//! The training loop.

use super::clock::Clock;
use super::{Evaluation, Evaluator, Folder, Interrupt, Line, Log, Schedule, State, Strict};
use crate::console::Console;
use crate::corpus::{Batch, Batches, Rows};
use crate::error::Result;
use crate::network::{Inputs, Network};

/// Trains a network and writes down how it goes.
#[derive(Debug)]
pub struct Trainer<'a, N: Network> {
    /// The network.
    pub network: N,
    /// What the run is made with and how far it is.
    pub state: State<N::Config>,
    /// Where checkpoints go.
    pub folder: Folder,
    /// Where numbers go.
    pub log: Log,
    /// What the user sees.
    pub console: &'a Console,
    /// Whether to stop.
    pub interrupt: Interrupt,
    /// Scores splits.
    pub evaluator: Evaluator,
    /// The training set.
    pub train: &'a Rows<N::Inputs>,
    /// What is evaluated every N steps.
    pub dev: &'a Rows<N::Inputs>,
    /// What is evaluated at the end.
    pub test: &'a Rows<N::Inputs>,
}

/// Why training ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All steps are made, or too many evaluations brought nothing better. With the scores of the
    /// test set.
    Complete(Box<Evaluation>),
    /// The user pressed Ctrl-C. Everything needed to go on is saved.
    Interrupted,
}

impl<N: Network> Trainer<'_, N> {
    /// Trains from where the state is to the end, then scores the test set with the weights that
    /// were best on dev.
    ///
    /// # Errors
    /// A number is no longer finite, or a file or standard output cannot be written. The latter
    /// comes behind a checkpoint.
    pub fn run(&mut self) -> Result<Ending> {
        let settings = &self.state.settings;
        let (rate, length) = (settings.learning_rate, settings.length);
        if let Some(evaluations) = settings.patience {
            let best = &mut self.state.progress.best;
            *best = best.clone().patience(evaluations)?;
        }
        let mut batches = Batches::new(&self.train.inputs.rows(), settings.batch, settings.seed)?;
        let total = length.steps(batches.per_epoch());
        let schedule = Schedule::new(rate, total);
        let mut clock = Clock::start(&self.state.progress, batches.per_epoch());
        self.console.start(self.state.progress.step, total);

        while self.state.progress.step < total && !self.state.progress.best.should_stop() {
            let step = self.state.progress.step;
            let batch = Batch { data: self.train, rows: batches.at(step)? };
            let loss = self.network.train(&batch, step, schedule.rate(step));
            let loss = loss.map_err(|e| e.at_step(step + 1))?;
            self.state.progress.loss.add(loss);
            self.state.progress.step = step + 1;
            self.console.step(step + 1, loss);

            if self.log.due(step + 1) {
                self.evaluate(schedule.rate(step), &mut clock)?;
            }
            if self.interrupt.asked() {
                self.save(&clock)?;
                return Ok(Ending::Interrupted);
            }
        }
        if self.state.progress.evaluated < self.state.progress.step {
            let last = self.state.progress.step - 1;
            self.evaluate(schedule.rate(last), &mut clock)?;
        }
        self.score_test(&mut clock).map(|scores| Ending::Complete(Box::new(scores)))
    }

    /// Scores the dev set, logs and shows it, and saves a checkpoint.
    fn evaluate(&mut self, learning_rate: f64, clock: &mut Clock) -> Result<()> {
        let step = self.state.progress.step;
        let scores = self.evaluator.run(&self.network, self.dev)?;
        clock.evaluated(&scores);
        let loss = self.state.progress.loss.take();
        clock.logging.time(|| {
            if let Some(loss) = loss {
                self.log.training(step, loss, learning_rate)?;
            }
            self.log.scores(step, "dev", &scores)
        })?;
        let best = self.state.progress.evaluated(scores.report.overall.f1);
        let learning_rate = Some(learning_rate);
        let line = line("dev", step, &scores, clock);
        // First on disk, then on a screen or a pipe that may be gone.
        self.save(clock)?;
        self.console.evaluation(&Line { loss, learning_rate, best: Some(best), ..line })
    }

    fn score_test(&mut self, clock: &mut Clock) -> Result<Evaluation> {
        let step = self.state.progress.best_step().unwrap_or(0);
        self.network.load_weights(&self.folder.best(step))?;
        let scores = self.evaluator.run(&self.network, self.test)?;
        clock.evaluated(&scores);
        clock.logging.time(|| self.log.scores(step, "test", &scores))?;
        let line = line("test", step, &scores, clock);
        match self.console.evaluation(&line) {
            // All is done but for the files, which are for other readers.
            Err(error) if error.is_closed_pipe() => {}
            shown => shown?,
        }
        clock.read(&mut self.state.progress);
        Ok(scores)
    }

    fn save(&mut self, clock: &Clock) -> Result<()> {
        clock.read(&mut self.state.progress);
        self.folder.save(&self.state, &self.network)
    }
}

fn line<'r>(split: &'static str, step: u64, scores: &'r Evaluation, clock: &Clock) -> Line<'r> {
    let Evaluation { report, strict, .. } = scores;
    let (seconds, metric_and_logging) = (clock.seconds(), clock.metric_and_logging_seconds());
    Line {
        split,
        step,
        epoch: clock.epoch(step),
        overall: report.overall,
        per_type: report.per_type.iter().map(|t| (t.entity_type.as_str(), &t.scores)).collect(),
        strict: strict.as_ref().map(Strict::of),
        loss: None,
        learning_rate: None,
        best: None,
        seconds,
        metric_and_logging_seconds: metric_and_logging,
        metric_and_logging_share: metric_and_logging / seconds,
        evaluation_seconds: scores.time.as_secs_f64(),
        metric_seconds: scores.metric_time.as_secs_f64(),
    }
}
