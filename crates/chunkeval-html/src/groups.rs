//! Scores of groups that have an order.

use std::fmt;

use askama::Template;
use chunkeval_core::ChunkCounts;

use crate::bar::pixels;
use crate::text::{Text, score};

/// F1 of groups that have an order, as columns: of short and long sentences, for example. Those
/// without any unit at both ends are left out.
///
/// ```
/// use chunkeval_core::ChunkCounts;
/// use chunkeval_html::{Group, Groups, Page};
///
/// let short = ChunkCounts { gold: 8, predicted: 8, correct: 6 };
/// let long = ChunkCounts { gold: 4, predicted: 2, correct: 1 };
/// let groups = Groups::new("F1 by sentence length", "tokens", "sentences")
///     .with(Group::new("1–9", 10, short))
///     .with(Group::new("10–", 2, long));
/// let html = Page::new("A model").with(groups).to_string();
/// assert!(html.contains("1–9: F1 0.7500, 10 sentences"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Groups {
    title: String,
    by: Text,
    units: Text,
    groups: Vec<Group>,
}

/// One group: its name, how many units it has, and their chunks.
#[derive(Clone, Debug)]
#[must_use]
pub struct Group {
    name: Text,
    units: u64,
    counts: ChunkCounts,
}

/// Sizes in pixels: a column with the room around it, the column, the highest one, the room above
/// it for a number, below it for names, and left of it for the scale.
const STEP: f64 = 64.0;
const WIDTH: f64 = 40.0;
const HEIGHT: f64 = 120.0;
const ABOVE: f64 = 18.0;
const BELOW: f64 = 22.0;
const LEFT: f64 = 30.0;

#[derive(Template)]
#[template(path = "groups.html")]
struct View<'a> {
    by: &'a Text,
    units: &'a Text,
    width: String,
    height: String,
    label: String,
    lines: Vec<Line>,
    /// Whether groups are not shown.
    left_out: bool,
    columns: Vec<Column<'a>>,
}

/// A line of the scale.
struct Line {
    y: String,
    name: &'static str,
}

/// A group with its column and its numbers.
struct Column<'a> {
    group: &'a Group,
    x: String,
    y: String,
    height: String,
    middle: String,
    above: String,
    short: String,
    precision: String,
    recall: String,
    f1: String,
}

impl Groups {
    /// No groups yet. The names of groups say so many of `by`, and they are made of `units`:
    /// sentences by tokens, for example.
    pub fn new(title: impl Into<String>, by: &str, units: &str) -> Self {
        let (by, units) = (Text::new(by), Text::new(units));
        Self { title: title.into(), by, units, groups: Vec::new() }
    }

    /// The same with one more group behind the others.
    pub fn with(mut self, group: Group) -> Self {
        self.groups.push(group);
        self
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// All but the empty ones at both ends.
    fn shown(&self) -> &[Group] {
        let full = |group: &Group| group.units > 0;
        let first = self.groups.iter().position(full).unwrap_or_default();
        let end = self.groups.iter().rposition(full).map_or(self.groups.len(), |last| last + 1);
        self.groups.get(first..end).unwrap_or_default()
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [(0.0, "0"), (0.5, "0.5"), (1.0, "1")];
        let groups = self.shown();
        let columns = groups.iter().enumerate().map(|(i, group)| Column::of(group, i));
        let words = groups.iter().map(|group| {
            let f1 = score(group.counts.f1(), 4);
            format!("{}: F1 {f1}, {} {}", group.name, group.units, self.units)
        });
        let view = View {
            by: &self.by,
            units: &self.units,
            width: pixels(LEFT + STEP * groups.len() as f64),
            height: pixels(ABOVE + HEIGHT + BELOW),
            label: format!("F1 by {}. {}", self.by, words.collect::<Vec<_>>().join("; ")),
            lines: lines.map(|(value, name)| Line { y: pixels(level(value)), name }).into(),
            left_out: groups.len() < self.groups.len(),
            columns: columns.collect(),
        };
        write!(f, "{view}")
    }
}

impl Group {
    /// A group of so many units with the sum of their chunk counts.
    pub fn new(name: impl AsRef<str>, units: u64, counts: ChunkCounts) -> Self {
        Self { name: Text::new(name.as_ref()), units, counts }
    }
}

/// How far below the upper edge a score is drawn.
fn level(score: f64) -> f64 {
    ABOVE + HEIGHT * (1.0 - score)
}

impl<'a> Column<'a> {
    fn of(group: &'a Group, index: usize) -> Self {
        let left = LEFT + STEP * index as f64;
        let f1 = group.counts.f1();
        let top = level(f1.unwrap_or_default());
        Self {
            group,
            x: pixels(left + (STEP - WIDTH) / 2.0),
            y: pixels(top),
            height: pixels(level(0.0) - top),
            middle: pixels(left + STEP / 2.0),
            above: pixels(top - 5.0),
            short: score(f1, 2),
            precision: score(group.counts.precision(), 4),
            recall: score(group.counts.recall(), 4),
            f1: score(f1, 4),
        }
    }
}
