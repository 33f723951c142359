//! A tiny run, and its pieces.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program with these arguments, in this folder.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(crate::PROGRAM);
    command.current_dir(folder).args(args);
    command
}

/// Few sentences and a small network: a step takes milliseconds without optimisation.
pub(crate) fn small<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let data = ["--sentences", "40", "--batch", "4", "--every", "10"];
    [&data[..], crate::SIZES, args].concat()
}

/// Runs the program to its end.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder, args).output().unwrap()
}

/// Runs a tiny program to its good end.
pub(crate) fn tiny(folder: &Path, args: &[&str]) -> Output {
    let output = run(folder, &small(args));
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// One object a line.
pub(crate) fn json(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// An object without what differs from run to run.
pub(crate) fn without_times(mut line: Value) -> Value {
    let object = line.as_object_mut().unwrap();
    object.retain(|name, _| !name.contains("seconds") && name != "metric_and_logging_share");
    line
}

/// The only file of a folder whose name begins and ends so.
pub(crate) fn file(folder: &Path, start: &str, end: &str) -> Vec<u8> {
    let mut found =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with(start) && name.ends_with(end)
        });
    let path = found.next().unwrap();
    assert_eq!(found.next(), None);
    std::fs::read(path).unwrap()
}

/// The program with something on its standard input.
pub(crate) fn piped(folder: &Path, args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = program(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What refuses its options does not read.
    match child.stdin.take().unwrap().write_all(input.as_ref()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        result => result.unwrap(),
    }
    child.wait_with_output().unwrap()
}

/// A run that has learnt something, and its scores on the test set.
pub(crate) fn trained(folder: &Path) -> Value {
    let args = ["--steps", "150", "--lr", "0.02", "--json", "--out", "run"];
    json(&tiny(folder, &args)).pop().unwrap()
}
