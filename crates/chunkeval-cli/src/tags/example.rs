//! Errors with their places and their words.

use std::collections::BTreeMap;
use std::ops::Range;

use chunkeval_core::{Chunk, ChunkError, ChunkErrorKind};
use serde::Serialize;

use super::rows::{Texts, Token};

/// Tokens shown before and behind an error.
const AROUND: usize = 8;

/// An error as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Example {
    /// The line of its first token.
    pub(crate) line: u64,
    /// What is wrong.
    pub(crate) kind: ChunkErrorKind,
    /// The gold chunk, if there is one.
    pub(crate) gold: Option<Mention>,
    /// The predicted chunk, if there is one.
    pub(crate) predicted: Option<Mention>,
    /// The tokens of both and some around them.
    pub(crate) tokens: Vec<String>,
    /// The same as a text.
    pub(crate) text: String,
}

/// A chunk of an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Mention {
    /// Its type.
    #[serde(rename = "type")]
    pub(crate) entity_type: String,
    /// Its first token among those of the example.
    pub(crate) start: usize,
    /// The token behind its last one.
    pub(crate) end: usize,
    /// Its tokens, joined as they are written: without spaces where both sides are CJK.
    pub(crate) text: String,
}

/// The first examples of each kind.
#[derive(Clone, Debug)]
pub(super) struct Examples {
    limit: usize,
    kinds: BTreeMap<ChunkErrorKind, Vec<Example>>,
}

impl Examples {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, kinds: BTreeMap::new() }
    }

    /// Whether every kind is listed as far as it is to be.
    pub(super) fn full(&self) -> bool {
        let full = |kind| self.kinds.get(kind).is_some_and(|list| list.len() >= self.limit);
        self.limit == 0 || ChunkErrorKind::ALL.iter().all(full)
    }

    /// Adds an error, if its kind has room; `text` is where its row's text begins.
    pub(super) fn push(&mut self, error: &ChunkError<'_>, text: usize, texts: &dyn Texts) {
        let list = self.kinds.entry(error.kind).or_default();
        if list.len() < self.limit {
            list.extend(example(error, &texts.tokens(text)));
        }
    }

    /// Those of another part of the input; the first lines stay.
    pub(super) fn add(&mut self, other: Self) {
        for (kind, examples) in other.kinds {
            let list = self.kinds.entry(kind).or_default();
            list.extend(examples);
            list.sort();
            list.truncate(self.limit);
        }
    }

    /// All of them, by line.
    pub(super) fn into_vec(self) -> Vec<Example> {
        let mut all: Vec<Example> = self.kinds.into_values().flatten().collect();
        all.sort();
        all
    }
}

fn example(error: &ChunkError<'_>, tokens: &[Token]) -> Option<Example> {
    let chunks = || [error.gold, error.predicted].into_iter().flatten();
    let start = chunks().map(|chunk| chunk.start).min()?;
    let end = chunks().map(|chunk| chunk.end).max()?;
    let from = start.saturating_sub(AROUND);
    let to = end.saturating_add(AROUND).min(tokens.len());
    let shown = tokens.get(from..to)?;
    let mention = |chunk: Chunk<'_>| Mention {
        entity_type: chunk.entity_type.to_owned(),
        start: chunk.start - from,
        end: chunk.end - from,
        text: joined(tokens, chunk.range()),
    };
    Some(Example {
        line: tokens.get(start)?.line,
        kind: error.kind,
        gold: error.gold.map(mention),
        predicted: error.predicted.map(mention),
        tokens: shown.iter().map(|token| token.text.clone()).collect(),
        text: joined(tokens, from..to),
    })
}

fn joined(tokens: &[Token], range: Range<usize>) -> String {
    let mut text = String::new();
    for token in tokens.get(range).unwrap_or_default() {
        let sides = (text.chars().next_back(), token.text.chars().next());
        if let (Some(left), Some(right)) = sides
            && !(is_cjk(left) && is_cjk(right))
        {
            text.push(' ');
        }
        text += &token.text;
    }
    text
}

/// Scripts that are written without spaces.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}
