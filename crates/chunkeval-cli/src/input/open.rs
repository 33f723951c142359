//! Opening a file or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::compression::{MAGIC, unpack};
use super::patient::Patient;
use crate::{Error, Result, interrupt, progress};

/// The name of standard input on a command line.
pub(crate) const STDIN: &str = "-";

/// What errors call standard input.
const STDIN_NAME: &str = "<stdin>";

/// An input that is open: unpacked bytes, and how to speak of them.
pub(crate) struct Input {
    /// The bytes.
    pub(crate) source: Box<dyn Read + Send>,
    /// What errors call it.
    pub(crate) path: PathBuf,
    /// Its size as it lies in the file, where that is known.
    pub(crate) size: Option<u64>,
    /// How much of it was read.
    pub(crate) read: progress::Read,
    /// Once it is set nobody wants more, and reading ends however long the other side says nothing.
    pub(crate) stop: Flag,
    /// Once it is set, reading is an error of kind `WouldBlock` while the other side says nothing, and
    /// can go on behind it.
    pub(crate) eager: Flag,
}

/// Tells the one who reads something.
pub(crate) type Flag = Arc<AtomicBool>;

/// What errors call a file, or standard input.
pub(crate) fn name(path: &Path) -> &Path {
    if path == Path::new(STDIN) { Path::new(STDIN_NAME) } else { path }
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// It cannot be opened, is a folder, or is packed in a way that is not read.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let (stop, eager) = <(Flag, Flag)>::default();
        let (source, path, size): (Box<dyn Read + Send>, PathBuf, _) = if path == Path::new(STDIN) {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                let reason = "standard input is a terminal; name a file, or pipe something in";
                return Err(Error::Usage(reason.to_owned()));
            }
            let source = Patient::new(stdin, [&stop, &eager]);
            let source = source.map_err(|e| Error::read(STDIN_NAME.as_ref(), e))?;
            (Box::new(source), STDIN_NAME.into(), None)
        } else {
            let file = File::open(path).map_err(|e| Error::read(path, e))?;
            let facts = file.metadata().map_err(|e| Error::read(path, e))?;
            if facts.is_dir() {
                return Err(Error::folder(path));
            }
            let (source, size): (Box<dyn Read + Send>, _) = match facts.is_file() {
                true => (Box::new(file), Some(facts.len())),
                false => {
                    let source = Patient::new(file, [&stop, &eager]);
                    (Box::new(source.map_err(|e| Error::read(path, e))?), None)
                }
            };
            (source, path.to_owned(), size)
        };
        let read = progress::Read::default();
        let mut counted = Counted { source, read: read.clone() };
        let mut start = Vec::with_capacity(MAGIC);
        let peeked = (&mut counted).take(MAGIC as u64).read_to_end(&mut start);
        if let Err(error) = peeked
            && !interrupt::asked()
        {
            return Err(Error::read(&path, error));
        }
        let whole: Box<dyn Read + Send> = Box::new(Cursor::new(start.clone()).chain(counted));
        Ok(Self { source: unpack(whole, &start, &path)?, path, size, read, stop, eager })
    }

    /// The bytes, buffered.
    pub(crate) fn buffered(self) -> (Box<dyn BufRead + Send>, PathBuf) {
        (Box::new(BufReader::with_capacity(1 << 16, self.source)), self.path)
    }
}

/// Counts what is read of the file itself.
struct Counted<R> {
    source: R,
    read: progress::Read,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(buffer)?;
        self.read.add(bytes);
        Ok(bytes)
    }
}
