//! The sink itself.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result, Sink};
use tensorboard_proto::event::Event;

use crate::event::{self, ScalarEvent};
use crate::options::Clock;
use crate::tags::{Kind, Seen, Tags};
use crate::{HParams, Layout, Options, Outcome, Records, hparams, tags};

/// A [`Sink`] that writes one TensorBoard event file.
///
/// What is on disk when, how a run is continued, which values and tags there are: see the
/// [crate's page](crate).
///
/// ```
/// use chunkeval_core::Sink;
/// use chunkeval_tensorboard::TensorBoard;
///
/// let folder = tempfile::tempdir().unwrap();
/// let mut board = TensorBoard::create(folder.path().join("runs/waybill"))?;
/// board.scalar("dev/f1", 100, 0.75)?;
/// board.text("dev/report", 100, "| type | f1 |\n|---|---|\n| PER | 0.75 |")?;
/// board.flush()?; // the points can be looked at from here on
/// assert!(board.path().is_file());
/// board.close()?;
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
pub struct TensorBoard {
    records: Records<Box<dyn Write + Send>>,
    path: PathBuf,
    clock: Clock,
    tags: Tags,
    hparams_written: bool,
    scalar: ScalarEvent,
    /// One event, kept to be filled again.
    payload: Vec<u8>,
}

impl TensorBoard {
    /// Starts a run: makes a new event file in `logdir`, and the folder where it is missing.
    ///
    /// The name is `events.out.tfevents.SECONDS.HOST.PID.COUNT`. An existing file is never opened,
    /// so two writers in one folder, second and process have a file each. The file-version event
    /// is in the file when this returns.
    ///
    /// # Errors
    /// The folder or file cannot be made or written. No file is left behind.
    pub fn create(logdir: impl AsRef<Path>) -> Result<Self> {
        Options::new().create(logdir)
    }

    /// Continues the run in `logdir` at `purge_step`: TensorBoard drops every point that earlier
    /// files have at that step or later, so that a restarted run draws no zigzag.
    ///
    /// The step is that of the first thing the continued run may log: for a run restored from the
    /// checkpoint after step 300 it is 301. A folder without event files is fine.
    ///
    /// TensorBoard reads the files of a run in the order of their names and drops at a
    /// session-start event, so the new file gets a name that sorts last, even when the clock went
    /// back. The event is written twice, since the loader behind `--load_fast=false` takes the
    /// first one of a run for its beginning. The default loader knows no such events: it drops,
    /// tag by tag, what is at or after the step of the tag's first new point.
    ///
    /// # Errors
    /// As for [`create`](TensorBoard::create); also when the step exceeds 63 bits, or when the
    /// folder has an event file that TensorBoard reads last whatever the new one is called.
    pub fn resume(logdir: impl AsRef<Path>, purge_step: u64) -> Result<Self> {
        Options::new().resume(logdir, purge_step)
    }

