//! The result of scoring.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;

use chunkeval_core::{
    ChunkErrorReport, ChunkReport, Metric, RowCounts, SideBySide, SideBySideReport, TokenCounts,
};
use chunkeval_data::Format;

use super::bucket::By;
use super::counter::{Kept, Metrics, Plan};
use super::evidence::{Detected, Evidence};
use super::example::Examples;
use super::labels::Labels;
use super::layout::ColumnLayout;
use super::pool::{self, Found};
use super::rows::Begin;
use super::unit::Resampled;
use super::whole::{self, Piece};
use super::{Example, Layout, Reading, Sentences, Source, pair};
use crate::input::{Input, name};
use crate::interrupt::Ending;
use crate::unusable::Unusable;
use crate::{Error, Result};

/// What scoring has found.
#[derive(Debug)]
pub(crate) struct Scored {
    /// How tags were read.
    pub(crate) reading: Reading,
    /// The scheme of that, if it was detected.
    pub(crate) detected: Option<Detected>,
    /// All labels, sorted by code point.
    pub(crate) labels: Vec<String>,
    /// The chunks, by bucket; one bucket of all if rows were not sorted.
    pub(crate) buckets: Vec<(String, SideBySide)>,
    /// The tokens.
    pub(crate) tokens: TokenCounts,
    /// The file as a whole, if it was counted as one.
    pub(crate) whole: Option<SideBySide>,
    /// The errors in each mode, if they were told apart.
    pub(crate) errors: Vec<ChunkErrorReport>,
    /// The first errors of each kind in each mode.
    pub(crate) examples: Vec<Vec<Example>>,
    /// The counts of each unit in each mode, in the order of the input, if they were kept; and what
    /// a unit is.
    pub(crate) rows: Vec<RowCounts>,
    pub(crate) unit: Resampled,
    /// The sentences, if they were kept, and where documents begin.
    pub(crate) sentences: Sentences,
    pub(crate) begins: Vec<Begin>,
    /// What was left out.
    pub(crate) unusable: Unusable,
    /// Whether predicted tags had no tokens that could be held against those of gold.
    pub(crate) bare: bool,
    /// Whether Ctrl-C ended it.
    pub(crate) interrupted: bool,
}

/// Scores a source in a reading, or in that of several ones that its gold tags are written in.
///
/// # Errors
/// It cannot be read, has no sentence, or a line cannot be used; or it is not sure which reading is
/// the right one.
pub(crate) fn score(
    source: &Source,
    readings: &[Reading],
    plan: &Plan,
    threads: NonZeroUsize,
) -> Result<Scored> {
    let labels = Labels::new(readings);
    if plan.whole {
        let _ = labels.id("O"); // the first one; every reading reads it
    }
    let (found, ending) = match source {
        Source::File { path, .. } if path.is_dir() => {
            let hint = "name a file in it; of parallel files, say --gold FOLDER --pred FOLDER";
            return Err(Error::folder(path).with_hint(hint));
        }
        Source::File { path, layout } => {
            let layout = columns(path, layout)?;
            pool::run(Input::open(path)?, &layout, &labels, plan, threads)?
        }
        Source::Pair { gold, gold_layout, predicted, predicted_layout } => {
            pair::run((gold, gold_layout), (predicted, predicted_layout), &labels, plan, threads)?
        }
    };
    let path = match source {
        Source::File { path, .. } | Source::Pair { gold: path, .. } => name(path),
    };
    let (at, detected) = match evidence(&found) {
        Some(evidence) if evidence.rows() > 0 => {
            let chosen = evidence.choose();
            let unsure =
                |(reason, hint): (String, String)| Error::content(path, reason).with_hint(hint);
            chosen.map(|(at, detected)| (at, Some(detected))).map_err(unsure)?
        }
        _ => (0, None),
    };
    let mut scored = gather(&labels, at, plan, found, ending)?;
    scored.detected = detected;
    let rows = scored.report()?.diagnostics.rows;
    if rows == 0 && scored.unusable.sentences == 0 && !scored.interrupted {
        let hint = "is it the right file? a file without sentences has no scores";
        return Err(Error::content(path, "there is no sentence in it").with_hint(hint));
    }
    Ok(scored)
}

/// What speaks for each reading in all that was found, where there are several.
fn evidence<'l>(found: &[Found<'l>]) -> Option<Evidence<'l>> {
    let mut each = found.iter().filter_map(|found| found.evidence.as_ref());
    let mut all = each.next()?.clone();
    each.for_each(|evidence| all.merge(evidence));
    Some(all)
}

/// The layout of a file that has gold and predicted tags.
pub(super) fn columns(path: &Path, layout: &Layout) -> Result<ColumnLayout> {
    let refused = |reason: &str| {
        let file = path.display();
        Err(Error::Usage(format!(
            "--layout: {reason}; for predictions in a file of their own: --gold {file} --pred …"
        )))
    };
    match layout {
        Layout::Auto => Ok(ColumnLayout::Auto),
        Layout::Named(Format::Conll(layout)) if layout.predicted.is_some() => {
            Ok(ColumnLayout::Named(layout.clone()))
        }
        Layout::Named(Format::Conll(_)) => {
            refused("it has no column of predicted tags; add one, as in conll:predicted=-1,gold=-2")
        }
        Layout::Named(_) => refused("a file of that layout has no predicted tags"),
    }
}

