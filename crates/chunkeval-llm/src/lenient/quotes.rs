//! Point 5: which quote ends a string. A model seldom escapes those within, and sometimes forgets the
//! last one.
//!
//! A quote ends a string only before a separator, colon, closing bracket, quote, comment or the end.
//! Where that would give the string more than is its own, something is missing:
//!
//! - a comma in `["New York" Bonn], "PER": …`: the quote before the word is the last one ([`ends`]);
//! - a quote in `["Bonn], "PER": …`: the string ends before the brackets ([`before_key`]).

use super::signs::{
    Bracket, begins_comment, closer, closes, is_colon, is_gap, is_quote, is_separator, is_space,
    opener,
};
use super::strings::{escaped_space, without_escaped_space};

/// The quotes in a string, one after the other.
#[derive(Debug)]
pub(crate) struct Quotes {
    /// That before the string.
    opening: char,
    /// How many of those within are open.
    open: usize,
}

/// What a quote is to a string.
#[derive(Debug)]
pub(crate) enum Quote<'t> {
    /// A part of it.
    Within,
    /// Its end; this is the text before it.
    Last(&'t str),
    /// That of a key behind it; this is the text before its missing end.
    OfKey(&'t str),
}

impl Quotes {
    pub(crate) fn new(opening: char) -> Self {
        Self { opening, open: 0 }
    }

    /// What the next quote is, at which `here` begins; `text` stands before it.
    pub(crate) fn next<'t>(&mut self, text: &'t str, here: &str) -> Quote<'t> {
        let mut behind = here.chars();
        let Some(quote) = behind.next() else { return Quote::Within };
        if self.ends(quote, behind.as_str()) {
            return Quote::Last(text);
        }
        if let Some(text) = before_key(text, here) {
            return Quote::OfKey(text);
        }
        let opens = match closes(self.opening, self.opening) {
            true => self.open == 0,
            false => quote == self.opening,
        };
        self.open = if opens { self.open + 1 } else { self.open.saturating_sub(1) };
        Quote::Within
    }

    /// Whether a quote is the last one. Of two in a row the first belongs to an open one within:
    /// `"say "hi""`.
    fn ends(&self, quote: char, behind: &str) -> bool {
        let ends = |quote, behind| closes(self.opening, quote) && ends(self.opening, quote, behind);
        let mut next = behind.chars();
        ends(quote, behind)
            && !(self.open > 0 && next.next().is_some_and(|quote| ends(quote, next.as_str())))
    }
}

/// Whether a quote ends a string, given what stands behind it.
fn ends(opening: char, quote: char, behind: &str) -> bool {
    // `“say "hi"”` ends with its own quote.
    if opening != quote && behind.chars().next().is_some_and(|c| c != quote && closes(opening, c)) {
        return false;
    }
    let rest = behind.trim_start_matches(is_gap);
    rest.chars().next().is_none_or(|c| is_behind_string(c) || is_quote(c))
        || begins_comment(rest)
        || escaped_space(rest).is_some()
            && without_escaped_space(rest).starts_with(is_behind_string)
        || behind.starts_with(is_space) && begins_last_word(rest)
}

/// Whether the last quote stands there twice, given what stands behind the first.
pub(crate) fn is_twice(opening: char, behind: &str) -> bool {
    let mut behind = behind.chars();
    behind.next().is_some_and(|c| closes(opening, c))
        && behind.as_str().trim_start_matches(is_gap).starts_with(is_behind_string)
}

fn is_behind_string(c: char) -> bool {
    is_separator(c) || is_colon(c) || closer(c).is_some()
}

/// Whether a word begins here behind which the object ends or a key follows. Looks no further than to
/// the second quote, so that all looks together take linear time.
fn begins_last_word(text: &str) -> bool {
    let (before, key) = text.split_at(text.find(is_quote).unwrap_or(text.len()));
    let ends = |c: char| is_separator(c) || is_colon(c) || opener(c).or(closer(c)).is_some();
    let signs = before.trim_start_matches(|c| !ends(c));
    let behind =
        signs.trim_start_matches(|c| is_separator(c) || closer(c).is_some() || is_space(c));
    let signs = signs.strip_suffix(behind).unwrap_or_default();
    if behind.is_empty() && !key.is_empty() {
        return !signs.is_empty() && begins_key(key);
    }
    // Not the brace of `the boys' c}lub`.
    let apart = behind.is_empty() || signs.ends_with(is_space) || behind.starts_with(ends);
    apart && signs.contains(['}', '｝'])
}

/// The string before a key, if the quote at its end is missing; the key begins with `behind`.
fn before_key<'t>(text: &'t str, behind: &str) -> Option<&'t str> {
    // Round brackets are part of entities more often than of tuples.
    let is_bracket = |bracket| matches!(bracket, Some(Bracket::Brace | Bracket::Square));
    let ends = |c: char| is_separator(c) || is_bracket(closer(c));
    let kept = text.trim_end_matches(|c| is_space(c) || ends(c) || is_bracket(opener(c)));
    // Not `strip_prefix`, which reads all that is kept again, at each quote.
    let signs = text.get(kept.len()..).unwrap_or_default();
    (signs.trim_start_matches(is_space).starts_with(ends) && begins_key(behind)).then_some(kept)
}

/// Whether a string begins here, and a colon stands behind it.
pub(crate) fn begins_key(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(opening) = chars.next() else { return false };
    let mut behind = chars.as_str().trim_start_matches(|c| !is_quote(c)).chars();
    behind.next().is_some_and(|c| closes(opening, c))
        && behind.as_str().trim_start_matches(is_gap).starts_with(is_colon)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The string that begins behind a quote.
    fn string(opening: char, text: &str) -> Option<&str> {
        let mut quotes = Quotes::new(opening);
        text.char_indices().find_map(|(at, c)| {
            if c != opening && !closes(opening, c) {
                return None;
            }
            match quotes.next(&text[..at], &text[at..]) {
                Quote::Within => None,
                Quote::Last(text) | Quote::OfKey(text) => Some(text),
            }
        })
    }

    #[test]
    fn a_string_ends_with_its_own_last_quote() {
        for (text, expected) in [
            (r#"a", "b"]"#, "a"),
            (r#"a" b", "c"]"#, r#"a" b"#),
            (r#"a "b"", "c"]"#, r#"a "b""#),
            (r#""a"", "b"]"#, r#""a""#),
            (r#"a"b""c"]"#, r#"a"b"#),
            (r#"a" b], "c": ["d"]"#, "a"),
            (r#"a" b, "c", "d"]"#, r#"a" b, "c"#),
            (r#"a" b]}"#, "a"),
            (r#"a" b]} and "c""#, "a"),
            (r#"a" b}c", "d"]"#, r#"a" b}c"#),
            (r#"a], "b": ["c"]"#, "a"),
            (r#"a}, {"b": "c"}"#, "a"),
            (r#"a (b), "c": "d"}"#, "a (b)"),
            (r#"a], "b", "c": "d"}"#, r#"a], "b"#),
        ] {
            assert_eq!(string('"', text), Some(expected), "{text}");
        }
        assert_eq!(string('“', "他说：“好””，“书”]"), Some("他说：“好”"));
        assert_eq!(string('“', "a], “b”: “c”"), Some("a"));
        assert_eq!(string('\'', "O'Brien''Ann']"), Some("O'Brien"));
        assert_eq!(string('"', r#"a" b]"#), None);
    }
}
