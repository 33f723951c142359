//! The scheme of a label list, as seqeval guesses it.

use super::read::split;
use super::{Scheme, TagStyle};
use crate::{Error, ErrorKind, Result};

impl Scheme {
    /// The scheme that seqeval 1.2.2 takes for these tags (`auto_detect`), which it looks for when
    /// it is asked for a strict report without a scheme.
    ///
    /// It looks at the letters that occur, and at nothing else: a sentence of single `B` tags is
    /// IOB2, and one of single `I` tags is refused.
    ///
    /// ```
    /// use chunkeval_core::{Scheme, TagStyle};
    ///
    /// let detect = |tags: &[&str]| Scheme::detect_as_seqeval(tags, TagStyle::Prefix);
    /// assert_eq!(detect(&["B-X", "I-X", "O"])?, Scheme::Iob2);
    /// assert_eq!(detect(&["B-X", "E-X"])?, Scheme::Iobes);
    /// assert!(detect(&["I-X", "O"]).is_err());
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// A tag has a letter of no scheme, or is empty (all of those are named); or the letters are
    /// those of no scheme in seqeval's table.
    pub fn detect_as_seqeval<S: AsRef<str>>(
        tags: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        let mut seen = String::new();
        let mut unreadable: Vec<String> = Vec::new();
        for tag in tags {
            let tag = tag.as_ref();
            match split(tag, style).map(|(letter, _)| letter).filter(|&l| LETTERS.contains(l)) {
                Some(letter) if seen.contains(letter) => {}
                Some(letter) => seen.push(letter),
                None if unreadable.iter().any(|known| known == tag) => {}
                None => unreadable.push(tag.to_owned()),
            }
        }
        if !unreadable.is_empty() {
            let hint = format!("; the letters of the schemes are {LETTERS}");
            return Err(ErrorKind::UnreadableLabels { labels: unreadable, hint }.into());
        }
        let scheme = [Self::Iob2, Self::Ioe2, Self::Iobes, Self::Bilou].into_iter();
        let mut scheme = scheme.filter(|scheme| scheme.seqeval_takes(&seen));
        scheme.next().ok_or_else(|| {
            Error::config("scheme", format!("seqeval knows no scheme with the letters {seen:?}"))
        })
    }

    /// Whether a set of letters is one that seqeval takes for this scheme.
    fn seqeval_takes(self, seen: &str) -> bool {
        let has = |letters: &str| letters.chars().all(|l| seen.contains(l));
        let only = |letters: &str| seen.chars().all(|l| letters.contains(l));
        only(self.letters())
            && match self {
                Self::Iob1 | Self::Ioe1 => false,
                Self::Iob2 => has("B"),
                Self::Ioe2 => has("E"),
                Self::Iobes => has("BE") || seen == "S",
                Self::Bilou => has("BL") || seen == "U",
            }
    }
}

/// The letters that seqeval's strict mode knows.
const LETTERS: &str = "IOBESUL";
