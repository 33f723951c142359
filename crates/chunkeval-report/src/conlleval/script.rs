//! The script on a whole file.

use std::collections::HashMap;
use std::io::BufRead;

use chunkeval_core::{ChunkEvaluator, ChunkReport, LabelReading, Metric, Mode, TagBatch};

use super::split::Delimiter;
use super::{ConllevalLayout, Tokens, text};

/// conlleval.pl (2004-01-26) on a file, with its options.
///
/// The last column is the guess, the one before it the gold tag. A line without fields, or whose
/// first is `-X-`, ends a sentence. Everything is read as bytes, as the script does under
/// `LC_ALL=C`; a carriage return belongs to the last tag.
///
/// ```
/// use chunkeval_report::Conlleval;
///
/// let file = "Kim B-PER B-PER\nmet O O\nAnn B-PER O\n";
/// let printed = Conlleval::default().run(file.as_bytes())?;
/// assert_eq!(String::from_utf8_lossy(&printed), "\
/// processed 3 tokens with 2 phrases; found: 1 phrases; correct: 1.
/// accuracy:  66.67%; precision: 100.00%; recall:  50.00%; FB1:  66.67
///               PER: precision: 100.00%; recall:  50.00%; FB1:  66.67  1
/// ");
///
/// let tabs = Conlleval::from_args(["-d", "\t", "-l"])?;
/// assert!(tabs.run(&b"Kim\tB-PER\tB-PER\n"[..])?.starts_with(b"        & Precision"));
/// # Ok::<(), chunkeval_report::ConllevalError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Conlleval {
    delimiter: Delimiter,
    raw: bool,
    outside: Vec<u8>,
    layout: ConllevalLayout,
}

/// Why conlleval.pl would print nothing and exit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConllevalError {
    /// An argument that the script does not have, or one in place of its standard input.
    #[error("conlleval has no argument {0:?}")]
    Argument(String),
    /// `-d` or `-o` at the end.
    #[error("conlleval's {0} needs a value")]
    Value(String),
    /// The delimiter is no regular expression. Look-around and back-references, which Perl has,
    /// are not supported.
    #[error("the delimiter cannot be used: {0}")]
    Delimiter(#[source] regex::Error),
    /// A line has another number of columns than the first one.
    #[error("line {line}: {found} columns, where the first line has {expected}")]
    Columns {
        /// From 1.
        line: u64,
        /// Columns in the first line that has any.
        expected: usize,
        /// Columns in this one.
        found: usize,
    },
    /// A line has only one column.
    #[error("line {line}: one column, where a gold tag and a guess are needed")]
    TooFew {
        /// From 1.
        line: u64,
    },
    /// The file cannot be read.
    #[error("cannot read the file")]
    Io(#[from] std::io::Error),
    /// More different tags, or more tokens, than can be counted.
    #[error("too much to count")]
    Count(#[from] chunkeval_core::Error),
}

impl ConllevalError {
    /// The status with which the script exits; 255 is Perl's `die`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Columns { .. } => 1,
            _ => 255,
        }
    }
}

/// Columns parted by one space, no raw tags, plain text.
impl Default for Conlleval {
    fn default() -> Self {
        Self {
            delimiter: Delimiter::default(),
            raw: false,
            outside: OUTSIDE.to_vec(),
            layout: ConllevalLayout::Plain,
        }
    }
}

const OUTSIDE: &[u8] = b"O";
const BOUNDARY: &[u8] = b"-X-";

