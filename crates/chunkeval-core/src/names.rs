//! Texts of others, such as names of entity types, as people see them.

/// Whether a character is not seen in a line of text, or moves what is seen: control characters,
/// ends of lines, characters without width, those that turn the writing direction. Two names that
/// differ in them alone look the same. Joiners are letters' business and not among them.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
                | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
                | '\u{FFFE}' | '\u{FFFF}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// A text with its [hidden](is_hidden) characters spelled out.
///
/// ```
/// use chunkeval_core::visible_text;
///
/// assert_eq!(visible_text("地名"), "地名");
/// assert_eq!(visible_text("PER\u{200B}\n"), "PER\\u{200b}\\u{a}");
/// ```
#[must_use]
pub fn visible_text(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut visible, c| {
        match is_hidden(c) {
            true => visible.extend(c.escape_unicode()),
            false => visible.push(c),
        }
        visible
    })
}

/// The name of an entity type as text for people: hidden characters are spelled out, and a name
/// that is empty is `(no type)`.
#[must_use]
pub fn visible_name(name: &str) -> String {
    if name.is_empty() { "(no type)".to_owned() } else { visible_text(name) }
}
