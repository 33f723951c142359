//! Tokens and labels to ids.

use chunkeval::data::{Order, Vocab};
use chunkeval::{ErrorKind, TagSet, TagStyle};

use super::Split;
use crate::error::Result;
use crate::settings::Style;

/// Stands for tokens that have no embedding of their own, and whose shape has none either. Its id
/// is 0, as the network expects; a corpus that has it as a token means the same by it.
const UNKNOWN: &str = "<unk>";

/// The vocabularies of a run.
#[derive(Clone, Debug)]
pub struct Encoder {
    tokens: Vocab,
    labels: Vocab,
    tags: TagSet,
}

/// The ids of a split, one row a sentence.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Token ids.
    pub tokens: Vec<Vec<u32>>,
    /// Label ids.
    pub labels: Vec<Vec<u32>>,
    /// Tokens of each row.
    pub lengths: Vec<usize>,
}

/// How many labels an error says cannot be read.
fn unread(error: &chunkeval::Error) -> usize {
    match error.kind() {
        ErrorKind::UnreadableLabels { labels, .. } => labels.len(),
        _ => 0,
    }
}

impl Encoder {
    /// Vocabularies from the training set. A token that occurs there less than `min_count` times
    /// is known by its shape only (`<Xx>`); labels are in order of code points.
    ///
    /// # Errors
    /// A label cannot be read in the style said, or, if none was said, in either style.
    pub fn new(train: &Split, min_count: u64, style: Option<Style>) -> Result<Self> {
        let mut counts = Vocab::builder();
        let mut labels = Vocab::builder().order(Order::Sorted);
        for sentence in &train.sentences {
            counts.extend(sentence.tokens().iter());
            labels.extend(sentence.gold().iter());
        }
        // A token that is spelled like a shape would count for it: harmless, and very rare.
        let mut tokens = Vocab::builder();
        for token in train.sentences.iter().flat_map(|s| s.tokens().iter()) {
            match token {
                UNKNOWN => {}
                _ if counts.count(token) < min_count => tokens.add(&shape(token)),
                _ => tokens.add(token),
            }
        }
        Self::with(tokens.unknown(UNKNOWN).build()?, labels.build()?, style)
    }

    /// The vocabularies of a run that is resumed.
    ///
    /// # Errors
    /// A text occurs twice, or the token vocabulary has no entry for unknown tokens.
    pub fn stored(tokens: &[String], labels: &[String], style: Option<Style>) -> Result<Self> {
        Self::with(Vocab::new(tokens)?.with_unknown(UNKNOWN)?, Vocab::new(labels)?, style)
    }

    fn with(tokens: Vocab, labels: Vocab, style: Option<Style>) -> Result<Self> {
        let names = || labels.iter().map(|(_, label)| label);
        let tags = match style {
            Some(style) => TagSet::new(names(), style.into())?,
            // Bare labels read in both styles, and mean the same in both.
            None => {
                let styles = [TagStyle::Prefix, TagStyle::Suffix];
                let [prefix, suffix] = styles.map(|style| TagSet::new(names(), style));
                // If neither will do, the style that reads more of the labels was meant.
                match (prefix, suffix) {
                    (Ok(tags), _) | (_, Ok(tags)) => tags,
                    (Err(p), Err(s)) => {
                        return Err(if unread(&s) < unread(&p) { s } else { p }.into());
                    }
                }
            }
        };
        Ok(Self { tokens, labels, tags })
    }

    /// The tokens, in order of their ids.
    pub fn tokens(&self) -> Vec<String> {
        self.tokens.iter().map(|(_, token)| token.to_owned()).collect()
    }

    /// The labels, in order of their ids.
    pub fn labels(&self) -> Vec<String> {
        self.labels.iter().map(|(_, label)| label.to_owned()).collect()
    }

    /// The labels, compiled.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The label of an id.
    pub fn label(&self, id: u32) -> &str {
        self.labels.text(id).unwrap_or_default()
    }

    /// The id of a token: its own, or that of its shape, or that of the unknown.
    fn token(&self, token: &str) -> u32 {
        let own = self.tokens.id(token).or_else(|| self.tokens.id(&shape(token)));
        own.unwrap_or_default()
    }