/// Adds up what the threads have found in one of the readings, under the sorted list of labels.
pub(super) fn gather(
    labels: &Labels<'_>,
    at: usize,
    plan: &Plan,
    found: Vec<Found<'_>>,
    ending: Ending,
) -> Result<Scored> {
    let reading = labels.readings().get(at).ok_or_else(no_reading)?;
    let met = labels.list();
    let mut sorted = met.clone();
    sorted.sort_unstable();
    let mut all = Metrics::new(reading, plan, &sorted)?;
    let (mut unusable, mut bare) = (Unusable::default(), false);
    let mut examples = vec![Examples::new(plan.errors.unwrap_or(0)); all.errors.len()];
    let (mut kept, mut blocks, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
    for Found { mut counters, unusable: of_thread, bare: part_is_bare, sentences, .. } in found {
        blocks.extend(sentences);
        bare |= part_is_bare;
        if at >= counters.len() {
            return Err(no_reading());
        }
        let counter = counters.swap_remove(at);
        if let Some(metrics) = counter.metrics() {
            all.absorb(metrics)?;
        }
        unusable.add(of_thread);
        kept.extend(counter.kept);
        pieces.extend(counter.pieces);
        for (mine, theirs) in examples.iter_mut().zip(counter.examples) {
            mine.add(theirs);
        }
    }
    blocks.sort_by_key(|(line, _)| *line);
    let mut sentences = Sentences::default();
    blocks.into_iter().for_each(|(_, next)| sentences.append(next));
    pieces.sort_by_key(|piece: &Piece| piece.line);
    if let Some((whole, _)) = &mut all.whole {
        let mut rest = reading.metric(&met)?;
        whole::join(pieces, &mut rest)?;
        whole.absorb(&rest)?;
    }
    let unit = plan.units.unwrap_or_default();
    let (rows, begins) = match all.buckets.first().filter(|_| plan.units.is_some()) {
        Some(whole) => {
            let (rows, documents) = in_order(kept, &met, reading, whole)?;
            let begins: Vec<usize> = documents.iter().map(|begin| begin.row).collect();
            let rows = rows.into_iter().map(|rows| unit.of(rows, &begins));
            (rows.collect::<Result<_>>()?, documents)
        }
        None => Default::default(),
    };
    Ok(Scored {
        reading: reading.clone(),
        detected: None,
        labels: sorted,
        tokens: all.tokens.accumulate().counts,
        whole: all.whole.map(|(metric, _)| metric),
        errors: all.errors.iter().map(Metric::accumulate).collect(),
        examples: examples.into_iter().map(Examples::into_vec).collect(),
        buckets: By::buckets(&plan.by).into_iter().zip(all.buckets).collect(),
        rows,
        unit,
        sentences,
        begins,
        unusable,
        bare,
        interrupted: ending == Ending::Interrupted,
    })
}

fn no_reading() -> Error {
    Error::Usage("there is no such reading".to_owned())
}

/// The rows of all blocks in the order of the blocks, under the whole list, in each mode; and where
/// documents begin.
fn in_order(
    mut blocks: Vec<Kept>,
    met: &[String],
    reading: &Reading,
    whole: &SideBySide,
) -> Result<(Vec<RowCounts>, Vec<Begin>)> {
    blocks.sort_by_key(|block| block.line);
    let mut parts: HashMap<usize, SideBySide> = HashMap::new();
    let mut all: Vec<RowCounts> = whole.readings().iter().map(RowCounts::new).collect();
    let mut begins = Vec::new();
    for Kept { rows, known, documents, .. } in blocks {
        let before = all.first().map_or(0, RowCounts::len);
        begins.extend(documents.iter().map(|begin| Begin { row: before + begin.row, ..*begin }));
        let part = match parts.entry(known) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(reading.metric(met.get(..known).unwrap_or(met))?)
            }
        };
        let modes = part.readings().iter().zip(whole.readings());
        for ((all, rows), (part, whole)) in all.iter_mut().zip(rows).zip(modes) {
            all.append(&rows.moved(part, whole)?)?;
        }
    }
    Ok((all, begins))
}

impl Scored {
    /// The scores in each mode, over all buckets.
    pub(crate) fn modes(&self) -> Result<SideBySideReport> {
        let mut modes = self.metric()?.accumulate();
        if let Some(Detected { scheme, certainty }) = self.detected {
            // Both stand in the signature: the scheme as the mode, and how it came to be.
            let strict = modes.modes.iter_mut().filter(|mode| mode.name == scheme.name());
            for mode in strict {
                let protocol = std::mem::take(&mut mode.report.protocol);
                mode.report.protocol = protocol.with("detected", format!("{certainty:.2}"));
            }
        }
        Ok(modes)
    }

    /// The metric over all buckets.
    pub(crate) fn metric(&self) -> Result<SideBySide> {
        let mut buckets = self.buckets.iter().map(|(_, metric)| metric);
        let Some(mut sum) = buckets.next().cloned() else {
            return Err(Error::Usage("there is no bucket".to_owned()));
        };
        buckets.try_for_each(|metric| sum.absorb(metric))?;
        Ok(sum)
    }

    /// The scores in the first mode, over all buckets.
    pub(crate) fn report(&self) -> Result<ChunkReport> {
        let first = self.modes()?.modes.into_iter().next();
        first.map(|mode| mode.report).ok_or_else(|| Error::Usage("there is no mode".to_owned()))
    }
}
