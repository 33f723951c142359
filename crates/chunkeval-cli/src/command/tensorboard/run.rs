//! Writing the points of a split.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use chunkeval_core::{Average, AverageScores, ChunkReport, ErrorKind, Scalars, Sink, visible_text};
use chunkeval_llm::HealthKind;
use chunkeval_report::{Format, Table};
use chunkeval_tensorboard::{Chart, Layout, Options, TensorBoard};

use super::Scored;
use super::found::health;
use crate::{Error, Result};

/// Writes an event file with the points of a split, and takes the one away that was written for it
/// before. Its path.
///
/// # Errors
/// The file cannot be written; what the run has of this split is then as it was.
pub(super) fn write(logdir: &Path, split: &str, scored: &[Scored<'_>]) -> Result<PathBuf> {
    let host = host(split);
    let before = written_before(logdir, &host)?;
    // A point is as old as the file it is from, so TensorBoard's axis of time makes sense.
    let time = Arc::new(AtomicU64::new(seconds(SystemTime::now()).to_bits()));
    let clock = Arc::clone(&time);
    let options = Options::new().host(&host);
    let options = options.clock(move || f64::from_bits(clock.load(Ordering::Relaxed)));
    let mut board = options.create(logdir).map_err(failed)?;
    let path = board.path().to_owned();
    let done = fill(&mut board, split, scored, &time).and_then(|()| board.close());
    if let Err(error) = done {
        // The error that led here is the one to report.
        let _ = fs::remove_file(&path);
        return Err(failed(error));
    }
    for old in before {
        fs::remove_file(&old).map_err(|e| Error::write(old.display().to_string(), e))?;
    }
    Ok(path)
}

/// A run that cannot be written.
fn failed(error: chunkeval_core::Error) -> Error {
    match error.into_kind() {
        ErrorKind::Io { path, source } => Error::write(path.display().to_string(), source),
        other => Error::Core(other.into()),
    }
}

fn fill(
    board: &mut TensorBoard,
    split: &str,
    scored: &[Scored<'_>],
    time: &AtomicU64,
) -> chunkeval_core::Result<()> {
    board.layout(&layout(split, scored))?;
    for Scored { checkpoint, found } in scored {
        time.store(seconds(checkpoint.time).to_bits(), Ordering::Relaxed);
        for series in &found.series {
            points(board, &format!("{split}/{}", series.prefix), checkpoint.step, &series.report)?;
        }
        for (name, value) in &found.others {
            board.scalar(&format!("{split}/{name}"), checkpoint.step, *value)?;
        }
    }
    Ok(())
}

/// The charts of each series, with all types of all steps; and those of the health of answers.
fn layout(split: &str, scored: &[Scored<'_>]) -> Layout {
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut readings = BTreeSet::new();
    for series in scored.iter().flat_map(|s| &s.found.series) {
        let of_series = types.entry(series.prefix.clone()).or_default();
        of_series.extend(series.report.per_type.iter().map(|t| visible_text(&t.entity_type)));
        readings.extend(series.treatment.map(|_| &*series.reading)); // those of answers
    }
    let layout = types.into_iter().fold(Layout::new(), |layout, (prefix, types)| {
        layout.split(format!("{split}/{prefix}").trim_end_matches('/'), types)
    });
    readings.into_iter().fold(layout, |layout, reading| {
        let tags = HealthKind::ALL.map(|kind| format!("{split}/{}", health(reading, kind)));
        layout.category(format!("{split}/{reading}"), [Chart::lines("health of answers", tags)])
    })
}

/// The scores of a report: its own, then the averages, then the table.
fn points(
    board: &mut TensorBoard,
    before: &str,
    step: u64,
    report: &ChunkReport,
) -> chunkeval_core::Result<()> {
    let mut log = |prefix: &str, scalars: &dyn Scalars| {
        let mut done = Ok(());
        scalars.visit(&mut |name, value| {
            if let (Ok(()), Some(value)) = (&done, value) {
                // A model can name a type anything, which TensorBoard does not.
                let name = visible_text(name);
                done = board.scalar(&format!("{before}{prefix}{name}"), step, value);
            }
        });
        done
    };
    log("", report)?;
    for average in [Average::Macro, Average::Weighted] {
        let scores: AverageScores = report.average(average);
        log(&format!("{average}/"), &scores)?;
    }
    let table = Table::new(report).render(Format::Markdown);
    board.text(&format!("{before}report"), step, &table)
}

/// What stands in the place of a machine's name in the names of our files: another one for each
/// split, whatever characters it has.
fn host(split: &str) -> String {
    split.chars().fold("chunkeval-".to_owned(), |host, c| match c {
        '-' => host + "-",
        c if c.is_alphanumeric() => host + c.encode_utf8(&mut [0; 4]),
        c => host + &format!("_{:x}_", u32::from(c)),
    })
}

/// The event files that were written for this split before: `events.out.tfevents.TIME.HOST.N.N`.
fn written_before(logdir: &Path, host: &str) -> Result<Vec<PathBuf>> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ours = |name: &str| {
        let rest = name.strip_prefix("events.out.tfevents.");
        let parts: Vec<&str> = rest.map_or(Vec::new(), |rest| rest.split('.').collect());
        matches!(*parts, [time, of, pid, count]
            if number(time) && of == host && number(pid) && number(count))
    };
    let entries = match fs::read_dir(logdir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        // A run is a folder that is written to.
        Err(e) => return Err(Error::write(logdir.display().to_string(), e)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::read(logdir, e))?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(ours) {
            found.push(path);
        }
    }
    Ok(found)
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
