//! Point 1: `<think>` blocks are dropped, an unclosed one to the end, and all before a `</think>`
//! that was opened in the prompt. A `<think>` within a string is one, too. `<thinking>` is another
//! spelling.

use std::borrow::Cow;

/// How a block begins and ends.
struct Tag {
    open: &'static str,
    close: &'static str,
}

const TAGS: [Tag; 2] =
    [Tag { open: "<think>", close: "</think>" }, Tag { open: "<thinking>", close: "</thinking>" }];

/// What stands before the first block and behind its opening tag, and how the block ends.
fn opening(text: &str) -> Option<(&str, &str, &'static str)> {
    // One search for all tags, so that looking for one that is not there costs nothing again.
    text.match_indices("<think").find_map(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let tag = |tag: &Tag| Some((before, rest.strip_prefix(tag.open)?, tag.close));
        TAGS.iter().find_map(tag)
    })
}

/// A text without its thoughts, and where its parts were.
#[derive(Debug)]
pub(crate) struct Spoken<'t> {
    pub(crate) text: Cow<'t, str>,
    /// For each part its first byte, here and in the whole text.
    parts: Vec<(usize, usize)>,
    /// The first byte of every thought in the whole text.
    pub(crate) thoughts: Vec<usize>,
}

impl<'t> Spoken<'t> {
    pub(crate) fn of(whole: &'t str) -> Self {
        let mut spoken = Self { text: Cow::Borrowed(""), parts: Vec::new(), thoughts: Vec::new() };
        // Where the prompt ends with `<think>`, the text has the other end alone. At the end of the
        // text nothing is left that could be the answer.
        let before_open = opening(whole).map_or(whole, |(before, ..)| before);
        let ends =
            TAGS.iter().filter_map(|tag| Some(before_open.rfind(tag.close)? + tag.close.len()));
        let lone = ends.max().and_then(|end| whole.get(end..));
        let answer = lone.filter(|behind| !behind.trim().is_empty());
        spoken.thoughts.extend(answer.map(|_| 0));
        let mut rest = answer.unwrap_or(whole);
        loop {
            let begin = whole.len() - rest.len();
            spoken.parts.push((spoken.text.len(), begin));
            let (part, thought) = match opening(rest) {
                Some((part, thought, close)) => (part, Some((thought, close))),
                None => (rest, None),
            };
            if spoken.text.is_empty() {
                spoken.text = Cow::Borrowed(part);
            } else if !part.is_empty() {
                spoken.text.to_mut().push_str(part);
            }
            let Some((thought, close)) = thought else { return spoken };
            spoken.thoughts.push(begin + part.len());
            rest = thought.split_once(close).map_or("", |(_, after)| after);
        }
    }

    /// Where a byte of the text stands in the whole.
    pub(crate) fn whole_offset(&self, offset: usize) -> usize {
        let after = self.parts.partition_point(|&(here, _)| here <= offset);
        let part = after.checked_sub(1).and_then(|index| self.parts.get(index));
        part.map_or(offset, |&(here, whole)| offset - here + whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_dropped_and_places_kept() {
        let spoken = Spoken::of("a<think>x</think>b<think></think>cd<think>y");
        assert_eq!(spoken.text, "abcd");
        assert_eq!(spoken.thoughts, [1, 18, 35]);
        let places: Vec<usize> = (0..4).map(|offset| spoken.whole_offset(offset)).collect();
        assert_eq!(places, [0, 17, 33, 34]);

        assert_eq!(Spoken::of("<think>{}").text, "");
        let other = Spoken::of("a<thinking>x</think>y</thinking>b<thinks>c<think></thinking>");
        assert_eq!((&*other.text, &*other.thoughts), ("ab<thinks>c", &[1, 42][..]));
        assert_eq!(Spoken::of("a</think>b</thinking>c").text, "c");
        assert_eq!(Spoken::of("{}").text, "{}");
        let lone = Spoken::of("a</think>b</think>cd");
        assert_eq!((&*lone.text, &*lone.thoughts, lone.whole_offset(1)), ("cd", &[0][..], 19));
        assert_eq!(Spoken::of("{}</think>\n").text, "{}</think>\n");
        assert!(matches!(Spoken::of("<think>x</think>b").text, Cow::Borrowed("b")));
    }
}
