//! Errors by kind, and types against types.

use std::fmt;

use askama::Template;
use chunkeval_core::{ChunkErrorKind, ChunkErrorReport, Pairs};

use crate::bar::Bar;
use crate::text::percent;

mod confusion;
mod heat;

pub use confusion::Confusion;
use heat::Heat;

/// How often each kind of error was made, and which types were taken for which: a heat map with
/// missed gold chunks in the last column and spurious predicted ones in the last row.
///
/// Up to thirty types stand in the map; the rarest of more are added up in one row and column.
///
/// ```
/// use chunkeval_core::{ChunkErrors, Metric, TagBatch};
/// use chunkeval_html::{Errors, Page};
///
/// let mut errors = ChunkErrors::new(["O", "B-PER", "B-LOC"])?;
/// errors.update(TagBatch::new(&[1, 2, 2, 0], &[1, 1, 0, 2], &[4])?)?;
/// let html = Page::new("A model").with(Errors::of(&errors.accumulate())).to_string();
/// assert!(html.contains("1 of 2 gold LOC predicted as PER"));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Errors {
    title: String,
    report: ChunkErrorReport,
}

#[derive(Template)]
#[template(path = "errors.html")]
struct View {
    kinds: Vec<Kind>,
    heat: Heat,
}

/// A kind of error.
struct Kind {
    name: &'static str,
    meaning: &'static str,
    count: u64,
    share: String,
    bar: Bar,
}

impl Errors {
    /// The errors of a report. In the map chunks that overlap are pairs, so that only missed and
    /// spurious chunks stand alone.
    pub fn of(report: &ChunkErrorReport) -> Self {
        Self { title: "Errors".to_owned(), report: report.clone() }
    }

    /// Another heading than "Errors": which reading they are of, where a page has several.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = ChunkErrorKind::ALL.map(|kind| Kind::of(kind, &self.report)).into();
        let pairs = self.report.type_pairs(Pairs::Overlapping);
        let right = self.report.per_type.iter().map(|t| (&*t.entity_type, t.gold.correct));
        let heat = Heat::of(pairs, right, "Chunks that overlap are pairs.");
        write!(f, "{}", View { kinds, heat })
    }
}

impl Kind {
    fn of(kind: ChunkErrorKind, report: &ChunkErrorReport) -> Self {
        let count = report.count(kind);
        let among = match kind {
            ChunkErrorKind::Spurious => report.predicted.chunks(),
            _ => report.gold.chunks(),
        };
        let name = kind.words();
        let share = percent(count, among);
        let value = (among > 0).then(|| count as f64 / among as f64);
        let bar = Bar::new(format!("{name}: {count} of {among}, {share}"), value, None);
        Self { name, meaning: meaning(kind), count, share, bar }
    }
}

fn meaning(kind: ChunkErrorKind) -> &'static str {
    match kind {
        ChunkErrorKind::TypeError => "the same span with another type",
        ChunkErrorKind::TooLong => "the right type, and more tokens than gold",
        ChunkErrorKind::TooShort => "the right type, and a part of the gold tokens",
        ChunkErrorKind::Shifted => "the right type; each side has tokens that the other lacks",
        ChunkErrorKind::TypeAndBoundary => "another type on another span that overlaps",
        ChunkErrorKind::Missed => "a gold chunk; no predicted chunk is left that overlaps it",
        ChunkErrorKind::Spurious => "a predicted chunk; no gold chunk is left that overlaps it",
    }
}
