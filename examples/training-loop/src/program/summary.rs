//! What the user reads before and after.

use std::path::PathBuf;

use super::Setup;
use crate::console::counted;
use crate::network::{Inputs, Network, Parameters};
use crate::run::{Evaluation, Strict, Trainer, table};

/// What is said before the first step.
pub(super) fn introduction<N: Network>(setup: &Setup<N>) -> String {
    let Setup { state, corpus, labels, rows, network, folder, .. } = setup;
    let [train, dev, test] = corpus.contents().map(|content| content.sentences);
    let progress = match state.progress.step {
        0 => String::new(),
        step => format!(", going on after step {step}"),
    };
    let size = match network.parameters() {
        Parameters { all, trained } if all == trained => format!("{all} parameters"),
        Parameters { all, trained } => format!("{trained} of {all} parameters are trained"),
    };
    let names = ["train", "dev", "test"].into_iter();
    let remarks = names.zip(rows).filter_map(|(name, rows)| {
        rows.inputs.remark().map(|remark| format!("\n{name}: {remark}"))
    });
    let of_network = network.remark().map(|remark| format!("\n{remark}"));
    let remarks: String = of_network.into_iter().chain(remarks).collect();
    format!(
        "{}: {} to train on, {dev} for dev, {test} for test; {}\n\
         {size}; writing to {}{progress}{remarks}",
        state.settings.source.name(),
        counted(train, "sentence"),
        counted(labels.tags().types().count(), "entity type"),
        folder.path().display()
    )
}

/// What is said after the last one.
pub(super) fn summary<N: Network>(trainer: &Trainer<'_, N>, scores: &Evaluation) -> String {
    let Trainer { state, folder, log, .. } = trainer;
    let progress = &state.progress;
    let (best, f1) = progress.best.best().map_or((0, 0.0), |best| (best.step, best.value));
    let lost = match log.dropped() {
        0 => String::new(),
        dropped => format!("\n{} could not be logged", counted(dropped, "point")),
    };
    let name = |path: PathBuf| {
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let names = [
        (name(folder.best(best)), "the weights that were best on dev"),
        (name(folder.last(progress.step)), "the last weights"),
        (name(folder.optimizer(progress.step)), "the optimiser that belongs to them"),
        (name(folder.state()), "settings and labels, to go on with --resume"),
        (name(folder.metrics()), "everything logged, one JSON object a line"),
        (name(folder.predictions()), "the test set: token, gold, predicted"),
        ("events.out.tfevents.*".to_owned(), "the same log for TensorBoard"),
        (".lock".to_owned(), "keeps two processes from one run"),
    ];
    let names: Vec<(String, &str)> =
        N::FILES.iter().map(|&(name, what)| (name.to_owned(), what)).chain(names).collect();
    let widest = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let files: Vec<String> =
        names.iter().map(|(name, what)| format!("  {name:widest$}  {what}")).collect();
    let shown = folder.path().display();
    let strict = scores.strict.as_ref().map(|strict| format!("{}\n", Strict::of(strict)));
    let strict = strict.unwrap_or_default();
    format!(
        "\ntest set, weights of step {best} (dev F1 {f1:.4}):\n\n{}{strict}\n\
         {:.1} s; metric and logging took {:.3} s of it ({:.2}%){lost}\n\
         evaluation took {:.1} s; the metric took {:.3} s of it ({:.2}%)\n\n\
         {shown}\n{}\n\nlook at it:  tensorboard --logdir {shown}",
        table(&scores.report),
        progress.seconds,
        progress.metric_and_logging_seconds,
        100.0 * progress.metric_and_logging_seconds / progress.seconds,
        progress.evaluation_seconds,
        progress.metric_seconds,
        100.0 * progress.metric_seconds / progress.evaluation_seconds,
        files.join("\n"),
    )
}
