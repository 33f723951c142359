//! The exact cases of area `tb/*` in `tests/cases/given.jsonl`, driven as data.
//!
//! `CHUNKEVAL_CASES` names another file of the same form.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use chunkeval_core::Sink;
use chunkeval_tensorboard::{Options, Records, TensorBoard};
use serde_json::Value;
use support::{Disk, event_files, points, read, record_ends, say, scalars};

#[test]
fn given_cases() {
    let file = std::env::var_os("CHUNKEVAL_CASES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/given.jsonl"),
        PathBuf::from,
    );
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut ran = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, area) = (string(&case["id"]), string(&case["area"]));
        if !area.starts_with("tb/") {
            continue;
        }
        match run(id, &case["input"], &case["expected"]) {
            Ran::Passed => ran += 1,
            Ran::Skipped(why) => say(&format!("skipped {id} ({area}): {why}")),
        }
    }
    say(&format!("{ran} cases of area tb/* ran"));
    assert!(ran > 0, "no case of area tb/* ran");
}

enum Ran {
    Passed,
    Skipped(String),
}

fn run(id: &str, input: &Value, expected: &Value) -> Ran {
    let judged = match string(&input["op"]) {
        "tb_frame" => frame(id, input, expected),
        "tb_event" => event(id, input, expected),
        "tb_restart" => restart(id, input, expected),
        "tb_two_writers" => two_writers(id, input, expected),
        "tb_flush" if input["then"] == "flush_and_read_while_open" => flush(id, input, expected),
        "tb_write" => write(id, input, expected),
        "every_n" => return Ran::Skipped("a schedule, run by the tests of chunkeval-core".into()),
        op => return Ran::Skipped(format!("unknown operation {op}: {input}")),
    };
    judged.map_or_else(|| Ran::Skipped("no TensorBoard".into()), |()| Ran::Passed)
}

fn frame(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let mut bytes = Vec::new();
    let mut records = Records::new(&mut bytes);
    records.append(&from_hex(string(&input["payload_hex"]))).unwrap();
    records.flush().unwrap();
    drop(records);
    assert_eq!(to_hex(&bytes), string(&expected["frame_hex"]), "{id}");
    Some(())
}

fn event(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let wall_time = float(&input["wall_time"]);
    let disk = Disk::with_room(usize::MAX);
    let mut board = Options::new().clock(move || wall_time).write_to(disk.clone(), "disk").unwrap();
    let value = float(&input["value"]);
    board.scalar(string(&input["tag"]), step(&input["step"]), value).unwrap();
    board.close().unwrap();

    let bytes = disk.bytes();
    let version_event = record_ends(&bytes)[0];
    let frame = &bytes[version_event..];
    assert_eq!(to_hex(frame), string(&expected["frame_hex"]), "{id}");
    assert_eq!(to_hex(&frame[12..frame.len() - 4]), string(&expected["event_hex"]), "{id}");
    Some(())
}

fn restart(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let (tag, second) = (string(&input["tag"]), &input["run2"]);
    let folder = tempfile::tempdir().unwrap();
    let purged = folder.path().join("purged");
    log(TensorBoard::create(&purged).unwrap(), tag, &input["run1"]);
    let continued = TensorBoard::resume(&purged, step(&second["purge_step"])).unwrap();
    log(continued, tag, &second["values"]);
    let read_purged = read(&purged)?;
    for view in support::VIEWS {
        let wanted = pairs(&expected["scalars"]);
        assert_eq!(scalars(&read_purged, view, tag), &wanted, "{id} {view}");
    }

    let kept = folder.path().join("kept");
    log(TensorBoard::create(&kept).unwrap(), tag, &input["run1"]);
    log(TensorBoard::create(&kept).unwrap(), tag, &second["values"]);
    let read_kept = read(&kept)?;
    // The default loader needs no session start to drop them.
    for view in ["accumulator", "python"] {
        let count = scalars(&read_kept, view, tag).as_array().unwrap().len();
        assert_eq!(Some(count as u64), expected["without_purge_count"].as_u64(), "{id} {view}");
    }
    Some(())
}

fn two_writers(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let apart = |same: &Value| if same.as_bool().unwrap() { 0 } else { 1 };
    let open = |n: u64| {
        let second = (1000 + n * apart(&input["same_second"])) as f64;
        let name = (n * apart(&input["same_dir"])).to_string();
        Options::new().clock(move || second).create(folder.path().join(name)).unwrap()
    };
    let mut boards = [open(0), open(1)];
    for (board, writes) in boards.iter_mut().zip([&input["w1"], &input["w2"]]) {
        log_tagged(board, writes);
    }
    for board in boards {
        board.close().unwrap();
    }

    let files = event_files(folder.path()).iter().map(|d| event_files(d).len()).sum::<usize>();
    assert_eq!(Some(files as u64), expected["files"].as_u64(), "{id}");
    let read = read(folder.path())?;
    for view in support::VIEWS {
        for (tag, wanted) in expected["records_after_read"].as_object().unwrap() {
            let found = ["0", "1"].map(|run| support::scalars_of(&read, view, run, tag));
            assert!(found.contains(&&pairs(wanted)), "{id} {view} {tag}: {found:?}");
        }
    }
    Some(())
}

fn flush(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    log_tagged(&mut board, &input["writes"]);
    board.flush().unwrap();
    let read = read(folder.path())?;
    for view in support::VIEWS {
        let tag = string(&input["writes"][0][0]);
        assert_eq!(scalars(&read, view, tag), &pairs(&expected["scalars"]), "{id} {view}");
    }
    board.close().unwrap();
    Some(())
}

fn write(id: &str, input: &Value, expected: &Value) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    log_tagged(&mut board, &input["writes"]);
    board.close().unwrap();
    let read = read(folder.path())?;
    for view in support::VIEWS {
        for (tag, wanted) in expected["scalars"].as_object().unwrap() {
            assert_eq!(scalars(&read, view, tag), &pairs(wanted), "{id} {view} {tag}");
        }
    }
    Some(())
}

/// Logs `[[step, value], …]` and closes.
fn log(mut board: TensorBoard, tag: &str, values: &Value) {
    for pair in values.as_array().unwrap() {
        board.scalar(tag, step(&pair[0]), float(&pair[1])).unwrap();
    }
    board.close().unwrap();
}

/// Logs `[[tag, step, value], …]`.
fn log_tagged(board: &mut TensorBoard, writes: &Value) {
    for write in writes.as_array().unwrap() {
        board.scalar(string(&write[0]), step(&write[1]), float(&write[2])).unwrap();
    }
}

fn pairs(values: &Value) -> Value {
    points(values.as_array().unwrap().iter().map(|pair| (step(&pair[0]), float(&pair[1]))))
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}

fn step(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a step"))
}

/// A number, or one of `"NaN"`, `"Infinity"`, `"-Infinity"`.
fn float(value: &Value) -> f64 {
    let named = || string(value).parse().unwrap_or_else(|_| panic!("{value} is not a number"));
    value.as_f64().unwrap_or_else(named)
}

fn from_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
