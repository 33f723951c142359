//! Blocks of columns scanned into rows of ids.
//!
//! The rules are those of `chunkeval-data`'s `ConllReader`, which says what is a comment, a blank
//! line and so on; a test holds the two against each other. Here no text is kept and no line is
//! copied.

mod sniff;

use chunkeval_data::{Column, Comments, Conll, Delimiter, DocStart};
use memchr::memchr_iter;

use super::fields::Cuts;
use super::interner::Interner;
use super::line::{Line, Wrong, is_clean};
use super::rows::{Rows, Texts, Token};
use super::sink::{Fields, Sink};
use crate::input::Block;

/// What every line of a file must have.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    layout: Conll,
    /// How many columns there are, and the line that says so.
    count: usize,
    first_line: u64,
    token: usize,
    gold: usize,
    predicted: usize,
    /// Lines that begin with this begin a document and are no tokens; nothing if empty.
    document_start: Vec<u8>,
    /// Its first byte.
    mark: u8,
}

/// Scans blocks; keeps its memory from one to the next.
#[derive(Debug)]
pub(super) struct Scanner {
    columns: Columns,
    /// Byte ranges of the fields of a line.
    fields: Vec<(usize, usize)>,
    /// Whether the rest of the sentence is left out.
    spoilt: bool,
}

const DOCSTART: &[u8] = b"-DOCSTART-";

impl Scanner {
    pub(super) fn new(columns: &Columns) -> Self {
        Self { columns: columns.clone(), fields: Vec::new(), spoilt: false }
    }

    /// Whether there are tags alone: their fields stand for the tokens.
    pub(super) fn is_bare(&self) -> bool {
        self.columns.count == 1
    }

    /// Scans a block into rows.
    pub(super) fn scan(&mut self, block: &Block, tags: &mut Interner<'_>, sink: &mut impl Sink) {
        let text = &*block.bytes;
        // Bytes that no line should have are looked for in the block as a whole; only if there are
        // any, each line is looked at.
        let clean = is_clean(text);
        let cuts = match self.columns.layout.delimiter {
            Delimiter::Whitespace => Cuts::BOTH,
            Delimiter::Tab => Cuts::TABS,
            Delimiter::Space => Cuts::SPACES,
        };
        let runs = self.columns.layout.delimiter == Delimiter::Whitespace;
        let mut line = Line { text, number: block.line, start: 0, end: 0 };
        let mut first = 0; // of the row
        let mut field = 0;
        self.fields.clear();
        for place in cuts.places(text) {
            if !runs || field < place {
                self.fields.push((field, place));
            }
            field = place + 1;
            if text.get(place) != Some(&b'\n') {
                continue;
            }
            line.end = place;
            if sink.rows().between() {
                first = line.start;
            }
            if let Err((at, reason, hint)) = self.line(line, clean, first, tags, sink) {
                sink.rows().take_back();
                if !self.spoilt {
                    self.spoilt = true;
                    if !sink.fault(line.fault(at, reason, hint)) {
                        return;
                    }
                }
            }
            line.start = field;
            line.number += 1;
            self.fields.clear();
        }
        sink.rows().unended = !sink.rows().between(); // blocks end with a blank line, else
        self.end(first, sink.rows());
    }

    fn end(&mut self, first: usize, rows: &mut Rows) {
        self.spoilt = false;
        rows.end(first);
    }

    /// Takes one line, whose fields are known.
    #[inline(always)]
    fn line(
        &mut self,
        mut line: Line<'_>,
        clean: bool,
        first: usize,
        tags: &mut Interner<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), Wrong> {
        if !clean {
            line = self.check_bytes(line)?;
        }
        let byte = match line.bytes().first() {
            None => {
                self.end(first, sink.rows());
                return Ok(());
            }
            Some(&byte) => byte,
        };
        // Few lines begin with one of these, and only those can be blank, comments and the like.
        if matches!(byte, b' ' | b'\t' | b'#' | b'-') || byte == self.columns.mark {
            match self.columns.kind(line, sink.rows().between()) {
                Kind::Boundary { document } => {
                    self.end(first, sink.rows());
                    if document {
                        sink.rows().begin_document(line.number);
                    }
                    return Ok(());
                }
                Kind::LeftOut { document } => {
                    if document {
                        sink.rows().begin_document(line.number);
                    }
                    return Ok(());
                }
                Kind::Token => {}
            }
        }
        if self.spoilt {
            return Ok(());
        }
        self.token(line, tags, sink)
    }

    #[inline(always)]
    fn token(
        &mut self,
        line: Line<'_>,
        tags: &mut Interner<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), Wrong> {
        let columns = &self.columns;
        if columns.layout.delimiter == Delimiter::Space {
            while self.fields.pop_if(|(start, end)| start == end).is_some() {}
        }
        if self.fields.len() != columns.count {
            return Err(self.wrong_count(line));
        }
        let field = |column: usize| self.fields.get(column).copied().unwrap_or_default();
        let (token, gold, predicted) =
            (field(columns.token), field(columns.gold), field(columns.predicted));
        for ((start, end), what) in [(token, "token"), (gold, "tag"), (predicted, "predicted tag")]
        {
            if start == end {
                let hint = "where white space of any length parts columns, say so: --layout \
                            conll:delimiter=whitespace";
                return Err((start, format!("the {what} is empty"), Some(hint.to_owned())));
            }
        }
        sink.take(line, Fields { token, gold, predicted }, tags)
    }

