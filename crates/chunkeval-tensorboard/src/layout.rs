//! How scalars are arranged on the Custom Scalars page.

use chunkeval_core::Result;
use tensorboard_proto::event::Event;
use tensorboard_proto::layout::{self as proto, Category, MultilineChartContent};

use crate::{event, tags};

/// A chart of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    title: String,
    tags: Vec<String>,
}

impl Chart {
    /// A chart with one line for each of these scalars.
    pub fn lines<I>(title: impl Into<String>, tags: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        Self { title: title.into(), tags: tags.into_iter().map(Into::into).collect() }
    }
}

/// The Custom Scalars page: categories, each with its charts.
///
/// ```
/// use chunkeval_tensorboard::{Chart, Layout};
///
/// let types = ["PER", "LOC"];
/// let layout = Layout::new()
///     .split("dev", types)
///     .split("test", types)
///     .category("training", [Chart::lines("loss", ["train/loss"])]);
/// # let folder = tempfile::tempdir().unwrap();
/// # let mut board = chunkeval_tensorboard::TensorBoard::create(folder.path())?;
/// board.layout(&layout)?;
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout(Vec<(String, Vec<Chart>)>);

impl Layout {
    /// An empty page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the two charts of a split, under the tags that a chunk report is logged with:
    /// `dev/precision`, `dev/recall` and `dev/f1` together, and `dev/per_type/TYPE/f1` of each
    /// entity type.
    #[must_use]
    pub fn split<I>(self, split: &str, types: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let overall = ["precision", "recall", "f1"].map(|name| format!("{split}/{name}"));
        let by_type = types.into_iter().map(|t| format!("{split}/per_type/{}/f1", t.as_ref()));
        let charts =
            [Chart::lines("precision, recall, F1", overall), Chart::lines("F1 by type", by_type)];
        self.category(split, charts)
    }

    /// Adds a category of charts.
    #[must_use]
    pub fn category(
        mut self,
        title: impl Into<String>,
        charts: impl IntoIterator<Item = Chart>,
    ) -> Self {
        self.0.push((title.into(), charts.into_iter().collect()));
        self
    }

    pub(crate) fn event(&self, wall_time: f64) -> Result<Event> {
        let mut layout = proto::Layout::new();
        for (title, charts) in &self.0 {
            let mut category = Category::new();
            category.set_title(title.clone());
            for chart in charts {
                category.mut_chart().push(chart.message()?);
            }
            layout.mut_category().push(category);
        }
        let mut bytes = Vec::new();
        event::encode(&layout, &mut bytes)?;
        let tensor = event::string_tensor(bytes);
        let tag = "custom_scalars__config__";
        Ok(event::plugin_value(wall_time, 0, tag, "custom_scalars", Vec::new(), tensor))
    }
}

impl Chart {
    fn message(&self) -> Result<proto::Chart> {
        let mut lines = MultilineChartContent::new();
        for tag in &self.tags {
            tags::check(tag)?;
            lines.mut_tag().push(pattern(tag));
        }
        let mut chart = proto::Chart::new();
        chart.set_title(self.title.clone());
        chart.set_multiline(lines);
        Ok(chart)
    }
}

/// The regular expression that matches this tag and no other: the plugin wants expressions and
/// matches them at the beginning, so a plain `dev/f1` would also draw `dev/f1_macro`.
fn pattern(tag: &str) -> String {
    let mut pattern = String::from("^");
    for c in tag.chars() {
        if c.is_ascii_punctuation() && !"/_-".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('$');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_its_tag_only() {
        assert_eq!(pattern("dev/per_type/人名/f1"), "^dev/per_type/人名/f1$");
        assert_eq!(pattern("a.b+(c)"), r"^a\.b\+\(c\)$");
    }

    #[test]
    fn a_tag_that_cannot_be_written_cannot_be_drawn() {
        let layout = Layout::new().split("/dev", ["PER"]);
        assert!(layout.event(0.0).is_err());
    }
}
