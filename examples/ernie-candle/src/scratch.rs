//! The pieces of an encoder that is trained from nothing.

use std::collections::BTreeMap;

use training_loop::corpus::Split;

use crate::tokens::BLANK;

/// What every vocabulary of BERT begins with, and a piece for what is blank.
const SPECIAL: [&str; 6] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", BLANK];

/// A vocabulary as in `vocab.txt`: words that the training set has at least twice, and all of its
/// characters, at the beginning of a word and within one. So every word made of them can be cut
/// by a tokenizer that makes letters small and leaves accents where they are
/// ([`OUR_SETTINGS`](crate::tokens::OUR_SETTINGS)).
pub(crate) fn vocabulary(train: &Split) -> String {
    let mut words: BTreeMap<String, u64> = BTreeMap::new();
    let mut characters: BTreeMap<char, u64> = BTreeMap::new();
    for token in train.sentences.iter().flat_map(|sentence| sentence.tokens().iter()) {
        // As the tokenizer will see it: letter by letter, so a capital sigma is never a final one.
        let token: String = token.chars().flat_map(char::to_lowercase).collect();
        token.chars().for_each(|character| *characters.entry(character).or_default() += 1);
        *words.entry(token).or_default() += 1;
    }
    let is_single = |word: &str| word.chars().nth(1).is_none();
    let often = words.iter().filter(|(word, count)| **count > 1 && !is_single(word));
    let mut lines: Vec<String> = SPECIAL.map(str::to_owned).into();
    lines.extend(characters.keys().map(char::to_string));
    // Where each token is a character, nothing goes on within a word.
    if words.keys().any(|word| !is_single(word)) {
        lines.extend(characters.keys().map(|character| format!("##{character}")));
    }
    lines.extend(often.map(|(word, _)| word.clone()));
    lines.retain(|line| !line.trim().is_empty());
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use chunkeval::data::Sentence;

    use super::*;
    use crate::tokens::Tokens;

    fn of(words: &str) -> String {
        let mut sentence = Sentence::new();
        words.split(' ').for_each(|word| sentence.push(word, "O"));
        vocabulary(&Split { name: "train", path: "train".into(), sentences: vec![sentence] })
    }

    #[test]
    fn characters_and_frequent_words() {
        let special = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[BLANK]\n";
        assert_eq!(of("省 市 省"), format!("{special}市\n省\n"));
        assert_eq!(of("Ab ab c"), format!("{special}a\nb\nc\n##a\n##b\n##c\nab\n"));
    }

    #[test]
    fn every_word_of_the_training_set_can_be_cut() {
        let text = "서울 특별시 が か résumé resume Été ΟΔΟΣ İzmir e\u{301}t O'Neil";
        let tokens = Tokens::of_pieces(&of(text)).unwrap();
        let words: Vec<&str> = text.split(' ').collect();
        let cut = tokens.words(&words).unwrap();
        assert!(!cut.ids.contains(&tokens.unk()), "{:?}", cut.ids);
        let ids = |word: &str| tokens.words(&[word]).unwrap().ids;
        assert_ne!(ids("résumé"), ids("resume"));
        assert_ne!(ids("が"), ids("か"));
        assert_eq!(ids("Été"), ids("été"));
    }
}
