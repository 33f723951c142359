//! How tags are read, and in which modes chunks are found in them.

use chunkeval_core::{
    ChunkEvaluator, ChunkEvaluatorBuilder, LabelReading, Mode, Notation, Scheme, SideBySide,
    TagStyle,
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
            .style(self.tag_style())
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

    /// Whether a label can be read in every mode.
    pub(crate) fn reads(&self, label: &str) -> bool {
        self.builder([label]).side_by_side(self.modes.iter().copied()).is_ok()
    }

    /// Whether conlleval.pl's reading of any labels is asked for, and no other.
    pub(crate) fn is_conlleval(&self) -> bool {
        self.modes == [Mode::Conlleval] && self.labelling == Labelling::Reference
    }

    /// The side of the letter, in the words of `chunkeval-core`.
    pub(crate) fn tag_style(&self) -> TagStyle {
        match self.style {
            Style::Prefix => TagStyle::Prefix,
            Style::Suffix => TagStyle::Suffix,
        }
    }

    /// The scheme of strict reading, if there is one.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.modes.iter().find_map(|mode| match mode {
            Mode::Strict(scheme) => Some(*scheme),
            _ => None,
        })
    }

    fn style_name(&self) -> &'static str {
        match self.style {
            Style::Prefix => "as B-PER",
            Style::Suffix => "as PER-B",
        }
    }

    /// Which other option would read a label.
    fn hint(&self, label: &str) -> Option<&'static str> {
        let with = |change: fn(&mut Self)| {
            let mut other = self.clone();
            change(&mut other);
            other.reads(label)
        };
        let lenient = |reading: &mut Self| reading.modes = vec![Mode::Lenient];
        if self.style == Style::Prefix && with(|r| r.style = Style::Suffix) {
            Some("tags like PER-B are read with --suffix")
        } else if self.style == Style::Suffix && with(|r| r.style = Style::Prefix) {
            Some("it is like B-PER: leave --suffix away")
        } else if with(|r| r.spelling = Spelling::Bmes) {
            Some("tags with the letters B M E S are read with --letters bmes")
        } else if with(|r| r.spelling = Spelling::Bilou) {
            Some("tags with the letters B I L U are read with --letters bilou, or --scheme BILOU")
        } else if with(lenient) {
            Some("another --scheme has that letter; without --scheme any of O B I E S is read")
        } else {
            None
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

/// What is wrong with a label that looks like another one, which it would silently be told from:
/// white space at an end, or other than a blank inside. Where a reference's reading is asked for,
/// nothing is.
pub(super) fn unseen(readings: &[Reading], label: &str) -> Option<(String, Option<String>)> {
    if readings.iter().any(|reading| reading.labelling == Labelling::Reference) {
        return None;
    }
    let outer = [("end", label.chars().next_back()), ("beginning", label.chars().next())];
    let is_blank = |c: &Option<char>| *c == Some(' ');
    if let Some((end, _)) = outer.iter().find(|(_, c)| is_blank(c)) {
        let hint = "where tabs part columns a blank belongs to the tag: take it away, or say --layout \
                    conll:delimiter=whitespace if no token has blanks";
        return Some((
            format!("the tag {label:?} has a blank at its {end}"),
            Some(hint.to_owned()),
        ));
    }
    let unseen =
        |c: &char| (c.is_whitespace() && *c != ' ') || matches!(c, '\u{200b}' | '\u{feff}');
    let c = label.chars().find(unseen)?;
    let hint =
        "it looks like another tag, and would be a type of its own; --tags reference takes it";
    Some((
        format!("the tag {label:?} has a U+{:04X}, which is not seen", u32::from(c)),
        Some(hint.to_owned()),
    ))
}

/// What is wrong with a label that none of some readings reads: the reason, and a hint.
pub(super) fn refusal(readings: &[Reading], label: &str) -> (String, Option<String>) {
    let Some(first) = readings.first() else { return (format!("cannot read {label:?}"), None) };
    let names = match readings {
        [one] => one.modes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
        _ => "strict, in any scheme".to_owned(),
    };
    let reason = format!("cannot read the tag {label:?} ({names}, {})", first.style_name());
    let strictly = |reading: &Reading| {
        let strict = reading.modes.iter().copied().skip(1).collect::<Vec<_>>();
        !strict.is_empty() && Reading { modes: strict, ..reading.clone() }.reads(label)
    };
    let hint = match readings.iter().any(strictly) {
        true => Some("lenient reading does not have that letter: strict alone, without --both"),
        false => readings.iter().find_map(|reading| reading.hint(label)),
    };
    let hint = hint.unwrap_or_else(|| match label.chars().all(|c| c.is_ascii_digit()) {
        true => "is that the column of tags? --layout conll:gold=-2,predicted=-1 names the columns",
        false => {
            "a tag is O, or B, I, E or S with a type (B-PER); is that the column of tags? \
             --tags reference reads any tag as seqeval does"
        }
    });
    (reason, Some(hint.to_owned()))
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
