//! [`Normalisation`]: what is overlooked when two texts are compared.

mod composition;

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
    /// A character is the same however it is composed: `é` as one code point, or as `e` and an
    /// accent (Unicode's canonical equivalence; texts are brought into NFC).
    Unicode,
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
/// assert_eq!(all.apply("e\u{301}"), "é");
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
    /// All of them, in the order of signatures.
    pub const ALL: [Self; 4] = [Self::Unicode, Self::Width, Self::Case, Self::Space];

    /// The name, `width` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unicode => "unicode",
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

    /// All of them.
    pub const ALL: Self = Self {
        folds: Fold::Unicode.bit() | Fold::Width.bit() | Fold::Case.bit() | Fold::Space.bit(),
    };

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
    pub(crate) fn each(self, text: &str, emit: impl FnMut(char, Range<usize>)) {
        let counted = !self.has(Fold::Space);
        let mut spaces = Spaces { counted, begun: false, before: None, run: None, emit };
        let mut chars = text.char_indices().peekable();
        let mut composed = String::new();
        while let Some((at, raw)) = chars.next() {
            let mut bytes = at..at + raw.len_utf8();
            // What belongs together: a character and what is put on it.
            let mut alone = true;
            if self.has(Fold::Unicode) {
                while let Some((at, mark)) = chars.next_if(|&(_, next)| {
                    let before = || text.get(bytes.clone()).and_then(|part| self.last(part));
                    composition::joins(before, next)
                }) {
                    bytes.end = at + mark.len_utf8();
                    alone = false;
                }
            }
            // Most characters are not changed by anything.
            if alone && is_as_it_is(raw) {
                spaces.push(raw, bytes);
            } else if !self.has(Fold::Unicode) || alone && composition::is_composed(raw) {
                self.fold(raw, |c| spaces.push(c, bytes.clone()));
            } else {
                composed.clear();
                let whole = text.get(bytes.clone()).unwrap_or_default();
                whole.chars().for_each(|c| self.fold(c, |c| composed.push(c)));
                composition::compose(&composed).for_each(|c| spaces.push(c, bytes.clone()));
            }
        }
    }

    /// The last character of a part of a text without differences.
    fn last(self, part: &str) -> Option<char> {
        let mut folded = String::new();
        part.chars().for_each(|c| self.fold(c, |c| folded.push(c)));
        composition::compose(&folded).last()
    }

    /// A character without differences of width and case.
    fn fold(self, raw: char, mut each: impl FnMut(char)) {
        let c = if self.has(Fold::Width) { narrow(raw) } else { raw };
        match self.has(Fold::Case) {
            true if c.is_ascii() => each(c.to_ascii_lowercase()),
            true => c.to_lowercase().for_each(each),
            false => each(c),
        }
    }
}

/// Emits what is left of characters when space counts between spaced words only.
struct Spaces<E> {
    /// All space counts.
    counted: bool,
    /// Something was emitted.
    begun: bool,
    /// The last character that was emitted, marks aside.
    before: Option<char>,
    /// Space behind it.
    run: Option<Range<usize>>,
    emit: E,
}

impl<E: FnMut(char, Range<usize>)> Spaces<E> {
    fn push(&mut self, c: char, bytes: Range<usize>) {
        if self.counted {
            return (self.emit)(c, bytes);
        }
        if c.is_whitespace() {
            let start = self.run.as_ref().map_or(bytes.start, |run| run.start);
            self.run = Some(start..bytes.end);
            return;
        }
        let is_mark = composition::is_mark(c);
        if let Some(run) = self.run.take()
            && match is_mark {
                true => self.begun, // without it, a mark would go to another character
                false => self.before.is_some_and(is_spaced) && is_spaced(c),
            }
        {
            (self.emit)(' ', run);
        }
        self.begun = true;
        if !is_mark {
            self.before = Some(c);
        }
        (self.emit)(c, bytes);
    }
}

