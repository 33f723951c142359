//! The columns of a line.

use chunkeval_core::Result;

use super::{Column, Comments, Conll, Delimiter, DocStart, LOSES_TOKENS};
use crate::Sentence;
use crate::lines::{self, Line};
use crate::read::Tags;

/// Takes the columns out of token lines.
#[derive(Debug)]
pub(super) struct Splitter {
    layout: Conll,
    /// Number of columns, and the line that set it.
    columns: Option<(usize, u64)>,
    /// Byte ranges of the columns of the current line; kept for its memory.
    ranges: Vec<(usize, usize)>,
    tags: Tags,
}

impl Splitter {
    pub(super) fn new(layout: &Conll) -> Self {
        Self { layout: layout.clone(), columns: None, ranges: Vec::new(), tags: Tags::Read }
    }

    /// Leaves out the columns of tags.
    pub(super) fn tokens_only(&mut self) {
        self.tags = Tags::LeftOut;
    }

    pub(super) fn is_boundary(&self, line: &Line<'_>) -> bool {
        self.layout.docstart == DocStart::Boundary && self.is_docstart(line)
    }

    /// Whether the line is neither a token nor a boundary.
    pub(super) fn is_left_out(&self, line: &Line<'_>, before_sentence: bool) -> bool {
        let comment = match self.layout.comments {
            Comments::None => false,
            Comments::Hash => line.text.starts_with('#'),
            Comments::Between => {
                let hash = line.text == "#" || line.text.starts_with("# ");
                before_sentence && hash && !self.is_tabbed(line)
            }
        };
        comment || self.layout.docstart == DocStart::Skip && self.is_docstart(line)
    }

    /// Whether the line has columns parted by tabs, as token lines of such a layout do.
    fn is_tabbed(&self, line: &Line<'_>) -> bool {
        self.layout.delimiter == Delimiter::Tab && line.text.contains('\t')
    }

    /// Also where the line is otherwise delimited, or has fewer columns, than token lines.
    fn is_docstart(&self, line: &Line<'_>) -> bool {
        let first = if self.is_tabbed(line) {
            line.text.split('\t').next()
        } else {
            lines::words(line.text).next().map(|(_, word)| word)
        };
        first == Some("-DOCSTART-")
    }

    pub(super) fn push(&mut self, line: &Line<'_>, out: &mut Sentence) -> Result<()> {
        self.split(line.text);
        self.check_count(line)?;
        let token = self.cell(line, self.layout.token, "token")?;
        if self.tags == Tags::LeftOut {
            out.push_token(token.1, Some(line.position(token.0)));
            return Ok(());
        }
        let gold = self.cell(line, self.layout.gold, "tag")?;
        let predicted = match self.layout.predicted {
            Some(column) => Some(self.cell(line, column, "predicted tag")?),
            None => None,
        };
        out.push_token(token.1, Some(line.position(token.0)));
        out.push_gold(gold.1, Some(line.position(gold.0)));
        if let Some((at, tag)) = predicted {
            out.push_predicted(tag, Some(line.position(at)));
        }
        Ok(())
    }

    fn split(&mut self, text: &str) {
        self.ranges.clear();
        let (text, delimiter) = match self.layout.delimiter {
            Delimiter::Whitespace => {
                self.ranges.extend(lines::words(text).map(|(at, word)| (at, at + word.len())));
                return;
            }
            Delimiter::Tab => (text, '\t'),
            Delimiter::Space => (text.trim_end_matches(' '), ' '),
        };
        let mut at = 0;
        for column in text.split(delimiter) {
            self.ranges.push((at, at + column.len()));
            at += column.len() + 1;
        }
    }

    fn check_count(&mut self, line: &Line<'_>) -> Result<()> {
        let found = self.ranges.len();
        let (expected, as_in) = match self.columns {
            Some((columns, _)) if columns == found => return Ok(()),
            Some((columns, first)) => {
                (columns, format!("expected {} as in line {first}", counted(columns)))
            }
            None => {
                let fewest = match self.tags {
                    Tags::Read => self.layout.fewest(),
                    Tags::LeftOut => self.layout.token.least(),
                };
                if found >= fewest {
                    self.columns = Some((found, line.number));
                    return self.check_comments(line);
                }
                (fewest, format!("expected at least {}", counted(fewest)))
            }
        };
        let at = self.ranges.get(expected).map_or(line.text.len(), |range| range.0);
        Err(line.error(at, format!("{as_in}, found {found}")))
    }

    /// Counted from the right, the token may turn out to be the first column after all.
    fn check_comments(&self, line: &Line<'_>) -> Result<()> {
        let first = self.layout.token.index(self.ranges.len()) == Some(0);
        if first && self.layout.comments == Comments::Hash {
            return Err(line.error(0, format!("the token is the first column: {LOSES_TOKENS}")));
        }
        Ok(())
    }

    fn cell<'a>(&self, line: &Line<'a>, column: Column, what: &str) -> Result<(usize, &'a str)> {
        let range = column.index(self.ranges.len()).and_then(|i| self.ranges.get(i));
        let (start, end) = range.copied().unwrap_or_default();
        match line.text.get(start..end) {
            Some(text) if !text.is_empty() => Ok((start, text)),
            _ => Err(line.error(start, format!("the {what} is empty"))),
        }
    }
}

fn counted(columns: usize) -> String {
    format!("{columns} column{}", if columns == 1 { "" } else { "s" })
}
