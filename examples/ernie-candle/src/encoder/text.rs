//! Text files of a folder.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::error::{EncoderError, Result};

/// What files from Windows may begin with; it is no part of the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What the pointers begin with that Git LFS keeps in place of large files.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Reads a text file, without a byte order mark.
///
/// # Errors
/// It cannot be read, or is a pointer of Git LFS.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    check_pointer(path)?;
    let unread = |source| EncoderError::Read { path: path.to_owned(), source };
    let mut text = fs::read_to_string(path).map_err(unread)?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}

/// That a file is not a pointer of Git LFS.
///
/// # Errors
/// It is one, or cannot be read.
pub(super) fn check_pointer(path: &Path) -> Result<()> {
    let mut start = Vec::new();
    let read = |file: File| file.take(POINTER.len() as u64).read_to_end(&mut start);
    let unread = |source| EncoderError::Read { path: path.to_owned(), source };
    File::open(path).and_then(read).map_err(unread)?;
    match start == POINTER {
        true => Err(EncoderError::Pointer(path.to_owned())),
        false => Ok(()),
    }
}
