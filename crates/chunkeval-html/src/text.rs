//! Texts and numbers as they are shown.

use std::fmt;

use chunkeval_core::{visible_name, visible_text};

/// A text of others: what cannot be seen in it is spelled out, the two characters that no XML may
/// hold among it. Templates escape it like any other.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn new(text: &str) -> Self {
        Self(visible_text(text))
    }

    /// The name of an entity type: an empty one is called that.
    pub(crate) fn name(name: &str) -> Self {
        Self(visible_name(name))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it begins with a character that is written without a space before it.
    pub(crate) fn starts_wide(&self) -> bool {
        self.0.chars().next().is_some_and(is_wide)
    }

    /// Whether it ends with a character that is written without a space behind it.
    pub(crate) fn ends_wide(&self) -> bool {
        self.0.chars().next_back().is_some_and(is_wide)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Ideographs, kana, bopomofo, and the signs that are written with them.
fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{312F}' | '\u{31A0}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// A score with so many digits; a dash if it is undefined.
pub(crate) fn score(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

/// A share in percent; nothing if there is nothing to divide by.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.1} %", part as f64 / whole as f64 * 100.0),
    }
}

/// `1 sentence`, `2 sentences`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        assert_eq!(Text::new("a\u{202e}b\0\n").to_string(), "a\\u{202e}b\\u{0}\\u{a}");
        assert_eq!(Text::new("北京 می‌خواهم").to_string(), "北京 می‌خواهم"); // its joiner stays
        assert_eq!(Text::name("").to_string(), "(no type)");
    }

    #[test]
    fn numbers() {
        assert_eq!((score(Some(0.5), 2), score(None, 2)), ("0.50".into(), "–".into()));
        assert_eq!((percent(1, 8), percent(1, 0)), ("12.5 %".into(), String::new()));
        assert_eq!(counted(1, "row", "rows"), "1 row");
    }
}
