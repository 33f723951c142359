//! Tokens to ids.

use chunkeval::data::Vocab;

use crate::corpus::Split;
use crate::error::Result;

/// Stands for tokens that have no embedding of their own, and whose shape has none either. Its id
/// is 0, as the network expects; a corpus that has it as a token means the same by it.
const UNKNOWN: &str = "<unk>";

/// The tokens that a network knows.
#[derive(Clone, Debug)]
pub struct Tokens(Vocab);

impl Tokens {
    /// The tokens of the training set. One that occurs there less than `min_count` times is known
    /// by its shape only (`<Xx>`).
    ///
    /// # Errors
    /// There are more than 32 bits can number.
    pub fn new(train: &Split, min_count: u64) -> Result<Self> {
        let mut counts = Vocab::builder();
        let tokens = || train.sentences.iter().flat_map(|sentence| sentence.tokens().iter());
        counts.extend(tokens());
        // A token that is spelled like a shape would count for it: harmless, and very rare.
        let mut known = Vocab::builder();
        for token in tokens() {
            match token {
                UNKNOWN => {}
                _ if counts.count(token) < min_count => known.add(&shape(token)),
                _ => known.add(token),
            }
        }
        Ok(Self(known.unknown(UNKNOWN).build()?))
    }

    /// The tokens of a run that was started before.
    ///
    /// # Errors
    /// A token is there twice, or there is none for unknown ones.
    pub fn stored(tokens: &[String]) -> Result<Self> {
        Ok(Self(Vocab::new(tokens)?.with_unknown(UNKNOWN)?))
    }

    /// All of them, in order of their ids.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(_, token)| token.to_owned()).collect()
    }

    /// The token ids of each sentence.
    pub fn encode(&self, split: &Split) -> Vec<Vec<u32>> {
        let ids = |sentence: &chunkeval::data::Sentence| {
            sentence.tokens().iter().map(|token| self.id(token)).collect()
        };
        split.sentences.iter().map(ids).collect()
    }

    /// The id of a token: its own, or that of its shape, or that of the unknown.
    fn id(&self, token: &str) -> u32 {
        self.0.id(token).or_else(|| self.0.id(&shape(token))).unwrap_or_default()
    }
}

/// What a token looks like: `<Xx>` for London, `<X-0>` for COVID-19. With it a network can tell
/// names from other words that it has never seen.
fn shape(token: &str) -> String {
    let mut shape = String::from("<");
    let mut before = None;
    for character in token.chars() {
        let class = match character {
            c if c.is_lowercase() => 'x',
            c if c.is_uppercase() => 'X',
            c if c.is_numeric() => '0',
            c if c.is_alphabetic() => 'c', // of a script without case
            c => c,
        };
        if before != Some(class) {
            shape.push(class);
        }
        before = Some(class);
    }
    shape.push('>');
    shape
}

#[cfg(test)]
mod tests {
    use chunkeval::data::Sentence;

    use super::*;

    fn split(tokens: &[&str]) -> Split {
        let mut sentence = Sentence::new();
        tokens.iter().for_each(|token| sentence.push(token, "O"));
        Split { name: "train", path: "train".into(), sentences: vec![sentence] }
    }

    #[test]
    fn rare_tokens_are_unknown() {
        let train = split(&["a", "a", "b", UNKNOWN]);
        let tokens = Tokens::new(&train, 2).unwrap();
        assert_eq!(tokens.names(), [UNKNOWN, "a", "<x>"]);
        assert_eq!(tokens.encode(&train), [[1, 1, 2, 0]]);
        let stored = Tokens::stored(&tokens.names()).unwrap();
        assert_eq!(stored.encode(&train), tokens.encode(&train));
    }

    #[test]
    fn tokens_never_seen_are_known_by_their_shape() {
        for (token, expected) in [
            ("London", "<Xx>"),
            ("COVID-19", "<X-0>"),
            ("1,000.5", "<0,0.0>"),
            ("人名", "<c>"),
            ("@Ada_L", "<@Xx_X>"),
        ] {
            assert_eq!(shape(token), expected);
        }
        let tokens = Tokens::new(&split(&["Ada", "is", "is"]), 2).unwrap();
        assert_eq!(tokens.names(), [UNKNOWN, "<Xx>", "is"]);
        assert_eq!(tokens.encode(&split(&["London", "19"])), [[1, 0]]);
    }
}
