//! Parallel files scanned into rows of ids: the tokens of a sentence stand on a line of one file, its
//! tags on the same line of another.
//!
//! The rules are those of `chunkeval-data`'s `ParallelReader`; a test holds the two against each
//! other.

use std::path::Path;

use super::fields::{Cuts, Places};
use super::interner::Interner;
use super::line::{Line, is_clean};
use super::part::{File, Part};
use super::sink::Field;
use crate::input::{Block, Feed};
use crate::unusable::Fault;
use crate::{Result, interrupt};

const HINT: &str = "each line of one file has as many words as the same line of the other";

/// Scans blocks of tokens together with the lines of their tags.
pub(super) struct ParallelScanner<'h> {
    feed: Feed<'h>,
    /// The block that the next tags stand in.
    block: Block,
    next: Next,
    /// The tags of a line.
    tags: Vec<Field>,
}

impl<'h> ParallelScanner<'h> {
    /// Reads the tags of a feed.
    pub(super) fn new(feed: Feed<'h>) -> Self {
        Self { feed, block: Block::default(), next: Next::default(), tags: Vec::new() }
    }

    /// What errors call the file of tags.
    pub(super) fn path(&self) -> &Path {
        self.feed.path()
    }

    /// Scans the block of a part, of the file of tokens, into its rows.
    ///
    /// # Errors
    /// The file of tags cannot be read.
    pub(super) fn scan(
        &mut self,
        part: &mut Part,
        ids: &mut Interner<'_>,
        path: &Path,
    ) -> Result<()> {
        let block = std::mem::take(&mut part.block);
        let mut next = Next::of(&block);
        while part.fault.is_none() && next.is_in(&block) {
            if self.more()? {
                let (tokens, tags) = (Lines::new(&block, next), Lines::new(&self.block, self.next));
                (next, self.next) = lines(tokens, tags, part, &mut self.tags, ids, path);
            } else if interrupt::asked() {
                break;
            } else {
                part.fault = Some((File::Tokens, next.fault(&block, self.path())));
            }
        }
        part.block = block;
        Ok(())
    }

    /// The fault of tags behind the last tokens, if there are any.
    ///
    /// # Errors
    /// The file of tags cannot be read.
    pub(super) fn end(&mut self, path: &Path) -> Result<Option<Fault>> {
        Ok((self.more()? && !interrupt::asked()).then(|| self.next.fault(&self.block, path)))
    }

    /// Whether there are more tags.
    fn more(&mut self) -> Result<bool> {
        while !self.next.is_in(&self.block) {
            let memory = std::mem::take(&mut self.block.bytes);
            let Some(block) = self.feed.next(memory)? else { return Ok(false) };
            (self.next, self.block) = (Next::of(&block), block);
        }
        Ok(true)
    }
}

/// Scans lines until one of the blocks ends or a line cannot be used; says where the next ones are.
fn lines(
    mut tokens: Lines<'_>,
    mut tags: Lines<'_>,
    part: &mut Part,
    fields: &mut Vec<Field>,
    ids: &mut Interner<'_>,
    path: &Path,
) -> (Next, Next) {
    while tokens.left() && tags.left() {
        let begun = part.tokens.len();
        fields.clear();
        let read = tokens.read(&mut part.tokens).map_err(|fault| (File::Tokens, fault));
        let read = read.and_then(|_| tags.read(fields).map_err(|fault| (File::Tags, fault)));
        let read = read.and_then(|line| {
            let (expected, found) = (part.tokens.len() - begun, fields.len());
            if found == expected {
                return Ok(line);
            }
            let reason = format!("{found} tags for {expected} tokens of {}", path.display());
            Err((File::Tags, line.fault(line.start, reason, Some(HINT.to_owned()))))
        });
        match read {
            Ok(line) => fields.iter().for_each(|&tag| part.push_tag(line, tag, ids)),
            Err(fault) => {
                part.tokens.truncate(begun);
                part.fault = Some(fault);
                break;
            }
        }
        part.rows.end(part.rows.ends.len());
    }
    (tokens.next, tags.next)
}

/// Where the next line of a block is.
#[derive(Clone, Copy, Debug, Default)]
struct Next {
    byte: usize,
    number: u64,
    /// Whether lines of the block need not be checked.
    clean: bool,
}

impl Next {
    /// The first line.
    fn of(block: &Block) -> Self {
        Self { byte: 0, number: block.line, clean: is_clean(&block.bytes) }
    }

    fn is_in(&self, block: &Block) -> bool {
        self.byte < block.bytes.len()
    }

    /// The line is there in one file and not in the other, unless it is none at all.
    fn fault(self, block: &Block, other: &Path) -> Fault {
        if let Err(fault) = Lines::new(block, self).read(&mut Vec::new()) {
            return fault;
        }
        let reason = format!("{} ends before this line", other.display());
        Fault { line: self.number, column: 1, file: None, reason, hint: Some(HINT.to_owned()) }
    }
}

/// The lines of a block.
struct Lines<'b> {
    text: &'b [u8],
    places: Places<'b>,
    next: Next,
}

impl<'b> Lines<'b> {
    fn new(block: &'b Block, next: Next) -> Self {
        let text = &*block.bytes;
        Self { text, places: Cuts::BOTH.places_from(text, next.byte), next }
    }

    fn left(&self) -> bool {
        self.next.byte < self.text.len()
    }

    /// Reads a line and its words.
    ///
    /// # Errors
    /// It has bytes that it must not have.
    #[inline(always)]
    fn read(&mut self, words: &mut Vec<Field>) -> Result<Line<'b>, Fault> {
        let Next { byte: start, number, clean } = self.next;
        let mut line = Line { text: self.text, number, start, end: start };
        let mut begin = start;
        for place in &mut self.places {
            if begin < place {
                words.push((begin, place));
            }
            begin = place + 1;
            if self.text.get(place) == Some(&b'\n') {
                line.end = place;
                break;
            }
        }
        self.next = Next { byte: begin, number: number + 1, clean };
        if !clean {
            check(&mut line, words)?;
        }
        Ok(line)
    }
}

/// Takes the carriage return of the line end off; names bytes that a line must not have.
#[cold]
fn check(line: &mut Line<'_>, words: &mut Vec<Field>) -> Result<(), Fault> {
    if line.bytes().ends_with(b"\r") {
        line.end -= 1;
        if let Some(last) = words.last_mut().filter(|last| last.1 > line.end) {
            last.1 = line.end;
        }
        words.pop_if(|(start, end)| start == end);
    }
    line.check().map_err(|(at, reason, hint)| line.fault(at, reason, hint))
}
