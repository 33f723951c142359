//! Sentences as pieces of words, long ones in windows.

use std::ops::Range;

use chunkeval::data::Sentence;
use serde::{Deserialize, Serialize};
use training_loop::console::counted;
use training_loop::network;

use crate::encoder::Result;
use crate::tokens::{Cut, Tokens};

/// How sentences are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cutting {
    /// The most pieces of a window, `[CLS]` and `[SEP]` included.
    pub max_length: usize,
    /// So many pieces at most are in a window and in the next one too.
    pub stride: usize,
    /// What becomes of `[CLS]` and `[SEP]`.
    pub special_tokens: SpecialTokens,
}

/// What loss and metric do with `[CLS]` and `[SEP]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum SpecialTokens {
    /// They do not count
    Ignored,
    /// They count, with the label O, as in PaddleNLP's ERNIE example for waybills
    Outside,
}

/// The sentences of a split in windows.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The windows of all sentences.
    windows: Vec<Window>,
    /// Those of each sentence.
    of_sentence: Vec<Range<usize>>,
    /// The limit that they were cut at.
    max_length: usize,
    /// Pieces of words that are longer than a window, and are in none.
    cut: usize,
    /// All words.
    words: usize,
    /// Words that the tokenizer drops.
    dropped: usize,
    /// Words of which a piece is `[UNK]`: none in the vocabulary fits, or there are too many
    /// characters for the tokenizer. Those that it drops are not among them.
    unknown: usize,
}

/// A sentence, or a part of one that fits the encoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The index of the sentence.
    pub sentence: usize,
    /// The ids of its pieces, `[CLS]` first and `[SEP]` last.
    pub ids: Vec<u32>,
    /// To which word of the sentence each piece belongs, special tokens to none. With
    /// [`SpecialTokens::Outside`] they are words too: the one before all others has number 0.
    pub words: Vec<Option<u32>>,
}

impl Window {
    /// The ids without those of `[CLS]` and `[SEP]`.
    pub fn pieces(&self) -> &[u32] {
        match &*self.ids {
            [_, pieces @ .., _] => pieces,
            _ => &[],
        }
    }

    /// The first piece of each word: its column and the word.
    pub fn first_pieces(&self) -> impl Iterator<Item = (usize, u32)> {
        let before = std::iter::once(None).chain(self.words.iter().copied());
        let pairs = self.words.iter().copied().zip(before).enumerate();
        pairs
            .filter_map(|(column, (word, before))| Some((column, word.filter(|_| word != before)?)))
    }
}

impl Inputs {
    /// Cuts sentences into pieces, and those that are too long into windows that overlap. A window
    /// ends and begins between words, so each word is whole in at least one.
    ///
    /// # Errors
    /// The tokenizer fails.
    pub fn new(sentences: &[Sentence], tokens: &Tokens, cutting: Cutting) -> Result<Self> {
        let mut inputs = Self { max_length: cutting.max_length, ..Self::default() };
        for sentence in sentences {
            let words: Vec<&str> = sentence.tokens().iter().collect();
            let cut = tokens.words(&words)?;
            inputs.words += words.len();
            inputs.dropped += cut.dropped.len();
            inputs.unknown += unknown(&cut, tokens);
            inputs.push(&cut, words.len(), tokens, cutting);
        }
        Ok(inputs)
    }

