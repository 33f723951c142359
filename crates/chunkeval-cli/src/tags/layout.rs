//! How input files are laid out, and where they are.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chunkeval_data::{Column, Comments, Conll, Delimiter, DocStart, Format};

/// The layout of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Columns parted by tabs if the first line has one, else by white space.
    #[default]
    Auto,
    /// One that `chunkeval-data` has a name for.
    Named(Format),
}

/// What is scored.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Gold and predicted tags in one file.
    File {
        /// The file, or `-`.
        path: PathBuf,
        /// Its layout.
        layout: Layout,
    },
    /// Gold and predicted tags in two files.
    Pair {
        /// The file of gold tags.
        gold: PathBuf,
        /// Its layout.
        gold_layout: Layout,
        /// The file of predicted tags.
        predicted: PathBuf,
        /// Its layout.
        predicted_layout: Layout,
    },
}

impl Source {
    /// The files that are read.
    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            Self::File { path, .. } => vec![path],
            Self::Pair { gold, predicted, .. } => vec![gold, predicted],
        }
    }
}

impl FromStr for Layout {
    type Err = chunkeval_core::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text.parse().map(Self::Named),
        }
    }
}

/// A layout of columns.
#[derive(Clone, Debug)]
pub(super) enum ColumnLayout {
    /// Gold and predicted tags in the last two columns.
    Auto,
    /// Tags of one side in the last column.
    AutoSide,
    /// The same, or in the only one: predicted tags need no tokens, gold ones have them.
    AutoPredicted,
    Named(Conll),
}

impl ColumnLayout {
    /// The layout of a file that begins with such a line.
    pub(super) fn of(&self, line: &[u8]) -> Conll {
        match self {
            Self::Named(layout) => layout.clone(),
            Self::AutoSide | Self::AutoPredicted => {
                Conll { delimiter: delimiter(line), ..Conll::default() }
            }
            Self::Auto => Conll {
                token: Column::FromLeft(1),
                gold: Column::FromRight(2),
                predicted: Some(Column::FromRight(1)),
                delimiter: delimiter(line),
                comments: Comments::None,
                docstart: DocStart::Boundary,
            },
        }
    }
}

fn delimiter(line: &[u8]) -> Delimiter {
    if line.contains(&b'\t') { Delimiter::Tab } else { Delimiter::Whitespace }
}

/// The first line that is not blank, as far as it is in the buffer; nothing is read away.
pub(super) fn first_line(source: &mut dyn BufRead) -> std::io::Result<Vec<u8>> {
    let start = source.fill_buf()?;
    let mut lines = start.split(|&byte| byte == b'\n');
    let line = lines.find(|line| line.iter().any(|b| !b.is_ascii_whitespace()));
    Ok(line.unwrap_or_default().to_vec())
}
