//! The compiled label list.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::read::{NO_TYPE, letters, read};
use super::{LabelReading, Mode, Position, Rules, TagStyle};
use crate::kernel::Alphabet;
use crate::{Error, ErrorKind, Fingerprint, Result};

/// A label list in class-index order, with every label's position and entity type.
///
/// Label `i` of the list belongs to tag id `i`. Labels may repeat; ids of equal labels count as
/// equal. Cloning is cheap.
///
/// ```
/// use chunkeval_core::{TagSet, TagStyle};
///
/// let tags = TagSet::new(["O", "地名-B", "地名-I", "组织-机构-B"], TagStyle::Suffix)?;
/// assert_eq!(tags.id("地名-I"), Some(2));
/// assert_eq!(tags.types().collect::<Vec<_>>(), ["地名", "组织-机构"]);
///
/// let error = TagSet::new(["O", "B-PER", "LOCATION", "org"], TagStyle::Prefix).unwrap_err();
/// assert!(error.to_string().starts_with("cannot read the labels \"LOCATION\", \"org\""));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct TagSet(Arc<Compiled>);

struct Compiled {
    labels: Vec<String>,
    style: TagStyle,
    reading: LabelReading,
    mode: Mode,
    ids: HashMap<String, i32>,
    /// Position and type index of each label.
    tags: Vec<(Position, u32)>,
    /// Type names; `_` comes first, the others are sorted by code point.
    types: Vec<String>,
    /// The indices of the types that chunks can have, sorted by the names' code points.
    chunk_types: Vec<usize>,
    alphabet: Alphabet,
}

impl TagSet {
    /// `O`, and what stands before and after a row.
    pub(super) const OUTSIDE: (Position, u32) = (Position::Outside, 0);

    /// Reads labels strictly: `O`, or one of `B I E S` with a type, or bare.
    ///
    /// # Errors
    /// The list is empty, or has labels that cannot be read; the error names them all.
    pub fn new<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        Self::with_reading(labels, style, LabelReading::Strict)
    }

    /// Reads labels exactly as seqeval 1.2.2 and PaddleNLP do, quirks included
    /// (see [`LabelReading::Seqeval`]).
    ///
    /// # Errors
    /// The list is empty, or has an empty label.
    pub fn seqeval<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        Self::with_reading(labels, style, LabelReading::Seqeval)
    }

    /// Reads labels in the way named.
    ///
    /// # Errors
    /// As for [`new`](TagSet::new) and [`seqeval`](TagSet::seqeval).
    pub fn with_reading<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
        reading: LabelReading,
    ) -> Result<Self> {
        Self::with_mode(labels, style, reading, Mode::Lenient)
    }

    /// Reads labels in the way named, and finds chunks in the mode named (all other constructors
    /// are lenient).
    ///
    /// # Errors
    /// As for [`new`](TagSet::new) and [`seqeval`](TagSet::seqeval); in a strict mode, in either
    /// reading, also if a label has a letter that the scheme does not have. seqeval raises that
    /// when it meets the tag in the data; here it is the list that must be right.
    pub fn with_mode<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
        reading: LabelReading,
        mode: Mode,
    ) -> Result<Self> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        if labels.is_empty() {
            return Err(Error::config("labels", "the label list is empty"));
        }
        if i32::try_from(labels.len()).is_err() {
            return Err(Error::config("labels", "more labels than 32-bit ids can name"));
        }
        let read_all: Option<Vec<_>> =
            labels.iter().map(|l| read(l, style, reading, mode)).collect();
        let Some(read_all) = read_all else {
            return Err(unreadable(&labels, style, reading, mode));
        };

        let mut types: Vec<&str> = read_all.iter().map(|&(_, t)| t).chain([NO_TYPE]).collect();
        types.sort_unstable_by_key(|&t| (t != NO_TYPE, t));
        types.dedup();
        let index: HashMap<&str, u32> = types.iter().copied().zip(0..).collect();
        let tags: Vec<_> = read_all.iter().map(|&(position, t)| (position, index[t])).collect();
        let in_chunk = |&&(position, _): &&(Position, u32)| {
            !matches!(position, Position::Outside | Position::Dot)
        };
        let mut chunk_types: Vec<usize> =
            tags.iter().filter(in_chunk).map(|&(_, t)| t as usize).collect();
        chunk_types.sort_unstable_by_key(|&t| types[t]);
        chunk_types.dedup();

        let mut ids = HashMap::with_capacity(labels.len());
        for (label, id) in labels.iter().zip(0..) {
            ids.entry(label.clone()).or_insert(id);
        }
        Ok(Self(Arc::new(Compiled {
            alphabet: Alphabet::new(mode.rules(), &tags),
            types: types.into_iter().map(str::to_owned).collect(),
            labels,
            style,
            reading,
            mode,
            ids,
            tags,
            chunk_types,
        })))
    }

    /// The labels, in class-index order.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.0.labels
    }

    /// The id of a label, the first one if it repeats.
    #[must_use]
    pub fn id(&self, label: &str) -> Option<i32> {
        self.0.ids.get(label).copied()
    }

    /// The entity types of the list, sorted by code point; `_` stands for bare labels.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.chunk_types().map(|(_, name)| name)
    }

    /// How chunks are found.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    /// Everything the counts depend on.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let style = match self.0.style {
            TagStyle::Prefix => "prefix",
            TagStyle::Suffix => "suffix",
        };
        let reading = match self.0.reading {
            LabelReading::Strict => "strict",
            LabelReading::Seqeval => "seqeval",
        };
        let labels = self.0.labels.iter().map(|l| format!("{l:?}")).collect::<Vec<_>>().join(",");
        let mode = self.0.mode;
        Fingerprint::new(format!(
            "chunk/1 scheme={mode} style={style} reading={reading} labels=[{labels}]"
        ))
    }

    pub(crate) fn rules(&self) -> &'static Rules {
        self.0.mode.rules()
    }

    /// Position and type of an id; unknown ids read as `O`.
    pub(crate) fn tag(&self, id: i32) -> (Position, u32) {
        let known = usize::try_from(id).ok().and_then(|i| self.0.tags.get(i).copied());
        known.unwrap_or(Self::OUTSIDE)
    }

    /// How many types there are, those without chunks included.
    pub(crate) fn type_count(&self) -> usize {
        self.0.types.len()
    }

    pub(crate) fn type_name(&self, index: u32) -> &str {
        self.0.types.get(index as usize).map_or(NO_TYPE, |t| t)
    }

    /// The types that chunks can have, with their index.
    pub(crate) fn chunk_types(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.chunk_types.iter().map(|&index| (index, &*self.0.types[index]))
    }

    pub(crate) fn alphabet(&self) -> &Alphabet {
        &self.0.alphabet
    }
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TagSet").field(&self.fingerprint().as_str()).finish()
    }
}

