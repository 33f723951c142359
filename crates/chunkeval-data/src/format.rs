//! Formats by name, as on a command line.

mod text;

use std::path::Path;

use chunkeval_core::Result;

use crate::reader::{Reader, Source};
use crate::{Conll, ConllReader, Parallel, ParallelReader, WaybillReader};

/// The layout of a label file.
///
/// On a command line it is a name, then options where it has any:
///
/// | name | what |
/// |---|---|
/// | `conll` | columns as in CoNLL-2003: token first, tag last, white space between |
/// | `wnut17`, `ncbi` | token TAB tag |
/// | `iob2`, `uner` | number TAB token TAB tag and more columns, `#` comments |
/// | `conlleval` | single spaces, gold tag last but one, predicted tag last |
/// | `predictions` | token TAB gold TAB predicted |
/// | `waybill` | parts joined by byte 0x02 |
/// | `parallel` | a folder with `seq.in` and `seq.out` |
/// | `snips` | the same with `label` |
///
/// Options of all formats of columns are `token`, `gold`, `predicted` (a column from 1, from -1 for
/// the last; `predicted=none`), `delimiter` (`whitespace`, `tab`, `space`), `comments` (`none`,
/// `hash`, `between`), `docstart` (`boundary`, `skip`, `keep`); of parallel files `tokens`, `tags`,
/// `labels` (file names; `labels=none`).
///
/// ```
/// use chunkeval_data::{Column, Delimiter, Format};
///
/// let format: Format = "conll:delimiter=tab,gold=-2".parse()?;
/// let Format::Conll(layout) = &format else { panic!() };
/// assert_eq!((layout.gold, layout.delimiter), (Column::FromRight(2), Delimiter::Tab));
/// assert!("conll:colour=red".parse::<Format>().is_err());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Columns.
    Conll(Conll),
    /// Waybill records.
    Waybill,
    /// Parallel files in a folder.
    Parallel(Parallel),
}

impl Format {
    /// Opens a file, or for parallel files the folder they lie in.
    ///
    /// # Errors
    /// [`Io`](chunkeval_core::ErrorKind::Io) if it cannot be opened,
    /// [`Config`](chunkeval_core::ErrorKind::Config) if the layout cannot be.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Reader> {
        Ok(Reader(match self {
            Self::Conll(layout) => Source::Conll(ConllReader::open(path, layout)?),
            Self::Waybill => Source::Waybill(WaybillReader::open(path)?),
            Self::Parallel(names) => Source::Parallel(ParallelReader::open(path, names)?),
        }))
    }
}
