//! [`List`]: several things in one cell.

use std::fmt::{self, Display};

use serde::Serialize;
use serde_json::Value;

/// Several things in one cell of a [`Grid`](crate::Grid): for people their texts, with commas
/// between them, as many as fit into 80 characters; for programs a list, in which each thing is what it is in JSON.
///
/// ```
/// use chunkeval_report::{Cell, Format, Grid};
///
/// let mut grid = Grid::new(["health", "which"]);
/// grid.push([Cell::text("repaired"), Cell::list([3, 8])]);
/// grid.push([Cell::text("truncated"), Cell::list([0; 0])]);
/// assert_eq!(serde_json::to_string(&grid)?, r#"[{"health":"repaired","which":[3,8]},{"health":"truncated","which":[]}]"#);
/// assert_eq!(grid.render(Format::Csv), "health,which\nrepaired,\"3, 8\"\ntruncated,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct List {
    values: Vec<Value>,
    #[serde(skip)]
    text: String,
    /// Where the last thing ends that tables for people show.
    #[serde(skip)]
    shown: usize,
}

/// So many characters tables for people show.
const MOST: usize = 80;

impl List {
    /// Some things. One that JSON does not have, such as a map whose keys are no texts, is its text
    /// there, too.
    pub fn new<T: Display + Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        let (mut values, mut text) = (Vec::new(), String::new());
        let (mut shown, mut characters) = (0, 0);
        for item in items {
            let of_item = item.to_string();
            let comma = if values.is_empty() { "" } else { ", " };
            text += comma;
            text += &of_item;
            characters += comma.len() + of_item.chars().count();
            if characters <= MOST || values.is_empty() {
                shown = text.len();
            }
            values.push(serde_json::to_value(item).unwrap_or_else(|_| of_item.into()));
        }
        Self { values, text, shown }
    }

    /// Whether there is nothing in it; its text is empty then.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl List {
    /// The texts that tables for people show, with … for the others.
    pub(super) fn beginning(&self) -> String {
        match self.text.get(..self.shown) {
            Some(shown) if shown.len() < self.text.len() => format!("{shown}, …"),
            _ => self.text.clone(),
        }
    }
}

/// The texts, with commas between them.
impl Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut_between_its_things() {
        let names = |n: usize| (0..n).map(|i| format!("line {i} (id {i:010})")).collect::<Vec<_>>();
        assert_eq!(List::new(names(2)).beginning(), names(2).join(", "));
        assert_eq!(List::new(names(9)).beginning(), names(3).join(", ") + ", …");
        assert_eq!(List::new(names(9)).to_string(), names(9).join(", "));
        let long = ["é".repeat(200), "y".into()];
        assert_eq!(List::new(&long).beginning(), "é".repeat(200) + ", …");
        assert_eq!(List::new([""; 0]).beginning(), "");
    }
}
