//! [`Side`]: a file of gold tags alone, or of predicted ones, part by part.

mod open;

use std::path::{Path, PathBuf};

use super::columns::{Columns, Scanner};
use super::interner::Interner;
use super::layout::ColumnLayout;
use super::parallel::ParallelScanner;
use super::part::{File, Part};
use super::waybill::WaybillScanner;
use crate::Result;
use crate::input::{Block, Feed};

pub(super) use open::Of;

/// A file that is scanned block by block, or two parallel ones.
pub(super) struct Side<'h, 'l> {
    /// Of tokens, and of tags if there is no other.
    feed: Feed<'h>,
    scanner: AnyScanner<'h>,
    tags: Interner<'l>,
    document_start: &'l str,
}

/// What errors call the files of a side.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) tokens: PathBuf,
    pub(super) tags: PathBuf,
}

impl Paths {
    pub(super) fn of(&self, file: File) -> &Path {
        match file {
            File::Tokens => &self.tokens,
            File::Tags => &self.tags,
        }
    }
}

enum AnyScanner<'h> {
    /// Columns of which no token line was seen yet.
    Unseen(ColumnLayout),
    Columns(Scanner),
    Waybill(WaybillScanner),
    Parallel(ParallelScanner<'h>),
}

impl Side<'_, '_> {
    /// What errors call the files.
    pub(super) fn paths(&self) -> Paths {
        let tokens = self.feed.path();
        let tags = match &self.scanner {
            AnyScanner::Parallel(scanner) => scanner.path(),
            _ => tokens,
        };
        Paths { tokens: tokens.to_owned(), tags: tags.to_owned() }
    }

    /// Shows no progress: the other side does.
    pub(super) fn quiet(mut self) -> Self {
        self.feed = self.feed.quiet();
        self
    }

    /// The next part, in the memory of an old one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn next(&mut self, mut old: Part) -> Result<Option<Part>> {
        let memory = std::mem::take(&mut old.block.bytes);
        let Some(block) = self.feed.next(memory)? else { return self.end(old) };
        let mut part = Part::of(block, old);
        if let AnyScanner::Unseen(layout) = &self.scanner {
            let Block { bytes, line } = &part.block;
            match Columns::sniff(layout, self.document_start, bytes, *line) {
                Ok(Some(columns)) => self.scanner = AnyScanner::Columns(Scanner::new(&columns)),
                Ok(None) => {} // blank lines and comments
                Err(fault) => part.fault = Some((File::Tags, fault)),
            }
        }
        match &mut self.scanner {
            AnyScanner::Unseen(_) => {}
            AnyScanner::Columns(scanner) => {
                let block = std::mem::take(&mut part.block);
                scanner.scan(&block, &mut self.tags, &mut part);
                part.block = block;
                part.tokens.truncate(part.rows.gold.len());
                part.bare = scanner.is_bare();
            }
            AnyScanner::Waybill(scanner) => scanner.scan(&mut part, &mut self.tags),
            AnyScanner::Parallel(scanner) => {
                scanner.scan(&mut part, &mut self.tags, self.feed.path())?;
            }
        }
        Ok(Some(part))
    }

    /// What stands behind the last block: nothing, or tags without tokens.
    fn end(&mut self, old: Part) -> Result<Option<Part>> {
        let AnyScanner::Parallel(scanner) = &mut self.scanner else { return Ok(None) };
        let fault = scanner.end(self.feed.path())?;
        Ok(fault.map(|fault| {
            let mut part = Part::of(Block::default(), old);
            part.fault = Some((File::Tags, fault));
            part
        }))
    }
}

#[cfg(test)]
mod tests;
