//! What several tests need.

/// As Python's `repr` prints a text.
pub(crate) fn repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut printed = quote.to_string();
    for c in text.chars() {
        match c {
            '\n' => printed.push_str("\\n"),
            '\t' => printed.push_str("\\t"),
            '\\' => printed.push_str("\\\\"),
            c if c == quote => printed.extend(['\\', c]),
            c => printed.push(c),
        }
    }
    printed.push(quote);
    printed
}
