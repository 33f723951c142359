//! What became of answers or lines.

use std::fmt;

use askama::Template;

use crate::bar::Bar;
use crate::text::{Text, percent};

/// How many of something are in which state, and where to find them: answers that were clean,
/// repaired or unreadable, lines that were left out.
///
/// ```
/// use chunkeval_html::{Finding, Health, Page};
///
/// let health = Health::new("Health of answers", 200)
///     .finding(Finding::new("clean", 197))
///     .finding(Finding::new("unreadable", 3).ids(["answer 17", "answer 40", "answer 99"]));
/// let html = Page::new("A model").with(health).to_string();
/// assert!(html.contains("98.5 %") && html.contains("answer 40"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Health {
    title: String,
    of: u64,
    findings: Vec<Finding>,
    note: Option<Text>,
}

/// One state: its name, how many are in it, and the first of them.
#[derive(Clone, Debug)]
#[must_use]
pub struct Finding {
    name: Text,
    count: u64,
    ids: Vec<Text>,
}

/// How many ids stand on the page at most; how many more there are is said.
const MOST_IDS: usize = 20;

#[derive(Template)]
#[template(path = "health.html")]
struct View<'a> {
    of: u64,
    rows: Vec<Row<'a>>,
    note: Option<&'a Text>,
}

struct Row<'a> {
    finding: &'a Finding,
    share: String,
    bar: Bar,
    more: u64,
}

impl Health {
    /// Nothing found yet among so many in all; shares are of these, and states may overlap.
    pub fn new(title: impl Into<String>, of: u64) -> Self {
        Self { title: title.into(), of, findings: Vec::new(), note: None }
    }

    /// The same with one more state.
    pub fn finding(mut self, finding: Finding) -> Self {
        self.findings.push(finding);
        self
    }

    /// The same with a remark below: what the names mean, for example.
    pub fn note(self, note: impl AsRef<str>) -> Self {
        Self { note: Some(Text::new(note.as_ref())), ..self }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |finding| Row::new(finding, self.of);
        let rows = self.findings.iter().map(row).collect();
        write!(f, "{}", View { of: self.of, rows, note: self.note.as_ref() })
    }
}

impl Finding {
    /// So many of a name.
    pub fn new(name: impl AsRef<str>, count: u64) -> Self {
        Self { name: Text::new(name.as_ref()), count, ids: Vec::new() }
    }

    /// Which ones: numbers, or places such as `dev.jsonl:12`. The first twenty are shown, and how
    /// many more there are.
    pub fn ids<T: AsRef<str>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.ids = ids.into_iter().take(MOST_IDS).map(|id| Text::new(id.as_ref())).collect();
        self
    }
}

impl<'a> Row<'a> {
    fn new(finding: &'a Finding, of: u64) -> Self {
        let &Finding { ref name, count, ref ids } = finding;
        let share = percent(count, of);
        let value = (of > 0).then(|| count as f64 / of as f64);
        let bar = Bar::new(format!("{name}: {count} of {of}, {share}"), value, None);
        let shown = ids.len() as u64;
        let more = if shown == 0 { 0 } else { count.saturating_sub(shown) };
        Self { finding, share, bar, more }
    }
}
