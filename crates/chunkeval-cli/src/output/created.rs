//! Files that are made: never over the input, and whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Error, Result};

/// A file to be. Until it is kept it has another name beside it, `.chunkeval-….part`, which goes
/// away with this. A device or a pipe has nothing to lose, and is written at once.
#[derive(Debug)]
pub(crate) enum Created {
    AtOnce,
    Beside { part: PathBuf, path: PathBuf, there: There },
}

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// It stays, and nothing is written: it is not lost to a slip of the pen.
    Refuse,
    /// It goes, once the new one is whole.
    Replace,
}

impl There {
    /// As an option `--force` says.
    pub(crate) fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

impl Created {
    /// Makes the file.
    ///
    /// # Errors
    /// There is such a file already, which is to stay, or it cannot be made.
    pub(crate) fn new(path: &Path, there: There) -> io::Result<(File, Self)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if fs::metadata(path).is_ok_and(|facts| !facts.is_file()) {
            // Of a folder the operating system says that it is one.
            return Ok((File::options().write(true).open(path)?, Self::AtOnce));
        }
        if there == There::Refuse || fs::symlink_metadata(path).is_err() {
            // The operating system says what it thinks of the name.
            File::create_new(path)?;
            fs::remove_file(path)?;
        }
        // The file that a link leads to is replaced, and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let part = format!(".chunkeval-{}-{number}.part", process::id());
        let part = path.with_file_name(part);
        Ok((File::create_new(&part)?, Self::Beside { part, path, there }))
    }

    /// Keeps the file, which is whole now.
    ///
    /// # Errors
    /// There is a file of its name by now, or it cannot be renamed.
    pub(crate) fn keep(self) -> io::Result<()> {
        let Self::Beside { part, path, there } = &self else { return Ok(()) };
        if *there == There::Replace {
            return fs::rename(part, path);
        }
        match fs::hard_link(part, path) {
            // On some file systems a file has one name only.
            Err(e) if e.kind() != ErrorKind::AlreadyExists => fs::rename(part, path),
            linked => linked,
        }
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        if let Self::Beside { part, .. } = self {
            // The error that ended the run is the one to tell, and a file that was kept has its own
            // name.
            let _ = fs::remove_file(part);
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
