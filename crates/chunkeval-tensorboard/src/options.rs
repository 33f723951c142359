//! How an event file is opened.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chunkeval_core::Result;

use crate::file::{self, Order};
use crate::{TensorBoard, event};

/// Tells the seconds since 1970 that stand on an event.
pub(crate) type Clock = Box<dyn FnMut() -> f64 + Send>;

/// Opens a [`TensorBoard`] with a clock or host name of one's own, so that files are reproducible.
///
/// ```
/// use chunkeval_core::Sink;
/// use chunkeval_tensorboard::Options;
///
/// let folder = tempfile::tempdir().unwrap();
/// let mut board = Options::new().clock(|| 2.0).host("box").create(folder.path())?;
/// board.scalar("r", 300, 0.5)?;
/// let path = board.path().to_owned();
/// board.close()?;
///
/// let name = path.file_name().unwrap().to_str().unwrap();
/// assert!(name.starts_with("events.out.tfevents.0000000002.box."));
/// assert_eq!(std::fs::metadata(&path).unwrap().len(), 40 + 40);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[must_use]
pub struct Options {
    clock: Clock,
    host: Option<String>,
}

impl Options {
    /// The system's clock and this machine's name.
    pub fn new() -> Self {
        Self { clock: Box::new(system_clock), host: None }
    }

    /// Takes the time of each event, in seconds since 1970, from `clock`.
    pub fn clock(mut self, clock: impl FnMut() -> f64 + Send + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Puts `host` into the file name. Characters a file name should not have become `_`.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.host = Some(host.into());
        self
    }

    /// Starts a run: see [`TensorBoard::create`].
    ///
    /// # Errors
    /// The folder or file cannot be made or written. No file is left behind.
    pub fn create(self, logdir: impl AsRef<Path>) -> Result<TensorBoard> {
        self.open(logdir.as_ref(), Order::Any)
    }

    /// Continues a run from `purge_step` on: see [`TensorBoard::resume`].
    ///
    /// # Errors
    /// As for [`create`](Options::create); also when the step exceeds 63 bits, or when the folder
    /// has an event file that TensorBoard reads last whatever the new one is called.
    pub fn resume(self, logdir: impl AsRef<Path>, purge_step: u64) -> Result<TensorBoard> {
        let step = event::step(purge_step)?;
        let mut board = self.open(logdir.as_ref(), Order::Last)?;
        let path = board.path().to_owned();
        board.session_start(step).inspect_err(|_| remove(&path))?;
        Ok(board)
    }

    /// Writes the events to `writer` instead of a file; `name` stands for it in errors.
    ///
    /// # Errors
    /// The writer does not take the first event.
    pub fn write_to(
        self,
        writer: impl Write + Send + 'static,
        name: impl Into<PathBuf>,
    ) -> Result<TensorBoard> {
        TensorBoard::start(Box::new(writer), name.into(), self.clock)
    }

    fn open(mut self, logdir: &Path, order: Order) -> Result<TensorBoard> {
        let host = file::file_name_part(&self.host.take().unwrap_or_else(file::host));
        // A clock before 1970 gives 0.
        let (file, path) = file::create(logdir, (self.clock)() as u64, &host, order)?;
        TensorBoard::start(Box::new(file), path.clone(), self.clock).inspect_err(|_| remove(&path))
    }
}

/// Takes away a file that never held what it was made for.
fn remove(path: &Path) {
    // The error that led here is the one to report.
    let _ = fs::remove_file(path);
}

fn system_clock() -> f64 {
    // A machine that believes it is before 1970 still gets its points, all at 1970.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("host", &self.host).finish_non_exhaustive()
    }
}