    fn push(&mut self, cut: &Cut, words: usize, tokens: &Tokens, cutting: Cutting) {
        let (sentence, first) = (self.of_sentence.len(), self.windows.len());
        let room = cutting.max_length.saturating_sub(2).max(1);
        let counts = cutting.special_tokens == SpecialTokens::Outside;
        let shift = u32::from(counts);
        let mut start = 0;
        loop {
            let end = end_of_window(&cut.words, start, room);
            let (whole, last) = (&cut.words[start..end], end == cut.words.len());
            // Of a word longer than the window, its first pieces are taken.
            let pieces = start..end.min(start + room);
            self.cut += end - pieces.end;
            let special = |is_edge: bool, word: u32| (counts && is_edge).then_some(word);
            let ids = cut.ids[pieces.clone()].iter().copied();
            let inner = cut.words[pieces].iter().map(|word| Some(word + shift));
            self.windows.push(Window {
                sentence,
                ids: [tokens.cls()].into_iter().chain(ids).chain([tokens.sep()]).collect(),
                words: [special(start == 0, 0)]
                    .into_iter()
                    .chain(inner)
                    .chain([special(last, words as u32 + 1)])
                    .collect(),
            });
            if last {
                break;
            }
            start += start_of_next(whole, cutting.stride);
        }
        self.of_sentence.push(first..self.windows.len());
    }

    /// The windows with these indices.
    pub fn windows(&self, indices: &[usize]) -> Vec<&Window> {
        indices.iter().map(|&index| &self.windows[index]).collect()
    }

    /// The windows of a sentence.
    pub fn of_sentence(&self, sentence: usize) -> &[Window] {
        &self.windows[self.of_sentence[sentence].clone()]
    }
}

/// How many words have a piece `[UNK]` that were not dropped.
fn unknown(cut: &Cut, tokens: &Tokens) -> usize {
    let pieces = cut.words.iter().zip(&cut.ids).filter(|(_, id)| **id == tokens.unk());
    let mut words: Vec<&u32> = pieces.map(|(word, _)| word).collect();
    words.dedup();
    words.len() - cut.dropped.len()
}

/// Where a window that begins at a piece ends: behind the last word of which all pieces fit, or
/// behind the first word if not even that one fits.
fn end_of_window(words: &[u32], start: usize, room: usize) -> usize {
    let mut end = start;
    for word in words[start..].chunk_by(|a, b| a == b) {
        if end > start && end + word.len() - start > room {
            break;
        }
        end += word.len();
    }
    end
}

/// At which piece of a window the next one begins: at the first word, but that of the window
/// itself, from which no more than `stride` pieces are left.
fn start_of_next(words: &[u32], stride: usize) -> usize {
    let mut start = 0;
    for word in words.chunk_by(|a, b| a == b) {
        if start > 0 && words.len() - start <= stride {
            break;
        }
        start += word.len();
    }
    start
}

impl network::Inputs for Inputs {
    fn rows(&self) -> Vec<usize> {
        self.windows.iter().map(|window| window.ids.len()).collect()
    }

    fn sentences(&self) -> Vec<usize> {
        let pieces = |windows: &Range<usize>| {
            self.windows[windows.clone()].iter().map(|window| window.ids.len()).sum()
        };
        self.of_sentence.iter().map(pieces).collect()
    }

