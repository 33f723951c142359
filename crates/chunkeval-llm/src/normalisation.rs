//! [`Normalisation`]: what is overlooked when two texts are compared.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use chunkeval_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// One difference between texts that can be overlooked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fold {
    /// Full-width forms of ASCII (`Ａ１％`) are the plain ones, the ideographic space is a space.
    Width,
    /// Upper case is lower case, by Unicode's rule for single characters.
    Case,
    /// White space counts only between two letters or digits of which neither is Chinese or
    /// Japanese, and is one space there.
    Space,
}

/// The differences between texts that are overlooked when they are compared.
///
/// Printed, it is the name that stands in the signature of a report, and it is read back from that.
///
/// ```
/// use chunkeval_llm::{Fold, Normalisation};
///
/// let all = Normalisation::ALL;
/// assert_eq!(all.apply("ＮＥＷ  York "), "new york");
/// assert_eq!(all.apply("1998 年"), "1998年");
/// assert_eq!(Normalisation::NONE.apply("ＮＥＷ  York "), "ＮＥＷ  York ");
///
/// let some = Normalisation::of([Fold::Case, Fold::Width]);
/// assert_eq!(some.to_string(), "width+case");
/// assert_eq!("width+case".parse::<Normalisation>()?, some);
/// assert_eq!(Normalisation::NONE.to_string(), "none");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Normalisation {
    /// A bit for each [`Fold`].
    folds: u8,
}

impl Fold {
    /// All of them, in the order in which they are applied.
    pub const ALL: [Self; 3] = [Self::Width, Self::Case, Self::Space];

    /// The name, `width` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Width => "width",
            Self::Case => "case",
            Self::Space => "space",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Normalisation {
    /// Texts are compared as they are: the published way.
    pub const NONE: Self = Self { folds: 0 };

    /// Width, case and space.
    pub const ALL: Self = Self { folds: Fold::Width.bit() | Fold::Case.bit() | Fold::Space.bit() };

    /// These differences, in any order.
    #[must_use]
    pub fn of(folds: impl IntoIterator<Item = Fold>) -> Self {
        Self { folds: folds.into_iter().fold(0, |bits, fold| bits | fold.bit()) }
    }

    /// Whether a difference is overlooked.
    #[must_use]
    pub const fn has(self, fold: Fold) -> bool {
        self.folds & fold.bit() != 0
    }

    /// A text without these differences.
    #[must_use]
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        if self == Self::NONE {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        self.each(text, |c, _| out.push(c));
        Cow::Owned(out)
    }

    /// Calls `emit` with every character that is left and the bytes of `text` it stands for.
    pub(crate) fn each(self, text: &str, mut emit: impl FnMut(char, Range<usize>)) {
        let mut before: Option<char> = None;
        let mut space: Option<Range<usize>> = None;
        for (at, raw) in text.char_indices() {
            let bytes = at..at + raw.len_utf8();
            // Most characters are not changed by anything.
            if space.is_none() && is_as_it_is(raw) {
                before = Some(raw);
                emit(raw, bytes);
                continue;
            }
            let c = if self.has(Fold::Width) { narrow(raw) } else { raw };
            if self.has(Fold::Space) && c.is_whitespace() {
                space = Some(space.map_or(at, |run| run.start)..bytes.end);
                continue;
            }
            if let Some(run) = space.take()
                && before.is_some_and(is_spaced)
                && is_spaced(c)
            {
                emit(' ', run);
            }
            before = Some(c);
            if c.is_ascii() {
                emit(if self.has(Fold::Case) { c.to_ascii_lowercase() } else { c }, bytes);
            } else if self.has(Fold::Case) {
                c.to_lowercase().for_each(|lower| emit(lower, bytes.clone()));
            } else {
                emit(c, bytes);
            }
        }
    }
}

/// Whether a character is neither space nor changed by anything: plain letters, digits, Chinese
/// characters and their punctuation.
fn is_as_it_is(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '\u{3001}'..='\u{303f}' | '\u{4000}'..='\u{9fff}')
}

/// The plain form of a full-width character.
fn narrow(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// A letter or digit of a script that puts spaces between words.
fn is_spaced(c: char) -> bool {
    let unspaced = matches!(c,
        '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}');
    c.is_alphanumeric() && !unspaced
}

/// `none`, or the names with `+` between.
impl fmt::Display for Normalisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            Fold::ALL.into_iter().filter(|&fold| self.has(fold)).map(Fold::name).collect();
        f.pad(&if names.is_empty() { "none".to_owned() } else { names.join("+") })
    }
}

/// `none`, `all`, or names with `+` between.
impl FromStr for Normalisation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "none" => return Ok(Self::NONE),
            "all" => return Ok(Self::ALL),
            _ => {}
        }
        let named = |name: &str| Fold::ALL.into_iter().find(|fold| fold.name() == name);
        let unknown = |name: &str| {
            let reason = format!("{name:?} is not none, all, width, case or space");
            Error::config("normalisation", reason)
        };
        let folds = text.split('+').map(|name| named(name).ok_or_else(|| unknown(name)));
        Ok(Self::of(folds.collect::<Result<Vec<_>>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spaces_stay_between_spaced_words_only() {
        let space = Normalisation::of([Fold::Space]);
        assert_eq!(space.apply("  New \t York\n"), "New York");
        assert_eq!(space.apply("在 Apple 工作 10 年"), "在Apple工作10年");
        assert_eq!(space.apply("U. S."), "U.S.");
        assert_eq!(space.apply("カタ カナ"), "カタカナ");
        assert_eq!(space.apply("서울 시"), "서울 시");
        assert_eq!(space.apply("  "), "");
        assert_eq!(space.apply("a\u{3000}b"), "a b");
    }

    #[test]
    fn names_are_read_back() {
        for bits in 0..8 {
            let some = Normalisation { folds: bits };
            assert_eq!(some.to_string().parse::<Normalisation>().unwrap(), some);
        }
        assert_eq!("all".parse::<Normalisation>().unwrap(), Normalisation::ALL);
        for bad in ["", "width,case", "Width", "none+case"] {
            assert!(bad.parse::<Normalisation>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn once_is_enough(text in "[ a-zA-Zéß０-ｚ一-丂ァ-ン\u{3000}\\t.]{0,12}", bits in 0_u8..8) {
            let folds = Normalisation { folds: bits };
            let once = folds.apply(&text).into_owned();
            prop_assert_eq!(&*folds.apply(&once), &once);
        }

        #[test]
        fn places_rise_and_lie_in_the_text(text: String, bits in 0_u8..8) {
            let mut last = 0;
            Normalisation { folds: bits }.each(&text, |_, bytes| {
                assert!(last <= bytes.start && bytes.start < bytes.end);
                assert!(text.get(bytes.clone()).is_some());
                last = bytes.start;
            });
        }
    }
}
