//! The text of a sentence, and where in it the tokens are.

use std::ops::Range;

use chunkeval::data::Sentence;

use super::args::Join;

/// A text and its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// The line of the input in which it begins, from 1.
    pub(super) line: u64,
    pub(super) text: String,
    /// In characters.
    pub(super) tokens: Vec<Range<usize>>,
}

impl Text {
    /// A line of text. Tokens know their columns.
    pub(super) fn given(text: &str, sentence: &Sentence) -> Self {
        let cells = sentence.tokens();
        let place = |(i, token): (usize, &str)| {
            let column = cells.position(i).map_or(1, |at| at.column);
            let start = column as usize - 1;
            start..start + token.chars().count()
        };
        let tokens = cells.iter().enumerate().map(place).collect();
        Self { line: line(sentence), text: text.to_owned(), tokens }
    }

    /// Tokens behind each other.
    pub(super) fn joined(sentence: &Sentence, join: Join) -> Self {
        let mut all = Self { line: line(sentence), ..Self::default() };
        let mut at = 0;
        for (i, token) in sentence.tokens().iter().enumerate() {
            let joint = if i == 0 { "" } else { join.joint() };
            let start = at + joint.len(); // of ASCII
            at = start + token.chars().count();
            all.text.extend([joint, token]);
            all.tokens.push(start..at);
        }
        all
    }

    /// From characters to parts of the text.
    pub(super) fn parts<'a>(&'a self) -> impl Fn(Range<usize>) -> Option<&'a str> {
        let bytes = self.text.char_indices().map(|(byte, _)| byte).chain([self.text.len()]);
        let bytes: Vec<usize> = bytes.collect();
        move |range| self.text.get(*bytes.get(range.start)?..*bytes.get(range.end)?)
    }
}

fn line(sentence: &Sentence) -> u64 {
    sentence.position().map_or(0, |at| at.line)
}

#[cfg(test)]
mod tests {
    use chunkeval::data::{ReadSentences as _, TextReader, TextTokens};

    use super::*;

    #[test]
    fn tokens_are_where_they_are_in_a_line() {
        let line = "\n 👩\u{200d}🚒 e\u{301}té\t京\u{3000}";
        for tokens in [TextTokens::Words, TextTokens::CharactersAndSpaces] {
            let mut reader = TextReader::new(line.as_bytes(), "f", tokens);
            let mut sentence = Sentence::new();
            assert!(reader.read_into(&mut sentence).unwrap());
            let text = Text::given(reader.text(), &sentence);
            assert_eq!((text.line, &*text.text), (2, &line[1..]));
            let part = text.parts();
            let parts = text.tokens.iter().map(|range| part(range.clone()).unwrap());
            assert!(sentence.tokens().iter().eq(parts));
        }
    }

    #[test]
    fn tokens_are_joined() {
        let mut sentence = Sentence::new();
        ["été", "à", "京"].iter().for_each(|token| sentence.push(token, "O"));
        let text = Text::joined(&sentence, Join::Space);
        assert_eq!((&*text.text, &*text.tokens), ("été à 京", &[0..3, 4..5, 6..7][..]));
        let part = text.parts();
        assert_eq!((part(0..5), part(6..7), part(6..8)), (Some("été à"), Some("京"), None));
        let text = Text::joined(&sentence, Join::None);
        assert_eq!((&*text.text, &*text.tokens), ("étéà京", &[0..3, 3..4, 4..5][..]));
    }
}