    fn remark(&self) -> Option<String> {
        let long = self.of_sentence.iter().filter(|windows| windows.len() > 1);
        let (count, windows) = (long.clone().count(), long.map(Range::len).sum::<usize>());
        let mut remarks = Vec::new();
        if count > 0 {
            let limit = self.max_length;
            let (sentences, windows) = (counted(count, "sentence"), counted(windows, "window"));
            remarks.push(format!(
                "{sentences} longer than {limit} pieces, read in {windows}; each word counts once"
            ));
        }
        if self.cut > 0 {
            let cut = counted(self.cut, "piece");
            remarks.push(format!("{cut} of words longer than a window not read; the words count"));
        }
        if self.dropped > 0 {
            let dropped = counted(self.dropped, "word");
            remarks.push(format!("{dropped} that the tokenizer drops, read as [UNK]"));
        }
        if self.unknown > 0 {
            let (unknown, words) = (self.unknown, counted(self.words, "word"));
            remarks.push(format!(
                "{unknown} of {words} not in the vocabulary or too long for the tokenizer, read as \
                 [UNK] in whole or in part"
            ));
        }
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use training_loop::network::Inputs as _;

    const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##a\nb\nc\n";

    fn inputs(text: &str, max_length: usize, stride: usize, special: SpecialTokens) -> Inputs {
        let mut sentence = Sentence::new();
        text.split(' ').for_each(|word| sentence.push(word, "O"));
        let tokens = Tokens::of_pieces(PIECES).unwrap();
        let cutting = Cutting { max_length, stride, special_tokens: special };
        Inputs::new(&[sentence], &tokens, cutting).unwrap()
    }

    fn words(inputs: &Inputs) -> Vec<Vec<Option<u32>>> {
        inputs.of_sentence(0).iter().map(|window| window.words.clone()).collect()
    }

    #[test]
    fn what_fits_is_one_window() {
        let inputs = inputs("aa b", 8, 2, SpecialTokens::Ignored);
        assert_eq!(words(&inputs), [[None, Some(0), Some(0), Some(1), None]]);
        assert_eq!(inputs.of_sentence(0)[0].ids, [2, 4, 5, 6, 3]);
        let first: Vec<_> = inputs.of_sentence(0)[0].first_pieces().collect();
        assert_eq!(first, [(1, 0), (3, 1)]);
        assert_eq!((inputs.rows(), inputs.sentences()), (vec![5], vec![5]));
        assert_eq!(inputs.remark(), None);
    }

    #[test]
    fn special_tokens_can_be_words() {
        let inputs = inputs("aa b", 8, 2, SpecialTokens::Outside);
        assert_eq!(words(&inputs), [[Some(0), Some(1), Some(1), Some(2), Some(3)]]);
        let inputs = self::inputs("a b c", 4, 0, SpecialTokens::Outside);
        let expected = [vec![Some(0), Some(1), Some(2), None], vec![None, Some(3), Some(4)]];
        assert_eq!(words(&inputs), expected);
    }

    #[test]
    fn windows_overlap_between_words() {
        let inputs = inputs("a b aa c a", 6, 2, SpecialTokens::Ignored);
        let inner: Vec<Vec<u32>> =
            words(&inputs).iter().map(|row| row.iter().flatten().copied().collect()).collect();
        assert_eq!(inner, [vec![0, 1, 2, 2], vec![2, 2, 3, 4]]);
        let remark = inputs.remark().unwrap();
        assert!(remark.starts_with("1 sentence longer than 6 pieces, read in 2 windows"));
    }

    #[test]
    fn a_word_longer_than_a_window_keeps_its_first_pieces() {
        let inputs = inputs("b aaaaaa c", 5, 3, SpecialTokens::Ignored);
        let inner: Vec<Vec<u32>> =
            words(&inputs).iter().map(|row| row.iter().flatten().copied().collect()).collect();
        assert_eq!(inner, [vec![0], vec![1, 1, 1], vec![2]]);
        assert!(inputs.remark().unwrap().contains("3 pieces of words longer than a window"));
    }

    #[test]
    fn every_word_is_in_a_window_whatever_the_sizes() {
        let text = "a aaa b aa c aaaa b a a aa c c";
        for max_length in 3..20 {
            for stride in 0..8 {
                let inputs = inputs(text, max_length, stride, SpecialTokens::Ignored);
                let windows = inputs.of_sentence(0);
                assert!(windows.iter().all(|window| window.ids.len() <= max_length));
                let mut seen: Vec<u32> =
                    windows.iter().flat_map(|w| w.first_pieces().map(|(_, word)| word)).collect();
                seen.dedup();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen, (0..12).collect::<Vec<_>>(), "{max_length} {stride}");
            }
        }
    }

    #[test]
    fn words_that_are_unknown_or_too_long_are_counted() {
        let long = "a".repeat(101);
        let inputs =
            inputs(&format!("a z zz a,z \u{200b} {long} b"), 300, 2, SpecialTokens::Ignored);
        assert_eq!(
            inputs.remark().unwrap(),
            "1 word that the tokenizer drops, read as [UNK]; 4 of 7 words not in the vocabulary or \
             too long for the tokenizer, read as [UNK] in whole or in part"
        );
    }
}
