//! [`List`]: several things in one cell.

use std::fmt::{self, Display};

use serde::Serialize;
use serde_json::Value;

/// Several things in one cell of a [`Grid`](crate::Grid): for people their texts, with commas
/// between them; for programs a list, in which each thing is what it is in JSON.
///
/// ```
/// use chunkeval_report::{Cell, Format, Grid};
///
/// let mut grid = Grid::new(["health", "which"]);
/// grid.push([Cell::text("repaired"), Cell::list([3, 8])]);
/// grid.push([Cell::text("truncated"), Cell::list([0; 0])]);
/// assert_eq!(serde_json::to_string(&grid)?, r#"[{"health":"repaired","which":[3,8]},{"health":"truncated","which":[]}]"#);
/// assert_eq!(grid.render(Format::Csv)?, "health,which\nrepaired,\"3, 8\"\ntruncated,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct List {
    values: Vec<Value>,
    #[serde(skip)]
    text: String,
}

impl List {
    /// Some things. One that JSON does not have, such as a map whose keys are no texts, is its text
    /// there, too.
    pub fn new<T: Display + Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        let (mut values, mut texts) = (Vec::new(), Vec::new());
        for item in items {
            let text = item.to_string();
            values.push(serde_json::to_value(item).unwrap_or_else(|_| text.clone().into()));
            texts.push(text);
        }
        Self { values, text: texts.join(", ") }
    }

    /// Whether there is nothing in it; its text is empty then.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The texts, with commas between them.
impl Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
