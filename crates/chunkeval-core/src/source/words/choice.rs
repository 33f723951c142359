//! Which piece speaks for a word, and which window.

use super::Word;

/// Which of its pieces speaks for a word.
///
/// The rule holds for both sides: it reads the predictions of the pieces, and their labels where
/// gold is given by piece. Labels of the ignore index have no voice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pieces {
    /// The first one, as most models are trained.
    #[default]
    First,
    /// The last one.
    Last,
    /// The tag that most pieces have; of several that equally many have, the one whose first piece
    /// comes first.
    Majority,
    /// None speaks for others: each piece is a token, and chunks are scored piece by piece. Gold
    /// that is given by word is spread over its pieces; see [`WordIds::tag_set`].
    ///
    /// [`WordIds::tag_set`]: crate::WordIds::tag_set
    All,
}

/// Which window speaks for a word that several windows of one document show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Windows {
    /// The one that was pushed first.
    #[default]
    First,
    /// The one where the word is farthest from the nearer edge, counted in pieces of words; of
    /// several, the one that was pushed first. A word near an edge was predicted without the text
    /// beyond.
    MostContext,
}

impl Pieces {
    /// The column that speaks for a word, of those that have a voice.
    pub(super) fn speaker(
        self,
        mut columns: impl DoubleEndedIterator<Item = usize> + Clone,
        tag: impl Fn(usize) -> i64,
    ) -> Option<usize> {
        match self {
            Self::First | Self::All => columns.next(),
            Self::Last => columns.next_back(),
            Self::Majority => {
                let votes = |&a: &usize| columns.clone().filter(|&b| tag(a) == tag(b)).count();
                // Of several equal maxima this takes the last one, so the first one comes last.
                columns.clone().rev().max_by_key(votes)
            }
        }
    }
}

impl Windows {
    /// Brings words into the order of the documents, each of them once. Words without a label give
    /// way to the same ones with a label.
    pub(super) fn choose(self, words: &mut Vec<Word>) {
        let nearness = |word: &Word| match self {
            Self::First => 0,
            Self::MostContext => usize::MAX - word.context,
        };
        words.sort_unstable_by_key(|word| (word.place(), word.blank, nearness(word), word.row));
        words.dedup_by_key(|word| word.place());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vote_takes_the_earliest_of_equals() {
        let speaker = |pieces: Pieces, tags: &[i64]| {
            pieces.speaker(0..tags.len(), |i| tags[i]).map(|i| tags[i])
        };
        for (tags, first, last, majority) in [
            (&[7][..], 7, 7, 7),
            (&[1, 2], 1, 2, 1),
            (&[2, 1], 2, 1, 2),
            (&[1, 2, 2], 1, 2, 2),
            (&[3, 1, 2, 2, 1], 3, 1, 1),
            (&[3, 2, 1, 1, 2, 3], 3, 3, 3),
            (&[5, 4, 3, 3], 5, 3, 3),
        ] {
            assert_eq!(speaker(Pieces::First, tags), Some(first), "{tags:?}");
            assert_eq!(speaker(Pieces::Last, tags), Some(last), "{tags:?}");
            assert_eq!(speaker(Pieces::Majority, tags), Some(majority), "{tags:?}");
        }
        assert_eq!(speaker(Pieces::Majority, &[]), None);
    }
}
