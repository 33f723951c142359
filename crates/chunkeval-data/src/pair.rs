//! Gold tags from one file, predicted tags from another.

use std::path::Path;

use chunkeval_core::Result;

use crate::lines::parse_error;
use crate::read::{ReadSentences, reader};
use crate::{Position, Sentence};

/// Reads a gold file and a file of predictions only, sentence by sentence.
///
/// The tags of the second become the predicted tags of the sentences of the first. Both must have
/// the same tokens in the same order; how blank lines and line ends are written does not matter.
///
/// ```
/// use chunkeval_data::{Conll, ConllReader, PairReader};
///
/// let layout = Conll::two_columns();
/// let gold = ConllReader::new("Ada\tB-PER\n".as_bytes(), "gold.conll", &layout)?;
/// let predictions = ConllReader::new("Ada\tO\r\n".as_bytes(), "system.conll", &layout)?;
/// let sentence = PairReader::new(gold, predictions).next().unwrap()?;
/// assert_eq!(sentence.gold().get(0), Some("B-PER"));
/// assert_eq!(sentence.predicted().and_then(|p| p.get(0)), Some("O"));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PairReader<G, P> {
    gold: G,
    predictions: P,
    other: Sentence,
    done: bool,
}

impl<G: ReadSentences, P: ReadSentences> PairReader<G, P> {
    /// Reads the tokens and gold tags of `gold` and the tags of `predictions`.
    pub fn new(gold: G, predictions: P) -> Self {
        Self { gold, predictions, other: Sentence::new(), done: false }
    }

    fn read(&mut self, out: &mut Sentence) -> Result<bool> {
        let Self { gold, predictions, other, .. } = self;
        match (gold.read_into(out)?, predictions.read_into(other)?) {
            (false, false) => Ok(false),
            (true, false) => Err(ended(gold.path(), out, predictions.path())),
            (false, true) => Err(ended(predictions.path(), other, gold.path())),
            (true, true) => {
                check(gold.path(), out, predictions.path(), other)?;
                out.predict_gold_of(other);
                Ok(true)
            }
        }
    }
}

/// One file goes on where the other has ended.
fn ended(longer: &Path, sentence: &Sentence, shorter: &Path) -> chunkeval_core::Error {
    let reason = format!("{} ends before this sentence", shorter.display());
    sentence.tokens().error(0, longer, reason)
}

fn check(gold: &Path, left: &Sentence, predictions: &Path, right: &Sentence) -> Result<()> {
    let (expected, found) = (left.tokens(), right.tokens());
    let line = |at: Option<Position>| match at {
        Some(at) => format!("{}:{}", gold.display(), at.line),
        None => gold.display().to_string(),
    };
    for (i, (token, other)) in expected.iter().zip(found.iter()).enumerate() {
        if token != other {
            let place = line(expected.position(i));
            return Err(found.error(
                i,
                predictions,
                format!("token {other:?}, but {token:?} at {place}"),
            ));
        }
    }
    let (tokens, others) = (expected.len(), found.len());
    if tokens == others {
        return Ok(());
    }
    let place = line(left.position());
    let reason = format!("a sentence of {others} tokens, but of {tokens} at {place}");
    Err(match right.position() {
        Some(at) => parse_error(predictions, at, reason),
        None => found.error(0, predictions, reason),
    })
}

reader! {
    impl<G: ReadSentences, P: ReadSentences> PairReader<G, P> {
        /// The gold file.
        fn path(&self) -> &Path {
            self.gold.path()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conll, ConllReader};

    fn read(gold: &str, predictions: &str) -> Result<Vec<Sentence>> {
        let layout = Conll::two_columns();
        let gold = ConllReader::new(gold.as_bytes(), "gold", &layout)?;
        let predictions = ConllReader::new(predictions.as_bytes(), "sys", &layout)?;
        PairReader::new(gold, predictions).collect()
    }

    fn message(gold: &str, predictions: &str) -> String {
        read(gold, predictions).unwrap_err().to_string()
    }

    #[test]
    fn sentences_pair_whatever_the_blank_lines() {
        let all = read("a\tO\n\t\nb\tB-X\n", "\r\na\tB-X\r\n\r\n\r\nb\tO").unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].predicted().unwrap().iter().collect::<Vec<_>>(), ["B-X"]);
        assert_eq!(all[1].gold().iter().collect::<Vec<_>>(), ["B-X"]);
        assert_eq!(all[1].predicted().unwrap().position(0), Some(Position { line: 5, column: 3 }));
    }

    #[test]
    fn what_does_not_match_is_named_in_both_files() {
        let gold = "a\tO\nb\tO\n\nc\tO\n";
        assert_eq!(
            message(gold, "a\tO\n\nb\tO\nc\tO\n"),
            "sys:1:1: a sentence of 1 tokens, but of 2 at gold:1"
        );
        assert_eq!(message(gold, "a\tO\nB\tO\n"), "sys:2:1: token \"B\", but \"b\" at gold:2");
        assert_eq!(message(gold, "a\tO\nb\tO\n"), "gold:4:1: sys ends before this sentence");
        let longer = "a\tO\nb\tO\n\nc\tO\n\nd\tO\n";
        assert_eq!(message(gold, longer), "sys:6:1: gold ends before this sentence");
        assert_eq!(message(gold, "a\n"), "sys:1:2: expected at least 2 columns, found 1");
    }
}
