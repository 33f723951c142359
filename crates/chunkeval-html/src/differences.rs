//! Two systems side by side.

use std::fmt;

use askama::Template;
use chunkeval_stats::Comparison;

use crate::bar::pixels;
use crate::text::{Text, score};

/// Scores of two systems, their differences with intervals, and how sure these are.
///
/// ```
/// use chunkeval_html::{Differences, Page};
/// use chunkeval_stats::{Mean, Resampling, Values};
///
/// let first = Values::new(&[1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])?;
/// let second = Values::new(&[1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0])?;
/// let found = Resampling::new(1000).seed(1).paired_bootstrap(&first, &second, Mean::mean)?;
/// let other = Resampling::new(1000).approximate_randomisation(&first, &second, Mean::mean)?;
/// let differences = Differences::new("ours", "theirs").with("accuracy", &found, &other, None);
/// let html = Page::new("Which is better").with(differences).to_string();
/// assert!(html.contains("+0.3750"));
/// # Ok::<(), chunkeval_stats::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Differences {
    first: Text,
    second: Text,
    rows: Vec<Compared>,
    notes: Vec<Text>,
}

/// A score of both systems.
#[derive(Clone, Debug)]
struct Compared {
    name: Text,
    bootstrap: Comparison,
    randomisation: Comparison,
    corrected: Option<f64>,
}

/// Half the length of the drawing, in pixels; its middle is no difference.
const HALF: f64 = 60.0;

#[derive(Template)]
#[template(path = "differences.html")]
struct View<'a> {
    first: &'a Text,
    second: &'a Text,
    corrected: bool,
    rows: Vec<Row<'a>>,
    notes: &'a [Text],
}

struct Row<'a> {
    of: &'a Compared,
    first: String,
    second: String,
    difference: String,
    interval: String,
    p_values: [String; 2],
    corrected: String,
    drawing: Drawing,
}

/// A difference as a dot and its interval as a line.
struct Drawing {
    label: String,
    dot: String,
    line: Option<[String; 2]>,
}

impl Differences {
    /// Nothing compared yet between two systems of these names.
    pub fn new(first: impl AsRef<str>, second: impl AsRef<str>) -> Self {
        let (first, second) = (Text::new(first.as_ref()), Text::new(second.as_ref()));
        Self { first, second, rows: Vec::new(), notes: Vec::new() }
    }

    /// The same with one more score: a paired bootstrap, which has the interval, an approximate
    /// randomisation, and the p-value of the latter corrected for the number of comparisons.
    pub fn with(
        mut self,
        name: impl AsRef<str>,
        bootstrap: &Comparison,
        randomisation: &Comparison,
        corrected: Option<f64>,
    ) -> Self {
        let (bootstrap, randomisation) = (*bootstrap, *randomisation);
        let name = Text::name(name.as_ref());
        self.rows.push(Compared { name, bootstrap, randomisation, corrected });
        self
    }

    /// The same with a remark below the table: what was tested how, what could not be.
    pub fn note(mut self, note: impl AsRef<str>) -> Self {
        self.notes.push(Text::new(note.as_ref()));
        self
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = self.rows.iter().flat_map(|row| {
            let Comparison { difference, interval, .. } = row.bootstrap;
            let [low, high] = interval.map_or([difference; 2], |i| [i.low, i.high]);
            [difference, low, high].map(f64::abs)
        });
        let most = ends.fold(0.0, f64::max);
        let view = View {
            first: &self.first,
            second: &self.second,
            corrected: self.rows.iter().any(|row| row.corrected.is_some()),
            rows: self.rows.iter().map(|row| Row::of(row, most)).collect(),
            notes: &self.notes,
        };
        write!(f, "{view}")
    }
}

impl<'a> Row<'a> {
    fn of(of: &'a Compared, most: f64) -> Self {
        let Compared { name, bootstrap: c, randomisation, corrected } = of;
        let ends = c.interval.map(|i| (i.low, i.high));
        let interval = ends.map_or(String::new(), |(low, high)| format!("{low:+.4} to {high:+.4}"));
        let place = |value: f64| {
            let share = if most > 0.0 { value / most } else { 0.0 };
            pixels(HALF + share * (HALF - 4.0))
        };
        let drawing = Drawing {
            label: format!("difference of {name}: {:+.4}, interval {interval}", c.difference),
            dot: place(c.difference),
            line: ends.map(|(low, high)| [place(low), place(high)]),
        };
        Self {
            of,
            first: score(Some(c.first), 4),
            second: score(Some(c.second), 4),
            difference: format!("{:+.4}", c.difference),
            interval,
            p_values: [c, randomisation].map(|test| score(Some(test.p_value), 4)),
            corrected: corrected.map_or(String::new(), |p| score(Some(p), 4)),
            drawing,
        }
    }
}
