//! Disks that are full, folders that cannot be written: an `Err` each time, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs::{self, File};
use std::io::ErrorKind as Io;
use std::path::Path;
use std::process::Command;

use chunkeval_core::{Error, ErrorKind, Place, Sink};
use chunkeval_tensorboard::{HParams, Options, Outcome, TensorBoard};
use support::{Disk, event_files, points, read, record_ends, say, scalars};

fn io(error: &Error) -> Io {
    match error.kind() {
        ErrorKind::Io { source, .. } => source.kind(),
        other => panic!("not an I/O error: {other:?}"),
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for logdir in [file.join("run"), file.clone()] {
        let error = TensorBoard::create(&logdir).unwrap_err();
        assert_eq!(error.place(), Some(Place::File(&logdir)));
        TensorBoard::resume(&logdir, 5).unwrap_err();
    }
}

#[test]
fn a_folder_that_takes_no_files_is_an_error() {
    // Nobody may make files here, not even root, for whom a folder's mode bits mean nothing.
    let logdir = Path::new("/proc/self");
    if logdir.is_dir() {
        io(&TensorBoard::create(logdir).unwrap_err());
    } else {
        say("SKIPPED, no /proc on this system");
    }
}

#[test]
fn a_device_that_is_always_full_is_an_error_from_the_start() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        say("SKIPPED, no /dev/full on this system");
        return;
    };
    let error = Options::new().write_to(full, "/dev/full").unwrap_err();
    assert_eq!(io(&error), Io::StorageFull);
    assert_eq!(error.place(), Some(Place::File(Path::new("/dev/full"))));
}

#[test]
fn every_call_on_a_full_disk_returns_and_the_stream_goes_on_when_there_is_room() {
    // At every byte: within the length, the checksums, the payload.
    for room in 40..140 {
        let disk = Disk::with_room(room);
        let mut board = Options::new().clock(|| 1.0).write_to(disk.clone(), "disk").unwrap();
        for step in 0..3 {
            board.scalar("dev/f1", step, 0.5).unwrap();
        }
        assert_eq!(io(&board.flush().unwrap_err()), Io::StorageFull);
        board.text("dev/report", 3, "still here").unwrap();
        board.hparams(&HParams::new().with("lr", 0.1), ["dev/f1"]).unwrap();
        assert_eq!(io(&board.flush().unwrap_err()), Io::StorageFull);
        assert_eq!(disk.bytes().len(), room);

        disk.set_room(usize::MAX);
        board.flush().unwrap();
        board.scalar("dev/f1", 4, 0.5).unwrap();
        board.close().unwrap();
        let bytes = disk.bytes();
        let ends = record_ends(&bytes);
        // The version, three scalars, the text, the hyper-parameters in one piece, a scalar.
        assert_eq!((ends.len(), ends.last()), (7, Some(&bytes.len())), "room {room}");
    }
}

#[test]
fn a_disk_that_stays_full_costs_points_and_nothing_else() {
    let disk = Disk::with_room(1000);
    let mut board = Options::new().clock(|| 1.0).write_to(disk.clone(), "disk").unwrap();
    let refused: Vec<_> =
        (0..10_000).filter_map(|step| board.scalar("dev/f1", step, 0.5).err()).collect();
    assert!(!refused.is_empty());
    assert!(refused.iter().all(|error| io(error) == Io::StorageFull));
    board.flush().unwrap_err();
    assert_eq!(io(&board.finish(Outcome::Success).unwrap_err()), Io::StorageFull);
    assert_eq!(disk.bytes().len(), 1000);
}

#[test]
fn dropping_on_a_full_disk_is_quiet() {
    let mut board = Options::new().write_to(Disk::with_room(60), "disk").unwrap();
    board.scalar("a", 1, 0.5).unwrap();
    drop(board);
}

