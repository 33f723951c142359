//! The name of an event file, and making it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use chunkeval_core::{Error, Result};

const PREFIX: &str = "events.out.tfevents.";

/// Tells the files of one process apart, whatever folder and second they were made in.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Whether the files already in the folder matter to the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// They may come from anyone.
    Any,
    /// The new file has to be read after all of them.
    Last,
}

/// Makes a new event file in `folder`, and the folder where it is missing. Never opens a file that
/// is already there.
pub(crate) fn create(
    folder: &Path,
    seconds: u64,
    host: &str,
    order: Order,
) -> Result<(File, PathBuf)> {
    fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
    loop {
        let newest = newest(folder).map_err(|source| Error::io(folder, source))?;
        let name = name_after(newest.as_deref(), seconds, host, order)?;
        let path = folder.join(name);
        match File::options().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            // Another process on a host of the same name was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(Error::io(path, source)),
        }
    }
}

/// The event file of `folder` that TensorBoard reads last. It reads them in the order of their
/// names, and takes each file for one that has `tfevents` in its name.
fn newest(folder: &Path) -> io::Result<Option<String>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.contains("tfevents") {
            newest = newest.max(Some(name));
        }
    }
    Ok(newest)
}

/// A name that sorts behind `newest` even when the clock went back, the process id got shorter or
/// the counter got longer: then the second behind `newest` stands in the name.
fn name_after(newest: Option<&str>, seconds: u64, host: &str, order: Order) -> Result<String> {
    let name = name(seconds, host);
    let Some(newest) = newest.filter(|&newest| name.as_str() <= newest) else { return Ok(name) };
    let later = seconds_of(newest).map(|s| self::name(s + 1, host)).filter(|n| n.as_str() > newest);
    match (later, order) {
        (Some(later), _) => Ok(later),
        (None, Order::Any) => Ok(name),
        (None, Order::Last) => Err(Error::config(
            "logdir",
            format!("TensorBoard would read {newest:?} after any file that continues the run"),
        )),
    }
}

fn name(seconds: u64, host: &str) -> String {
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{seconds:010}.{host}.{}.{count}", std::process::id())
}

fn seconds_of(name: &str) -> Option<u64> {
    // Ten digits are compared as text; more of them would not sort as numbers do.
    let digits = name.strip_prefix(PREFIX)?.split('.').next()?;
    digits.parse().ok().filter(|&seconds: &u64| seconds < 9_999_999_999)
}

/// This machine's name, for people who look at the folder.
pub(crate) fn host() -> String {
    ["HOSTNAME", "COMPUTERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok())
        .or_else(|| fs::read_to_string("/proc/sys/kernel/hostname").ok())
        .unwrap_or_default()
}

/// A host name as a part of a file name.
pub(crate) fn file_name_part(host: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    match host.trim() {
        "" => "localhost".to_owned(),
        host => host.chars().map(kept).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_name_sorts_last() {
        let fresh = name_after(None, 5, "h", Order::Last).unwrap();
        assert!(fresh.starts_with("events.out.tfevents.0000000005.h."), "{fresh}");
        for newest in [
            "events.out.tfevents.0000000009.h.1.0", // the clock went back
            "events.out.tfevents.0000000005.zebra.1.0", // a host behind ours in the alphabet
            "events.out.tfevents.0000000005.h.99999999.0", // a greater process id
            "events.out.tfevents.0000000007.h.1.0.v2", // TensorFlow's own ending
        ] {
            let name = name_after(Some(newest), 5, "h", Order::Last).unwrap();
            assert!(name.as_str() > newest, "{name} {newest}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_followed_is_an_error_for_a_continued_run_only() {
        for newest in ["train.tfevents.1", "events.out.tfevents.9999999999.h.1.0"] {
            let error = name_after(Some(newest), 5, "h", Order::Last).unwrap_err();
            assert!(error.to_string().contains(newest), "{error}");
            name_after(Some(newest), 5, "h", Order::Any).unwrap();
        }
    }

    #[test]
    fn host_names_become_parts_of_file_names() {
        assert_eq!(file_name_part(" box.lan/7\n"), "box.lan_7");
        assert_eq!(file_name_part("\n"), "localhost");
    }
}
