//! Runs that end too early, and runs that go on: what TensorBoard shows then.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use chunkeval_core::Sink;
use chunkeval_tensorboard::{Options, TensorBoard};
use support::{event_files, points, read, record_ends, scalars, scalars_of};

const VALUE: f64 = 0.5;

#[test]
fn a_resumed_run_drops_what_was_after_the_checkpoint_in_every_tag() {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    for step in [10, 20, 30, 40] {
        board.scalar("dev/f1", step, 0.1).unwrap();
        board.text("dev/report", step, &format!("old {step}")).unwrap();
        board.scalar("dev/lost", step, 0.2).unwrap();
    }
    drop(board);
    // Twice: the second restart is from an earlier step than the first.
    for (purge_step, value) in [(31, 0.3), (21, 0.4)] {
        let mut board = TensorBoard::resume(folder.path(), purge_step).unwrap();
        board.scalar("dev/f1", purge_step + 9, value).unwrap();
        board.text("dev/report", purge_step + 9, &format!("new {value}")).unwrap();
        board.close().unwrap();
    }
    let Some(read) = read(folder.path()) else { return };
    for view in support::VIEWS {
        let expected = points([(10, 0.1), (20, 0.1), (30, 0.4)]);
        assert_eq!(scalars(&read, view, "dev/f1"), &expected, "{view}");
    }
    for view in ["python", "fast"] {
        let text = &read[view]["text"]["."]["dev/report"];
        let expected = [(10, "old 10"), (20, "old 20"), (30, "new 0.4")]
            .map(|(step, text)| serde_json::json!([step, format!("<p>{text}</p>")]));
        assert_eq!(text.as_array().unwrap(), &expected, "{view}");
    }
    // A series that the continued run does not log any more ends at the checkpoint, where the
    // session start is looked at.
    for view in ["accumulator", "python"] {
        let expected = points([(10, 0.2), (20, 0.2)]);
        assert_eq!(scalars(&read, view, "dev/lost"), &expected, "{view}");
    }
}

#[test]
fn a_run_is_continued_behind_its_files_whatever_the_clock_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = |seconds: f64| Options::new().clock(move || seconds).host("box");
    // Twelve files of one second: the counter in the names gets two digits on the way.
    for n in 0..12 {
        let mut board = at(1000.0).create(folder.path()).unwrap();
        board.scalar("a", n, VALUE).unwrap();
        let path = board.path().to_owned();
        board.close().unwrap();
        assert_eq!(event_files(folder.path()).last(), Some(&path));
    }
    let mut board = at(5.0).resume(folder.path(), 3).unwrap();
    board.scalar("a", 3, 1.0).unwrap();
    let path = board.path().to_owned();
    board.close().unwrap();
    assert_eq!(event_files(folder.path()).last(), Some(&path));

    let Some(read) = read(folder.path()) else { return };
    for view in support::VIEWS {
        let expected = points([(0, VALUE), (1, VALUE), (2, VALUE), (3, 1.0)]);
        assert_eq!(scalars(&read, view, "a"), &expected, "{view}");
    }
}

#[test]
fn resuming_nothing_is_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let logdir = folder.path().join("new/run");
    let mut board = TensorBoard::resume(&logdir, 100).unwrap();
    board.scalar("a", 100, VALUE).unwrap();
    board.close().unwrap();
    let Some(read) = read(&logdir) else { return };
    for view in support::VIEWS {
        assert_eq!(scalars(&read, view, "a"), &points([(100, VALUE)]), "{view}");
    }
}

#[test]
fn a_step_beyond_63_bits_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    TensorBoard::resume(folder.path(), u64::MAX).unwrap_err();
    assert!(event_files(folder.path()).is_empty());
}

#[test]
fn a_dropped_writer_has_written_everything() {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    for step in 0..3 {
        board.scalar("a", step, VALUE).unwrap();
    }
    drop(board);
    let bytes = fs::read(&event_files(folder.path())[0]).unwrap();
    let ends = record_ends(&bytes);
    assert_eq!((ends.len(), ends.last()), (4, Some(&bytes.len())));
}

/// Set for the process that [`killed_child`] is to be.
const CHILD: &str = "CHUNKEVAL_TEST_KILLED_CHILD";
const FLUSHED: u64 = 100;
const UNFLUSHED: u64 = 50_000;

/// Not a test of its own: the process that the next test starts and kills.
#[test]
fn killed_child() {
    let Some(logdir) = std::env::var_os(CHILD) else { return };
    let mut board = TensorBoard::create(logdir).unwrap();
    for step in 0..FLUSHED {
        board.scalar("a", step, VALUE).unwrap();
    }
    board.flush().unwrap();
    for step in FLUSHED..FLUSHED + UNFLUSHED {
        board.scalar("a", step, VALUE).unwrap();
    }
    let mut out = std::io::stdout();
    out.write_all(b"\nready to die\n").unwrap();
    out.flush().unwrap();
    let _ = std::io::stdin().read(&mut [0]); // until the end
}

#[test]
fn a_killed_run_keeps_what_was_flushed_and_loses_only_its_tail() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed_child", "--nocapture"])
        .env(CHILD, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "ready to die"));
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();

    let bytes = fs::read(&event_files(folder.path())[0]).unwrap();
    let whole = record_ends(&bytes).len() as u64 - 1; // the first is the file version
    assert!((FLUSHED..FLUSHED + UNFLUSHED).contains(&whole), "{whole}");

    // And it can be continued, torn tail or not.
    let mut board = TensorBoard::resume(folder.path(), 200).unwrap();
    board.scalar("a", 200, 1.0).unwrap();
    board.close().unwrap();
    let Some(read) = read(folder.path()) else { return };
    let kept = (0..200).map(|step| (step, VALUE)).chain([(200, 1.0)]);
    let expected = points(kept);
    for view in support::VIEWS {
        assert_eq!(scalars(&read, view, "a"), &expected, "{view}");
    }
}

#[test]
fn a_file_cut_at_any_byte_shows_the_records_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let mut board = TensorBoard::create(&whole).unwrap();
    for step in 0..4 {
        board.scalar("a", step, VALUE).unwrap();
    }
    board.close().unwrap();
    let bytes = fs::read(&event_files(&whole)[0]).unwrap();
    let ends = record_ends(&bytes);

    let runs = folder.path().join("runs");
    for cut in 0..=bytes.len() {
        let run = runs.join(format!("{cut:03}"));
        fs::create_dir_all(&run).unwrap();
        File::create(run.join("events.out.tfevents.1")).unwrap().write_all(&bytes[..cut]).unwrap();
    }
    let Some(read) = read(&runs) else { return };
    for view in support::VIEWS {
        for cut in 0..=bytes.len() {
            let count = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1) as u64;
            let found = scalars_of(&read, view, &format!("{cut:03}"), "a");
            let expected = points((0..count).map(|step| (step, VALUE)));
            if count == 0 {
                assert!(found.is_null(), "{view}, cut at {cut}: {found}");
            } else {
                assert_eq!(found, &expected, "{view}, cut at {cut}");
            }
        }
    }
}