    #[cold]
    fn wrong_count(&self, line: Line<'_>) -> Wrong {
        let Columns { count, first_line, .. } = self.columns;
        let at = self.fields.get(count).map_or(line.end, |field| field.0);
        let found = self.fields.len();
        let columns = if count == 1 { "column" } else { "columns" };
        let reason = format!("expected {count} {columns} as in line {first_line}, found {found}");
        let hint = "every line of a sentence has the same columns, parted in the same way";
        (at, reason, Some(hint.to_owned()))
    }

    /// Takes the carriage return of the line end off; names bytes that a line must not have.
    #[cold]
    fn check_bytes<'t>(&mut self, mut line: Line<'t>) -> Result<Line<'t>, Wrong> {
        if line.bytes().ends_with(b"\r") {
            line.end -= 1;
            if let Some(last) = self.fields.last_mut() {
                last.1 = line.end.max(last.0);
            }
            if self.columns.layout.delimiter == Delimiter::Whitespace {
                self.fields.pop_if(|(start, end)| start == end);
            }
        }
        line.check()?;
        Ok(line)
    }
}

/// What a line is.
enum Kind {
    Token,
    /// A sentence ends; perhaps a document begins.
    Boundary {
        document: bool,
    },
    /// A comment, or the start of a document that parts no sentences.
    LeftOut {
        document: bool,
    },
}

impl Columns {
    fn kind(&self, line: Line<'_>, before_sentence: bool) -> Kind {
        let bytes = line.bytes();
        if !self.document_start.is_empty() && bytes.starts_with(&self.document_start) {
            return Kind::Boundary { document: true };
        }
        if is_blank(bytes) {
            return Kind::Boundary { document: false };
        }
        let tabbed = self.layout.delimiter == Delimiter::Tab && bytes.contains(&b'\t');
        let docstart = match tabbed {
            true => bytes.split(|&b| b == b'\t').next() == Some(DOCSTART),
            false => {
                bytes.split(|b| matches!(b, b' ' | b'\t')).find(|w| !w.is_empty()) == Some(DOCSTART)
            }
        };
        let comment = match self.layout.comments {
            Comments::None => false,
            Comments::Hash => bytes.starts_with(b"#"),
            Comments::Between => {
                before_sentence && (bytes == b"#" || bytes.starts_with(b"# ")) && !tabbed
            }
        };
        match self.layout.docstart {
            DocStart::Boundary if docstart => Kind::Boundary { document: true },
            _ if comment => Kind::LeftOut { document: false },
            DocStart::Skip if docstart => Kind::LeftOut { document: true },
            _ => Kind::Token,
        }
    }

    /// The fields of a line, as text, and the token among them.
    fn token_of<'t>(&self, line: &'t str) -> Option<&'t str> {
        let words = || line.split([' ', '\t']).filter(|word| !word.is_empty());
        match self.layout.delimiter {
            Delimiter::Whitespace => words().nth(self.token),
            Delimiter::Tab => line.split('\t').nth(self.token),
            Delimiter::Space => line.split(' ').nth(self.token),
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The place of a column among so many.
fn index(column: Column, count: usize) -> Option<usize> {
    match column {
        Column::FromLeft(n) => n.checked_sub(1),
        Column::FromRight(n) => count.checked_sub(n),
    }
}

/// A block with its columns knows its tokens.
pub(super) struct BlockTexts<'b>(pub(super) &'b Block, pub(super) &'b Columns);

impl Texts for BlockTexts<'_> {
    fn lines(&self, texts: &[usize]) -> Vec<u64> {
        let Self(block, _) = self;
        let (mut line, mut from) = (block.line, 0);
        let lines = texts.iter().map(|&text| {
            let between = block.bytes.get(from..text).unwrap_or_default();
            line += memchr_iter(b'\n', between).count() as u64;
            from = text;
            line
        });
        lines.collect()
    }

    fn tokens(&self, text: usize) -> Vec<Token> {
        let Self(block, columns) = self;
        let before = block.bytes.get(..text).unwrap_or_default();
        let first = block.line + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let lines = block.bytes.get(text..).unwrap_or_default().split(|&byte| byte == b'\n');
        let mut tokens = Vec::new();
        for (bytes, number) in lines.zip(first..) {
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            let line = Line { text: bytes, number, start: 0, end: bytes.len() };
            match columns.kind(line, tokens.is_empty()) {
                Kind::Boundary { .. } => break,
                Kind::LeftOut { .. } => {}
                Kind::Token => {
                    let text = String::from_utf8_lossy(bytes);
                    let text = columns.token_of(&text).unwrap_or_default().to_owned();
                    tokens.push(Token { text, line: number });
                }
            }
        }
        tokens
    }
}