#[test]
fn a_refused_point_leaves_no_trace() {
    let disk = Disk::with_room(usize::MAX);
    let mut board = Options::new().write_to(disk.clone(), "disk").unwrap();
    board.flush().unwrap();
    let before = disk.bytes();
    board.scalar("", 1, 0.5).unwrap_err();
    board.scalar("a", u64::MAX, 0.5).unwrap_err();
    board.scalar("a", 1, 1e300).unwrap_err();
    board.text("_hparams_/experiment", 1, "x").unwrap_err();
    board.hparams(&HParams::new().with("lr", f64::NAN), ["a"]).unwrap_err();
    board.hparams(&HParams::new().with("lr", 0.1), ["/a"]).unwrap_err();
    board.flush().unwrap();
    assert_eq!(disk.bytes(), before);
    // Neither was "a" given a kind, nor are the hyper-parameters taken for written.
    board.text("a", 1, "x").unwrap();
    board.hparams(&HParams::new().with("lr", 0.1), ["dev/f1"]).unwrap();
    assert!(board.hparams(&HParams::new(), ["dev/f1"]).is_err());
}

#[test]
fn a_real_disk_that_fills_up() {
    let folder = tempfile::tempdir().unwrap();
    let mount = folder.path().join("small");
    fs::create_dir(&mount).unwrap();
    let Some(_small) = Tmpfs::mount(&mount) else { return };

    let ballast = mount.join("ballast");
    let mut board = TensorBoard::create(mount.join("run")).unwrap();
    fs::write(&ballast, vec![0; 200 * 1024]).unwrap_err(); // what fits is written
    let mut kept = Vec::new();
    for step in 0..5000 {
        if board.scalar("dev/f1", step, 0.5).is_ok() {
            kept.push((step, 0.5));
        }
    }
    assert!(kept.len() < 5000);
    assert_eq!(io(&board.flush().unwrap_err()), Io::StorageFull);
    // No room for another run; its file does not stay behind.
    let files = event_files(&mount.join("run"));
    assert_eq!(io(&TensorBoard::resume(mount.join("run"), 9).unwrap_err()), Io::StorageFull);
    assert_eq!(event_files(&mount.join("run")), files);

    fs::remove_file(&ballast).unwrap();
    board.scalar("dev/f1", 5000, 0.5).unwrap();
    kept.push((5000, 0.5));
    let path = board.path().to_owned();
    board.close().unwrap();
    let bytes = fs::read(path).unwrap();
    assert_eq!(record_ends(&bytes).last(), Some(&bytes.len()));

    let Some(read) = read(&mount.join("run")) else { return };
    let expected = points(kept);
    for view in support::VIEWS {
        assert!(scalars(&read, view, "dev/f1") == &expected, "{view}");
    }
}

/// A file system of 128 KiB in memory.
struct Tmpfs<'a>(&'a Path);

impl<'a> Tmpfs<'a> {
    /// Only root may mount, and not in every container.
    fn mount(at: &'a Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"]).arg(at);
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(at)),
            Ok(output) => {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                say(&format!("SKIPPED, no tmpfs could be mounted: {why}"));
                None
            }
            Err(error) => {
                say(&format!("SKIPPED, no tmpfs could be mounted: {error}"));
                None
            }
        }
    }
}

impl Drop for Tmpfs<'_> {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.0).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            say(&format!("could not unmount {}", self.0.display()));
        }
    }
}

#[test]
fn a_tag_whose_first_event_was_refused_is_free() {
    let disk = Disk::with_room(40);
    let mut board = Options::new().clock(|| 1.0).write_to(disk.clone(), "disk").unwrap();
    // Until the buffer is full and nothing more is taken.
    let refused = (0..100_000).find(|&step| board.scalar("dev/f1", step, 0.5).is_err());
    assert!(refused.is_some());
    assert_eq!(io(&board.scalar("new", 1, 0.5).unwrap_err()), Io::StorageFull);
    disk.set_room(usize::MAX);
    board.flush().unwrap();
    board.text("new", 1, "not taken for scalars").unwrap();
    board.close().unwrap();
}
