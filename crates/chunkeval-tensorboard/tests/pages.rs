//! What TensorBoard's pages show of a run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::Path;

use chunkeval_core::Sink;
use chunkeval_tensorboard::{Chart, HParams, Layout, Options, Outcome, TensorBoard};
use serde_json::{Value, json};
use support::{event_files, points, read, record_ends, scalars};

/// The views that have pages.
const PAGES: [&str; 2] = ["python", "fast"];

#[test]
fn scalars_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    let mut values: Vec<(u64, f64)> =
        (0..3000).map(|step| (step * 100, (step as f64).sin())).collect();
    values.extend([
        (i64::MAX as u64, f64::INFINITY),
        (i64::MAX as u64, f64::NEG_INFINITY),
        (i64::MAX as u64, f64::NAN),
    ]);
    for &(step, value) in &values {
        board.scalar("dev/f1", step, value).unwrap();
    }
    board.close().unwrap();

    let Some(read) = read(folder.path()) else { return };
    assert_eq!(read["accumulator"]["."]["file_version"], json!(2.0));
    for view in ["accumulator", "python"] {
        assert_eq!(scalars(&read, view, "dev/f1"), &points(values.clone()), "{view}");
    }
    // The default loader keeps the last of several points at one step, and its steps go through
    // the same 64 bits.
    let distinct = points(values[..3000].iter().copied().chain([(i64::MAX as u64, f64::NAN)]));
    assert_eq!(scalars(&read, "fast", "dev/f1"), &distinct);
}

#[test]
fn the_file_version_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let fixed = || Options::new().clock(|| 2.0);
    for board in [fixed().create(folder.path()), fixed().resume(folder.path(), 7)] {
        let path = board.unwrap().path().to_owned();
        let bytes = std::fs::read(path).unwrap();
        let first = &bytes[12..record_ends(&bytes)[0] - 4];
        assert_eq!(first, b"\x09\0\0\0\0\0\0\0\x40\x1a\x0dbrain.Event:2");
    }
    assert_eq!(event_files(folder.path()).len(), 2);
}

#[test]
fn odd_tags_that_are_taken_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let taken = [
        "dev/per_type/人名/f1",
        "B.C+*(",
        "a b/c d",
        "..",
        "\"<i>&'\\",
        "#a%2f,?q=1&run=2",
        "a/",
        "a//b",
    ];
    let mut board = TensorBoard::create(folder.path()).unwrap();
    for tag in taken {
        board.scalar(tag, 1, 0.5).unwrap();
    }
    board.close().unwrap();
    let Some(read) = read(folder.path()) else { return };
    for view in support::VIEWS {
        for tag in taken {
            assert_eq!(scalars(&read, view, tag), &points([(1, 0.5)]), "{view} {tag}");
        }
    }
}

#[test]
fn texts_are_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    board.text("dev/report", 100, "| type | f1 |\n|---|---|\n| 人名 | 0.75 |").unwrap();
    board.text("dev/report", 200, "").unwrap();
    board.close().unwrap();
    let Some(read) = read(folder.path()) else { return };
    for view in PAGES {
        let found = read[view]["text"]["."]["dev/report"].as_array().unwrap();
        assert_eq!((&found[0][0], &found[1]), (&json!(100), &json!([200, ""])), "{view}");
        let html = found[0][1].as_str().unwrap();
        assert!(html.starts_with("<table>") && html.contains("<td>人名</td>"), "{view}: {html}");
        assert_eq!(html.matches("<table>").count(), 1, "{view}: {html}");
    }
    assert_eq!(read["accumulator"]["."]["plugins"]["dev/report"], "text");
}

/// Two runs that ended, one whose metric was no number, and one that was stopped and continued.
fn write_runs(folder: &Path) {
    let hparams = |lr: f64| {
        HParams::new()
            .with("learning_rate", lr)
            .with("hidden", 128_usize)
            .with("encoder", "BiGRU")
            .with("crf", true)
            .with("数据", "运单")
    };
    for (run, lr, f1) in [("a", 1e-3, 0.5), ("b", 1e-2, 0.75)] {
        let clock = || 10.0;
        let mut board = Options::new().clock(clock).create(folder.join(run)).unwrap();
        board.hparams(&hparams(lr), ["test/f1", "test/precision"]).unwrap();
        board.scalar("dev/f1", 1, 0.1).unwrap();
        board.scalar("test/f1", 1, 0.0).unwrap();
        board.scalar("test/f1", 2, f1).unwrap();
        board.scalar("test/precision", 2, 0.25).unwrap();
        board.finish(Outcome::Success).unwrap();
    }
    // A run whose metric ended as NaN does not take the page away from the others.
    let mut board = TensorBoard::create(folder.join("d")).unwrap();
    board.hparams(&hparams(1.0), ["test/f1", "test/precision"]).unwrap();
    board.scalar("test/f1", 1, f64::NAN).unwrap();
    board.close().unwrap();
    // A run that was stopped and continued: told again, ended once.
    for n in 0..2 {
        let mut board = TensorBoard::resume(folder.join("c"), n).unwrap();
        board.hparams(&hparams(1e-1), ["test/f1", "test/precision"]).unwrap();
        board.scalar("test/f1", n, n as f64).unwrap();
        if n == 1 {
            board.finish(Outcome::Failure).unwrap();
        }
    }
}

