//! Labels to ids and back.

use chunkeval::data::{Order, Vocab};
use chunkeval::{ChunkEvaluator, ErrorKind, Mode, Scheme, TagSet, TagStyle};

use super::Split;
use crate::error::Result;
use crate::settings::Style;

/// The label list of a run.
#[derive(Clone, Debug)]
pub struct Labels {
    vocab: Vocab,
    style: TagStyle,
    tags: TagSet,
    /// The first label that is no chunk.
    outside: Option<u32>,
}

/// How many labels an error says cannot be read.
fn unread(error: &chunkeval::Error) -> usize {
    match error.kind() {
        ErrorKind::UnreadableLabels { labels, .. } => labels.len(),
        _ => 0,
    }
}

/// The strict readings that labels can be meant for; the first that has all of their letters is.
const SCHEMES: [Scheme; 3] = [Scheme::Iob2, Scheme::Ioe2, Scheme::Iobes];

impl Labels {
    /// The labels of the training set, in order of code points.
    ///
    /// # Errors
    /// A label cannot be read in the style said, or, if none was said, in either style.
    pub fn new(train: &Split, style: Option<Style>) -> Result<Self> {
        let mut labels = Vocab::builder().order(Order::Sorted);
        train.sentences.iter().for_each(|sentence| labels.extend(sentence.gold().iter()));
        Self::with(labels.build()?, style)
    }

    /// The labels of a run that was started before.
    ///
    /// # Errors
    /// A label is there twice, or cannot be read.
    pub fn stored(labels: &[String], style: Option<Style>) -> Result<Self> {
        Self::with(Vocab::new(labels)?, style)
    }

    fn with(vocab: Vocab, style: Option<Style>) -> Result<Self> {
        let names = || vocab.iter().map(|(_, label)| label);
        let read = |style| TagSet::new(names(), style).map(|tags| (style, tags));
        let (style, tags) = match style {
            Some(style) => read(style.into())?,
            // Bare labels read in both styles, and mean the same in both.
            None => match [TagStyle::Prefix, TagStyle::Suffix].map(read) {
                [Ok(found), _] | [_, Ok(found)] => found,
                // If neither will do, the style that reads more of the labels was meant.
                [Err(p), Err(s)] => {
                    return Err(if unread(&s) < unread(&p) { s } else { p }.into());
                }
            },
        };
        let is_outside = |&id: &u32| tags.entities(&[id as i32]).is_empty();
        let outside = (0..vocab.len() as u32).find(is_outside);
        Ok(Self { vocab, style, tags, outside })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vocab.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them, in order of their ids.
    pub fn names(&self) -> Vec<String> {
        self.vocab.iter().map(|(_, label)| label.to_owned()).collect()
    }

    /// The labels, compiled.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The id of the label that means no entity, if there is one.
    pub fn outside(&self) -> Option<u32> {
        self.outside
    }

    /// The label of a predicted id. What was not predicted is no entity.
    pub fn text(&self, id: i32) -> &str {
        let id = u32::try_from(id).ok().or(self.outside);
        id.and_then(|id| self.vocab.text(id)).unwrap_or("O")
    }

    /// A metric that reads them leniently.
    pub fn metric(&self) -> ChunkEvaluator {
        ChunkEvaluator::with_tags(self.tags.clone())
    }

    /// A metric that reads them strictly, if their letters are those of a scheme.
    pub fn strict_metric(&self) -> Option<ChunkEvaluator> {
        let builder = || ChunkEvaluator::builder(self.names()).style(self.style);
        let read = |scheme| builder().mode(Mode::Strict(scheme)).build().ok();
        SCHEMES.into_iter().find_map(read)
    }

    /// The gold labels of a split as ids.
    ///
    /// # Errors
    /// It has labels that are not in the list: names them all, at the place of the first.
    pub fn encode(&self, split: &Split) -> Result<Vec<Vec<u32>>> {
        self.check(split)?;
        let encode = |sentence: &chunkeval::data::Sentence| {
            let mut ids = Vec::new();
            self.vocab.encode(sentence.gold(), &split.path, &mut ids)?;
            Ok(ids)
        };
        split.sentences.iter().map(encode).collect()
    }

    fn check(&self, split: &Split) -> Result<()> {
        let mut first = None;
        let mut unknown: Vec<&str> = Vec::new();
        for sentence in &split.sentences {
            for (i, label) in sentence.gold().iter().enumerate() {
                if self.vocab.id(label).is_none() && !unknown.contains(&label) {
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

#[cfg(test)]
mod tests {
    use chunkeval::data::Sentence;

    use super::*;

    fn split(name: &'static str, labels: &[&str]) -> Split {
        let mut sentence = Sentence::new();
        labels.iter().for_each(|label| sentence.push("a", label));
        Split { name, path: name.into(), sentences: vec![sentence] }
    }

    #[test]
    fn the_style_is_found_out() {
        let train = split("train", &["P-B", "P-I", "O", "O"]);
        let labels = Labels::new(&train, None).unwrap();
        assert_eq!(labels.names(), ["O", "P-B", "P-I"]);
        assert_eq!(labels.tags().types().collect::<Vec<_>>(), ["P"]);
        assert_eq!(labels.encode(&train).unwrap(), [[1, 2, 0, 0]]);
        assert_eq!(labels.outside(), Some(0));
        assert_eq!([1, 7, i32::MIN].map(|id| labels.text(id)), ["P-B", "O", "O"]);
        assert!(Labels::new(&train, Some(Style::Prefix)).is_err());
        assert_eq!(Labels::stored(&labels.names(), None).unwrap().names(), labels.names());
    }

    #[test]
    fn labels_of_neither_style_are_named() {
        let train = split("train", &["B-P", "place"]);
        let error = Labels::new(&train, None).unwrap_err().to_string();
        assert!(error.contains("\"place\"") && !error.contains("\"B-P\""), "{error}");
    }

    #[test]
    fn labels_that_training_lacks_are_all_named() {
        let labels = Labels::new(&split("train", &["O"]), None).unwrap();
        let dev = split("dev", &["B-X", "O", "I-X", "B-X"]);
        let error = labels.encode(&dev).unwrap_err().to_string();
        assert!(error.contains("the dev set has the labels \"B-X\", \"I-X\", which"), "{error}");
    }

    #[test]
    fn the_strict_reading_is_that_of_the_letters() {
        for (labels, mode) in [
            (&["O", "B-P", "I-P"][..], "IOB2"),
            (&["O", "B-P", "I-P", "E-P", "S-P"], "IOBES"),
            (&["O", "P-I", "P-E"], "IOE2"),
        ] {
            let labels = Labels::new(&split("train", labels), None).unwrap();
            assert_eq!(labels.strict_metric().unwrap().tags().mode().to_string(), mode);
        }
    }
}
