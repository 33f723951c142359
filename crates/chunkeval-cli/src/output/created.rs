//! Files that are made: never over the input, and gone again where a run fails.

use std::fs::{self, File};
use std::path::Path;

use crate::{Error, Result};

/// A file that was not there before. It goes away with this, unless it is kept.
#[derive(Debug)]
pub(crate) struct Created<'p>(Option<&'p Path>);

impl<'p> Created<'p> {
    /// Makes the file.
    ///
    /// # Errors
    /// There is such a file already, or it cannot be made.
    pub(crate) fn new(path: &'p Path) -> std::io::Result<(File, Self)> {
        Ok((File::create_new(path)?, Self(Some(path))))
    }

    /// Keeps the file.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Created<'_> {
    fn drop(&mut self) {
        if let Some(path) = self.0 {
            // The error that ended the run is the one to tell.
            let _ = fs::remove_file(path);
        }
    }
}

/// That a file to write is none of those to read, under whatever name.
///
/// # Errors
/// It is one of them.
pub(crate) fn no_input<'p>(
    option: &str,
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    match inputs.into_iter().find(|input| is_same(output, input)) {
        None => Ok(()),
        Some(input) => {
            let (output, input) = (output.display(), input.display());
            let reason = format!("{option} {output} would write over the input {input}");
            Err(Error::Usage(reason))
        }
    }
}

/// Whether two names are of one file; devices and pipes are never the same.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(of_one), Ok(of_other)) = (fs::metadata(one), fs::metadata(other)) else { return false };
    if !of_one.is_file() || !of_other.is_file() {
        return false; // nothing in a device is lost
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place = |facts: &fs::Metadata| (facts.dev(), facts.ino());
        place(&of_one) == place(&of_other)
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(one).ok() == fs::canonicalize(other).ok()
    }
}
