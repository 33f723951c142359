//! From a command line to a finished run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chunkeval::data::PredictionWriter;

use crate::args::{Args, Program, Task};
use crate::console::Console;
use crate::corpus::{Corpus, Encoder, Rows};
use crate::error::Result;
use crate::network::Network;
use crate::run::{Ending, Evaluation, Evaluator, Folder, Interrupt, Log, State, Trainer, table};
use crate::settings::{Length, Settings};

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The run is complete.
    Complete,
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// The whole program, for a network of one library.
pub fn main<N: Network>(program: Program) -> ExitCode {
    match run::<N>(&Args::of(program)) {
        Ok(Outcome::Complete) => ExitCode::SUCCESS,
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
pub fn run<N: Network>(args: &Args) -> Result<Outcome> {
    let setup = match args.task()? {
        Task::Start { settings, out } => start::<N>(settings, out.as_deref(), args)?,
        Task::Resume { folder, length, patience } => resume(&folder, length, patience)?,
    };
    train(setup, &Console::new(args.output()))
}

/// Everything a run is made of.
struct Setup<N> {
    corpus: Corpus,
    encoder: Encoder,
    rows: [Rows; 3],
    network: N,
    state: State,
    folder: Folder,
    log: Log,
}

fn start<N: Network>(settings: Settings, out: Option<&Path>, args: &Args) -> Result<Setup<N>> {
    let corpus = Corpus::load(&settings.source)?;
    let encoder = Encoder::new(&corpus.train, settings.min_count, settings.style)?;
    let rows = encode(&encoder, &corpus)?;
    let (tokens, labels) = (encoder.tokens(), encoder.labels());
    let config = args.network(tokens.len(), labels.len());
    let network = N::new(config.clone(), settings.seed)?;

    // From here on something is written: all that can be wrong before has been looked at.
    let folder = Folder::create(out, settings.source.name())?;
    let state = State::new(settings, config, corpus.contents(), labels, tokens);
    let log = Log::start(&folder, &state, encoder.tags())?;
    folder.save(&state, &network)?;
    Ok(Setup { corpus, encoder, rows, network, state, folder, log })
}

fn resume<N: Network>(
    folder: &Path,
    length: Option<Length>,
    patience: Option<u64>,
) -> Result<Setup<N>> {
    let (folder, mut state) = Folder::open(folder)?;
    let settings = &mut state.settings;
    settings.length = length.unwrap_or(settings.length);
    settings.patience = patience.or(settings.patience);

    let settings = &state.settings;
    let corpus = Corpus::load(&settings.source)?;
    let now = Encoder::new(&corpus.train, settings.min_count, settings.style)?;
    state.check(&folder.state(), &now.labels(), corpus.contents())?;
    let encoder = Encoder::stored(&state.tokens, &state.labels, settings.style)?;
    let rows = encode(&encoder, &corpus)?;
    let mut network = N::new(state.network.clone(), settings.seed)?;
    network.load_weights(&folder.last(state.progress.step))?;
    network.load_optimizer(&folder.optimizer(state.progress.step))?;
    let log = Log::resume(&folder, &state)?;
    Ok(Setup { corpus, encoder, rows, network, state, folder, log })
}

fn encode(encoder: &Encoder, corpus: &Corpus) -> Result<[Rows; 3]> {
    let Corpus { train, dev, test } = corpus;
    Ok([encoder.encode(train)?, encoder.encode(dev)?, encoder.encode(test)?])
}

fn train<N: Network>(setup: Setup<N>, console: &Console) -> Result<Outcome> {
    console.say(&introduction(&setup));
    let Setup { corpus, encoder, rows: [train, dev, test], network, state, folder, log } = setup;
    let mut trainer = Trainer {
        evaluator: Evaluator::new(encoder.tags().clone(), state.settings.batch)?,
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
    match ending? {
        Ending::Interrupted => {
            trainer.log.close()?;
            let (step, folder) = (trainer.state.progress.step, trainer.folder.path().display());
            console.say(&format!(
                "stopped after step {step}; go on with the option --resume {folder}"
            ));
            Ok(Outcome::Interrupted)
        }
        Ending::Complete(scores) => {
            write_predictions(&trainer.folder.predictions(), &corpus, &encoder, &scores)?;
            console.say(&summary(&trainer, &scores));
            trainer.log.finish()?;
            Ok(Outcome::Complete)
        }
    }
}

fn write_predictions(
    path: &Path,
    corpus: &Corpus,
    encoder: &Encoder,
    scores: &Evaluation,
) -> Result<()> {
    let mut writer = PredictionWriter::create(path)?;
    for (sentence, predicted) in corpus.test.sentences.iter().zip(&scores.predicted) {
        let mut sentence = sentence.clone();
        sentence.set_predicted(predicted.iter().map(|&id| encoder.label(id)))?;
        writer.write(&sentence)?;
    }
    writer.finish()?;
    Ok(())
}

fn introduction<N: Network>(setup: &Setup<N>) -> String {
    let Setup { state, corpus, encoder, network, folder, .. } = setup;
    let [train, dev, test] = corpus.contents().map(|content| content.sentences);
    let progress = match state.progress.step {
        0 => String::new(),
        step => format!(", going on after step {step}"),
    };
    format!(
        "{}: {train} sentences to train on, {dev} for dev, {test} for test; {} entity types\n\
         {} parameters; writing to {}{progress}",
        state.settings.source.name(),
        encoder.tags().types().count(),
        network.parameters(),
        folder.path().display()
    )
}

fn summary<N: Network>(trainer: &Trainer<'_, N>, scores: &Evaluation) -> String {
    let Trainer { state, folder, log, .. } = trainer;
    let progress = &state.progress;
    let (best, f1) = progress.best.best().map_or((0, 0.0), |best| (best.step, best.value));
    let lost = match log.dropped() {
        0 => String::new(),
        dropped => format!("\n{dropped} points could not be logged"),
    };
    let name = |path: PathBuf| {
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let names = [
        (name(folder.best(best)), "the weights that were best on dev"),
        (name(folder.last(progress.step)), "the last weights"),
        (name(folder.optimizer(progress.step)), "the optimiser that belongs to them"),
        (name(folder.state()), "settings and vocabularies, to go on with --resume"),
        (name(folder.metrics()), "everything logged, one JSON object a line"),
        (name(folder.predictions()), "the test set: token, gold, predicted"),
        ("events.out.tfevents.*".to_owned(), "the same log for TensorBoard"),
        (".lock".to_owned(), "keeps two processes from one run"),
    ];
    let widest = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let files: Vec<String> =
        names.iter().map(|(name, what)| format!("  {name:widest$}  {what}")).collect();
    let shown = folder.path().display();
    format!(
        "\ntest set, weights of step {best} (dev F1 {f1:.4}):\n\n{}\n\
         {:.1} s; metric and logging took {:.3} s of it ({:.2}%){lost}\n\n\
         {shown}\n{}\n\nlook at it:  tensorboard --logdir {shown}",
        table(&scores.report),
        progress.seconds,
        progress.metric_and_logging_seconds,
        100.0 * progress.metric_and_logging_seconds / progress.seconds,
        files.join("\n"),
    )
}
