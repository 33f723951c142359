//! Parallel files: tokens, tags and labels of the same sentence on the same line of each.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use crate::Sentence;
use crate::lines::{Columns, Line, Lines, words};
use crate::read::reader;

/// The names of parallel files in one folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parallel {
    /// The file of tokens, separated by spaces or tabs.
    pub tokens: PathBuf,
    /// The file of tags, separated by spaces or tabs.
    pub tags: PathBuf,
    /// The file of labels, one a line, if there is one.
    pub labels: Option<PathBuf>,
}

impl Default for Parallel {
    /// `seq.in` and `seq.out`, no labels.
    fn default() -> Self {
        Self { tokens: "seq.in".into(), tags: "seq.out".into(), labels: None }
    }
}

impl Parallel {
    /// `seq.in`, `seq.out` and `label`, as in the SNIPS corpus.
    #[must_use]
    pub fn snips() -> Self {
        Self { labels: Some("label".into()), ..Self::default() }
    }
}

/// Reads parallel files in step, one sentence at a time. A line that is blank in all of them is
/// left out.
///
/// ```
/// use chunkeval_data::ParallelReader;
///
/// let mut reader = ParallelReader::new("play jazz\n".as_bytes(), "seq.in", "O B-genre\n".as_bytes(), "seq.out")
///     .with_labels("PlayMusic\n".as_bytes(), "label");
/// let sentence = reader.next().unwrap()?;
/// assert_eq!(sentence.label(), Some("PlayMusic"));
/// assert_eq!(sentence.gold().get(1), Some("B-genre"));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ParallelReader<R> {
    tokens: Lines<R>,
    tags: Lines<R>,
    labels: Option<Lines<R>>,
    done: bool,
}

impl ParallelReader<BufReader<File>> {
    /// Opens the files of `names` in `folder`.
    ///
    /// # Errors
    /// [`Io`](chunkeval_core::ErrorKind::Io) if one of them cannot be opened.
    pub fn open(folder: impl AsRef<Path>, names: &Parallel) -> Result<Self> {
        let lines = |name: &PathBuf| {
            let path = folder.as_ref().join(name);
            let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
            Ok::<_, Error>(Lines::new(BufReader::new(file), path))
        };
        let labels = names.labels.as_ref().map(lines).transpose()?;
        Ok(Self { tokens: lines(&names.tokens)?, tags: lines(&names.tags)?, labels, done: false })
    }
}

impl<R: BufRead> ParallelReader<R> {
    /// Reads tokens and tags from two sources; errors call them by the paths.
    pub fn new(
        tokens: R,
        tokens_path: impl Into<PathBuf>,
        tags: R,
        tags_path: impl Into<PathBuf>,
    ) -> Self {
        let (tokens, tags) = (Lines::new(tokens, tokens_path), Lines::new(tags, tags_path));
        Self { tokens, tags, labels: None, done: false }
    }

    /// Reads a label a line from a third source as well.
    #[must_use]
    pub fn with_labels(mut self, labels: R, path: impl Into<PathBuf>) -> Self {
        self.labels = Some(Lines::new(labels, path));
        self
    }

    fn read(&mut self, out: &mut Sentence) -> Result<bool> {
        while self.advance()? {
            let (tokens, tags) = (self.tokens.line(), self.tags.line());
            let labels = self.labels.as_ref().map(Lines::line);
            if !(tokens.is_blank() && tags.is_blank() && labels.is_none_or(|l| l.is_blank())) {
                push(&tokens, &tags, labels.as_ref(), out)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes one line on in every file; `false` at their common end.
    fn advance(&mut self) -> Result<bool> {
        let tokens = self.tokens.advance()?;
        let others = [Some(&mut self.tags), self.labels.as_mut()];
        for other in others.into_iter().flatten() {
            if other.advance()? != tokens {
                let (longer, shorter) =
                    if tokens { (&self.tokens, &*other) } else { (&*other, &self.tokens) };
                let ended = format!("{} ends before this line", shorter.path().display());
                return Err(longer.line().error(0, ended));
            }
        }
        Ok(tokens)
    }
}

fn push(
    tokens: &Line<'_>,
    tags: &Line<'_>,
    labels: Option<&Line<'_>>,
    out: &mut Sentence,
) -> Result<()> {
    let (expected, found) = (words(tokens.text).count(), words(tags.text).count());
    if expected != found {
        let path = tokens.path.display();
        return Err(tags.error(0, format!("{found} tags for {expected} tokens of {path}")));
    }
    if expected == 0 {
        return Err(tokens.error(0, "a label, but no tokens"));
    }
    let mut columns = Columns::new(tokens);
    for (at, token) in words(tokens.text) {
        out.push_token(token, Some(columns.at(at)));
    }
    let mut columns = Columns::new(tags);
    for (at, tag) in words(tags.text) {
        out.push_gold(tag, Some(columns.at(at)));
    }
    if let Some(labels) = labels {
        if labels.is_blank() {
            return Err(labels.error(0, "the label is empty"));
        }
        let at = labels.text.len() - labels.text.trim_start_matches([' ', '\t']).len();
        out.put_label(labels.trimmed(), Some(labels.position(at)));
    }
    Ok(())
}

reader! {
    impl<R: BufRead> ParallelReader<R> {
        /// The file of tags.
        fn path(&self) -> &Path {
            self.tags.path()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn read(tokens: &str, tags: &str, labels: Option<&str>) -> Result<Vec<Sentence>> {
        let reader = ParallelReader::new(tokens.as_bytes(), "in", tags.as_bytes(), "out");
        match labels {
            Some(labels) => reader.with_labels(labels.as_bytes(), "label").collect(),
            None => reader.collect(),
        }
    }

    fn message(tokens: &str, tags: &str, labels: Option<&str>) -> String {
        read(tokens, tags, labels).unwrap_err().to_string()
    }

    #[test]
    fn spaces_at_ends_and_in_runs_do_not_count() {
        let all =
            read("i d  like \r\n\nflow español\t\n", "O O O \n \nO  B-x", Some("A\n\n B c \n"));
        let all = all.unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].tokens().iter().collect::<Vec<_>>(), ["i", "d", "like"]);
        assert_eq!(all[1].gold().position(1), Some(Position { line: 3, column: 4 }));
        assert_eq!(all[1].label(), Some("B c"));
        assert!(read("", "", Some("")).unwrap().is_empty());
    }

    #[test]
    fn files_out_of_step_are_named() {
        assert_eq!(message("a\nb\n", "O\n", None), "in:2:1: out ends before this line");
        assert_eq!(message("a\n", "O\nO\n", None), "out:2:1: in ends before this line");
        assert_eq!(message("a\nb", "O\nO", Some("A\n")), "in:2:1: label ends before this line");
        assert_eq!(message("a\n", "O\n", Some("A\n\n")), "label:2:1: in ends before this line");
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        assert_eq!(message("a\nb c\n", "O\nO\n", None), "out:2:1: 1 tags for 2 tokens of in");
        assert_eq!(message("\n", "O\n", None), "out:1:1: 1 tags for 0 tokens of in");
        assert_eq!(message("a\n", "O\n", Some(" \n")), "label:1:1: the label is empty");
        assert_eq!(message("\n", "\n", Some("A\n")), "in:1:1: a label, but no tokens");
    }
}