/// The error that names every label that cannot be read, and what may help.
fn unreadable(labels: &[String], style: TagStyle, reading: LabelReading, mode: Mode) -> Error {
    let mut bad: Vec<String> = Vec::new();
    for label in labels.iter().filter(|l| read(l, style, reading, mode).is_none()) {
        if !bad.contains(label) {
            bad.push(label.clone());
        }
    }
    let (other, name) = match style {
        TagStyle::Prefix => (TagStyle::Suffix, "suffix style (PER-B)"),
        TagStyle::Suffix => (TagStyle::Prefix, "prefix style (B-PER)"),
    };
    let hint = if labels.iter().all(|l| read(l, other, reading, mode).is_some()) {
        format!("; all labels can be read in {name}")
    } else if let Mode::Strict(scheme) = mode {
        let letters: Vec<String> = letters(mode).chars().map(String::from).collect();
        format!("; the scheme {scheme} has the letters {}", letters.join(" "))
    } else if reading == LabelReading::Strict {
        "; a label is O, or one of B I E S with a type (B-PER, or PER-B in suffix style) or without; \
         LabelReading::Seqeval takes any label as seqeval does"
            .to_owned()
    } else {
        "; a label has at least one character".to_owned()
    };
    ErrorKind::UnreadableLabels { labels: bad, hint }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_bare_labels() {
        let tags = TagSet::new(["O", "B", "I", "B", "O"], TagStyle::Suffix).unwrap();
        assert_eq!(tags.id("B"), Some(1));
        assert_eq!(tags.tag(3), tags.tag(1));
        assert_eq!(tags.types().collect::<Vec<_>>(), ["_"]);
        assert_eq!(tags.tag(-1), tags.tag(0));
        assert_eq!(tags.tag(99), tags.tag(0));
    }

    #[test]
    fn the_wrong_style_is_pointed_out() {
        let e = TagSet::new(["O", "B-PER", "I-PER"], TagStyle::Suffix).unwrap_err();
        assert_eq!(
            e.to_string(),
            "cannot read the labels \"B-PER\", \"I-PER\"; all labels can be read in prefix style (B-PER)"
        );
        assert!(TagSet::new([""; 0], TagStyle::Prefix).is_err());
        assert!(TagSet::seqeval(["O", ""], TagStyle::Prefix).is_err());
    }
}
