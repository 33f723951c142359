//! What the first token line of a file says about all others.

use chunkeval_data::{Comments, Conll, Delimiter};

use super::{Columns, Kind, index};
use crate::tags::layout::ColumnLayout;
use crate::tags::line::Line;
use crate::unusable::Fault;

impl Columns {
    /// Reads the number of columns off the first token line, and what parts them where that is not
    /// said. `None` if there is no token line.
    ///
    /// # Errors
    /// The line has too few columns; or there is none, and a line has bytes that it must not have.
    pub(in crate::tags) fn sniff(
        layout: &ColumnLayout,
        document_start: &str,
        text: &[u8],
        first_line: u64,
    ) -> Result<Option<Self>, Fault> {
        let bare = matches!(layout, ColumnLayout::AutoPredicted);
        let mut wrong = None;
        for (bytes, number) in text.split(|&byte| byte == b'\n').zip(first_line..) {
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            let layout = layout.of(bytes);
            let document_start = document_start.as_bytes().to_vec();
            let mark = document_start.first().copied().unwrap_or(b'#');
            let (count, token, gold, predicted) = (0, 0, 0, 0);
            let first_line = number;
            let columns =
                Self { layout, count, first_line, token, gold, predicted, document_start, mark };
            let line = Line { text: bytes, number, start: 0, end: bytes.len() };
            if let Kind::Token = columns.kind(line, true) {
                return columns
                    .measure(line, bare)
                    .map(Some)
                    .map_err(|later| wrong.unwrap_or(later));
            }
            if wrong.is_none() {
                wrong = line.check().err().map(|(at, reason, hint)| line.fault(at, reason, hint));
            }
        }
        // What has no token line is not scanned.
        wrong.map_or(Ok(None), Err)
    }

    /// `bare`: whether a column of tags will do.
    fn measure(mut self, line: Line<'_>, bare: bool) -> Result<Self, Fault> {
        let count = self.count(line.bytes());
        if bare && count == 1 {
            return Ok(Self { count, ..self });
        }
        let Conll { token, gold, predicted, .. } = self.layout;
        let found = || {
            let (token, gold) = (index(token, count)?, index(gold, count)?);
            // Where there is one side only, its tag stands for both.
            let predicted = predicted.map_or(Some(gold), |column| {
                index(column, count).filter(|at| *at != gold && *at != token)
            })?;
            let last = token.max(gold).max(predicted);
            (token != gold && last < count).then_some((token, gold, predicted))
        };
        let Some((token, gold, predicted)) = found() else {
            if let Err((at, reason, hint)) = line.check() {
                return Err(line.fault(at, reason, hint)); // no text at all
            }
            let reason = format!("found {count} column{}, which are too few", plural(count));
            let hint = match predicted {
                Some(_) => {
                    "a line has a token, its gold tag and its predicted tag; gold and predicted \
                     tags in two files go to --gold and --pred; --layout names other columns"
                }
                None => {
                    "a line has a token and its tag, tags alone are for --pred; --layout names \
                     other columns"
                }
            };
            return Err(line.fault(line.end, reason, Some(hint.to_owned())));
        };
        if token == 0 && self.layout.comments == Comments::Hash {
            // It was counted from the right, else the layout would have been refused.
            let reason = "the token is the first column: as a comment, # would take tokens away";
            let hint = "comments=between takes none";
            return Err(line.fault(line.start, reason.to_owned(), Some(hint.to_owned())));
        }
        (self.count, self.token, self.gold, self.predicted) = (count, token, gold, predicted);
        Ok(self)
    }

    fn count(&self, line: &[u8]) -> usize {
        match self.layout.delimiter {
            Delimiter::Whitespace => {
                line.split(|b| matches!(b, b' ' | b'\t')).filter(|w| !w.is_empty()).count()
            }
            Delimiter::Tab => line.split(|&b| b == b'\t').count(),
            Delimiter::Space => {
                let trailing = line.iter().rev().take_while(|&&b| b == b' ').count();
                let kept = line.len() - trailing;
                line.get(..kept).unwrap_or(line).split(|&b| b == b' ').count()
            }
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
