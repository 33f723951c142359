//! The folder of a run: who may write into it, and how.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, ErrorKind};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::State;
use super::files::{Files, STATE};
use crate::error::{Error, Result};
use crate::network::Network;

/// Where runs go if nobody says where.
const RUNS: &str = "runs";

const LOCK: &str = ".lock";

/// The folder of a run.
///
/// `state.json` names the step whose tensors belong to it, and is replaced after they are
/// written. So whenever the program is killed, the folder holds one whole checkpoint.
///
/// Only one process at a time has it: two would take each other's files away.
#[derive(Debug)]
pub struct Folder {
    files: Files,
    /// Locked as long as this value lives.
    _lock: File,
}

impl Folder {
    /// Makes the folder of a new run: `out`, or the first of `runs/NAME-1`, `runs/NAME-2`, … that
    /// does not exist.
    ///
    /// # Errors
    /// `out` is not empty, or no folder can be made.
    pub fn create(out: Option<&Path>, name: &str) -> Result<Self> {
        let Some(out) = out else { return Self::next(Path::new(RUNS), name) };
        fs::create_dir_all(out).map_err(|e| Error::io(out, e))?;
        let other = |entry: io::Result<DirEntry>| entry.map_or(true, |e| e.file_name() != LOCK);
        if fs::read_dir(out).map_err(|e| Error::io(out, e))?.any(other) {
            let reason = if out.join(STATE).exists() {
                format!("holds a run; continue it with --resume {}", out.display())
            } else {
                "is not empty; a run wants a folder of its own".to_owned()
            };
            return Err(Error::content(out, reason));
        }
        Self::lock(out.to_owned())
    }

    fn lock(path: PathBuf) -> Result<Self> {
        let file = path.join(LOCK);
        let options = File::options().create(true).truncate(false).write(true).open(&file);
        let lock = options.map_err(|e| Error::io(&file, e))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { files: Files::of(path), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                Err(Error::content(path, "another process is working on this run"))
            }
            Err(TryLockError::Error(e)) => Err(Error::io(file, e)),
        }
    }

    fn next(parent: &Path, name: &str) -> Result<Self> {
        fs::create_dir_all(parent).map_err(|e| Error::io(parent, e))?;
        let mut number = 1;
        loop {
            let path = parent.join(format!("{name}-{number}"));
            match fs::create_dir(&path) {
                Ok(()) => return Self::lock(path),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(Error::io(path, e)),
            }
        }
    }

    /// The folder of a run that was started before, and its state.
    ///
    /// # Errors
    /// There is no run in it, its best weights are gone, or another process is working on it.
    pub fn open<C: DeserializeOwned>(path: &Path) -> Result<(Self, State<C>)> {
        let files = Files::of(path);
        let state = files.read_state()?;
        if let Some(best) = state.progress.best_step() {
            let best = files.best(best);
            fs::metadata(&best).map_err(|e| Error::io(&best, e))?;
        }
        Ok((Self::lock(path.to_owned())?, state))
    }

    /// Writes a checkpoint; takes away what it replaces.
    ///
    /// # Errors
    /// A file cannot be written. The checkpoint before is still whole then.
    pub fn save<N: Network>(&self, state: &State<N::Config>, network: &N) -> Result<()> {
        let step = state.progress.step;
        let best = state.progress.best_step();
        replace(&self.last(step), |path| network.save_weights(path), Error::io)?;
        replace(&self.optimizer(step), |path| network.save_optimizer(path), Error::io)?;
        if best == Some(step) {
            replace(&self.best(step), |path| network.save_weights(path), Error::io)?;
            network.store_best(&self.files)?;
        }
        replace(
            &self.state(),
            |path| {
                let text = serde_json::to_string_pretty(state)
                    .map_err(|e| Error::content(path, e.to_string()))?;
                fs::write(path, text).map_err(|e| Error::io(path, e))
            },
            Error::io,
        )?;
        self.tidy(step, best)
    }

    /// Removes the tensors of earlier steps.
    fn tidy(&self, step: u64, best: Option<u64>) -> Result<()> {
        let keep = [Some(self.last(step)), Some(self.optimizer(step)), best.map(|b| self.best(b))];
        for entry in fs::read_dir(self.path()).map_err(|e| Error::io(self.path(), e))? {
            let path = entry.map_err(|e| Error::io(self.path(), e))?.path();
            let ours = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
                (name.starts_with("best-") || name.starts_with("last-"))
                    && name.ends_with(".safetensors")
            });
            if ours && !keep.iter().flatten().any(|kept| *kept == path) {
                fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
            }
        }
        Ok(())
    }
}

impl Deref for Folder {
    type Target = Files;

    fn deref(&self) -> &Files {
        &self.files
    }
}

/// Writes a file beside `path` and puts it in its place: there is the old content or the new one,
/// never a part. Who may read it is as for every other new file: the temporary files of libraries
/// are for their owner alone. `io` makes an error of this program of one of the system.
///
/// # Errors
/// The file cannot be written.
pub fn replace<E>(
    path: &Path,
    write: impl FnOnce(&Path) -> std::result::Result<(), E>,
    io: impl Fn(PathBuf, io::Error) -> E,
) -> std::result::Result<(), E> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    // One that a killed run left may be for its owner alone, and would stay so.
    match fs::remove_file(&new) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(io(new, e)),
        _ => {}
    }
    let of_new =
        File::create(&new).and_then(|file| file.metadata()).map_err(|e| io(new.clone(), e))?;
    write(&new)?;
    let on_disk = fs::set_permissions(&new, of_new.permissions())
        .and_then(|()| File::open(&new))
        .and_then(|file| file.sync_all());
    on_disk.map_err(|e| io(new.clone(), e))?;
    fs::rename(&new, path).map_err(|e| io(path.to_owned(), e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_never_takes_the_folder_of_another() {
        let parent = tempfile::tempdir().unwrap();
        let names = [1, 2, 3].map(|_| Folder::next(parent.path(), "x").unwrap().path().to_owned());
        assert_eq!(names, ["x-1", "x-2", "x-3"].map(|name| parent.path().join(name)));

        let out = parent.path().join("new/out");
        Folder::create(Some(&out), "x").unwrap();
        Folder::create(Some(&out), "x").unwrap();
        fs::write(out.join(STATE), "").unwrap();
        let error = Folder::create(Some(&out), "x").unwrap_err().to_string();
        assert!(error.contains("--resume"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn what_a_killed_run_left_does_not_show_in_the_next_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let [other, path, new] = ["other", "x", "x.new"].map(|name| folder.path().join(name));
        fs::write(&other, "").unwrap();
        fs::write(&new, "left behind, and longer").unwrap();
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).unwrap();
        replace(&path, |new| fs::write(new, "whole"), |_, e| e).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&other));
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert!(!new.exists());
    }

    #[test]
    fn a_run_belongs_to_one_process_at_a_time() {
        let parent = tempfile::tempdir().unwrap();
        let first = Folder::create(Some(parent.path()), "x").unwrap();
        let error = Folder::create(Some(parent.path()), "x").unwrap_err().to_string();
        assert!(error.contains("another process"), "{error}");
        drop(first);
        Folder::create(Some(parent.path()), "x").unwrap();
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let text =
            |text: &'static str| move |to: &Path| fs::write(to, text).map_err(|e| Error::io(to, e));
        replace(&path, text("old"), Error::io).unwrap();
        let failed = replace(
            &path,
            |to| {
                fs::write(to, "ne").unwrap();
                Err(Error::Usage("full".to_owned()))
            },
            Error::io,
        );
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        replace(&path, text("new"), Error::io).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