/// Whether a character is neither space nor changed by anything: plain letters, digits, Chinese
/// characters and their punctuation.
fn is_as_it_is(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '\u{3001}'..='\u{3029}' | '\u{4000}'..='\u{9fff}')
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
            let reason = format!("{name:?} is not none, all, unicode, width, case or space");
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
        for bits in 0..16 {
            let some = Normalisation { folds: bits };
            assert_eq!(some.to_string().parse::<Normalisation>().unwrap(), some);
        }
        assert_eq!("all".parse::<Normalisation>().unwrap(), Normalisation::ALL);
        for bad in ["", "width,case", "Width", "none+case"] {
            assert!(bad.parse::<Normalisation>().is_err(), "{bad}");
        }
    }

    #[test]
    fn characters_are_the_same_however_they_are_composed() {
        let unicode = Normalisation::of([Fold::Unicode]);
        for (one, other) in [
            ("é", "e\u{301}"),
            ("ậ", "a\u{302}\u{323}"), // marks in the other order, too
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("が", "か\u{3099}"),
            ("豈", "\u{f900}"),
            ("Å", "\u{212b}"),
        ] {
            assert_eq!(unicode.apply(one), unicode.apply(other), "{one}");
            assert_ne!(Normalisation::NONE.apply(one), Normalisation::NONE.apply(other), "{one}");
        }
        // Compatibility is no equivalence.
        assert_eq!(unicode.apply("ﬁ①ｅ"), "ﬁ①ｅ");
        let all = Normalisation::ALL;
        assert_eq!(all.apply("ｅ\u{301}"), "é");
        assert_eq!(all.apply("J\u{30c}"), "\u{1f0}"); // there is no such capital
        assert_eq!(all.apply("x\u{30c} y"), "x\u{30c} y");
        assert_eq!(all.apply("a \u{301}"), "a \u{301}");
    }

    #[test]
    fn what_goes_with_nothing_before_it_stands_alone() {
        let unicode = Normalisation::of([Fold::Unicode]);
        let pieces = |text: &str| {
            let mut pieces = Vec::new();
            unicode.each(text, |c, bytes| pieces.push((c, bytes)));
            pieces
        };
        // A vowel of Hangul, and a final consonant, without what they would be put on.
        assert_eq!(
            pieces("A\u{1161}\u{11a8}"),
            [('A', 0..1), ('\u{1161}', 1..4), ('\u{11a8}', 4..7)]
        );
        assert_eq!(pieces("\u{1100}\u{1161}\u{1161}"), [('가', 0..6), ('\u{1161}', 6..9)]);
        assert_eq!(pieces("가\u{11a8}"), [('각', 0..6)]);
        assert_eq!(pieces("e\u{301}\u{11a8}"), [('é', 0..3), ('\u{11a8}', 3..6)]);
    }

    proptest! {
        #[test]
        fn canonically_equivalent_texts_are_equal(
            text in "[ a-eA-JÀ-ſ\u{300}-\u{308}\u{323}\u{345}ͅΑ-ω각-갂\u{1100}\u{1161}\u{11a8}\u{9c7}\u{9be}か\u{3099}\u{f900}İ]{0,9}",
            bits in 0_u8..16,
        ) {
            use unicode_normalization::UnicodeNormalization as _;
            let folds = Normalisation { folds: bits | Fold::Unicode.bit() };
            let nfd: String = text.nfd().collect();
            let nfc: String = text.nfc().collect();
            prop_assert_eq!(folds.apply(&nfd), folds.apply(&text));
            prop_assert_eq!(folds.apply(&nfc), folds.apply(&text));
            if folds == Normalisation::of([Fold::Unicode]) {
                prop_assert_eq!(&*folds.apply(&text), &nfc);
            }
        }

        #[test]
        fn any_text_is_brought_into_nfc(
            text in "[a一 \u{1100}\u{1161}\u{11a8}가각\u{9c7}\u{9be}\u{dd9}\u{dcf}\u{dca}\u{300}\u{323}か\u{3099}\u{f73}\u{344}]{0,8}|\\PC{0,12}",
        ) {
            use unicode_normalization::UnicodeNormalization as _;
            let unicode = Normalisation::of([Fold::Unicode]);
            let nfc: String = text.nfc().collect();
            prop_assert_eq!(&*unicode.apply(&text), &nfc);
            // Each character stands for the characters of the text that it is made of.
            let (mut pieces, mut made) = (Vec::<Range<usize>>::new(), Vec::<String>::new());
            unicode.each(&text, |c, bytes| match pieces.last() {
                Some(last) if *last == bytes => made.last_mut().unwrap().push(c),
                _ => {
                    assert_eq!(pieces.last().map_or(0, |last| last.end), bytes.start);
                    pieces.push(bytes);
                    made.push(c.to_string());
                }
            });
            prop_assert_eq!(pieces.last().map_or(0, |last| last.end), text.len());
            for (bytes, made) in pieces.into_iter().zip(made) {
                let piece = &text[bytes];
                prop_assert_eq!(&piece.nfc().collect::<String>(), &made);
                // No smaller one would do: the rest of it is put on the first or composed with it.
                for (at, _) in piece.char_indices().skip(1) {
                    let (before, behind) = piece.split_at(at);
                    let apart: String = before.nfc().chain(behind.nfc()).collect();
                    let mark = behind.nfd().next().is_some_and(composition::is_mark);
                    prop_assert!(mark || apart != made, "{:?} of {:?}", before, text);
                }
            }
        }

        #[test]
        fn once_is_enough(
            text in "[ a-zA-Zéß０-ｚ一-丂ァ-ン\u{3000}\\t.\u{300}-\u{308}\u{3099}か\u{f900}İ\u{1100}\u{1161}\u{11a8}\u{9c7}\u{9be}]{0,12}",
            bits in 0_u8..16,
        ) {
            let folds = Normalisation { folds: bits };
            let once = folds.apply(&text).into_owned();
            prop_assert_eq!(&*folds.apply(&once), &once);
        }

        #[test]
        fn places_rise_and_lie_in_the_text(text: String, bits in 0_u8..16) {
            let mut last = 0;
            Normalisation { folds: bits }.each(&text, |_, bytes| {
                assert!(last <= bytes.start && bytes.start < bytes.end);
                assert!(text.get(bytes.clone()).is_some());
                last = bytes.start;
            });
        }
    }
}