impl Conlleval {
    /// The options of a command line: `-d PATTERN`, `-r`, `-o TAG`, `-l`.
    ///
    /// # Errors
    /// The script would refuse them, or the pattern cannot be used.
    pub fn from_args<S: AsRef<str>>(
        args: impl IntoIterator<Item = S>,
    ) -> Result<Self, ConllevalError> {
        let mut options = Self::default();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let arg = arg.as_ref();
            let mut value = || args.next().ok_or_else(|| ConllevalError::Value(arg.to_owned()));
            options = match arg {
                "-l" => options.layout(ConllevalLayout::Latex),
                "-r" => options.raw(),
                "-d" => options.delimiter(value()?.as_ref())?,
                "-o" => options.outside(value()?.as_ref()),
                _ => return Err(ConllevalError::Argument(arg.to_owned())),
            };
        }
        Ok(options)
    }

    /// The regular expression that parts the columns of a line (`-d`); one space if not said, so
    /// two spaces make an empty column. Columns at the end that are empty do not count. A pattern
    /// that prefers to match nothing (`,*?`) splits between all characters, which Perl does not
    /// always do.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn delimiter(self, pattern: &str) -> Result<Self, ConllevalError> {
        let delimiter = Delimiter::new(pattern).map_err(ConllevalError::Delimiter)?;
        Ok(Self { delimiter, ..self })
    }

    /// Every tag but the [outside](Conlleval::outside) ones is a chunk of its own, with the whole
    /// tag as its type (`-r`).
    pub fn raw(self) -> Self {
        Self { raw: true, ..self }
    }

    /// The tag that is outside besides `O` (`-o`); without [`raw`](Conlleval::raw) it does nothing.
    pub fn outside(self, tag: &str) -> Self {
        Self { outside: tag.as_bytes().to_vec(), ..self }
    }

    /// How to print.
    pub fn layout(self, layout: ConllevalLayout) -> Self {
        Self { layout, ..self }
    }

    /// What the script prints for a file. Type names need not be UTF-8, so the output is bytes.
    ///
    /// # Errors
    /// The script would print nothing.
    pub fn run(&self, file: impl BufRead) -> Result<Vec<u8>, ConllevalError> {
        let (report, tokens) = self.count(file)?;
        let text = text(&report, tokens, self.layout, |name| name.chars().count());
        Ok(text.chars().map(|c| c as u8).collect())
    }

    /// Counts, with types whose characters stand for bytes.
    fn count(&self, mut file: impl BufRead) -> Result<(ChunkReport, Tokens), ConllevalError> {
        let mut tags = Tags::default();
        let outside = tags.id(OUTSIDE);
        let mut tokens = Tokens::default();
        let (mut gold, mut guessed) = (Vec::new(), Vec::new());
        let mut columns = None;
        let mut line = Vec::new();
        let mut number = 0;
        while file.read_until(b'\n', &mut line)? > 0 {
            number += 1;
            let fields = self.delimiter.fields(line.strip_suffix(b"\n").unwrap_or(&line));
            if !fields.is_empty() {
                let (found, expected) = (fields.len(), *columns.get_or_insert(fields.len()));
                if found != expected {
                    return Err(ConllevalError::Columns { line: number, expected, found });
                }
            }
            // The script counts no sentences: between two it sees one more O.
            if fields.first().is_none_or(|&first| first == BOUNDARY) {
                gold.push(outside);
                guessed.push(outside);
            } else if let [.., of_gold, of_guess] = fields[..] {
                let ids = [of_gold, of_guess].map(|tag| self.id(&mut tags, tag));
                tokens.all += 1;
                tokens.equal += u64::from(ids[0] == ids[1]);
                gold.push(ids[0]);
                guessed.push(ids[1]);
            } else {
                return Err(ConllevalError::TooFew { line: number });
            }
            line.clear();
        }
        let metric = ChunkEvaluator::builder(tags.labels).reading(LabelReading::Reference);
        let mut metric = metric.mode(Mode::Conlleval).build()?;
        metric.update(TagBatch::new(&gold, &guessed, &[gold.len()])?)?;
        Ok((metric.accumulate(), tokens))
    }

    fn id(&self, tags: &mut Tags, tag: &[u8]) -> i32 {
        match self.raw {
            true if tag == OUTSIDE || tag == self.outside => tags.id(OUTSIDE),
            true => tags.id(&[b"B-", tag].concat()),
            false => tags.id(tag),
        }
    }
}

/// The tags seen so far. Tags that the script takes for the same have the same id.
#[derive(Debug, Default)]
struct Tags {
    /// One character for each byte, so that any bytes are a text.
    labels: Vec<String>,
    ids: HashMap<Vec<u8>, i32>,
}

impl Tags {
    fn id(&mut self, tag: &[u8]) -> i32 {
        if let Some(&id) = self.ids.get(tag) {
            return id;
        }
        // Without a type, or of type 0: the letter alone.
        let letter = tag.strip_suffix(b"0").unwrap_or(tag).strip_suffix(b"-");
        let letter = letter.filter(|letter| !letter.contains(&b'-'));
        let id = match letter {
            Some(letter) => self.id(letter),
            None => {
                self.labels.push(tag.iter().map(|&byte| char::from(byte)).collect());
                self.labels.len() as i32 - 1
            }
        };
        self.ids.insert(tag.to_vec(), id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_are_the_same_to_the_script() {
        let mut tags = Tags::default();
        let bare = tags.id(b"B");
        assert_eq!([tags.id(b"B-"), tags.id(b"B-0")], [bare; 2]);
        for other in [&b"B-00"[..], b"B0", b"B-X-", b"B-X-0", b"", b"B--0", b"0"] {
            let id = tags.id(other);
            assert_eq!(id as usize, tags.labels.len() - 1, "{other:?}");
        }
        assert_eq!(tags.id(b"-0"), tags.id(b""));
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        let file = b"w B-\xFF\xC3 B-\xFF\xC3\nx B-A O\n";
        let printed = Conlleval::default().run(&file[..]).unwrap();
        let row = b"               \xFF\xC3: precision: 100.00%;";
        assert!(printed.windows(row.len()).any(|window| window == row));
    }

    #[test]
    fn errors_say_where() {
        let run = |file: &str| Conlleval::default().run(file.as_bytes()).unwrap_err();
        let error = run("\nw O O\nw O O O\n");
        assert_eq!(error.to_string(), "line 3: 4 columns, where the first line has 3");
        assert_eq!(error.exit_code(), 1);
        assert_eq!(run("O\n").exit_code(), 255);
    }
}
