//! [`Place`]: where something went wrong.

use std::path::Path;

/// Where an [`Error`](crate::Error) happened. Rows and columns count from 0, lines and columns of files from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place<'a> {
    /// A row of the batch.
    Row(usize),
    /// A position of the batch.
    Cell {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// A position in a file.
    Text {
        /// The file.
        path: &'a Path,
        /// Line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: u64,
    },
    /// A file as a whole.
    File(&'a Path),
    /// A label, or the name of a series.
    Tag(&'a str),
}
