//! Opening a side: which scanner reads it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use chunkeval_data::{Conll, ConllReader, Format, Parallel};

use super::super::interner::Interner;
use super::super::labels::Labels;
use super::super::layout::{ColumnLayout, Layout};
use super::super::parallel::ParallelScanner;
use super::super::waybill::WaybillScanner;
use super::{AnyScanner, Side};
use crate::input::{Boundary, Feed, Input};
use crate::{Error, Result};

/// Which side it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tags) enum Of {
    Gold,
    /// May have tags alone.
    Predicted,
}

impl<'h, 'l> Side<'h, 'l> {
    /// Opens a file, or those of a folder.
    ///
    /// # Errors
    /// One cannot be opened, or the layout cannot be.
    pub(in crate::tags) fn open(
        of: Of,
        path: &Path,
        layout: &Layout,
        labels: &'l Labels<'l>,
        document_start: &'l str,
        halt: &'h AtomicBool,
    ) -> Result<Self> {
        let feed = |path: &Path, boundary| -> Result<_> {
            Ok(Feed::new(Input::open(path)?, boundary, halt))
        };
        let (scanner, feed) = match layout {
            Layout::Auto if path.is_dir() => {
                let layout = Layout::Named(Format::Parallel(Parallel::default()));
                return Self::open(of, path, &layout, labels, document_start, halt);
            }
            Layout::Auto => {
                let layout = match of {
                    Of::Gold => ColumnLayout::AutoSide,
                    Of::Predicted => ColumnLayout::AutoPredicted,
                };
                (AnyScanner::Unseen(layout), feed(path, Boundary::BlankLine)?)
            }
            Layout::Named(Format::Conll(layout)) => {
                // A layout that has predicted tags, too, is read for the gold ones.
                let layout = Conll { predicted: None, ..layout.clone() };
                ConllReader::new(std::io::empty(), path, &layout)?; // that it can be
                let scanner = AnyScanner::Unseen(ColumnLayout::Named(layout));
                (scanner, feed(path, Boundary::BlankLine)?)
            }
            Layout::Named(Format::Parallel(names)) => {
                are_there(path, names)?;
                let tags = feed(&path.join(&names.tags), Boundary::Line)?.quiet();
                let scanner = AnyScanner::Parallel(ParallelScanner::new(tags));
                (scanner, feed(&path.join(&names.tokens), Boundary::Line)?)
            }
            Layout::Named(_) => {
                (AnyScanner::Waybill(WaybillScanner::default()), feed(path, Boundary::Line)?)
            }
        };
        Ok(Self { feed, scanner, tags: Interner::new(labels), document_start })
    }
}

/// That a folder has parallel files of these names.
///
/// # Errors
/// It has not.
fn are_there(folder: &Path, names: &Parallel) -> Result<()> {
    let missing = [&names.tokens, &names.tags].into_iter().find(|name| !folder.join(name).exists());
    match missing {
        Some(name) if folder.is_dir() => {
            let reason = format!("a folder without {}", name.display());
            let hint = "the tokens of parallel files are in seq.in, their tags in seq.out; \
                        --layout parallel:tokens=NAME,tags=NAME names others";
            Err(Error::content(folder, reason).with_hint(hint))
        }
        _ => Ok(()),
    }
}
