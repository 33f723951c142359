//! What only a terminal gets: colours, and a bar that shows how far reading is.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::run::{Folder, SAMPLE, skip};

/// What a shell command writes to a terminal of its own; `None` where there is no `script`.
fn on_a_terminal(command: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_chunkeval");
    let mut script = Command::new("script");
    script.args(["-qec", &command.replace("chunkeval", program), "/dev/null"]);
    script.env_remove("NO_COLOR").env("TERM", "xterm").stdin(std::process::Stdio::null());
    let Ok(output) = script.output() else {
        skip("no script");
        return None;
    };
    assert!(output.status.success(), "{command}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::new();
    let file = folder.file("f.tsv", SAMPLE);
    let coloured = |command: &str| on_a_terminal(command).map(|found| found.contains("\x1b[3"));
    let Some(found) = coloured(&format!("chunkeval tags {file}")) else { return };
    assert!(found);
    for command in [
        format!("chunkeval tags {file} | cat"),
        format!("NO_COLOR=1 chunkeval tags {file}"),
        format!("chunkeval tags {file} --color never"),
        format!("chunkeval tags {file} --format json"),
    ] {
        assert_eq!(coloured(&command), Some(false), "{command}");
    }
    assert_eq!(coloured(&format!("chunkeval tags {file} --color always | cat")), Some(true));
}

#[test]
fn a_bar_shows_where_reading_takes_longer() {
    let folder = Folder::new();
    let file = folder.file("f.tsv", SAMPLE.repeat(2000));
    let pipe = |pause: &str| format!("(cat {file}; sleep {pause}; cat {file}) | chunkeval tags -");
    let Some(long) = on_a_terminal(&pipe("1")) else { return };
    // How much, at which rate; and nothing of it is left behind the result.
    let (bar, result) = long.rsplit_once("\x1b[2K").unwrap();
    assert!(bar.contains("KiB") && bar.contains("/s"), "{long:?}");
    assert!(result.contains("micro") && !result.contains("KiB"), "{long:?}");
    let short = on_a_terminal(&format!("chunkeval tags {file} 2>&1 | cat")).unwrap_or_default();
    assert!(!short.contains("KiB"), "{short:?}");
}
