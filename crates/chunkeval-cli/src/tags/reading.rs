//! How tags are read, and in which modes chunks are found in them.

use chunkeval_core::{
    ChunkEvaluator, ChunkEvaluatorBuilder, LabelReading, Mode, Notation, SideBySide, TagStyle,
};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// On which side of a tag its letter stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    /// `B-PER`.
    #[default]
    Prefix,
    /// `PER-B`.
    Suffix,
}

/// Which letters tags have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spelling {
    /// O B I E S, or those of the scheme
    #[default]
    Usual,
    /// O B M E S (or W)
    Bmes,
    /// O B I L U, read leniently
    Bilou,
}

/// What is done with tags that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Labelling {
    /// They are errors
    #[default]
    Strict,
    /// They are read as seqeval (or conlleval, in that mode) reads them
    Reference,
}

/// Everything the counts depend on besides the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// `lenient`, `conlleval` or a scheme; the first is the one others are held against.
    #[serde(with = "modes")]
    pub(crate) modes: Vec<Mode>,
    pub(crate) style: Style,
    pub(crate) spelling: Spelling,
    pub(crate) labelling: Labelling,
}

impl Reading {
    fn builder<'a>(&self, labels: impl IntoIterator<Item = &'a str>) -> ChunkEvaluatorBuilder {
        ChunkEvaluator::builder(labels)
            .style(match self.style {
                Style::Prefix => TagStyle::Prefix,
                Style::Suffix => TagStyle::Suffix,
            })
            .notation(match self.spelling {
                Spelling::Usual => Notation::Usual,
                Spelling::Bmes => Notation::Bmes,
                Spelling::Bilou => Notation::Bilou,
            })
            .reading(match self.labelling {
                Labelling::Strict => LabelReading::Strict,
                Labelling::Reference => LabelReading::Reference,
            })
    }

    /// A metric for these labels.
    pub(crate) fn metric(&self, labels: &[String]) -> Result<SideBySide> {
        let labels = labels.iter().map(String::as_str);
        Ok(self.builder(labels).side_by_side(self.modes.iter().copied())?)
    }

    /// That the options go together.
    pub(crate) fn check(&self) -> Result<()> {
        let fits = self.builder(["O"]).side_by_side(self.modes.iter().copied());
        fits.map(drop).map_err(|error| Error::Usage(error.to_string()))
    }

    /// That a label can be read in every mode; the reason and a hint if not.
    pub(crate) fn read(&self, label: &str) -> Result<(), (String, Option<String>)> {
        let reads = |reading: &Self| {
            reading.builder([label]).side_by_side(reading.modes.iter().copied()).is_ok()
        };
        if reads(self) {
            return Ok(());
        }
        let names = self.modes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        let reason = format!("cannot read the tag {label:?} ({names}, {})", self.style_name());
        Err((reason, Some(self.hint(label, reads))))
    }

    fn style_name(&self) -> &'static str {
        match self.style {
            Style::Prefix => "as B-PER",
            Style::Suffix => "as PER-B",
        }
    }

    /// Which other option would read a label.
    fn hint(&self, label: &str, reads: impl Fn(&Self) -> bool) -> String {
        let with = |change: fn(&mut Self)| {
            let mut other = self.clone();
            change(&mut other);
            reads(&other)
        };
        let lenient = |reading: &mut Self| reading.modes = vec![Mode::Lenient];
        if self.style == Style::Prefix && with(|r| r.style = Style::Suffix) {
            "tags like PER-B are read with --suffix".to_owned()
        } else if self.style == Style::Suffix && with(|r| r.style = Style::Prefix) {
            "it is like B-PER: leave --suffix away".to_owned()
        } else if with(|r| r.spelling = Spelling::Bmes) {
            "tags with the letters B M E S are read with --letters bmes".to_owned()
        } else if with(|r| r.spelling = Spelling::Bilou) {
            "tags with the letters B I L U are read with --letters bilou, or with --scheme BILOU"
                .to_owned()
        } else if with(lenient) {
            "another --scheme has that letter; without --scheme any of O B I E S is read".to_owned()
        } else if label.chars().all(|c| c.is_ascii_digit()) {
            "is that the column of tags? --layout conll:gold=-2,predicted=-1 names the columns"
                .to_owned()
        } else {
            "a tag is O, or B, I, E or S with a type (B-PER); is that the column of tags? \
             --tags reference reads any tag as seqeval does"
                .to_owned()
        }
    }

    /// In what two readings differ, by the names of the options.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let modes =
            |r: &Self| r.modes.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
        let named = |r: &Self| {
            [
                ("mode", modes(r)),
                ("style", format!("{:?}", r.style).to_lowercase()),
                ("letters", format!("{:?}", r.spelling).to_lowercase()),
                ("tags", format!("{:?}", r.labelling).to_lowercase()),
            ]
        };
        let pairs = named(self).into_iter().zip(named(other));
        let differ = pairs.filter(|(a, b)| a.1 != b.1);
        let text: Vec<_> =
            differ.map(|((name, a), (_, b))| format!("{name} {a} and {b}")).collect();
        (!text.is_empty()).then(|| text.join(", "))
    }
}

/// Modes as the texts that they are displayed as.
mod modes {
    use chunkeval_core::Mode;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(modes: &[Mode], to: S) -> Result<S::Ok, S::Error> {
        modes.iter().map(ToString::to_string).collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Mode>, D::Error> {
        let names = Vec::<String>::deserialize(from)?;
        names.iter().map(|name| name.parse().map_err(D::Error::custom)).collect()
    }
}
