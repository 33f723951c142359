//! Labels to ids and back.

use std::path::Path;

use chunkeval::data::{Order, Vocab};
use chunkeval::{ChunkEvaluator, ErrorKind, Mode, Notation, Scheme, TagSet, TagStyle};

use super::{Corpus, Split, refusals};
use crate::error::Result;
use crate::settings::{LabelSource, Settings, Style};

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
const SCHEMES: [(Notation, Scheme); 5] = [
    (Notation::Usual, Scheme::Iob2),
    (Notation::Usual, Scheme::Ioe2),
    (Notation::Usual, Scheme::Iobes),
    (Notation::Bmes, Scheme::Iobes),
    (Notation::Usual, Scheme::Bilou),
];

impl Labels {
    /// The labels of a run: those of its training set, or those of all three sets, and those that
    /// its network needs.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(corpus: &Corpus, settings: &Settings) -> Result<Self> {
        let Corpus { train, dev, test } = corpus;
        let Settings { labels, more_labels, style, .. } = settings;
        let splits = match labels {
            LabelSource::Train => &[train][..],
            LabelSource::All => &[train, dev, test],
        };
        Self::of_splits(splits, more_labels, *style)
    }

    /// That dev and test have no others.
    ///
    /// # Errors
    /// They have: names them all, at the place of the first, with the option that takes them.
    pub fn require(&self, corpus: &Corpus) -> Result<()> {
        let hint = "; --all-labels takes the labels of dev and test, too";
        [&corpus.dev, &corpus.test].into_iter().try_for_each(|split| self.check(split, hint))
    }

    /// The labels of the training set, in order of code points.
    ///
    /// # Errors
    /// A label cannot be read in the style said, or, if none was said, in either style.
    pub fn new(train: &Split, style: Option<Style>) -> Result<Self> {
        Self::of_splits(&[train], &[], style)
    }

    fn of_splits(splits: &[&Split], more: &[String], style: Option<Style>) -> Result<Self> {
        let mut labels = Vocab::builder().order(Order::Sorted);
        labels.extend(more);
        let sentences = splits.iter().flat_map(|split| &split.sentences);
        sentences.for_each(|sentence| labels.extend(sentence.gold().iter()));
        Self::with(labels.build()?, style).map_err(|error| match error.kind() {
            ErrorKind::UnreadableLabels { labels, .. } => {
                let other = style.map(Style::other);
                let other = other.filter(|&other| {
                    let all = splits.iter().flat_map(|split| &split.sentences);
                    let all: Vec<&str> = all.flat_map(|sentence| sentence.gold().iter()).collect();
                    read(&all, &[other.into()]).is_ok()
                });
                refusals::unreadable(splits, labels, other)
            }
            _ => error.into(),
        })
    }

    /// The labels of a run that was started before, as its `file` has them.
    ///
    /// # Errors
    /// A label is there twice, or cannot be read: somebody has edited the file.
    pub fn stored(labels: &[String], style: Option<Style>, file: &Path) -> Result<Self> {
        let stored = Vocab::new(labels).and_then(|vocab| Self::with(vocab, style));
        stored.map_err(|error| refusals::stored(&error, file))
    }

    fn with(vocab: Vocab, style: Option<Style>) -> chunkeval::Result<Self> {
        let names: Vec<&str> = vocab.iter().map(|(_, label)| label).collect();
        let (style, tags) = match style {
            Some(style) => read(&names, &[style.into()])?,
            None => read(&names, &[TagStyle::Prefix, TagStyle::Suffix])?,
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
        SCHEMES.into_iter().find_map(|(notation, scheme)| {
            builder().notation(notation).mode(Mode::Strict(scheme)).build().ok()
        })
    }

    /// The gold labels of a split as ids.
    ///
    /// # Errors
    /// It has labels that are not in the list: names them all, at the place of the first.
    pub fn encode(&self, split: &Split) -> Result<Vec<Vec<u32>>> {
        self.check(split, "")?;
        let encode = |sentence: &chunkeval::data::Sentence| {
            let mut ids = Vec::new();
            self.vocab.encode(sentence.gold(), &split.path, &mut ids)?;
            Ok(ids)
        };
        split.sentences.iter().map(encode).collect()
    }

    /// That the list has all labels of a split; `hint` is said where it has not.
    fn check(&self, split: &Split, hint: &str) -> Result<()> {
        match refusals::lacking(split, |label| self.vocab.id(label).is_some(), hint) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// The labels, compiled, in the first of these styles in which all of them can be read, with the
/// letters of the usual schemes or those of BMES or BILOU. Bare labels read in both styles, and
/// mean the same in both.
///
/// # Errors
/// There is none; that of the reading which was nearest to it, and so probably meant.
fn read(labels: &[&str], styles: &[TagStyle]) -> chunkeval::Result<(TagStyle, TagSet)> {
    let mut nearest: Option<chunkeval::Error> = None;
    for notation in [Notation::Usual, Notation::Bmes, Notation::Bilou] {
        for &style in styles {
            let tags = TagSet::builder(labels.iter().copied()).style(style).notation(notation);
            match tags.build() {
                Ok(tags) => return Ok((style, tags)),
                Err(error) if nearest.as_ref().is_none_or(|n| unread(&error) < unread(n)) => {
                    nearest = Some(error);
                }
                Err(_) => {}
            }
        }
    }
    match nearest {
        Some(error) => Err(error),
        None => Err(chunkeval::Error::config("style", "none to read labels in")),
    }
}

#[cfg(test)]
mod tests {
    use chunkeval::data::Sentence;

    use super::*;
    use crate::settings::{DataSource, Length};

    fn split(name: &'static str, labels: &[&str]) -> Split {
        let mut sentence = Sentence::new();
        labels.iter().for_each(|label| sentence.push("a", label));
        Split { name, path: name.into(), sentences: vec![sentence] }
    }

    fn stored(labels: &Labels) -> Result<Labels> {
        Labels::stored(&labels.names(), None, "state.json".as_ref())
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
        assert_eq!(stored(&labels).unwrap().names(), labels.names());
    }

    #[test]
    fn letters_of_bmes_and_bilou_are_found_out() {
        for (labels, mode) in [
            (&["O", "B-P", "M-P", "E-P", "S-P", "W-P"][..], "IOBES"),
            (&["O", "P-B", "P-M", "P-E"], "IOBES"),
            (&["O", "B-P", "I-P", "L-P", "U-P"], "BILOU"),
        ] {
            let labels = Labels::new(&split("train", labels), None).unwrap();
            assert_eq!(labels.tags().types().collect::<Vec<_>>(), ["P"]);
            assert_eq!(labels.strict_metric().unwrap().tags().mode().to_string(), mode);
            assert_eq!(stored(&labels).unwrap().names(), labels.names());
        }
        let mixed = split("train", &["O", "M-P", "L-P"]);
        assert!(Labels::new(&mixed, None).is_err());
    }

    fn settings() -> Settings {
        let source = DataSource::Generated { sentences: 1, seed: 1 };
        Settings {
            source,
            style: None,
            labels: LabelSource::Train,
            more_labels: Vec::new(),
            batch: 1,
            length: Length::Steps(1),
            patience: None,
            every: 1,
            learning_rate: 1.0,
            seed: 1,
        }
    }

    #[test]
    fn a_label_that_the_network_needs_is_there() {
        let [train, dev, test] = ["train", "dev", "test"].map(|name| split(name, &["P-B"]));
        let corpus = Corpus { train, dev, test };
        let settings = Settings { more_labels: vec!["O".to_owned()], ..settings() };
        let labels = Labels::of(&corpus, &settings).unwrap();
        assert_eq!((labels.names(), labels.outside()), (vec!["O".into(), "P-B".into()], Some(0)));
    }

    #[test]
    fn labels_of_all_sets_are_taken_if_asked_for() {
        let train = split("train", &["O", "B-X"]);
        let [dev, test] = [split("dev", &["I-X", "O"]), split("test", &["B-Y"])];
        let corpus = Corpus { train, dev, test };
        let mut settings = settings();
        let labels = Labels::of(&corpus, &settings).unwrap();
        let error = labels.require(&corpus).unwrap_err().to_string();
        assert!(error.contains("the dev set has the label \"I-X\", which"), "{error}");
        assert!(error.ends_with("; --all-labels takes the labels of dev and test, too"), "{error}");
        settings.labels = LabelSource::All;
        let labels = Labels::of(&corpus, &settings).unwrap();
        labels.require(&corpus).unwrap();
        assert_eq!(labels.names(), ["B-X", "B-Y", "I-X", "O"]);
        assert_eq!(labels.encode(&corpus.dev).unwrap(), [[2, 3]]);
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
    fn labels_that_were_edited_are_named_with_their_file() {
        let message = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            Labels::stored(&labels, None, "run/state.json".as_ref()).unwrap_err().to_string()
        };
        assert_eq!(
            message(&["O", "PERSON", "B-X", "LOC"]),
            "run/state.json: cannot read the labels \"PERSON\", \"LOC\"; the labels of a run stay \
             as they were in training"
        );
        let twice = message(&["O", "B-X", "O"]);
        assert!(twice.starts_with("run/state.json: ") && twice.contains("\"O\""), "{twice}");
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
