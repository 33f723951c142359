//! The signs of an answer's grammar, ASCII and full-width.

/// What a bracket is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `{}`: objects and sets.
    Brace,
    /// `[]`: lists.
    Square,
    /// `()`: tuples, which are lists.
    Round,
}

pub(crate) fn opener(c: char) -> Option<Bracket> {
    match c {
        '{' | '｛' => Some(Bracket::Brace),
        '[' | '［' => Some(Bracket::Square),
        '(' | '（' => Some(Bracket::Round),
        _ => None,
    }
}

pub(crate) fn closer(c: char) -> Option<Bracket> {
    match c {
        '}' | '｝' => Some(Bracket::Brace),
        ']' | '］' => Some(Bracket::Square),
        ')' | '）' => Some(Bracket::Round),
        _ => None,
    }
}

pub(crate) fn is_separator(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | ';' | '；')
}

pub(crate) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：' | '=')
}

pub(crate) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '＂' | '＇')
}

/// Whether a string that one quote opens may end with the other.
pub(crate) fn closes(opening: char, c: char) -> bool {
    match opening {
        '“' => matches!(c, '”' | '"'),
        '‘' => matches!(c, '’' | '\''),
        _ => c == opening,
    }
}

/// Space, as Python's `strip` sees it.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// Space between tokens: what is not seen is none of them.
pub(crate) fn is_gap(c: char) -> bool {
    is_space(c) || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Space that JSON has between its tokens.
pub(crate) fn is_json_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Whether a comment begins the text.
pub(crate) fn begins_comment(text: &str) -> bool {
    text.starts_with('#') || text.starts_with("//") || text.starts_with("/*")
}