#[test]
fn the_hparams_page_shows_the_run_with_its_final_metrics() {
    let folder = tempfile::tempdir().unwrap();
    write_runs(folder.path());
    let Some(read) = read(folder.path()) else { return };
    for view in PAGES {
        let experiment = &read[view]["hparams"];
        let column = |kind: &str, field: &dyn Fn(&Value) -> Value| {
            experiment[kind].as_array().unwrap().iter().map(field).collect::<Vec<_>>()
        };
        let mut names = column("hparamInfos", &|info| json!([info["name"], info["type"]]));
        names.sort_by_key(Value::to_string);
        assert_eq!(
            names,
            [
                json!(["crf", "DATA_TYPE_BOOL"]),
                json!(["encoder", "DATA_TYPE_STRING"]),
                json!(["hidden", "DATA_TYPE_FLOAT64"]),
                json!(["learning_rate", "DATA_TYPE_FLOAT64"]),
                json!(["数据", "DATA_TYPE_STRING"]),
            ],
            "{view}"
        );
        let metrics = column("metricInfos", &|info| info["name"]["tag"].clone());
        assert_eq!(metrics, ["test/f1", "test/precision"], "{view}");

        let sessions = &read[view]["sessions"]["sessionGroups"];
        assert_eq!(sessions.as_array().unwrap().len(), 4, "{view}");
        for (group, lr, status, f1, precision) in [
            ("a", 1e-3, "STATUS_SUCCESS", 0.5, Some(0.25)),
            ("b", 1e-2, "STATUS_SUCCESS", 0.75, Some(0.25)),
            ("c", 1e-1, "STATUS_FAILURE", 1.0, None),
        ] {
            let session = sessions.as_array().unwrap().iter();
            let session = session.map(|s| &s["sessions"][0]).find(|s| s["name"] == group).unwrap();
            assert_eq!(session["status"], status, "{view} {group}");
            let group = sessions.as_array().unwrap().iter().find(|s| s["name"] == group).unwrap();
            assert_eq!(
                group["hparams"],
                json!({"learning_rate": lr, "hidden": 128.0, "encoder": "BiGRU", "crf": true, "数据": "运单"}),
                "{view}"
            );
            let metric = |tag: &str| {
                let values = group["metricValues"].as_array().unwrap();
                values
                    .iter()
                    .find(|m| m["name"]["tag"] == tag)
                    .map(|m| m["value"].as_f64().unwrap())
            };
            assert_eq!((metric("test/f1"), metric("test/precision")), (Some(f1), precision));
            assert_eq!(metric("dev/f1"), None, "not asked for");
        }
    }
}

#[test]
fn the_custom_scalars_page_draws_each_chart_from_its_tags_only() {
    let folder = tempfile::tempdir().unwrap();
    let types = ["PER", "A.B", "人名"];
    let layout = Layout::new()
        .split("dev", types)
        .category("training", [Chart::lines("loss", ["train/loss"])]);
    let mut board = TensorBoard::create(folder.path()).unwrap();
    board.layout(&layout).unwrap();
    // The last four must not be drawn.
    for tag in [
        "dev/precision",
        "dev/recall",
        "dev/f1",
        "dev/per_type/PER/f1",
        "dev/per_type/A.B/f1",
        "dev/per_type/人名/f1",
        "train/loss",
        "dev/f1_macro",
        "dev/per_type/AxB/f1",
        "dev/per_type/PER/recall",
        "x/train/loss",
    ] {
        board.scalar(tag, 1, 0.5).unwrap();
    }
    board.close().unwrap();
    let Some(read) = read(folder.path()) else { return };
    for view in PAGES {
        assert_eq!(
            read[view]["charts"]["."],
            json!({
                "dev/precision, recall, F1": ["dev/f1", "dev/precision", "dev/recall"],
                "dev/F1 by type":
                    ["dev/per_type/A.B/f1", "dev/per_type/PER/f1", "dev/per_type/人名/f1"],
                "training/loss": ["train/loss"],
            }),
            "{view}"
        );
    }
}
