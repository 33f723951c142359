//! Numbers in sentences.

/// `1 line`, `2 lines`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `is` or `are`.
pub(crate) fn is_or_are(number: u64) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let line = |number| counted(number, "line", "lines");
        assert_eq!([line(0), line(1), line(2)], ["0 lines", "1 line", "2 lines"]);
        assert_eq!([is_or_are(0), is_or_are(1)], ["are", "is"]);
    }
}
