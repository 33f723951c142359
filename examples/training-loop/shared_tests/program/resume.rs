//! A run that is stopped, killed, and goes on as if nothing had happened.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::common::{file, json, program, run, small, text, without_times};

/// So many that a signal reaches the program long before the last one.
const STEPS: u64 = 400;

/// Runs the program until its first evaluation is there, then sends it a signal. Tells how it
/// ended and what it printed.
fn stopped(folder: &Path, args: &[&str], signal: &str) -> (Option<i32>, Vec<Value>, String) {
    let mut child =
        program(folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut printed = String::new();
    out.read_line(&mut printed).unwrap();
    send(&child, signal);
    for line in out.lines() {
        printed.push_str(&line.unwrap());
        printed.push('\n');
    }
    let output = child.wait_with_output().unwrap();
    let lines = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), lines, text(&output.stderr))
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn start(out: &str) -> Vec<String> {
    let steps = STEPS.to_string();
    let args = ["--steps", &steps, "--json", "--out", out];
    small(&args).into_iter().map(str::to_owned).collect()
}

fn as_str(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

fn logged(folder: &Path) -> Vec<Value> {
    let log = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn resumed_runs_end_with_the_weights_of_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(folder.path(), &as_str(&start("whole")));
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let expected: Vec<_> = json(&whole).into_iter().map(without_times).collect();
    let whole = folder.path().join("whole");

    for signal in ["-INT", "-TERM", "-KILL"] {
        let name = signal.trim_start_matches('-');
        let (code, mut lines, error) = stopped(folder.path(), &as_str(&start(name)), signal);
        if signal != "-KILL" {
            assert_eq!(code, Some(130), "{error}");
            assert!(error.contains(&format!("go on with the option --resume {name}")), "{error}");
        } else {
            assert_eq!(code, None);
        }
        let rest = run(folder.path(), &["--resume", name, "--json"]);
        assert!(rest.status.success(), "{}", text(&rest.stderr));
        let rest = json(&rest);
        assert!(rest.len() > 1);
        lines.extend(rest);
        let lines: Vec<_> = lines.into_iter().map(without_times).collect();
        // What is shown has been saved. The one evaluation that a kill found saved and not yet
        // shown is in the log only, which is compared below.
        let unseen = expected.iter().filter(|line| !lines.contains(line)).count();
        assert!(unseen <= usize::from(signal == "-KILL"), "{unseen} unseen after {signal}");
        let seen: Vec<_> = expected.iter().filter(|line| lines.contains(line)).cloned().collect();
        assert_eq!(lines, seen, "after {signal}");

        let resumed = folder.path().join(name);
        let last = format!("last-{STEPS}");
        for (start, end) in [("best-", ""), (&last, "0.safetensors"), (&last, ".adam.safetensors")]
        {
            assert!(file(&resumed, start, end) == file(&whole, start, end), "{start}*{end}");
        }
        assert_eq!(logged(&resumed), logged(&whole));
        let predictions = |run: &Path| fs::read(run.join("predictions.tsv")).unwrap();
        assert_eq!(predictions(&resumed), predictions(&whole));
    }
}

#[test]
fn a_complete_run_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(folder.path(), &small(&["--steps", "10", "--out", "run"]));
    assert!(first.status.success());
    let again = json(&run(folder.path(), &["--resume", "run", "--json"]));
    assert_eq!(again.len(), 1, "nothing left to train, the test set is scored again");
    assert_eq!(again[0]["split"], "test");
    let longer = json(&run(folder.path(), &["--resume", "run", "--json", "--steps", "30"]));
    let steps: Vec<_> = longer.iter().map(|line| line["step"].as_u64().unwrap()).collect();
    assert_eq!(steps[..2], [20, 30]);
    assert_eq!(longer.len(), 3);
}
