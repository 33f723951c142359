//! Splitting a line as Perl's `split(/PATTERN/, $line)` does.

use regex::bytes::{Regex, RegexBuilder};

/// A delimiter given as a regular expression over bytes.
///
/// Perl runs the script on bytes under LC_ALL=C, so classes such as `\s` are ASCII here, and a
/// letter beyond ASCII in the pattern stands for its UTF-8 bytes.
///
/// The default is one space.
#[derive(Clone, Debug, Default)]
pub(super) struct Delimiter(Option<Regex>);

impl Delimiter {
    pub(super) fn new(pattern: &str) -> Result<Self, regex::Error> {
        let mut bytes = String::with_capacity(pattern.len());
        let mut escaped = false;
        for byte in pattern.bytes() {
            match byte {
                // Behind a backslash, which is there already, the byte still stands for itself.
                0x80.. if escaped => bytes += &format!("x{byte:02X}"),
                0x80.. => bytes += &format!("\\x{byte:02X}"),
                _ => bytes.push(char::from(byte)),
            }
            escaped = byte == b'\\' && !escaped;
        }
        RegexBuilder::new(&bytes).unicode(false).build().map(|regex| Self(Some(regex)))
    }

    /// The fields of a line. A delimiter that matches nothing splits between bytes, groups of the
    /// pattern are fields too, and empty fields at the end are dropped.
    pub(super) fn fields<'a>(&self, line: &'a [u8]) -> Vec<&'a [u8]> {
        let mut fields = match &self.0 {
            Some(regex) => split(regex, line),
            None => line.split(|&byte| byte == b' ').collect(),
        };
        let kept = fields.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
        fields.truncate(kept);
        fields
    }
}

fn split<'a>(regex: &Regex, line: &'a [u8]) -> Vec<&'a [u8]> {
    let mut fields: Vec<&[u8]> = Vec::new();
    let mut locations = regex.capture_locations();
    let (mut start, mut from) = (0, 0);
    while start < line.len() {
        let Some(found) = regex.captures_read_at(&mut locations, line, from) else { break };
        if found.end() <= start {
            // Perl goes on to the first match that ends beyond the field's start.
            from = start + 1;
            continue;
        }
        fields.push(&line[start..found.start()]);
        let groups = (1..locations.len()).map(|group| locations.get(group));
        fields.extend(groups.map(|group| group.map_or(&[][..], |(a, b)| &line[a..b])));
        start = found.end();
        from = start;
    }
    fields.push(&line[start..]);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_perls() {
        // perl 5.36: join("|", split(/PATTERN/, LINE))
        for (pattern, line, expected) in [
            (" ", "a b c", "a|b|c"),
            (" ", " a  b ", "|a||b"),
            (" ", "   ", ""),
            (" ", "", ""),
            ("\\s+", "a \t b", "a|b"),
            ("\\s+", "a\u{a0}b", "a\u{a0}b"),
            ("", "abc", "a|b|c"),
            ("|", "a b", "a| |b"),
            (".", "abc", ""),
            (",*", "a,,b,c", "a|b|c"),
            ("x?", "axb", "a|b"),
            ("(,)|;", "a,b;c", "a|,|b||c"),
            ("^", "abc", "abc"),
            ("$", "abc", "abc"),
            ("\\b", "a b", "a| |b"),
            ("，", "a，b", "a|b"),
            ("[，]", "a，b", "a|||b"),
            ("\\，", "a，b", "a|b"),
            ("\\\\，", "a，b\\，c", "a，b|c"),
        ] {
            let fields = Delimiter::new(pattern).unwrap().fields(line.as_bytes());
            let joined = fields.join(&b"|"[..]);
            assert_eq!(String::from_utf8_lossy(&joined), expected, "{pattern:?} {line:?}");
        }
        assert!(Delimiter::new("(").is_err());
    }
}
