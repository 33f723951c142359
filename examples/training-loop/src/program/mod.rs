//! From a command line to a finished run.

mod summary;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use chunkeval::data::PredictionWriter;

use crate::args::{Args, Program, Task};
use crate::console::Console;
use crate::corpus::{Corpus, Labels, Rows, Split};
use crate::error::Result;
use crate::infer::infer;
use crate::network::Network;
use crate::run::{Ending, Evaluation, Evaluator, Folder, Interrupt, Log, State, Trainer};
use crate::settings::{Length, Settings};
use summary::{introduction, summary};

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The run is complete.
    Complete,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// Whoever read the results has closed standard output, as `head` does.
    Unread,
}

/// The whole program, for a network of one library.
pub fn main<N: Network>(program: Program) -> ExitCode {
    match run::<N>(&Args::of(program)) {
        Ok(Outcome::Complete | Outcome::Unread) => ExitCode::SUCCESS,
        // As a shell says of a program that SIGINT ended.
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            // Nobody may be there to read it; the exit code says it too.
            let _unread = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Does what the command line says.
///
/// # Errors
/// See [`Error`](crate::error::Error); the message is one line for the user.
pub fn run<N: Network>(args: &Args<N::Options>) -> Result<Outcome> {
    let setup = match args.task()? {
        Task::Start { settings, out } => start::<N>(settings, out.as_deref(), args)?,
        Task::Resume { folder, length, patience } => resume(&folder, length, patience)?,
        Task::Infer(args) => return infer::<N>(&args).map(|()| Outcome::Complete),
    };
    train(setup, &Console::new(args.output()))
}

/// Everything a run is made of.
struct Setup<N: Network> {
    corpus: Corpus,
    labels: Labels,
    rows: [Rows<N::Inputs>; 3],
    network: N,
    state: State<N::Config>,
    folder: Folder,
    log: Log,
}

fn start<N: Network>(
    settings: Settings,
    out: Option<&Path>,
    args: &Args<N::Options>,
) -> Result<Setup<N>> {
    let corpus = Corpus::load(&settings.source)?;
    let labels = Labels::of(&corpus, &settings)?;
    labels.require(&corpus)?;
    let network = N::start(&args.network, &corpus.train, &labels, &settings)?;
    let rows = encode(&network, &labels, &corpus)?;

    // From here on something is written: all that can be wrong before has been looked at.
    let folder = Folder::create(out, settings.source.name())?;
    let config = network.config().clone();
    let (contents, unit) = (corpus.contents(), corpus.train.unit());
    let state = State::new(settings, config, contents, labels.names(), unit);
    let log = Log::start(&folder, &state, labels.tags())?;
    network.store(&folder)?;
    folder.save(&state, &network)?;
    Ok(Setup { corpus, labels, rows, network, state, folder, log })
}

fn resume<N: Network>(
    folder: &Path,
    length: Option<Length>,
    patience: Option<u64>,
) -> Result<Setup<N>> {
    let (folder, mut state) = Folder::open::<N::Config>(folder)?;
    let settings = &mut state.settings;
    settings.length = length.unwrap_or(settings.length);
    settings.patience = patience.or(settings.patience);

    let settings = &state.settings;
    let corpus = Corpus::load(&settings.source)?;
    let now = Labels::of(&corpus, settings)?;
    state.check(&folder.state(), &now.names(), corpus.contents())?;
    let labels = Labels::stored(&state.labels, settings.style, &folder.state())?;
    let mut network = N::stored(&state.network, &labels, &folder, settings.seed)?;
    let rows = encode(&network, &labels, &corpus)?;
    network.load_weights(&folder.last(state.progress.step))?;
    network.load_optimizer(&folder.optimizer(state.progress.step))?;
    let log = Log::resume(&folder, &state)?;
    Ok(Setup { corpus, labels, rows, network, state, folder, log })
}

fn encode<N: Network>(
    network: &N,
    labels: &Labels,
    corpus: &Corpus,
) -> Result<[Rows<N::Inputs>; 3]> {
    let rows = |split: &Split| -> Result<Rows<N::Inputs>> {
        Ok(Rows { inputs: network.encode(split)?, labels: labels.encode(split)? })
    };
    let Corpus { train, dev, test } = corpus;
    Ok([rows(train)?, rows(dev)?, rows(test)?])
}

fn train<N: Network>(setup: Setup<N>, console: &Console) -> Result<Outcome> {
    console.say(&introduction(&setup));
    let Setup { corpus, labels, rows: [train, dev, test], network, state, folder, log } = setup;
    let mut trainer = Trainer {
        evaluator: Evaluator::new(&labels, state.settings.batch)?,
        interrupt: Interrupt::listen()?,
        train: &train,
        dev: &dev,
        test: &test,
        network,
        state,
        folder,
        log,
        console,
    };
    let ending = trainer.run();
    console.end();
    let outcome = match ending {
        Ok(Ending::Complete(scores)) => {
            write_predictions(&trainer.folder.predictions(), &corpus, &labels, &scores)?;
            let summary = summary(&trainer, &scores);
            trainer.log.finish()?;
            console.result(&summary)?;
            return Ok(Outcome::Complete);
        }
        Ok(Ending::Interrupted) => Outcome::Interrupted,
        // What is shown has been saved.
        Err(error) if error.is_closed_pipe() => Outcome::Unread,
        Err(error) => return Err(error),
    };
    trainer.log.close()?;
    let (step, folder) = (trainer.state.progress.step, trainer.folder.path().display());
    console.say(&format!("stopped after step {step}; go on with the option --resume {folder}"));
    Ok(outcome)
}

fn write_predictions(
    path: &Path,
    corpus: &Corpus,
    labels: &Labels,
    scores: &Evaluation,
) -> Result<()> {
    let mut writer = PredictionWriter::create(path)?;
    for (sentence, predicted) in corpus.test.sentences.iter().zip(&scores.predicted) {
        let mut sentence = sentence.clone();
        sentence.set_predicted(predicted.iter().map(|&id| labels.text(id)))?;
        writer.write(&sentence)?;
    }
    writer.finish()?;
    Ok(())
}
