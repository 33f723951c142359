//! Where output goes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::{Created, OutputArgs, Page, There};
use crate::{Error, Result};

/// Prints a page on standard output; of CSV, what the scores lack on standard error.
///
/// # Errors
/// It cannot be written: the disk is full, or the reader is gone.
pub(crate) fn print(page: &Page, how: &OutputArgs) -> Result<()> {
    print_with(|to| page.write(how, to))?;
    let mut stderr = std::io::stderr().lock();
    for note in page.beside(how) {
        // If standard error is closed there is nobody left to tell.
        let _ = writeln!(stderr, "note: {note}");
    }
    Ok(())
}

/// Prints on standard output.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let written = write(&mut stdout).and_then(|()| stdout.flush());
    // What could not be written must not be tried again when the buffer is dropped.
    let _ = stdout.into_parts();
    written.map_err(|e| Error::write("standard output", e))
}

/// A file that is made before the long run and filled after it, so that a wrong path fails at once.
/// A run that fails leaves things as they were.
#[derive(Debug)]
pub(crate) struct Save<'p> {
    path: &'p Path,
    file: File,
    created: Option<Created>,
}

/// Makes the file.
///
/// # Errors
/// It cannot be made.
pub(crate) fn save(path: &Path) -> Result<Save<'_>> {
    if let Ok((file, created)) = Created::new(path, There::Refuse) {
        return Ok(Save { path, file, created: Some(created) });
    }
    let file = File::options().write(true).create(true).truncate(false).open(path);
    let file = file.map_err(|e| Error::write(path.display().to_string(), e))?;
    Ok(Save { path, file, created: None })
}

impl Save<'_> {
    /// Fills the file with JSON.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn json(self, value: &impl Serialize) -> Result<()> {
        let Self { path, file, created } = self;
        let failed = |e| Error::write(path.display().to_string(), e);
        // What stood there before goes only now. A device has no length to set.
        let _ = file.set_len(0);
        let mut writer = BufWriter::new(file);
        let written = serde_json::to_writer(&mut writer, value).map_err(std::io::Error::from);
        let written = written.and_then(|()| writer.write_all(b"\n")).and_then(|()| writer.flush());
        written.map_err(failed)?;
        created.map_or(Ok(()), Created::keep).map_err(failed)
    }
}