    /// A split as ids.
    ///
    /// # Errors
    /// It has labels that the training set does not have: names them all, at the place of the
    /// first.
    pub fn encode(&self, split: &Split) -> Result<Rows> {
        self.check_labels(split)?;
        let mut rows = Rows::default();
        for sentence in &split.sentences {
            let (mut tokens, mut labels) = (Vec::new(), Vec::new());
            tokens.extend(sentence.tokens().iter().map(|token| self.token(token)));
            self.labels.encode(sentence.gold(), &split.path, &mut labels)?;
            rows.lengths.push(tokens.len());
            rows.tokens.push(tokens);
            rows.labels.push(labels);
        }
        Ok(rows)
    }

    fn check_labels(&self, split: &Split) -> Result<()> {
        let mut first = None;
        let mut unknown: Vec<&str> = Vec::new();
        for sentence in &split.sentences {
            for (i, label) in sentence.gold().iter().enumerate() {
                if self.labels.id(label).is_none() && !unknown.contains(&label) {
                    unknown.push(label);
                    first.get_or_insert((sentence.gold(), i));
                }
            }
        }
        let Some((cells, i)) = first else { return Ok(()) };
        let quoted: Vec<String> = unknown.iter().map(|label| format!("{label:?}")).collect();
        let plural = if quoted.len() == 1 { "" } else { "s" };
        let name = split.name;
        let reason = format!(
            "the {name} set has the label{plural} {}, which the labels of the training set lack",
            quoted.join(", ")
        );
        Err(cells.error(i, &split.path, reason).into())
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

    fn split(name: &'static str, pairs: &[(&str, &str)]) -> Split {
        let mut sentence = Sentence::new();
        pairs.iter().for_each(|(token, label)| sentence.push(token, label));
        Split { name, path: name.into(), sentences: vec![sentence] }
    }

    #[test]
    fn rare_tokens_are_unknown_and_the_style_is_found() {
        let train = split("train", &[("a", "P-B"), ("a", "P-I"), ("b", "O"), (UNKNOWN, "O")]);
        let encoder = Encoder::new(&train, 2, None).unwrap();
        assert_eq!(encoder.tokens(), [UNKNOWN, "a", "<x>"]);
        assert_eq!(encoder.labels(), ["O", "P-B", "P-I"]);
        assert_eq!(encoder.tags().types().collect::<Vec<_>>(), ["P"]);
        let rows = encoder.encode(&train).unwrap();
        assert_eq!((&rows.tokens[0], &rows.labels[0]), (&vec![1, 1, 2, 0], &vec![1, 2, 0, 0]));
        assert!(Encoder::new(&train, 1, Some(Style::Prefix)).is_err());

        let stored = Encoder::stored(&encoder.tokens(), &encoder.labels(), None).unwrap();
        assert_eq!(stored.encode(&train).unwrap().tokens, rows.tokens);
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
        let train = split("train", &[("Ada", "O"), ("is", "O"), ("is", "O")]);
        let encoder = Encoder::new(&train, 2, None).unwrap();
        let rows = encoder.encode(&split("dev", &[("London", "O"), ("19", "O")])).unwrap();
        assert_eq!(encoder.tokens(), [UNKNOWN, "<Xx>", "is"]);
        assert_eq!(rows.tokens[0], [1, 0]);
    }

    #[test]
    fn labels_of_neither_style_are_named() {
        let train = split("train", &[("a", "B-P"), ("b", "place")]);
        let error = Encoder::new(&train, 1, None).unwrap_err().to_string();
        assert!(error.contains("\"place\"") && !error.contains("\"B-P\""), "{error}");
    }

    #[test]
    fn labels_that_training_lacks_are_all_named() {
        let encoder = Encoder::new(&split("train", &[("a", "O")]), 1, None).unwrap();
        let dev = split("dev", &[("a", "B-X"), ("a", "O"), ("a", "I-X"), ("a", "B-X")]);
        let error = encoder.encode(&dev).unwrap_err().to_string();
        assert!(error.contains("the dev set has the labels \"B-X\", \"I-X\", which"), "{error}");
    }
}
