//! Sentences with the texts that they are from.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;
use std::path::Path;

use chunkeval::data::{ConllReader, Format, Sentence, WaybillReader};

use super::InferArgs;
use crate::args;
use crate::corpus::Split;
use crate::error::{Error, Result};
use crate::settings::WAYBILL;

const WORDS: &str = "words";
const CHARACTERS: &str = "characters";

/// What is to be predicted.
#[derive(Debug)]
pub(super) struct Documents {
    /// The sentences. Those of text have empty labels.
    pub(super) split: Split,
    /// The text of each sentence, and where in it each token is, in characters.
    pub(super) texts: Vec<Text>,
    /// Whether the labels are gold.
    pub(super) gold: bool,
}

/// A text and its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) text: String,
    /// In characters.
    pub(super) tokens: Vec<Range<usize>>,
}

/// That a format can be read.
pub(super) fn format(text: &str) -> chunkeval::Result<String> {
    match text {
        WORDS | CHARACTERS => Ok(text.to_owned()),
        _ => args::format(text),
    }
}

impl Documents {
    /// Reads all of them; in the format of the run if the user names none.
    pub(super) fn read(args: &InferArgs, of_run: &str) -> Result<Self> {
        let path = if args.input.as_os_str() == "-" { Path::new("stdin") } else { &args.input };
        let format = args.format.as_deref().unwrap_or(of_run);
        let split = |sentences| Split { name: "input", path: path.to_owned(), sentences };
        if [WORDS, CHARACTERS].contains(&format) {
            let (texts, sentences) = plain(args, path, format)?.into_iter().unzip();
            return Ok(Self { split: split(sentences), texts, gold: false });
        }
        let joint = if format == WAYBILL { "" } else { " " };
        let sentences = labelled(args, path, format)?;
        let texts = sentences.iter().map(|sentence| Text::joined(sentence, joint)).collect();
        Ok(Self { split: split(sentences), texts, gold: !args.unlabelled })
    }
}

fn labelled(args: &InferArgs, path: &Path, format: &str) -> Result<Vec<Sentence>> {
    let format: Format = format.parse()?;
    if args.input.as_os_str() != "-" {
        return Ok(format.open(path)?.collect::<chunkeval::Result<_>>()?);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    let source = Cursor::new(bytes);
    Ok(match &format {
        Format::Conll(layout) => {
            ConllReader::new(source, path, layout)?.collect::<chunkeval::Result<_>>()?
        }
        Format::Waybill => WaybillReader::new(source, path).collect::<chunkeval::Result<_>>()?,
        _ => {
            let reason = "standard input cannot be a folder of parallel files";
            return Err(Error::Usage(reason.to_owned()));
        }
    })
}

/// What files from Windows may begin with; it is no part of the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Lines of text that hold something.
fn plain(args: &InferArgs, path: &Path, format: &str) -> Result<Vec<(Text, Sentence)>> {
    let source: Box<dyn BufRead> = match args.input.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(path).map_err(|e| Error::io(path, e))?)),
    };
    let mut documents = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let mut line = line.map_err(|e| Error::io(path, e))?;
        if number == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.remove(0);
        }
        let (text, sentence) = cut(line, format);
        if !sentence.is_empty() {
            documents.push((text, sentence));
        }
    }
    Ok(documents)
}

/// The tokens of a line, each without white space.
fn cut(line: String, format: &str) -> (Text, Sentence) {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut sentence = Sentence::new();
    let mut token = String::new();
    for (at, character) in line.chars().chain([' ']).enumerate() {
        let ends = character.is_whitespace() || format == CHARACTERS;
        if ends && !token.is_empty() {
            tokens.push(at - token.chars().count()..at);
            sentence.push(&token, "");
            token.clear();
        }
        if !character.is_whitespace() {
            token.push(character);
        }
    }
    (Text { text: line, tokens }, sentence)
}

impl Text {
    /// The tokens with `joint` between them.
    fn joined(sentence: &Sentence, joint: &str) -> Self {
        let mut all = Self::default();
        let mut at = 0;
        for (i, token) in sentence.tokens().iter().enumerate() {
            let joint = if i == 0 { "" } else { joint };
            let start = at + joint.chars().count();
            at = start + token.chars().count();
            all.text.extend([joint, token]);
            all.tokens.push(start..at);
        }
        all
    }

    /// The part of the text at these characters.
    pub(super) fn part(&self, characters: Range<usize>) -> String {
        self.text.chars().skip(characters.start).take(characters.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(line: &str, format: &str) -> Vec<(usize, String)> {
        let (text, sentence) = cut(line.to_owned(), format);
        assert_eq!(sentence.len(), text.tokens.len());
        let parts = text.tokens.iter().map(|range| (range.start, text.part(range.clone())));
        let parts: Vec<_> = parts.collect();
        assert!(sentence.tokens().iter().eq(parts.iter().map(|(_, part)| part)));
        parts
    }

    #[test]
    fn offsets_are_in_characters() {
        let owned = |(at, text): (usize, &str)| (at, text.to_owned());
        assert_eq!(
            tokens(" 北京 café  x", WORDS),
            [(1, "北京"), (4, "café"), (10, "x")].map(owned)
        );
        assert_eq!(tokens("京 é", CHARACTERS), [(0, "京"), (2, "é")].map(owned));
        assert!(tokens(" \t", WORDS).is_empty());
    }

    #[test]
    fn tokens_are_joined() {
        let mut sentence = Sentence::new();
        ["été", "à", "京"].iter().for_each(|token| sentence.push(token, "O"));
        let text = Text::joined(&sentence, " ");
        assert_eq!((&*text.text, text.tokens), ("été à 京", vec![0..3, 4..5, 6..7]));
        assert_eq!(Text::joined(&sentence, "").tokens, [0..3, 3..4, 4..5]);
    }
}
