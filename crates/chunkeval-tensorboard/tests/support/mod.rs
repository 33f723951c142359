//! What the tests of this crate share: TensorBoard's own readers, and plain ones.

// Each test binary uses its part of this.
#![allow(dead_code)]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The scalar pages of the three loaders, as [`scalars`] finds them.
pub(crate) const VIEWS: [&str; 3] = ["accumulator", "python", "fast"];

/// The Python that has TensorBoard: `CHUNKEVAL_PYTHON`, else the one that `cargo xtask test` sets
/// up. Without any the caller's test is skipped, loudly; on a CI machine that is a failure.
pub(crate) fn python() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = std::env::var_os("CHUNKEVAL_PYTHON")
        .map_or_else(|| workspace.join("target/venv/bin/python"), PathBuf::from);
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "no Python with TensorBoard at {}", python.display());
    say(&format!("SKIPPED, no Python with TensorBoard at {}", python.display()));
    None
}

/// Prints past the test harness, which hides what a passing test prints.
pub(crate) fn say(line: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let _ = writeln!(io::stderr(), "\n*** {test}: {line}");
}

/// What TensorBoard reads in `logdir`, by view.
pub(crate) fn read(logdir: &Path) -> Option<Value> {
    read_views(logdir, &VIEWS)
}

/// As [`read`], of some views.
pub(crate) fn read_views(logdir: &Path, views: &[&str]) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_events.py");
    let output =
        Command::new(python()?).arg(script).arg(logdir).args(views).output().expect("Python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the reader failed: {errors}");
    Some(serde_json::from_slice(&output.stdout).expect("the reader prints JSON"))
}

/// The points of a tag in the run `.` (the log folder itself), `null` where there is none.
pub(crate) fn scalars<'a>(read: &'a Value, view: &str, tag: &str) -> &'a Value {
    scalars_of(read, view, ".", tag)
}

/// As [`scalars`], of another run.
pub(crate) fn scalars_of<'a>(read: &'a Value, view: &str, run: &str, tag: &str) -> &'a Value {
    match view {
        "accumulator" => &read[view][run]["scalars"][tag],
        _ => &read[view]["scalars"][run][tag],
    }
}

/// Points as they come back: values rounded to 32 bits, those that JSON lacks as strings.
pub(crate) fn points(values: impl IntoIterator<Item = (u64, f64)>) -> Value {
    values.into_iter().map(|(step, value)| json!([step, number(value)])).collect()
}

fn number(value: f64) -> Value {
    match f64::from(value as f32) {
        v if v.is_nan() => json!("NaN"),
        v if v == f64::INFINITY => json!("Infinity"),
        v if v == f64::NEG_INFINITY => json!("-Infinity"),
        v => json!(v),
    }
}

/// The event files of a folder, in the order of their names.
pub(crate) fn event_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

/// Where each whole record of an event file ends.
pub(crate) fn record_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(length) = bytes.get(at..at + 8) {
        at += 16 + u64::from_le_bytes(length.try_into().unwrap()) as usize;
        if at > bytes.len() {
            break;
        }
        ends.push(at);
    }
    ends
}

/// A writer whose bytes stay readable, and whose room can be changed from outside.
#[derive(Clone, Debug)]
pub(crate) struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);

impl Disk {
    pub(crate) fn with_room(room: usize) -> Self {
        Self(Arc::new(Mutex::new((Vec::new(), room))))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().0.clone()
    }

    pub(crate) fn set_room(&self, room: usize) {
        self.0.lock().unwrap().1 = room;
    }
}

impl Write for Disk {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let (bytes, room) = &mut *self.0.lock().unwrap();
        match buf.len().min(*room) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            n => {
                bytes.extend(&buf[..n]);
                *room -= n;
                Ok(n)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
