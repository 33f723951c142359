//! Other letters for the positions of the usual ones.

use std::fmt;

use super::{Mode, Position};

/// The letters a label list uses.
///
/// Positions are the same in every notation; only their letters differ. So BMES is IOBES with `M`
/// for a token inside a chunk, and is scored under [`Scheme::Iobes`](crate::Scheme::Iobes).
///
/// ```
/// use chunkeval_core::{Mode, Notation, Scheme, TagSet};
///
/// let tags = TagSet::builder(["O", "B-公司", "M-公司", "E-公司", "S-公司"])
///     .notation(Notation::Bmes)
///     .mode(Mode::Strict(Scheme::Iobes))
///     .build()?;
/// assert_eq!(tags.entities(&[1, 2, 3, 0, 4]).len(), 2);
/// assert_eq!(tags.entities(&[1, 2, 0, 0, 4]).len(), 1); // a chunk without its E is none
///
/// // Without the notation `M` is a letter that cannot be read.
/// assert!(TagSet::builder(["O", "B-公司", "M-公司"]).build().is_err());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// The letters of the mode: those [of its scheme](crate::Scheme::letters), or `O B I E S`.
    #[default]
    Usual,
    /// `B M E` and `S` or `W`, for IOBES: BMES, and BMEWO as it is also known.
    Bmes,
    /// `B I L U`, for IOBES too. The scheme BILOU has these letters by itself; this is for reading
    /// such labels leniently.
    Bilou,
}

impl Notation {
    /// The letters that can be read in a mode, `O` included.
    pub(super) fn letters(self, mode: Mode) -> &'static str {
        match (self, mode) {
            (Self::Usual, Mode::Strict(scheme)) => scheme.letters(),
            (Self::Usual, Mode::Lenient | Mode::Conlleval) => "OBIES",
            (Self::Bmes, _) => "OBMESW",
            (Self::Bilou, _) => "OBILU",
        }
    }

    /// `usual`, `BMES` or `BILOU`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Bmes => "BMES",
            Self::Bilou => "BILOU",
        }
    }
}

/// Its [name](Notation::name).
impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The position of a letter, of any notation. They do not contradict each other.
pub(super) fn position(letter: char) -> Option<Position> {
    Some(match letter {
        'O' => Position::Outside,
        'B' => Position::Begin,
        'I' | 'M' => Position::Inside,
        'E' | 'L' => Position::End,
        'S' | 'U' | 'W' => Position::Single,
        _ => return None,
    })
}