    /// The event file, or the name given to a writer.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Shows the run on the HParams page with these hyper-parameters, and with the last value of
    /// each scalar named in `metrics`.
    ///
    /// Call it once, before or after the first point. TensorBoard takes the columns of the whole
    /// page from one of the runs below its log folder, so give every run of a comparison the same
    /// names.
    ///
    /// # Errors
    /// The hyper-parameters were written before: TensorBoard would not look at these. One of them
    /// is not finite or has no name, a metric is not a valid tag, or the file fails.
    pub fn hparams<I>(&mut self, hparams: &HParams, metrics: I) -> Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        if self.hparams_written {
            return Err(Error::config(
                "hparams",
                "already written, and TensorBoard looks at the first ones of a run only",
            ));
        }
        let metrics = metrics.into_iter().map(|metric| metric.as_ref().to_owned());
        let metrics = metrics.collect::<Vec<String>>();
        for metric in &metrics {
            tags::check(metric)?;
        }
        let event = hparams::event(hparams, &metrics, (self.clock)())?;
        self.event(&event)?;
        self.hparams_written = true;
        Ok(())
    }

    /// Arranges scalars on the Custom Scalars page.
    ///
    /// # Errors
    /// A tag of the layout is not valid, or the file fails.
    pub fn layout(&mut self, layout: &Layout) -> Result<()> {
        let event = layout.event((self.clock)())?;
        self.event(&event)
    }

    /// Writes how the run ended for the HParams page, and closes the file.
    ///
    /// TensorBoard keeps the first outcome of a run. Leave out this call, and use
    /// [`close`](TensorBoard::close), when the run stops to be continued later.
    ///
    /// # Errors
    /// The file fails.
    pub fn finish(mut self, outcome: Outcome) -> Result<()> {
        let event = outcome.event((self.clock)())?;
        self.event(&event)?;
        self.close()
    }

    /// Flushes and closes the file.
    ///
    /// # Errors
    /// The file fails: what was logged since the last flush may be lost.
    pub fn close(mut self) -> Result<()> {
        self.flush()
    }

    pub(crate) fn start(
        writer: Box<dyn Write + Send>,
        path: PathBuf,
        mut clock: Clock,
    ) -> Result<Self> {
        let first = event::file_version(clock());
        let mut board = Self {
            records: Records::new(writer),
            path,
            clock,
            tags: Tags::default(),
            hparams_written: false,
            scalar: ScalarEvent::new(),
            payload: Vec::new(),
        };
        board.event(&first)?;
        board.flush()?;
        Ok(board)
    }

    /// Tells TensorBoard to drop what earlier files have from `step` on.
    pub(crate) fn session_start(&mut self, step: i64) -> Result<()> {
        let event = event::session_start((self.clock)(), step);
        for _ in 0..2 {
            self.event(&event)?;
        }
        self.flush()
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        self.payload.clear();
        event::encode(event, &mut self.payload)?;
        self.append()
    }

    fn append(&mut self) -> Result<()> {
        let result = self.records.append(&self.payload);
        result.map_err(|source| self.io(source))
    }

    fn io(&self, source: io::Error) -> Error {
        Error::io(&self.path, source)
    }
}

impl TensorBoard {
    /// A tag whose first event was refused is as if it had never been named.
    fn forget_unless(&mut self, tag: &str, seen: Seen, written: Result<()>) -> Result<()> {
        if written.is_err() && seen == Seen::First {
            self.tags.forget(tag);
        }
        written
    }
}

impl Sink for TensorBoard {
    /// Buffers one point. NaN and infinities are written as they are; TensorBoard leaves a gap at
    /// a NaN and marks infinities.
    ///
    /// # Errors
    /// The tag is refused, the step exceeds 63 bits, or a finite value exceeds 32-bit floats: this
    /// point is not written, and nothing else happens. Or the buffer is full and the file fails.
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        let (step, value) = (event::step(step)?, event::value(tag, value)?);
        let seen = self.tags.admit(tag, Kind::Scalar)?;
        let event = self.scalar.fill((self.clock)(), step, tag, value);
        self.payload.clear();
        event::encode(event, &mut self.payload)?;
        let written = self.append();
        self.forget_unless(tag, seen, written)
    }

    /// Buffers one Markdown text for the Text page.
    ///
    /// # Errors
    /// The tag is refused, the step exceeds 63 bits, or the buffer is full and the file fails.
    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        let step = event::step(step)?;
        let seen = self.tags.admit(tag, Kind::Text)?;
        let tensor = event::string_tensor(markdown.as_bytes().to_vec());
        // An empty content is the plugin's version 0.
        let event = event::plugin_value((self.clock)(), step, tag, "text", Vec::new(), tensor);
        let written = self.event(&event);
        self.forget_unless(tag, seen, written)
    }

    /// Hands everything to the operating system: it survives the end of this process, however
    /// that comes.
    ///
    /// # Errors
    /// The file fails. What it has not taken is kept for the next call.
    fn flush(&mut self) -> Result<()> {
        let result = self.records.flush();
        result.map_err(|source| self.io(source))
    }
}

impl fmt::Debug for TensorBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TensorBoard")
            .field("path", &self.path)
            .field("records", &self.records)
            .finish_non_exhaustive()
    }
}
