//! Point 2: code fences.

use std::ops::Range;

/// A block between two fences, or from one to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// With its fences.
    pub(crate) outer: Range<usize>,
    /// What stands in it, the name of the language included.
    pub(crate) inner: Range<usize>,
}

/// The fenced blocks of a text. A block opens at the beginning of a line, or at the end of one with
/// nothing but the name of a language behind it; it closes at the beginning of a line, or at the end
/// of the one that opened it. Fences elsewhere belong to the text, as in a string.
pub(crate) fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut open: Option<(char, Fence)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start + line.len() - line.trim_start().len();
        let line_start = start;
        start += line.len();
        let line = line.trim();
        match open.take() {
            Some((sign, mut fence)) if marks(line, sign) >= 3 => {
                fence.inner.end = line_start;
                fence.outer.end = place + marks(line, sign);
                found.push(fence);
            }
            Some(still) => open = Some(still),
            None => {
                let Some((sign, at)) = opening(line) else { continue };
                let marked = line.get(at..).unwrap_or_default();
                let length = marks(marked, sign);
                let outer = place + at;
                let inner = outer + length;
                let inside = marked.get(length..).unwrap_or_default();
                let without_marks = inside.trim_end_matches(sign);
                if inside.len() - without_marks.len() >= 3 {
                    let (outer, inner) =
                        (outer..inner + inside.len(), inner..inner + without_marks.len());
                    found.push(Fence { outer, inner });
                } else {
                    let fence = Fence { outer: outer..text.len(), inner: inner..text.len() };
                    open = Some((sign, fence));
                }
            }
        }
    }
    found.extend(open.map(|(_, fence)| fence));
    found
}

/// How many of a sign a text begins with; three are a fence.
fn marks(text: &str, sign: char) -> usize {
    text.len() - text.trim_start_matches(sign).len()
}

/// The sign that opens a block in a line without outer space, and its place.
fn opening(line: &str) -> Option<(char, usize)> {
    let at_start = ['`', '~'].into_iter().find(|&sign| marks(line, sign) >= 3);
    at_start.map(|sign| (sign, 0)).or_else(|| {
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
        let before_name = line.trim_end_matches(name);
        let sign = before_name.chars().next_back().filter(|sign| matches!(sign, '`' | '~'))?;
        let before = before_name.trim_end_matches(sign);
        (before_name.len() - before.len() >= 3).then_some((sign, before.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Vec<&str> {
        fences(text).into_iter().map(|fence| &text[fence.inner]).collect()
    }

    #[test]
    fn a_block_stands_between_two_fences() {
        assert_eq!(inside("a\n```json\n{}\n```\nb\n~~~\n[]\n~~~"), ["json\n{}\n", "\n[]\n"]);
        assert_eq!(inside("````\n{}\n````"), ["\n{}\n"]);
        assert_eq!(inside("Here: ```json\n{}\n```"), ["json\n{}\n"]);
        assert_eq!(inside("```json {} ``` and"), ["json {} ``` and"]);
        assert_eq!(inside("```{}```\n```json\n[]\n```"), ["{}", "json\n[]\n"]);
        assert_eq!(inside("```json\n{}"), ["json\n{}"]);
        assert_eq!(inside("``` \r\n{}\r\n  ```\r\n"), [" \r\n{}\r\n"]);
    }

    #[test]
    fn marks_in_a_line_of_text_are_text() {
        assert_eq!(inside(r#"{"TOOL": ["```rust"]}"#), [""; 0]);
        assert_eq!(
            inside("```json\n{\"TOOL\": [\"```rust\"]}\n```"),
            ["json\n{\"TOOL\": [\"```rust\"]}\n"]
        );
        assert_eq!(fences("a\n```js\n[2]\n```\nb"), [Fence { outer: 2..15, inner: 5..12 }]);
    }
}
