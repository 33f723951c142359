//! conlleval.pl (2004-01-26): its report of ours, and the whole script on a file.

mod script;
mod split;

use chunkeval_core::{ChunkCounts, ChunkReport, TokenCounts};

pub use script::{Conlleval, ConllevalError};

/// How conlleval.pl prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConllevalLayout {
    /// Lines of text.
    #[default]
    Plain,
    /// Rows of a LaTeX table, as with `-l`.
    Latex,
}

/// What conlleval.pl prints for these counts, byte for byte.
///
/// The counts are conlleval's if the report comes from
/// [`Mode::Conlleval`](chunkeval_core::Mode::Conlleval) with
/// [`LabelReading::Reference`](chunkeval_core::LabelReading::Reference); on well-formed B/I/O
/// tags the usual lenient mode gives the same. As the script, it prints the row of the empty type
/// twice where that is on both sides, and aligns by bytes.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch, TokenEvaluator};
/// use chunkeval_report::{ConllevalLayout, conlleval_text};
///
/// let labels = ["O", "B-PER", "I-PER"];
/// let batch = TagBatch::new(&[1, 2, 0, 1], &[1, 2, 0, 0], &[4])?;
/// let (mut chunks, mut tokens) = (ChunkEvaluator::new(labels)?, TokenEvaluator::new(labels)?);
/// chunks.update(batch)?;
/// tokens.update(batch)?;
///
/// let (chunks, tokens) = (chunks.accumulate(), tokens.accumulate());
/// assert_eq!(conlleval_text(&chunks, &tokens.counts, ConllevalLayout::Plain), "\
/// processed 4 tokens with 2 phrases; found: 1 phrases; correct: 1.
/// accuracy:  75.00%; precision: 100.00%; recall:  50.00%; FB1:  66.67
///               PER: precision: 100.00%; recall:  50.00%; FB1:  66.67  1
/// ");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[must_use]
pub fn conlleval_text(
    report: &ChunkReport,
    tokens: &TokenCounts,
    layout: ConllevalLayout,
) -> String {
    let tokens = Tokens { all: tokens.tokens(), equal: tokens.equal() };
    text(report, tokens, layout, str::len)
}

/// Tokens, and those whose two tags agree.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    all: u64,
    equal: u64,
}

/// See [`conlleval_text`]; `width` counts the bytes of a name.
fn text(
    report: &ChunkReport,
    tokens: Tokens,
    layout: ConllevalLayout,
    width: fn(&str) -> usize,
) -> String {
    let total = &report.overall.counts;
    let rows = report.found_types().flat_map(|t| {
        let counts = &t.scores.counts;
        let twice = t.entity_type.is_empty() && counts.gold > 0 && counts.predicted > 0;
        std::iter::repeat_n((&*t.entity_type, counts), 1 + usize::from(twice))
    });
    let padding = |name: &str, to: usize| " ".repeat(to.saturating_sub(width(name)));
    let mut text = String::new();
    match layout {
        ConllevalLayout::Plain => {
            let &ChunkCounts { gold, predicted, correct } = total;
            text += &format!("processed {} tokens with {gold} phrases; ", tokens.all);
            text += &format!("found: {predicted} phrases; correct: {correct}.\n");
            if tokens.all > 0 {
                let accuracy = percent(tokens.equal, tokens.all);
                text += &format!("accuracy: {accuracy:6.2}%; {}\n", plain(total));
            }
            for (name, counts) in rows {
                let (padding, scores) = (padding(name, 17), plain(counts));
                text += &format!("{padding}{name}: {scores}  {}\n", counts.predicted);
            }
        }
        ConllevalLayout::Latex => {
            text += "        & Precision &  Recall  & F$_{\\beta=1} \\\\\\hline";
            for (name, counts) in rows {
                let (padding, scores) = (padding(name, 7), latex(counts));
                text += &format!("\n{name}{padding} & {scores} \\\\");
            }
            text += &format!("\\hline\nOverall & {} \\\\\\hline\n", latex(total));
        }
    }
    text
}

fn plain(counts: &ChunkCounts) -> String {
    let [precision, recall, f1] = scores(counts);
    format!("precision: {precision:6.2}%; recall: {recall:6.2}%; FB1: {f1:6.2}")
}

fn latex(counts: &ChunkCounts) -> String {
    let [precision, recall, f1] = scores(counts);
    format!(" {precision:6.2}\\% & {recall:6.2}\\% & {f1:6.2}")
}

/// Precision, recall and F1 in percent. F1 is computed from percentages, which can round
/// otherwise than 100 times our own.
fn scores(counts: &ChunkCounts) -> [f64; 3] {
    let precision = percent(counts.correct, counts.predicted);
    let recall = percent(counts.correct, counts.gold);
    let sum = precision + recall;
    [precision, recall, if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }]
}

fn percent(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 }
}
