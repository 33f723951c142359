//! Names of entity types as people see them.

/// The name of an entity type as text for people: characters that move the cursor, end a line,
/// turn the writing direction or are not seen at all are spelled out, and a name that is empty is
/// called that.
///
/// ```
/// use chunkeval_core::visible_name;
///
/// assert_eq!(visible_name("地名"), "地名");
/// assert_eq!(visible_name("PER\u{200B}\n"), "PER\\u{200b}\\u{a}");
/// assert_eq!(visible_name(""), "(no type)");
/// ```
#[must_use]
pub fn visible_name(name: &str) -> String {
    if name.is_empty() {
        return "(no type)".to_owned();
    }
    name.chars().fold(String::new(), |mut text, c| {
        match is_hidden(c) {
            true => text.extend(c.escape_unicode()),
            false => text.push(c),
        }
        text
    })
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}'..='\u{200F}')
        || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}
