//! One sentence.

use std::collections::HashSet;

use chunkeval_core::{Chunk, ChunkError};

use super::line::{Line, Words};
use crate::text::{Text, counted};

/// A sentence with its gold and predicted chunks; the first chunks of both sides say what is wrong
/// with it.
///
/// ```
/// use chunkeval_core::Chunk;
/// use chunkeval_html::{Example, Examples, Page};
///
/// let chunk = |start, end, entity_type| Chunk { start, end, entity_type };
/// let tokens = ["他", "在", "北", "京", "大", "学"];
/// let example = Example::new("dev:7", tokens, &[chunk(2, 6, "ORG")], &[chunk(2, 4, "LOC")]);
/// let html = Page::new("A model").with(Examples::new([example])).to_string();
/// assert!(html.contains("ORG as LOC: type and boundary"));
/// assert!(html.contains("他在<mark")); // no spaces between ideographs
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Example {
    place: Text,
    tokens: Vec<Text>,
    joined: Joined,
    gold: Vec<Marked>,
    predicted: Vec<Marked>,
    /// What is wrong, if it is not what the chunks show.
    errors: Option<Vec<Text>>,
}

/// How tokens become a text again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Joined {
    /// With spaces between words, and none beside ideographs, nor where each token is one
    /// character and one of them is an ideograph.
    #[default]
    AsWritten,
    /// With a space between any two.
    Spaced,
    /// One behind the other: tokens are the characters of the text, spaces among them.
    Closely,
}

/// A chunk, and whether the other side has it, too.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The type as it was given; below as it is shown.
    pub(super) given: String,
    pub(super) entity_type: Text,
    pub(super) right: bool,
}

/// An example as it stands in the template.
pub(super) struct Shown<'a> {
    pub(super) place: &'a Text,
    pub(super) errors: Vec<Text>,
    /// How long the sentence is, if it was shortened; how many chunks are in no line.
    pub(super) remarks: Vec<String>,
    pub(super) lines: Vec<Line>,
}

impl Example {
    /// A sentence of a place such as `dev.conll:12`. Offsets of chunks are numbers of tokens, or of
    /// characters if each is a token.
    pub fn new<T: AsRef<str>>(
        place: impl AsRef<str>,
        tokens: impl IntoIterator<Item = T>,
        gold: &[Chunk<'_>],
        predicted: &[Chunk<'_>],
    ) -> Self {
        Self {
            place: Text::new(place.as_ref()),
            tokens: tokens.into_iter().map(|token| Text::new(token.as_ref())).collect(),
            joined: Joined::AsWritten,
            gold: marked(gold, predicted),
            predicted: marked(predicted, gold),
            errors: None,
        }
    }

    /// Another way to join the tokens.
    pub fn joined(self, joined: Joined) -> Self {
        Self { joined, ..self }
    }

    /// Other errors, in words, than those that the chunks show: where they were counted in another
    /// way, so that they are the ones that were counted.
    pub fn errors<T: AsRef<str>>(self, errors: impl IntoIterator<Item = T>) -> Self {
        let errors = errors.into_iter().map(|what| Text::new(what.as_ref())).collect();
        Self { errors: Some(errors), ..self }
    }

    /// What is wrong, in words.
    fn told(&self) -> Vec<Text> {
        self.errors.clone().unwrap_or_else(|| {
            let [gold, predicted] = [&self.gold, &self.predicted]
                .map(|side| side.iter().map(Marked::chunk).collect::<Vec<_>>());
            ChunkError::between(0, &gold, &predicted).iter().map(error).collect()
        })
    }

    pub(super) fn shown(&self) -> Shown<'_> {
        let edges = self.gold.iter().chain(&self.predicted).flat_map(|m| [m.start, m.end]);
        let words = Words::new(&self.tokens, self.joined, edges);
        let mut remarks = Vec::new();
        if words.is_shortened() {
            let (one, many) = match self.joined {
                Joined::Closely => ("character", "characters"),
                Joined::AsWritten | Joined::Spaced => ("token", "tokens"),
            };
            let all = counted(self.tokens.len() as u64, one, many);
            remarks.push(format!("shortened from {all}"));
        }
        let mut lines = Vec::new();
        for (side, marked) in [("gold", &self.gold), ("predicted", &self.predicted)] {
            let (of_side, hidden) = Line::of(side, marked, &words);
            lines.extend(of_side);
            if hidden > 0 {
                let hidden = counted(hidden as u64, "more overlaps", "more overlap");
                remarks.push(format!("{side}: {hidden}"));
            }
        }
        Shown { place: &self.place, errors: self.told(), remarks, lines }
    }
}

impl Marked {
    fn chunk(&self) -> Chunk<'_> {
        Chunk { start: self.start, end: self.end, entity_type: &self.given }
    }
}

fn marked(chunks: &[Chunk<'_>], others: &[Chunk<'_>]) -> Vec<Marked> {
    let others: HashSet<&Chunk<'_>> = others.iter().collect();
    let mark = |chunk: &Chunk<'_>| Marked {
        start: chunk.start,
        end: chunk.end,
        given: chunk.entity_type.to_owned(),
        entity_type: Text::name(chunk.entity_type),
        right: others.contains(chunk),
    };
    let mut marked: Vec<Marked> = chunks.iter().map(mark).collect();
    marked.sort_by_key(|m| (m.start, std::cmp::Reverse(m.end)));
    marked
}

/// An error in words: `LOC as ORG: type error`.
fn error(error: &ChunkError<'_>) -> Text {
    let what = error.kind.words();
    match (error.gold, error.predicted) {
        (Some(gold), Some(predicted)) if gold.entity_type != predicted.entity_type => {
            let (gold, predicted) =
                (Text::name(gold.entity_type), Text::name(predicted.entity_type));
            Text::new(&format!("{gold} as {predicted}: {what}"))
        }
        (gold, predicted) => {
            let chunk = gold.or(predicted);
            let name = Text::name(chunk.map_or("", |chunk| chunk.entity_type));
            Text::new(&format!("{name}: {what}"))
        }
    }
}
